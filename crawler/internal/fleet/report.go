package fleet

import (
	"encoding/json"
	"math/bits"
	"time"
)

// A Report is what a worker says of its part of the crawl, for people. Its names are stored in the
// key of the worker: never change them.
type Report struct {
	At      time.Time `json:"at"` // by the clock of the worker
	Machine string    `json:"machine,omitempty"`
	Held    []byte    `json:"held,omitempty"` // a bit for each partition, the first one the highest of its byte
	Counts
	Missing []Missing `json:"missing,omitempty"`
	Lapses  int       `json:"lapses,omitempty"` // as in Row; Member.Report sets it
}

// Counts are the numbers of hosts and URLs of the partitions of a worker.
type Counts struct {
	Hosts  int64 `json:"hosts"`
	Seen   int64 `json:"seen"`
	Queued int64 `json:"queued"`
	Done   int64 `json:"done"`
}

func (c *Counts) add(other Counts) {
	c.Hosts += other.Hosts
	c.Seen += other.Seen
	c.Queued += other.Queued
	c.Done += other.Done
}

// Missing are the pages that a worker that died had not uploaded, as another one has found.
type Missing struct {
	Worker string `json:"worker"`
	Pages  int    `json:"pages"`
}

// Report has the next beats, and the end of the key, carry a report. No beat is made for it.
func (m *Member) Report(r Report) {
	m.post(func(l *loop) {
		r.Lapses = l.lapses
		text, _ := json.Marshal(r)
		l.report = string(text)
	})
}

// A Row is what is known of a worker.
type Row struct {
	Number string `json:"number"`
	This   bool   `json:"this,omitempty"` // the worker that answers
	// alive; silent: it has not beaten for the lease; dead: another worker has buried it; or left
	State      string    `json:"state"`
	Partitions int       `json:"partitions"` // that it had when it told last
	Since      time.Time `json:"since"`      // the start of its last session
	// the last one of another worker that is alive or silent, by the clock of the servers
	Beat    time.Time `json:"beat,omitzero"`
	Told    time.Time `json:"told,omitzero"` // when it reported what follows, by its own clock
	Machine string    `json:"machine,omitempty"`
	// sessions of its process that have ended because no beat was answered in time, or its key was
	// replaced: it has dropped its partitions each time
	Lapses int `json:"lapses,omitempty"`
	Counts
	held    []byte
	missing []Missing
}

// Row returns what is known of a worker. What it said is left out if that is not of this package.
func (w Worker) Row() Row {
	row := Row{Number: keyOf(w.Number), State: w.State, Since: w.Began()}
	if w.State == string(alive) {
		row.Beat = w.beat
	}
	var r Report
	if json.Unmarshal([]byte(w.report), &r) != nil {
		return row
	}
	for _, b := range r.Held {
		row.Partitions += bits.OnesCount8(b)
	}
	row.Told, row.Machine, row.Counts, row.held, row.missing = r.At, r.Machine, r.Counts, r.Held, r.Missing
	row.Lapses = r.Lapses
	return row
}

// overlaps reports whether two sets of partitions have one in common.
func overlaps(a, b []byte) bool {
	for i := range min(len(a), len(b)) {
		if a[i]&b[i] != 0 {
			return true
		}
	}
	return false
}
