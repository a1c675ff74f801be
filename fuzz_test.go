package robots_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// FuzzMatch compares the engine with its slow twin, in every dialect.
func FuzzMatch(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /private/\nAllow: /private/index.html\n", "FooBot", "/private/index.html?x#y")
	f.Add("User-agent: a b\r\rUser-Agent: FooBot/1.0 # c\rDisallow: /a*b$\r\nDisallow: /%7ejoe /%2F\n\nDisallow: /", "foobot/2", "http://x/~joe")
	f.Add("\xef\xbb\xbfuseragent FooBot\ndisalow:/*é*$%c3\x00\nAllow: /x/index.html\nCrawl-delay: 3\n", "FooBot", "/x/")
	f.Add("user-agent:*\ndisallow:/\nallow:/a**b/index.html\n", "FooBot", "/axb/")
	f.Add("user-agent:*\ndisallow:*\nallow:$\nallow:/$\nallow:/*$\ndisallow:/a$b\ndisallow:/**a**\n", "*", "/a%24b*")
	f.Add("User-agent: bot\n\nDisallow: /\n\nDisallow: /x\nUser-agent: *\n\nUser-agent: c\nAllow: /%%34\n", "Robot", "?a=b;c")
	f.Add("User-agent: *\nDisallow: /a\n"+strings.Repeat(" ", 16653)+"User-agent: x\nDisallow: /b", "foo", "/b")
	f.Add("User-agent: foo\n"+strings.Repeat("\t", 16655)+"Disallow: /x\nUser-agent: bar\nDisallow: /y", "foo", "/y")
	f.Add("User-agent: foo\u00a0*\nDisallow: /a\u00a0b\u3000/\n", "foo", "/ax")
	f.Add("User-agent: *\nDisallow: /my file\nAllow: /my%20file/<b>|*\nDisallow: /{x}*`$\n", "foo", "/my%20file/%3cb%3E%7c")
	f.Fuzz(func(t *testing.T, text, agent, url string) {
		for _, d := range robots.Dialects() {
			check(t, d, text, agent, url)
		}
	})
}

// check compares one answer of the engine with its twin's, and with the answers of the engine's
// other methods.
func check(t *testing.T, d robots.Dialect, text, agent, url string) {
	t.Helper()
	group := d.Parse([]byte(text)).For(agent)
	got := group.Match(url)
	allowed, line := slowMatch(d.String(), text, agent, url)
	if got.Allowed != allowed || got.Rule.Line != line {
		t.Errorf("%v: %.2000q for %q, %q: got %v, want allowed %t by line %d", d, text, agent, url, got, allowed, line)
	}
	for _, join := range []bool{false, true} {
		if join {
			group.Join()
		}
		for _, form := range []struct {
			name string
			use  func()
		}{
			{"lists", func() {}}, {"sieves", group.UseSieves}, {"tables", group.UseTables}, {"grown tables", group.UseGrown}, {"nets", group.UseNets},
		} {
			form.use()
			if m := group.Match(url); m != got {
				t.Errorf("%v: %.2000q for %q, %q: first %v, of %s (joined %t) %v", d, text, agent, url, got, form.name, join, m)
			}
		}
	}
	e := group.Explain(url)
	if e.Match != got {
		t.Errorf("%v: %.2000q for %q, %q: Explain says %v, Match %v", d, text, agent, url, e.Match, got)
	}
	if got.Reason == robots.DecidingRule && (len(e.Candidates) == 0 || e.Candidates[0].Rule != got.Rule) {
		t.Errorf("%v: %.2000q for %q, %q: %v, but Explain says %v", d, text, agent, url, got, e)
	}
}

// FuzzLines checks the invariants of the lines of any text.
func FuzzLines(f *testing.F) {
	f.Add("\xef\xbb\xbfUser-agent: *\rDisallow: /\r\n\n#x\nno colon\x00")
	f.Add("\xef\xbb")
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range robots.Dialects() {
			checkLines(t, d, text)
		}
	})
}

func checkLines(t *testing.T, d robots.Dialect, text string) {
	t.Helper()
	checkPolicyLines(t, d.Parse([]byte(text)), text)
}

// checkPolicyLines checks the lines of a policy with this text.
func checkPolicyLines(t *testing.T, policy *robots.Policy, text string) {
	t.Helper()
	d := policy.Dialect()
	groups := policy.Groups()
	var joined strings.Builder
	rules := make(map[string]int) // by group and line
	for n, line := range policy.Lines() {
		if line.Number != n || line.Offset != joined.Len() {
			t.Fatalf("%v: line %d at octet %d says it is line %d at %d", d, n, joined.Len(), line.Number, line.Offset)
		}
		joined.WriteString(line.Text)
		if !strings.Contains(line.Text, line.Field) || !strings.Contains(line.Text, line.Value) {
			t.Errorf("%v: line %q has field %q and value %q", d, line.Text, line.Field, line.Value)
		}
		switch line.Kind {
		case robots.Allow, robots.Disallow:
			if line.Group < 0 || line.Group >= len(groups) {
				t.Fatalf("%v: %.2000q: line %d stands in group %d of %d", d, text, n, line.Group, len(groups))
			}
			if (line.Value != "" || line.Kind == robots.Allow && d == robots.Koster1996) && d != robots.Kollar1996 {
				rules[fmt.Sprint(line.Group, " ", n)]++
			}
		case robots.UserAgent:
			if line.Group < 0 || line.Group >= len(groups) {
				t.Fatalf("%v: %.2000q: line %d stands in group %d of %d", d, text, n, line.Group, len(groups))
			}
		}
	}
	if joined.String() != text {
		t.Errorf("%v: the lines of %.2000q, joined, are %.2000q", d, text, joined.String())
	}
	for i, group := range groups {
		for rule := range group.Rules() {
			if d != robots.Kollar1996 {
				rules[fmt.Sprint(i, " ", rule.Line)]--
			}
		}
	}
	for where, n := range rules {
		if n != 0 {
			t.Errorf("%v: %.2000q: the rule of group and line %s is not in both Lines and Rules", d, text, where)
		}
	}
	policy.BadRecords()
}

// fragments are parts of texts, names and URLs. Random bytes rarely make two rules for the same path;
// fragments do.
var fragments = []string{
	"User-agent: FooBot\n", "User-agent: *\n", "User-agent: BarBot Foo\n", "Disallow: /\n", "Disallow: /a", "Allow: /a",
	"Disallow: /a*b", "Allow: /*", "Disallow: *", "Allow: /a$", "Disallow: /%", "Allow: /a/index.html\n", "Disallow:\n", "Allow:\n",
	"Crawl-delay: 1\n", "disallow:/abcdefgh", "allow:/abcdefghabcdefgh", "allow:/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	"User-agent", "useragent", "user agent", "UserAgentX", "Allow", "allow-x", "Disallow", "disalow", "dissallow",
	"Sitemap", "foo", ":", " : ", "\t:", " ", "\n", "\n", "\n\n", "\r", "\r\n", "*", "*", "$", "/", "/", "/a", "/b",
	"a", "b", "ab", "\x1a", "\r\x1a", "abcdefgh", "aaaaaaaaaaaaaaaaaaaaaaaa", "FooBot", "foobot", "FooBot/1.0", "* x", "*x", "#", "# c",
	"\x00", "\xef", "\xbb", "\xbf", "\xef\xbb\xbf", "\xc3\xa9", "%c3", "%C3%A9", "%41", "%61", "%2A", "%24", "%25", "%",
	"%2", "%2f", "%2F", "/index.htm", "index.htm", "\v", "\f", "\xa0", "\u00a0", "\u3000", "<", "%3C", " b", "%20", "|", "\x7f", "?", ";", "=", "x/y", "://", "http://h/", "//",
	"/robots.txt", "/Robots.txt", strings.Repeat("q", 100),
	strings.Repeat(" ", 16650), strings.Repeat("z", 8400),
}

// FuzzFragments is FuzzMatch for texts made of fragments.
func FuzzFragments(f *testing.F) {
	f.Add([]byte{1, 6, 32, 7, 32}, []byte{49}, []byte{42, 43})
	f.Fuzz(func(t *testing.T, text, agent, url []byte) {
		if len(text) > 200 || len(agent) > 4 || len(url) > 40 {
			return // large inputs are slow, and find no more
		}
		join := func(parts []byte) string {
			var b strings.Builder
			for _, p := range parts {
				b.WriteString(fragments[int(p)%len(fragments)])
			}
			return b.String()
		}
		if len(join(text))*len(join(url)) > 1<<26 {
			return // the twin compares each byte with each, which would take many seconds
		}
		for _, d := range robots.Dialects() {
			check(t, d, join(text), join(agent), join(url))
		}
		checkLines(t, robots.Google, join(text))
		checkLines(t, robots.Koster1996, join(text))
	})
}

// TestFragments runs FuzzFragments with 8,000 fixed inputs, or 20,000 with ROBOTS_CORPUS_ALL.
func TestFragments(t *testing.T) {
	r := rand.New(rand.NewPCG(9309, 1994))
	pick := func(n int, from []string) string {
		var b strings.Builder
		for range r.IntN(n + 1) {
			b.WriteString(from[r.IntN(len(from))])
		}
		return b.String()
	}
	n := corpus.Cases(8000, 20_000)
	if testing.Short() {
		n = 2000
	}
	for range n {
		text := pick(6, fragments[:18]) + pick(20, fragments[:len(fragments)-2])
		url := pick(6, fragments[38:])
		agent := pick(1, []string{"FooBot", "foobot/1", "*", "Foo", "BarBot", ""})
		d := robots.Dialects()[r.IntN(5)]
		check(t, d, text, agent, url)
		checkLines(t, d, text)
	}
}
