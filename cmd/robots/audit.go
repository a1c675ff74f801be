package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditsites"
	"github.com/robotsexclusion/robots/cmd/internal/audit/identify"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// newAudit returns the verb that holds access logs against robots.txt.
func newAudit() *cobra.Command {
	var a auditor
	cmd := &cobra.Command{
		Use:   "audit [flags] LOG…",
		Short: "show from access logs which robots visited, and which obeyed robots.txt",
		Long: `Audit reads access logs and shows which robots visited, whether they are the robots
that they name, and with --robots, --git or --history whether they obeyed the
robots.txt that was in force.

A violation is certain if each version of robots.txt that the robot may have
relied on disallows the request: robots may keep a copy for 24 hours (RFC 9309,
section 2.4). It is informed if the robot had read a version that disallows the
request. Other disallowed requests are in the period of grace. Audit counts
separately, by reason, the requests that it cannot judge. doc/audit.md has the
details.

Logs may be in any order and any usual format, and may be compressed. "-" is
standard input.

With --incident, audit writes a letter to the operator of a robot: the requests that
did not obey, the rules and versions, lines of the logs as evidence, and what is only
suspected. Read the letter before you send it.

With --new, audit prints what lists of robots ask for about each robot that is
in no table, calls itself a robot, and made more than sporadic visits: entries
for the table of this program and for crawler-user-agents, headers, networks,
pace, whether it read robots.txt and obeyed, and lines of the logs. It leaves
out what may come from people, or from a tool of the site's owner. The exit
status is then 0 if there is such a robot, and 1 if not.

With --follow, audit follows logs while servers write them, through rotations,
and prints a JSON line for each certain violation and each request of a forger.
From what the logs have already it only takes the answers to /robots.txt. An
interrupt ends audit, with the same exit status.

The exit status is 1 if there is a certain violation, 0 if there is none, or if no
robots.txt is given at all, and 2 if nothing could be judged: the logs have no
User-Agent, or robots.txt is given for other hosts. A request of a client that forged
the name of a robot does not count as a violation of that robot.`,
		Example: `  robots audit access.log
  robots audit --robots robots.txt access.log
  robots audit --git site:public/robots.txt --deployed-after 6h access.log access.log.*.gz
  robots audit --robots example.com=robots.txt --robots shop.example.com=shop.txt access.log
  robots audit --json --robots robots.txt - <access.log
  robots audit --robots robots.txt --ranges ranges/ --verify access.log
  robots audit --robots robots.txt --rows requests.jsonl.gz --violations violations.jsonl access.log
  robots audit --robots robots.txt --partial monday.part access.log
  robots audit --follow --robots robots.txt --ranges ranges/ /var/log/nginx/access.log
  robots audit --robots robots.txt --incident GPTBot --ranges ranges/ access.log
  robots audit --robots robots.txt --new access.log`,
		Args: func(cmd *cobra.Command, logs []string) error {
			if len(logs) == 0 {
				return cli.Misusef("no log is given: name a file, or - for standard input")
			}
			if i := slices.IndexFunc(logs, isRobot); i >= 0 && len(logs) > 1 {
				return cli.Misusef("%s is a robot, not a log: the report has all robots; '%s' writes a letter about it",
					shown(logs[i]), letterLine(a.sites.Robots, logs[i], slices.Delete(slices.Clone(logs), i, i+1)))
			}
			if _, err := os.Stat(logs[0]); errors.Is(err, fs.ErrNotExist) {
				return mistypedVerb(cmd, logs[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, logs []string) error {
			ctx, stop := cli.Interruptible(cmd)
			defer stop()
			return a.run(ctx, cmd, logs)
		},
	}
	a.addFlags(cmd)
	cmd.AddCommand(newAuditMerge())
	texts := same(textAuditTimes, "since until from to after before last days start end")
	maps.Copy(texts, same(textAuditOne, "agent bot robot crawler"))
	maps.Copy(texts, same(textAuditRows, "errors status urls url path paths pages requests"))
	maps.Copy(texts, same(textAuditTop, "top limit head max count"))
	explainFlags(cmd, texts)
	return cmd
}

// letterLine returns the command line for the letter about a robot in logs.
func letterLine(files []string, robot string, logs []string) string {
	if len(files) == 0 {
		files = theFile
	}
	line := []string{"robots", "audit"}
	for _, file := range files {
		line = append(line, "--robots", file)
	}
	return commandLine(slices.Concat(line, []string{"--incident", robot}, logs))
}

// An auditor has the flags of audit, and runs the verb.
type auditor struct {
	sites     auditsites.Values
	grace     time.Duration
	slack     time.Duration
	edge      time.Duration
	timezone  string
	formats   []string
	forwarded string
	ranges    string
	verify    bool
	dns       string
	workers   int
	partial   string
	rows      auditRows
	follow    auditFollow
	listNew   bool // print entries of robots in no table
	out       auditPrinter
	table     tableFlag

	sources    []string          // of the versions, for people
	notes      []auditsites.Note // for the report, about the versions
	identifier *identify.Identifier
}

func (a *auditor) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&a.sites.Robots, "robots", nil,
		"the robots.txt that was in force all the time, as `[HOST=]FILE`; repeat it for more hosts")
	flags.StringArrayVar(&a.sites.Git, "git", nil,
		"the versions of robots.txt in a git repository, as `[HOST=]REPO:PATH`; repeat it for more hosts")
	flags.StringArrayVar(&a.sites.History, "history", nil,
		"the versions that robots fetch --cache kept, as `[HOST=]DIR`; repeat it for more hosts")
	flags.StringVar(&a.sites.Site, "site", "",
		"the host or `origin` of log lines, and of --robots, --git and --history, that name no host")
	flags.DurationVar(&a.sites.DeployedAfter, "deployed-after", 0,
		"the `time` from a commit of --git until its robots.txt was served")
	flags.DurationVar(&a.grace, "grace", 24*time.Hour, "the `time` for which a robot may keep a copy of robots.txt")
	flags.DurationVar(&a.slack, "slack", 10*time.Minute,
		"the `time` by which clocks may differ and answers may be slow")
	flags.DurationVar(&a.edge, "edge", 0, "the `time` for which a cache before the servers keeps robots.txt")
	flags.StringVar(&a.timezone, "timezone", "", "the `zone` of times without one, such as Europe/Berlin or Local")
	flags.StringArrayVar(&a.formats, "format", nil,
		"the `format` of the logs: a name, or the text of log_format or LogFormat; repeat it for more")
	flags.StringVar(&a.forwarded, "forwarded", "peer",
		"which `address` is the client's, if the log has X-Forwarded-For: peer (behind a known proxy, the last other "+
			"address), nearest (the last) or farthest (the first)")
	flags.StringVar(&a.ranges, "ranges", "",
		"verify robots by the published ranges in `folder`, as 'robots agents ranges update' fetches them")
	flags.BoolVar(&a.verify, "verify", false, "verify robots by the DNS, once for each address")
	flags.StringVar(&a.dns, "dns", "", "ask the DNS server at `address`, such as 192.0.2.1:53, not that of the system")
	flags.IntVar(&a.workers, "workers", runtime.GOMAXPROCS(0), "read logs with this `number` of workers")
	flags.StringVar(&a.partial, "partial", "",
		"write what was read to `file`, for robots audit merge, and print no report")
	cli.Complete(cmd, "forwarded", forwardedNames)
	flags.BoolVar(&a.listNew, "new", false,
		"print entries for lists about robots that no table has, with what the logs show of them, and no report")
	a.rows.addFlags(cmd)
	a.follow.addFlags(cmd)
	a.table.add(cmd)
	a.out.addFlags(cmd)
}

var (
	forwardedNames  = []string{"peer", "nearest", "farthest"}
	forwardedValues = []accesslog.Forwarded{accesslog.Peer, accesslog.Nearest, accesslog.Farthest}
)

func (a *auditor) run(ctx context.Context, cmd *cobra.Command, logs []string) error {
	if a.rows.rows != "" {
		cli.CollectFrom(firstCollection, 20) // rows take memory in addition to the audit's
	} else {
		cli.CollectFrom(firstCollection, 50)
	}
	if err := a.out.check(); err != nil {
		return err
	}
	if a.partial != "" {
		if err := a.out.checkPartial(cmd); err != nil {
			return err
		}
	}
	if err := a.rows.check(a.partial, logs); err != nil {
		return err
	}
	if err := a.checkNew(cmd, logs); err != nil {
		return err
	}
	if err := a.follow.check(cmd, a); err != nil {
		return err
	}
	reader, err := a.reader()
	if err != nil {
		return err
	}
	options, err := a.options(ctx, cmd, reader, logs)
	if err != nil {
		return err
	}
	if a.follow.follow {
		return a.follow.run(ctx, cmd, a, reader, options, logs)
	}
	// the report of no lines would say that all robots obeyed
	if errs := missing(logs); len(errs) > 0 && len(errs) == len(logs) {
		return cli.ReportFailures(cmd, errs)
	}
	unreadable := new(auditreport.UnreadableLines)
	options.Unreadable = unreadable.Add
	by, err := audit.New(options)
	if err != nil {
		return err
	}
	shows := newReadProgress(cmd.ErrOrStderr(), logs)
	if shows != nil {
		reader.Progress = shows.add
	}
	scan := reader.Open(logs...)
	var (
		part      *audit.Part
		readError error
	)
	done := make(chan struct{})
	endProgress := shows.start()
	go func() { // the reading of logs knows no context
		defer close(done)
		part, readError = by.Read(scan, a.workers)
	}()
	select {
	case <-ctx.Done():
		endProgress()
		return cli.ErrInterrupted
	case <-done:
	}
	endProgress()
	if part == nil {
		return readError
	}
	if err := a.checkForwarded(reader, scan.Logs()); err != nil {
		return cli.ReportFailures(cmd, []error{err})
	}
	notes := &auditreport.Notes{
		Sources: a.sources, Sites: a.notes, Formats: auditreport.Formats(scan.Logs()), Unreadable: unreadable.First(),
	}
	if a.identifier != nil {
		notes.Identity = a.identifier.Notes()
	}
	if a.partial != "" {
		return a.writePart(cmd, part, notes, readError)
	}
	if err := a.rows.write(ctx, reader, scan.Logs(), part, a.out.hider); err != nil {
		return err
	}
	if a.listNew {
		return a.printNew(ctx, cmd, reader, scan.Logs(), part, options, readError)
	}
	return a.out.print(cmd, part.Report(), notes, readError)
}

// checkForwarded returns an error if the address of X-Forwarded-For is to count, and a log does not
// have it: its clients would be proxies.
func (a *auditor) checkForwarded(reader *accesslog.Reader, logs []accesslog.Log) error {
	if reader.Forwarded == accesslog.Peer {
		return nil
	}
	for _, log := range logs {
		if log.Requests == 0 || log.Forwarded > 0 {
			continue
		}
		format := "unknown"
		if log.Format != nil {
			format = log.Format.String()
		}
		return fmt.Errorf("no line of %s shows X-Forwarded-For, so --forwarded %s has no address to take "+
			"(its format is %s): let the server log that field, or name a --format that has it",
			printable.Text(log.Name), a.forwarded, printable.Text(format))
	}
	return nil
}

// missing returns an error for each log that does not exist or is a directory. It opens no other
// file: a pipe can be read once.
func missing(logs []string) (errs []error) {
	for _, name := range logs {
		if name == stdin {
			continue
		}
		if info, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
			if _, err := userfile.Open(name, nil); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return errs
}

// reader returns the reader of the logs, as the flags say.
func (a *auditor) reader() (*accesslog.Reader, error) {
	reader := new(accesslog.Reader)
	i := slices.Index(forwardedNames, a.forwarded)
	switch {
	case i < 0:
		return nil, cli.Misusef("--forwarded is %q: name %s", a.forwarded, strings.Join(forwardedNames, ", "))
	case a.workers < 1 || a.workers > maxWorkers:
		return nil, cli.Misusef("--workers is %d: name a number from 1 to %d", a.workers, maxWorkers)
	case a.grace <= 0 || a.slack < 0 || a.edge < 0:
		return nil, cli.Misusef("--grace is a time above 0, such as 24h, and --slack and --edge are not below 0")
	case a.dns != "" && !a.verify:
		return nil, cli.Misusef("--dns goes with --verify, which asks the DNS")
	}
	reader.Forwarded = forwardedValues[i]
	for _, text := range a.formats {
		f, err := accesslog.ParseFormat(text)
		switch {
		case err != nil && (text == "csv" || text == "html"):
			return nil, cli.Misusef("--format is the format of the logs: --%s writes the report so", text)
		case err != nil:
			return nil, cli.Misusef("--format: %w", err)
		}
		reader.Formats = append(reader.Formats, f)
	}
	if a.timezone != "" {
		zone, err := time.LoadLocation(a.timezone)
		if err != nil {
			return nil, cli.Misusef("--timezone %q is not a zone: name one such as Europe/Berlin, UTC or Local",
				a.timezone)
		}
		reader.Zone = zone
	}
	return reader, nil
}

// firstCollection is about the memory in bytes that an audit of a large log takes.
const firstCollection = 48 << 20

// maxWorkers is more than any machine has processors.
const maxWorkers = 4096

// options returns the options of the audit. Standard input is either a log or a robots.txt, and no
// file that the audit reads is one that the audit writes.
func (a *auditor) options(ctx context.Context, cmd *cobra.Command, reader *accesslog.Reader,
	logs []string) (o audit.Options, err error) {
	o = audit.Options{Grace: a.grace, Slack: a.slack, Edge: a.edge, Zone: reader.Zone}
	if a.slack == 0 {
		o.Slack = -1 // none: 0 is the default
	}
	if o.Robots, err = a.table.read(cmd); err != nil {
		return o, err
	}
	sources, err := auditsites.Parse(a.sites)
	if err != nil {
		return o, cli.Misuse(err)
	}
	if slices.Contains(logs, stdin) && sources.ReadsStdin() {
		return o, cli.Misusef("standard input cannot be both a log and a robots.txt: name a file")
	}
	outputs := []auditOutput{{"rows", a.rows.rows}, {"violations", a.rows.violations}, {"html", a.out.html},
		{"partial", a.partial}}
	if err := checkOutputs(outputs, auditInput{"a log", logs}, auditInput{"a robots.txt that the audit reads",
		sources.Files()},
		auditInput{"the table of --robots-table", []string{a.table.file}}); err != nil {
		return o, err
	}
	a.out.incident.table, a.sources = o.Robots, sourcesOf(a.sites)
	sites, err := sources.Read(ctx, cmd.InOrStdin())
	if err != nil {
		return o, err
	}
	o.Sites, o.Host = sites.Versions, sites.Host
	a.notes = sites.Notes
	if err := checkVersions(cmd, sites, sources.Files()); err != nil {
		return o, err
	}
	if a.ranges == "" && !a.verify {
		return o, nil
	}
	a.identifier, err = a.newIdentifier(ctx)
	if err == nil {
		o.Identifier = a.identifier.Of
	}
	return o, err
}

// checkVersions warns of versions that are not a robots.txt, such as an error page: they disallow
// nothing. A file that is not even a text was named by mistake.
func checkVersions(cmd *cobra.Command, sites *auditsites.Sites, files []string) error {
	warned := make(map[string]bool)
	for _, host := range slices.Sorted(maps.Keys(sites.Versions)) {
		for _, v := range sites.Versions[host] {
			if v.State == audit.Served && !warned[v.ID] {
				warned[v.ID] = true
				if slices.Contains(files, v.ID) && isBinary(v.Text) {
					return textIsBinary.Err(v.ID)
				}
				warnIfNotRobots(cmd, v.ID, robots.Parse(v.Text))
			}
		}
	}
	return nil
}

// newIdentifier returns an identifier that has read no ranges and asked no server.
func (a *auditor) newIdentifier(ctx context.Context) (*identify.Identifier, error) {
	return identify.New(ctx, &agent.Verifier{Folder: a.ranges, Server: a.dns}, a.verify)
}
