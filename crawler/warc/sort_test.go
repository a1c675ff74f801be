package warc_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestSort sorts files with so little memory that each has many runs, and with a small
// fan-in. The slow twin keeps all lines in memory.
func TestSort(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 9))
		dir := t.TempDir()
		var names []string
		lines := make(map[string]bool)
		for n := range random.IntN(5) {
			var b strings.Builder
			for range random.IntN(200) {
				line := fmt.Sprintf("%d%s\n", random.IntN(300), strings.Repeat("x", random.IntN(3)*random.IntN(100)))
				if random.IntN(50) == 0 {
					line = strings.Repeat("y", 100e3) + line // longer than a buffer
				}
				lines[line] = true
				b.WriteString(line)
			}
			if random.IntN(2) == 0 {
				b.WriteString("torn")
			}
			names = append(names, filepath.Join(dir, fmt.Sprint(n)))
			fatal.If(t, os.WriteFile(names[n], []byte(b.String()), 0o666))
		}
		want := ""
		sorted := make([]string, 0, len(lines))
		for line := range lines {
			sorted = append(sorted, line)
		}
		slices.Sort(sorted)
		want = strings.Join(sorted, "")
		old := filepath.Join(dir, "old") // some of them are in order already
		fatal.If(t, os.WriteFile(old, []byte(strings.Join(sorted[:len(sorted)/2], "")), 0o666))
		got, err := warc.SortFiles(dir, 500, 2+int(seed%3), names, []string{old})
		if err != nil || got != want {
			t.Errorf("seed %d: %d bytes, %v, want %d", seed, len(got), err, len(want))
		}
		if left := glob(t, dir, "*.tmp"); len(left) > 0 {
			t.Errorf("left: %q", left)
		}
	}
}

func TestSortRefused(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	fatal.If(t, os.WriteFile(name, make([]byte, 5<<20), 0o666))
	for _, files := range [][2][]string{{{name}, nil}, {nil, {name}}, {{name + "x"}, nil}, {nil, {name + "x"}}} {
		if got, err := warc.SortFiles(dir, 500, 2, files[0], files[1]); err == nil {
			t.Errorf("%q: got %d bytes and no error", files, len(got))
		}
	}
}
