package monitor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

func journal(t *testing.T, dir string, receivers ...string) *monitor.Journal {
	t.Helper()
	j, err := monitor.OpenJournal(dir, receivers...)
	fatal.If(t, err)
	return j
}

// noted is an event with one update.
var noted = []monitor.Update{{Step: monitor.Noted, Finding: monitor.Finding{Kind: monitor.Records,
	Severity: monitor.Notice}}}

// deliver takes all events of a receiver, and returns their ids.
func deliver(t *testing.T, j *monitor.Journal, name string) (ids []string) {
	t.Helper()
	for {
		ok, err := j.Deliver(name, func(m *monitor.Message) {
			for _, e := range m.Events {
				ids = append(ids, e.ID)
			}
		})
		fatal.If(t, err)
		if !ok {
			return ids
		}
	}
}

func TestJournal(t *testing.T) {
	dir := t.TempDir()
	j := journal(t, dir, "a", "b")
	if _, err := monitor.OpenJournal(dir); err == nil {
		t.Error("two processes have one folder")
	}
	o := observation(texts["live"])
	o.File.SHA256 = strings.Repeat("ab", 32)
	o.Time = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	s := &monitor.Watched{Origin: o.Origin, Baseline: o}
	for range 3 {
		fatal.If(t, j.Commit(s, o, noted))
	}
	size := fileSize(t, dir)
	again, err := j.State(o.Origin, o)
	if err != nil || again.Baseline.Policy != nil {
		t.Errorf("a look at the same text reads the policy: %+v, %v", again, err)
	}
	if err := j.Commit(again, o, nil); err != nil || fileSize(t, dir) != size {
		t.Errorf("a look without news is stored: %v", err)
	}
	fatal.If(t, j.Commit(again, o, noted))
	if ok, err := j.Deliver("a", func(*monitor.Message) {}); !ok || err != nil {
		t.Errorf("nothing is delivered: %v", err)
	}
	j.Close()

	// A line that was being written when the process was killed is ignored.
	f, err := os.OpenFile(filepath.Join(dir, "journal.jsonl"), os.O_WRONLY|os.O_APPEND, 0)
	fatal.If(t, err)
	fmt.Fprint(f, `{"site":{"origin":"https://b.exam`)
	f.Close()
	j = journal(t, dir, "a", "c")
	if a, b, c := deliver(t, j, "a"), deliver(t, j, "b"), deliver(t, j, "c"); len(a) != 0 || b != nil || c != nil {
		t.Errorf("a has %q, the removed b %q, and the new c %q", a, b, c)
	}
	got, err := j.State(o.Origin, observation("404"))
	if err != nil || !reflect.DeepEqual(got.Baseline.File, o.File) || got.Baseline.Policy.String() != texts["live"] {
		t.Errorf("got %+v, %v", got, err)
	}

	// A text that is missing is not a reason to stop: the site gets another baseline.
	fatal.If(t, os.RemoveAll(filepath.Join(dir, "texts")))
	if got, err = j.State(o.Origin, observation("404")); err != nil || got.Baseline != nil {
		t.Errorf("without a text: got %+v, %v", got, err)
	}
	j.Close()

	// Any other damage is an error.
	name := filepath.Join(dir, "journal.jsonl")
	data, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, []byte(strings.Replace(string(data), "a.example", "b.example", 1)), 0o666)
	}
	fatal.If(t, err)
	if _, err := monitor.OpenJournal(dir); err == nil || !strings.Contains(err.Error(), "is damaged") {
		t.Errorf("a changed line: %v", err)
	}
}

func fileSize(t *testing.T, dir string) int64 {
	t.Helper()
	info, err := os.Stat(filepath.Join(dir, "journal.jsonl"))
	fatal.If(t, err)
	return info.Size()
}

// TestJournalSize checks that the journal does not grow with the number of looks.
func TestJournalSize(t *testing.T) {
	dir := t.TempDir()
	j := journal(t, dir, "a")
	defer j.Close()
	for i := range 150 {
		s := &monitor.Watched{Origin: "https://a.example",
			Baseline: &monitor.Observation{File: monitor.File{State: fetch.Unavailable, Status: 400 + i%2,
				Cause: strings.Repeat("x", 20_000)}}}
		fatal.If(t, j.Commit(s, s.Baseline, nil))
	}
	if size := fileSize(t, dir); size > 1100<<10 {
		t.Errorf("the journal of one site has %d bytes", size)
	}
}
