package crawltext

import (
	"fmt"
	"io"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/fleet"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// stamp is the form of times.
const stamp = time.DateTime + " MST"

// oldReport is the age in which a worker has reported at least once, unless it stands still.
const oldReport = 15 * time.Second

// age returns how old what was known at a time is, to the second.
func age(now, at time.Time) time.Duration { return max(now.Sub(at), 0).Round(time.Second) }

// Fleet writes what the servers know of the workers of a crawl.
func Fleet(w io.Writer, v *fleet.View) {
	live, last := v.Live(), v.Last()
	fmt.Fprintf(w, "%s at %s: %d of %s alive\n", printable.Shown(v.Crawl), v.At.Format(stamp), live,
		language.Count(len(v.Workers), "worker"))
	switch {
	case len(v.Workers) == 0:
		fmt.Fprintln(w, "no worker has ever joined")
		return
	case last.IsZero():
		fmt.Fprintln(w, "no worker has reported yet: the workers are just starting, or run an earlier version")
	case live == 0:
		fmt.Fprintf(w, "no worker runs; the figures are those of the last report, %v ago\n", age(v.At, last))
	case v.Partitions < v.Of:
		fmt.Fprintf(w, "of %d partitions nothing is known at the moment: they have no owner, or are moving\n",
			v.Of-v.Partitions)
	}
	if !last.IsZero() {
		fmt.Fprintf(w, "%s known on %s, %d visited, %d queued, in %d of %s\n", language.Count(int(v.Seen), "URL"),
			language.Count(int(v.Hosts), "host"), v.Done, v.Queued, v.Partitions, language.Count(v.Of, "partition"))
	}
	fmt.Fprintln(w, "\nworkers:")
	writeRows(w, v.Workers, v.At)
	for _, m := range v.Missing {
		fmt.Fprintf(w, "not in the object store: %s of worker %s, which died\n", language.Count(m.Pages, "page"),
			printable.Shown(m.Worker))
	}
}

// writeRows writes workers, a line each.
func writeRows(w io.Writer, workers []fleet.Row, now time.Time) {
	rows := &columns.Table{W: w}
	for _, k := range workers {
		number, parts := "  "+printable.Shown(k.Number), language.Count(k.Partitions, "partition")
		if k.This {
			number = "* " + printable.Shown(k.Number)
		}
		if k.State != "alive" && k.Partitions > 0 {
			parts = "had " + parts
		}
		told := "has not reported"
		switch {
		case k.Told.IsZero():
		case k.State != "alive" || age(now, k.Told) > oldReport:
			told = fmt.Sprintf("%d visited, %d queued, as of %v ago", k.Done, k.Queued, age(now, k.Told))
		default:
			told = fmt.Sprintf("%d visited, %d queued", k.Done, k.Queued)
		}
		since := "since " + k.Since.Format(stamp)
		if k.State == "silent" {
			since = fmt.Sprintf("no beat for %v", age(now, k.Beat))
		}
		if k.Lapses > 0 {
			since += fmt.Sprintf(", dropped its partitions %s", language.Count(k.Lapses, "time"))
		}
		rows.Add([]columns.Cell{columns.Text(number), columns.Text(printable.Shown(k.State)), columns.Text(parts),
			columns.Text(told), columns.Text(printable.Shown(k.Machine)), columns.Text(since)})
	}
	rows.Flush()
}
