package robots_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// FuzzMatch compares the engine with its slow twin, in every dialect.
func FuzzMatch(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /private/\nAllow: /private/index.html\n", "FooBot", "/private/index.html?x#y")
	f.Add("User-agent: a b\r\rUser-Agent: FooBot/1.0 # c\rDisallow: /a*b$\r\nDisallow: /%7ejoe /%2F\n\nDisallow: /",
		"foobot/2", "http://x/~joe")
	f.Add("\xef\xbb\xbfuseragent FooBot\ndisalow:/*é*$%c3\x00\nAllow: /x/index.html\nCrawl-delay: 3\n", "FooBot", "/x/")
	f.Add("user-agent:*\ndisallow:/\nallow:/a**b/index.html\n", "FooBot", "/axb/")
	f.Add("user-agent:*\ndisallow:*\nallow:$\nallow:/$\nallow:/*$\ndisallow:/a$b\ndisallow:/**a**\n", "*", "/a%24b*")
	f.Add("User-agent: bot\n\nDisallow: /\n\nDisallow: /x\nUser-agent: *\n\nUser-agent: c\nAllow: /%%34\n", "Robot",
		"?a=b;c")
	f.Add("User-agent: *\nDisallow: /a\n"+strings.Repeat(" ", 16653)+"User-agent: x\nDisallow: /b", "foo", "/b")
	f.Add("User-agent: foo\n"+strings.Repeat("\t", 16655)+"Disallow: /x\nUser-agent: bar\nDisallow: /y", "foo", "/y")
	f.Add("User-agent: foo\u00a0*\nDisallow: /a\u00a0b\u3000/\n", "foo", "/ax")
	f.Add("User-agent: *\nDisallow: /my file\nAllow: /my%20file/<b>|*\nDisallow: /{x}*`$\n", "foo",
		"/my%20file/%3cb%3E%7c")
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
			{"lists", func() {}}, {"sieves", group.UseSieves}, {"tables", group.UseTables},
			{"grown tables", group.UseGrown}, {"nets", group.UseNets},
		} {
			form.use()
			if m := group.Match(url); m != got {
				t.Errorf("%v: %.2000q for %q, %q: first %v, of %s (joined %t) %v", d, text, agent, url, got, form.name,
					join, m)
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

// TestNearlyUsualLines compares the engine with its twin on lines of the usual forms, which the
// engine reads fast, and on lines that differ from them in one byte or two.
func TestNearlyUsualLines(t *testing.T) {
	long := strings.Repeat("a", googleLine-len("User-agent: "))
	var lines []string
	names := []string{"User-agent", "USER-AGENT", "User-agenT", "User\ragent", "Useragent", "Disallow", "Allow"}
	rests := []string{"", " ", "\t ", "#c", " #c", " x", "\x00", "\v", "#\rx", "\rDisallow: /"}
	for _, name := range names {
		for _, value := range []string{
			"FooBot", "*", "foo*bot", "/a", "/a*", "/a(*", "/(a*b*", "/a**", "/a(<*", "/<b>", "",
			"/" + strings.Repeat("a", 40), long[1:], long, long + "a", long + "*",
		} {
			for _, between := range []string{":", ": ", ":  ", ":\t", " :", " "} {
				for _, rest := range rests {
					lines = append(lines, name+between+value+rest)
				}
			}
		}
	}
	rand.New(rand.NewPCG(9309, 239)).Shuffle(len(lines), func(i, k int) { lines[i], lines[k] = lines[k], lines[i] })
	lines[0] = "Disallow: /x #c\rDisallow: /a" // always, with a first line end that is not CR
	agents, urls := []string{"FooBot", long, long + "a"}, []string{"/a", "/a(%3Cb", "/"}
	for i, line := range lines[:corpus.Cases(len(lines)/50, len(lines)/4)] {
		end := []string{"\n", "\r\n", "\r"}[i%3]
		other := "User-agent: " + agents[1+i%2] + end + "Allow: /a"
		text := "User-agent: *" + end + line + end + end + other + end + line
		for k, d := range robots.Dialects() {
			check(t, d, text, agents[(i/3+k)%3], urls[(i/9+k)%3])
			checkLines(t, d, text)
		}
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
			t.Fatalf("%v: line %d at byte %d says it is line %d at %d", d, n, joined.Len(), line.Number, line.Offset)
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
	"Disallow: /a*b", "Allow: /*", "Disallow: *", "Allow: /a$", "Disallow: /%", "Allow: /a/index.html\n", "Disallow:\n",
	"Allow:\n",
	"Crawl-delay: 1\n", "disallow:/abcdefgh", "allow:/abcdefghabcdefgh",
	"allow:/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	"User-agent", "useragent", "user agent", "UserAgentX", "Allow", "allow-x", "Disallow", "disalow", "dissallow",
	"Sitemap", "foo", ":", " : ", "\t:", " ", "\n", "\n", "\n\n", "\r", "\r\n", "*", "*", "$", "/", "/", "/a", "/b",
	"a", "b", "ab", "\x1a", "\r\x1a", "abcdefgh", "aaaaaaaaaaaaaaaaaaaaaaaa", "FooBot", "foobot", "FooBot/1.0", "* x",
	"*x", "#", "# c",
	"\x00", "\xef", "\xbb", "\xbf", "\xef\xbb\xbf", "\xc3\xa9", "%c3", "%C3%A9", "%41", "%61", "%2A", "%24", "%25", "%",
	"%2", "%2f", "%2F", "/index.htm", "index.htm", "\v", "\f", "\xa0", "\u00a0", "\u3000", "<", "%3C", " b", "%20", "|",
	"\x7f", "?", ";", "=", "x/y", "://", "http://h/", "//",
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
	n := corpus.Cases(4000, 20_000)
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
		if i%min(partOf(), 32) != 0 {
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
				for k, use := range []func(){group.UseSieves, group.UseTables, group.UseGrown, group.UseNets,
					group.Join, group.UseTables, group.UseNets} {
					use()
					for i, url := range urls {
						if m := group.Match(url); m != matches[i] {
							t.Errorf("%s: %v: for %q, %q: first %v, in form %d %v", f.Name, d, agent, url, matches[i],
								k, m)
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
				compareSlow(t, "many wildcards", group, d, rules, "FooBot", fmt.Sprintf("%s/page-%04d-of-many", path,
					i))
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
func compareSlow(t *testing.T, file string, group *robots.Group, d robots.Dialect, rules []slowRule, agent,
	url string) {
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

// What follows is a second implementation of SPEC 2 and 3, written to be compared with them row by
// row, without regard to speed. It shares no code with the package. The fuzz targets compare the
// two.

// slowRule is one rule of a record or group.
type slowRule struct {
	line    int
	allow   bool
	value   string // as written
	bytes   int
	matches func(path []string) bool // in units
}

type slowGroup struct {
	agents []string
	rules  []slowRule
}

// slowMatch gives the answer of Group.Match: the verdict and the deciding line, or 0 if no rule
// decides.
func slowMatch(dialect, text, agent, rawURL string) (allowed bool, line int) {
	return slowAsk(dialect, slowChoose(dialect, slowGroups(dialect, text), agent), rawURL)
}

// slowAsk is slowMatch for rules that were already chosen for an agent.
func slowAsk(dialect string, rules []slowRule, rawURL string) (allowed bool, line int) {
	path := slowUnits(dialect, slowPath(dialect, rawURL), false)
	if dialect == "rfc9309" && strings.Join(path, "") == "/robots.txt" {
		return true, 0
	}
	var decides *slowRule
	for _, rule := range rules {
		if rule.matches(path) && (decides == nil || slowBeats(dialect, rule, *decides)) {
			decides = &rule
		}
	}
	if decides == nil {
		return true, 0
	}
	return decides.allow, decides.line
}

// slowBeats implements the row "which rule". The rules are in the order of the file.
func slowBeats(dialect string, later, earlier slowRule) bool {
	switch dialect {
	case "koster1994", "kollar1996", "koster1996":
		return false
	}
	return later.bytes > earlier.bytes || later.bytes == earlier.bytes && later.allow && !earlier.allow
}

var (
	slowLineEnd   = regexp.MustCompile("\r\n|\r|\n")
	slowLineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")
)

// slowGroups implements the rows "what ends a record/group" and "agents and paths on one line".
func slowGroups(dialect, text string) []slowGroup {
	bom := "\xEF\xBB\xBF"
	if dialect == "google" {
		for n := 3; n > 0; n-- {
			if strings.HasPrefix(text, bom[:n]) {
				text = text[n:]
				break
			}
		}
	} else {
		text = strings.TrimPrefix(text, bom)
	}
	records := dialect == "koster1994" || dialect == "koster1996" || dialect == "kollar1996"

	var groups []slowGroup
	inGroup := false
	lines := strings.Split(slowLineFeeds.Replace(text), "\n")
	for i, line := range lines {
		field, value, blank, comment := slowLine(dialect, line)
		hasRule := inGroup && len(groups[len(groups)-1].rules) > 0
		switch {
		case comment:
		case blank:
			if records && (hasRule || slowNextIsAgent(dialect, lines[i+1:])) {
				inGroup = false
			}
		case field == "user-agent":
			if !inGroup || hasRule {
				groups = append(groups, slowGroup{})
				inGroup = true
			}
			g := &groups[len(groups)-1]
			if dialect == "kollar1996" {
				g.agents = append(g.agents, slowList(value)...)
			} else {
				g.agents = append(g.agents, value)
			}
		case field == "disallow" || field == "allow" && dialect != "koster1994" && dialect != "kollar1996":
			if !inGroup {
				continue
			}
			g := &groups[len(groups)-1]
			values := []string{value}
			if dialect == "kollar1996" && value != "" {
				values = slowList(value)
			}
			for _, v := range values {
				g.rules = append(g.rules, slowCompile(dialect, i+1, field == "allow", v)...)
			}
		}
	}
	return groups
}

// slowList splits a list at the white space of a line: SP and TAB.
func slowList(value string) []string {
	return strings.FieldsFunc(value, func(c rune) bool { return c == ' ' || c == '\t' })
}

// slowWhole implements the row "size": it returns the lines of text that end within a limit.
func slowWhole(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	whole := 0
	for _, end := range slowLineEnd.FindAllStringIndex(text, -1) {
		if end[1] <= limit {
			whole = end[1]
		}
	}
	return text[:whole]
}

// slowNextIsAgent looks for the next line that is neither blank nor a comment.
func slowNextIsAgent(dialect string, lines []string) bool {
	for _, line := range lines {
		if field, _, blank, comment := slowLine(dialect, line); !blank && !comment {
			return field == "user-agent"
		}
	}
	return false
}

// slowLine implements SPEC 2 (comment, field, value) and the row "misspelt fields".
func slowLine(dialect, line string) (field, value string, blank, comment bool) {
	space := " \t"
	if dialect == "google" {
		space = " \t\n\v\f\r"
		if len(line) > 16663 {
			line = line[:16663]
		}
		line, _, _ = strings.Cut(line, "\x00")
	}
	line, _, hash := strings.Cut(line, "#")
	line = strings.Trim(line, space)
	if line == "" {
		return "", "", !hash, hash
	}
	field, value, colon := strings.Cut(line, ":")
	if !colon {
		words := strings.FieldsFunc(line, func(c rune) bool { return c == ' ' || c == '\t' })
		if dialect != "google" || len(words) != 2 {
			return "", "", false, false
		}
		field, value = words[0], words[1]
	}
	field, value = strings.ToLower(strings.Trim(field, space)), strings.Trim(value, space)
	if dialect == "google" {
		for _, known := range []struct{ prefix, field string }{
			{"user-agent", "user-agent"}, {"useragent", "user-agent"}, {"user agent", "user-agent"},
			{"allow", "allow"}, {"disallow", "disallow"}, {"dissallow", "disallow"}, {"dissalow", "disallow"},
			{"disalow", "disallow"}, {"diasllow", "disallow"}, {"disallaw", "disallow"},
		} {
			if strings.HasPrefix(field, known.prefix) {
				return known.field, value, false, false
			}
		}
	}
	return field, value, false, false
}

// slowChoose implements the rows "robot's name against the field" and "which record".
func slowChoose(dialect string, groups []slowGroup, name string) (rules []slowRule) {
	names := []string{name}
	if dialect != "google" {
		names = slowNames(dialect, name)
	}
	for _, name := range names {
		if rules, ok := slowChooseExactly(dialect, groups, name); ok {
			return rules
		}
	}
	rules, _ = slowChooseExactly(dialect, groups, "*")
	return rules
}

const slowSpace = `\x00-\x20\x{7F}-\x{A0}\x{2000}-\x{206F}\x{3000}\x{FEFF}`

var (
	slowBreaks = regexp.MustCompile("[" + slowSpace + "!-,:-?\\[-^]+")
	slowSeen   = regexp.MustCompile("[^" + slowSpace + "]+")
	slowPoses  = regexp.MustCompile("^(?i:mozilla|compatible|applewebkit|khtml|gecko|chrome|safari|version|mobile)$")
)

// slowNames returns the names that a text may mean, in the order in which they are tried.
func slowNames(dialect, text string) (names []string) {
	if slowProduct.FindString(text) == text {
		names = []string{text}
	}
	first := slowProduct.FindString(slowSeen.FindString(text))
	if dialect != "rfc9309" {
		return append(names, first)
	}
	var last []string
	if slowPoses.MatchString(first) {
		last = []string{first}
	} else {
		names = append(names, first)
	}
	words := slowBreaks.Split(text, -1)
	for i, word := range words {
		like := i > 0 && slowASCII(slowProduct.FindString(words[i-1])) == "like"
		if word = slowProduct.FindString(word); !like && !slowPoses.MatchString(word) {
			names = append(names, word)
		}
	}
	return append(names, last...)
}

// slowChooseExactly is slowChoose for one name. ok is false if no group has it.
func slowChooseExactly(dialect string, groups []slowGroup, name string) (rules []slowRule, ok bool) {
	var own, all [][]slowRule
	for _, g := range groups {
		isOwn, isAll := false, false
		for _, agent := range g.agents {
			star, same := slowAgent(dialect, agent, name)
			isAll = isAll || star
			isOwn = isOwn || same
		}
		if isOwn {
			own = append(own, g.rules)
		}
		if isAll {
			all = append(all, g.rules)
		}
	}
	chosen := own
	if len(own) == 0 {
		chosen = all
	}
	if len(chosen) > 1 && dialect != "rfc9309" && dialect != "google" {
		chosen = chosen[:1]
	}
	for _, r := range chosen {
		rules = append(rules, r...)
	}
	return rules, len(own) > 0
}

var (
	slowLetters = regexp.MustCompile(`^[A-Za-z_-]*`)
	slowProduct = regexp.MustCompile(`^[^ \t/]*`)
)

func slowAgent(dialect, value, name string) (star, same bool) {
	if value == "*" {
		return true, false
	}
	switch dialect {
	case "google":
		if len(value) > 1 && value[0] == '*' && strings.IndexByte(" \t\n\v\f\r", value[1]) >= 0 {
			return true, false
		}
		token := slowLetters.FindString(value)
		return false, slowASCII(token) == slowASCII(name)
	case "rfc9309":
		token := slowProduct.FindString(value)
		return false, token != "" && token != "*" && slowASCII(token) == slowASCII(name)
	}
	value, _, _ = strings.Cut(value, "/")
	value = strings.Trim(value, " \t")
	return false, value != "" && value != "*" && name != "" && name != "*" &&
		strings.Contains(slowASCII(name), slowASCII(value))
}

// slowASCII converts ASCII letters to lower case, byte by byte.
func slowASCII(s string) string {
	b := []byte(s)
	for i := range b {
		if 'A' <= b[i] && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// slowCompile implements the rows "empty value", "`*` and `$` in paths", "percent-encoding before
// comparing" and note (d).
func slowCompile(dialect string, line int, allow bool, value string) []slowRule {
	if value == "" && allow && dialect == "koster1996" {
		return []slowRule{{line: line, allow: true, matches: func([]string) bool { return true }}}
	}
	if value == "" {
		// The rule has no effect, but it is a rule and so ends the user-agent lines of a group.
		return []slowRule{{line: line, matches: func([]string) bool { return false }}}
	}
	units := slowUnits(dialect, value, true)
	rule := slowRule{line: line, allow: allow, value: value, matches: func(path []string) bool {
		return slowGlob(units, path, dialect == "rfc9309" || dialect == "google")
	}}
	for _, u := range units {
		rule.bytes += len(u)
	}
	rules := []slowRule{rule}
	if dialect == "google" && allow {
		joined := strings.Join(units, "")
		if i := strings.LastIndex(joined, "/"); i >= 0 && strings.HasPrefix(joined[i:], "/index.htm") {
			rules = append(rules, slowCompile(dialect, line, true, joined[:i+1]+"$")...)
		}
	}
	return rules
}

var slowHex = regexp.MustCompile(`^%[0-9A-Fa-f]{2}`)

// slowUnits splits a pattern or path into units of comparison: bytes, and encoded bytes. The
// special characters of a pattern are "*" and a last "$".
func slowUnits(dialect, s string, pattern bool) (units []string) {
	const unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
	const reserved = ":/?#[]@" + "!$&'()*+,;="
	for i := 0; i < len(s); i++ {
		c := s[i : i+1]
		encoded := ""
		if c == "%" {
			encoded = slowHex.FindString(s[i:])
		}
		if encoded != "" {
			i += 2
		}
		decoded, _ := url.PathUnescape(encoded)
		switch dialect {
		case "google":
			switch {
			case !pattern && encoded != "":
				units = append(units, encoded[:1], encoded[1:2], encoded[2:])
			case !pattern:
				units = append(units, c)
			case encoded != "":
				units = append(units, "%", strings.ToUpper(encoded[1:2]), strings.ToUpper(encoded[2:]))
			case c[0] >= 0x80:
				e := fmt.Sprintf("%%%02X", c[0])
				units = append(units, e[:1], e[1:2], e[2:])
			default:
				units = append(units, c)
			}
		case "rfc9309":
			switch {
			case encoded != "" && strings.Contains(unreserved, decoded):
				units = append(units, decoded)
			case encoded != "":
				e := strings.ToUpper(encoded)
				units = append(units, e[:1], e[1:2], e[2:])
			case !strings.Contains(unreserved+reserved+"%", c), // a URL has it only percent-encoded
				!pattern && (c == "*" || c == "$"),
				pattern && c == "$" && i+1 < len(s):
				e := fmt.Sprintf("%%%02X", c[0])
				units = append(units, e[:1], e[1:2], e[2:])
			default:
				units = append(units, c)
			}
		default:
			switch {
			case encoded != "" && decoded == "/":
				units = append(units, "%2F")
			case encoded != "":
				units = append(units, decoded)
			default:
				units = append(units, c)
			}
		}
	}
	return units
}

// slowGlob matches by a table: reach[j] says whether the pattern so far can match the first j units
// of the path.
func slowGlob(pattern, path []string, wildcards bool) bool {
	reach := make([]bool, len(path)+1)
	reach[0] = true
	for i, p := range pattern {
		next := make([]bool, len(path)+1)
		switch {
		case wildcards && p == "*":
			seen := false
			for j := range reach {
				seen = seen || reach[j]
				next[j] = seen
			}
		case wildcards && p == "$" && i == len(pattern)-1:
			return reach[len(path)]
		default:
			for j, unit := range path {
				next[j+1] = reach[j] && unit == p
			}
		}
		if !slices.Contains(next, true) {
			return false
		}
		reach = next
	}
	return slices.Contains(reach, true)
}

var slowScheme = regexp.MustCompile(`^[^/?;]*?://`)

// slowPath returns the path, parameters and query of a URL.
func slowPath(dialect, rawURL string) string {
	rest := strings.TrimPrefix(rawURL, "//")
	if m := slowScheme.FindString(rest); m != "" {
		// No byte of a path is before "://", so a scheme is. If a fragment is before it, there is
		// no path.
		if strings.Contains(m, "#") {
			return "/"
		}
		rest = rest[len(m):]
	}
	rest, _, _ = strings.Cut(rest, "#")
	i := strings.IndexAny(rest, "/?;")
	if i < 0 {
		return "/"
	}
	path := rest[i:]
	if dialect == "google" {
		path, _, _ = strings.Cut(path, "\x00")
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return path
}
