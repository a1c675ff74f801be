package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/fetch/natscache"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/http/fault"
	"github.com/robotsexclusion/robots/internal/http/ownhost"
	"github.com/robotsexclusion/robots/internal/nats"
	"github.com/robotsexclusion/robots/internal/nats/natsflag"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/robotsexclusion/robots/robotsd/internal/guardserver"
	"github.com/robotsexclusion/robots/server"
	"github.com/robotsexclusion/robots/server/web"
	"github.com/spf13/cobra"
)

// newServe returns the verb that answers questions over HTTP.
func newServe() *cobra.Command {
	var s service
	cmd := &cobra.Command{
		Use:   "serve [flags]",
		Short: cli.Short("serve"),
		Long: `Serve answers programs in any language: may a robot fetch a URL, what does a
robots.txt say, what is wrong with a text, what does a change of it change.

  GET /v1/match?url=URL&agent=ROBOT   may the robot fetch the URL?
  GET /v1/robots?origin=ORIGIN        the robots.txt of an origin
  GET /v1/history?origin=ORIGIN       its versions, with --cache
  GET /v1/report?url=URL              the report card of a site, as 'robots --json ORIGIN'
  GET /v1/badge?url=URL               a picture: search engines: open, AI training: closed
  POST /v1/match                      lines of the ask protocol, as in 'robots match --jsonl'
  POST /v1/report, /v1/lint, /v1/diff, /v1/prove, /v1/minimize
  GET /openapi.json                   the description of all routes
  GET /healthz
  GET /                               the page for browsers, which answers by itself: what is
                                      pasted into it stays in the browser

The robots.txt of an origin is fetched once, and kept while it is fresh; --cache
keeps it on disk too, with its history. Services with --nats share what they
fetched, and one of them at a time fetches the robots.txt of an origin; a service
that is cut off from the NATS servers answers alone. Hosts are asked only at public addresses,
unless --allow-private is given.

SIGTERM ends the service after its open requests. SIGUSR2 starts the program
again without refusing a connection. SIGHUP opens the file of --access-log again,
after it was renamed.

The exit status is 0 if the service was stopped, and 2 if it could not start or
serve.`,
		Example: `  robots serve
  robots serve --listen :8080 --cache /var/cache/robots --rate 10
  robots serve --page public
  robots serve --nats nats://10.0.0.1:4222,nats://10.0.0.2:4222
  curl 'http://127.0.0.1:8010/v1/match?url=https://example.com/x&agent=ExampleBot'`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && userfile.IsFile(args[0]) {
				return cli.Misusef("serve answers questions about any robots.txt over HTTP: 'robots guard --robots "+
					"%s' serves and enforces a file", shown(args[0]))
			}
			return cli.NoArgs(cmd, args)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVar(&s.listen, "listen", "127.0.0.1:8010", "accept connections at `address`, or at a port of 127.0.0.1")
	flags.StringVar(&s.cache, "cache", "",
		"keep what was fetched in `folder` with its history, and use it while it is fresh")
	s.nats.AddFlags(flags,
		"share robots.txt and its fetches with other services, by the NATS servers with JetStream at these `URLs`, with commas between")
	flags.StringVar(&s.userAgent, "user-agent", "", "send `text` as the User-Agent header, with a way to reach you")
	flags.BoolVar(&s.allowPrivate, "allow-private", false, "connect to private and other special addresses too")
	flags.DurationVar(&s.config.MaxTime, "timeout", 30*time.Second, "`time` for a request, including fetches")
	flags.Float64Var(&s.config.Rate, "rate", 0, "answer each client this `number` of requests a second (default: all)")
	flags.IntVar(&s.config.Burst, "burst", 100, "with --rate, answer this `number` of requests at once")
	flags.StringVar(&s.tokens, "tokens", "", "answer only requests with a bearer token of `file`, one a line")
	flags.StringSliceVar(&s.config.Origins, "cors", nil,
		"let web pages of these `origins` ask, such as https://example.com, or *")
	flags.StringSliceVar(&s.config.Hosts, "host", nil,
		"answer requests for these `names` too, such as robots.example.com, not only for IP addresses and localhost")
	flags.StringSliceVar(&s.trust, "trust", nil,
		"believe X-Forwarded-For of proxies at these `addresses`, such as 10.0.0.0/8")
	flags.StringVar(&s.accessLog, "access-log", "",
		"append a JSON line for each request to `file`, or - for standard output; 'robots audit' reads it")
	flags.StringVar(&s.page, "page", "",
		"write the page into `folder`, as a static site at --host that needs no service, and serve nothing")
	flags.StringVar(&s.cert, "cert", "", "serve TLS with the certificates in `file`")
	flags.StringVar(&s.key, "key", "", "the private key of --cert is in `file`")
	flags.DurationVar(&s.grace, "grace", time.Minute, "`time` for open requests to end when the service stops")
	s.metrics.AddFlags(flags, "serve figures at `address`, such as 127.0.0.1:9090: /metrics for Prometheus")
	return cmd
}

// A service has the flags of serve, and runs the verb.
type service struct {
	config       server.Config
	listen       string
	cache        string
	nats         natsflag.Flags
	servers      string // the address of nats
	userAgent    string
	allowPrivate bool
	trust        []string
	tokens       string
	accessLog    string
	page         string
	cert, key    string
	grace        time.Duration
	metrics      cli.MetricsServer

	shared       *natscache.Cache // nil without --nats
	figures      *serveFigures
	closeFigures func()
}

// check refuses wrong flags, and returns the proxies of --trust.
func (s *service) check(cmd *cobra.Command) (proxies guard.Proxies, err error) {
	switch {
	case (s.cert == "") != (s.key == ""):
		return nil, cli.Misusef("--cert and --key go together")
	case s.config.MaxTime < time.Second || s.grace < 0:
		return nil, cli.Misusef("--timeout and --grace are times such as 30s, and --timeout is a second at least")
	case !(s.config.Rate >= 0 && s.config.Rate <= 1e6) || s.config.Burst < 1:
		return nil, cli.Misusef("--rate and --burst are numbers above 0")
	case s.config.Rate == 0 && cmd.Flags().Changed("burst"):
		return nil, cli.Misusef("--burst goes with --rate only")
	case slices.ContainsFunc(s.config.Origins, func(o string) bool {
		origin, err := fetch.Origin(o)
		return o != "*" && (err != nil || origin != o)
	}):
		return nil, cli.Misusef("--cors names no origin: write it as browsers do, such as https://example.com, or *")
	case strings.ContainsFunc(s.userAgent, func(c rune) bool { return c < ' ' || c > '~' }):
		return nil, cli.Misusef("--user-agent %q is not a header: it is one line of printable ASCII", s.userAgent)
	}
	for _, name := range s.config.Hosts {
		if err := ownhost.Check(name); err != nil {
			return nil, cli.Misusef("--host %w", err)
		}
	}
	// never nil, so that other hosts are refused
	s.config.Hosts = append([]string{}, s.config.Hosts...)
	if err := s.metrics.Check(); err != nil {
		return nil, err
	}
	if s.servers, err = s.nats.Address(); err != nil {
		return nil, err
	}
	return parseProxies(s.trust)
}

// ballast is the size of memory, in bytes, that is never written to, so that it is none of the
// machine's. The garbage collector counts it, and begins when the heap has twice its size: a small
// service collects after 16 MiB of garbage and not after 3, and needs as much more memory at most.
const ballast = 16 << 20

// run serves until the user interrupts the program, or a successor serves.
func (s *service) run(cmd *cobra.Command) error {
	proxies, err := s.check(cmd)
	if err != nil {
		return err
	}
	if s.page != "" {
		host := ""
		if len(s.config.Hosts) > 0 {
			host = s.config.Hosts[0]
		}
		if err := web.Write(s.page, host); err != nil {
			return fmt.Errorf("cannot write the page into %s: %w", shown(s.page), cause(err))
		}
		return nil
	}
	ctx, stop := cli.UntilInterrupted(cmd.Context())
	defer stop()
	reload, restart := guardserver.Signals(ctx) // a signal must not end the program while it starts
	notice := func(text string) { fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", shown(text)) }
	if err := s.configure(notice); err != nil {
		return err
	}
	if s.shared != nil {
		defer s.shared.Close()
	}
	s.config.Address = proxies.Client
	s.config.Page = web.Handler(web.Services{Robots: s.live()})
	reopen, err := s.openLog(cmd.OutOrStdout(), notice)
	if err != nil {
		return err
	}
	if err := s.serveFigures(cmd); err != nil {
		return err
	}
	defer func() { s.closeFigures() }()
	address, err := cli.ListenOn(s.listen)
	if err != nil {
		return err
	}
	listener, ready, err := guardserver.Listen(address)
	if err != nil {
		return fmt.Errorf("cannot listen: %w", fault.Listening(err))
	}
	defer runtime.KeepAlive(make([]byte, ballast))
	web := s.server(notice)
	served := make(chan error, 1)
	go func() { served <- s.accept(web, listener) }()
	notice(cli.Listening("http", listener.Addr()))
	ready()
	for serving := true; serving; {
		select {
		case err := <-served:
			return fmt.Errorf("cannot serve: %w", err)
		case <-reload:
			reopen()
			continue
		case <-restart:
			if err := s.startAgain(cmd, listener, notice); err != nil {
				notice(fmt.Sprintf("cannot start again: %v", err))
				continue
			}
		case <-ctx.Done():
		}
		serving = false
	}
	listener.Close()
	<-served
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.grace)
	defer cancel()
	web.Drain(ending)
	return nil
}

// startAgain starts a successor. The successor needs the address of the figures.
func (s *service) startAgain(cmd *cobra.Command, listener net.Listener, notice func(string)) error {
	s.closeFigures()
	pid, err := guardserver.Successor(listener)
	if err != nil {
		return errors.Join(err, s.serveFigures(cmd))
	}
	notice(fmt.Sprintf("process %d serves now", pid))
	return nil
}

// serveFigures serves the figures of --metrics, and counts each request in them.
func (s *service) serveFigures(cmd *cobra.Command) error {
	s.closeFigures = func() {}
	stop, err := s.metrics.Serve(cmd, func(bool) http.Handler {
		if s.figures == nil {
			s.figures = newServeFigures()
			if s.shared != nil {
				s.figures.registry.MustRegister(sharedFigures(s.shared.Stats))
			}
			write := s.config.Record
			s.config.Record = func(r *server.Record) {
				s.figures.add(r)
				if write != nil {
					write(r)
				}
			}
		}
		return s.figures.handler()
	})
	if err == nil {
		s.closeFigures = stop
	}
	return err
}

// configure makes the client that fetches robots.txt.
func (s *service) configure(notice func(string)) error {
	if err := s.readTokens(); err != nil {
		return err
	}
	for name, secrets := range map[string]string{s.tokens: "tokens", s.key: "private key"} {
		if exposed := userfile.Exposed(name, secrets); exposed != "" {
			notice(exposed)
		}
	}
	memory := new(fetch.Memory)
	if s.cache != "" {
		if err := os.MkdirAll(s.cache, 0o777); err != nil {
			return fmt.Errorf("cannot keep what is fetched in %s: %w", shown(s.cache), cause(err))
		}
		memory.Behind = fetch.Dir(s.cache)
		s.config.History = fetch.Dir(s.cache)
	}
	if s.userAgent == "" {
		s.userAgent = cli.UserAgent()
	}
	s.config.Client = &fetch.Client{
		UserAgent: s.userAgent, Cache: memory, DialFilter: fetch.DialFilter{AllowPrivate: s.allowPrivate},
		Timeout: s.config.MaxTime * 2 / 3, // less than for the request, so that a failure is cached
	}
	if s.servers == "" {
		return nil
	}
	for _, exposed := range nats.Exposed(s.servers) {
		notice(exposed)
	}
	shared, err := natscache.Open(natscache.Config{
		URL: s.servers, Local: memory, Notice: func(err error) { notice(err.Error()) },
		Wait: s.config.Client.Timeout + 2*time.Second, // so that the fetch of another service has ended
	})
	if err != nil {
		return fmt.Errorf("cannot share what is fetched: %w", err)
	}
	s.shared, s.config.Client.Cache = shared, shared
	return nil
}

// live returns the path at which the page asks for live robots.txt. With tokens, which the page
// does not have, it is none.
func (s *service) live() string {
	if len(s.config.Tokens) > 0 {
		return ""
	}
	return "v1/"
}

// readTokens reads the file of --tokens. A file without a token would let everybody in, and is an
// error.
func (s *service) readTokens() error {
	if s.tokens == "" {
		return nil
	}
	text, err := os.ReadFile(s.tokens)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", shown(s.tokens), cause(err))
	}
	for line := range strings.Lines(string(text)) {
		token := strings.TrimSpace(line)
		if token == "" {
			continue
		}
		if len(token) < 16 || strings.ContainsAny(token, " \t") {
			return fmt.Errorf("%s has a token that is shorter than 16 bytes, or has a blank: write a random one on each line", shown(s.tokens))
		}
		s.config.Tokens = append(s.config.Tokens, token)
	}
	if len(s.config.Tokens) == 0 {
		return fmt.Errorf("%s has no token: write one a line", shown(s.tokens))
	}
	return nil
}

// server returns the web server. It speaks HTTP/1.1, and HTTP/2 with and without TLS.
func (s *service) server(notice func(string)) *guardserver.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	return guardserver.Drained(&http.Server{
		Handler: server.New(s.config), Protocols: protocols, ErrorLog: log.New(noticeLines(notice), "", 0),
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
	})
}

// noticeLines writes the messages of net/http as notices.
type noticeLines func(string)

func (n noticeLines) Write(line []byte) (int, error) {
	n(strings.TrimSuffix(string(line), "\n"))
	return len(line), nil
}

// accept accepts connections, with TLS if there is a certificate.
func (s *service) accept(web *guardserver.Server, l net.Listener) error {
	if s.cert != "" {
		return web.ServeTLS(l, s.cert, s.key)
	}
	return web.Serve(l)
}
