package robots_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

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
	run("rules=42", typical, "/", "/products/shoes/red-sneaker-42", "/blog/2024/05/how-to-choose.html", "/search?q=shoes",
		"/catalog/shoes/item-17?color=red", "/wp-admin/admin-ajax.php", "/themes/images/logo.png", "/category/women/dresses/?page=3")
	run("rules=42/url=absolute", typical, "https://shop.example/products/shoes/red-sneaker-42", "https://shop.example/category/women/dresses/?page=3")
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
