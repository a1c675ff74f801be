package journal_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/disk"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// fillDisk runs in the child process: it appends until the disk is full, prints the
// error, makes room, and prints whether the acknowledged records are there.
func fillDisk(dir string) {
	room := func() { disk.Limit(1 << 40) }
	if os.Getenv("JOURNAL_TEST_MOUNT") != "" {
		if err := disk.Mount(dir, 8<<20); err != nil {
			fmt.Println("no small disk:", err)
			return
		}
		ballast := dir + "/ballast"
		child.Check(os.WriteFile(ballast, make([]byte, 3<<20), 0o666))
		room = func() { os.Remove(ballast) }
		dir += "/journal"
	} else if err := disk.Limit(1 << 20); err != nil {
		fmt.Println("no small disk:", err)
		return
	}
	ctx := context.Background()
	o := journal.Options{Dir: dir, Partitions: 8, Bytes: 20_000, Flush: 2 * time.Millisecond}
	j, err := journal.Open(ctx, o)
	child.Check(err)
	acknowledged := make(map[uint64]string)
	p, err := j.Claim(ctx, 0)
	child.Check(err)
	other, err := j.Claim(ctx, 1)
	child.Check(err)
	for i := 0; err == nil; i++ {
		var tickets []journal.Ticket
		var texts []string
		for n := range 50 {
			texts = append(texts, fmt.Sprintf("%d.%d %d", i, n, newNoise()))
			tickets = append(tickets, p.Append(ctx, []byte(texts[n])))
			other.Append(ctx, fmt.Append(nil, newNoise()))
		}
		for n, ticket := range tickets {
			at, failed := ticket.Wait(ctx)
			if failed != nil {
				err = failed
				break
			}
			acknowledged[at] = texts[n]
		}
	}
	fmt.Println(strings.ReplaceAll(err.Error(), "\n", "; "))
	if _, again := p.Append(ctx, nil).Wait(ctx); again == nil {
		child.Check(fmt.Errorf("it appends after an error"))
	}
	j.Close()
	room()
	j, err = journal.Open(ctx, o)
	child.Check(err)
	p, err = j.Claim(ctx, 0)
	child.Check(err)
	there := 0
	child.Check(p.Replay(ctx, 0, func(at uint64, record []byte) error {
		if want, ok := acknowledged[at]; ok && want == string(record) {
			there++
		}
		return nil
	}))
	_, err = p.Append(ctx, []byte("more")).Wait(ctx)
	child.Check(err)
	fmt.Printf("%d of %d\n", there, len(acknowledged))
	j.Close()
}

var noise = rand.New(rand.NewPCG(5, 6))

// newNoise returns numbers that compress badly.
func newNoise() []uint64 {
	b := make([]uint64, 40)
	for i := range b {
		b[i] = noise.Uint64()
	}
	return b
}

// TestFullDisk lets a process fill its disk. The process reports the error, and loses no
// acknowledged record.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"limit": "file too large", "mount": "no space left on device"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := child.Command("fill", t.TempDir())
			if name == "mount" {
				if err := disk.Isolate(cmd); err != nil {
					t.Skip(err)
				}
				cmd.Env = append(cmd.Env, "JOURNAL_TEST_MOUNT=1")
			}
			out, err := cmd.StdoutPipe()
			fatal.If(t, err)
			if err := cmd.Start(); err != nil {
				t.Skipf("no process with its own mounts: %v", err)
			}
			lines := bufio.NewScanner(out)
			lines.Scan()
			if strings.HasPrefix(lines.Text(), "no small disk") {
				cmd.Wait()
				t.Skip(lines.Text())
			}
			if !strings.HasPrefix(lines.Text(), "append to partition 0: ") || !strings.Contains(lines.Text(), want) {
				t.Errorf("error %q, want %q", lines.Text(), want)
			}
			lines.Scan()
			var there, acknowledged int
			fmt.Sscanf(lines.Text(), "%d of %d", &there, &acknowledged)
			if there != acknowledged || there == 0 {
				t.Errorf("there is %s", lines.Text())
			}
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
}
