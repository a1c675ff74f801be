package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawl"
	"github.com/robotsexclusion/robots/crawl/control"
	"github.com/robotsexclusion/robots/internal/columns"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/spf13/cobra"
)

// newCrawlStatus returns the verb that shows the status of a crawl.
func newCrawlStatus() *cobra.Command {
	var s statusAsker
	cmd := &cobra.Command{
		Use:   "status [flags] [HOST…]",
		Short: "say how a crawl goes, and why hosts wait",
		Long: `Status says how the crawl in a folder goes, whether it runs or not: what is done,
what is queued, what was not visited and why; and for each host with something to do
what it waits for, those that are next first.

For a HOST, which is a name or an origin, it says all that is known of it: with the
robots.txt that is in force, and the next URLs of its queue. A name without a port
stands for all ports.

A crawl that does not run is read from its folder. If it was killed, what it did in its
last second may not be shown; it is not lost.

The exit status is 0, or 1 if nothing is known of a HOST, and 2 if there is no crawl, or
it could not be asked.`,
		Example: `  robots crawl status
  robots crawl status --dir DIR --json example.com
  robots crawl status --limit 100 https://example.com`,
		Args: func(_ *cobra.Command, args []string) error { return s.checkArgs(args) },
		RunE: func(cmd *cobra.Command, args []string) error { return runInterruptible(cmd, args, s.run) },
	}
	flags := cmd.Flags()
	flags.StringVar(&s.dir, "dir", "crawl", "the `folder` of the crawl")
	flags.IntVar(&s.limit, "limit", 20, "list `N` hosts at most, 10,000 or fewer; or with HOST so many URLs, 1,000 or fewer")
	flags.BoolVar(&s.json, "json", false, "print a JSON object")
	return cmd
}

// A statusAsker has the flags of crawl status, and runs the verb.
type statusAsker struct {
	dir   string
	limit int
	json  bool
}

// A toldStatus is the output of status.
type toldStatus struct {
	*crawl.Status
	Unknown []string `json:"unknown,omitempty"` // hosts on the command line that the crawl does not know
	asked   bool     // whether the command line names hosts
}

func (s *statusAsker) checkArgs(args []string) error {
	most := crawl.MostHosts
	if len(args) > 0 {
		most = crawl.MostQueued
	}
	if s.limit < 1 || s.limit > most {
		return misusef("--limit is %d: name a number from 1 to %d", s.limit, most)
	}
	return nil
}

func (s *statusAsker) run(ctx context.Context, cmd *cobra.Command, hosts []string) error {
	if err := checkCrawlFolder(s.dir); err != nil {
		return err
	}
	told, err := s.ask(ctx, hosts)
	if err != nil {
		return err
	}
	var b strings.Builder
	if s.json {
		b.Write(printable.JSON(append(printable.AppendJSON(nil, told), '\n')))
	} else {
		told.write(&b, s.dir)
	}
	if _, err := io.WriteString(cmd.OutOrStdout(), b.String()); err != nil {
		return fmt.Errorf("cannot write how the crawl goes: %w", cause(err))
	}
	if len(told.Unknown) > 0 {
		return errNo
	}
	return nil
}

// How long, and how often, to ask again while a crawl is starting or ending.
const (
	askingFor   = 20 * time.Second
	askingEvery = 100 * time.Millisecond
)

// ask asks the crawl, or reads its folder if the crawl is not running.
func (s *statusAsker) ask(ctx context.Context, hosts []string) (*toldStatus, error) {
	for began := time.Now(); ; {
		told, err := s.askRunning(ctx, hosts)
		if errors.Is(err, crawl.ErrNotRunning) {
			told, err = s.look(ctx, hosts)
		}
		switch {
		case errors.Is(err, crawl.ErrNoCrawl):
			return nil, fmt.Errorf("there is no crawl in %s: name its folder with --dir", shown(s.dir))
		case !errors.Is(err, crawl.ErrInUse):
			return told, err
		case time.Since(began) > askingFor:
			return nil, fmt.Errorf("the crawl in %s runs, but does not answer: it is starting or ending, or could not make its socket: ask again", shown(s.dir))
		}
		select {
		case <-ctx.Done():
			return nil, errInterrupted
		case <-time.After(askingEvery):
		}
	}
}

// askRunning asks a running crawl.
func (s *statusAsker) askRunning(ctx context.Context, hosts []string) (*toldStatus, error) {
	client, err := control.Dial(ctx, s.dir)
	if err != nil {
		return nil, err
	}
	status, err := client.Status(ctx, s.listed(hosts))
	if err != nil {
		return nil, err
	}
	return s.tell(ctx, client, status, hosts)
}

// look reads the folder of a crawl that is not running.
func (s *statusAsker) look(ctx context.Context, hosts []string) (*toldStatus, error) {
	i, err := crawl.Inspect(s.dir)
	if err != nil {
		return nil, err
	}
	defer i.Close()
	status, err := i.Status(ctx, s.listed(hosts))
	if err != nil {
		return nil, err
	}
	return s.tell(ctx, i, status, hosts)
}

// listed returns how many hosts to list in addition to those on the command line.
func (s *statusAsker) listed(hosts []string) int {
	if len(hosts) > 0 {
		return 0
	}
	return s.limit
}

// A hostTeller reports on hosts. It is a running crawl, or the folder of one that is not
// running.
type hostTeller interface {
	HostStatus(ctx context.Context, name string, urls int) ([]crawl.HostStatus, error)
}

// tell adds the hosts on the command line.
func (s *statusAsker) tell(ctx context.Context, from hostTeller, status *crawl.Status, hosts []string) (*toldStatus, error) {
	told := &toldStatus{Status: status, asked: len(hosts) > 0}
	for _, name := range hosts {
		some, err := from.HostStatus(ctx, name, s.limit)
		if err != nil {
			return nil, err
		}
		if len(some) == 0 {
			told.Unknown = append(told.Unknown, name)
		}
		told.Hosts = append(told.Hosts, some...)
	}
	if told.Hosts == nil {
		told.Hosts = []crawl.HostStatus{}
	}
	return told, nil
}

// write writes the status for people.
func (t *toldStatus) write(w io.Writer, dir string) {
	if t.asked {
		for _, h := range t.Hosts {
			writeHost(w, &h, t.State)
		}
		for _, name := range t.Unknown {
			fmt.Fprintf(w, "%s: nothing is known of it\n", shown(name))
		}
		return
	}
	switch {
	case t.State == crawl.Running:
		fmt.Fprintf(w, "running for %v: %s fetched, %d octets\n", t.Elapsed().Round(time.Second), count(int(t.Pages), "page"), t.Bytes)
	case t.State == crawl.Killed:
		fmt.Fprintf(w, "killed: it goes on when it is started again in %s; what it did in its last second may not be shown\n", shown(dir))
	case t.Counts.Queued == 0:
		fmt.Fprintln(w, "finished: nothing is left to do")
	default:
		fmt.Fprintf(w, "stopped: it goes on when it is started again in %s\n", shown(dir))
	}
	fmt.Fprintf(w, "%s known on %s, %d visited, %d queued\n", count(int(t.Counts.Seen), "URL"), count(int(t.Counts.Hosts), "host"), t.Counts.Done, t.Counts.Queued)
	writeCounts(w, "hosts with something to do, by what they wait for", t.Waits)
	writeCounts(w, "URLs that were not visited or came to nothing, by reason", t.Reasons)
	if len(t.Hosts) == 0 {
		return
	}
	fmt.Fprintln(w, "\nhosts, the next ones first:")
	rows := &columns.Table{W: w}
	for _, h := range t.Hosts {
		rows.Add([]columns.Cell{columns.Text("  " + shown(h.Origin)), columns.Text(fmt.Sprintf("%d done", h.Done)), columns.Text(fmt.Sprintf("%d queued", h.Queued)), columns.Text(shown(h.Why))})
	}
	rows.Flush()
	if more := t.Busy + t.Waiting - len(t.Hosts); more > 0 {
		fmt.Fprintf(w, "  and %s: say --limit for more\n", count(more, "other host"))
	}
}

// writeHost writes the full status of a host.
func writeHost(w io.Writer, h *crawl.HostStatus, state crawl.State) {
	fmt.Fprintf(w, "%s\n", shown(h.Origin))
	why := h.Why
	if !h.Since.IsZero() {
		why += ", since " + h.Since.Format(time.RFC3339)
	}
	if state != crawl.Running && h.Queued > 0 {
		why = "the crawl does not run; " + why
	}
	fmt.Fprintf(w, "  %d done, %d queued: %s\n", h.Done, h.Queued, shown(why))
	if h.Pages > 0 || h.Failures > 0 {
		fmt.Fprintf(w, "  %s fetched, %d octets; %s in a row\n", count(int(h.Pages), "page"), h.Bytes, count(h.Failures, "failure"))
	}
	if r := h.Robots; r != nil {
		fmt.Fprintf(w, "  robots.txt: %s\n", shown(robotsLine(r)))
	}
	for _, s := range h.Closed {
		fmt.Fprintf(w, "  closed: %s, as of %s that repeated pages led to %d had new content\n", shown(s.Shape), count(s.Pages, "URL"), s.New)
	}
	for _, name := range byCount(h.Reasons) {
		fmt.Fprintf(w, "%8d  %s\n", h.Reasons[name], shown(name))
	}
	if len(h.URLs) == 0 {
		return
	}
	fmt.Fprintln(w, "  next:")
	for _, u := range h.URLs {
		line := "    " + shown(u.URL)
		if u.Due.After(time.Now()) {
			line += ", due " + u.Due.Format(time.RFC3339)
		}
		if u.Tries > 0 {
			line += fmt.Sprintf(", tried %d times", u.Tries)
		}
		fmt.Fprintln(w, line)
	}
}

// robotsLine describes a robots.txt on one line.
func robotsLine(r *crawl.Obedience) string {
	var parts []string
	if r.Status > 0 {
		parts = append(parts, fmt.Sprint(r.Status))
	}
	if r.Status == 0 || r.Cause != "" {
		parts = append(parts, cmp.Or(r.Cause, string(r.State)))
	}
	if r.Failures > 0 {
		parts = append(parts, count(r.Failures, "failure")+" in a row")
	}
	switch {
	case r.Closed:
		parts = append(parts, "nothing is allowed")
	case r.Group != "":
		parts = append(parts, "group "+r.Group, count(r.Rules, "rule"))
	default:
		parts = append(parts, "no group")
	}
	if r.CrawlDelay > 0 {
		parts = append(parts, fmt.Sprintf("Crawl-delay %v", time.Duration(r.CrawlDelay*float64(time.Second))))
	}
	return strings.Join(append(parts, "fresh until "+r.FreshUntil.UTC().Format(time.RFC3339)), ", ")
}

// writeCounts writes counts with their names, in descending order.
func writeCounts(w io.Writer, title string, counts map[string]int64) {
	if len(counts) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s:\n", title)
	for _, name := range byCount(counts) {
		fmt.Fprintf(w, "%8d  %s\n", counts[name], shown(name))
	}
}

// byCount returns the names of counts, in descending order of the counts.
func byCount(counts map[string]int64) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
}
