package monitor_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/reexec"
	"github.com/robotsexclusion/robots/monitor"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("MONITOR_TEST_DIR"); dir != "" {
		commitUntilKilled(dir)
	}
	os.Exit(m.Run())
}

// commitUntilKilled is the work of the processes that are killed. It prints "w" before and "c" after a commit, with
// the site and the hash of its baseline, "s" before an event is sent, and "g" after it is stored that the receiver has it.
func commitUntilKilled(dir string) {
	j, err := monitor.OpenJournal(dir, "a", "b")
	for i := 0; err == nil; i++ {
		o := observation(texts["live"])
		o.File.SHA256 = fmt.Sprintf("%064d", i%50)
		s := &monitor.Watched{Origin: fmt.Sprintf("https://%d.example", i%5), Baseline: o}
		fmt.Println("w", s.Origin, o.File.SHA256)
		if err = j.Commit(s, o, noted); err != nil {
			break
		}
		fmt.Println("c", s.Origin, o.File.SHA256)
		if i%2 == 0 {
			var id string
			_, err = j.Deliver("a", func(e monitor.Event) { id = e.ID; fmt.Println("s", id) })
			fmt.Println("g", id)
		}
		if i%40 == 39 && err == nil {
			err = j.Compact()
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// TestKill kills processes at any time. No event is lost, none is repeated but for one that was just being sent, and the state is
// that of the last look.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	kills := 4
	if testing.Short() {
		kills = 2
	}
	commits, sent, have := 0, make(map[string]int), make(map[string]bool)
	last, written := make(map[string]string), make(map[string]string) // the hashes of baselines by origin
	for range kills {
		cmd := reexec.Command(t, "MONITOR_TEST_DIR="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines, most := bufio.NewScanner(out), 20+rand.IntN(100)
		for n := 0; lines.Scan(); n++ {
			words := strings.Fields(lines.Text())
			switch words[0] {
			case "w":
				written[words[1]] = words[2]
			case "c":
				commits++
				last[words[1]] = words[2]
			case "s":
				sent[words[1]]++
			case "g":
				have[words[1]] = true
			}
			if n == most {
				cmd.Process.Kill()
			}
		}
		cmd.Wait()
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
	left := deliver(t, j, "a")
	repeated := 0
	for _, id := range left {
		sent[id]++
		if have[id] {
			t.Errorf("%s is there again, although the receiver has it", id)
		}
	}
	for i, id := range all {
		if i > 0 && all[i-1] == id {
			t.Errorf("two events are %s", id)
		}
		switch sent[id] {
		case 0:
			t.Errorf("%s is lost", id)
		case 1:
		default:
			repeated++
		}
	}
	if repeated > kills {
		t.Errorf("%d events were sent twice by %d processes", repeated, kills)
	}
}
