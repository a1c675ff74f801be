package weburl_test

import (
	"net/url"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const benchBase = "https://www.example.com/docs/guide/chapter-3.html?lang=en"

// benchLinks are links by the work that they need.
var benchLinks = []struct {
	name  string
	links []string
}{
	{"root-relative", []string{"/products/shoes/red-sneakers-42.html"}},
	{"query", []string{"/search?q=shoes&page=2&sort=price"}},
	{"relative", []string{"chapter-4.html"}},
	{"parent", []string{"../../images/index.html"}},
	{"absolute", []string{"https://en.wikipedia.org/wiki/Robots_exclusion_standard"}},
	{"same-origin", []string{"https://www.example.com/about/contact"}},
	{"tracked", []string{"/news/today?utm_source=feed&utm_medium=rss&id=7"}},
	{"percent", []string{"https://ru.wikipedia.org/wiki/%D0%A0%D0%BE%D0%B1%D0%BE%D1%82"}},
	{"messy", []string{" HTTP://WWW.Example.COM:80/a b/../\u043f\u0443\u0442\u044c\\x;jsessionid=1?q='\u00fc'#top\n"}},
	{"idna", []string{"http://b\u00fccher.example/"}},
	{"refused", []string{"mailto:webmaster@example.com"}},
	{"page", pageLinks},
}

// pageLinks are 60 links in the proportions of typical pages of shops and newspapers.
var pageLinks = func() (links []string) {
	for i := range 60 {
		n := string(rune('a'+i%26)) + string(rune('0'+i%10))
		switch i % 12 {
		case 0:
			links = append(links, "#section-"+n)
		case 1:
			links = append(links, "https://www.example.com/category/"+n)
		case 2:
			links = append(links, "https://static.example.net/"+n+"/terms.html")
		case 3:
			links = append(links, "/search?category="+n+"&page=2")
		case 4:
			links = append(links, "../"+n+"/index.html")
		case 5:
			links = append(links, n+".html")
		case 6:
			links = append(links, "javascript:void(0)")
		case 7:
			links = append(links, "/news/2026/"+n+"?utm_source=front&utm_medium=teaser")
		default:
			links = append(links, "/articles/"+n+"/the-title-of-an-article-"+n)
		}
	}
	return links
}()

// BenchmarkResolve resolves links with this package, and with the standard library, which does
// less.
func BenchmarkResolve(b *testing.B) {
	base, err := weburl.Links.Parse(benchBase)
	fatal.If(b, err)
	standardBase, err := url.Parse(benchBase)
	fatal.If(b, err)
	for _, c := range benchLinks {
		b.Run(c.name+"/weburl", func(b *testing.B) {
			b.ReportAllocs()
			buffer := make([]byte, 0, 4096)
			for b.Loop() {
				for _, link := range c.links {
					buffer, _, _ = weburl.Links.AppendResolved(buffer[:0], base, link)
				}
			}
			perLink(b, len(c.links))
		})
		b.Run(c.name+"/net-url", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, link := range c.links {
					if u, err := standardBase.Parse(link); err == nil {
						_ = u.String()
					}
				}
			}
			perLink(b, len(c.links))
		})
	}
}

func perLink(b *testing.B, links int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(links), "ns/link")
}

// BenchmarkDomain looks up registrable domains.
func BenchmarkDomain(b *testing.B) {
	u, err := weburl.Links.Parse(benchBase)
	fatal.If(b, err)
	b.ReportAllocs()
	for b.Loop() {
		_ = u.Domain()
	}
}
