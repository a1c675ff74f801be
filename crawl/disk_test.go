package crawl_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/fulldisk"
	"github.com/robotsexclusion/robots/internal/testweb"
)

// squeeze is what a child does whose disk is too small: it has another process crawl until
// there is no room, says so, gives it a little more room, and has the next one go on, until
// the crawl is finished.
func (ch *child) squeeze() {
	octets := int64(64 << 10) // of a file
	if ch.Disk == "mount" {
		octets = 256 << 10 // of all
		if err := fulldisk.Mount(ch.Dir, octets); err != nil {
			fmt.Println("no small disk:", err)
			return
		}
	}
	for {
		attempt := *ch
		if attempt.Disk = ""; ch.Disk == "limit" {
			attempt.Limit = uint64(octets)
		} else if err := fulldisk.Resize(ch.Dir, octets); err != nil {
			fmt.Println("no small disk:", err)
			return
		}
		cmd, err := attempt.command(context.Background())
		if err != nil {
			fmt.Println(err)
			return
		}
		out, err := cmd.Output()
		text := strings.ReplaceAll(strings.TrimSpace(string(out)), "\n", "; ")
		if err == nil || strings.HasPrefix(text, "no small disk") {
			fmt.Println(text)
			break
		}
		time.Sleep(served)
		fmt.Println("stopped", time.Now().UnixNano(), text)
		octets += octets / 3
	}
	if ch.Disk == "mount" {
		fulldisk.Resize(ch.Dir, 1<<30)
	}
	if err := os.CopyFS(ch.Copy, os.DirFS(ch.Dir)); err != nil {
		fmt.Println("copy:", err)
	}
}

// smallWild is a web that is crawled in a second or two.
func smallWild(t *testing.T) *testweb.Web {
	return startWild(t, testweb.Options{Hosts: 15, Pages: 300, Scale: 0.01, Token: "TestBot", Kinds: []string{"ordinary", "validated", "moved"}, Texts: []string{"none", "folder", "named"}})
}

// TestFullDisk has a crawl run out of room again and again, wherever it is. Each time it
// stops with an error that says so, and goes on when there is more: in the end all is
// there, and the servers have seen no more than that what was under way was asked for
// once more.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"limit": "file too large", "mount": "no space left on device"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && name == "mount" {
				t.Skip("one full disk is enough")
			}
			web := smallWild(t)
			base := t.TempDir()
			ch := newChild(web, filepath.Join(base, "crawl"))
			ch.Disk, ch.Copy = name, filepath.Join(base, "copy")
			if err := os.Mkdir(ch.Dir, 0o777); err != nil {
				t.Fatal(err)
			}
			p := ch.process(t)
			if name == "mount" {
				if err := fulldisk.Isolate(p.Cmd); err != nil {
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
					// Where it waits for itself the server cannot say why it does not answer.
					clear := strings.Contains(line, want) || strings.Contains(line, "does not answer; is the disk full?")
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

// TestRemoved moves the folder of a crawl away while it is in use, or a part of it. The
// crawl stops and says which; when the folder is back, it goes on.
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
			ch := newChild(web, filepath.Join(t.TempDir(), "crawl"))
			ch.Delay = 20 * time.Millisecond // it is not over before
			p := ch.start(t)
			ended := make(chan error, 1)
			go func() { ended <- p.Wait() }()
			for web.Served() < 60 && len(ended) == 0 {
				time.Sleep(5 * time.Millisecond)
			}
			place := filepath.Join(ch.Dir, part)
			away := filepath.Join(filepath.Dir(ch.Dir), "away")
			if err := os.Rename(place, away); err != nil {
				t.Fatal(err)
			}
			err := <-ended
			time.Sleep(served)
			stopped := time.Now()
			text := strings.TrimSpace(p.out.String())
			if err == nil || !strings.Contains(text, "error ") || !strings.Contains(text, ch.Dir) {
				t.Errorf("%v, it said: %s", err, text)
			}
			t.Logf("it stopped after %v: %s", stopped.Sub(web.Began()), text)
			if err := os.RemoveAll(place); err != nil { // what the process may have made anew
				t.Fatal(err)
			}
			if err := os.Rename(away, place); err != nil {
				t.Fatal(err)
			}
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
