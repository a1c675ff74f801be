package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditlive"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditsites"
	"github.com/robotsexclusion/robots/cmd/internal/audit/identify"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/spf13/cobra"
)

// auditFollow has the flags of an audit of logs that are still written.
type auditFollow struct {
	follow  bool
	past    []string
	classes []string
	settle  time.Duration
	reread  time.Duration
	metrics cli.MetricsServer
}

func (f *auditFollow) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.follow, "follow", false,
		"follow the logs through rotations, and print certain violations and forged requests as JSON lines")
	flags.StringArrayVar(&f.past, "past", nil,
		"with --follow, first read an older `log`, for the answers to /robots.txt; repeat it for more")
	flags.StringSliceVar(&f.classes, "classes", []string{audit.Certain.String(), agent.Forged.String()},
		"with --follow, print the requests of these `classes`: "+strings.Join(auditlive.Classes, ", "))
	flags.DurationVar(&f.settle, "settle", time.Minute,
		"with --follow, judge a request after this `time`, because lines of other logs may come later")
	flags.DurationVar(&f.reread, "reread", 30*time.Second,
		"with --follow, read robots.txt and the ranges again, each time after this `time`")
	f.metrics.AddFlags(flags,
		"with --follow, serve figures at `address`, such as 127.0.0.1:9090: /metrics for Prometheus")
	cli.Complete(cmd, "classes", auditlive.Classes)
}

// check refuses flags that do not go together.
func (f *auditFollow) check(cmd *cobra.Command, a *auditor) error {
	if !f.follow {
		for _, name := range []string{"past", "classes", "settle", "reread", "metrics", "metrics-host"} {
			if cmd.Flags().Changed(name) {
				return cli.Misusef("--%s goes with --follow", name)
			}
		}
		return nil
	}
	for _, name := range []string{"json", "csv", "html", "incident", "rdap", "partial", "rows", "violations",
		"workers"} {
		if cmd.Flags().Changed(name) {
			return cli.Misusef("--%s does not go with --follow, which prints JSON lines while logs are written", name)
		}
	}
	for _, class := range f.classes {
		if !slices.Contains(auditlive.Classes, class) {
			return cli.Misusef("--classes has %q: name some of %s", class, strings.Join(auditlive.Classes, ", "))
		}
	}
	switch {
	case f.settle < 0 || f.settle > time.Hour:
		return cli.Misusef("--settle is %v: name a time from 0 to 1h", f.settle)
	case f.reread < 100*time.Millisecond || f.reread > time.Hour:
		return cli.Misusef("--reread is %v: name a time from 100ms to 1h", f.reread)
	case a.forwarded == "farthest":
		return cli.Misusef("--forwarded farthest does not go with --follow: clients can write that address themselves")
	case slices.Contains(a.sites.Robots, stdin):
		return cli.Misusef("--robots - does not go with --follow, which reads robots.txt again: name a file")
	case slices.Contains(f.past, stdin):
		return cli.Misusef("--past reads files: name one instead of -")
	}
	return f.metrics.Check()
}

// run follows logs until the user interrupts it.
func (f *auditFollow) run(ctx context.Context, cmd *cobra.Command, a *auditor, reader *accesslog.Reader,
	o audit.Options, logs []string) error {
	if len(o.Sites) == 0 && a.identifier == nil {
		return cli.Misusef("there is nothing to follow for: name a robots.txt with --robots, --git or --history, or --ranges for forgers alone")
	}
	var identifier atomic.Pointer[identify.Identifier]
	var identities *auditlive.Identities // nil if DNS is not asked
	if a.identifier != nil {
		identifier.Store(a.identifier)
		o.Identifier = nil // that of one identifier, which is replaced
		o.Identify = func(robot agent.Agent, client netip.Addr) agent.Result {
			return identifier.Load().Identify(robot, client)
		}
		if a.verify {
			identities = auditlive.NewIdentities(o.Identify)
			o.Identify = identities.Identify
		}
	}
	by, err := audit.New(o)
	if err != nil {
		return err
	}
	notice := func(err error) { fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", shown(err.Error())) }
	for _, note := range a.notes {
		notice(errors.New(note.In(language.English)))
	}
	sources, err := auditsites.Parse(a.sites)
	if err != nil {
		return cli.Misuse(err)
	}
	again := newAuditRenewal(a, sources, o.Sites, f.reread, notice)
	again.identifier, again.identities = &identifier, identities
	options := auditlive.Options{
		Logs: logs, Past: f.past, Stdin: cmd.InOrStdin(), Reader: reader, Auditor: by, Sites: o.Sites, Robots: o.Robots,
		Identities: identities, Settle: f.settle, Classes: f.classes, Out: cmd.OutOrStdout(), Notice: notice,
		Renew: again.renew, RenewEvery: f.reread,
	}
	if a.out.anonymize != "" {
		options.Hide = auditreport.NewHider(a.out.anonymize)
	}
	follower := auditlive.New(options)
	closeMetrics, err := f.metrics.Serve(cmd, func(bool) http.Handler { return follower.Handler() })
	if err != nil {
		return err
	}
	defer closeMetrics()
	summary, err := follower.Run(ctx)
	if err != nil {
		return err
	}
	again.saySilent(again.silent)
	notice(errors.New(summary.String()))
	switch {
	case summary.Nameless:
		return cli.ReportFailures(cmd,
			[]error{errors.New("nothing could be judged: no line of the logs has a User-Agent")})
	case summary.Certain > 0:
		return cli.ErrNo
	}
	return nil
}
