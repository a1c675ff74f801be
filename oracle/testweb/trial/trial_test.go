//go:build linux

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestMain looks for networks instead of running the tests if TestNamespace starts it.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "probe" {
		fmt.Print(loopbackUp())
		return
	}
	os.Exit(m.Run())
}

// TestRobotsAreComplete checks the list of robots: what the table needs is there, and so are the
// files that commands name.
func TestRobotsAreComplete(t *testing.T) {
	file := regexp.MustCompile(`\$FILES/([a-z_.-]+)`)
	slugs := make(map[string]bool)
	for _, r := range robots {
		if r.name == "" || r.install == "" || r.version == "" || r.polite == "" {
			t.Errorf("%q: a field is empty", r.name)
		}
		if slugs[slug(r.name)] {
			t.Errorf("%s: another robot has the same folder of results", r.name)
		}
		slugs[slug(r.name)] = true
		for _, m := range file.FindAllStringSubmatch(r.defaults+r.polite, -1) {
			if m[1] == "node_modules" {
				continue
			}
			if _, err := fs.Stat(files, "robots/"+m[1]); err != nil {
				t.Errorf("%s: %v", r.name, err)
			}
		}
	}
}

// TestNamespace checks that robots reach loopback and nothing else.
func TestNamespace(t *testing.T) {
	cmd, err := insideCommand("probe")
	fatal.If(t, err)
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Skip("namespaces need root, or the right to make user namespaces")
	}
	if err != nil || string(out) != "<nil>" {
		t.Errorf("%v: %s", err, out)
	}
}

// TestVerdictOfRuns checks that runs which contradict each other are shown as such, and that
// a run which does not show a duty contradicts nothing.
func TestVerdictOfRuns(t *testing.T) {
	tests := []struct{ first, second, want string }{
		{"kept", "kept", "kept"},
		{"kept", "not shown", "kept"},
		{"not shown", "broken", "broken"},
		{"broken", "kept", "differs"},
		{"kept", "broken", "differs"},
		{"not shown", "not shown", "not shown"},
	}
	for _, tt := range tests {
		v := visit{reports: []report{
			{Duties: []duty{{ID: "x", Outcome: tt.first}}},
			{Duties: []duty{{ID: "x", Outcome: tt.second}}},
		}}
		if got := v.verdict("x"); got != tt.want {
			t.Errorf("%s and %s: got %q, want %q", tt.first, tt.second, got, tt.want)
		}
	}
}

// TestOutcome checks that robots are not praised for links that they had no time for.
func TestOutcome(t *testing.T) {
	scrapy := slices.IndexFunc(robots, func(r robot) bool { return r.follows })
	wget := slices.IndexFunc(robots, func(r robot) bool { return !r.follows })
	tests := []struct {
		robot int
		busy  bool
		id    string
		want  string
	}{
		{wget, false, "page-nofollow", "kept"},
		{wget, true, "page-nofollow", "not shown"},
		{wget, true, "disallow", "kept"},
		{scrapy, false, "page-nofollow", "not shown"},
		{scrapy, true, "disallow", "kept"},
	}
	for _, tt := range tests {
		v := visit{robot: tt.robot}
		if got := v.outcome(report{busy: tt.busy, Duties: []duty{{ID: tt.id, Outcome: "kept"}}},
			tt.id); got != tt.want {
			t.Errorf("%s, busy %t: %s is %q, want %q", robots[tt.robot].name, tt.busy, tt.id, got, tt.want)
		}
	}
}

// TestLastRequest reads the time of the last line of a log.
func TestLastRequest(t *testing.T) {
	const line = "a.test 127.0.0.1 - - [23/Nov/2026:15:15:06 +0000] \"GET / HTTP/1.1\" 200 9 \"-\" \"[x]\"\n"
	want := time.Date(2026, 11, 23, 15, 15, 6, 0, time.UTC)
	for _, log := range []string{line, "other [1] line\n" + line} {
		if got := lastRequest(log); !got.Equal(want) {
			t.Errorf("%q: got %v, want %v", log, got, want)
		}
	}
	if got := lastRequest(""); !got.IsZero() {
		t.Errorf("empty log: got %v", got)
	}
}
