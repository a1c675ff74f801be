//go:build linux

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"syscall"
	"testing"
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
	if err != nil {
		t.Fatal(err)
	}
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
