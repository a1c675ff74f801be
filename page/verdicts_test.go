package page_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/page"
)

// A verdict is what another parser is expected to say of a page.
type verdict struct {
	Source, Dialect, Policy string
	Headers                 []string
	Meta                    [][2]string
	HTML, Agent, Now        string
	Expect                  map[string]bool
	ExpectNotAll            []string `json:"expect_not_all"` // one of them does not hold
	ExpectAny               []string `json:"expect_any"`     // one of them holds
	ExpectNone              []string `json:"expect_none"`    // none of them holds
}

// TestVerdicts answers what the tests of other parsers ask. Where the answers
// differ, testdata/disagreements.txt says why.
func TestVerdicts(t *testing.T) {
	f, err := os.Open(corpus.Path(t, "verdicts", "other", "page_directives.jsonl"))
	fatal.If(t, err)
	defer f.Close()
	known := disagreements(t)
	met := make(map[string]int)
	asked := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var v verdict
		fatal.If(t, json.Unmarshal(lines.Bytes(), &v))
		if v.Policy == "last-wins" {
			met[v.Dialect+" last-wins"]++
			continue
		}
		asked++
		d := v.decide(t)
		for name, want := range v.Expect {
			if holds(d, name) == want {
				continue
			}
			class := v.Dialect + " " + v.class(d, name)
			if _, ok := known[class]; !ok {
				t.Errorf("%s: %s\n%s is %t, want %t: %v", v.Source, lines.Text(), name, !want, want, d)
			}
			met[class]++
		}
		for _, list := range []struct {
			names []string
			want  bool
		}{
			{v.ExpectNotAll, !slices.ContainsFunc(v.ExpectNotAll, func(name string) bool { return !holds(d, name) })},
			{v.ExpectAny, !slices.ContainsFunc(v.ExpectAny, func(name string) bool { return holds(d, name) })},
			{v.ExpectNone, slices.ContainsFunc(v.ExpectNone, func(name string) bool { return holds(d, name) })},
		} {
			if list.names == nil || !list.want {
				continue
			}
			class := v.Dialect + " " + v.class(d, list.names[0])
			if _, ok := known[class]; !ok {
				t.Errorf("%s: %s\n%v", v.Source, lines.Text(), d)
			}
			met[class]++
		}
	}
	if asked < 100 {
		t.Errorf("only %d verdicts were asked for", asked)
	}
	for class := range known {
		if met[class] == 0 {
			t.Errorf("testdata/disagreements.txt: nobody disagrees about %q", class)
		}
	}
}

func (v *verdict) decide(t *testing.T) *page.Decision {
	o := page.Options{Header: http.Header{"X-Robots-Tag": v.Headers}}
	for _, m := range v.Meta {
		o.Meta = append(o.Meta, page.Meta{Name: m[0], Content: m[1]})
	}
	if v.Now != "" {
		now, err := time.Parse(time.RFC3339, v.Now)
		fatal.If(t, err)
		o.Now = now
	}
	switch v.Policy {
	case "restrictive":
	case "last-wins+all-resets":
		o.Reading = page.Reading1996
	default:
		t.Errorf("unknown policy %q", v.Policy)
	}
	return read(t, []byte(v.HTML), o).For(v.Agent)
}

// class returns the class of a disagreement about a directive.
func (v *verdict) class(d *page.Decision, name string) string {
	implied := []string{"archive", "cache", "imageindex", "odp", "snippet", "translate"}
	switch {
	case slices.Contains(implied, strings.TrimPrefix(name, "no")) && !d.Index:
		if v.Dialect == "stormcrawler" {
			return "none-is-nocache"
		}
		return "noindex-implies"
	case strings.ContainsAny(strings.Join(v.Headers, ""), "\n"), len(v.Meta) > 0 &&
		strings.ContainsAny(v.Meta[0][1], "\n"):
		return "line-end"
	case name == "noai" && !d.ImageAI:
		return "noimageai-is-noai"
	}
	return "other"
}

// holds reports whether a directive holds, or what it would permit.
func holds(d *page.Decision, name string) bool {
	says := func(name string) bool {
		return slices.ContainsFunc(d.InForce(), func(d page.Directive) bool { return d.Name == name })
	}
	if positive, ok := strings.CutPrefix(name, "no"); ok && name != "none" {
		switch positive {
		case "index", "follow", "archive", "cache", "snippet", "translate", "imageindex", "odp", "ai", "imageai":
			return !holds(d, positive)
		}
	}
	switch name {
	case "index":
		return d.Index
	case "follow":
		return d.Follow
	case "none":
		return !d.Index && !d.Follow
	case "archive", "cache":
		return d.Archive
	case "snippet":
		return d.Snippet
	case "translate":
		return d.Translate
	case "imageindex":
		return d.ImageIndex
	case "odp":
		return !says("noodp")
	case "ai":
		return d.AI
	case "imageai":
		return d.ImageAI
	case "all":
		for _, name := range []string{"index", "follow", "archive", "snippet", "translate", "imageindex", "odp"} {
			if !holds(d, name) {
				return false
			}
		}
		return true
	}
	return false
}

// disagreements returns the classes of testdata/disagreements.txt.
func disagreements(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/disagreements.txt")
	fatal.If(t, err)
	classes := make(map[string]string)
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 3 {
			t.Fatalf("testdata/disagreements.txt: not three parts: %s", line)
		}
		classes[parts[0]+" "+parts[1]] = parts[2]
	}
	return classes
}
