package robots_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
)

// hostile are files of up to 500 KiB that are made to cost a parser or a
// matcher much, each with URLs of 2 KB that fit.
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

func BenchmarkHostile(b *testing.B) {
	for _, h := range hostile() {
		data := []byte(h.text)
		b.Run("parse/"+h.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				robots.Parse(data).For("FooBot")
			}
		})
		group := robots.Parse(data).For("FooBot")
		for i, url := range h.urls {
			b.Run(fmt.Sprintf("match/%s/%d", h.name, i), func(b *testing.B) {
				for b.Loop() {
					group.Match(url)
				}
			})
		}
	}
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
