package agent_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const userTable = `{
  "robots": [
    {"token": "ExampleBot", "operator": "Example Inc.", "purposes": ["search"], "source": "https://example.com/src"},
    {"token": "ExampleBot-Image", "match": ["ExampleBot-Image", "Example Images"], "fallback": ["ExampleBot", "Googlebot"],
     "robots_txt": "yes", "crawl_delay": "pause", "everyone": false},
    {"token": "GPTBot", "operator": "Example Inc."}
  ]
}
`

func parseTable(t testing.TB, text string) *agent.Table {
	t.Helper()
	table, err := agent.ParseTable([]byte(text))
	fatal.If(t, err)
	return table
}

func TestParseTable(t *testing.T) {
	table := parseTable(t, "\ufeff"+userTable)
	for _, test := range []struct{ header, token, operator string }{
		{"Mozilla/5.0 (compatible; examplebot/2.0)", "ExampleBot", "Example Inc."},
		{"Example Images/1.0 ExampleBot/1.0", "ExampleBot-Image", ""},
		{"GPTBot/1.0", "GPTBot", "Example Inc."},
		{"Googlebot/2.1", "Googlebot", "Google"},
	} {
		a := table.Lookup(test.header)
		if a.Token != test.token || a.Operator != test.operator || !a.Known() || a.Kind != agent.Robot {
			t.Errorf("Lookup(%q) = %v, want %s of %q", test.header, a, test.token, test.operator)
		}
		if n := table.Named(test.token); n.Token != test.token || n.Operator != test.operator {
			t.Errorf("Named(%q) = %v, want one of %q", test.token, n, test.operator)
		}
		if b := agent.Lookup(test.header); b.Operator == "Example Inc." {
			t.Errorf("the package's Lookup(%q) = %v, by the robots of another table", test.header, b)
		}
	}
	a := table.Named("ExampleBot-Image")
	if got, want := a.Tokens(), []string{"ExampleBot-Image", "ExampleBot", "Googlebot"}; !slices.Equal(got, want) ||
		a.Everyone() {
		t.Errorf("ExampleBot-Image obeys %q, and everyone's group: %v; want %q, false", got, a.Everyone(), want)
	}
	if a.Obedience() != agent.Obeys || a.CrawlDelay() != agent.DelayPause || a.Purposes != agent.Other ||
		a.Name != "ExampleBot-Image" {
		t.Errorf("ExampleBot-Image: %v, %v, %v, %q", a.Obedience(), a.CrawlDelay(), a.Purposes, a.Name)
	}
	if got := table.Named("ExampleBot").Source(); got != "https://example.com/src" {
		t.Errorf("the source is %q", got)
	}
	if got, want := len(slices.Collect(table.All())), len(slices.Collect(agent.All()))+2; got != want {
		t.Errorf("All has %d robots, want %d", got, want)
	}
	if want := agent.Version + ", and 3 robots of its own"; table.Version() != want {
		t.Errorf("the version is %q, want %q", table.Version(), want)
	}

	table = parseTable(t, `{"replace": true, "robots": [{"token": "OnlyBot"}]}`)
	if a := table.Lookup("Googlebot/2.1"); a.Known() || a.Kind != agent.Robot {
		t.Errorf("in a table with one other robot Lookup finds %v", a)
	}
	if all := slices.Collect(table.All()); len(all) != 1 || all[0].Token != "OnlyBot" {
		t.Errorf("All has %v", all)
	}
}

// TestNoTable looks up robots in empty tables.
func TestNoTable(t *testing.T) {
	var none *agent.Table
	for _, table := range []*agent.Table{none, new(agent.Table)} {
		if a := table.Lookup("GPTBot/1.0"); a != agent.Lookup("GPTBot/1.0") {
			t.Errorf("Lookup of an empty table finds %v", a)
		}
		if a := table.Named("GPTBot"); a != agent.Named("GPTBot") || table.Version() != agent.Version {
			t.Errorf("Named of an empty table finds %v", a)
		}
	}
}

// TestParseTableErrors parses wrong tables, and checks the errors.
func TestParseTableErrors(t *testing.T) {
	robot := func(fields string) string { return "{\n \"robots\": [\n  {" + fields + "}\n ]\n}" }
	for _, test := range []struct{ text, want string }{
		{``, "line 1: the table ends before its last bracket"},
		{`[]`, "line 1: a table is an object"},
		{`null`, "line 1: a table is an object"},
		{`{}`, "there are no robots in it"},
		{`{"robots": []}`, "there are no robots in it"},
		{`{"robots": {}}`, "line 1: robots is not a list"},
		{"{\n\"robot\": []}", `line 2: unknown field "robot": a table has robots, sources and replace`},
		{robot(`"token": "A"`) + "{}", "line 5: something follows the table"},
		{robot(`"token": "A"`)[:20], "the table ends before its last bracket"},
		{robot(`"token": 7`), `field "token" is a number, which it must not be`},
		{robot(`"tokens": "A"`), `line 3: json: unknown field "tokens"`},
		{robot(`"token": ""`), "line 3: robot without a token: token \"\" is not a product token"},
		{robot(`"token": "Foo Bot"`), `line 3: robot Foo Bot: token "Foo Bot" is not a product token`},
		{robot(`"token": "Foo\u001b[2J"`), `line 3: robot "Foo\x1b[2J": token`},
		{robot(`"token": "A", "operator": "\u001b[2J"`),
			`line 3: robot A: "\x1b[2J" has bytes that a terminal does not show`},
		{robot(`"token": "A", "purposes": ["find"]`), `line 3: robot A: purpose "find" is none of ads, ai-search,`},
		{robot(`"token": "A", "docs": "http://example.com/"`),
			`line 3: robot A: docs "http://example.com/" is not an https URL`},
		{robot(`"token": "A", "fallback": ["NoSuchBot"]`),
			`line 3: robot A: fallback "NoSuchBot" is not a robot of the table`},
		{robot(`"token": "A", "fallback": ["googlebot"]`),
			`line 3: robot A: fallback "googlebot" is written "Googlebot" there`},
		{robot(`"token": "A", "match": ["GPTBot"]`),
			`line 3: robot A: match "GPTBot" is a name of GPTBot of this program: give its entry the same token`},
		{robot(`"token": "A"},` + "\n" + `{"token": "a"`), `line 4: robot a: the token is listed twice, also as A`},
		{robot(`"token": "A", "match": []`), `line 3: robot A: policy_only is for those with an empty match`},
		{robot(`"token": "A", "from": {"*": "x"}`), `from: source "x" of "*" is not among the sources`},
		{`{"robots": [` + strings.Repeat(`{"token": "A B"},`, 100) + `{"token": "C"}]}`, "more errors"},
		{strings.Repeat(" ", agent.MaxTable+1), "more than 16777216"},
		{strings.Repeat("[", 100_000), "a table is an object"},
		{`{"robots": [{"from": ` + strings.Repeat(`{"a":`, 100_000), "line 1: "},
	} {
		_, err := agent.ParseTable([]byte(test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) ||
			!strings.HasPrefix(err.Error(), "table of robots: ") {
			t.Errorf("ParseTable(%.100q): %v, want %q", test.text, err, test.want)
		}
	}
}

// TestLargeTable reads a table of the maximum number of robots, and a larger one.
func TestLargeTable(t *testing.T) {
	table := func(n int) string {
		var b strings.Builder
		b.WriteString(`{"replace": true, "robots": [`)
		for i := range n {
			fmt.Fprintf(&b, "{\"token\": \"Robot-%d-x\", \"match\": [\"Robot-%[1]d-x\", \"Robot %[1]d-y\"]},\n", i)
		}
		return strings.TrimSuffix(b.String(), ",\n") + "]}"
	}
	large := parseTable(t, table(20_000))
	for _, header := range []string{"Robot-0-x/1.0", "Robot-19999-x/1.0", "Robot 777-y/2.0"} {
		if a := large.Lookup(header); !a.Known() || a.Word != strings.Split(header, "/")[0] {
			t.Errorf("Lookup(%q) = %v", header, a)
		}
	}
	if _, err := agent.ParseTable([]byte(table(20_001))); err == nil ||
		!strings.Contains(err.Error(), "line 20001: the table has more than 20000 robots") {
		t.Errorf("a table of 20,001 robots: %v", err)
	}
}

// TestParsedTwin compares a parsed table with the embedded one: both have the same data, and must
// give the same answers.
func TestParsedTwin(t *testing.T) {
	data, err := os.ReadFile("data/robots.json")
	fatal.If(t, err)
	table := parseTable(t, strings.Replace(string(data), "{", `{"replace": true,`, 1))
	same := func(a, b agent.Agent) bool {
		got, err := json.Marshal(a)
		fatal.If(t, err)
		want, err := json.Marshal(b)
		fatal.If(t, err)
		return string(got) == string(want)
	}
	for a := range agent.All() {
		if b := table.Named(a.Token); !same(a, b) {
			t.Errorf("the table that is read has %v, the other %v", b, a)
		}
	}
	headers := browsers(t)
	for _, test := range lookups {
		headers = append(headers, test.header)
	}
	for _, header := range append(headers, allHeaders(t)...) {
		if a, b := table.Lookup(header), agent.Lookup(header); !same(a, b) {
			t.Errorf("Lookup(%q) is %v in the table that is read, and %v", header, a, b)
		}
	}
}

func TestTableAllocates(t *testing.T) {
	corpus.Unraced(t)
	table := parseTable(t, userTable)
	if n := testing.AllocsPerRun(10,
		func() { table.Lookup("Mozilla/5.0 (compatible; ExampleBot/2.0)").Known() }); n > 0 {
		t.Errorf("Lookup makes %v allocations", n)
	}
}

// FuzzParseTable reads any text as a table, and looks up the names in the table.
func FuzzParseTable(f *testing.F) {
	f.Add(userTable)
	f.Add(goodRobots)
	f.Add(`{"replace": true, "robots": [{"token": "A"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		table, err := agent.ParseTable([]byte(text))
		if err != nil {
			return
		}
		for a := range table.All() {
			if b := table.Named(a.Token); b.Token != a.Token {
				t.Errorf("Named(%q) = %v", a.Token, b)
			}
			table.Lookup(a.Token + "/1.0 (" + a.Name + ")")
		}
	})
}
