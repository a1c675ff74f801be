package store_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/disk"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// commitUntilFull runs in the child process: it commits a journal until a file reaches
// the size limit, which acts like a full disk: a write ends in the middle.
func commitUntilFull(dir string) {
	s, err := store.Open(store.Options{Dir: dir}.Small())
	if err != nil {
		fmt.Println("cannot open:", err)
		return
	}
	if err := disk.Limit(30e3); err != nil {
		fmt.Println("no limit:", err)
		return
	}
	n := 0
	for ; err == nil; n++ {
		err = journal(n).commit(s)
	}
	fmt.Println(err)
	fmt.Println(s.Close())
	fmt.Println("steps", n)
}

// TestFileTooLarge lets a process commit with a limit on the size of files. The process
// stops with an error, and the store is intact.
func TestFileTooLarge(t *testing.T) {
	dir := t.TempDir()
	out, err := child.Command("fill", dir).Output()
	fatal.If(t, err)
	if strings.HasPrefix(string(out), "no limit") {
		t.Skipf("%s", out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != 3 {
		t.Fatalf("it said:\n%s", out)
	}
	for _, line := range lines[:2] {
		if !strings.HasPrefix(line, dir+": the store has stopped: ") || !strings.Contains(line, "file too large") {
			t.Errorf("error %q", line)
		}
	}
	var steps int
	fmt.Sscanf(lines[2], "steps %d", &steps)
	s := open(t, dir)
	n, w := prefix(t, s, journal, steps)
	w.compare(t, s)
	if n < 10 {
		t.Errorf("%d of %d steps are there", n, steps)
	}
}
