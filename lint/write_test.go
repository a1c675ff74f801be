package lint

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// written is a file that uses every part of the formats: tabs, wide and odd characters before
// the position, a fix, another line, more diagnostics than the limit.
const written = "Disallow:\t/a, 100% of it\n" +
	"User-agent: *\n" +
	"\tDisallow: 한국어/경로\n" +
	"Dissallow: /é\x1b[2J\n" +
	"Sitemap: https://example.com/a,b:c\n" +
	"Sitemap: https://example.com/a,b:c\n" +
	"Disallow: x\nDisallow: y\nDisallow: z\n"

func writtenFile() File {
	return File{"sites/a:b, c/robots.txt", Run(robots.Parse([]byte(written)), Options{Limit: 3})}
}

// TestWriters compares all formats with the texts in testdata/written.
func TestWriters(t *testing.T) {
	korean := File{"ko.txt", Run(robots.Parse([]byte("Disallow: /\n")), Options{Language: "ko"})}
	for _, format := range formats {
		t.Run(format, func(t *testing.T) {
			var b bytes.Buffer
			fatal.If(t, (Writer{Format: format}).Write(&b, writtenFile(), korean))
			got := b.String()
			if format == "sarif" {
				got = withoutRules(t, got)
			}
			file := filepath.Join("testdata", "written", format)
			if *update {
				fatal.If(t, os.WriteFile(file, []byte(got), 0o666))
			}
			want, err := os.ReadFile(file)
			fatal.If(t, err)
			if got != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s\n(to accept it: go test ./lint -run TestWriters -update)", got, want)
			}
		})
	}
	if err := (Writer{Format: "none"}).Write(&bytes.Buffer{}); err == nil {
		t.Error("no error for a format that is none")
	}
}

// withoutRules removes the list of checks, which every new check would change.
func withoutRules(t *testing.T, doc string) string {
	t.Helper()
	var log map[string]any
	fatal.If(t, json.Unmarshal([]byte(doc), &log))
	run := log["runs"].([]any)[0].(map[string]any)
	delete(run["tool"].(map[string]any)["driver"].(map[string]any), "rules")
	for _, r := range run["results"].([]any) {
		delete(r.(map[string]any), "ruleIndex")
	}
	for _, i := range run["invocations"].([]any) {
		notes, _ := i.(map[string]any)["toolExecutionNotifications"].([]any)
		for _, n := range notes {
			delete(n.(map[string]any)["associatedRule"].(map[string]any), "index")
		}
	}
	b, err := json.MarshalIndent(log, "", " ")
	fatal.If(t, err)
	return string(b) + "\n"
}

// TestJSON checks the members that programs rely on.
func TestJSON(t *testing.T) {
	var b bytes.Buffer
	fatal.If(t, (Writer{Format: "json"}).Write(&b, writtenFile(),
		File{"empty", Run(robots.Parse(nil), Options{})}))
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != 2 || lines[1] != `{"file":"empty","diagnostics":[]}` {
		t.Fatalf("%d lines, the last is %s", len(lines), lines[len(lines)-1])
	}
	var file struct {
		File        string
		Diagnostics []struct {
			Line, Column             int
			Severity, Check, Message string
			Fix                      *struct{ Edits []struct{ Start, End int } }
		}
	}
	fatal.If(t, json.Unmarshal([]byte(lines[0]), &file))
	d := file.Diagnostics[0]
	if d.Line != 1 || d.Column != 1 || d.Severity != "error" || d.Check != "stray-rule" || d.Message == "" ||
		d.Fix == nil {
		t.Errorf("got %+v", d)
	}
}

// TestSARIF checks the output against the schema of SARIF 2.1.0, for the parts that we write:
// required properties, their types, the values of enumerations, and indexes that point to the
// object they name.
func TestSARIF(t *testing.T) {
	var b bytes.Buffer
	fatal.If(t, (Writer{Format: "sarif"}).Write(&b, writtenFile(), writtenFile()))
	var log any
	fatal.If(t, json.Unmarshal(b.Bytes(), &log))
	s := &sarifReader{t: t}
	root := s.object("log", log, "version:string", "runs:array", "$schema:string")
	if root["version"] != "2.1.0" {
		t.Errorf("version %v", root["version"])
	}
	for i, r := range root["runs"].([]any) {
		s.run(fmt.Sprintf("runs[%d]", i), r)
	}
}

// A sarifReader checks values against the schema.
type sarifReader struct {
	t     *testing.T
	rules []any
}

// object returns a value that must be an object with these properties and no
// others; those with a "?" may be missing.
func (s *sarifReader) object(at string, v any, properties ...string) map[string]any {
	s.t.Helper()
	o, ok := v.(map[string]any)
	if !ok {
		s.t.Fatalf("%s is not an object: %v", at, v)
	}
	known := make(map[string]bool)
	for _, p := range properties {
		name, kind, _ := strings.Cut(p, ":")
		name, optional := strings.CutSuffix(name, "?")
		known[name] = true
		value, ok := o[name]
		if !ok {
			if !optional {
				s.t.Errorf("%s has no %s", at, name)
			}
			continue
		}
		good := false
		switch x := value.(type) {
		case string:
			good = kind == "string" && x != "" || strings.Contains("|"+kind+"|", "|"+x+"|")
		case float64:
			good = kind == "from 0" && x >= 0 || kind == "from 1" && x >= 1
		case bool:
			good = kind == "bool"
		case []any:
			good = kind == "array"
		case map[string]any:
			good = kind == "object"
		}
		if !good {
			s.t.Errorf("%s.%s is %v, want %s", at, name, value, kind)
		}
	}
	for name := range o {
		if !known[name] {
			s.t.Errorf("%s has %s, which we do not know", at, name)
		}
	}
	return o
}

func (s *sarifReader) message(at string, v any) { s.object(at, v, "text:string") }

func (s *sarifReader) run(at string, v any) {
	run := s.object(at, v, "tool:object", "columnKind:utf16CodeUnits|unicodeCodePoints", "language:string",
		"invocations:array", "results:array")
	tool := s.object(at+".tool", run["tool"], "driver:object")
	driver := s.object(at+".tool.driver", tool["driver"], "name:string", "informationUri:string", "rules:array")
	s.rules = driver["rules"].([]any)
	for i, r := range s.rules {
		at := fmt.Sprintf("%s.rules[%d]", at, i)
		rule := s.object(at, r, "id:string", "shortDescription:object", "help:object", "defaultConfiguration:object")
		s.message(at+".shortDescription", rule["shortDescription"])
		s.message(at+".help", rule["help"])
		s.object(at, rule["defaultConfiguration"], "level:none|note|warning|error")
	}
	for i, v := range run["invocations"].([]any) {
		at := fmt.Sprintf("%s.invocations[%d]", at, i)
		invocation := s.object(at, v, "executionSuccessful:bool", "toolExecutionNotifications?:array")
		notes, _ := invocation["toolExecutionNotifications"].([]any)
		if len(notes) == 0 {
			s.t.Errorf("%s: nothing says that diagnostics were left out", at)
		}
		for _, v := range notes {
			note := s.object(at, v, "level:none|note|warning|error", "message:object", "locations:array",
				"associatedRule:object")
			s.message(at, note["message"])
			reference := s.object(at, note["associatedRule"], "id:string", "index:from 0")
			s.pointsTo(at, reference["id"], reference["index"])
			s.locations(at, note["locations"])
		}
	}
	for i, v := range run["results"].([]any) {
		at := fmt.Sprintf("%s.results[%d]", at, i)
		result := s.object(at, v, "ruleId:string", "ruleIndex:from 0", "level:none|note|warning|error",
			"message:object",
			"locations:array", "relatedLocations?:array", "fixes?:array")
		s.message(at, result["message"])
		s.pointsTo(at, result["ruleId"], result["ruleIndex"])
		s.locations(at, result["locations"])
		if related, ok := result["relatedLocations"]; ok {
			s.locations(at, related)
		}
		fixes, _ := result["fixes"].([]any)
		for _, f := range fixes {
			s.fix(at+".fixes", f)
		}
	}
}

func (s *sarifReader) pointsTo(at string, id, index any) {
	i := int(index.(float64))
	if i >= len(s.rules) || s.rules[i].(map[string]any)["id"] != id {
		s.t.Errorf("%s: the rule with index %d is not %s", at, i, id)
	}
}

func (s *sarifReader) locations(at string, v any) {
	for _, l := range v.([]any) {
		location := s.object(at, l, "physicalLocation:object", "message?:object")
		physical := s.object(at, location["physicalLocation"], "artifactLocation:object", "region?:object")
		s.artifact(at, physical["artifactLocation"])
		if region, ok := physical["region"]; ok {
			r := s.object(at, region, "startLine:from 1", "startColumn?:from 1", "endColumn?:from 1")
			if r["endColumn"] != nil && r["endColumn"].(float64) < r["startColumn"].(float64) {
				s.t.Errorf("%s: a region that ends before it starts", at)
			}
		}
	}
}

func (s *sarifReader) artifact(at string, v any) {
	if uri := s.object(at, v, "uri:string")["uri"].(string); strings.ContainsAny(uri, " \\") ||
		strings.HasPrefix(uri, "sites/a:b") != true {
		s.t.Errorf("%s: %q is no URI of the file", at, uri)
	}
}

func (s *sarifReader) fix(at string, v any) {
	fix := s.object(at, v, "description:object", "artifactChanges:array")
	s.message(at, fix["description"])
	for _, c := range fix["artifactChanges"].([]any) {
		change := s.object(at, c, "artifactLocation:object", "replacements:array")
		s.artifact(at, change["artifactLocation"])
		replacements := change["replacements"].([]any)
		if len(replacements) == 0 {
			s.t.Errorf("%s: a change without replacements", at)
		}
		for _, r := range replacements {
			replacement := s.object(at, r, "deletedRegion:object", "insertedContent:object")
			s.object(at, replacement["deletedRegion"], "byteOffset:from 0", "byteLength:from 0")
			if _, ok := replacement["insertedContent"].(map[string]any)["text"].(string); !ok {
				s.t.Errorf("%s: a replacement without text", at)
			}
		}
	}
}

// TestCheckstyle parses the XML.
func TestCheckstyle(t *testing.T) {
	var b bytes.Buffer
	fatal.If(t, (Writer{Format: "checkstyle"}).Write(&b, writtenFile()))
	var doc checkstyle
	fatal.If(t, xml.Unmarshal(b.Bytes(), &doc))
	if len(doc.Files) != 1 || len(doc.Files[0].Errors) == 0 {
		t.Fatalf("got %+v", doc)
	}
	for _, e := range doc.Files[0].Errors {
		if !slices.Contains(severities[:], e.Severity) || e.Line < 1 {
			t.Errorf("got %+v", e)
		}
	}
}

// TestJUnit parses the XML, and checks what build servers rely on: right counts, and distinct
// names of tests.
func TestJUnit(t *testing.T) {
	var b bytes.Buffer
	fine := File{"fine.txt", Run(robots.Parse([]byte("User-agent: *\nDisallow: /x/**/y\n")),
		Options{Disable: []string{"stray-rule"}})}
	hostile := File{"\x00\x0b\ufffe]]>.txt", Run(robots.Parse([]byte("Dis\ufffeallow\x00\x0b: ]]> & <\n")),
		Options{Profile: Strict})}
	fatal.If(t, (Writer{Format: "junit"}).Write(&b, writtenFile(), fine, hostile))
	var doc junit
	if err := xml.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	tests, failures := 0, 0
	names := make(map[string]bool)
	for _, s := range doc.Suites {
		failed := 0
		for _, c := range s.Cases {
			if names[c.Name] || c.Name == "" || c.Class == "" {
				t.Errorf("the name of %+v is none, or that of two", c)
			}
			names[c.Name] = true
			if c.Failure != nil {
				failed++
				if c.Failure.Type != "error" && c.Failure.Type != "warning" || c.Failure.Message == "" ||
					c.Failure.Text == "" {
					t.Errorf("%s: got %+v", c.Name, c.Failure)
				}
			}
		}
		if s.Tests != len(s.Cases) || s.Failures != failed {
			t.Errorf("%s: %d tests and %d failures, counted %d and %d", s.Name, s.Tests, s.Failures, len(s.Cases),
				failed)
		}
		tests, failures = tests+s.Tests, failures+failed
	}
	if doc.Tests != tests || doc.Failures != failures || failures == 0 {
		t.Errorf("%d tests and %d failures, counted %d and %d", doc.Tests, doc.Failures, tests, failures)
	}
	if names["fine.txt: stray-rule"] || !names["fine.txt: sitemap-url"] {
		t.Errorf("the tests are not the checks that ran: %v", names)
	}
	// An info is not a failure.
	for _, c := range doc.Suites[1].Cases {
		if c.Failure != nil || (c.Name == "fine.txt: double-wildcard") != (c.Out != "") {
			t.Errorf("got %+v", c)
		}
	}
}

// TestPointed compares the position of marks with the columns of a terminal.
func TestPointed(t *testing.T) {
	long := strings.Repeat("0123456789", 30)
	for _, tt := range []struct {
		body       string
		from, to   int
		line, mark string
	}{
		{"Disallow: x", 10, 11, "Disallow: x", "          ^"},
		{"\tDisallow: x", 11, 12, "    Disallow: x", "              ^"},
		{"한국어: x", 0, 9, "한국어: x", "^~~~~~"},
		{"한국어: x", 11, 12, "한국어: x", "        ^"},
		{"e\u0301: x", 5, 6, "e\u0301: x", "   ^"},
		{"a\x1bb", 2, 3, `a\x1bb`, "     ^"},
		{"a\xffb", 2, 3, `a\xffb`, "     ^"},
		{"a", 1, 1, "a", " ^"},
		{"", 0, 0, "", ""},
		{long, 200, 202, "…" + long[160:260] + "…", strings.Repeat(" ", 41) + "^~"},
		{long, 3, 5, long[:100] + "…", "   ^~"},
	} {
		line, mark := pointed(tt.body, tt.from, tt.to)
		if line != tt.line || mark != tt.mark {
			t.Errorf("pointed(%q, %d, %d):\n%s\n%s\nwant:\n%s\n%s", tt.body, tt.from, tt.to, line, mark, tt.line,
				tt.mark)
		}
	}
}
