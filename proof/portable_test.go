package proof_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/proof"
)

func TestPortable(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"User-agent: *\nDisallow: /a\n", nil},
		{"User-agent: *\nDisallow: /*.pdf$\n", []string{
			"*: /.pdf: disallowed by line 2: Disallow: /*.pdf$; but koster1994: allowed: no rule of the group matches",
			"*: /.pdf: disallowed by line 2: Disallow: /*.pdf$; but koster1996: allowed: no rule of the group matches",
			"*: /.pdf: disallowed by line 2: Disallow: /*.pdf$; but kollar1996: allowed: no rule of the group matches",
		}},
		{"User-agent: a\n\nUser-agent: *\nDisallow: /\n", []string{
			"a: /: disallowed by line 4: Disallow: /; but koster1994: allowed: no rule of the group matches",
			"a: /: disallowed by line 4: Disallow: /; but koster1996: allowed: no rule of the group matches",
			"a: /: disallowed by line 4: Disallow: /; but kollar1996: allowed: no rule of the group matches",
		}},
		{"User-agent: *\nDisallow: /\nAllow: /a/index.html\n", []string{
			"*: /a/: disallowed by line 2: Disallow: /; but google: allowed by line 3: Allow: /a/index.html",
			"*: /a/index.html: allowed by line 3: Allow: /a/index.html; but koster1994: disallowed by line 2: Disallow: /",
			"*: /a/index.html: allowed by line 3: Allow: /a/index.html; but koster1996: disallowed by line 2: Disallow: /",
			"*: /a/index.html: allowed by line 3: Allow: /a/index.html; but kollar1996: disallowed by line 2: Disallow: /",
		}},
		// Fallbacks.
		{"User-agent: *\nDisallow: /a\n\nUser-agent: Googlebot\nDisallow: /b\n\nUser-agent: AdsBot-Google\nDisallow: /c\n\nUser-agent: Applebot\nDisallow: /d\n", []string{
			"Googlebot-Image: /b: allowed: no rule of the group matches; but google: disallowed by line 5: Disallow: /b",
			"Googlebot-Image: /a: disallowed by line 2: Disallow: /a; but google: allowed: no rule of the group matches",
			"AdsBot-Google-Mobile-Apps: /c: allowed: no rule of the group matches; but google: disallowed by line 8: Disallow: /c",
			"AdsBot-Google-Mobile-Apps: /a: disallowed by line 2: Disallow: /a; but google: allowed: no rule of the group matches",
		}},
		{"User-agent: Googlebot\nDisallow: /b\n", []string{
			"Googlebot-Image: /b: allowed: no group is for this robot; but google: disallowed by line 2: Disallow: /b",
			"Applebot: /b: allowed: no group is for this robot; but apple: disallowed by line 2: Disallow: /b",
		}},
		{"User-agent: msnbot\nDisallow: /b\n", []string{
			"bingbot: /b: allowed: no group is for this robot; but bing: disallowed by line 2: Disallow: /b",
		}},
		// Yandex: the weight of rules, "Disallow:", and what ends a group.
		{"User-agent: Yandex\nDisallow: /*.htm\nAllow: /page\nAllow: /*.htm$\n", []string{
			"Yandex: /page.htma: disallowed by line 2: Disallow: /*.htm; but yandex: allowed by line 3: Allow: /page",
			"YandexBot: /.htma: allowed: no group is for this robot; but yandex: disallowed by line 2: Disallow: /*.htm",
			"Yandex: /page.htma: disallowed by line 2: Disallow: /*.htm; but koster1994: allowed: no rule of the group matches",
			"Yandex: /page.htma: disallowed by line 2: Disallow: /*.htm; but koster1996: allowed by line 3: Allow: /page",
			"Yandex: /page.htma: disallowed by line 2: Disallow: /*.htm; but kollar1996: allowed: no rule of the group matches",
		}},
		{"User-agent: YandexBot\nDisallow: /\nDisallow:\n", []string{
			"YandexBot: /: disallowed by line 2: Disallow: /; but yandex: allowed by line 3: Allow: /",
		}},
		{"User-agent: Yandex\nCrawl-delay: 2\nUser-agent: bingbot\nDisallow: /b\n", []string{
			"Yandex: /b: disallowed by line 4: Disallow: /b; but yandex: allowed: no rule of the group matches",
		}},
		{"User-agent: YandexBot\nUser-agent: bingbot # b\nCrawl-delay: 2\nDisallow: /b\n", nil},
		// Percent-encoding.
		{"User-agent: *\nDisallow: /%7efred\n", []string{
			"*: /~fred: disallowed by line 2: Disallow: /%7efred; but google: allowed: no rule of the group matches",
		}},
		{"User-agent: *\nDisallow: /a%2fb\nDisallow: /*%2a\n", []string{
			"*: /a%2fb: disallowed by line 2: Disallow: /a%2fb; but google: allowed: no rule of the group matches",
			"*: /%2a: disallowed by line 3: Disallow: /*%2a; but koster1994: allowed: no rule of the group matches",
			"*: /%2a: disallowed by line 3: Disallow: /*%2a; but koster1996: allowed: no rule of the group matches",
			"*: /%2a: disallowed by line 3: Disallow: /*%2a; but kollar1996: allowed: no rule of the group matches",
		}},
		{"User-agent: *\nDisallow: /\nAllow: /%7efred\n", []string{
			"*: /~fred: allowed by line 3: Allow: /%7efred; but google: disallowed by line 2: Disallow: /",
			"*: /~fred: allowed by line 3: Allow: /%7efred; but koster1994: disallowed by line 2: Disallow: /",
			"*: /~fred: allowed by line 3: Allow: /%7efred; but koster1996: disallowed by line 2: Disallow: /",
			"*: /~fred: allowed by line 3: Allow: /%7efred; but kollar1996: disallowed by line 2: Disallow: /",
		}},
		{"User-agent: *\nDisallow: /caf\u00e9$\n", []string{
			"*: /caf\u00e9: disallowed by line 2: Disallow: /caf\u00e9$; but google: allowed: no rule of the group matches",
			"*: /caf\u00e9: disallowed by line 2: Disallow: /caf\u00e9$; but koster1994: allowed: no rule of the group matches",
			"*: /caf\u00e9: disallowed by line 2: Disallow: /caf\u00e9$; but koster1996: allowed: no rule of the group matches",
			"*: /caf\u00e9: disallowed by line 2: Disallow: /caf\u00e9$; but kollar1996: allowed: no rule of the group matches",
		}},
	} {
		divergences, err := proof.Portable(parse(test.text), proof.Options{})
		var got []string
		for _, d := range divergences {
			got = append(got, d.String())
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%q: error %v, got\n%s\nwant\n%s", test.text, err, strings.Join(got, "\n"),
				strings.Join(test.want, "\n"))
		}
	}
}

// portableText returns a text with lines that readers interpret differently.
func portableText(r *rand.Rand) string {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	var b strings.Builder
	for range 1 + r.IntN(4) {
		for i := range 1 + r.IntN(3) {
			if i > 0 {
				b.WriteString(pick("", "", "\n", "# c\n", "  \n", "Crawl-delay: 1\n", "junk\n", "junk # a: b\n"))
			}
			b.WriteString("User-agent: " + pick("*", "*", "FooBot", "Yandex", "YandexBot", "Googlebot",
				"Googlebot-Image", "AdsBot-Google", "msnbot", "Applebot", "yandexbot/3.0") + "\n")
		}
		b.WriteString(pick("", "", "\n", "# c\n"))
		for range r.IntN(4) {
			b.WriteString(pick("Disallow: ", "Allow: "))
			if r.IntN(8) > 0 {
				b.WriteString(randomPattern(r))
			}
			b.WriteString(pick("\n", "\n", "\n", "\n\n", " # c\n"))
		}
		b.WriteString(pick("\n", "", "Sitemap: http://h/s\n"))
	}
	return b.String()
}

// TestPortableBrute tries all short paths for divergences that Portable missed. Its answers
// come from readers other than the code under test. It generates 50 files, or 150 with
// ROBOTS_CORPUS_ALL.
func TestPortableBrute(t *testing.T) {
	corpus.Unraced(t)
	r := rand.New(rand.NewPCG(17, 19))
	n := corpus.Cases(50, 150)
	if testing.Short() {
		n = 15
	}
	found := make(map[string]int)
	for range n {
		text := portableText(r)
		policy := parse(text)
		divergences, err := proof.Portable(policy, proof.Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		inFile := []string{"*"}
		for _, g := range policy.Groups() {
			inFile = append(inFile, g.Agents()...)
		}
		for _, v := range divergences {
			if got := v.Reader.Match(policy, v.Agent, site+v.Witness); got != v.Other ||
				got.Allowed == v.Match.Allowed || v.Match != policy.For(v.Agent).Match(site+v.Witness) {
				t.Fatalf("%v is none: %v\n%s", v, got, text)
			}
			found[v.Reader.Name]++
		}
		for _, reader := range proof.Readers() {
			names := map[string][]string{
				"google": append([]string{"Googlebot", "Googlebot-Image", "Googlebot-News", "Storebot-Google"},
					inFile...),
				"bing":   {"bingbot", "msnbot", "AdIdxBot"},
				"yandex": {"YandexBot", "Yandex", "YandexImages"},
				"apple":  {"Applebot"},
			}[reader.Name]
			if names == nil {
				names = inFile
			}
			cached := make(map[string]answers)
			answersFor := func(name string) answers {
				a, ok := cached[name]
				if !ok {
					g, other := policy.For(name), otherReading(reader.Name, policy, name)
					var here, there []byte
					for _, path := range paths {
						here = append(here, verdict(g.Allowed(site+path)))
						there = append(there, verdict(other(path)))
					}
					a = answers{string(here), string(there)}
					cached[name] = a
				}
				return a
			}
			for _, name := range names {
				if name == "Yandex" && !slices.Contains(inFile, name) {
					continue // no robot's name
				}
				a := answersFor(name)
				closed, opened := "", ""
				for i, path := range paths {
					switch {
					case a.here[i] == a.there[i]:
					case a.here[i] == '+':
						closed = path
					default:
						opened = path
					}
				}
				if closed == "" && opened == "" {
					continue
				}
				for _, v := range divergences {
					switch {
					case v.Reader != reader || answersFor(v.Agent) != a:
					case v.Match.Allowed:
						closed = ""
					default:
						opened = ""
					}
				}
				if closed != "" || opened != "" {
					t.Fatalf("%v closes %q, opens %q to %s, in none of %v\n%s", reader, closed, opened, name,
						divergences, text)
				}
			}
		}
	}
	t.Log(found)
}

// TestPortableIn compares policies that are read in other dialects.
func TestPortableIn(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 29))
	n := 100
	if testing.Short() {
		n = 20
	}
	for range n {
		text := portableText(r)
		for _, d := range robots.Dialects() {
			p := d.Parse([]byte(text))
			divergences, err := proof.Portable(p, proof.Options{})
			if err != nil {
				t.Errorf("%v: %v\n%s", d, err, text)
			}
			for _, v := range divergences {
				if v.Reader.Match(p, v.Agent, site+v.Witness) != v.Other ||
					p.For(v.Agent).Match(site+v.Witness) != v.Match || v.Match.Allowed == v.Other.Allowed {
					t.Errorf("%v: %v is none\n%s", d, v, text)
				}
				if v.Reader.Name == d.String() && v.Reader.Operator == "" {
					t.Errorf("%v differs from itself: %v\n%s", d, v, text)
				}
			}
		}
	}
}

func TestDivergenceJSON(t *testing.T) {
	divergences, _ := proof.Portable(parse("User-agent: msnbot\nDisallow: /b\n"), proof.Options{})
	got, err := json.Marshal(divergences)
	want := `[{"agent":"bingbot","reader":"bing","witness":"/b","match":{"allowed":true,"reason":"no-group"},"other":{"allowed":false,"reason":"rule","line":2,"rule":"Disallow: /b"}}]`
	if string(got) != want || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

// answers are a robot's answers for all short paths, from this module and from another
// reader.
type answers struct{ here, there string }

func verdict(allowed bool) byte {
	if allowed {
		return '+'
	}
	return '-'
}

// otherReading returns a reader's answers for a robot.
func otherReading(reader string, p *robots.Policy, name string) func(path string) bool {
	tokens := []string{name}
	operator := map[string]string{"google": "Google", "bing": "Microsoft", "yandex": "Yandex", "apple": "Apple"}[reader]
	if a := agent.Named(name); operator != "" && a.Operator == operator {
		tokens = a.Tokens()
	}
	if reader == "yandex" {
		rules := slowYandex(p.String(), tokens)
		return func(path string) bool { return slowAllowed(rules, path) }
	}
	d, err := robots.ParseDialect(reader)
	if err != nil {
		d = robots.RFC9309
	}
	g := p.In(d).For(tokens...)
	if reader == "google" && name == "AdsBot-Google" {
		g = p.In(d).ForOnly(tokens...)
	}
	return func(path string) bool { return g.Allowed(site + path) }
}

// TestPortableAgents asks about the robots of the options only.
func TestPortableAgents(t *testing.T) {
	text := "User-agent: *\nDisallow: /*.htm\nAllow: /page\n\nUser-agent: Googlebot\nDisallow: /b\n"
	for _, test := range []struct {
		agents []string
		want   string
	}{
		{[]string{"*"}, "yandex YandexBot, koster1994 *, koster1996 *, kollar1996 *"},
		{[]string{"Googlebot"}, ""},
		{[]string{"Googlebot-Image"},
			"google Googlebot-Image, koster1994 Googlebot-Image, koster1996 Googlebot-Image, kollar1996 Googlebot-Image"},
		{[]string{"Applebot", "AdsBot-Google"},
			"google AdsBot-Google, apple Applebot, koster1994 Applebot, koster1996 Applebot, kollar1996 Applebot"},
		{[]string{}, ""},
	} {
		divergences, err := proof.Portable(parse(text), proof.Options{Agents: test.agents})
		var got []string
		for _, v := range divergences {
			if of := v.Reader.Name + " " + v.Agent; !slices.Contains(got, of) {
				got = append(got, of)
			}
		}
		if strings.Join(got, ", ") != test.want || err != nil {
			t.Errorf("%q: got %q, error %v, want %q", test.agents, strings.Join(got, ", "), err, test.want)
		}
	}
}

// TestPortableHostile compares hostile files. The test fails by a panic or its timeout. Files are
// five times as large with ROBOTS_CORPUS_ALL.
func TestPortableHostile(t *testing.T) {
	corpus.Unraced(t)
	many := func(n int, text string) string { return strings.Repeat(text, n) }
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	names := func(n int) string { return numbered(n, "User-agent: bot%d\n") }
	n := 2
	switch {
	case corpus.All():
		n = 10
	case testing.Short():
		n = 1
	}
	for name, text := range map[string]string{
		"empty":                "",
		"NUL":                  "User-agent: *\x00\nDisallow: /\x00%00\n",
		"not UTF-8":            "\xef\xbb\xbfUser-agent: *\xff\r\rDisallow: /\xff\xfe%ff$\r",
		"names without rules":  many(2000*n, "User-agent: Yandex\n\n"),
		"names of many robots": names(500*n) + "Disallow: /\n",
		"groups of many robots": names(20*n) + numbered(1000*n, "Disallow: /%d*\n") + numbered(20*n,
			"User-agent: bot%d\nDisallow: /a\n"),
		"empty rules": "User-agent: *\n" + many(2000*n, "Disallow:\n"),
		"wildcards":   "User-agent: *\n" + numbered(300, "Disallow: /*a%d*b*c$\nAllow: /*b*a%[1]d\n"),
		"stars": "User-agent: *\nDisallow: /" + many(5000*n, "*") + "\nAllow: /" + many(5000*n, "*a") +
			"\n",
		"percent signs":         "User-agent: *\n" + many(100, "Disallow: /"+many(1000, "%e3")+"\n"),
		"other spellings":       "User-agent: *\n" + numbered(3000, "Disallow: /%%7e%d\n"),
		"more than 500 KiB":     "User-agent: *\nDisallow: /\n#" + many(500<<10, "x"),
		"a terminal's commands": "User-agent: \x1b[31m\nDisallow: /*\x1b[31m\n",
	} {
		divergences, _ := proof.Portable(parse(text), proof.Options{Limit: 100})
		for _, v := range divergences {
			if strings.ContainsRune(v.String(), '\x1b') || v.Match.Allowed == v.Other.Allowed {
				t.Errorf("%s: %q", name, v.String())
			}
		}
	}
	for _, p := range []*robots.Policy{robots.AllowAll(), robots.DisallowAll(), {}} {
		if divergences, err := proof.Portable(p, proof.Options{}); len(divergences) > 0 || err != nil {
			t.Errorf("%v, error %v", divergences, err)
		}
	}
	large := "User-agent: *\nDisallow: /\n#" + strings.Repeat("x", 500<<10)
	divergences, _ := proof.Portable(parse(large), proof.Options{})
	if len(divergences) != 1 ||
		divergences[0].String() != "YandexBot: /: disallowed by line 2: Disallow: /; but yandex: allowed: no group is for this robot" {
		t.Errorf("more than 500 KiB: %v", divergences)
	}
}

// TestPortableCorpus compares how real files are read. It reads every eightieth file of the
// corpus, or all with ROBOTS_CORPUS_ALL=1.
func TestPortableCorpus(t *testing.T) {
	corpus.Unraced(t)
	files := corpus.Every(400, corpus.Files(t, "*"))
	var lock sync.Mutex
	undecided, slow := 0, 0
	diverge := make(map[string]int) // files, by reader
	var slowest, sum time.Duration
	slowestName := ""
	corpus.Each(files, func(f corpus.File) {
		policy := parse(string(f.Data))
		start := time.Now()
		divergences, err := proof.Portable(policy, proof.Options{})
		took := time.Since(start)
		for _, v := range divergences[:min(len(divergences), 20)] {
			if v.Reader.Match(policy, v.Agent, site+v.Witness) != v.Other ||
				policy.For(v.Agent).Match(site+v.Witness) != v.Match || v.Match.Allowed == v.Other.Allowed {
				t.Errorf("%s: %v", f.Name, v)
			}
		}
		lock.Lock()
		defer lock.Unlock()
		sum += took
		if err != nil {
			undecided++
		}
		if took > time.Second {
			slow++
		}
		if took > slowest {
			slowest, slowestName = took, f.Name
		}
		seen := make(map[string]bool)
		for _, v := range divergences {
			if !seen[v.Reader.Name] {
				seen[v.Reader.Name] = true
				diverge[v.Reader.Name]++
			}
		}
	})
	for _, r := range proof.Readers() {
		t.Logf("%s: other answers for %d files", r.Name, diverge[r.Name])
	}
	t.Logf("%d files in %v; %d undecided, %d in more than a second; the slowest took %v (%s)", len(files), sum,
		undecided, slow, slowest, slowestName)
	if undecided > 1+len(files)/1000 {
		t.Errorf("%d of %d files are undecided", undecided, len(files))
	}
}

// Options.Readers are those that Portable compares.
func TestPortableReaders(t *testing.T) {
	p := robots.Parse([]byte("User-agent: *\nDisallow: /*.pdf$\nDisallow: /x/%2a\nAllow: /x/%2A\n"))
	all, err := proof.Portable(p, proof.Options{})
	if err != nil {
		t.Fatal(err)
	}
	readers := make(map[proof.Reader]int)
	for _, d := range all {
		readers[d.Reader]++
	}
	for reader, want := range readers {
		some, err := proof.Portable(p, proof.Options{Readers: []proof.Reader{reader}})
		if err != nil || len(some) != want || some[0].Reader != reader {
			t.Errorf("%s alone differs in %d paths, and among all in %d: %v", reader.Name, len(some), want, err)
		}
	}
	if none, err := proof.Portable(p, proof.Options{Readers: []proof.Reader{}}); len(readers) < 2 || len(none) > 0 ||
		err != nil {
		t.Errorf("no readers differ in %v, %v", none, err)
	}
}
