package robots_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// partOf returns n if the slow tests read every nth file of the corpus: 64. If ROBOTS_CORPUS_ALL is set,
// n is 1 and the tests take minutes.
func partOf() int {
	if os.Getenv("ROBOTS_CORPUS_ALL") != "" {
		return 1
	}
	return 64
}

// TestWholeLines reads every file of the corpus in every dialect, or a part of them if
// ROBOTS_CORPUS_ALL is not set, and checks the invariants of the lines: above all, that the lines joined are the file.
func TestWholeLines(t *testing.T) {
	for i, f := range corpus.Files(t, "*") {
		if i%min(partOf(), 8) != 0 {
			continue
		}
		for _, d := range robots.Dialects() {
			if checkLines(t, d, string(f.Data)); t.Failed() {
				t.Fatalf("%s fails in dialect %v", f.Name, d)
			}
		}
	}
}

// TestWholeJoined reads the corpus as one text: groups continue from one file to the next, and the
// text has hundreds of thousands of rules.
func TestWholeJoined(t *testing.T) {
	var texts [][]byte
	for i, f := range corpus.Files(t, "*") {
		if i%partOf() == 0 {
			texts = append(texts, f.Data)
		}
	}
	for _, between := range []string{"", "\n\n"} {
		joined := string(bytes.Join(texts, []byte(between)))
		for _, d := range robots.Dialects() {
			checkLines(t, d, joined)
			policy := d.Parse([]byte(joined))
			groups := slowGroups(d.String(), joined)
			for _, agent := range []string{"FooBot", "Googlebot", "*"} {
				rules := slowChoose(d.String(), groups, agent)
				compareSlow(t, "all files", policy.For(agent), d, rules, agent, "/search/?q=a")
			}
			t.Logf("%v: %d bytes, %d groups", d, len(joined), len(policy.Groups()))
		}
	}
}

// TestWholeMatch compares the engine with its slow twin over the corpus: in every dialect, for
// several robots and for URLs made from the rules of each file.
func TestWholeMatch(t *testing.T) {
	asked := 0
	for i, f := range corpus.Files(t, "*") {
		if i%partOf() != 0 {
			continue
		}
		r := rand.New(rand.NewPCG(9309, uint64(i)))
		agents, urls := wholeQuestions(r, f.Data)
		for _, d := range robots.Dialects() {
			policy := d.Parse(f.Data)
			groups := slowGroups(d.String(), string(f.Data))
			for _, agent := range agents {
				group := policy.For(agent)
				rules := slowChoose(d.String(), groups, agent)
				matches := make([]robots.Match, len(urls))
				for i, url := range urls {
					compareSlow(t, f.Name, group, d, rules, agent, url)
					matches[i] = group.Match(url)
				}
				// The forms of groups that are large or have answered many questions.
				for k, use := range []func(){group.UseSieves, group.UseTables, group.UseGrown, group.UseNets, group.Join, group.UseTables, group.UseNets} {
					use()
					for i, url := range urls {
						if m := group.Match(url); m != matches[i] {
							t.Errorf("%s: %v: for %q, %q: first %v, in form %d %v", f.Name, d, agent, url, matches[i], k, m)
						}
					}
				}
				asked += len(urls)
			}
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%d questions", asked)
}

// TestManyWildcards matches long paths against more wildcard rules than an index tries one by one.
// The paths have all bytes that the rules need.
func TestManyWildcards(t *testing.T) {
	for _, n := range []int{10, 20, 130} { // a short list, a long one, and a table from the start
		var text strings.Builder
		text.WriteString("User-agent: *\nAllow: /*\n")
		for i := range n {
			fmt.Fprintf(&text, "Disallow: */page-%04d-of-many\n", i)
			fmt.Fprintf(&text, "Disallow: /a%d*/part-of-many\n", i)
		}
		path := "/a1/page-0123456789-of-many-" + strings.Repeat("x", 100)
		for _, d := range robots.Dialects() {
			group := d.Parse([]byte(text.String())).For("FooBot")
			rules := slowChoose(d.String(), slowGroups(d.String(), text.String()), "FooBot")
			for i := range n {
				compareSlow(t, "many wildcards", group, d, rules, "FooBot", fmt.Sprintf("%s/page-%04d-of-many", path, i))
			}
			if t.Failed() {
				return
			}
			for range 20 { // until a list becomes a table
				compareSlow(t, "many wildcards", group, d, rules, "FooBot", path+"/part-of-many")
			}
		}
	}
}

// compareSlow compares the answer of a group with that of the rules that the twin has chosen for the
// same agent.
func compareSlow(t *testing.T, file string, group *robots.Group, d robots.Dialect, rules []slowRule, agent, url string) {
	t.Helper()
	got := group.Match(url)
	allowed, line := slowAsk(d.String(), rules, url)
	if got.Allowed != allowed || got.Rule.Line != line {
		t.Errorf("%s: %v: for %q, %q: got %v, want allowed %t by line %d", file, d, agent, url, got, allowed, line)
	}
}

// wholeQuestions returns names of robots, some of them in the file, and URLs made from the rules of
// the file. A file with many rules gets fewer URLs, because the twin tries each rule.
func wholeQuestions(r *rand.Rand, data []byte) (agents, urls []string) {
	var names, paths []string
	for _, line := range robots.Google.Parse(data).Lines() {
		switch line.Kind {
		case robots.UserAgent:
			names = append(names, line.Value)
		case robots.Allow, robots.Disallow, robots.Stray:
			if len(line.Value) <= 1000 {
				paths = append(paths, line.Value)
			}
		}
	}
	agents = []string{"FooBot", "Googlebot"}
	for range min(len(names), 2) {
		agents = append(agents, names[r.IntN(len(names))])
	}
	slices.Sort(agents)
	agents = slices.Compact(agents)

	urls = []string{"/", "/robots.txt", "http://example.com/index.html?a=b"}
	for range min(len(paths), max(2, 10000/(len(paths)+1)), 20) {
		urls = append(urls, wholeURL(r, paths[r.IntN(len(paths))]))
	}
	return agents, urls
}

// wholeURL returns a URL that a pattern matches or nearly matches.
func wholeURL(r *rand.Rand, pattern string) string {
	path := strings.TrimSuffix(pattern, "$")
	for strings.Contains(path, "*") {
		path = strings.Replace(path, "*", []string{"", "x", "/", "a/b.html", path}[r.IntN(5)], 1)
		if len(path) > 2000 {
			path = strings.ReplaceAll(path[:2000], "*", "")
		}
	}
	at := r.IntN(len(path) + 1)
	switch r.IntN(10) {
	case 0:
		path += []string{"/", "?x=1", ".html", "x", "#y"}[r.IntN(5)]
	case 1:
		path = path[:at]
	case 2:
		path = path[:at] + "x" + path[at:]
	case 3:
		path = strings.ToUpper(path)
	case 4:
		path = strings.ToLower(path) // hex digits too
	case 5:
		if at < len(path) { // encode one byte
			const hex = "0123456789ABCDEF"
			path = path[:at] + "%" + string(hex[path[at]>>4]) + string(hex[path[at]&15]) + path[at+1:]
		}
	case 6:
		path = "https://example.com" + path
	}
	return path
}
