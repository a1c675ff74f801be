package agent_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// generate runs gen.go on the data in a folder, and returns its standard output and standard
// error.
func generate(t *testing.T, program, folder string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(program, "-data", folder, "-o", "-")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && errs.Len() == 0 {
		t.Fatal(err)
	}
	return out.String(), errs.String()
}

// buildGenerator builds gen.go and returns the path of the program.
func buildGenerator(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gen.exe")
	if out, err := exec.Command("go", "build", "-o", path, "gen.go").CombinedOutput(); err != nil {
		t.Fatalf("go build gen.go: %v\n%s", err, out)
	}
	return path
}

// TestGenerated checks that table.go is up to date.
func TestGenerated(t *testing.T) {
	want, errs := generate(t, buildGenerator(t), "data")
	if errs != "" {
		t.Fatal(errs)
	}
	got, err := os.ReadFile("table.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("table.go is not what the data say: run go generate in the folder agent")
	}
}

// goodRobots is a table without mistakes.
const goodRobots = `{
 "sources": {"src": {"title": "T", "url": "https://example.com/", "date": "2026-01-31"}},
 "robots": [
  {"token": "Example", "name": "Example", "purposes": ["search"], "checked": "2026-01", "from": {"*": "src"}},
  {"token": "Example-Image", "name": "Example Image", "operator": "Example", "purposes": ["search", "other"], "match": ["Example-Image", "Example Image"],
   "fallback": ["Example"], "everyone": false, "robots_txt": "yes", "crawl_delay": "rate", "meta": ["example"],
   "verify": {"ranges": ["https://example.com/ranges.json"], "dns": ["example.com"]}, "docs": "https://example.com/", "checked": "2026-02", "from": {"*": "src", "meta": "src"}},
  {"token": "Example-Extended", "name": "Example Extended", "purposes": ["ai-train"], "match": [], "policy_only": true, "checked": "2026-02", "from": {"*": "src"}}
 ]
}
`

// badRobots are changes of goodRobots, and the generator's messages about them. schema says
// that the schema finds the mistake too.
var badRobots = []struct {
	old, new, message string
	schema            bool
}{
	{`{"token": "Example", "name"`, `{"tokens": "Example", "name"`, `unknown field "tokens"`, true},
	{`{"token": "Example", "name"`, `{"token": "Exa mple", "name"`, `token "Exa mple" is no product token`, true},
	{`{"token": "Example", "name"`, `{"token": "Example/1", "name"`, `token "Example/1" is no product token`, true},
	{`{"token": "Example", "name"`, `{"token": "example-image", "name"`, `the token is listed twice, also as`, false},
	{`"match": ["Example-Image", "Example Image"]`, `"match": ["Example-Image", "Example"]`,
		`match "Example" is a name of Example already`, false},
	{`"match": ["Example-Image", "Example Image"]`, `"match": ["Example-Image "]`,
		`match "Example-Image " is not a list of whole words`, true},
	{`"match": ["Example-Image", "Example Image"]`, `"match": ["Example/Image"]`,
		`match "Example/Image" is not a list of whole words`, false},
	{`"match": ["Example-Image", "Example Image"]`, `"match": []`, `policy_only is for those with an empty match`,
		false},
	{`"match": [], "policy_only": true`, `"policy_only": true`, `policy_only is for those with an empty match`, false},
	{`"fallback": ["Example"]`, `"fallback": ["Exemple"]`, `fallback "Exemple" is not a robot of the table`, false},
	{`"fallback": ["Example"]`, `"fallback": ["example"]`, `fallback "example" is written "Example" there`, false},
	{`"fallback": ["Example"]`, `"fallback": ["Example-Image"]`, `fallback "Example-Image" is the robot itself`, false},
	{`["search", "other"]`, `["search", "search"]`, `purpose "search" is listed twice`, true},
	{`["search", "other"]`, `["find"]`, `purpose "find" is none of ads, ai-search,`, true},
	{`["search", "other"]`, `[]`, `purposes are missing`, true},
	{`"name": "Example Image"`, `"name": ""`, `name is missing`, true},
	{`"robots_txt": "yes"`, `"robots_txt": "maybe"`, `robots_txt "maybe" is none of no, partly, unknown, yes`, true},
	{`"crawl_delay": "rate"`, `"crawl_delay": "seconds"`, `crawl_delay "seconds" is none of no, pause, rate, unknown`,
		true},
	{`"meta": ["example"]`, `"meta": ["Example"]`, `meta "Example" is no name in lower case`, true},
	{`https://example.com/ranges.json`, `http://example.com/ranges.json`,
		`"http://example.com/ranges.json" is not an https URL`, true},
	{`"dns": ["example.com"]`, `"dns": ["*.example.com"]`, `dns "*.example.com" is no domain`, true},
	{`"dns": ["example.com"]`, `"dns": ["com"]`, `dns "com" is no domain`, true},
	{`"docs": "https://example.com/"`, `"docs": "example.com"`, `docs "example.com" is not an https URL`, true},
	{`"checked": "2026-01"`, `"checked": "2026"`, `checked "2026" is not of the form 2006-01`, true},
	{`"checked": "2026-01"`, `"checked": "2026-13"`, `checked "2026-13" is not of the form 2006-01`, false},
	{`"from": {"*": "src"}`, `"from": {"*": "source"}`, `source "source" of "*" is not among the sources`, false},
	{`"from": {"*": "src"}`, `"from": {"token": "src"}`, `no source is given for name`, false},
	{`"from": {"*": "src"}`, `"from": {"*": "src", "docs": "src"}`, `there is a source of docs, but no docs`, false},
	{`"from": {"*": "src"}`, `"from": {"*": "src", "doc": "src"}`, `"doc" is no field that has a source`, false},
	{`"date": "2026-01-31"`, `"date": "January"`, `date "January" is not of the form`, true},
	{`"title": "T"`, `"title": ""`, `source "src": title is missing`, true},
	{"\n}\n", "\n} {}\n", `something follows the table`, false},
}

func TestGeneratorChecks(t *testing.T) {
	program := buildGenerator(t)
	schema := readSchema(t)
	words, err := os.ReadFile("data/words.txt")
	if err != nil {
		t.Fatal(err)
	}
	run := func(robots, words string) (stdout, stderr string) {
		dir := t.TempDir()
		for name, text := range map[string]string{"robots.json": robots, "words.txt": words} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return generate(t, program, dir)
	}
	if out, errs := run(goodRobots, string(words)); errs != "" || !strings.Contains(out, `"2026-02, 3 robots"`) {
		t.Errorf("the generator does not take good data: %s", errs)
	}
	if errs := schema.check(goodRobots); len(errs) > 0 {
		t.Errorf("the schema does not take good data: %v", errs)
	}
	for _, bad := range badRobots {
		text := strings.Replace(goodRobots, bad.old, bad.new, 1)
		if text == goodRobots {
			t.Fatalf("%s is not in the good data", bad.old)
		}
		if out, errs := run(text, string(words)); out != "" || !strings.Contains(errs, bad.message) {
			t.Errorf("to %s the generator says\n%swant %s", bad.new, errs, bad.message)
		}
		if errs := schema.check(text); len(errs) > 0 != bad.schema {
			t.Errorf("to %s the schema says %v", bad.new, errs)
		}
	}
	for text, message := range map[string]string{
		"robot: a, b\nrobot: B": `words.txt:2: "B" is listed twice in class robot`,
		"robots: a":             `words.txt:1: want "class: word, word"`,
		"robot: a/b":            `words.txt:1: "a/b" is not a list of whole words`,
		"part: a, A":            `words.txt:1: part "A" has a character other than a lower-case letter`,
		"ending: a\npart: a":    `words.txt:2: part "a" has a character other than a lower-case letter, or is listed twice`,
		"what is this":          `words.txt:1: want "class: word, word", where`,
	} {
		if out, errs := run(goodRobots, text); out != "" || !strings.Contains(errs, message) {
			t.Errorf("to the words %q the generator says\n%swant %s", text, errs, message)
		}
	}
}

// TestSchema checks the data against their schema.
func TestSchema(t *testing.T) {
	data, err := os.ReadFile("data/robots.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range readSchema(t).check(string(data)) {
		t.Error(err)
	}
}

// A schema is a JSON Schema, with the keywords that data/schema.json uses.
type schema struct {
	Ref                  string             `json:"$ref"`
	Defs                 map[string]*schema `json:"$defs"`
	Type                 string
	Enum                 []any
	Pattern              string
	MinLength            int
	MinItems             int
	UniqueItems          bool
	MinProperties        int
	Items                *schema
	Properties           map[string]*schema
	Required             []string
	PropertyNames        *schema
	AdditionalProperties any

	Schema      string `json:"$schema"`
	Title       string
	Description string

	root *schema
}

func readSchema(t *testing.T) *schema {
	t.Helper()
	data, err := os.ReadFile("data/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	s := new(schema)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		t.Fatalf("data/schema.json: %v", err)
	}
	s.root = s
	return s
}

// check returns the violations of the schema in a text.
func (s *schema) check(text string) (errs []string) {
	var value any
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&value); err != nil {
		return []string{err.Error()}
	}
	s.visit(value, "", func(format string, args ...any) { errs = append(errs, fmt.Sprintf(format, args...)) })
	return errs
}

func (s *schema) visit(value any, at string, report func(format string, args ...any)) {
	sub := func(s2 *schema, value any, at string) {
		s2.root = s.root
		s2.visit(value, at, report)
	}
	if s.Ref != "" {
		sub(s.root.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")], value, at)
		return
	}
	if s.Enum != nil && !slices.Contains(s.Enum, value) {
		report("%s: %v is none of %v", at, value, s.Enum)
	}
	isType := ""
	switch v := value.(type) {
	case string:
		isType = "string"
		if s.Pattern != "" && !regexp.MustCompile(s.Pattern).MatchString(v) || len(v) < s.MinLength {
			report("%s: %q is not of the form %s", at, v, s.Pattern)
		}
	case bool:
		isType = "boolean"
	case []any:
		isType = "array"
		if len(v) < s.MinItems {
			report("%s: too short", at)
		}
		for i, item := range v {
			sub(s.Items, item, fmt.Sprintf("%s[%d]", at, i))
			if s.UniqueItems && slices.Contains(v[:i], item) {
				report("%s: %v stands there twice", at, item)
			}
		}
	case map[string]any:
		isType = "object"
		if len(v) < s.MinProperties {
			report("%s: too few members", at)
		}
		for _, name := range s.Required {
			if _, ok := v[name]; !ok {
				report("%s: %s is missing", at, name)
			}
		}
		for name, member := range v {
			if s.PropertyNames != nil {
				sub(s.PropertyNames, name, at+"/"+name)
			}
			switch more := s.AdditionalProperties.(type) {
			case nil:
				report("%s: the schema allows any member", at)
			case bool:
				if s.Properties[name] == nil {
					report("%s: unknown member %s", at, name)
					continue
				}
				sub(s.Properties[name], member, at+"/"+name)
			default:
				var rest schema
				text, _ := json.Marshal(more)
				if err := json.Unmarshal(text, &rest); err != nil {
					report("%s: %v", at, err)
				}
				sub(&rest, member, at+"/"+name)
			}
		}
	}
	if s.Type != "" && s.Type != isType {
		report("%s: is not of type %s", at, s.Type)
	}
}
