package conformance

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

var update = flag.Bool("update", false, "rewrite the vectors in their one format")

// schema has the parts of schema.json that the tests use.
var schema struct {
	Properties struct {
		Schema  struct{ Const string } `json:"$schema"`
		Profile struct{ Enum []string }
	}
	Defs struct {
		Case struct {
			Properties struct {
				Name struct{ Pattern string }
			}
		}
	} `json:"$defs"`
}

func TestVectorsAreAsTheSchemaSays(t *testing.T) {
	readSchema(t)
	names := regexp.MustCompile(schema.Defs.Case.Properties.Name.Pattern)
	for _, file := range files(t) {
		t.Run(file, func(t *testing.T) {
			s := section(t, file)
			if s.Schema != schema.Properties.Schema.Const {
				t.Errorf("$schema is %q, want %q", s.Schema, schema.Properties.Schema.Const)
			}
			if !slices.Contains(schema.Properties.Profile.Enum, s.Profile) {
				t.Errorf("profile %q is none of %q", s.Profile, schema.Properties.Profile.Enum)
			}
			if s.Document == "" || s.Section == "" || s.Title == "" || len(s.Cases) == 0 {
				t.Errorf("document %q, section %q, title %q with %d cases: none may be empty", s.Document, s.Section,
					s.Title, len(s.Cases))
			}
			seen := make(map[string]bool)
			for _, c := range s.Cases {
				if !names.MatchString(c.Name) {
					t.Errorf("name %q does not match %s", c.Name, names)
				}
				if seen[c.Name] {
					t.Errorf("name %q stands twice", c.Name)
				}
				seen[c.Name] = true
				checkCase(t, c)
			}
		})
	}
}

func checkCase(t *testing.T, c Case) {
	t.Helper()
	if c.Why == "" {
		t.Errorf("%s: it does not say why", c.Name)
	}
	if c.RobotsBase64 != nil && c.Robots != "" {
		t.Errorf("%s: both robots and robots_base64", c.Name)
	}
	if c.RobotsBase64 != nil && utf8.Valid(c.RobotsBase64) {
		t.Errorf("%s: robots_base64 is UTF-8, so it can be read as robots", c.Name)
	}
	if len(c.Asks) == 0 {
		t.Errorf("%s: it asks nothing", c.Name)
	}
	lines := 1 + strings.Count(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(c.Text())), "\n")
	seen := make(map[Ask]bool)
	for _, ask := range c.Asks {
		question := Ask{Agent: ask.Agent, URL: ask.URL}
		if seen[question] {
			t.Errorf("%s: %q asks for %q twice", c.Name, ask.Agent, ask.URL)
		}
		seen[question] = true
		if !ask.Allowed && ask.Line == 0 {
			t.Errorf("%s: %q is disallowed %q by no line", c.Name, ask.Agent, ask.URL)
		}
		if ask.Line < 0 || ask.Line > lines {
			t.Errorf("%s: line %d of %d", c.Name, ask.Line, lines)
		}
	}
}

// TestOneText reads the files without the types of this package, which cannot distinguish an
// empty text from a missing one.
func TestOneText(t *testing.T) {
	for _, file := range files(t) {
		var s struct{ Cases []map[string]json.RawMessage }
		if err := json.Unmarshal(read(t, file), &s); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		for _, c := range s.Cases {
			_, text := c["robots"]
			_, base64 := c["robots_base64"]
			if text == base64 {
				t.Errorf("%s: %s: robots %t, robots_base64 %t: want one of them", file, c["name"], text, base64)
			}
		}
	}
}

func TestSections(t *testing.T) {
	sections, err := Sections()
	fatal.If(t, err)
	if got, want := len(sections), len(files(t)); got != want {
		t.Errorf("%d sections of %d files", got, want)
	}
	asks, ids := 0, make(map[string]bool)
	for i := range sections {
		s := &sections[i]
		for j := range s.Cases {
			asks += len(s.Cases[j].Asks)
			id := s.id(&s.Cases[j])
			if ids[id] {
				t.Errorf("%s stands in two files", id)
			}
			ids[id] = true
		}
	}
	if asks < 500 {
		t.Errorf("%d asks over all files, want 500 at least", asks)
	}
}

func TestProfiles(t *testing.T) {
	readSchema(t)
	var dirs []string
	entries, err := fs.ReadDir(embedded, "vectors")
	fatal.If(t, err)
	for _, entry := range entries {
		dirs = append(dirs, entry.Name())
	}
	want := slices.Sorted(slices.Values(schema.Properties.Profile.Enum))
	if !slices.Equal(dirs, want) {
		t.Errorf("folders %q, want one for each profile: %q", dirs, want)
	}
}

// TestFormat checks that all files have one format: two spaces of indentation, one line for
// each ask, and escapes for invisible characters. With -update it rewrites them in this format.
func TestFormat(t *testing.T) {
	for _, file := range files(t) {
		t.Run(file, func(t *testing.T) {
			got, want := string(read(t, file)), format(section(t, file))
			if got == want {
				return
			}
			if *update {
				fatal.If(t, os.WriteFile(filepath.FromSlash(file), []byte(want), 0o644))
				return
			}
			number := 0
			for number < len(got) && number < len(want) && got[number] == want[number] {
				number++
			}
			t.Errorf("line %d is not in the format: run go test ./conformance -update",
				1+strings.Count(want[:number], "\n"))
		})
	}
}

func TestParse(t *testing.T) {
	for _, data := range []string{
		``,
		`{"profile": "rfc9309"`,
		`{"profile": "rfc9309"} {}`,
		`{"profil": "rfc9309"}`,
		`{"cases": [{"asks": [{"agent": "FooBot", "url": "/", "allow": true}]}]}`,
	} {
		if s, err := parse([]byte(data)); err == nil {
			t.Errorf("parse(%q) = %+v, want an error", data, s)
		}
	}
}

// format returns the file of s.
func format(s Section) string {
	var b strings.Builder
	p := func(text string, args ...any) { fmt.Fprintf(&b, text+"\n", args...) }
	comma := func(i, n int) string {
		if i < n-1 {
			return ","
		}
		return ""
	}
	p("{")
	p(`  "$schema": %s,`, quote(s.Schema))
	p(`  "profile": %s,`, quote(s.Profile))
	p(`  "document": %s,`, quote(s.Document))
	p(`  "section": %s,`, quote(s.Section))
	p(`  "title": %s,`, quote(s.Title))
	p(`  "cases": [`)
	for i, c := range s.Cases {
		p(`    {`)
		p(`      "name": %s,`, quote(c.Name))
		p(`      "why": %s,`, quote(c.Why))
		if c.RobotsBase64 != nil {
			data, _ := json.Marshal(c.RobotsBase64) // a string of base64 has no error
			p(`      "robots_base64": %s,`, data)
		} else {
			p(`      "robots": %s,`, quote(c.Robots))
		}
		p(`      "asks": [`)
		for k, ask := range c.Asks {
			line := ""
			if ask.Line > 0 {
				line = `, "line": ` + strconv.Itoa(ask.Line)
			}
			p(`        {"agent": %s, "url": %s, "allowed": %t%s}%s`, quote(ask.Agent), quote(ask.URL), ask.Allowed,
				line, comma(k, len(c.Asks)))
		}
		p(`      ]`)
		p(`    }%s`, comma(i, len(s.Cases)))
	}
	p("  ]")
	p("}")
	return b.String()
}

// quote returns text as a JSON string in which all characters are visible: unprintable
// characters are escaped, and so are combining marks, which would change the character before
// them.
func quote(text string) string {
	b := []byte{'"'}
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == '\t':
			b = append(b, `\t`...)
		case strconv.IsPrint(c) && !('\u0300' <= c && c <= '\u036f'):
			b = utf8.AppendRune(b, c)
		case c > 0xffff: // two code units
			c -= 0x10000
			b = fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+c>>10, 0xdc00+c&0x3ff)
		default:
			b = fmt.Appendf(b, `\u%04x`, c)
		}
	}
	return string(append(b, '"'))
}

// files returns the names of all files of vectors.
func files(t *testing.T) []string {
	t.Helper()
	names, err := fs.Glob(embedded, "vectors/*/*")
	fatal.If(t, err)
	for _, name := range names {
		if path.Ext(name) != ".json" || name != strings.ToLower(name) {
			t.Errorf("%s: want a name in lower case that ends in .json", name)
		}
	}
	return names
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := embedded.ReadFile(name)
	fatal.If(t, err)
	return data
}

func section(t *testing.T, name string) Section {
	t.Helper()
	s, err := parse(read(t, name))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s
}

func readSchema(t *testing.T) {
	t.Helper()
	fatal.If(t, json.Unmarshal(read(t, "schema.json"), &schema))
}

// TestAppendList compares the numbers of a list with those of its sections.
func TestAppendList(t *testing.T) {
	sections := []Section{{Profile: "p", Document: "D", Section: "1", Title: "T", Cases: []Case{
		{Asks: make([]Ask, 2)}, {Asks: make([]Ask, 3)}}}}
	want := `x[{"profile":"p","document":"D","section":"1","title":"T","cases":2,"asks":5}]`
	if got := AppendList([]byte("x"), sections); string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := AppendList(nil, nil); string(got) != "[]" {
		t.Errorf("an empty list is %s, want []", got)
	}
}
