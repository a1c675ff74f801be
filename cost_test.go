package robots_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestMatchAllocates checks that Match allocates nothing for a URL in normal form or a short one,
// and at most once for others.
func TestMatchAllocates(t *testing.T) {
	corpus.Unraced(t)
	for _, test := range []struct {
		url  string
		want float64
	}{
		{"/products/shoes?page=2", 0},
		{"https://shop.example/search?q=a+b&sort=price#top", 0},
		{"https://shop.example", 0},
		{"/caf\u00e9/%7ejoe*$", 0},
		{"https://shop.example?q=\u00e9", 0},
		{"?q=*", 0},
		{"/" + strings.Repeat("\u00e9", 100), 1},
	} {
		for name, data := range map[string][]byte{"typical": typical, "literals": literals(1000)} {
			for _, d := range robots.Dialects() {
				group := d.Parse(data).For("FooBot")
				group.Match("/")
				if got := testing.AllocsPerRun(100, func() { group.Match(test.url) }); got > test.want {
					t.Errorf("%v, %s: Match(%q) makes %v allocations, want at most %v", d, name, test.url, got,
						test.want)
				}
			}
		}
	}
}

// TestHostileMatchAllocates checks the same for a path in which many patterns are searched for.
func TestHostileMatchAllocates(t *testing.T) {
	corpus.Unraced(t)
	for _, h := range hostile() {
		group := robots.Parse([]byte(h.text)).For("FooBot")
		for _, url := range h.urls {
			if got := testing.AllocsPerRun(3, func() { group.Match(url) }); got > 0 {
				t.Errorf("%s: Match(%.50q...) makes %v allocations", h.name, url, got)
			}
		}
	}
}

// published matches the figures of TestCorpusCost in doc/performance.md.
var published = regexp.MustCompile("`TestCorpusCost` counts ([0-9.]+) allocations a file, and ([0-9,]+) bytes kept " +
	`[^;]*; after 32 questions ([0-9,]+) bytes`)

// TestCorpusCost counts the cost of the average file of the corpus: the allocations until the first
// answer for one agent, and the memory kept beside the text, then and after 32 questions. None is
// more than doc/performance.md says, but for a fiftieth.
func TestCorpusCost(t *testing.T) {
	corpus.Unraced(t)
	files := corpus.Files(t, "protego-sites")
	policies := make([]*robots.Policy, len(files))
	groups := make([]*robots.Group, len(files))
	before := memory()
	for i, f := range files {
		policies[i] = robots.Parse(f.Data)
		groups[i] = policies[i].For("FooBot")
	}
	after := memory()
	n := float64(len(files))
	allocations := float64(after.Mallocs-before.Mallocs) / n
	kept := float64(after.HeapAlloc-before.HeapAlloc) / n
	t.Logf("%d files: %.2f allocations and %.0f bytes kept a file", len(files), allocations, kept)
	for i := range 32 {
		path := fmt.Sprintf("/some/path%d/page.html?x=%d", i, i)
		for _, g := range groups {
			g.Allowed(path)
		}
	}
	asked := float64(memory().HeapAlloc-before.HeapAlloc) / n
	t.Logf("%.0f bytes kept a file after 32 questions", asked)
	text, err := os.ReadFile("doc/performance.md")
	fatal.If(t, err)
	said := published.FindStringSubmatch(strings.Join(strings.Fields(string(text)), " "))
	if said == nil {
		t.Fatal("doc/performance.md does not have the figures of this test")
	}
	for i, got := range []float64{allocations, kept, asked} {
		most, err := strconv.ParseFloat(strings.ReplaceAll(said[i+1], ",", ""), 64)
		fatal.If(t, err)
		if got > 1.02*most {
			t.Errorf("figure %d is %.2f, and doc/performance.md says %s", i+1, got, said[i+1])
		}
	}
	runtime.KeepAlive(policies)
	runtime.KeepAlive(groups)
}

func memory() (m runtime.MemStats) {
	runtime.GC()
	runtime.GC() // frees what pools kept through the first collection
	runtime.ReadMemStats(&m)
	return m
}

// TestManyAgents checks that memory and time stay proportional to the size of the file if ten
// thousand agents share ten thousand rules.
func TestManyAgents(t *testing.T) {
	const n = 10000
	text := manyAgents(n)
	policy := robots.Parse([]byte(text))
	groups := make([]*robots.Group, n)
	before := memory()
	for i := range groups {
		groups[i] = policy.For(agentName(i))
		if !groups[i].Allowed("/") || groups[i].Allowed("/x7/y") {
			t.Fatalf("agent %d has other rules than the file says", i)
		}
	}
	after := memory()
	if kept := int(after.HeapAlloc - before.HeapAlloc); kept > 10*len(text) {
		t.Errorf("the groups of %d agents keep %d bytes, the file has %d", n, kept, len(text))
	}
	runtime.KeepAlive(groups)
}

// TestCorpusTime measures the processor time of reading the corpus and answering one question for
// each file. oracle/google/compare runs the test in turn with Google's parser, and sets the number
// of passes in ROBOTS_COST_PASSES. Without that variable the test is skipped. ROBOTS_COST_URL is
// the URL to ask for, if another reader does not take an absolute one.
func TestCorpusTime(t *testing.T) {
	passes, err := strconv.Atoi(os.Getenv("ROBOTS_COST_PASSES"))
	if err != nil || passes < 1 {
		t.Skip("oracle/google/compare runs this test")
	}
	url := cmp.Or(os.Getenv("ROBOTS_COST_URL"), "https://example.com/some/path/page.html?x=1")
	files := corpus.Files(t, "protego-sites")
	times := make([]time.Duration, passes)
	allowed := 0
	for i := range times {
		start := child.CPU()
		for _, f := range files {
			if robots.Parse(f.Data).For("FooBot").Allowed(url) {
				allowed++
			}
		}
		times[i] = child.CPU() - start
	}
	slices.Sort(times)
	t.Logf("robots: best %.2f ms, median %.2f ms, %d files, %d of %d answers are yes",
		1e3*times[0].Seconds(), 1e3*times[passes/2].Seconds(), len(files), allowed, passes*len(files))
}

// mostSteps is the maximum number of steps of a match of a URL of 2 KB in a file of 500 KiB: see
// [robots.Group.Bound].
const mostSteps = 1 << 19

// TestHostileBound checks that a match in each hostile file stays within a number of steps, for any
// URL of 2 KB. Without ROBOTS_CORPUS_ALL each file is read in one of the dialects.
func TestHostileBound(t *testing.T) {
	most, worst := 0, ""
	for i, h := range allHostile() {
		for k, d := range robots.Dialects() {
			if !corpus.All() && (i+k)%5 > 0 {
				continue
			}
			group := d.Parse([]byte(h.text)).For("FooBot", "a")
			n := group.Bound(2048)
			if n > mostSteps {
				t.Errorf("%s, %v: a match may take %d steps, want at most %d", h.name, d, n, mostSteps)
			}
			if n > most {
				most, worst = n, h.name
			}
		}
	}
	t.Logf("at most %d steps, for %s", most, worst)
}

// climbed has the most expensive files that TestClimb has found, each with its URL: see badFile.
var climbed = []badFile{
	{"google", "Allow:/{r64}*{w2}*{r900/3}$", "{a1000}{w2}{a1000}"},
	{"rfc9309", "Allow:*{r60/2}{w1}*{w2/60}", "{W2}{a600}{B2}"},
	{"rfc9309", "Allow:/**{w2}$", "{B2}{W3}"},
	{"google", "Allo*", "{W2}"},
	{"rfc9309", "allow: /", "{B2}{a1000}%{a33}41{W3}"},
	{"google", "allow *{w3}$/index.htm", "{B2}{B2}*{a1000}{W3}"},
	{"google", "allow *{w3}\xc3*{w3}/index.htm", "{B2}"},
	{"google", "Allow:*\xc3*{w3}$/index.htm", "{B2}"},
	{"google", "Allow:**{v4}*{v4}*{v4}*{v4}*{w3}$/index.htm#", "${a1000}"},
	{"google", "Allow:/*{w2}*{v4}{r500/2}%{a3}f*{v4}/index.htUser-agent:a\nAllow:*m{v4}\t*{r900/3}",
		"{a1000}{a1000}{W2}{W2}"},
	{"rfc9309", "Allow:* *{v4}*{v4}*{v4}*{v4}\x00<", "{W3}{W3}{W2}{a1000}"},
	{"google", "Allow:/*{w2}{r900/3}41{v4}:*{v4}{v4}*{v4}*{v4}*{v4}%2f", "{W2}{W3}"},
	{"google", "Allow:User-ag%2fent:a\nAllow:*{r64}*{w2}*$ %41", "{a1000}{w2}{B2}\xc3"},
}

// A badFile describes a file and a URL that may be expensive: a dialect, the line that the file
// repeats, and the path of the URL. Braces in the line and the path stand for texts:
//
//	{a9}     nine times "a"
//	{r9/2}   "a" as many times as the remainder of half the line's number divided by nine
//	{w3/2}   the word of three letters whose number is half the line's number
//	{v3}     a word of three letters that differs at each place of the file
//	{W2} {B2} many words of two letters, in order or backwards
type badFile struct{ dialect, line, path string }

// text returns a line or a path with its braces replaced.
func (b badFile) expand(s string, number int) string {
	var out strings.Builder
	for k := 0; s != ""; k++ {
		before, rest, ok := strings.Cut(s, "{")
		out.WriteString(before)
		if !ok {
			break
		}
		token, after, _ := strings.Cut(rest, "}")
		s = after
		count, divisor, _ := strings.Cut(token[1:], "/")
		n, _ := strconv.Atoi(count)
		i := number
		if by, _ := strconv.Atoi(divisor); by > 1 {
			i /= by
		}
		switch token[0] {
		case 'a':
			out.WriteString(strings.Repeat("a", n))
		case 'r':
			out.WriteString(strings.Repeat("a", i%max(n, 1)))
		case 'w':
			out.WriteString(word(i, min(n, 6)))
		case 'v':
			out.WriteString(word(32*number+k, min(n, 6)))
		case 'W', 'B':
			for k := range 500 {
				if token[0] == 'B' {
					k = 499 - k
				}
				out.WriteString(word(k, min(n, 6)))
			}
		}
	}
	return out.String()
}

// make returns the file and the URL.
func (b badFile) make() (d robots.Dialect, text []byte, url string) {
	d, _ = robots.ParseDialect(b.dialect)
	head := "User-agent: a\n"
	if d == robots.Kollar1996 {
		head += "Disallow: "
	}
	// Each line gets its end here, so that fill terminates even if the line is empty.
	line := b.line + "\n"
	if d == robots.Kollar1996 {
		line = b.line + " "
	}
	url = "/" + b.expand(b.path, 0)
	return d, []byte(fill(head, func(i int) string { return b.expand(line, i) })), url[:min(len(url), 2048)]
}

// mutate returns b with a change in its line or its path.
func (b badFile) mutate(r *rand.Rand) badFile {
	token := func() string {
		n := []int{1, 2, 3, 7, 8, 31, 33, 63, 65, 100, 500}[r.IntN(11)]
		by := []int{1, 1, 1, 2, 36, 60, 720}[r.IntN(7)]
		return []string{"*", "*", "a", "b", "$", "/", " ", "%41", "%2f", "<", "\xc3", ":", "User-agent:a\nAllow:*",
			"#", "\r", "\x00", "\t", "/index.htm", "*{v3}", "*{v4}*{v4}*{v4}*{v4}", fmt.Sprintf("{v%d}", 1+n%4),
			fmt.Sprintf("{a%d}", n), fmt.Sprintf("{r%d/%d}", n, by), fmt.Sprintf("{w%d/%d}", 1+n%4, by)}[r.IntN(24)]
	}
	change := func(s string, token string) string {
		parts := cutTokens(s)
		i := r.IntN(len(parts) + 1)
		switch {
		case i == len(parts) || r.IntN(3) == 0:
			parts = append(parts[:i], append([]string{token}, parts[i:]...)...)
		case r.IntN(2) == 0:
			parts[i] = token
		default:
			parts = append(parts[:i], parts[i+1:]...)
		}
		return strings.Join(parts, "")
	}
	switch r.IntN(8) {
	case 0:
		b.dialect = robots.Dialects()[r.IntN(5)].String()
	case 1, 2, 3:
		b.path = change(b.path, []string{token(), token(), "{W2}", "{B2}", "{W3}", "{a1000}"}[r.IntN(6)])
	default:
		b.line = change(b.line, token())
	}
	return b
}

// cutTokens splits a line or a path before and after its braces, and after each byte outside the
// braces.
func cutTokens(s string) (parts []string) {
	for s != "" {
		n := 1
		if s[0] == '{' {
			n = strings.IndexByte(s, '}') + 1
		}
		parts = append(parts, s[:n])
		s = s[n:]
	}
	return parts
}

// reading returns the shortest of several measured times of reading. The fastest run is the least
// disturbed by other processes.
func (b badFile) reading() time.Duration {
	d, text, _ := b.make()
	read := time.Hour
	for range 3 {
		start := child.CPU()
		d.Parse(text).For("a")
		read = min(read, child.CPU()-start)
	}
	return read
}

// matching returns the shortest of several measured times of a match.
func (b badFile) matching() time.Duration {
	d, text, url := b.make()
	group := d.Parse(text).For("a")
	match := time.Hour
	for range 4 {
		start := child.CPU()
		group.Match(url)
		match = min(match, child.CPU()-start)
	}
	return match
}

// TestClimb searches for expensive files: it mutates a small grammar of files and URLs and keeps
// the more expensive ones, from several starts. It takes some seconds, and then looks from each
// start for files that are expensive either to read or to match; or it takes the number of minutes
// in ROBOTS_CLIMB_ALL. The answers for these files must be right, and within the bound of steps;
// the time is only reported.
func TestClimb(t *testing.T) {
	corpus.Unraced(t)
	patience := 500 * time.Millisecond
	if corpus.All() {
		patience = 4 * time.Second
	}
	both := corpus.All() // kinds of costs from each start
	if all := os.Getenv("ROBOTS_CLIMB_ALL"); all != "" {
		both = true
		minutes, err := strconv.Atoi(all)
		if err != nil {
			t.Fatalf("ROBOTS_CLIMB_ALL is how many minutes to search, not %q", all)
		}
		patience = time.Duration(minutes) * time.Minute
	}
	starts := append([]badFile{
		{"rfc9309", "Allow:*aab", "b{a2000}"},
		{"google", "Allow:/{r40}*{w2}$", "{a1000}{W2}"},
		{"rfc9309", "allow:/%{w2}", "{a2000}"},
		{"kollar1996", "/{w3} ", "{W2}"},
		{"google", "u", "{a2000}"},
		{"google", "allow:/*{v4}*{v4}*{v4}*{v4}*{v4}*{v4}*{v4}*{v4}", "{W2}"},
		{"google", "Allow:*\xc3{w3}*\xc3{w3}$", "{B2}"},
		{"google", "allow *{w3}$", "{B2}"},
	}, climbed...)
	r := rand.New(rand.NewPCG(9309, 500))
	loop := time.Hour
	for range 5 {
		start := child.CPU()
		looped := plainLoop(loopText)
		if loop = min(loop, child.CPU()-start); looped == 0 {
			t.Fatal("the plain loop counts nothing")
		}
	}
	costs := []struct {
		name string
		of   func(badFile) time.Duration
	}{{"read", badFile.reading}, {"match", badFile.matching}}
	for i, start := range starts {
		for k, cost := range costs {
			if !both && i%len(costs) != k {
				continue
			}
			worst, most := start, cost.of(start)
			for end := time.Now().Add(patience / time.Duration(2*len(starts))); time.Now().Before(end); {
				next := worst
				for range 1 + r.IntN(3) {
					next = next.mutate(r)
				}
				// A file must be more expensive twice: a busy machine is slow at times.
				if c := cost.of(next); c > most {
					if c = min(c, cost.of(next)); c > most {
						worst, most = next, c
					}
				}
			}
			checkBad(t, worst)
			t.Logf("%d, %s: %.1f loops over 500 KiB (%v): %q", i, cost.name, float64(most)/float64(loop), most, worst)
		}
	}
}

// checkBad matches the URL of a file. It compares the answer with that of a search for each
// pattern, and checks that the steps are within their bound.
func checkBad(t *testing.T, b badFile) {
	t.Helper()
	d, text, url := b.make()
	group := d.Parse(text).For("a")
	if n := group.Bound(len(url)); n > mostSteps {
		t.Errorf("%q: a match may take %d steps, want at most %d", b, n, mostSteps)
	}
	if d != robots.RFC9309 && d != robots.Google {
		return
	}
	got := group.Match(url)
	if got.Reason == robots.RobotsFile {
		return
	}
	if want := matchPatterns(d, group, url); got != want {
		t.Errorf("%q: got %v, want %v", b, got, want)
	}
}

// TestHostileTable reports the cost of hostile files if ROBOTS_HOSTILE_ALL is set: for each file
// the most expensive dialect, with the shortest of many processor times, also as a number of plain
// loops over 500 KiB.
func TestHostileTable(t *testing.T) {
	if os.Getenv("ROBOTS_HOSTILE_ALL") == "" {
		t.Skip("takes minutes: set ROBOTS_HOSTILE_ALL=1 for the table of doc/performance.md")
	}
	shortest := func(n int, do func()) time.Duration {
		best := time.Hour
		for range n {
			start := child.CPU()
			do()
			best = min(best, child.CPU()-start)
		}
		return best
	}
	looped := 0
	loop := shortest(50, func() { looped += plainLoop(loopText) })
	if looped == 0 {
		t.Fatal("the plain loop counts nothing")
	}
	t.Logf("a plain loop over 500 KiB: %v", loop)
	loops := func(d time.Duration) string {
		return fmt.Sprintf("%.2f ms (%.1f)", d.Seconds()*1000, float64(d)/float64(loop))
	}
	for _, h := range allHostile() {
		var read, match, early time.Duration
		var of [2]robots.Dialect
		for _, d := range robots.Dialects() {
			if r := shortest(9, func() { d.Parse([]byte(h.text)).For("FooBot", "a") }); r > read {
				read, of[0] = r, d
			}
			for _, url := range h.urls {
				group := d.Parse([]byte(h.text)).For("FooBot", "a")
				if m := shortest(15, func() { group.Match(url) }); m > match {
					match, of[1] = m, d
				}
				// Some of the questions from the sixteenth on build a table. Several groups get
				// each question, because each group can build its table only once.
				var asked [24]time.Duration
				for k := range 4 {
					group := d.Parse([]byte(h.text)).For("FooBot", "a")
					for i := range asked {
						if took := shortest(1, func() { group.Match(url) }); k == 0 || took < asked[i] {
							asked[i] = took
						}
					}
				}
				early = max(early, slices.Max(asked[:]))
			}
		}
		t.Logf("%s | read %s %v | match %s %v | worst of 24 questions %s", h.name, loops(read), of[0], loops(match),
			of[1], loops(early))
	}
}

// splitLines is the yardstick for parsing: a plain loop that only splits lines, removes comments,
// and finds each field and its trimmed value.
func splitLines(data []byte) (n int) {
	for len(data) > 0 {
		line := data
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			line, data = data[:i], data[i+1:]
		} else {
			data = nil
		}
		if i := bytes.IndexByte(line, '#'); i >= 0 {
			line = line[:i]
		}
		i := bytes.IndexByte(line, ':')
		if i < 0 {
			continue
		}
		field, value := trimLine(line[:i]), trimLine(line[i+1:])
		if len(field) == 0 {
			continue
		}
		switch field[0] | 0x20 {
		case 'a', 'd', 'u':
			n += len(value)
		}
	}
	return n
}

func trimLine(s []byte) []byte {
	for len(s) > 0 && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	for len(s) > 0 && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t' || s[len(s)-1] == '\r') {
		s = s[:len(s)-1]
	}
	return s
}

func BenchmarkCorpus(b *testing.B) {
	files := corpus.Files(b, "protego-sites")
	size := 0
	for _, f := range files {
		size += len(f.Data)
	}
	run := func(name string, do func(data []byte)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, f := range files {
					do(f.Data)
				}
			}
			b.ReportMetric(float64(len(files)), "files")
		})
	}
	run("split", func(data []byte) { splitLines(data) })
	run("parse", func(data []byte) { robots.Parse(data) })
	run("parse+for", func(data []byte) { robots.Parse(data).For("FooBot") })
	run("parse+for+match", func(data []byte) { robots.Parse(data).For("FooBot").Allowed("/some/path/page.html?x=1") })
	run("google", func(data []byte) { robots.Google.Parse(data).For("FooBot") })
}

// typical is a file like that of a shop: 42 rules, a fifth of them with wildcards.
var typical = func() []byte {
	var b strings.Builder
	b.WriteString("# robots.txt of shop.example\nUser-agent: *\n")
	for _, p := range strings.Fields(`/admin/ /cart /checkout/ /account/ /login /logout /register /search /wishlist
		/compare /orders/ /api/ /internal/ /tmp/ /cgi-bin/ /includes/ /scripts/ /themes/ /modules/ /profiles/
		/feed/ /comments/ /trackback/ /wp-admin/ /print/ /email-friend/ /review/ /tag/ /author/ /private/`) {
		fmt.Fprintf(&b, "Disallow: %s\n", p)
	}
	for _, p := range strings.Fields(`/api/public/ /wp-admin/admin-ajax.php /search/about /themes/images/`) {
		fmt.Fprintf(&b, "Allow: %s\n", p)
	}
	for _, p := range strings.Fields(`/*?sort= /*?filter= /*&page= /*.pdf$ /*/print/ /*?sessionid= /catalog/*/reviews /*.php$`) {
		fmt.Fprintf(&b, "Disallow: %s\n", p)
	}
	return []byte(b.String())
}()

// literals returns a file of n rules without wildcards.
func literals(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields(`products news archive blog item story user page topic city hotel offer video image forum`)
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for range n {
		fmt.Fprintf(&b, "Disallow: /%s/%s-%d/\n", words[r.IntN(len(words))], words[r.IntN(len(words))], r.IntN(1000000))
	}
	return []byte(b.String())
}

func BenchmarkMatch(b *testing.B) {
	run := func(name string, data []byte, urls ...string) {
		group := robots.Parse(data).For("FooBot")
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				group.Match(urls[i])
				if i++; i == len(urls) {
					i = 0
				}
			}
		})
	}
	run("rules=42", typical, "/", "/products/shoes/red-sneaker-42", "/blog/2024/05/how-to-choose.html",
		"/search?q=shoes",
		"/catalog/shoes/item-17?color=red", "/wp-admin/admin-ajax.php", "/themes/images/logo.png",
		"/category/women/dresses/?page=3")
	run("rules=42/url=absolute", typical, "https://shop.example/products/shoes/red-sneaker-42",
		"https://shop.example/category/women/dresses/?page=3")
	run("rules=42/url=encoded", typical, "/caf%c3%a9/%7Ejoe")
	data := literals(31843)
	var hits, misses []string
	for i, line := range strings.Split(string(data), "\n")[1:] {
		if path, ok := strings.CutPrefix(line, "Disallow: "); ok && i%31 == 0 {
			hits = append(hits, path+"index.html")
			misses = append(misses, strings.Replace(path, "-", "_", 1)+"index.html", "/other"+path)
		}
	}
	run("rules=31843/hit", data, hits...)
	run("rules=31843/miss", data, misses...)
}
