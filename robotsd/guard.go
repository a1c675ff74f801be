package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/http/fault"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/robotsexclusion/robots/robotsd/internal/guardserver"
	"github.com/spf13/cobra"
)

// newGuard returns the verb that enforces a site's robots.txt.
func newGuard() *cobra.Command {
	var g guardian
	cmd := &cobra.Command{
		Use:   "guard (--upstream URL|--forward-auth) [flags]",
		Short: cli.Short("guard"),
		Long: `Guard is a reverse proxy that enforces robots.txt: robots get what the file allows
them, and people never notice. A disallowed request of a robot is answered with status 403 and the
rule; a robot that is faster than Crawl-delay, Request-rate and Visit-time ask is answered with 429
and Retry-After. Browsers, and programs that do not call themselves robots, pass, and so do all
requests for /robots.txt and below /.well-known/, and requests with other methods than GET and HEAD,
such as those of webhooks.

The rules are those of --robots, which is read again when it changes, or else those that the
upstream serves. A text that is not a robots.txt changes nothing, and guard does not start with such
a file: to allow everything, write a comment.

With --forward-auth, guard answers the proxy that a site has already: auth_request of nginx,
forward_auth of Caddy, ForwardAuth of Traefik.

SIGHUP reads robots.txt again, opens the log again, and prints how many requests of which robots
were refused, as guard does when it ends. SIGUSR2 starts the program again without refusing a
connection.

The exit status is 0 if guard was stopped, and 2 if it could not start or serve.`,
		Example: `  robots guard --upstream http://127.0.0.1:8080 --listen :80
  robots guard --upstream http://127.0.0.1:8080 --robots robots.txt --observe --log guard.jsonl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && strings.Contains(args[0], "://") {
				return cli.Misusef("name the server of the site by a flag: --upstream %s", shown(args[0]))
			}
			if len(args) == 1 && userfile.IsFile(args[0]) {
				return cli.Misusef("name the robots.txt by a flag: --robots %s", shown(args[0]))
			}
			return cli.NoArgs(cmd, args)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return g.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVar(&g.upstream, "upstream", "", "pass requests to the server at `URL`")
	flags.BoolVar(&g.forwardAuth, "forward-auth", false, "answer another proxy that asks whether to serve a request")
	flags.StringVar(&g.listen, "listen", "127.0.0.1:8000", "accept connections at `address`, or at a port of 127.0.0.1")
	flags.StringVar(&g.robots, "robots", "", "enforce the rules in `file` (default: those that the upstream serves)")
	flags.BoolVar(&g.guard.Observe, "observe", false, "refuse nothing: only count and log what would be refused")
	flags.StringVar(&g.log, "log", "", "append a JSON line for each request to `file`")
	flags.IntVar(&g.guard.Status, "status", http.StatusForbidden, "refuse with this `status`, from 400 to 499")
	flags.BoolVar(&g.guard.NoPace, "no-pace", false, "do not enforce Crawl-delay, Request-rate and Visit-time")
	flags.BoolVar(&g.guard.Literal, "literal", false,
		"compare targets only as they were sent: //private/x is not /private/x")
	flags.BoolVar(&g.guard.FailClosed, "fail-closed", false,
		"refuse robots if the guard fails, or has no robots.txt yet")
	g.exceptions.AddFlags(flags)
	g.identity.addFlags(flags)
	flags.StringSliceVar(&g.trust, "trust", nil,
		"believe X-Forwarded-For of proxies at these `addresses`, such as 10.0.0.0/8")
	flags.BoolVar(&g.proxyProtocol, "proxy-protocol", false,
		"connections of the proxies of --trust begin with the PROXY protocol, version 1 or 2")
	flags.BoolVar(&g.forwarded, "forwarded", false,
		"the proxies of --trust write the field Forwarded, not X-Forwarded-For")
	flags.StringVar(&g.cert, "cert", "", "serve TLS with the certificates in `file`")
	flags.StringVar(&g.key, "key", "", "the private key of --cert is in `file`")
	flags.DurationVar(&g.timeout, "timeout", time.Minute, "`time` until the upstream begins to answer")
	flags.DurationVar(&g.stall, "stall", time.Minute,
		"end a request whose client sends or takes less than 16 KiB of a body in this `time` of waiting; 0 ends none")
	flags.DurationVar(&g.grace, "grace", time.Minute, "`time` for open requests to end when guard stops")
	g.addPreferenceFlags(flags)
	g.sharing.addFlags(flags)
	g.metrics.AddFlags(flags,
		"serve figures at `address`, such as 127.0.0.1:9090: /metrics for Prometheus, and /readyz")
	return cmd
}

// A guardian has the flags of guard, and runs the verb.
type guardian struct {
	guard         guard.Guard
	upstream      string
	forwardAuth   bool
	listen        string
	robots        string
	log           string
	trust         []string
	forwarded     bool
	proxyProtocol bool
	cert, key     string
	timeout       time.Duration
	stall         time.Duration
	grace         time.Duration
	metrics       cli.MetricsServer
	sharing       paceSharing
	identity      guardIdentity
	exceptions    cli.Exceptions

	proxies      guard.Proxies // of trust
	source       *guard.Source
	figures      *guardserver.Figures
	closeFigures func()
	reload       <-chan os.Signal
	restart      <-chan os.Signal
	summarize    func() // notices about what was refused
	reopen       func() // opens the log again, after another program renamed it
	notice       func(error)
}

// check refuses wrong flags, and returns the upstream, if there is one.
func (g *guardian) check() (upstream *url.URL, err error) {
	switch {
	case (g.upstream == "") != g.forwardAuth:
		return nil,
			cli.Misusef("name the server of the site with --upstream, or use --forward-auth to answer another proxy")
	case g.forwardAuth && g.robots == "":
		return nil,
			cli.Misusef("--forward-auth goes with --robots: there is no upstream whose robots.txt could be read")
	case g.guard.Status < 400 || g.guard.Status > 499:
		return nil, cli.Misusef("--status is %d: name one from 400 to 499", g.guard.Status)
	case (g.cert == "") != (g.key == ""):
		return nil, cli.Misusef("--cert and --key go together")
	case g.timeout <= 0 || g.grace < 0 || g.stall < 0:
		return nil, cli.Misusef("--timeout, --stall and --grace are times such as 30s")
	}
	if (g.forwarded || g.proxyProtocol) && len(g.trust) == 0 {
		return nil, cli.Misusef("--forwarded and --proxy-protocol are about the proxies of --trust: name them")
	}
	if g.proxies, err = parseProxies(g.trust); err != nil {
		return nil, err
	}
	if err := errors.Join(g.metrics.Check(), g.sharing.check()); err != nil {
		return nil, err
	}
	if err := g.identity.check(); err != nil {
		return nil, err
	}
	if err := g.checkExceptions(); err != nil {
		return nil, err
	}
	if err := g.checkPreferences(); err != nil {
		return nil, err
	}
	if g.forwardAuth {
		return nil, nil
	}
	upstream, err = url.Parse(g.upstream)
	if err != nil || upstream.Scheme != "http" && upstream.Scheme != "https" || upstream.Host == "" ||
		upstream.Path != "" && upstream.Path != "/" || upstream.RawQuery != "" || upstream.User != nil {
		return nil, cli.Misusef("--upstream %q is not an origin: name one such as http://127.0.0.1:8080", g.upstream)
	}
	upstream.Path = ""
	return upstream, nil
}

func (g *guardian) run(cmd *cobra.Command) error {
	upstream, err := g.check()
	if err != nil {
		return err
	}
	ctx, stop := cli.UntilInterrupted(cmd.Context())
	defer stop()
	g.reload, g.restart = guardserver.Signals(ctx) // a signal must not end the program while it starts
	g.notice = func(err error) { fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", shown(err.Error())) }
	for _, exposed := range append(g.exceptions.Exposed(), userfile.Exposed(g.key, "private key")) {
		if exposed != "" {
			g.notice(errors.New(exposed))
		}
	}
	g.reopen = func() {}
	figures := guardserver.NewFigures()
	if err := g.readRobots(ctx, upstream, figures); err != nil {
		return err
	}
	summary := &guardserver.Summary{Observe: g.guard.Observe}
	g.summarize = func() {
		for _, line := range summary.Lines() {
			g.notice(errors.New(line))
		}
	}
	record := func(r *guardserver.Record) { figures.Add(r); summary.Add(r) }
	if g.log != "" {
		failed := func(err error) { g.notice(fmt.Errorf("cannot write %s: %w", g.log, cause(err))) }
		f := &logFile{name: g.log}
		if err := f.open(); err != nil {
			return fmt.Errorf("cannot write %s: %w", shown(g.log), cause(err))
		}
		defer func() { f.file.Close() }()
		g.reopen = func() {
			if err := f.open(); err != nil {
				failed(err)
				return
			}
			g.notice(fmt.Errorf("%s was opened again", g.log))
		}
		write := guardserver.Log(f, failed)
		counted := record
		record = func(r *guardserver.Record) { counted(r); write(r) }
	}
	g.figures = figures
	if err := g.serveFigures(cmd); err != nil {
		return err
	}
	defer func() { g.closeFigures() }()
	g.identity.Upstream = g.upstream
	if g.guard.Identities, err = g.identity.identities(); err != nil {
		return err
	}
	if doubt := g.identity.Doubt("--host"); doubt != "" {
		g.notice(errors.New(doubt))
	}
	if g.guard.IdentifyFirst = g.identity.verifyFirst; g.guard.Identities != nil {
		defer g.guard.Identities.Close()
		figures.Identities(g.guard.Identities)
	}
	g.guard.Policy = g.source.Policy
	g.setExceptions()
	stopSharing, err := g.sharing.start(&g.guard, g.notice)
	if err != nil {
		return err
	}
	defer stopSharing()
	return g.serve(ctx, cmd, guardserver.New(guardserver.Options{
		Guard: &g.guard, Upstream: upstream, Proxies: g.proxies, Forwarded: g.forwarded, Timeout: g.timeout,
		Stall: g.stall, Record: record, Notice: g.notice,
	}))
}

// parseProxies returns the proxies of --trust.
func parseProxies(trust []string) (proxies guard.Proxies, err error) {
	for _, text := range trust {
		prefix, err := netip.ParsePrefix(text)
		if addr, e := netip.ParseAddr(text); e == nil {
			prefix, err = addr.Prefix(addr.BitLen())
		}
		if err != nil {
			return nil, cli.Misusef("--trust has %q: name an address such as 10.0.0.1 or a range such as 10.0.0.0/8",
				text)
		}
		proxies = append(proxies, prefix.Masked())
	}
	return proxies, nil
}

// readRobots reads robots.txt, and again until ctx ends. A file has to be readable now; an upstream
// may start later.
func (g *guardian) readRobots(ctx context.Context, upstream *url.URL, figures *guardserver.Figures) error {
	if g.robots != "" {
		g.source = guard.File(g.robots)
	} else {
		g.source = guard.Upstream(upstream.String(), cli.UserAgent(), nil)
	}
	switch err := g.source.Reload(ctx); {
	case g.robots != "" && errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("cannot enforce %s: there is no such file: check the spelling", shown(g.robots))
	case err != nil && g.robots != "":
		// Without rules the guard would pass everything. A successor that ends here leaves the
		// guard before it with its rules.
		return fmt.Errorf("cannot enforce %s: %w", shown(g.robots), cause(err))
	case err != nil:
		g.notice(fmt.Errorf("all requests pass until robots.txt can be read: %w", err))
	}
	go g.source.Watch(ctx, func(err error) {
		figures.Reloaded(err)
		if err == nil {
			err = errors.New("another robots.txt is in force")
		} else {
			err = fmt.Errorf("robots.txt cannot be used: %w", err)
		}
		g.notice(err)
	})
	return nil
}

// serve serves until the user interrupts the program, or a successor serves.
func (g *guardian) serve(ctx context.Context, cmd *cobra.Command, server *guardserver.Server) error {
	address, err := cli.ListenOn(g.listen)
	if err != nil {
		return err
	}
	listener, ready, err := guardserver.Listen(address)
	if err != nil {
		return fmt.Errorf("cannot listen: %w", fault.Listening(err))
	}
	served := make(chan error, 1)
	go func() { served <- g.accept(server, listener) }()
	scheme := "http"
	if g.cert != "" {
		scheme = "https"
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", cli.Listening(scheme, listener.Addr()))
	ready()
	for {
		select {
		case err := <-served:
			return fmt.Errorf("cannot serve: %w", err)
		case <-g.reload:
			g.reopen()
			err := g.source.Reload(ctx)
			g.figures.Reloaded(err)
			if err == nil {
				err = errors.New("robots.txt was read again")
			} else {
				err = fmt.Errorf("robots.txt cannot be used: %w", err)
			}
			g.notice(err)
			g.summarize()
			continue
		case <-g.restart:
			if err := g.startAgain(cmd, listener); err != nil {
				g.notice(fmt.Errorf("cannot start again: %w", err))
				continue
			}
		case <-ctx.Done():
		}
		listener.Close()
		<-served
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), g.grace)
		defer cancel()
		server.Drain(ending)
		g.summarize()
		return nil
	}
}

// startAgain starts a successor. The successor needs the address of the figures.
func (g *guardian) startAgain(cmd *cobra.Command, listener net.Listener) error {
	g.closeFigures()
	pid, err := guardserver.Successor(listener)
	if err != nil {
		return errors.Join(err, g.serveFigures(cmd))
	}
	g.notice(fmt.Errorf("process %d serves now", pid))
	return nil
}

// serveFigures serves the figures of --metrics.
func (g *guardian) serveFigures(cmd *cobra.Command) (err error) {
	g.closeFigures = func() {}
	stop, err := g.metrics.Serve(cmd, func(bool) http.Handler {
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", g.figures.Handler())
		mux.HandleFunc("GET /readyz", g.readyz)
		return mux
	})
	if err == nil {
		g.closeFigures = stop
	}
	return err
}

// readyz answers whether the guard enforces a robots.txt.
func (g *guardian) readyz(w http.ResponseWriter, r *http.Request) {
	if _, err := g.source.Policy(r); err != nil {
		http.Error(w, "no robots.txt was read yet: all requests pass", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}

// accept accepts connections, with TLS if there is a certificate.
func (g *guardian) accept(server *guardserver.Server, l net.Listener) error {
	if g.proxyProtocol {
		l = guardserver.ProxyProtocol(l, g.proxies, g.notice)
	}
	if g.cert != "" {
		return server.ServeTLS(l, g.cert, g.key)
	}
	return server.Serve(l)
}
