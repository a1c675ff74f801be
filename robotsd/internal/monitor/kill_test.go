package monitor_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

func TestMain(m *testing.M) {
	child.Main(child.Tasks{"commit": commitUntilKilled})
	os.Exit(m.Run())
}

// commitUntilKilled is the work of the processes that are killed. It prints "w" before and "c"
// after a commit, with the site and the hash of its baseline, "s" before a message is sent, with
// its id and those of its events, and "g" after it is stored that the receiver has it.
func commitUntilKilled(dir string) {
	j, err := monitor.OpenJournal(dir, "a", "b")
	for i := 0; err == nil; i++ {
		o := observation(texts["live"])
		o.File.SHA256 = fmt.Sprintf("%064d", i%50)
		s := &monitor.Watched{Origin: fmt.Sprintf("https://%d.example", i%5), Baseline: o}
		fmt.Println("w", s.Origin, o.File.SHA256)
		news := []monitor.Update{{Step: monitor.Noted, Finding: monitor.Finding{Kind: kinds[i%len(kinds)],
			Severity: monitor.Notice}}}
		if err = j.Commit(s, o, news); err != nil {
			break
		}
		fmt.Println("c", s.Origin, o.File.SHA256)
		if i%12 == 11 {
			_, err = j.Deliver("a", func(m *monitor.Message) {
				text := m.ID
				for _, e := range m.Events {
					text += " " + e.ID
				}
				fmt.Println("s", text)
				time.Sleep(2 * time.Millisecond) // so that some kills come here
			})
			fmt.Println("g")
		}
		if i%40 == 39 && err == nil {
			err = j.Compact()
		}
	}
	child.Check(err)
}

// TestKill kills processes at any time. No event is lost, none is repeated but for those of the
// message that was just being sent, which is sent again as it was, and the state is that of the
// last look.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	kills := 4
	if testing.Short() {
		kills = 2
	}
	commits := 0
	var sent killedMessages
	last, written := make(map[string]string), make(map[string]string) // the hashes of baselines by origin
	for range kills {
		c, most := child.Start(t, "commit", dir), 20+rand.IntN(200)
		sending := rand.IntN(2) == 0 // kill it when it sends a message
		n := 0
		for line := range c.Lines() {
			words := strings.Fields(line)
			switch words[0] {
			case "w":
				written[words[1]] = words[2]
			case "c":
				commits++
				last[words[1]] = words[2]
			case "s":
				sent.add(t, words[1], words[2:])
			case "g":
				sent.got()
			}
			if n++; n > most && (!sending || words[0] == "s") {
				c.Process.Kill()
			}
		}
		c.Kill()
	}
	j := journal(t, dir, "a", "b")
	defer j.Close()
	for origin, hash := range last {
		s, err := j.State(origin, observation(texts["shop"]))
		if err != nil || s.Baseline == nil || s.Baseline.Policy.String() != texts["live"] {
			t.Errorf("%s has the baseline %+v, %v", origin, s.Baseline, err)
		} else if got := s.Baseline.File.SHA256; got != hash && got != written[origin] {
			t.Errorf("%s has the baseline %s, want %s or %s", origin, got, hash, written[origin])
		}
	}
	all := deliver(t, j, "b")
	if len(all) < commits || len(all) > commits+kills {
		t.Errorf("%d events were reported as committed, and there are %d", commits, len(all))
	}
	for {
		ok, err := j.Deliver("a", func(m *monitor.Message) {
			var ids []string
			for _, e := range m.Events {
				ids = append(ids, e.ID)
			}
			sent.add(t, m.ID, ids)
		})
		fatal.If(t, err)
		if !ok {
			break
		}
		sent.got()
	}
	seen := make(map[string]bool)
	for _, id := range all {
		if seen[id] {
			t.Errorf("two events are %s", id)
		}
		seen[id] = true
		if sent.by[id] == "" {
			t.Errorf("%s is lost", id)
		}
	}
	if sent.repeated > kills {
		t.Errorf("%d messages were sent twice by %d processes", sent.repeated, kills)
	}
	t.Logf("%d events in %d messages, %d of them sent again", len(all), len(sent.events), sent.repeated)
}

// killedMessages are the messages that processes sent.
type killedMessages struct {
	events   map[string]string // by id of a message, the ids of its events
	by       map[string]string // by id of an event, the message
	have     map[string]bool   // messages of which it is stored that the receiver has them
	last     string
	repeated int
}

// add checks a message against those before.
func (k *killedMessages) add(t *testing.T, id string, events []string) {
	if k.events == nil {
		k.events, k.by, k.have = make(map[string]string), make(map[string]string), make(map[string]bool)
	}
	text := strings.Join(events, " ")
	switch before, again := k.events[id]; {
	case k.have[id]:
		t.Errorf("%s is there again, although the receiver has it", id)
	case again && before != text:
		t.Errorf("%s is sent again with the events %s, and had %s", id, text, before)
	case again:
		k.repeated++
	}
	k.events[id], k.last = text, id
	for _, e := range events {
		if other := k.by[e]; other != "" && other != id {
			t.Errorf("%s is in two messages, %s and %s", e, other, id)
		}
		k.by[e] = id
	}
}

// got notes that it is stored that the receiver has the last message.
func (k *killedMessages) got() { k.have[k.last] = true }
