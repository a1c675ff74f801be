package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/scripttest"
)

// TestTestweb has the crawler visit exercises of all levels of robots testweb, which runs as a user
// runs it.
func TestTestweb(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a program on Windows is not interrupted")
	}
	robots := filepath.Join(t.TempDir(), "robots")
	build := exec.Command("go", "build", "-o", robots, "github.com/robotsexclusion/robots/cmd/robots")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	duties := []string{"robots-first", "origins", "disallow", "own-group", "escapes", "name", "contact", "safe-methods",
		"link-nofollow", "side-effects"}
	web := exec.CommandContext(t.Context(), robots, "testweb", "--json", "--require", "exemplary", "--duties",
		strings.Join(duties, ","))
	var report strings.Builder
	web.Stdout = &report
	notices, err := web.StderrPipe()
	fatal.If(t, err)
	fatal.If(t, web.Start())
	directions, err := bufio.NewReader(notices).ReadString('\n')
	fatal.If(t, err)
	start := regexp.MustCompile(`http://[0-9.:]+/`).FindString(directions)
	out, err := scripttest.Process(t, "robots", "crawl", "--dir", filepath.Join(t.TempDir(), "crawl"),
		"--allow-private", "--scope", "web", "--no-index", "--delay", "0s",
		"--user-agent", "ExampleBot/1.0 (+https://example.com/bot)", start).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	web.Process.Signal(os.Interrupt)
	if err := web.Wait(); err != nil {
		t.Error(err)
	}
	var r struct {
		Tokens []string
		Duties []struct{ ID, Outcome, Reason string }
	}
	if err := json.Unmarshal([]byte(report.String()), &r); err != nil {
		t.Fatalf("%v: %s", err, report.String())
	}
	if !slices.Equal(r.Tokens, []string{"ExampleBot"}) || len(r.Duties) != len(duties) {
		t.Errorf("%d duties, the tokens are %q", len(r.Duties), r.Tokens)
	}
	for _, d := range r.Duties {
		if d.Outcome != "kept" {
			t.Errorf("%s is %s: %s", d.ID, d.Outcome, d.Reason)
		}
	}
}
