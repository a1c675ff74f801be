package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/exportcheck"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// otherServers are web servers and services that people name, and that export has no configuration
// for.
var otherServers = []string{"iis", "cloudflare", "traefik", "envoy", "litespeed", "openlitespeed", "node", "express",
	"aws", "cloudfront", "fastly", "netlify", "vercel", "tomcat", "gunicorn", "uwsgi", "waf", "fail2ban"}

// newExport returns the verb that writes configuration of web servers.
func newExport() *cobra.Command {
	var e exporter
	cmd := &cobra.Command{
		Use:   "export SERVER (FILE|ORIGIN|-) --out DIR [flags]",
		Short: "make a web server enforce robots.txt on robots that name themselves",
		Long: `Export writes configuration with which a web server answers 403 to exactly the
requests that robots.txt disallows, if the client names itself as a robot in its
User-Agent header. Browsers, and programs that do not call themselves robots,
pass, and so do requests with other methods than GET and HEAD, such as those
of webhooks. Targets that some server reads as a disallowed path, such as
//private/x, are refused too. It prints the lines that include the files in the
server's configuration.

Export fetches the robots.txt of an origin, such as example.com, and writes
nothing while its server is unreachable. A rule that the web server cannot
enforce exactly is an error that names the rule; then export writes nothing.
With --check, export starts the web server with the files in a temporary folder,
and writes nothing if an answer differs from robots.txt. The servers are ` +
			strings.Join(export.Servers(), ", ") + `.

The exit status is 0 if export wrote the files, 1 if an answer differs, and 2
after another error.`,
		Example: `  robots export nginx robots.txt --out /etc/nginx/robots
  robots export nginx robots.txt --out /etc/nginx/robots --site shop --agents named`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return cli.Misusef("no server is given: name one of %s", strings.Join(export.Servers(), ", "))
			case userfile.IsFile(args[0]) && !slices.Contains(export.Servers(), args[0]):
				return cli.Misusef("name the web server first, such as '%s'; the servers are %s",
					shown(commandLine([]string{"robots", "export", "nginx", args[0]})),
					strings.Join(export.Servers(), ", "))
			case slices.Contains(otherServers, strings.ToLower(args[0])):
				return cli.Misusef("export writes no configuration for %s: 'robots guard' enforces robots.txt in "+
					"front of any web server", shown(args[0]))
			case !slices.Contains(export.Servers(), args[0]):
				return cli.Unknown("server", args[0], export.Servers())
			case len(args) == 1:
				return cli.Misusef("no file is given: name a robots.txt, or - for standard input")
			case len(args) > 2:
				return cli.Misusef("unexpected argument %q: export takes a server and one file", args[2])
			case e.out == stdin:
				return cli.Misusef("--out names a folder, since export writes several files: name one, and ./- for a " +
					"folder named -")
			case e.out == "":
				return cli.Misusef("no folder is given: name the folder for the files with --out")
			}
			return e.checkSources(cmd, args[1])
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return export.Servers(), cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error { return cli.RunInterruptible(cmd, args, e.run) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&e.out, "out", "o", "", "write the files to this `FOLDER`")
	flags.StringVar(&e.options.Site, "site", "site",
		"the `NAME` of the site in files and variables, for servers with several sites")
	flags.Var(whichFlag{&e.options.Agents}, "agents",
		"refuse `WHICH` robots: all, known (of the table, or named by robots.txt), or named (by robots.txt)")
	flags.BoolVar(&e.options.WellKnown, "well-known", false, "let all requests below /.well-known/ pass")
	flags.BoolVar(&e.options.Literal, "literal", false,
		"compare targets only as they were sent: //private/x and /a/../private/x pass \"Disallow: /private/\"")
	flags.BoolVar(&e.options.Pace, "pace", false,
		"also answer 429 to robots that are faster than Crawl-delay and Request-rate ask (nginx, haproxy, lighttpd)")
	e.exceptions.AddFlags(flags)
	e.addFlags(flags)
	flags.BoolVar(&e.equivalents, "equivalents", true, "")
	flags.MarkHidden("equivalents")
	flags.BoolVar(&e.json, "json", false, "print JSON")
	flags.BoolVar(&e.check, "check", false,
		"start the server with the files first, and compare its answers to a sample of requests with robots.txt")
	cli.Complete(cmd, "agents", []string{"all", "known", "named"})
	readsProject(cmd, func(_ *cobra.Command, args []string) (int, bool) {
		return 1, len(args) == 1 && slices.Contains(export.Servers(), args[0])
	})
	return cmd
}

// An exporter has the flags of export, and runs the verb.
type exporter struct {
	network
	options     export.Options
	exceptions  cli.Exceptions
	out         string
	json, check bool
	equivalents bool // as before --literal
}

// whichFlag is the flag --agents, the robots that a server refuses.
type whichFlag struct{ *export.Agents }

func (f whichFlag) Set(name string) (err error) {
	*f.Agents, err = export.ParseAgents(name)
	if err != nil {
		if _, unknown := (*agent.Table)(nil).Resolve(name); unknown == nil {
			return fmt.Errorf("robots.txt says which robots are refused: give %s groups there (robots build --block), "+
				"and say named", name)
		}
	}
	return err
}

func (f whichFlag) Type() string { return "which" }

// An exportAnswer is the object of --json.
type exportAnswer struct {
	Server   string              `json:"server"`
	Site     string              `json:"site"`
	Files    []string            `json:"files"`
	Includes []exportedInclude   `json:"includes"`
	Notes    []string            `json:"notes"`
	Check    *exportcheck.Report `json:"check,omitempty"`
}

type exportedInclude struct {
	Place string   `json:"place"`
	Lines []string `json:"lines"`
}

func (e *exporter) run(ctx context.Context, cmd *cobra.Command, args []string) (err error) {
	server, name := args[0], args[1]
	if err := e.exceptions.Check(); err != nil {
		return err
	}
	for _, exposed := range e.exceptions.Exposed() {
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", shown(exposed))
	}
	set := &e.exceptions.Set
	e.options.Methods, e.options.PassPaths = set.Methods, set.Paths
	e.options.PassAddresses, e.options.PassHeaders = set.Addresses, set.Headers
	if e.options.Literal = e.options.Literal || !e.equivalents; cmd.Flags().Changed("equivalents") {
		fmt.Fprintln(cmd.ErrOrStderr(),
			"robots: --equivalents is not needed: other spellings of a path are refused, unless --literal is given")
	}
	if e.options.Folder, err = filepath.Abs(e.out); err != nil {
		return fmt.Errorf("cannot find the folder %s: %w", e.out, cause(err))
	}
	data, err := e.readText(ctx, cmd, name, cli.LanguageOf(cmd))
	if err != nil {
		return err
	}
	policy := robots.Parse(data)
	config, err := export.Write(server, policy, e.options)
	if err != nil {
		return err
	}
	var report *exportcheck.Report
	if e.check {
		if report, err = exportcheck.Check(ctx, server, policy, e.options); err != nil {
			return err
		}
	}
	if config.LeftOut != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", shown(config.LeftOut))
	}
	answer := exportAnswer{Server: server, Site: e.options.Site, Notes: append([]string{}, config.Notes...),
		Check: report}
	for _, include := range config.Includes {
		answer.Includes = append(answer.Includes, exportedInclude(include))
	}
	wrong := report != nil && len(report.Wrong) > 0
	if !wrong {
		if answer.Files, err = e.write(config.Files); err != nil {
			return err
		}
	}
	out := cmd.OutOrStdout()
	if e.json {
		_, err = out.Write(printable.JSON(append(printable.AppendJSON(nil, answer), '\n')))
	} else {
		err = answer.print(out)
	}
	if err != nil {
		return fmt.Errorf("cannot write the answer: %w", cause(err))
	}
	if wrong {
		return cli.ErrNo
	}
	return nil
}

// write writes files to the folder, and returns their paths.
func (e *exporter) write(files []export.File) (paths []string, err error) {
	if err := os.MkdirAll(e.out, 0o755); err != nil {
		return nil, fmt.Errorf("cannot make the folder %s: %w", e.out, cause(err))
	}
	mode := os.FileMode(0o644)
	if len(e.options.PassHeaders) > 0 {
		mode = 0o640 // values of headers may be secrets
	}
	for _, f := range files {
		path := filepath.Join(e.out, f.Name)
		if err := userfile.Put(path, string(f.Data), mode, true); err != nil {
			return nil, fmt.Errorf("cannot write %s: %w", path, cause(err))
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// print writes the answer for people.
func (a *exportAnswer) print(out io.Writer) error {
	var b strings.Builder
	if c := a.Check; c != nil {
		fmt.Fprintf(&b,
			"checked in %s: %s, of which %d were refused, %d were malformed to the server, and %d had a wrong answer\n",
			a.Server, count(c.Requests, "request"), c.Refused, c.Malformed, len(c.Wrong))
		for _, w := range c.Wrong[:min(len(c.Wrong), 10)] {
			fmt.Fprintf(&b, "wrong: status %d for %s to %s: %s\n", w.Status, shown(w.Target), shown(w.UserAgent),
				w.Match)
		}
		if len(c.Wrong) > 0 {
			b.WriteString("nothing was written\n")
			_, err := io.WriteString(out, b.String())
			return err
		}
	}
	for _, f := range a.Files {
		fmt.Fprintf(&b, "wrote %s\n", shown(f))
	}
	for _, include := range a.Includes {
		fmt.Fprintf(&b, "add %s:\n", include.Place)
		for _, line := range include.Lines {
			fmt.Fprintf(&b, "    %s\n", line)
		}
	}
	for _, note := range a.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	_, err := io.WriteString(out, b.String())
	return err
}
