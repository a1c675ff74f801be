// Package crawltext shows people what a crawl reports: its status, its hosts, its summary, and
// the fate of URLs that were added, and of damage that was repaired.
package crawltext

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Progress returns the status of a running crawl on a line.
func Progress(s *crawl.Status) string {
	refused := int64(0)
	for _, n := range s.Reasons {
		refused += n
	}
	return fmt.Sprintf("%d done, %d queued, %d refused, %.1f a second, %d hosts waiting, %d open",
		s.Counts.Done, s.Counts.Queued, refused, float64(s.Pages)/s.At.Sub(s.Began).Seconds(), s.Waiting, s.Busy)
}

// Hosts writes all that is known of some hosts. Unknown are the names of others.
func Hosts(w io.Writer, t *crawl.Status, unknown []string) {
	for _, h := range t.Hosts {
		writeHost(w, &h, t.State)
	}
	for _, name := range unknown {
		fmt.Fprintf(w, "%s: nothing is known of it\n", printable.Shown(name))
	}
}

// textRefused says what to do about hosts at addresses that a crawl does not connect to.
const textRefused = "refused-address: the host is at a private or other special address; " +
	"with --allow-private the crawl goes there"

// Status writes the status of the crawl in a folder.
func Status(w io.Writer, t *crawl.Status, dir string) {
	switch {
	case t.State == crawl.Running:
		fmt.Fprintf(w, "running for %v: %s fetched, %d bytes\n", t.At.Sub(t.Began).Round(time.Second),
			language.Count(int(t.Pages), "page"), t.Bytes)
	case t.State == crawl.Killed:
		fmt.Fprintf(w,
			"killed: it goes on when it is started again in %s; what it did in its last second may not be shown\n",
			printable.Shown(dir))
	case t.Counts.Queued == 0:
		fmt.Fprintln(w, "finished: nothing is left to do")
	default:
		fmt.Fprintf(w, "stopped: it goes on when it is started again in %s\n", printable.Shown(dir))
	}
	if t.Worker != "" {
		fmt.Fprintf(w, "this is what worker %s knew of its part of the crawl %v ago, at %s: others may have gone on "+
			"with it;\nall workers: robots crawl status --nats URL --name %s\n", printable.Shown(t.Worker),
			age(t.At, t.Known), t.Known.Format(stamp), printable.Shown(t.Journal))
	}
	if t.Journal != "" {
		fmt.Fprintf(w, "name on the NATS server: %s\n", printable.Shown(t.Journal))
	}
	fmt.Fprintf(w, "%s known on %s, %d visited, %d queued\n", language.Count(int(t.Counts.Seen), "URL"),
		language.Count(int(t.Counts.Hosts), "host"), t.Counts.Done, t.Counts.Queued)
	writeCounts(w, "hosts with something to do, by what they wait for", t.Waits)
	writeCounts(w, "URLs that were not visited or came to nothing, by reason", t.Reasons)
	if t.Reasons[result.RefusedAddress.String()] > 0 {
		fmt.Fprintln(w, textRefused)
	}
	writeWorkers(w, t)
	writeUnstored(w, t)
	for _, m := range t.Missing {
		fmt.Fprintf(w, "not in the object store: %s of worker %s, which died; they are listed in missing-%[2]s.jsonl\n",
			language.Count(m.Pages, "page"), printable.Shown(m.Worker))
	}
	if len(t.Hosts) == 0 {
		return
	}
	fmt.Fprintln(w, "\nhosts, the next ones first:")
	rows := &columns.Table{W: w}
	for _, h := range t.Hosts {
		rows.Add([]columns.Cell{columns.Text("  " + printable.Shown(h.Origin)),
			columns.Text(fmt.Sprintf("%d done", h.Done)), columns.Text(fmt.Sprintf("%d queued", h.Queued)),
			columns.Text(printable.Shown(h.Why))})
	}
	rows.Flush()
	if more := t.Busy + t.Waiting - len(t.Hosts); more > 0 {
		fmt.Fprintf(w, "  and %s; --limit shows more\n", language.Count(more, "other host"))
	}
}

// writeWorkers writes the workers of a shared crawl, if this one runs.
func writeWorkers(w io.Writer, t *crawl.Status) {
	if len(t.Workers) == 0 {
		return
	}
	fmt.Fprintln(w, "\nworkers of the crawl, * is this one:")
	writeRows(w, t.Workers, t.At)
}

// writeUnstored writes what a worker has not uploaded to its object store.
func writeUnstored(w io.Writer, t *crawl.Status) {
	u := t.Unstored
	switch {
	case u == nil:
		return
	case u.Bytes == 0:
		fmt.Fprintf(w, "\neverything is in the object store %s\n", printable.Shown(u.Store))
	default:
		fmt.Fprintf(w, "\nnot in the object store %s yet: %s of the archive, %d bytes with the results\n",
			printable.Shown(u.Store), language.Count(u.Files, "file"), u.Bytes)
	}
	if u.Why != "" {
		fmt.Fprintf(w, "the last upload failed: %s\n", printable.Shown(u.Why))
	}
}

// writeHost writes the full status of a host.
func writeHost(w io.Writer, h *crawl.HostStatus, state crawl.State) {
	fmt.Fprintf(w, "%s\n", printable.Shown(h.Origin))
	why := h.Why
	if !h.Since.IsZero() {
		why += ", since " + h.Since.Format(time.RFC3339)
	}
	if state != crawl.Running && h.Queued > 0 {
		why = "the crawl does not run; " + why
	}
	fmt.Fprintf(w, "  %d done, %d queued: %s\n", h.Done, h.Queued, printable.Shown(why))
	if h.Pages > 0 || h.Failures > 0 {
		fmt.Fprintf(w, "  %s fetched, %d bytes; %s in a row\n", language.Count(int(h.Pages), "page"), h.Bytes,
			language.Count(h.Failures, "failure"))
	}
	if r := h.Robots; r != nil {
		fmt.Fprintf(w, "  robots.txt: %s\n", printable.Shown(robotsLine(r)))
	}
	for _, s := range h.Closed {
		fmt.Fprintf(w, "  closed: %s, as of %s that repeated pages led to %d had new content\n",
			printable.Shown(s.Shape), language.Count(s.Pages, "URL"), s.New)
	}
	for _, name := range byCount(h.Reasons) {
		fmt.Fprintf(w, "%8d  %s\n", h.Reasons[name], printable.Shown(name))
	}
	if len(h.URLs) == 0 {
		return
	}
	fmt.Fprintln(w, "  next:")
	for _, u := range h.URLs {
		line := "    " + printable.Shown(u.URL)
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
		parts = append(parts, language.Count(r.Failures, "failure")+" in a row")
	}
	switch {
	case r.Closed:
		parts = append(parts, "nothing is allowed")
	case r.Group != "":
		parts = append(parts, "group "+r.Group, language.Count(r.Rules, "rule"))
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
		fmt.Fprintf(w, "%8d  %s\n", counts[name], printable.Shown(name))
	}
}

// byCount returns the names of counts, in descending order of the counts.
func byCount(counts map[string]int64) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
}

// Summary writes the summary of a crawl.
func Summary(w io.Writer, s *crawl.Summary) {
	fmt.Fprintf(w, "%s fetched in %v, %d bytes; %d known on %s, %d visited, %d queued\n",
		language.Count(int(s.Pages), "page"),
		s.Elapsed.Round(10*time.Millisecond), s.Bytes, s.Counts.Seen, language.Count(int(s.Counts.Hosts), "host"),
		s.Counts.Done, s.Counts.Queued)
	reasons := make(map[string]int64)
	for reason, n := range s.Reasons {
		reasons[reason.String()] = n
	}
	for _, name := range byCount(reasons) {
		fmt.Fprintf(w, "%8d  %s\n", reasons[name], name)
	}
}

// Submissions writes the result of submitting URLs for people: each refused URL has a
// line.
func Submissions(w io.Writer, all []crawl.Submission) {
	added, known := 0, 0
	for _, s := range all {
		switch {
		case s.Reason != result.None:
			fmt.Fprintf(w, "not taken: %s: %s\n", printable.Shown(s.URL), printable.Shown(s.Reason.String()))
		case s.Known:
			known++
		default:
			added++
		}
	}
	fmt.Fprintf(w, "%s added", language.Count(added, "URL"))
	if known > 0 {
		fmt.Fprintf(w, ", %d known already", known)
	}
	fmt.Fprintln(w)
}

// Repair writes the damage in the folder of a crawl, and the outcome of the repair.
func Repair(w io.Writer, told *crawl.Repair, dir string) {
	for _, f := range told.Faults {
		fmt.Fprintf(w, "damaged:  %s\n", printable.Shown(f.String()))
	}
	for _, text := range told.Restored {
		fmt.Fprintf(w, "restored: %s\n", printable.Shown(text))
	}
	for _, text := range told.Lost {
		fmt.Fprintf(w, "lost:     %s\n", printable.Shown(text))
	}
	switch {
	case len(told.Faults) == 0:
		fmt.Fprintf(w, "nothing is damaged in %s\n", printable.Shown(dir))
	case told.Aside != "":
		fmt.Fprintf(w, "what is of no more use is in %s: remove it when nothing is missing\n",
			printable.Shown(told.Aside))
	}
}
