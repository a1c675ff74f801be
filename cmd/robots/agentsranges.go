package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/audit/identify"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/parallel"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/robotname"
	"github.com/spf13/cobra"
)

// newAgentsRanges returns the verb that lists the range files of a folder.
func newAgentsRanges() *cobra.Command {
	var l rangeLister
	cmd := &cobra.Command{
		Use:   "ranges [flags] --cache DIR [ROBOT…]",
		Short: "show the lists of addresses in a folder, and their age",
		Long: `Ranges shows the lists of addresses (ranges) that operators of robots publish, as the
folder of --cache has them: from where, for which robots, how many ranges, and how
old. Robots audit --ranges and robots guard --verify --ranges read such a folder, and
'robots agents ranges update' fetches the lists.

Ranges that are older than 7 days prove nothing against other addresses in an audit,
and ranges older than 30 days are not used.

The exit status is 0, or 2 if the folder could not be read.`,
		Example: `  robots agents ranges --cache ranges
  robots agents ranges --cache ranges GPTBot bingbot
  robots agents ranges update --cache ranges`,
		ValidArgsFunction: completeAgents,
		Args: func(cmd *cobra.Command, names []string) error {
			if len(names) == 0 {
				return nil
			}
			return mistypedVerb(cmd, names[0])
		},
		RunE: func(cmd *cobra.Command, names []string) error {
			return l.run(cmd.Context(), cmd, names)
		},
	}
	l.addFlags(cmd)
	cmd.AddCommand(newAgentsRangesUpdate())
	return cmd
}

// newAgentsRangesUpdate returns the verb that fetches range files.
func newAgentsRangesUpdate() *cobra.Command {
	l := rangeLister{update: true}
	cmd := &cobra.Command{
		Use:   "update [flags] --cache DIR [ROBOT…]",
		Short: "fetch the lists of addresses of robots into a folder",
		Long: `Update fetches the lists of addresses (ranges) that operators publish for their
robots, of the named robots or of all known ones, into the folder of --cache. It
shows for each list how it changed. Lists that have not changed since the last time
are not sent again, if the server knows that. It asks several servers at once, and
each server for one list after the other.

A list that cannot be fetched or used, such as an error page, leaves the list that
the folder has as it is.

The exit status is 0, or 2 if a list could not be fetched.`,
		Example: `  robots agents ranges update --cache ranges
  robots agents ranges update --cache ranges GPTBot
  robots audit --robots robots.txt --ranges ranges access.log`,
		ValidArgsFunction: completeAgents,
		RunE: func(cmd *cobra.Command, names []string) error {
			ctx, stop := cli.Interruptible(cmd)
			defer stop()
			return l.run(ctx, cmd, names)
		},
	}
	l.addFlags(cmd)
	cmd.Flags().BoolVar(&l.allowPrivate, "allow-private", false, "connect to private and other special addresses too")
	cmd.Flags().DurationVar(&l.timeout, "timeout", 10*time.Second, "`time` for each list")
	return cmd
}

const (
	// updateServers is the maximum number of servers that are asked at once.
	updateServers = 8
)

// A rangeLister has the flags of ranges and of ranges update, and runs the verbs.
type rangeLister struct {
	update       bool
	folder       string
	allowPrivate bool
	timeout      time.Duration
	json         bool
	lang         cli.LanguageFlag
	table        tableFlag
}

func (l *rangeLister) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&l.folder, "cache", "", "the `folder` of the lists")
	flags.BoolVar(&l.json, "json", false, "print a JSON object")
	l.table.add(cmd)
	l.lang.Add(cmd)
}

// A rangeList is a list of addresses, and the outcome of its fetch. It is stable JSON.
type rangeList struct {
	Source  string    `json:"source"`
	Robots  []string  `json:"robots"`
	State   string    `json:"state"` // see the states
	Ranges  int       `json:"ranges"`
	Skipped int       `json:"skipped"` // entries that are not ranges
	Added   int       `json:"added"`   // ranges, by an update
	Removed int       `json:"removed"`
	Created time.Time `json:"created,omitzero"` // by the list itself
	Read    time.Time `json:"read,omitzero"`    // when it was fetched, or confirmed
	Old     bool      `json:"old"`              // it proves nothing against other addresses in an audit
	Error   string    `json:"error,omitempty"`
}

// The states of a list in a folder, and those of a list after an update.
const (
	rangesKept       = "kept"
	rangesMissing    = "missing"
	rangesUnreadable = "unreadable"

	rangesNew       = "new"
	rangesChanged   = "changed"
	rangesUnchanged = "unchanged"
	rangesFailed    = "failed" // the list is as it was before
)

func (l *rangeLister) run(ctx context.Context, cmd *cobra.Command, names []string) error {
	if l.folder == "" {
		return cli.Misusef("no folder is given: name it with --cache")
	}
	if l.update && l.timeout <= 0 {
		return cli.Misusef("--timeout is %v: name a time such as 10s", l.timeout)
	}
	known, err := l.table.read(cmd)
	if err != nil {
		return err
	}
	lists, err := rangeLists(known, names)
	if err != nil {
		return err
	}
	verifier := &agent.Verifier{Folder: l.folder, Timeout: l.timeout, MaxAge: identify.MaxAge}
	switch info, err := os.Stat(l.folder); {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is not a folder: name another with --cache", shown(l.folder))
	case err != nil && !l.update:
		return fmt.Errorf("cannot read %s: %w", shown(l.folder), cause(err))
	}
	if l.update {
		verifier.Client = &http.Client{Transport: userAgentTransport{fetch.DialFilter{AllowPrivate: l.allowPrivate}.Transport()}}
	}
	if err := l.renew(ctx, verifier, lists); err != nil {
		return cli.ErrInterrupted
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	if l.json {
		b := printable.AppendJSON([]byte(`{"lists": `), lists)
		out.Write(printable.JSON(append(b, "}\n"...)))
	} else {
		l.print(cmd, out, lists)
	}
	if err := out.Flush(); err != nil {
		return cli.Unwritten("the lists", err)
	}
	if l.update && slices.ContainsFunc(lists, func(list rangeList) bool { return list.Error != "" }) {
		return cli.ErrFailed
	}
	return nil
}

// rangeLists returns the lists that the operators of robots publish, by URL: the lists of the named
// robots, or of all.
func rangeLists(known *agent.Table, names []string) ([]rangeList, error) {
	robots := slices.Collect(known.All())
	if len(names) > 0 {
		robots = nil
		for _, name := range names {
			found, exact := known.Search(name)
			switch {
			case !exact:
				if question := robotname.WithPurposes(known, language.English).Question(name); question != "" {
					return nil, cli.Misusef("no robot %q is known: %s", name, question)
				}
				return nil, cli.Misusef("no robot %q is known: see 'robots agents'", name)
			case len(found[0].Recipe().Ranges) == 0:
				return nil, cli.Misusef("the operator of %s publishes no list of addresses: see 'robots agents %[1]s'",
					shown(found[0].Token))
			}
			robots = append(robots, found[0])
		}
	}
	of := make(map[string][]string) // the tokens, by source
	lists := []rangeList{}
	for _, robot := range robots {
		for _, source := range robot.Recipe().Ranges {
			if of[source] == nil {
				lists = append(lists, rangeList{Source: source})
			}
			if !slices.Contains(of[source], robot.Token) {
				of[source] = append(of[source], robot.Token)
			}
		}
	}
	for i := range lists {
		lists[i].Robots = of[lists[i].Source]
	}
	slices.SortFunc(lists, func(a, b rangeList) int { return strings.Compare(a.Source, b.Source) })
	return lists, nil
}

// renew reads or fetches lists. It asks several hosts at once, and each for one list after the
// other. The only error is that of ctx.
func (l *rangeLister) renew(ctx context.Context, v *agent.Verifier, lists []rangeList) error {
	var hosts []string
	ofHost := make(map[string][]*rangeList)
	for i := range lists {
		host := lists[i].Source
		if u, err := url.Parse(host); err == nil {
			host = u.Host
		}
		if ofHost[host] == nil {
			hosts = append(hosts, host)
		}
		ofHost[host] = append(ofHost[host], &lists[i])
	}
	all := func(yield func(string, error) bool) {
		for _, host := range hosts {
			if !yield(host, nil) {
				return
			}
		}
	}
	for range parallel.AsTheyCome(ctx, updateServers, all, func(ctx context.Context, host string) error {
		for _, list := range ofHost[host] {
			r, err := v.Renew(ctx, list.Source)
			if err != nil {
				r = agent.Renewal{Err: err}
			}
			list.take(r, l)
		}
		return nil
	}) {
	}
	return ctx.Err()
}

// take records the outcome of the fetch of a list.
func (list *rangeList) take(r agent.Renewal, l *rangeLister) {
	d, update := r.Document, l.update
	list.Ranges, list.Skipped, list.Created, list.Read, list.Old = d.Prefixes, d.Skipped, d.Created, d.Read, d.Stale
	if r.Err != nil {
		in := l.lang.Language()
		if l.json {
			in = language.English
		}
		list.Error = language.Explain(in, explainFetch(r.Err))
	}
	list.Added, list.Removed = r.Added, r.Removed
	switch {
	case r.Err != nil && update:
		list.State = rangesFailed
	case r.Err != nil:
		list.State = rangesUnreadable
	case !update && d.Read.IsZero():
		list.State = rangesMissing
	case !update:
		list.State = rangesKept
	case r.New:
		list.State = rangesNew
	case r.Added+r.Removed > 0:
		list.State = rangesChanged
	default:
		list.State = rangesUnchanged
	}
}

// userAgentTransport sends the name of this program with each request.
type userAgentTransport struct{ http.RoundTripper }

func (t userAgentTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("User-Agent", cli.UserAgent())
	return t.RoundTripper.RoundTrip(req)
}

// maxListed is the maximum number of robots that the row of a list names.
const maxListed = 3

// print writes a row for each list.
func (l *rangeLister) print(cmd *cobra.Command, out *bufio.Writer, lists []rangeList) {
	in := l.lang.Language()
	table := columns.Table{W: out, Color: cli.Colored(cmd, cmd.OutOrStdout())}
	for _, list := range lists {
		robots := list.Robots
		more := ""
		if len(robots) > maxListed {
			robots, more = robots[:maxListed], ", …"
		}
		row := []columns.Cell{l.outcome(in, list), columns.Text(printable.Text(list.Source)),
			columns.Text(printable.Text(strings.Join(robots, ", ") + more))}
		if !list.Read.IsZero() {
			age := textRangesAge.In(in, list.Ranges, ageOf(in, time.Since(list.Read)))
			if list.Old {
				age += "; " + textRangesOld.In(in)
			}
			row = append(row, columns.Text(age))
		}
		if list.Error != "" {
			table.Add(row, "  "+printable.Text(list.Error))
		} else {
			table.Add(row)
		}
	}
	table.Flush() // out keeps the error
}

// outcome returns the state of a list.
func (l *rangeLister) outcome(in language.Language, list rangeList) columns.Cell {
	switch list.State {
	case rangesFailed:
		return columns.Red(textRangesFailed.In(in))
	case rangesUnreadable:
		return columns.Red(textRangesUnreadable.In(in))
	case rangesMissing:
		return columns.Red(textRangesMissing.In(in))
	case rangesKept:
		return columns.Text(textRangesKept.In(in))
	case rangesNew:
		return columns.Green(textRangesNew.In(in))
	case rangesChanged:
		return columns.Green(textRangesChanged.In(in, list.Added, list.Removed))
	}
	return columns.Text(textRangesUnchanged.In(in))
}

// ageOf returns an age in days, hours or minutes.
func ageOf(in language.Language, age time.Duration) string {
	switch {
	case age >= 48*time.Hour:
		return textRangesDays.In(in, int(age.Hours()/24))
	case age >= 2*time.Hour:
		return textRangesHours.In(in, int(age.Hours()))
	}
	return textRangesMinutes.In(in, max(0, int(age.Minutes())))
}

var (
	textRangesFailed     = language.New("failed")
	textRangesUnreadable = language.New("unreadable")
	textRangesMissing    = language.New("missing")
	textRangesKept       = language.New("there")
	textRangesNew        = language.InContext("list of addresses", "new")
	textRangesChanged    = language.New("changed, +%[1]d −%[2]d")
	textRangesUnchanged  = language.New("unchanged")
	textRangesAge        = language.New("%[1]d ⟨range/ranges⟩, %[2]s old")
	textRangesOld        = language.New("too old to prove that other addresses are forged")
	textRangesDays       = language.New("%[1]d ⟨day/days⟩")
	textRangesHours      = language.New("%[1]d ⟨hour/hours⟩")
	textRangesMinutes    = language.New("%[1]d ⟨minute/minutes⟩")
)
