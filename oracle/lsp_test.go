package oracle_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/lint"
	"github.com/robotsexclusion/robots/lint/format"
)

// lspText has characters of all lengths, and line ends of all kinds that the
// library for documents knows.
const lspText = "# \U0001F916 robots\r\nDisallow: /stray\nuser-agent: *\r\nDisalow: /caf\u00e9/\U0001F916\nDisallow: /a\nDisallow: /a/b\r\nSitemap: https://example.com/s.xml"

// An lspTalk is what npm/lsp.mjs prints.
type lspTalk struct {
	Server, Encoding   string
	Diagnostics        []struct{ Code, Message, Place string }
	Hovers             []string
	QuickFixes, FixAll []lspAction
	Formatted          string
	Symbols            []string
	Completed          string
	Robots             int
	Changed            []struct{ Code, Place string }
	Text               string
	Exit               int
}

type lspAction struct {
	Title, Kind string
	Preferred   bool
	Text        string
}

// TestLSP has the libraries of Visual Studio Code talk to "robots lsp".
func TestLSP(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	for _, library := range []string{"vscode-languageserver-protocol", "vscode-languageserver-textdocument"} {
		if _, err := os.Stat(filepath.Join("npm", "node_modules", library)); errors.Is(err, fs.ErrNotExist) {
			t.Skipf(`%s is not installed: run "npm ci" in oracle/npm`, library)
		}
	}
	program := filepath.Join(t.TempDir(), "robots.exe")
	build := exec.Command("go", "build", "-o", program, "./cmd/robots")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, filepath.Join("npm", "lsp.mjs"), program, "lsp", "--stdio")
	cmd.Stdin = strings.NewReader(lspText)
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	var got lspTalk
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}

	report := lint.Run(robots.Parse([]byte(lspText)), lint.Options{Profile: lint.Strict})
	if got.Server != "robots" || got.Encoding != "utf-16" || got.Exit != 0 {
		t.Errorf("server %q, encoding %q, exit status %d", got.Server, got.Encoding, got.Exit)
	}
	var said []string
	for _, d := range got.Diagnostics {
		said = append(said, d.Code+": "+d.Message+": "+d.Place)
	}
	if want := told(report, true); !slices.Equal(said, want) {
		t.Errorf("diagnostics\n got %q\nwant %q", said, want)
	}
	for i, text := range []string{"", "no robot obeys it", "All robots", "Google's parser reads it as", "Closes",
		"Closes", "sitemap"} {
		if !strings.Contains(got.Hovers[i], text) || (text == "") != (got.Hovers[i] == "") {
			t.Errorf("hover on line %d: got %q, want %q in it", i, got.Hovers[i], text)
		}
	}
	fixes := 0
	for i := range report.Diagnostics {
		fix := report.Diagnostics[i].Fix
		if fix == nil {
			continue
		}
		a := got.QuickFixes[fixes]
		fixes++
		if a.Kind != "quickfix" || a.Preferred != fix.Safe || !strings.HasPrefix(a.Title, fix.Title+" (") ||
			a.Text != fix.Apply(lspText) {
			t.Errorf("got action %+v, want fix %q", a, fix.Title)
		}
	}
	for _, a := range got.QuickFixes[fixes:] {
		if !strings.HasPrefix(a.Title, "ignore ") ||
			!strings.Contains(a.Text, "# robots-lint: "+a.Title[:len("ignore")]) {
			t.Errorf("got action %+v", a)
		}
	}
	if len(got.FixAll) != 1 || got.FixAll[0].Kind != "source.fixAll.robots" || got.FixAll[0].Text != report.Fix() {
		t.Errorf("all fixes: got %+v, want %q", got.FixAll, report.Fix())
	}
	if want := format.Source(lspText); got.Formatted != want {
		t.Errorf("formatted: got %q, want %q", got.Formatted, want)
	}
	if want := []string{"Disallow: /stray", "*", "Sitemap: https://example.com/s.xml"}; !slices.Equal(got.Symbols,
		want) {
		t.Errorf("symbols: got %q, want %q", got.Symbols, want)
	}
	if got.Text != "User-agent: Goo\r\n"+lspText || got.Completed != "User-agent: Googlebot\r\n"+lspText ||
		got.Robots < 2 || got.Robots > 100 {
		t.Errorf("typed %q, completed %q, of %d robots", got.Text, got.Completed, got.Robots)
	}
	said = nil
	for _, d := range got.Changed {
		said = append(said, d.Code+": "+d.Place)
	}
	if want := told(lint.Run(robots.Parse([]byte(got.Text)), lint.Options{Profile: lint.Strict}),
		false); !slices.Equal(said, want) {
		t.Errorf("diagnostics after the changes\n got %q\nwant %q", said, want)
	}
}

// told returns the diagnostics of a report with the text of their places.
func told(report *lint.Report, messages bool) (all []string) {
	starts := make(map[int]int)
	for number, line := range report.Policy.Lines() {
		starts[number] = line.Offset
	}
	for _, d := range report.Diagnostics {
		message := ""
		if messages {
			message = ": " + d.Message
		}
		start := starts[d.Line] - 1
		all = append(all, fmt.Sprintf("%s%s: %s", d.Check.Name, message, report.Policy.String()[start+d.Column:start+
			d.EndColumn]))
	}
	return all
}
