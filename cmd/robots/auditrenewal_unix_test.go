//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditsites"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// renewed reads that there is a new version, and returns a time at which no robot may go by the one
// before.
func (f *followed) renewed(rest string) time.Time {
	f.t.Helper()
	line, err := f.stderr.ReadString('\n')
	_, from, ok := strings.Cut(line, "a new version of robots.txt counts from ")
	from, _, _ = strings.Cut(from, " on: ")
	at, parseErr := time.Parse(time.RFC3339, from)
	if !ok || err != nil || parseErr != nil || !strings.Contains(line, rest) {
		f.t.Fatalf("standard error: got %q, %v, want a new version%s", line, err, rest)
	}
	return at.Add(alone)
}

// replace writes a file beside another and renames it, as a careful deployment does.
func (f *followed) replace(name, text string) {
	f.t.Helper()
	f.must(os.WriteFile(name+".new", []byte(text), 0o600))
	f.must(os.Rename(name+".new", name))
}

const (
	closedFirst = "User-agent: *\nDisallow: /first/\n"
	closedThen  = "User-agent: *\nDisallow: /then/\n"
)

// exact are flags with which a version counts at once. After alone, no other one does.
var exact = []string{"--reread", "100ms", "--grace", "1s", "--slack", "1s"}

const alone = 3 * time.Second

// A robots.txt that changes counts from the change on. One that cannot be read leaves the last one
// in force.
func TestAuditFollowRenews(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	robots, log := filepath.Join(folder, "robots.txt"), filepath.Join(folder, "access.log")
	f := &followed{t: t}
	f.replace(robots, closedFirst)
	f = followLog(t, log, append(exact, "--robots", robots, "--metrics", "127.0.0.1:0")...)
	f.says("figures at")
	f.says("does not exist")
	f.write(log, "/first/1", "/then/1")
	f.want("/first/1")

	f.replace(robots, closedThen)
	at := f.renewed("robots.txt of ")
	f.writeAt(at, log, "/first/2", "/then/2")
	f.want("/then/2")
	f.writeAt(at.Add(-10*time.Minute), log, "/then/3", "/first/3") // a slow answer, from before the change
	f.want("/first/3")

	f.must(os.Remove(robots))
	f.says("robots.txt cannot be read again, and what was read last still counts")
	f.must(os.Mkdir(robots, 0o700))
	f.says("robots.txt cannot be read again, and what was read last still counts")
	f.writeAt(at, log, "/first/4", "/then/4")
	f.want("/then/4")
	f.must(os.Remove(robots))
	f.says("robots.txt cannot be read again")

	f.replace(robots, "") // an empty file allows everything
	at = f.renewed("which disallows nothing, because it has no group")
	f.writeAt(at.Add(-time.Second), log, "/first/5", "/then/5") // may be read only after the next change
	f.replace(robots, closedFirst)
	at = f.renewed("robots.txt of ")
	f.writeAt(at, log, "/first/6", "/then/6")
	f.want("/first/6")
}

// A new commit counts.
func TestAuditFollowRenewsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	t.Parallel()
	folder, log := t.TempDir(), filepath.Join(t.TempDir(), "access.log")
	f := &followed{t: t}
	commit := func(text string) {
		t.Helper()
		f.replace(filepath.Join(folder, "robots.txt"), text)
		for _, args := range [][]string{{"add", "robots.txt"}, {"-c", "user.name=a", "-c", "user.email=a@example.com",
			"commit", "-q", "-m", "robots.txt"}} {
			if out, err := exec.Command("git",
				append([]string{"-C", folder}, args...)...).CombinedOutput(); err != nil {
				t.Fatalf("git %q: %v: %s", args, err, out)
			}
		}
	}
	f.must(exec.Command("git", "-C", folder, "init", "-q").Run())
	commit(closedFirst)
	f = followLog(t, log, append([]string{"--git", folder + ":robots.txt", "--metrics", "127.0.0.1:0"}, exact...)...)
	f.says("figures at")
	f.says("does not exist")
	f.writeAt(time.Now().Add(alone), log, "/then/1", "/first/1")
	f.want("/first/1")
	commit(closedThen)
	f.writeAt(f.renewed(" on: "), log, "/first/2", "/then/2")
	f.want("/then/2")
}

// What robots fetch keeps while the log is followed counts. Nothing is held against robots between
// two versions, and after the last request for robots.txt.
func TestAuditFollowRenewsHistory(t *testing.T) {
	t.Parallel()
	folder, log := t.TempDir(), filepath.Join(t.TempDir(), "access.log")
	f := &followed{t: t}
	now := time.Now().Truncate(time.Second)
	fetched := func(after time.Duration, text string) {
		t.Helper()
		f.must(putHistory(folder, "https://shop.example.com", now.Add(after), text))
	}
	fetched(-time.Hour, closedFirst)
	fetched(0, closedFirst)
	f = followLog(t, log, append([]string{"--history", folder, "--metrics", "127.0.0.1:0"}, exact...)...)
	f.says("ends with the last request for robots.txt")
	f.says("name no host")
	f.says("figures at")
	f.says("does not exist")
	f.writeAt(now.Add(5*time.Minute), log, "/first/1") // nothing is known yet
	f.writeAt(now.Add(-time.Minute), log, "/then/2", "/first/2")
	f.want("/first/2")

	fetched(10*time.Minute, closedFirst)
	fetched(20*time.Minute, closedThen)
	fetched(30*time.Minute, closedThen)
	f.renewed(" on: ")
	f.writeAt(now.Add(15*time.Minute), log, "/first/3", "/then/3") // when the text changed is not known
	f.writeAt(now.Add(31*time.Minute), log, "/then/4")
	f.writeAt(now.Add(5*time.Minute), log, "/then/5", "/first/5")
	f.want("/first/5")
	f.writeAt(now.Add(25*time.Minute), log, "/first/6", "/then/6")
	f.want("/then/6")
}

// Ranges that change count.
func TestAuditFollowRenewsRanges(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	robots, log, ranges := filepath.Join(folder, "robots.txt"), filepath.Join(folder, "access.log"),
		filepath.Join(folder, "ranges")
	f := &followed{t: t}
	file := filepath.Join(ranges, "https%3A%2F%2Fopenai.com%2Fgptbot.json")
	f.must(os.Mkdir(ranges, 0o700))
	f.replace(file, `{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}`)
	f.replace(robots, closedFirst)
	f = followLog(t, log, append(exact, "--robots", robots, "--ranges", ranges, "--metrics", "127.0.0.1:0")...)
	f.says("figures at")
	f.says("does not exist")
	request := func() string {
		t.Helper()
		out, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		f.must(err)
		fmt.Fprintf(out, "192.0.2.1 - - [%s] \"GET /first/ HTTP/1.1\" 200 5 \"-\" \"GPTBot/1.0\"\n",
			time.Now().Format("02/Jan/2006:15:04:05 -0700"))
		out.Close()
		line, err := f.out.ReadString('\n')
		f.must(err)
		return line
	}
	if line := request(); !strings.Contains(line, `"identity":"verified","class":"certain"`) {
		t.Errorf("got %s", line)
	}
	f.replace(file, `{"prefixes": [{"ipv4Prefix": "198.51.100.0/24"}]}`)
	for began := time.Now(); !strings.Contains(request(), `"class":"forged"`); {
		if time.Since(began) > time.Minute {
			t.Fatal("the new ranges do not count")
		}
	}
}

// Half a robots.txt, which is just being written, does not count. The whole one counts from the
// last look before.
func TestAuditRenewalWaits(t *testing.T) {
	name := filepath.Join(t.TempDir(), "robots.txt")
	write := func(text string) {
		t.Helper()
		fatal.If(t, os.WriteFile(name, []byte(text), 0o600))
	}
	write(closedFirst)
	sources, err := auditsites.Parse(auditsites.Values{Robots: []string{name}})
	fatal.If(t, err)
	synctest.Test(t, func(t *testing.T) {
		began := time.Now().UTC().Truncate(time.Second)
		sites, err := sources.Read(t.Context(), nil)
		fatal.If(t, err)
		notices := 0
		r := newAuditRenewal(&auditor{}, sources, sites.Versions, 30*time.Second, func(error) { notices++ })
		time.Sleep(30 * time.Second)
		write("User-agent: *\nDisallow: /")
		var after map[string][]audit.Version
		go func() {
			after, err = r.renew(context.Background())
		}()
		synctest.Wait()
		write(closedThen)
		time.Sleep(writing)
		synctest.Wait()
		if after != nil || err != nil || notices > 0 {
			t.Fatalf("half a file: got %v, %v", after, err)
		}
		after, err = r.renew(context.Background())
		if err != nil || notices != 1 || len(after[""]) != 2 {
			t.Fatalf("the whole file: got %v, %v, %d notices", after, err, notices)
		}
		if v := after[""][1]; string(v.Text) != closedThen || !v.From.Equal(began) {
			t.Errorf("got %q from %v, want %q from %v", v.Text, v.From, closedThen, began)
		}
		if after, err = r.renew(context.Background()); after != nil || err != nil {
			t.Errorf("nothing changed: got %v, %v", after, err)
		}
	})
}
