package warc_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/disk"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// writeUntilFull runs in the child process: it writes until the disk is full, gets room,
// writes more until the disk is full again, and stops without Close. It prints the
// written records.
func writeUntilFull(dir string) {
	w, err := warc.Open(dir, warc.Options{Memory: 30e3})
	if err != nil {
		fmt.Println("cannot open:", err)
		return
	}
	random := rand.New(rand.NewPCG(3, 4))
	written, failed := 0, 0
	for round, size := range []uint64{100e3, 100e3 + 1, 150e3} {
		if err := disk.Limit(size); err != nil {
			fmt.Println("no limit:", err)
			return
		}
		for {
			x := visit(fmt.Sprintf("http://h.example/%d", written), page(random, 10e3))
			if round == 1 {
				// This needs a temporary file, which exceeds the limit too.
				x.Response.Rest = strings.NewReader(page(random, 200e3))
			}
			_, err := w.Write(x)
			if err != nil {
				fmt.Println(err)
				failed++
				break
			}
			written++
		}
	}
	disk.Limit(1 << 40)
	if err := w.Sync(); err != nil {
		fmt.Println("cannot sync:", err)
	}
	fmt.Println("written", written, "failed", failed)
	if os.Getenv("WARC_TEST_CLOSE") != "" {
		if err := w.Close(); err != nil {
			fmt.Println("cannot close:", err)
		}
	}
}

// TestFullDisk lets a process write to a disk that is full now and then. Each error says
// so, and the file has all exchanges that were written, and no part of another.
func TestFullDisk(t *testing.T) {
	for _, closing := range []string{"", "1"} {
		dir := t.TempDir()
		out, err := child.Command("fill", dir, "WARC_TEST_CLOSE="+closing).Output()
		fatal.If(t, err)
		if strings.HasPrefix(string(out), "no limit") {
			t.Skipf("%s", out)
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if len(lines) != 4 {
			t.Fatalf("it said:\n%s", out)
		}
		for _, line := range lines[:3] {
			if !strings.HasPrefix(line, "archive http://h.example/") || !strings.Contains(line, "file too large") {
				t.Errorf("error %q", line)
			}
		}
		var written, failed int
		fmt.Sscanf(lines[3], "written %d failed %d", &written, &failed)
		if written < 10 || failed != 3 {
			t.Errorf("%s: want ten or more, and 3", lines[3])
		}
		pattern := "*.warc.gz.open"
		if closing != "" {
			pattern = "*.warc.gz"
		}
		if records := compare(t, only(t, dir, pattern)); len(records) != 1+3*written {
			t.Errorf("%d records, want %d", len(records), 1+3*written)
		}
		if left := glob(t, dir, "*.tmp"); len(left) > 0 {
			t.Errorf("left: %q", left)
		}
		w := open(t, dir, warc.Options{})
		closed(t, w)
		if got := captures(t, only(t, dir, "*.warc.gz")); len(got) != written {
			t.Errorf("%d captures, want %d", len(got), written)
		}
	}
}
