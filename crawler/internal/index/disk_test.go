package index_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/disk"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// writeUntilFull is the task of the child process: it syncs pages until the disk is
// full, tries more, and reopens the index when there is space again.
func writeUntilFull(dir string) {
	random := rand.New(rand.NewPCG(3, 4))
	n := 0
	for _, size := range []uint64{90e3, 200e3, 1 << 40} {
		x, err := index.Open(dir, index.Options{})
		if err != nil {
			fmt.Println("cannot open:", err)
			return
		}
		if err := disk.Limit(size); err != nil {
			fmt.Println("no limit:", err)
			return
		}
		failed := false
		for range 20 {
			var text strings.Builder
			for range 20_000 {
				fmt.Fprintf(&text, "w%x ", random.Uint32())
			}
			p := page(fmt.Sprintf("http://h.example/%d", n), fmt.Sprintf("word number%d %s", n, &text))
			if err = x.Put(p); err == nil {
				err = x.Sync()
			}
			if err != nil {
				failed = true
				break
			}
			fmt.Println("synced", n)
			n++
		}
		if failed {
			fmt.Println("failed:", err)
			if again := x.Sync(); again == nil || again.Error() != err.Error() {
				fmt.Println("another error:", again)
			}
		}
		disk.Limit(1 << 40)
		if err := x.Close(); err != nil {
			fmt.Println("cannot close:", err)
		}
	}
}

// TestFullDisk lets a process write to a disk that is full now and then. Each error
// says so, and the index keeps all synced changes.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "index")
	out, err := child.Command("fill", dir).Output()
	fatal.If(t, err)
	if strings.HasPrefix(string(out), "no limit") {
		t.Skipf("%s", out)
	}
	x := open(t, dir, index.Options{})
	syncs, failures := 0, 0
	for line := range strings.Lines(string(out)) {
		switch what, rest, _ := strings.Cut(strings.TrimSpace(line), " "); what {
		case "synced":
			syncs++
			if n := len(search(t, x, "number"+rest).Hits); n != 1 {
				t.Errorf("number %s: %d hits", rest, n)
			}
		case "failed:":
			failures++
			if !strings.Contains(rest, dir) || !strings.Contains(rest, "file too large") {
				t.Errorf("error %q", rest)
			}
		default:
			t.Errorf("it said %q", line)
		}
	}
	if syncs < 20 || failures != 2 {
		t.Errorf("%d syncs and %d failures:\n%s", syncs, failures, out)
	}
}
