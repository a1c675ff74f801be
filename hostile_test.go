package robots_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
)

// hostile has files of up to 500 KiB that are expensive for a parser or a matcher, each with URLs of
// 2 KB that are expensive for the file.
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
		{"stars-1000", all + repeat(1000, func(i int) string { return "Disallow: /*a*a*a*a*a*a*a*b\n" }), []string{as, "/b" + as[1:]}},
		{"stars-1000-different", all + repeat(1000, func(i int) string { return fmt.Sprintf("Disallow: /*a*a*a*a*a*a*a*b*%d\n", i) }), []string{as, "/b" + as[1:], "/0123456789b" + as[12:]}},
		{"lines-of-stars", all + repeat(30, func(i int) string { return "Disallow: /" + strings.Repeat("*", 16600) + "x\n" }), []string{as}},
		{"lines-of-star-a", all + repeat(30, func(i int) string { return "Disallow: /" + strings.Repeat("*a", 8300) + "\n" }), []string{as, as + as + as + as + as}},
		{"wildcards-10000", all + repeat(10000, func(i int) string { return fmt.Sprintf("Disallow: /*dir%d/*file*.html$\n", i) }), []string{dirs, digits, places, places[:len(places)-1]}},
		{"wildcards-30000-short", all + repeat(30000, func(i int) string { return fmt.Sprintf("Allow: /*%x*z\n", i) }), []string{as, digits, digits + "z"}},
		{"groups-10000", repeat(10000, func(i int) string { return fmt.Sprintf("User-agent: bot%d\nDisallow: /x%d\n", i, i) }) + all + "Disallow: /y\n", []string{as}},
		{"groups-10000-of-one", repeat(10000, func(i int) string { return fmt.Sprintf("User-agent: FooBot\nDisallow: /a%d\n", i) }), []string{as}},
		{"agents-10000-rules-10000", manyAgents(10000), []string{as, "/x5000" + digits}},
		{"nested-1000", all + repeat(980, func(i int) string { return "Disallow: /" + strings.Repeat("a", i) + "\n" }), []string{as, as[:500] + "b"}},
		{"nested-exact-1000", all + repeat(980, func(i int) string { return "Disallow: /" + strings.Repeat("a", i) + "$\n" }), []string{as, as[:500] + "b"}},
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
		{"wild/equal-63", fill(all, same("Allow:*"+a(31)+"b"+a(31)+"\n")), []string{"/" + a(31) + "b" + a(20) + "c" + a(1900)}},
		{"wild/equal-9", fill(all, same("Allow:*aaaabaaaa\n")), []string{"/aaaabaaac" + a(1900)}},
		{"wild/words", fill(all, func(i int) string { return "Allow:*aab*" + word(i, 3) + "\n" }), []string{"/b" + letters + a(2000), "/aab" + letters + a(2000)}},
		{"wild/blocks-of-8", fill("", same("User-agent:a\n"+strings.Repeat("Allow:*aab\n", 8))), []string{"/b" + a(2000)}},
		{"wild/blocks-of-60", fill("", same("User-agent:a\n"+strings.Repeat("Allow:*aaaaaaab\n", 60))), []string{"/b" + a(2000)}},
		{"wild/blocks-of-1", fill("", same("User-agent:a\nAllow:*aab\n")), []string{"/b" + a(2000)}},
		{"wild/blocks-of-words", fill("", func(i int) string { return "User-agent:a\nAllow:*" + word(i, 2) + "*" + word(i/7, 3) + "\n" }), []string{"/" + words.String()}},
		{"wild/stems-40", fill(all, func(i int) string { return "Allow:/" + a(i%40) + "*aab\n" }), []string{"/" + a(1000) + "cb" + a(1000)}},
		{"wild/stems-900", fill(all, func(i int) string { return "Allow:/" + a(i%900) + "*ab" + word(i, 1) + "\n" }), []string{"/" + a(2000) + "b", "/" + a(1000) + letters + a(1000)}},
		{"wild/stems-different", fill(all, func(i int) string { return fmt.Sprintf("Allow:/%x*z\n", i) }), []string{"/" + a(2000) + "y", "/12" + a(2000) + "z"}},
		{"wild/ends-different", fill(all, func(i int) string { return fmt.Sprintf("Allow:/*a%d*z$\n", i) }), []string{"/" + a(1900) + "12345z", "/" + words.String() + "y"}},
		{"wild/ends", fill(all, func(i int) string { return "Allow:*" + word(i, 3) + "$\n" }), []string{"/" + words.String()}},
		{"wild/pairs", fill(all, func(i int) string { return "Allow:*" + word(i%720, 2) + "*" + word(i/720, 2) + "\n" }), []string{"/" + words.String(), "/" + back.String(), "/" + words.String()[720:] + words.String()[:720]}},
		{"wild/threes", fill(all, func(i int) string { return "Allow:*" + word(i%720, 2) + "*" + word(i/720, 2) + "*a\n" }), []string{"/a" + words.String() + back.String()[:700], "/" + words.String() + back.String()[:700]}},
		{"wild/threes-disordered", fill(all, func(i int) string { return "Allow:*" + word(i%720, 2) + "*" + word(719-i/720, 2) + "*a\n" }), []string{"/" + back.String() + "a" + words.String()[:700]}},
		{"wild/lengths", fill(all, func(i int) string { return "Allow:*" + a(i+1) + "\nAllow:*" + a(i) + "b\n" }), []string{"/" + a(2047), "/b" + a(2047)}},
		{"wild/lengths-64", fill(all, func(i int) string { return "Allow:*" + a(i%64) + word(i/64, 2) + "\n" }), []string{"/" + a(2047), "/" + strings.Repeat(a(30)+"0", 66)}},
		{"wild/lengths-two", fill(all, func(i int) string { return "Allow:*" + a(i) + "b*" + a(i) + "c\n" }), []string{"/" + a(1000) + "b" + a(1000), "/" + a(700) + "b" + a(700) + "c" + a(600)}},
		{"wild/long-100", fill(all, func(i int) string { return "Allow:*" + a(90-i%9) + word(i, 3) + a(i%7) + "\n" }), []string{"/" + a(2047), "/" + strings.Repeat(a(90)+"0", 22)}},
		{"wild/long-periodic", fill(all, func(i int) string { return "Allow:*" + half[i%2:66+i%400] + "*" + word(i, 2) + "\n" }), []string{"/" + half + half, "/" + half + "c" + half}},
		{"wild/steps", fill(all, func(i int) string {
			return "Allow:/" + strings.Repeat("*a", i%2000) + "*aa" + strings.Repeat("*a", 2000-i%2000) + "*b\n"
		}), []string{"/b" + a(2046), "/b" + a(2006)}},
		{"wild/steps-ab", fill(all, func(i int) string {
			return "Allow:/" + strings.Repeat("*a*b", i%500) + "*ba" + strings.Repeat("*a*b", 500-i%500) + "*c\n"
		}), []string{"/c" + half + half, "/c" + half + half[:24]}},
		{"wild/encoded", fill(all, func(i int) string { return "Allow:*%2f" + word(i, 3) + "*%c3\n" }), []string{"/" + words.String()}},
		{"wild/255-and-plain", fill(all+strings.Repeat("Allow:*aab\n", 255), func(i int) string { return fmt.Sprintf("Allow:/%x\n", i) }), []string{"/b" + a(2000)}},
		{"wild/255-steps", fill(all, func(i int) string {
			return "Allow:/" + strings.Repeat("*a", i) + "*aa" + strings.Repeat("*a", 998-i) + "*b\n"
		}), []string{"/b" + a(2000)}},
	}
}

// hostileLines has files whose lines take a parser longer than their size suggests, in some dialect.
func hostileLines() []hostileFile {
	const all = "User-agent: *\n"
	urls := []string{"/" + strings.Repeat("a", 2047)}
	var files []hostileFile
	for _, line := range []string{
		"u\n", "a\n", "d\n", "#\n", " \n", "u a\n", "d\ta\n", "a \n", "allow /\n", "allow:/\n", "Allow: *\n", "disallaw /\n", "disallow:/\n", "diasllow:/\n",
		"useragent a\nallow *b\n", "useragent:a\nallow:/\n", "user agent:a\n", "user-agent:a\n", "user-agent: a b c d\n",
		"allow:/%\n", "allow:/%ff\n", "allow:/\x80\n", "disallow:/%41\n", "allow:/$$\n", "allow:**\n", "a:\n", "a:b\n", ":\n", "\v\n", "\x00\n", "u\x00\n", "allow\n", "disallow\n", "user-agent\n", "allow:\n",
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
		hostileFile{"lines/plain-different", fill(all, func(i int) string { return fmt.Sprintf("Allow:/%x\n", i) }), urls},
		hostileFile{"lines/encoded-different", fill(all, func(i int) string { return fmt.Sprintf("Allow:/%%ff%x\n", i) }), urls},
		hostileFile{"lines/high-different", fill(all, func(i int) string { return fmt.Sprintf("Allow:/\xff%x\n", i) }), urls},
		hostileFile{"lines/index-different", fill(all, func(i int) string { return fmt.Sprintf("Allow:/%x/index.htm\n", i) }), urls},
		hostileFile{"lines/exact-different", fill(all, func(i int) string { return fmt.Sprintf("Allow:/%x$\n", i) }), urls},
		hostileFile{"lines/agents-different", fill("", func(i int) string { return fmt.Sprintf("User-agent:%x\n", i) }), urls},
		hostileFile{"lines/groups-different", fill("", func(i int) string { return fmt.Sprintf("User-agent:%x\nAllow:/\n", i) }), urls},
		hostileFile{"list/different", fill(all+"Disallow: ", func(i int) string { return fmt.Sprintf("/%x ", i) }), urls},
		hostileFile{"list/encoded-different", fill(all+"Disallow: ", func(i int) string { return fmt.Sprintf("/%%%x ", i) }), urls},
		hostileFile{"list/agents", fill("User-agent:", same(" a")), urls},
		hostileFile{"list/agents-different", fill("User-agent:", func(i int) string { return fmt.Sprintf(" %x", i) }), urls},
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

// BenchmarkHostile reads hostile files in each dialect, and matches their URLs. It reports each time
// beside that of plainLoop for 500 KiB in the same run.
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
