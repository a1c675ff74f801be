package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/cmd/internal/robottest"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/robotname"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newTestweb returns the verb that tests a whole robot.
func newTestweb() *cobra.Command {
	var t robotTester
	cmd := &cobra.Command{
		Use:   "testweb [flags] [-- COMMAND…]",
		Short: "test a whole robot: serve it a web, and show which duties it keeps",
		Long: `Testweb serves a web of small exercises, waits for a robot, and reports at the end
which duties of a robot the requests show: kept, broken, or not shown. The duties have
three levels: basic robots obey robots.txt, polite ones are no burden, and exemplary
ones do what a careful author would do. doc/testweb.md has all of them.

Point the robot at the start page that testweb prints. Each exercise has a port of its
own. A robot that can use an HTTP proxy can have names in place of ports: give it the
same address as its proxy, and start at http://start.test/. A robot that stays on one
host can be started at each exercise: --seeds writes their URLs to a file.

With a command after --, testweb starts the robot itself, and the test ends with it. {} in
its arguments is the URL of the start page; the environment has this URL as
ROBOTS_START, and the address of the proxy as ROBOTS_PROXY. What the robot prints goes to
standard error. The report is then one screen: what is broken, with the requests that
show it, and the names of the rest; --json and --junit have all.

The test ends with Ctrl-C or SIGTERM, after the time of --for, or when the robot
has made no request for the time of --idle. A duty counts as kept only if the
robot had the chance to break it: stopping early makes no robot polite.

A polite robot needs about ten minutes for the whole web. --duties serves the exercises
of some duties only, which takes less time while you work on these.

The exit status is 1 if a duty is broken, or with --require if a duty of that level, or
a level below, is broken or not shown; 0 otherwise; and 2 if no robot came, or the command requested nothing.`,
		Example: `  robots testweb -- scrapy crawl shop -a start={}
  robots testweb --idle 30s
  robots testweb --listen 127.0.0.1:8080 --for 5m --require polite --junit report.xml
  robots testweb --idle 10s --duties 'disallow,wildcards,*-nofollow'
  robots testweb --list`,
		Args: func(cmd *cobra.Command, args []string) error {
			if cmd.ArgsLenAtDash() != 0 {
				if len(args) > 0 && cmd.ArgsLenAtDash() < 0 && !strings.Contains(args[0], "://") {
					return cli.Misusef("write the command that starts the robot after --: '%s'",
						commandLine(append([]string{"robots", "testweb", "--"}, args...)))
				}
				return cli.NoArgs(cmd, args)
			}
			t.command = args
			if len(args) == 0 {
				return cli.Misusef("no command is given after --: write the command that starts the robot")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return t.run(cmd) },
	}
	flags := cmd.Flags()
	flags.StringVar(&t.options.Listen, "listen", "127.0.0.1:0",
		"serve the start page and the proxy at `address`, or at a port of 127.0.0.1, and the exercises at the ports after "+
			"it, or at free ports if the port is 0")
	t.agent.add(cmd, "the `robot` under test (default what its User-Agent names)")
	flags.StringSliceVar(&t.options.Duties, "duties", nil,
		"test only the duties with these `names`, separated by commas; * is any text (default all)")
	flags.DurationVar(&t.limit, "for", 0, "end the test after this `time`")
	flags.DurationVar(&t.idle, "idle", 0,
		"end the test when the robot, after its first request, makes none for this `time`")
	flags.StringVar(&t.require, "require", "", "exit with status 0 only if the robot reaches this `level`: "+
		strings.Join(robottest.Levels(), ", "))
	flags.BoolVar(&t.untested, "allow-untested", false, "with --require: accept duties that are not shown")
	flags.StringVar(&t.seeds, "seeds", "", "write the URLs of the exercises to `file`, one on each line")
	flags.BoolVar(&t.names, "names", false, "with --seeds: write URLs for a robot that uses the proxy")
	flags.StringVar(&t.log, "log", "", "write the requests to `file`, in the format vhost-combined of robots audit")
	flags.StringVar(&t.junit, "junit", "", "write the report to `file` too, as XML of JUnit")
	flags.BoolVar(&t.json, "json", false, "print a JSON object")
	flags.BoolVar(&t.list, "list", false, "list the duties, and serve nothing")
	cli.Complete(cmd, "require", robottest.Levels())
	t.lang.Add(cmd)
	return cmd
}

// A robotTester has the flags of testweb, and runs the verb.
type robotTester struct {
	options  robottest.Options
	agent    agentsFlag
	limit    time.Duration
	idle     time.Duration
	require  string
	untested bool
	seeds    string
	names    bool
	log      string
	junit    string
	json     bool
	list     bool
	lang     cli.LanguageFlag
	command  []string // that starts the robot, or nil
}

func (t *robotTester) run(cmd *cobra.Command) error {
	required, ok := robottest.ParseLevel(t.require)
	if t.list {
		if err := t.checkList(cmd); err != nil {
			return err
		}
	}
	switch {
	case t.require != "" && !ok:
		return cli.Misusef("--require is %q: name %s", t.require, strings.Join(robottest.Levels(), ", "))
	case t.untested && t.require == "":
		return cli.Misusef("--allow-untested goes with --require")
	case t.names && t.seeds == "":
		return cli.Misusef("--names goes with --seeds")
	case t.limit < 0 || t.idle < 0:
		return cli.Misusef("--for and --idle are times above 0, such as 5m")
	case t.list && t.command != nil:
		return cli.Misusef("a command does not go with --list, which serves nothing: leave it out")
	case t.list:
		return t.printDuties(cmd)
	}
	if err := t.readAgent(); err != nil {
		return err
	}
	if t.log != "" {
		f, err := os.OpenFile(t.log, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return fmt.Errorf("cannot write %s: %w", shown(t.log), cause(err))
		}
		defer f.Close()
		t.options.Log = f
	}
	ctx, stop := cli.UntilInterrupted(cmd.Context())
	defer stop()
	report, err := t.serve(ctx, cmd)
	if err != nil {
		return err
	}
	if err := t.print(cmd, report); err != nil {
		return err
	}
	switch {
	case report.Requests == 0 && t.command != nil:
		return cli.ReportFailures(cmd, []error{robottest.Silent(t.lang.Language())})
	case report.Requests == 0:
		return cli.ReportFailures(cmd, []error{robottest.ErrNobody})
	case !report.Passes(required, t.untested):
		return cli.ErrNo
	}
	return nil
}

// checkList refuses the flags that have no effect with --list.
func (t *robotTester) checkList(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		switch flag.Name {
		case "list", "duties", "json", "lang", "color":
		default:
			err = cli.Misusef("--%s does not go with --list, which serves nothing: leave it out", flag.Name)
		}
	})
	return err
}

// readAgent finds the robot under test. Its author may be the only one who knows it, so that only a
// name that looks mistyped is refused.
func (t *robotTester) readAgent() error {
	if !t.agent.given() && !t.agent.unknown {
		return nil
	}
	named, err := t.agent.resolve(nil, t.lang.Language())
	nobody := (*robotname.UnknownError)(nil)
	switch {
	case err != nil && (!errors.As(err, &nobody) || nobody.Mistyped()):
		return err
	case len(named) > 1:
		return cli.Misusef("--agent %s stands for %d robots: name one, such as %s",
			shown(strings.Join(t.agent.texts, ",")), len(named), named[0].Tokens[0])
	}
	t.options.Agent = named[0].Tokens[0]
	return nil
}

// printDuties prints the duties that are selected, or all.
func (t *robotTester) printDuties(cmd *cobra.Command) error {
	list, err := robottest.Duties(t.options.Duties...)
	if err != nil {
		return err
	}
	return cli.Output(cmd, "the duties", t.json, list, func(w io.Writer) {
		// w keeps the error
		(&robottest.Printer{W: w, Color: cli.Colored(cmd, cmd.OutOrStdout()), Language: t.lang.Language()}).List(list)
	})
}

// serve serves the web until the test ends, and returns the report.
func (t *robotTester) serve(ctx context.Context, cmd *cobra.Command) (*robottest.Report, error) {
	address, err := cli.ListenOn(t.options.Listen)
	if err != nil {
		return nil, err
	}
	t.options.Listen = address
	web, err := robottest.Start(context.WithoutCancel(ctx), t.options)
	if err != nil {
		return nil, err
	}
	defer web.Close()
	if t.seeds != "" {
		if err := userfile.Put(t.seeds, strings.Join(web.Seeds(t.names), "\n")+"\n", 0o644, false); err != nil {
			return nil, fmt.Errorf("cannot write %s: %w", shown(t.seeds), cause(err))
		}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", web.Directions(cli.LanguageOf(cmd)))
	if t.command == nil {
		web.Wait(ctx, t.limit, t.idle)
		return web.Report()
	}
	robot := &testedRobot{web: web, out: cmd.ErrOrStderr(), language: cli.LanguageOf(cmd)}
	if err := robot.run(ctx, t.command, t.limit, t.idle); err != nil {
		return nil, err
	}
	return web.Report()
}

// print writes the report to the output and the file of --junit.
func (t *robotTester) print(cmd *cobra.Command, r *robottest.Report) error {
	if t.junit != "" {
		var b strings.Builder
		if err := robottest.WriteJUnit(&b, r); err != nil {
			return err
		}
		if err := userfile.Put(t.junit, b.String(), 0o644, false); err != nil {
			return fmt.Errorf("cannot write %s: %w", shown(t.junit), cause(err))
		}
	}
	if r.Requests == 0 && !t.json && t.command == nil {
		return nil // each duty is not shown: the error says why
	}
	return cli.Output(cmd, "the report", t.json, r, func(w io.Writer) {
		// w keeps the error
		p := &robottest.Printer{W: w, Color: cli.Colored(cmd, cmd.OutOrStdout()), Language: t.lang.Language()}
		if t.command != nil {
			p.Brief(r)
		} else {
			p.Report(r)
		}
	})
}
