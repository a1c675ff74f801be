package main

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/robotsexclusion/robots/internal/robottest"
	"github.com/robotsexclusion/robots/internal/test/scripttest"
)

// TestTestweb has the crawler visit exercises of all levels of robots testweb.
func TestTestweb(t *testing.T) {
	t.Parallel()
	duties := []string{"robots-first", "origins", "disallow", "own-group", "escapes", "name", "contact", "safe-methods",
		"link-nofollow", "side-effects"}
	web, err := robottest.Start(t.Context(), robottest.Options{Duties: duties})
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	out, err := scripttest.Process(t, "robots", "crawl", "--dir", filepath.Join(t.TempDir(), "crawl"),
		"--allow-private", "--scope", "web", "--no-index", "--delay", "0s",
		"--user-agent", "ExampleBot/1.0 (+https://example.com/bot)", web.StartPage()).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	r, err := web.Report()
	if err != nil {
		t.Fatal(err)
	}
	if required, _ := robottest.ParseLevel("exemplary"); !r.Passes(required, false) ||
		!slices.Equal(r.Tokens, []string{"ExampleBot"}) || len(r.Duties) != len(duties) {
		t.Errorf("%d duties, the tokens are %q", len(r.Duties), r.Tokens)
	}
	for _, d := range r.Duties {
		if d.Outcome != robottest.Kept {
			t.Errorf("%s is %s: %s", d.ID, d.Outcome, d.Reason)
		}
	}
}
