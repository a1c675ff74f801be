package seeds_test

import (
	"bytes"
	"compress/gzip"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/seeds"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// sample is the share of the corpus that is compared, one line or page in so many: the
// twins are slow.
const sample = 50

// TestCorpusTexts compares the URLs found in real texts, robots.txt files and access
// logs, with those of the slow twin, line by line.
func TestCorpusTexts(t *testing.T) {
	texts := corpus.Files(t, "*")
	logs, err := filepath.Glob(corpus.Path(t, "logs", "large", "*.gz"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("no logs, %v", err)
	}
	for _, name := range logs {
		data, err := os.ReadFile(name)
		fatal.If(t, err)
		z, err := gzip.NewReader(bytes.NewReader(data))
		fatal.If(t, err)
		text, err := io.ReadAll(z)
		fatal.If(t, err)
		texts = append(texts, corpus.File{Name: name, Data: text})
	}
	n, compared, urls := 0, 0, 0
	for _, file := range texts {
		for line := range bytes.Lines(file.Data) {
			if !bytes.Contains(line, []byte("://")) && !bytes.Contains(line, []byte("www.")) || len(line) > 2000 {
				continue
			}
			if n++; corpus.All() || n%sample == 0 {
				compared++
				urls += compareLine(t, strings.TrimRight(string(line), "\r\n"))
			}
		}
	}
	t.Logf("%d URLs in %d lines of %d", urls, compared, n)
	if n < 50_000 || urls < compared/2 {
		t.Errorf("%d URLs in %d lines of %d are not all", urls, compared, n)
	}
}

// links matches the links of pages in their most common form.
var links = regexp.MustCompile(`(?is)<(?:a|area|frame|iframe)\s[^<>]*?\b(?:href|src)\s*=\s*(?:"\s*(https?://[^"]*?)\s*"|'\s*(https?://[^']*?)\s*'|(https?://[^\s>]*))`)

// TestCorpusPages compares the links of real pages with those of a regular expression.
func TestCorpusPages(t *testing.T) {
	comments := regexp.MustCompile(`(?s)<!--.*?-->|<script\b.*?</script>|<(?:textarea|title)>.*?</(?:textarea|title)>`)
	pages, total := 0, 0
	for _, site := range []string{"jena-site", "opennlp-site", "httpd-manual"} {
		for i, file := range corpus.Untar(t, corpus.Path(t, "pages", site+".tar.gz")) {
			if i%sample != 0 && !corpus.All() {
				continue
			}
			if seeds.Detect("", file.Data[:min(len(file.Data), 4096)]) != seeds.HTMLFormat ||
				bytes.Contains(file.Data, []byte("<base ")) {
				continue
			}
			want := make(map[string]bool)
			for _, m := range links.FindAllStringSubmatch(comments.ReplaceAllString(string(file.Data), ""), -1) {
				want[html.UnescapeString(m[1]+m[2]+m[3])] = true
			}
			pages++
			got := make(map[string]bool)
			for f, err := range seeds.Read(file.Name, bytes.NewReader(file.Data)) {
				fatal.If(t, err)
				got[f] = true
				if !want[f] {
					t.Errorf("%s: found %q", file.Name, f)
				}
			}
			for url := range want {
				if !got[url] {
					t.Errorf("%s: did not find %q", file.Name, url)
				}
			}
			total += len(want)
		}
	}
	t.Logf("%d links on %d pages", total, pages)
	if pages < 50 || total < 200 {
		t.Errorf("%d links on %d pages are not all", total, pages)
	}
}
