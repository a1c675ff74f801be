//go:build linux

package main

import (
	"io/fs"
	"regexp"
	"testing"
)

// TestRobotsAreComplete checks the list of robots: what the table needs is there, and so are the
// files that commands name.
func TestRobotsAreComplete(t *testing.T) {
	file := regexp.MustCompile(`\$FILES/([a-z_.-]+)`)
	names := make(map[string]bool)
	for _, r := range robots {
		if r.name == "" || r.install == "" || r.version == "" || r.polite == "" {
			t.Errorf("%q: a field is empty", r.name)
		}
		if names[r.name] {
			t.Errorf("%s: two robots have this name", r.name)
		}
		names[r.name] = true
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
