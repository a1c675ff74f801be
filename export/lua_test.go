package export

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/probe"
	"github.com/robotsexclusion/robots/internal/test/slowguard"
)

// luaDriver asks the Lua file about lines with a header and a target in hexadecimal digits.
const luaDriver = `
local robots = dofile(arg[1])
local function text(hex) return (hex:gsub("..", function(h) return string.char(tonumber(h, 16)) end)) end
for line in io.lines() do
  local header, target = line:match("^(%x*) (%x*)$")
  print(robots.refuse(text(header), text(target)) or 0)
end`

// A question is about a header and a target.
type question struct{ header, target string }

// askLua returns the answers of the Lua file in an interpreter: the line that refuses, or 0.
func askLua(t testing.TB, program string, p *robots.Policy, o Options, questions []question) (lines []int) {
	t.Helper()
	plan, err := newPlan("lua", p, o)
	fatal.If(t, err)
	f, err := writeLuaFile(plan)
	fatal.If(t, err)
	dir := t.TempDir()
	file, driver := filepath.Join(dir, f.Name), filepath.Join(dir, "driver.lua")
	fatal.If(t, os.WriteFile(file, f.Data, 0o644))
	fatal.If(t, os.WriteFile(driver, []byte(luaDriver), 0o644))
	var input, output bytes.Buffer
	for _, q := range questions {
		fmt.Fprintf(&input, "%s %s\n", hex.EncodeToString([]byte(q.header)), hex.EncodeToString([]byte(q.target)))
	}
	cmd := exec.Command(program, driver, file)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &input, &output, os.Stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	for range questions {
		var line int
		if _, err := fmt.Fscan(&output, &line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines
}

// refusedBy returns the line for which a request must be refused, or 0. It is the plain twin of the
// Lua file.
func refusedBy(p *robots.Policy, q question) int {
	a := agent.Lookup(q.header)
	g := p.ForOnly(a.Tokens()...)
	if a.Everyone() && a.Crawler() {
		g = p.For(a.Tokens()...)
	}
	url := q.target
	if !strings.HasPrefix(url, "http:") {
		url = "http://example.com" + url
	}
	m := g.Match(url)
	if m.Allowed || a.Kind != agent.Robot || a.Device || strings.HasPrefix(robots.RFC9309.Path(url), "/robots.txt?") {
		return 0
	}
	return m.Rule.Line
}

// interpreters are the programs in which the Lua file must give the same answers.
var interpreters = []string{"lua5.1", "lua5.3", "lua5.4", "luajit"}

// eachLua runs a test with each interpreter of Lua.
func eachLua(t *testing.T, test func(t *testing.T, program string)) {
	for _, program := range interpreters {
		t.Run(program, func(t *testing.T) {
			if _, err := exec.LookPath(program); err != nil {
				t.Skipf("%s is not installed, in which the Lua file is tested", program)
			}
			test(t, program)
		})
	}
}

// holdLua holds the answers of the Lua file against those of the package.
func holdLua(t *testing.T, program string, p *robots.Policy, questions []question) {
	t.Helper()
	wrong := 0
	for i, line := range askLua(t, program, p, Options{Literal: true}, questions) {
		if q := questions[i]; line != refusedBy(p, q) {
			if wrong++; wrong <= 10 {
				t.Errorf("%q to %q is refused by line %d, want %d: %+v", q.target, q.header, line, refusedBy(p, q),
					agent.Lookup(q.header))
			}
		}
	}
	if wrong > 10 {
		t.Errorf("%d of %d answers are wrong", wrong, len(questions))
	}
}

// TestLuaHeaders makes headers of words of all classes, and of the signs between words.
func TestLuaHeaders(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	words := []string{"", "Foo", "x", "en-us", "de", "FooBot", "BotFoo", "crawler", "Foo-checker", "foo.com", "Email",
		"KMail", "FooPlayer", "FooBrowser", "SM-G900", "\xc3\xa9t\xc3\xa9",
		"a@b.example", "www.foo.example", "http://foo.example/bot", "agentFoo", "FooAgent", "foothumbs", "5.0", "1",
		"Nutch-1.9", "bingbot2.0", "Nokia303", "J2ME", "a.b", ".", "..", "+", "%41", "Googlebot.x"}
	signs := []string{" ", " ", " ", " ", "/", "/1.0 ", "/5.0 ", "; ", " (", ") ", ", ", "+", "-", "_", ".", "[", "]",
		"|", "\"", "@", "://", "\t", "  ", "(", ")", "/1/", "\x00", "'"}
	for word := range agent.HeaderWords() {
		words = append(words, word, strings.ToUpper(word[:1])+word[1:])
	}
	for name := range (*agent.Table)(nil).HeaderNames() {
		if random.IntN(4) == 0 {
			words = append(words, name)
		}
	}
	tops := []string{"Mozilla/5.0 (", "Mozilla/5.0 (compatible; ", "Mozilla/5.0 (Linux; Android 9; ",
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; ", "", "", "", ""}
	var questions []question
	most := 1500
	if corpus.All() {
		most = 20000
	}
	for range most {
		header := tops[random.IntN(len(tops))]
		for range 1 + random.IntN(6) {
			header += words[random.IntN(len(words))] + signs[random.IntN(len(signs))]
		}
		questions = append(questions, question{header, "/x"}, question{header, "/y"})
	}
	text := "user-agent: *\ndisallow: /x\n\nuser-agent: foo\nuser-agent: curl\nuser-agent: crawler\nuser-agent: google+favicon\nuser-agent: google\ndisallow: /y\n\nuser-agent: googlebot\nallow: /\n\nuser-agent: foobot\ndisallow: /y\n"
	eachLua(t, func(t *testing.T, program string) { holdLua(t, program, robots.Parse([]byte(text)), questions) })
}

// TestLuaRules makes rules and targets of a few bytes, so that many of them match.
func TestLuaRules(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	units := []string{"a", "b", "/", "/", "*", "*", "$", "%41", "%2f", "%2F", "%c3%a9", "\xc3\xa9", "%", "%2", "?", "#",
		" ", ".", "~", "%7e", "%24", "%2A", "%25", "{", "ab", "/a/b"}
	make := func(most int) string {
		text := "/"
		if random.IntN(8) == 0 {
			text = ""
		}
		for range random.IntN(most) {
			text += units[random.IntN(len(units))]
		}
		return text
	}
	eachLua(t, func(t *testing.T, program string) {
		most := 2
		if corpus.All() {
			most = 20
		}
		for range most {
			text := "user-agent: *\n"
			for range 1 + random.IntN(80) {
				text += []string{"allow: ", "disallow: ", "disallow: /*", "allow: /*/"}[random.IntN(4)] + make(7) + "\n"
			}
			questions := []question{{"ExampleBot/1.0", ""}, {"ExampleBot/1.0", "?x"}, {"ExampleBot/1.0", "http://h?x"},
				{"ExampleBot/1.0", "/robots.txt"}, {"ExampleBot/1.0", "/robots%2Etxt?x"}}
			for range 1500 {
				questions = append(questions, question{"ExampleBot/1.0", "/" + make(12)})
			}
			holdLua(t, program, robots.Parse([]byte(text)), questions)
		}
	})
}

// TestLuaReadings holds the answers to targets that servers read in different ways against those of
// the slow twin of the guard, which closes the same readings.
func TestLuaReadings(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	p := robots.Parse([]byte("user-agent: *\ndisallow: /private/\nallow: /private/open\n" +
		"disallow: /dir/$\ndisallow: /*.pdf$\ndisallow: /a%2Fb\ndisallow: /x//y\n"))
	questions := []question{{"ExampleBot/1.0", "/x%2fy/../private/x"}, {"ExampleBot/1.0", "/private/x//../.."},
		{"ExampleBot/1.0", "/x%2fy/../a%2f../private/x"}, {"ExampleBot/1.0", "/.well-known%2fx/../private/x"},
		{"ExampleBot/1.0", "/dir/y/.."}, {"ExampleBot/1.0", "//a%2fb"}}
	paths := []string{"/private/x", "/private/open", "/dir/", "/public/x.pdf", "/a%2fb", "/x//y", "/public"}
	for range corpus.Cases(3000, 100000) {
		questions = append(questions, question{"ExampleBot/1.0", probe.Spelled(random, paths[random.IntN(len(paths))])})
	}
	eachLua(t, func(t *testing.T, program string) {
		wrong, refused := 0, 0
		for i, line := range askLua(t, program, p, Options{WellKnown: true}, questions) {
			target := questions[i].target
			if scheme, rest, _ := strings.Cut(target, ":"); !strings.Contains(scheme, "/") && rest != "" {
				if target = rest; strings.HasPrefix(rest, "//") {
					rest = rest[2:]
					target = "/" + strings.TrimPrefix(rest[strings.IndexAny(rest+"/", "/?#"):], "/")
				}
			}
			want := slowguard.Refuses(p, "ExampleBot/1.0", target)
			if want {
				refused++
			}
			if (line > 0) != want {
				if wrong++; wrong <= 10 {
					t.Errorf("%q is refused by line %d, want refused %t", questions[i].target, line, want)
				}
			}
		}
		t.Logf("%d of %d are refused, %d answers are wrong", refused, len(questions), wrong)
		if refused < len(questions)/4 {
			t.Error("too few are refused to compare anything")
		}
	})
}
