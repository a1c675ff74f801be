package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// code returns the code of an error, or "".
func code(err error) Code {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// keep keeps a policy that must be accepted, and numbers robots.
func keep(t testing.TB, e *Engine, text string, d robots.Dialect, asked ...Robot) (handle uint32, numbers []uint32) {
	t.Helper()
	handle, err := e.Parse(text, d)
	fatal.If(t, err)
	numbers, err = e.Robots(handle, asked)
	fatal.If(t, err)
	return handle, numbers
}

const shop = "User-agent: *\nDisallow: /a\nCrawl-delay: 2\n\nUser-agent: FooBot\nUser-agent: BarBot\nDisallow: /\nAllow: /b$\nSitemap: https://example.com/s.xml\n"

// TestFreed asks about policies that are not kept: each question is refused, and another policy
// does not answer.
func TestFreed(t *testing.T) {
	e := New()
	handle, numbers := keep(t, e, shop, robots.RFC9309, Robot{Tokens: []string{"FooBot"}})
	if !e.Free(handle) || e.Free(handle) {
		t.Error("a policy is freed once")
	}
	for range 100 {
		keep(t, e, "", robots.RFC9309, Robot{})
	}
	for _, h := range []uint32{handle, 0, 1 << 31, 1<<32 - 1} {
		_, _, err := e.Match(nil, h, numbers[0], "/")
		_, err2 := e.MatchAll(nil, h, numbers, []string{"/"})
		_, err3 := e.Explain(h, numbers[0], "/")
		_, err4 := e.Facts(h, numbers[0])
		_, err5 := e.Robots(h, nil)
		_, err6 := e.Policy(h)
		for _, err := range []error{err, err2, err3, err4, err5, err6, e.Forget(h)} {
			if code(err) != NoPolicy {
				t.Errorf("policy %d: %v", h, err)
			}
		}
	}
}

// TestLimits asks for too much.
func TestLimits(t *testing.T) {
	e := New()
	if _, err := e.Parse(strings.Repeat("a", MaxText+1), robots.RFC9309); code(err) != TooLarge {
		t.Errorf("a large text: %v", err)
	}
	handle, _ := keep(t, e, shop, robots.RFC9309)
	var asked []Robot
	for i := range MaxRobots + 1 {
		asked = append(asked, Robot{Tokens: []string{fmt.Sprint("Bot", i)}})
	}
	if _, err := e.Robots(handle, asked); code(err) != TooMany {
		t.Errorf("many robots: %v", err)
	}
	if err := e.Forget(handle); err != nil {
		t.Error(err)
	}
	numbers, err := e.Robots(handle, asked[:2])
	if err != nil || numbers[0] != 0 {
		t.Errorf("after Forget: %v, %v", numbers, err)
	}
	if _, err := e.MatchAll(nil, handle, make([]uint32, MaxVerdicts/2+1), []string{"/", "/"}); code(err) != TooLarge {
		t.Errorf("many verdicts: %v", err)
	}
	e.bytes = MaxKept - 10
	if _, err := e.Parse(shop, robots.RFC9309); code(err) != TooMany {
		t.Errorf("many bytes: %v", err)
	}
	e.bytes = 0
	for e.Kept() < MaxPolicies {
		if _, err := e.Fixed(e.Kept()%2 == 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Parse("", robots.RFC9309); code(err) != TooMany {
		t.Errorf("many policies: %v", err)
	}
	if _, err := e.Fixed(true); code(err) != TooMany {
		t.Errorf("many policies without a text: %v", err)
	}
}

// TestBytes counts the bytes of policies that come and go: the limit must not creep.
func TestBytes(t *testing.T) {
	e := New()
	for i := range 10_000 {
		handle, _ := keep(t, e, strings.Repeat("#", i%100), robots.RFC9309)
		if i%2 == 0 {
			e.Free(handle)
		}
	}
	if e.Kept() != 5000 {
		t.Errorf("%d policies are kept", e.Kept())
	}
	for handle := range e.policies {
		e.Free(handle)
	}
	if e.bytes != 0 {
		t.Errorf("%d bytes are left", e.bytes)
	}
}

// TestHandles reaches the last handle: the next one is a free one, and is not 0.
func TestHandles(t *testing.T) {
	e := New()
	first, _ := keep(t, e, "", robots.RFC9309)
	e.last = 1<<31 - 2
	last, _ := keep(t, e, "", robots.RFC9309)
	next, _ := keep(t, e, "", robots.RFC9309)
	if first != 1 || last != 1<<31-1 || next != 2 {
		t.Errorf("got %d, %d, %d", first, last, next)
	}
}

// TestMatch compares the three ways of asking with the library, in each dialect, for robots with
// the same groups and others, and for texts that are not URLs.
func TestMatch(t *testing.T) {
	asked := []Robot{
		{Tokens: []string{"*"}}, {Tokens: []string{"FooBot"}}, {Tokens: []string{"barbot/1.0"}},
		{Tokens: []string{"BazBot", "FooBot"}},
		{Tokens: []string{"BazBot"}, Alone: true}, {}, {Alone: true}, {Tokens: []string{"a\x00b", "\xff"}},
		{Tokens: []string{"QuxBot"}},
	}
	urls := []string{"/", "/a", "/b", "/b/", "https://example.com/a?x#y", "/robots.txt", "", "private/x", "//x",
		"mailto:a@b", "/\xff\x00%zz", "/%61"}
	for _, text := range []string{shop, "", "\xff\xfe\x00",
		"User-agent: a\nDisallow: /\xff\nUser-agent: *\nUser-agent: foobot\nAllow: *\n"} {
		for _, d := range robots.Dialects() {
			check(t, text, d, asked, urls)
		}
	}
}

// check compares the answers of an engine with those of the library.
func check(t *testing.T, text string, d robots.Dialect, asked []Robot, urls []string) {
	t.Helper()
	e := New()
	handle, numbers := keep(t, e, text, d, asked...)
	policy := d.Parse([]byte(text))
	all, err := e.MatchAll(nil, handle, numbers, urls)
	if err != nil || len(all) != len(urls)*len(asked) {
		t.Fatalf("%d verdicts, %v", len(all), err)
	}
	for i, url := range urls {
		for j, r := range asked {
			group := policy.For(r.Tokens...)
			if r.Alone {
				group = policy.ForOnly(r.Tokens...)
			}
			one, rule, err := e.Match(nil, handle, numbers[j], url)
			explained, explainErr := e.Explain(handle, numbers[j], url)
			v := all[i*len(asked)+j]
			if wrong := robots.CheckURL(url); wrong != nil {
				if code(err) != BadURL || code(explainErr) != BadURL || err.Error() != wrong.Error() ||
					v.Reason() != "not-a-url" || v.Allowed() {
					t.Errorf("%q: %v, %v, %v", url, err, explainErr, v.Reason())
				}
				continue
			}
			want := group.Match(url)
			for _, v := range []Verdict{one, v} {
				if v.Allowed() != want.Allowed || v.Reason() != want.Reason.String() || v.Line() != want.Rule.Line {
					t.Errorf("%q, %s, %v, %q: got %t %s %d, want %v", text, d, r, url, v.Allowed(), v.Reason(),
						v.Line(), want)
				}
			}
			if want.Reason == robots.DecidingRule && !strings.HasSuffix(string(rule), ": "+want.Rule.Pattern) ||
				want.Reason != robots.DecidingRule && rule != nil {
				t.Errorf("%q: rule %q, want %v", url, rule, want)
			}
			var explanation struct{ Match struct{ Allowed bool } }
			if err := json.Unmarshal(explained, &explanation); err != nil || explanation.Match.Allowed != want.Allowed {
				t.Errorf("%q: explained %s, %v", url, explained, err)
			}
		}
	}
}

// TestCorpus compares the answers about real files with those of the library.
func TestCorpus(t *testing.T) {
	for i, file := range corpus.Sample(t, corpus.Cases(80, 3000)) {
		most := 20 // URLs
		if len(file.Data) > 100_000 {
			most = corpus.Cases(5, most)
		}
		asked := []Robot{{Tokens: []string{"*"}}, {Tokens: []string{"Googlebot-Image", "Googlebot"}},
			{Tokens: []string{"AdsBot-Google"}, Alone: true}}
		urls := []string{"/", "/robots.txt"}
		for _, g := range robots.Parse(file.Data).Groups() {
			if len(asked) < 8 {
				asked = append(asked, Robot{Tokens: g.Agents()})
			}
			for rule := range g.Rules() {
				if len(urls) < most {
					urls = append(urls, strings.NewReplacer("*", "x/", "$", "").Replace(rule.Pattern))
				}
			}
		}
		check(t, string(file.Data), robots.Dialects()[i%len(robots.Dialects())], asked, urls)
	}
}

// FuzzWire reads lists of any bytes, and asks with them: nothing may panic, and nothing may take
// more memory than the list.
func FuzzWire(f *testing.F) {
	f.Add(shop, []byte("\x01\x00\x00\x00\x04\x00\x00\x00\x01\x00\x00\x00a"),
		[]byte("\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00/"))
	f.Add("", []byte("\xff\xff\xff\xff\xff\xff\xff\xff"), []byte("\x00\x00\x00\x00\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, text string, robotsList, urlsList []byte) {
		e := New()
		handle, _ := keep(t, e, text, robots.Dialects()[len(text)%5])
		asked, err := ReadRobots(robotsList)
		if err == nil {
			_, err = e.Robots(handle, asked)
		}
		if err != nil && code(err) == "" {
			t.Error(err)
		}
		numbers, urls, err := ReadURLs(urlsList)
		if err == nil {
			_, err = e.MatchAll(nil, handle, numbers, urls)
		}
		if err != nil && code(err) == "" {
			t.Error(err)
		}
		for n := range uint32(len(asked)) {
			for _, url := range append(urls, text) {
				_, _, err := e.Match(nil, handle, n, url)
				_, err2 := e.Explain(handle, n, url)
				_, err3 := e.Facts(handle, n)
				for _, err := range []error{err, err2, err3} {
					if err != nil && code(err) == "" {
						t.Error(err)
					}
				}
			}
		}
		if !json.Valid(AppendError(nil, wrong(BadURL, text))) {
			t.Error("the error is not JSON")
		}
	})
}

func TestFacts(t *testing.T) {
	e := New()
	handle, numbers := keep(t, e, shop, robots.RFC9309, Robot{Tokens: []string{"BarBot"}}, Robot{Tokens: []string{"x"}},
		Robot{Alone: true})
	for i, want := range []string{
		`{"group":"BarBot","line":5,"crawl_delay":null,"sitemaps":["https://example.com/s.xml"]}`,
		`{"group":"*","line":1,"crawl_delay":2,"sitemaps":["https://example.com/s.xml"]}`,
		`{"group":"","line":0,"crawl_delay":null,"sitemaps":["https://example.com/s.xml"]}`,
	} {
		got, err := e.Facts(handle, numbers[i])
		if err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

// TestAbout: JavaScript has no list of reasons and dialects of its own, so their order is free, but
// the reasons must fit three bits.
func TestAbout(t *testing.T) {
	const want = `{"dialects":["rfc9309","google","koster1994","koster1996","kollar1996"],` +
		`"reasons":["no-group","no-rule","rule","robots-file","unavailable","unreachable","unknown","not-a-url"],"questions":[],"max_text":16777216}`
	if got := string(New().About()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestUnknownQuestion(t *testing.T) {
	e := New(Question{Name: "lint"})
	if _, err := e.Ask("l\x1bint", nil); code(err) != BadValue || !strings.Contains(err.Error(), "lint") ||
		strings.Contains(err.Error(), "\x1b") {
		t.Error(err)
	}
}
