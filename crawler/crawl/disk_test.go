package crawl_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/disk"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// squeeze is the task of a child with a full disk: it runs a crawl in another process until
// the disk is full, reports that, adds a little space, and starts the next process, until the
// crawl is finished.
func (ch *robotTask) squeeze() {
	size := int64(64 << 10) // bytes of one file
	if ch.Disk == "mount" {
		size = 256 << 10 // bytes of all files
		if err := disk.Mount(ch.Dir, size); err != nil {
			fmt.Println("no small disk:", err)
			return
		}
	}
	for {
		attempt := *ch
		if attempt.Disk = ""; ch.Disk == "limit" {
			attempt.Limit = uint64(size)
		} else if err := disk.Resize(ch.Dir, size); err != nil {
			fmt.Println("no small disk:", err)
			return
		}
		out, err := attempt.command().Output()
		text := strings.ReplaceAll(strings.TrimSpace(string(out)), "\n", "; ")
		if err == nil || strings.HasPrefix(text, "no small disk") {
			fmt.Println(text)
			break
		}
		time.Sleep(served)
		fmt.Println("stopped", time.Now().UnixNano(), text)
		size += size / 3
	}
	if ch.Disk == "mount" {
		disk.Resize(ch.Dir, 1<<30)
	}
	if err := os.CopyFS(ch.Copy, os.DirFS(ch.Dir)); err != nil {
		fmt.Println("copy:", err)
	}
}

// smallWild returns a web that takes a second or two to crawl.
func smallWild(t *testing.T) *testweb.Web {
	return startWild(t, testweb.Options{Hosts: 15, Pages: 300, Scale: 0.01, Token: "TestBot",
		Kinds: []string{"ordinary", "validated", "moved"}, Texts: []string{"none", "folder", "named"}})
}

// TestFullDisk fills the disk again and again, at any step of the crawl. Each time the crawl
// stops with an error that says so, and resumes when there is more space. In the end the crawl
// is complete, and the servers have seen no repeated requests except those open at a stop.
func TestFullDisk(t *testing.T) {
	corpus.Unraced(t)
	t.Parallel()
	for name, want := range map[string]string{"limit": "file too large", "mount": "no space left on device"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && name == "mount" {
				t.Skip("one full disk is enough")
			}
			web := smallWild(t)
			base := t.TempDir()
			ch := newTask(web, filepath.Join(base, "crawl"))
			ch.Quick, ch.Disk, ch.Copy = true, name, filepath.Join(base, "copy")
			fatal.If(t, os.Mkdir(ch.Dir, 0o777))
			p := ch.process(t)
			if name == "mount" {
				if err := disk.Isolate(p.Cmd); err != nil {
					t.Skip(err)
				}
			}
			if err := p.Start(); err != nil {
				t.Skipf("no process with its own mounts: %v", err)
			}
			if err := p.Wait(); err != nil {
				t.Fatalf("%v: %s", err, &p.out)
			}
			var stops []time.Time
			finished := false
			for lines := bufio.NewScanner(&p.out); lines.Scan(); {
				line := lines.Text()
				var at int64
				switch word, _, _ := strings.Cut(line, " "); {
				case strings.HasPrefix(line, "no small disk"):
					t.Skip(line)
				case word == "stopped":
					fmt.Sscan(strings.TrimPrefix(line, "stopped"), &at)
					stops = append(stops, time.Unix(0, at))
					// If the server waits for itself, it cannot report why it does not answer.
					clear := strings.Contains(line, want) ||
						strings.Contains(line, "does not answer; is the disk full?")
					if !clear || !strings.Contains(line, ch.Dir) {
						t.Errorf("it does not say what is full: %s", line)
					}
					if name == "mount" && !strings.Contains(line, "make room") {
						t.Errorf("it does not say what to do: %s", line)
					}
					t.Log(line)
				default:
					finished = finished || strings.HasSuffix(line, "finished")
					t.Log(line)
				}
			}
			if !finished || len(stops) < 3 {
				t.Errorf("it stopped %d times, and finished: %v", len(stops), finished)
			}
			options := wildCheck
			options.Kills, options.Grace, options.MaxTries = stops, 10*time.Second, 10+len(stops)
			wantPolite(t, web, options)
			checkFolder(t, ch.Copy, web)
		})
	}
}

// TestRemoved moves the folder of a running crawl, or a part of the folder, away. The crawl
// stops and names the missing part. When the folder is back, the crawl resumes.
func TestRemoved(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not rename folders that are in use")
	}
	t.Parallel()
	parts := []string{".", "journal", "store", "archive", "results.jsonl", "owed"}
	if testing.Short() {
		parts = parts[:2]
	}
	for _, part := range parts {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			web := smallWild(t)
			ch := newTask(web, filepath.Join(t.TempDir(), "crawl"))
			ch.Quick = true
			ch.Delay = 20 * time.Millisecond // slow enough that the crawl is still running
			p := ch.start(t)
			ended := make(chan error, 1)
			go func() { ended <- p.Wait() }()
			for web.Served() < 60 && len(ended) == 0 {
				time.Sleep(5 * time.Millisecond)
			}
			place := filepath.Join(ch.Dir, part)
			away := filepath.Join(filepath.Dir(ch.Dir), "away")
			fatal.If(t, os.Rename(place, away))
			err := <-ended
			time.Sleep(served)
			stopped := time.Now()
			text := strings.TrimSpace(p.out.String())
			if err == nil || !strings.Contains(text, "error ") || !strings.Contains(text, ch.Dir) {
				t.Errorf("%v, it said: %s", err, text)
			}
			t.Logf("it stopped after %v: %s", stopped.Sub(web.Began()), text)
			if err := os.RemoveAll(place); err != nil { // files that the process may have created again
				t.Fatal(err)
			}
			fatal.If(t, os.Rename(away, place))
			ch.Seeds = nil
			p = ch.start(t)
			if err := p.Wait(); err != nil || !strings.Contains(p.out.String(), "finished") {
				t.Fatalf("when it was back: %v: %s", err, &p.out)
			}
			options := wildCheck
			options.Kills, options.Grace = []time.Time{stopped}, 10*time.Second
			wantPolite(t, web, options)
			checkFolder(t, ch.Dir, web)
		})
	}
}
