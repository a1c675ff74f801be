package export

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export/internal/headerregex"
	"github.com/robotsexclusion/robots/export/internal/pathregex"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

var update = flag.Bool("update", false, "rewrite the table of refusals in doc/export.md")

// The lines around the table of refusals in doc/export.md.
const (
	refusalsBegin = "<!-- refusals, by go test -run TestRefusals -update ./export -->\n"
	refusalsEnd   = "<!-- end of refusals -->"
)

type reason struct{ title, part string }

// reasons are the reasons of refusals in the order of the table, by a part of their text.
var reasons = []reason{
	{"a rule is too long", "this server takes"},
	{"a `%` before `*`", `a "%" before "*"`},
	{"a hex digit between two `*`", "a single hex digit"},
	{"too many expressions", "expressions, more than"},
	{"all is too large", "its configuration would have"},
}

// spellings are the other spellings of these servers.
var spellings = map[string]*spelling{"haproxy": haproxySpelling, "varnish": varnishSpelling, "apache": apacheSpelling,
	"caddy": caddySpelling}

// syntaxes are the syntaxes of the servers with expressions. The Lua file has no refusals but the
// size.
var syntaxes = map[string]*pathregex.Syntax{"nginx": &nginxSyntax, "haproxy": &haproxySyntax, "varnish": &varnishSyntax,
	"apache": &apacheSyntax, "caddy": &caddySyntax}

// refusalOf returns the refusal of a policy by a server, or nil. For a small file it writes only
// the expressions of paths, which alone can be refused: those for names of robots take most of the
// time.
func refusalOf(t *testing.T, server string, p *plan, size int) *Refusal {
	t.Helper()
	var err error
	if size > 100<<10 {
		_, err = Write(server, p.policy, Options{})
	} else {
		p.server = server
		for i := range p.groups {
			obeyed := i == p.everyone || slices.ContainsFunc(p.names,
				func(n headerregex.Name) bool { return int(n.Class) == i })
			if err == nil && obeyed {
				d := &decision{groups: make(map[int][2][]line), served: make(map[int][2][]line)}
				err = p.addPaths(d, syntaxes[server], spellings[server], i)
			}
		}
	}
	refusal, ok := errors.AsType[*Refusal](err)
	if err != nil && !ok {
		t.Fatalf("%s: %v", server, err)
	}
	return refusal
}

// TestRefusals holds the number of files of the corpus that each server refuses, and the reasons,
// against the table in doc/export.md. Without ROBOTS_CORPUS_ALL it reads some files, and counts
// nothing.
func TestRefusals(t *testing.T) {
	names := []string{"nginx", "haproxy", "varnish", "apache", "caddy"}
	counts := make(map[string][]int)
	for _, server := range names {
		counts[server] = make([]int, len(reasons))
	}
	seen := make(map[string]bool)
	files := corpus.Files(t, "*")
	if !corpus.All() { // the table is of all files
		files = corpus.Every(100, files)
	}
	for _, f := range files {
		if seen[string(f.Data)] {
			continue
		}
		seen[string(f.Data)] = true
		p, err := newPlan("", robots.Parse(f.Data), Options{})
		fatal.If(t, err)
		for _, server := range names {
			refusal := refusalOf(t, server, p, len(f.Data))
			if refusal == nil {
				continue
			}
			t.Logf("%s: %v", f.Name, refusal)
			i := slices.IndexFunc(reasons, func(r reason) bool { return strings.Contains(refusal.Reason, r.part) })
			if i < 0 {
				t.Errorf("%s: no reason of the table: %v", f.Name, refusal)
				continue
			}
			counts[server][i]++
		}
	}
	if !corpus.All() {
		return
	}
	text := fmt.Sprintf("\nOf the %d,%03d different real files in our corpus, the command refuses for each server:"+
		"\n\n| server |", len(seen)/1000, len(seen)%1000)
	for _, r := range reasons {
		text += " " + r.title + " |"
	}
	text += "\n|---|" + strings.Repeat("---|", len(reasons)) + "\n"
	for _, server := range names {
		text += "| " + server + " |"
		for _, n := range counts[server] {
			text += fmt.Sprintf(" %d |", n)
		}
		text += "\n"
	}
	const name = "../doc/export.md"
	doc, err := os.ReadFile(name)
	fatal.If(t, err)
	before, rest, ok1 := strings.Cut(string(doc), refusalsBegin)
	table, after, ok2 := strings.Cut(rest, refusalsEnd)
	switch {
	case !ok1 || !ok2:
		t.Fatalf("%s has no lines %q and %q", name, refusalsBegin, refusalsEnd)
	case table == text:
	case !*update:
		t.Errorf("%s has the table\n%s\nbut the counts are\n%s", name, table, text)
	default:
		fatal.If(t, os.WriteFile(name, []byte(before+refusalsBegin+text+refusalsEnd+after), 0o644))
	}
}
