package journal_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// openUntilKilled runs in the child process: it opens the folder and waits.
func openUntilKilled(dir string) {
	j, err := journal.Open(context.Background(), journal.Options{Dir: dir, Partitions: 2})
	child.Check(err)
	p, err := j.Claim(context.Background(), 1)
	child.Check(err)
	_, err = p.Append(context.Background(), []byte("from the other")).Wait(context.Background())
	child.Check(err)
	fmt.Println("open")
	select {}
}

func TestLocked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := child.Start(t, "open", dir)
	c.Line()
	o := journal.Options{Dir: dir, Partitions: 2}
	_, err := journal.Open(t.Context(), o)
	if want := "open journal " + dir + ": another process has it open"; !errors.Is(err, journal.ErrLocked) ||
		err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	c.Kill()
	p := claim(t, place{dir: dir}.open(t, o), 1)
	if got, _ := replay(t, p, 0); !slices.Equal(got, []string{"from the other"}) || p.Epoch() != 2 {
		t.Errorf("got %q, epoch %d", got, p.Epoch())
	}
	if _, err := journal.Open(t.Context(), o); !errors.Is(err, journal.ErrLocked) {
		t.Errorf("opened twice in one process: %v", err)
	}
}

// TestRemoved removes files that are in use. After that, no record is acknowledged.
func TestRemoved(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"", "jetstream", "jetstream/$G/streams/crawl-log-0/msgs"} {
		dir := filepath.Join(t.TempDir(), "journal")
		j := place{dir: dir}.open(t, journal.Options{Partitions: 2})
		p := claim(t, j, 0)
		write(t, p, "x")
		fatal.If(t, os.RemoveAll(filepath.Join(dir, what)))
		for range 2 {
			_, err := p.Append(t.Context(), []byte("y")).Wait(t.Context())
			if err == nil || !strings.Contains(err.Error(), dir) ||
				!strings.Contains(err.Error(), "was removed while it was in use") {
				t.Errorf("%q: append: %v", what, err)
			}
		}
		j.Close()
	}
}

// TestDamaged damages files of a closed journal. Each damaged part is an error, sooner or
// later, and no wrong record is read.
func TestDamaged(t *testing.T) {
	t.Parallel()
	o := journal.Options{Partitions: 2, Bytes: 200}
	stream := filepath.Join("jetstream", "$G", "streams", "crawl-log-0")
	whole := t.TempDir()
	j := place{dir: whole}.open(t, o)
	p := claim(t, j, 0)
	want := numbered("record ", 500)
	at := write(t, p, want...)
	if _, err := j.Send(t.Context(), 0, []byte("x")).Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	fatal.If(t, j.Close())
	damages := map[string]func(t *testing.T, name string){
		"msgs/1.blk cut": func(t *testing.T, name string) {
			info, err := os.Stat(name)
			fatal.If(t, err)
			fatal.If(t, os.Truncate(name, info.Size()/3))
		},
		"msgs/1.blk gone": func(t *testing.T, name string) { remove(t, name) },
		"meta.inf broken": func(t *testing.T, name string) { flip(t, name, 0.5) },
		"meta.sum gone":   func(t *testing.T, name string) { remove(t, name) },
		". gone":          func(t *testing.T, name string) { remove(t, name) },
	}
	flips := 20
	if testing.Short() {
		flips = 3
	}
	for i := range flips {
		where := float64(i) / float64(flips) / 2
		damages[fmt.Sprintf("msgs/1.blk flipped at %v", where)] = func(t *testing.T, name string) {
			flip(t, name, where)
		}
	}
	for what, damage := range damages {
		o := o
		o.Dir = t.TempDir()
		fatal.If(t, os.CopyFS(o.Dir, os.DirFS(whole)))
		file, _, _ := strings.Cut(what, " ")
		damage(t, filepath.Join(o.Dir, stream, file))
		got := 0
		j, err := journal.Open(t.Context(), o)
		if err == nil {
			// The store has applied the first 400.
			var p *journal.Partition
			if p, err = j.Claim(t.Context(), 0); err == nil {
				err = p.Replay(t.Context(), at[399], func(position uint64, record []byte) error {
					if i := slices.Index(at, position); i < 0 || want[i] != string(record) {
						t.Errorf("%s: position %d has %q", what, position, record)
					}
					got++
					return nil
				})
			}
			j.Close()
		}
		if err == nil && got != 100 {
			t.Errorf("%s: got %d records, no error", what, got)
		}
		t.Logf("%s: %d records, %v", what, got, err)
	}
}

func flip(t *testing.T, name string, where float64) {
	t.Helper()
	data, err := os.ReadFile(name)
	fatal.If(t, err)
	data[int(float64(len(data))*where)] ^= 0x55
	fatal.If(t, os.WriteFile(name, data, 0o666))
}

func remove(t *testing.T, name string) {
	t.Helper()
	fatal.If(t, os.RemoveAll(name))
}
