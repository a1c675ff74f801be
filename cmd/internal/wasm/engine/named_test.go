package engine

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// inOthers are names that stand in the headers of other robots too, and in addresses.
var inOthers = []string{"libfetch", "libwww-perl", "rogerbot-crawler", "rogerbot-wherecat"}

// namesInHeaders returns the names of robots in headers that are one word of the letters of tokens,
// from the data of the table, without inOthers.
func namesInHeaders(t *testing.T) (names []string) {
	data, err := os.ReadFile("../../../../agent/data/robots.json")
	fatal.If(t, err)
	var table struct {
		Robots []struct{ Match []string }
	}
	fatal.If(t, json.Unmarshal(data, &table))
	for _, robot := range table.Robots {
		for _, name := range robot.Match {
			if !strings.ContainsFunc(name, func(r rune) bool { return !isOfName(byte(r)) }) &&
				!slices.Contains(inOthers, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// TestObeys compares the robots of the core engine with those of the table, by their tokens and by
// the other names that their headers have.
func TestObeys(t *testing.T) {
	same := func(text string, a agent.Agent) {
		got, err := Robot{Tokens: []string{text}}.known()
		want := Robot{Tokens: []string{text}}
		if len(a.Tokens()) > 1 || !a.Everyone() {
			want = Robot{Tokens: a.Tokens(), Alone: !a.Everyone()}
		}
		if err != nil || !slices.Equal(got.Tokens, want.Tokens) || got.Alone != want.Alone {
			t.Errorf("%q is %v, %v, and in the table %v", text, got, err, want)
		}
	}
	for a := range agent.All() {
		same(a.Token, a)
		same(a.Token+"/1.0", a)
		same("Mozilla/5.0 (compatible; "+a.Token+"/1.0; +https://a.example/)", a)
	}
	others := namesInHeaders(t)
	for _, name := range others {
		same(name, agent.Lookup(name))
	}
	if len(others) < 80 {
		t.Errorf("only %d names other than tokens", len(others))
	}
	for _, given := range []Robot{{}, {Tokens: []string{"Googlebot-Image"}, Alone: true},
		{Tokens: []string{"Googlebot-Image", "x"}}, {Tokens: []string{"MyGooglebot-Image2"}},
		{Tokens: []string{"Mediapartners-Google*"}}, {Tokens: []string{"AdsBot-Google"}, Everyone: true}} {
		got, err := given.known()
		if err != nil || !slices.Equal(got.Tokens, given.Tokens) || got.Alone != given.Alone {
			t.Errorf("%v is %v, %v", given, got, err)
		}
	}
	e := New()
	handle, err := e.Parse("User-agent: GPTBot\nDisallow: /\n", robots.RFC9309)
	if err != nil {
		t.Fatal(err)
	}
	for _, several := range []Robot{{Tokens: []string{"GPTBot,CCBot"}}, {Tokens: []string{"x", "GPTBot,CCBot"}},
		{Tokens: []string{"GPTBot,CCBot"}, Alone: true}, {Tokens: []string{"\x00[null,[\"a\"]]"}}} {
		if _, err := e.Robots(handle, []Robot{several}); err == nil {
			t.Errorf("%q are one robot", several.Tokens)
		}
	}
	// The caller's word that the robot obeys the group for everyone makes another robot.
	handle, err = e.Parse("User-agent: *\nDisallow: /\n", robots.RFC9309)
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := e.Robots(handle, []Robot{{Tokens: []string{"AdsBot-Google"}},
		{Tokens: []string{"AdsBot-Google"}, Everyone: true}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false} {
		if v, _, err := e.Match(nil, handle, numbers[i], "/"); err != nil || v.Allowed() != want {
			t.Errorf("robot %d: %v, %v", i, v, err)
		}
	}
}

// TestMeant compares the common names of the core engine with those of package agent.
func TestMeant(t *testing.T) {
	data, err := os.ReadFile("../../../../agent/data/called.txt")
	fatal.If(t, err)
	names := []string{"ai-train", "ai-search", "ai-user"}
	for line := range strings.Lines(string(data)) {
		if list, _, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") {
			names = append(names, strings.Split(list, ",")...)
		}
	}
	policy := robots.Parse(nil)
	for _, name := range names {
		name = strings.TrimSpace(name)
		found, err := (*agent.Table)(nil).Resolve(name)
		fatal.If(t, err)
		want := name
		switch {
		case agent.Named(name).Known():
		case len(found) > 1:
			want = ""
		default:
			want = found[0].Tokens[0]
		}
		for _, text := range []string{name, strings.ToUpper(name), " " + strings.ReplaceAll(name, " ", "-") + "\n"} {
			got, err := Robot{Tokens: []string{text}}.meant(policy)
			if want != name && (err == nil) == (want == "") || err == nil && want != name && got.Tokens[0] != want ||
				want == name && got.Tokens[0] != text {
				t.Errorf("%q is %q, %v; people mean %q by it", text, got.Tokens, err, want)
			}
		}
	}
	if n := strings.Count(called, ",") + strings.Count(called, "\n") + 1; n < 100 {
		t.Errorf("only %d names", n)
	}
	own := robots.ParseString("User-agent: claude\nDisallow: /\n")
	for _, r := range []Robot{{Tokens: []string{"claude"}, Everyone: true}, {Tokens: []string{"claude"}, Alone: true},
		{Tokens: []string{"claude", "x"}}, {Tokens: []string{"other"}}, {Tokens: []string{""}}, {}} {
		if got, err := r.meant(policy); err != nil || !slices.Equal(got.Tokens, r.Tokens) {
			t.Errorf("%v is %v, %v", r, got, err)
		}
	}
	if got, err := (Robot{Tokens: []string{"Claude"}}).meant(own); err != nil || got.Tokens[0] != "Claude" {
		t.Errorf("a robot that the text names is %v, %v", got, err)
	}
}

// TestObeysHeaders compares the robots that the core engine finds in real headers with those of the
// table.
func TestObeysHeaders(t *testing.T) {
	file, err := os.Open(corpus.Path(t, "agents", "crawler-user-agents.json.gz"))
	fatal.If(t, err)
	defer file.Close()
	data, err := gzip.NewReader(file)
	fatal.If(t, err)
	var list []struct{ Instances []string }
	fatal.If(t, json.NewDecoder(data).Decode(&list))
	found := 0
	for _, robot := range list {
		for _, header := range robot.Instances {
			got, err := Robot{Tokens: []string{header}}.known()
			if err != nil || slices.Equal(got.Tokens, []string{header}) {
				continue
			}
			found++
			// One header says in a comment which robot its own one follows.
			if want := agent.Lookup(header).Tokens(); !slices.Equal(got.Tokens, want) && want[0] != "Daumoa" {
				t.Errorf("%q is %v, and in the table %v", header, got.Tokens, want)
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d headers of robots with other groups", found)
	}
}
