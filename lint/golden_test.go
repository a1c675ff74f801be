package lint

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/proof"
)

var update = flag.Bool("update", false, "rewrite what the golden files in testdata expect")

// A golden is a file in testdata: its purpose, then cases. A case is a text for the check, the
// expected diagnostics, and the text with all fixes applied, safe or not.
//
// A section "robots.txt" is the text verbatim. In "robots.txt quoted" and "fixed quoted" each
// line is a part of the text, escaped as in Go, and line ends are part of the text only if
// escaped; "robots.txt quoted times 30000" is repeated. Several such sections in a row are one
// text. A section "options" before them has options of the case as JSON, beside the check.
type golden struct {
	why   string
	cases []*goldenCase
}

type goldenCase struct {
	input       []section // as written
	text        string
	quoted      bool
	options     string
	want, fixed string
}

type section struct{ name, body string }

// sections splits a txtar text.
func sections(text string) (comment string, all []section) {
	var b strings.Builder
	flush := func() {
		if len(all) == 0 {
			comment = b.String()
		} else {
			all[len(all)-1].body = b.String()
		}
		b.Reset()
	}
	for l := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(strings.TrimRight(l, "\n"), "-- "); ok && strings.HasSuffix(name, " --") {
			flush()
			all = append(all, section{name: strings.TrimSuffix(name, " --")})
			continue
		}
		b.WriteString(l)
	}
	flush()
	return comment, all
}

func unquoted(t *testing.T, s string) string {
	t.Helper()
	var b strings.Builder
	for l := range strings.Lines(s) {
		part, err := strconv.Unquote(`"` + strings.TrimRight(l, "\n") + `"`)
		if err != nil {
			t.Fatalf("cannot unquote %s: %v", l, err)
		}
		b.WriteString(part)
	}
	return b.String()
}

func readGolden(t *testing.T, file string) *golden {
	t.Helper()
	data, err := os.ReadFile(file)
	fatal.If(t, err)
	g := &golden{}
	why, all := sections(string(data))
	g.why = why
	var c *goldenCase
	last, options := "", ""
	for _, s := range all {
		kind, form, _ := strings.Cut(s.name, " ")
		if kind == "options" {
			options, last = s.body, kind
			continue
		}
		if kind == "robots.txt" && (c == nil || last != "robots.txt") {
			c = &goldenCase{options: options}
			g.cases = append(g.cases, c)
			options = ""
		}
		if c == nil {
			t.Fatalf("%s: section %q before robots.txt", file, s.name)
		}
		last = kind
		switch kind {
		case "robots.txt":
			c.input = append(c.input, s)
			body, times := s.body, 1
			if rest, ok := strings.CutPrefix(form, "quoted"); ok {
				c.quoted = true
				body = unquoted(t, body)
				if n, ok := strings.CutPrefix(rest, " times "); ok {
					if times, err = strconv.Atoi(n); err != nil {
						t.Fatal(err)
					}
				}
			}
			c.text += strings.Repeat(body, times)
		case "want":
			c.want = s.body
		case "fixed":
			c.fixed = s.body
		default:
			t.Fatalf("%s: no section is called %q", file, s.name)
		}
	}
	return g
}

func (g *golden) String() string {
	var b strings.Builder
	b.WriteString(g.why)
	for _, c := range g.cases {
		if c.options != "" {
			fmt.Fprintf(&b, "-- options --\n%s", c.options)
		}
		for _, s := range c.input {
			fmt.Fprintf(&b, "-- %s --\n%s", s.name, s.body)
		}
		fmt.Fprintf(&b, "-- want --\n%s", c.want)
		switch {
		case c.fixed != "" && c.quoted:
			fmt.Fprintf(&b, "-- fixed quoted --\n%s", c.fixed)
		case c.fixed != "":
			fmt.Fprintf(&b, "-- fixed --\n%s", c.fixed)
		}
	}
	return b.String()
}

// quoted returns a text in the form of a section: line by line, escaped.
func quoted(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		q := strconv.Quote(l)
		b.WriteString(q[1:len(q)-1] + "\n")
	}
	return b.String()
}

// only returns options that run one check. The check of unused ignores also needs a check to
// ignore.
func only(check *Check) Options {
	o := Options{Profile: Strict, Enable: []string{check.Name}}
	for _, c := range Checks() {
		if c != check && (c != emptyAgent || check != unusedIgnore) {
			o.Disable = append(o.Disable, c.Name)
		}
	}
	return o
}

// with returns the options of a case, for one check.
func (c *goldenCase) with(t *testing.T, check *Check) Options {
	t.Helper()
	o := only(check)
	if c.options == "" {
		return o
	}
	var more struct {
		Profile  string
		Origin   string
		Response *Response
		Sitemaps []Sitemap
	}
	d := json.NewDecoder(strings.NewReader(c.options))
	d.DisallowUnknownFields()
	if err := d.Decode(&more); err != nil {
		t.Fatalf("options of a case: %v", err)
	}
	if more.Profile != "" {
		o.Profile, _ = ParseProfile(more.Profile)
	}
	o.Origin, o.Response, o.Sitemaps = more.Origin, more.Response, more.Sitemaps
	return o
}

// found returns the diagnostics of a report in the form of a golden file.
func found(r *Report) string {
	var b strings.Builder
	for _, d := range r.Diagnostics {
		fmt.Fprintf(&b, "%d:%d-%d: %s: %s\n", d.Line, d.Column, d.EndColumn, d.Severity, d.Message)
		for _, rel := range d.Related {
			fmt.Fprintf(&b, "    line %d: %s\n", rel.Line, rel.Message)
		}
		if d.Fix != nil {
			safe := ""
			if d.Fix.Safe {
				safe = ", safe"
			}
			fmt.Fprintf(&b, "    fix (%s%s): %s\n", d.Fix.Effect, safe, d.Fix.Title)
		}
	}
	for _, o := range r.Omitted {
		fmt.Fprintf(&b, "and %d more\n", o.Count)
	}
	return b.String()
}

// rewrite is the last line of a failure of TestGolden.
const rewrite = "go test ./lint -run TestGolden -update rewrites the golden file; read the difference"

// TestGolden runs every check over its golden file, and fails if there is none.
func TestGolden(t *testing.T) {
	for _, c := range Checks() {
		t.Run(c.Name, func(t *testing.T) {
			file := filepath.Join("testdata", c.Name+".txtar")
			g := readGolden(t, file)
			if strings.TrimSpace(g.why) == "" {
				t.Error("the first line does not say why the case exists")
			}
			finds := false
			for _, gc := range g.cases {
				r := Run(robots.Parse([]byte(gc.text)), gc.with(t, c))
				finds = finds || len(r.Diagnostics) > 0
				want, fixed := found(r), ""
				if text := r.fix(func(*Fix) bool { return true }); text != gc.text {
					if fixed = text; gc.quoted || !strings.HasSuffix(fixed, "\n") {
						gc.quoted = true
						fixed = quoted(text)
					}
				}
				if *update {
					gc.want, gc.fixed = want, fixed
				}
				if want != gc.want {
					t.Errorf("of %.300q\ngot:\n%s\nwant:\n%s\n%s", gc.text, want, gc.want, rewrite)
				}
				if fixed != gc.fixed {
					t.Errorf("of %.300q, fixed\ngot:\n%s\nwant:\n%s\n%s", gc.text, fixed, gc.fixed, rewrite)
				}
				provenEffects(t, gc.text, r)
				translated(t, gc.text, gc.with(t, c), len(r.Diagnostics))
			}
			if !finds {
				t.Error("the check finds nothing in any case")
			}
			if *update {
				fatal.If(t, os.WriteFile(file, []byte(g.String()), 0o666))
			}
		})
	}
}

// provenEffects proves that each fix of a report changes the answers for robots only as its
// effect says. Fixes that keep the answers must keep them in dialect Google too.
func provenEffects(t *testing.T, text string, r *Report) {
	t.Helper()
	for _, d := range r.Diagnostics {
		if d.Fix == nil {
			continue
		}
		if err := proven(text, d.Fix); err != nil {
			t.Errorf("of %.300q\n%s: the fix %q: %v", text, d, d.Fix.Title, err)
		}
	}
}

func proven(text string, f *Fix) error {
	after := f.Apply(text)
	if after == text {
		return fmt.Errorf("changes nothing")
	}
	dialects := []robots.Dialect{robots.RFC9309}
	if f.Effect == Keeps {
		dialects = append(dialects, robots.Google)
	}
	for _, dialect := range dialects {
		d, err := proof.Diff(dialect.Parse([]byte(text)), dialect.Parse([]byte(after)), proof.Options{})
		if err != nil {
			return fmt.Errorf("what it changes is undecided in %v", dialect)
		}
		for _, c := range d.Changes {
			if f.Effect == Keeps || f.Effect == Closes && c.Opened || f.Effect == Opens && !c.Opened {
				return fmt.Errorf("says %q, but in %v it changes %v", f.Effect, dialect, c)
			}
		}
	}
	return nil
}

// translated requires the messages of a report in all languages.
func translated(t *testing.T, text string, o Options, diagnostics int) {
	t.Helper()
	for _, code := range language.Codes() {
		o.Language = code
		r := Run(robots.Parse([]byte(text)), o)
		if len(r.Diagnostics) != diagnostics {
			t.Errorf("%d diagnostics in %s, %d in English", len(r.Diagnostics), code, diagnostics)
		}
		for _, d := range r.Diagnostics {
			for _, message := range []string{d.Message, d.title()} {
				if strings.Contains(message, "%!") {
					t.Errorf("in %s: %s", code, message)
				}
			}
		}
	}
}

func (d Diagnostic) title() string {
	if d.Fix == nil {
		return ""
	}
	return d.Fix.Title
}
