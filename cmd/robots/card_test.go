package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// cardTexts have the situations for which a card proposes different commands.
var cardTexts = map[string]string{
	"ordinary": "User-agent: *\nDisallow: /private/\nSitemap: https://example.com/map.xml\n",
	"closed":   "User-agent: *\nDisallow: /\n",
	"ai":       "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow:\n",
	"mistakes": "User-agent: *\nDisalow: /x\nDisallow: y\nDisallow: /a b\nAlow: /\nfoo\nbar: x\nDisallow: /\\\n",
	"readers":  "User-agent: *\nDisallow: /x/%2a\nAllow: /x/%2A\n",
	"html":     "<!DOCTYPE html><p>Not found",
	"utf-16":   "\xff\xfeU\x00s\x00e\x00r\x00-\x00",
	"empty":    "",
	// some robots of each purpose have groups of their own
	"many": "User-agent: GPTBot\nUser-agent: PerplexityBot\nUser-agent: Claude-User\nUser-agent: bingbot\n" +
		"Disallow: /\n\nUser-agent: CCBot\nUser-agent: OAI-SearchBot\nUser-agent: ChatGPT-User\n" +
		"User-agent: Yandex\nDisallow: /a\nDisallow: /b\n\nUser-agent: ClaudeBot\nUser-agent: YouBot\n" +
		"User-agent: UseAI\nUser-agent: Slurp\nUser-agent: AhrefsBot\nAllow: /\n\nUser-agent: *\n" +
		"Disalow: /x\nDisallow: y\nAlow: /\nfoo\nDisallow: /c\nDisallow: /d/\nDisallow: /e\n",
}

// TestCards makes the card of each situation, for a file and for a site, in each language. It fits
// on a screen, and what it proposes is a command line that the verb takes.
func TestCards(t *testing.T) {
	dir := t.TempDir()
	known := make(map[string]bool)
	for name, text := range cardTexts {
		file := filepath.Join(dir, name+".txt")
		fatal.If(t, os.WriteFile(file, []byte(text), 0o666))
		answer := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
		site := httptest.NewServer(http.HandlerFunc(answer))
		defer site.Close()
		for _, subject := range []string{file, site.URL} {
			for _, code := range language.Codes() {
				args := []string{subject, "--lang", code}
				if subject == site.URL {
					args = append(args, "--allow-private")
				}
				out, errs, status := cardOf(args...)
				lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
				if status != cli.StatusYes || errs != "" || len(lines) > 24 || len(lines) < 12 {
					t.Errorf("%s in %s: status %d, %d lines\n%s%s", name, code, status, len(lines), out, errs)
				}
				commands := 0
				for _, line := range lines {
					if command, ok := strings.CutPrefix(line, "  robots "); ok {
						command, _, _ = strings.Cut(command, "  ")
						checkProposal(t, strings.Fields(command))
						known[strings.Fields(command)[0]] = true
						commands++
					}
				}
				if commands == 0 || commands > 3 {
					t.Errorf("%s in %s: %d commands\n%s", name, code, commands, out)
				}
			}
		}
	}
	for _, verb := range []string{"lint", "match", "audit", "monitor"} {
		if !known[verb] {
			t.Errorf("no card proposes %s", verb)
		}
	}
}

// cardOf runs the command in this process.
func cardOf(args ...string) (out, errs string, status int) {
	var stdout, stderr bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(&stdout)
	root.SetErr(&stderr)
	status = cli.Run(root)
	return stdout.String(), stderr.String(), status
}

// checkProposal checks that a command line, without the name of the program, is one that its verb
// takes.
func checkProposal(t *testing.T, args []string) {
	t.Helper()
	verb, rest, err := newRoot().Find(args)
	if err != nil || verb.Name() != args[0] {
		t.Errorf("%v is not a verb: %v", args, err)
		return
	}
	if verb.DisableFlagParsing {
		return // another program has the verb
	}
	for i := range rest {
		rest[i] = strings.Trim(rest[i], "'")
	}
	if err := verb.ParseFlags(rest); err != nil {
		t.Errorf("%v: %v", args, err)
	} else if err := verb.ValidateArgs(verb.Flags().Args()); err != nil {
		t.Errorf("%v: %v", args, err)
	}
}

// TestCardStates has a line for each state in the text.
func TestCardStates(t *testing.T) {
	file := filepath.Join(t.TempDir(), "robots.txt")
	for rules, want := range map[string]string{
		"Disallow:":                               "all others      open",
		"Disallow: /":                             "all others      closed",
		"Disallow: /a":                            "all others      open except for /a",
		"Disallow: /\nAllow: /a":                  "all others      closed except for /a",
		"Disallow: /a\nDisallow: /b":              "all others      open except for 2 patterns: /a, /b",
		"Disallow: /\nAllow: /a$\nAllow: /*.css$": "all others      closed except for 2 patterns: /a$, /*.css$",
	} {
		fatal.If(t, os.WriteFile(file, []byte("User-agent: *\n"+rules+"\n"), 0o666))
		if out, _, _ := cardOf(file, "--lang", "en"); !strings.Contains(out, want+"\n") {
			t.Errorf("%q: %s\nwant %s", rules, out, want)
		}
	}
}
