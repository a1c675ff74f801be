package robots_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// hostile has files of up to 500 KiB that are expensive for a parser or a matcher, each with URLs
// of 2 KB that are expensive for the file.
func hostile() []hostileFile {
	repeat := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	const all = "User-agent: *\n"
	as := "/" + strings.Repeat("a", 2047)
	dirs := "/" + strings.Repeat("dir/", 511)
	digits := "/" + repeat(200, func(i int) string { return fmt.Sprintf("dir%d/file", 1000+i*44)[:10] })
	places := "/" + repeat(124, func(i int) string { return fmt.Sprintf("dir%d/file.html/", i*80) })
	return []hostileFile{
		{"stars-once", all + "Disallow: /*a*a*a*a*a*a*a*b\n", []string{as, "/b" + as[1:]}},
		{"stars-1000", all + repeat(1000, func(i int) string { return "Disallow: /*a*a*a*a*a*a*a*b\n" }),
			[]string{as, "/b" + as[1:]}},
		{"stars-1000-different", all + repeat(1000,
			func(i int) string { return fmt.Sprintf("Disallow: /*a*a*a*a*a*a*a*b*%d\n", i) }), []string{as, "/b" +
			as[1:], "/0123456789b" + as[12:]}},
		{"lines-of-stars", all + repeat(30, func(i int) string {
			return "Disallow: /" + strings.Repeat("*", 16600) +
				"x\n"
		}), []string{as}},
		{"lines-of-star-a", all + repeat(30, func(i int) string {
			return "Disallow: /" + strings.Repeat("*a", 8300) +
				"\n"
		}), []string{as, as + as + as + as + as}},
		{"wildcards-10000", all + repeat(10000,
			func(i int) string { return fmt.Sprintf("Disallow: /*dir%d/*file*.html$\n", i) }), []string{dirs, digits,
			places, places[:len(places)-1]}},
		{"wildcards-30000-short", all + repeat(30000, func(i int) string { return fmt.Sprintf("Allow: /*%x*z\n", i) }),
			[]string{as, digits, digits + "z"}},
		{"groups-10000", repeat(10000, func(i int) string {
			return fmt.Sprintf("User-agent: bot%d\nDisallow: /x%d\n", i,
				i)
		}) + all + "Disallow: /y\n", []string{as}},
		{"groups-10000-of-one", repeat(10000,
			func(i int) string { return fmt.Sprintf("User-agent: FooBot\nDisallow: /a%d\n", i) }), []string{as}},
		{"agents-10000-rules-10000", manyAgents(10000), []string{as, "/x5000" + digits}},
		{"nested-1000", all + repeat(980, func(i int) string { return "Disallow: /" + strings.Repeat("a", i) + "\n" }),
			[]string{as, as[:500] + "b"}},
		{"nested-exact-1000", all + repeat(980, func(i int) string {
			return "Disallow: /" + strings.Repeat("a", i) +
				"$\n"
		}), []string{as, as[:500] + "b"}},
		{"junk-256000", strings.Repeat("x\n", 256000), []string{as}},
		{"empty-512000", strings.Repeat("\n", 512000), []string{as}},
		{"returns-512000", strings.Repeat("\r", 512000), []string{as}},
		{"one-line", all + "Disallow: /" + strings.Repeat("a", 500_000), []string{as}},
		{"one-line-encoded", all + "Disallow: /" + strings.Repeat("%c3", 166_000), []string{as}},
		{"spaces", all + "Disallow:" + strings.Repeat(" ", 500_000) + "/a", []string{as}},
		{"colons", strings.Repeat(":", 500_000), []string{as}},
	}
}

type hostileFile struct {
	name string
	text string
	urls []string
}

// mostText is the size of a hostile file: 500 KiB, which RFC 9309 requires robots to read.
const mostText = 500 << 10

// fill returns head, followed by as many lines as fit in a hostile file.
func fill(head string, line func(i int) string) string {
	b := []byte(head)
	for i := 0; ; i++ {
		next := line(i)
		if len(b)+len(next) > mostText {
			return string(b)
		}
		b = append(b, next...)
	}
}

// same returns a function for fill that returns the same line each time.
func same(line string) func(int) string { return func(int) string { return line } }

// word returns a word of n letters and digits that is different for each i, as long as there are
// enough words.
func word(i, n int) string {
	const of = "0123456789bcdefghijklmnopqrstuvwxyz_"
	b := make([]byte, n)
	for k := range b {
		b[k] = of[i%len(of)]
		i /= len(of)
	}
	return string(b)
}

// hostileWilds has files of patterns with wildcards. The URL has all bytes of the patterns, so each
// pattern must be searched for, unless the index knows something about all of them.
func hostileWilds() []hostileFile {
	const all = "User-agent: *\n"
	a := func(n int) string { return strings.Repeat("a", n) }
	// Texts with each word of two letters, in order and backwards.
	var words, back strings.Builder
	for i := range 36 * 20 {
		words.WriteString(word(i, 2))
		back.WriteString(word(36*20-1-i, 2))
	}
	letters := word(0, 1)
	for i := 1; i < 36; i++ {
		letters += word(i, 1)
	}
	half := strings.Repeat("ab", 500)
	return []hostileFile{
		{"wild/equal-aab", fill(all, same("Allow:*aab\n")), []string{"/b" + a(2000)}},
		{"wild/equal-ab", fill(all, same("Allow:*ab\n")), []string{"/b" + a(2000)}},
		{"wild/equal-63", fill(all, same("Allow:*"+a(31)+"b"+a(31)+"\n")), []string{"/" + a(31) + "b" + a(20) + "c" +
			a(1900)}},
		{"wild/equal-9", fill(all, same("Allow:*aaaabaaaa\n")), []string{"/aaaabaaac" + a(1900)}},
		{"wild/words", fill(all, func(i int) string { return "Allow:*aab*" + word(i, 3) + "\n" }),
			[]string{"/b" + letters + a(2000), "/aab" + letters + a(2000)}},
		{"wild/blocks-of-8", fill("", same("User-agent:a\n"+strings.Repeat("Allow:*aab\n", 8))),
			[]string{"/b" + a(2000)}},
		{"wild/blocks-of-60", fill("", same("User-agent:a\n"+strings.Repeat("Allow:*aaaaaaab\n", 60))),
			[]string{"/b" + a(2000)}},
		{"wild/blocks-of-1", fill("", same("User-agent:a\nAllow:*aab\n")), []string{"/b" + a(2000)}},
		{"wild/blocks-of-words", fill("", func(i int) string {
			return "User-agent:a\nAllow:*" + word(i, 2) + "*" +
				word(i/7, 3) + "\n"
		}), []string{"/" + words.String()}},
		{"wild/stems-40", fill(all, func(i int) string { return "Allow:/" + a(i%40) + "*aab\n" }),
			[]string{"/" + a(1000) + "cb" + a(1000)}},
		{"wild/stems-900", fill(all, func(i int) string { return "Allow:/" + a(i%900) + "*ab" + word(i, 1) + "\n" }),
			[]string{"/" + a(2000) + "b", "/" + a(1000) + letters + a(1000)}},
		{"wild/stems-different", fill(all, func(i int) string { return fmt.Sprintf("Allow:/%x*z\n", i) }),
			[]string{"/" + a(2000) + "y", "/12" + a(2000) + "z"}},
		{"wild/ends-different", fill(all, func(i int) string { return fmt.Sprintf("Allow:/*a%d*z$\n", i) }),
			[]string{"/" + a(1900) + "12345z", "/" + words.String() + "y"}},
		{"wild/ends", fill(all, func(i int) string { return "Allow:*" + word(i, 3) + "$\n" }),
			[]string{"/" + words.String()}},
		{"wild/pairs", fill(all, func(i int) string {
			return "Allow:*" + word(i%720, 2) + "*" + word(i/720, 2) +
				"\n"
		}), []string{"/" + words.String(), "/" + back.String(), "/" + words.String()[720:] + words.String()[:720]}},
		{"wild/threes", fill(all, func(i int) string {
			return "Allow:*" + word(i%720, 2) + "*" + word(i/720, 2) +
				"*a\n"
		}), []string{"/a" + words.String() + back.String()[:700], "/" + words.String() + back.String()[:700]}},
		{"wild/threes-disordered", fill(all, func(i int) string {
			return "Allow:*" + word(i%720, 2) + "*" +
				word(719-i/720, 2) + "*a\n"
		}), []string{"/" + back.String() + "a" + words.String()[:700]}},
		{"wild/lengths", fill(all, func(i int) string { return "Allow:*" + a(i+1) + "\nAllow:*" + a(i) + "b\n" }),
			[]string{"/" + a(2047), "/b" + a(2047)}},
		{"wild/lengths-64", fill(all, func(i int) string { return "Allow:*" + a(i%64) + word(i/64, 2) + "\n" }),
			[]string{"/" + a(2047), "/" + strings.Repeat(a(30)+"0", 66)}},
		{"wild/lengths-two", fill(all, func(i int) string { return "Allow:*" + a(i) + "b*" + a(i) + "c\n" }),
			[]string{"/" + a(1000) + "b" + a(1000), "/" + a(700) + "b" + a(700) + "c" + a(600)}},
		{"wild/long-100", fill(all, func(i int) string { return "Allow:*" + a(90-i%9) + word(i, 3) + a(i%7) + "\n" }),
			[]string{"/" + a(2047), "/" + strings.Repeat(a(90)+"0", 22)}},
		{"wild/long-periodic", fill(all, func(i int) string {
			return "Allow:*" + half[i%2:66+i%400] + "*" + word(i, 2) +
				"\n"
		}), []string{"/" + half + half, "/" + half + "c" + half}},
		{"wild/steps", fill(all, func(i int) string {
			return "Allow:/" + strings.Repeat("*a", i%2000) + "*aa" + strings.Repeat("*a", 2000-i%2000) + "*b\n"
		}), []string{"/b" + a(2046), "/b" + a(2006)}},
		{"wild/steps-ab", fill(all, func(i int) string {
			return "Allow:/" + strings.Repeat("*a*b", i%500) + "*ba" + strings.Repeat("*a*b", 500-i%500) + "*c\n"
		}), []string{"/c" + half + half, "/c" + half + half[:24]}},
		{"wild/encoded", fill(all, func(i int) string { return "Allow:*%2f" + word(i, 3) + "*%c3\n" }),
			[]string{"/" + words.String()}},
		{"wild/255-and-plain", fill(all+strings.Repeat("Allow:*aab\n", 255),
			func(i int) string { return fmt.Sprintf("Allow:/%x\n", i) }), []string{"/b" + a(2000)}},
		{"wild/255-steps", fill(all, func(i int) string {
			return "Allow:/" + strings.Repeat("*a", i) + "*aa" + strings.Repeat("*a", 998-i) + "*b\n"
		}), []string{"/b" + a(2000)}},
	}
}

// hostileLines has files whose lines take a parser longer than their size suggests, in some
// dialect.
func hostileLines() []hostileFile {
	const all = "User-agent: *\n"
	urls := []string{"/" + strings.Repeat("a", 2047)}
	var files []hostileFile
	for _, line := range []string{
		"u\n", "a\n", "d\n", "#\n", " \n", "u a\n", "d\ta\n", "a \n", "allow /\n", "allow:/\n", "Allow: *\n",
		"disallaw /\n", "disallow:/\n", "diasllow:/\n",
		"useragent a\nallow *b\n", "useragent:a\nallow:/\n", "user agent:a\n", "user-agent:a\n",
		"user-agent: a b c d\n",
		"allow:/%\n", "allow:/%ff\n", "allow:/\x80\n", "disallow:/%41\n", "allow:/$$\n", "allow:**\n", "a:\n", "a:b\n",
		":\n", "\v\n", "\x00\n", "u\x00\n", "allow\n", "disallow\n", "user-agent\n", "allow:\n",
		"allow:/index.htm\n", "allow:/#\n", "disallow:\n",
	} {
		files = append(files,
			hostileFile{fmt.Sprintf("lines/%q", line), fill("", same(line)), urls},
			hostileFile{fmt.Sprintf("lines/in-a-group/%q", line), fill(all, same(line)), urls})
	}
	for _, words := range []string{"/ ", "% ", "/% ", "/%41 ", "a ", "\xa0 "} {
		files = append(files, hostileFile{fmt.Sprintf("list/%q", words), fill(all+"Disallow: ", same(words)), urls})
	}
	return append(files,
		hostileFile{"lines/a-lone-return", fill("\r", same("u\n")), urls},
		hostileFile{"lines/a-lone-return-at-the-end", fill("", same("u\n"))[:mostText-2] + "\rx", urls},
		hostileFile{"lines/plain-different", fill(all, func(i int) string { return fmt.Sprintf("Allow:/%x\n", i) }),
			urls},
		hostileFile{"lines/encoded-different",
			fill(all, func(i int) string { return fmt.Sprintf("Allow:/%%ff%x\n", i) }), urls},
		hostileFile{"lines/high-different", fill(all, func(i int) string { return fmt.Sprintf("Allow:/\xff%x\n", i) }),
			urls},
		hostileFile{"lines/index-different", fill(all, func(i int) string {
			return fmt.Sprintf("Allow:/%x/index.htm\n",
				i)
		}), urls},
		hostileFile{"lines/exact-different", fill(all, func(i int) string { return fmt.Sprintf("Allow:/%x$\n", i) }),
			urls},
		hostileFile{"lines/agents-different", fill("", func(i int) string { return fmt.Sprintf("User-agent:%x\n", i) }),
			urls},
		hostileFile{"lines/groups-different",
			fill("", func(i int) string { return fmt.Sprintf("User-agent:%x\nAllow:/\n", i) }), urls},
		hostileFile{"list/different", fill(all+"Disallow: ", func(i int) string { return fmt.Sprintf("/%x ", i) }),
			urls},
		hostileFile{"list/encoded-different",
			fill(all+"Disallow: ", func(i int) string { return fmt.Sprintf("/%%%x ", i) }), urls},
		hostileFile{"list/agents", fill("User-agent:", same(" a")), urls},
		hostileFile{"list/agents-different", fill("User-agent:", func(i int) string { return fmt.Sprintf(" %x", i) }),
			urls},
	)
}

// allHostile returns all hostile files.
func allHostile() []hostileFile {
	files := slices.Concat(hostile(), hostileWilds(), hostileLines())
	for i, b := range climbed {
		_, text, url := b.make()
		files = append(files, hostileFile{fmt.Sprintf("climbed/%d", i), string(text), []string{url}})
	}
	return files
}

// plainLoop is the yardstick for hostile files: it looks at each byte once and counts lines. The
// cost of a file is reported in such loops over its bytes, because the clock of a busy machine is
// unreliable.
func plainLoop(text string) (lines int) {
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			lines++
		}
	}
	return lines
}

// BenchmarkHostile reads hostile files in each dialect, and matches their URLs. It reports each
// time beside that of plainLoop for 500 KiB in the same run.
func BenchmarkHostile(b *testing.B) {
	for _, h := range allHostile() {
		for _, d := range robots.Dialects() {
			data := []byte(h.text)
			b.Run(fmt.Sprintf("parse/%s/%v", h.name, d), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					d.Parse(data).For("FooBot", "a")
				}
				reportLoops(b)
			})
			group := d.Parse(data).For("FooBot", "a")
			for i, url := range h.urls {
				b.Run(fmt.Sprintf("match/%s/%v/%d", h.name, d, i), func(b *testing.B) {
					for b.Loop() {
						group.Match(url)
					}
					reportLoops(b)
				})
			}
		}
	}
}

var loopText = fill("", same("x\n"))

// reportLoops reports the time of an operation as a multiple of the time of plainLoop.
func reportLoops(b *testing.B) {
	best := time.Hour
	for range 3 {
		start := time.Now()
		if plainLoop(loopText) != mostText/2 {
			b.Fatal("plainLoop does not count lines")
		}
		best = min(best, time.Since(start))
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(best), "loops/op")
}

// manyAgents returns a file with one group of n agents and n rules.
func manyAgents(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "User-agent: %s\n", agentName(i))
	}
	b.WriteString("User-agent: *\n")
	for i := range n {
		fmt.Fprintf(&b, "Disallow: /x%d\n", i)
	}
	return b.String()
}

func agentName(i int) string { return fmt.Sprintf("bot%d", i) }

// FuzzNet compares nets with a search for each pattern in turn. The patterns share segments, and
// the paths contain these segments.
func FuzzNet(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(checkNet)
}

// TestNet runs FuzzNet with 1,000 fixed inputs, or 3,000 with ROBOTS_CORPUS_ALL.
func TestNet(t *testing.T) {
	n := corpus.Cases(1000, 3000)
	if testing.Short() {
		n = 500
	}
	for seed := range uint64(n) {
		checkNet(t, seed)
	}
}

func checkNet(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(9309, seed))
	segments := netSegments(r)
	var text strings.Builder
	text.WriteString("User-agent: a\n")
	for range r.IntN(80) {
		if r.IntN(20) == 0 {
			text.WriteString("User-agent: a\n")
		}
		text.WriteString([]string{"Allow:", "Disallow:"}[r.IntN(2)])
		text.WriteString([]string{"", "/", "/", "/" + segments[0], "/" + segments[len(segments)/2]}[r.IntN(5)])
		for range r.IntN(1 + r.IntN(6)) {
			text.WriteString(strings.Repeat("*", 1+r.IntN(30)/29))
			text.WriteString(segments[r.IntN(len(segments))])
		}
		text.WriteString([]string{"", "", "*", "$"}[r.IntN(4)])
		text.WriteString("\n")
	}
	for _, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
		group := d.Parse([]byte(text.String())).For("a")
		group.UseNets()
		for range 5 {
			var url strings.Builder
			url.WriteString("/")
			for range r.IntN(1 + r.IntN(20)) {
				url.WriteString(segments[r.IntN(len(segments))])
			}
			got, want := group.Match(url.String()), matchPatterns(d, group, url.String())
			if got != want {
				t.Fatalf("%v: seed %d: %.5000q for %q: got %v, want %v", d, seed, text.String(), url.String(), got,
					want)
			}
		}
	}
}

// netSegments returns texts that overlap in many ways: short texts of few letters, periodic texts,
// and long texts that differ at one place.
func netSegments(r *rand.Rand) []string {
	var segments []string
	most := []int{2, 8, 20, 64, 66, 130, 300}[r.IntN(7)]
	letters := []string{"a", "ab", "abc", "/a", "ab%2F"}[r.IntN(5)]
	for range 1 + r.IntN(20) {
		part := ""
		for range 1 + r.IntN(3) {
			part += string(letters[r.IntN(len(letters))])
		}
		s := strings.Repeat(part, 1+r.IntN(most))[:1+r.IntN(most)%len(part)]
		if n := 1 + r.IntN(most); r.IntN(2) == 0 {
			s = strings.Repeat(part, n)[:n]
		}
		if r.IntN(3) == 0 {
			i := r.IntN(len(s))
			s = s[:i] + "b" + s[i:]
		}
		segments = append(segments, s)
	}
	return segments
}

// matchPatterns gives the answer of Group.Match for a path by a search for each pattern.
func matchPatterns(d robots.Dialect, group *robots.Group, url string) robots.Match {
	want := robots.Match{Allowed: true, Reason: robots.NoRule}
	heaviest, path := -1, d.Path(url)
	for rule, pattern := range group.Patterns() {
		weight := 2 * pattern.Bytes
		if rule.Allow {
			weight++
		}
		if weight > heaviest && pattern.Matches(path) {
			heaviest = weight
			want = robots.Match{Allowed: rule.Allow, Reason: robots.DecidingRule, Rule: rule}
		}
	}
	return want
}

// TestHostileAnswers matches the URLs of hostile files, in the form of each group's index, and
// compares the answers with those of a search for each pattern. Without ROBOTS_CORPUS_ALL each file
// is read in one of the two dialects.
func TestHostileAnswers(t *testing.T) {
	for i, h := range hostileWilds() {
		for k, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
			if testing.Short() && (i+k)%4 > 0 || !corpus.All() && (i+k)%2 > 0 {
				continue
			}
			group := d.Parse([]byte(h.text)).For("a")
			for _, url := range h.urls {
				if got, want := group.Match(url), matchPatterns(d, group, url); got != want {
					t.Errorf("%s, %v: for %.50q...: got %v, want %v", h.name, d, url, got, want)
				}
			}
		}
	}
}

// googleLine is the number of bytes of a line that Google's parser reads (SPEC, section 2).
const googleLine = 16663

// TestLongLines compares the engine with its twin on lines about as long as the limit of Google's
// parser. Each byte of a field and its value is once before and once after the limit, or every
// third one without ROBOTS_CORPUS_ALL.
func TestLongLines(t *testing.T) {
	for _, fill := range []string{" ", "\t", "x"} { // before the field, and in the value
		for _, line := range []string{
			"User-agent: x", "User-agent: FooBot", "User-agent: *", "useragent foobot", "Disallow: /b", "Allow: /b",
			"Allow:/index.html", "disalow /b", "# c", "Sitemap: x", "x",
		} {
			if fill == "x" && line[0] != 'A' || fill == "\t" && line[0] != 'U' {
				continue // saves time
			}
			for over := -1; over <= len(line)+1; over++ {
				if !corpus.All() && over > 2 && over%3 > 0 {
					continue
				}
				long := strings.Repeat(fill, googleLine+over-len(line)) + line
				if fill == "x" {
					long = line + strings.Repeat(fill, googleLine+over-len(line)) + "$"
				}
				for _, text := range []string{
					"User-agent: *\nDisallow: /a\n" + long + "\nDisallow: /b\n",
					"User-agent: foobot\n" + long + "\nUser-agent: bar\nDisallow: /b\n",
					"User-agent: bar\n" + long + "\r\nUser-agent: foobot\rDisallow: /b",
					long + "\nDisallow: /b\n",
				} {
					for _, d := range robots.Dialects() {
						if d != robots.Google && over != 1 {
							continue // it has no limit
						}
						check(t, d, text, "FooBot", "/b")
						check(t, d, text, "", "/")
						checkLines(t, d, text)
						if t.Failed() {
							t.Fatalf("%v: %q with %d bytes before it, %d over the limit", d, line, len(long)-len(line),
								over)
						}
					}
				}
			}
		}
	}
}

// TestListSpace checks that lists are split at the white space of the file format only. Other white
// space of Unicode may be a part of a path.
func TestListSpace(t *testing.T) {
	for _, space := range []string{"\v", "\f", "\u0085", "\u00a0", "\u1680", "\u2000", "\u2028", "\u2029", "\u202f",
		"\u205f", "\u3000"} {
		text := "User-agent: a" + space + "*\nDisallow: /shut\nCrawl-delay: 3\n\nUser-agent: Foo" + space +
			"Bot\tb\nDisallow: /x" + space + "/y\t/z\nDisallow: " + space + "/\nCrawl-delay: 5\n"
		for _, test := range []struct {
			agent, url string
			line       int
		}{
			{"FooBot", "/shut", 0},
			{"b", "/xy", 0},
			{"b", "/x" + space + "/y", 6},
			{"b", "/z", 6},
			{"b", "/y", 0},
			{"b", "/", 0},
			{"Foo" + space + "Bot", "/z", 6},
		} {
			check(t, robots.Kollar1996, text, test.agent, test.url)
			if m := robots.Kollar1996.Parse([]byte(text)).For(test.agent).Match(test.url); m.Rule.Line != test.line {
				t.Errorf("with %q, %q may fetch %q: %v, want line %d", space, test.agent, test.url, m, test.line)
			}
		}
		checkLines(t, robots.Kollar1996, text)
		policy := robots.Kollar1996.Parse([]byte(text))
		if got := policy.For("Foo").Records("crawl-delay"); len(got) != 0 {
			t.Errorf("with %q, Foo has the records %v, though no line names it", space, got)
		}
		if got := policy.For("b").Records("crawl-delay"); len(got) != 1 {
			t.Errorf("with %q, b has the records %v, want one", space, got)
		}
	}
}

// TestLongText checks that a text above the limit is cut after the last whole line, in every view
// of the text. The limit is 512 MiB, so the test lowers it, to each byte of the text in turn.
func TestLongText(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r", "\r\n\r", "\n\r"} {
		text := strings.ReplaceAll("\ufeffUser-agent: *\nDisallow: /ab\n#\nAllow: /abcdef/ghi\nUser-agent: foobot\nDisallow: /abc\nCrawl-delay: 1\n\n"+
			"Disallow: /abcd\nUser-agent: x\nAllow: /a", "\n", end)
		for limit := range len(text) + 2 {
			whole := slowWhole(text, limit)
			for _, d := range robots.Dialects() {
				policy := d.ParseAtMost([]byte(text), limit)
				for _, agent := range []string{"FooBot", "x", "*"} {
					group := policy.For(agent)
					for _, url := range []string{"/abcdef/ghi", "/abcd", "/ab"} {
						got := group.Match(url)
						allowed, line := slowMatch(d.String(), whole, agent, url)
						if got.Allowed != allowed || got.Rule.Line != line {
							t.Errorf("%v: of %q %d bytes: %q, %q: got %v, want allowed %t by line %d", d, text, limit,
								agent, url, got, allowed, line)
						}
						if e := group.Explain(url); e.Match != got || got.Reason == robots.DecidingRule &&
							e.Candidates[0].Rule != got.Rule {
							t.Errorf("%v: of %q %d bytes: %q, %q: %v, but Explain says %v", d, text, limit, agent, url,
								got, e)
						}
					}
					if got, want := fmt.Sprint(group.Records()),
						fmt.Sprint(d.Parse([]byte(whole)).For(agent).Records()); got != want {
						t.Errorf("%v: of %q %d bytes: %q has the records %v, want %v", d, text, limit, agent, got, want)
					}
				}
				checkPolicyLines(t, policy, text)
				for n, line := range policy.Lines() {
					if out := line.Offset+len(line.Text) > len(whole); out && (line.Group >= 0 || line.Field != "") {
						t.Errorf("%v: of %q %d bytes: line %d is %v in group %d, and is not read", d, text, limit, n,
							line.Kind, line.Group)
					}
				}
				if t.Failed() {
					return
				}
			}
		}
	}
}

// TestOneLongLine checks that a text has no rules if its only line is longer than the limit.
func TestOneLongLine(t *testing.T) {
	policy := robots.RFC9309.ParseAtMost([]byte("\ufeffUser-agent: *"), 5)
	if got := policy.For("FooBot").Match("/x"); got.Reason != robots.NoGroup || len(policy.Groups()) > 0 {
		t.Errorf("%v, and %d groups, want none", got, len(policy.Groups()))
	}
	for range policy.Groups() {
		t.Error("there is a group")
	}
}
