package oracle_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/page"
)

// A found is what matters to robots of a page, as parse5 or package page reads it.
type found struct {
	Metas      [][2]any `json:"metas"`      // offset and content
	Links      [][3]any `json:"links"`      // offset, element and address
	Canonicals [][2]any `json:"canonicals"` // offset and address
	Base       string   `json:"base"`
}

// flat returns it as sorted lines, each thing once: a tree may have copies of an element.
func (f found) flat() (lines []string) {
	for _, m := range f.Metas {
		for word := range strings.FieldsFuncSeq(fmt.Sprint(m[1]), func(c rune) bool {
			return c == ',' || c == ' ' ||
				c == '\n'
		}) {
			lines = append(lines, fmt.Sprint("meta ", number(m[0]), " ", strings.ToLower(word)))
		}
	}
	for _, l := range f.Links {
		if address := trim(l[2]); address != "" {
			lines = append(lines, fmt.Sprint(l[1], " ", number(l[0]), " ", address))
		}
	}
	for _, c := range f.Canonicals {
		if address := trim(c[1]); address != "" {
			lines = append(lines, fmt.Sprint("canonical ", number(c[0]), " ", address))
		}
	}
	lines = append(lines, "base "+f.Base)
	slices.Sort(lines)
	return slices.Compact(lines)
}

// number returns an offset of JSON, or of a Go value.
func number(v any) string {
	if f, ok := v.(float64); ok {
		return strconv.Itoa(int(f))
	}
	return fmt.Sprint(v)
}

// trim returns an address without what no address has.
func trim(v any) string {
	s := strings.TrimFunc(fmt.Sprint(v), func(c rune) bool { return c <= ' ' })
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
}

// ours returns what package page finds.
func ours(t *testing.T, text string) (f found) {
	header := http.Header{"Content-Type": {"text/html; charset=utf-8"}}
	doc, err := page.Read(strings.NewReader(text), page.Options{Header: header, MaxLinks: 1 << 20, AsWritten: true,
		MaxSize: -1})
	fatal.If(t, err)
	for _, d := range doc.Directives {
		if d.Source.Place == "meta" && strings.EqualFold(strings.TrimSpace(d.Source.Name), "robots") {
			f.Metas = append(f.Metas, [2]any{d.Source.Offset, d.Name})
		}
	}
	for _, l := range doc.Links {
		if l.Element != "meta" {
			f.Links = append(f.Links, [3]any{l.Source.Offset, l.Element, l.URL})
		}
	}
	for _, c := range doc.Canonicals {
		f.Canonicals = append(f.Canonicals, [2]any{c.Source.Offset, c.URL})
	}
	f.Base = doc.Base
	return f
}

// parse5 has the npm package read pages, and calls each with what it finds.
func parse5(t *testing.T, pages []string, each func(text string, f found)) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	if _, err := os.Stat(filepath.Join("npm", "node_modules", "parse5")); errors.Is(err, fs.ErrNotExist) {
		t.Skip(`parse5 is not installed: run "npm ci" in oracle/npm`)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, filepath.Join("npm", "tree.mjs"))
	cmd.Stderr = t.Output()
	var in bytes.Buffer
	lines := json.NewEncoder(&in)
	for _, p := range pages {
		fatal.If(t, lines.Encode(map[string]string{"html": p}))
	}
	cmd.Stdin = &in
	out, err := cmd.StdoutPipe()
	fatal.If(t, err)
	fatal.If(t, cmd.Start())
	answers := json.NewDecoder(bufio.NewReaderSize(out, 1<<20))
	for _, p := range pages {
		var f found
		fatal.If(t, answers.Decode(&f))
		each(p, f)
	}
	fatal.If(t, cmd.Wait())
}

// A treeDisagreement is a class of pages that package page reads otherwise than parse5.
type treeDisagreement struct {
	page   *regexp.Regexp // which every page of the class matches
	reason string
}

var treeDisagreements = []treeDisagreement{
	{regexp.MustCompile(`(?i)<frame`),
		"Frames and frame sets: parse5 builds a page of either a body or frames, and drops what the other one has. " +
			"Here directives and links count wherever they stand (decision 16)."},
	{regexp.MustCompile(`(?i)<template[^>]*>\s*<col`),
		"Columns right in a template: the standard drops all other tags that follow there. Nothing in a template counts here; " +
			"only a style or script among the dropped tags is taken for one, and its text is not markup."},
	{regexp.MustCompile(`(?is)<template.*<a\s.*<(object|applet|marquee).*</template`),
		"A link in a template, with an open object in it: the link outlives the template in the list of " +
			"formatting elements, and parse5 opens it again behind the template. Here nothing in a template counts."},
	{regexp.MustCompile(`(?i)<select`),
		"parse5 8.1 drops most tags inside of select, as the standard did until 2025; now they are elements like others, as here."},
}

// comparePages compares what package page and parse5 find on pages, and returns how many
// pages they agree on that are in no class of known disagreements.
func comparePages(t *testing.T, pages []string) (agree int) {
	wrong := 0
	parse5(t, pages, func(text string, f found) {
		want, got := f.flat(), ours(t, text).flat()
		if slices.Equal(got, want) {
			agree++
			return
		}
		if slices.ContainsFunc(treeDisagreements, func(d treeDisagreement) bool { return d.page.MatchString(text) }) {
			return
		}
		if wrong++; wrong <= 5 {
			t.Errorf("%q\n%s", text, difference(got, want))
		}
	})
	if wrong > 0 {
		t.Errorf("%d of %d pages are read otherwise than by parse5", wrong, len(pages))
	}
	return agree
}

// difference returns the lines that only one of two lists has.
func difference(got, want []string) string {
	var b strings.Builder
	for _, s := range got {
		if !slices.Contains(want, s) {
			b.WriteString("  only here: " + s + "\n")
		}
	}
	for _, s := range want {
		if !slices.Contains(got, s) {
			b.WriteString("  only parse5: " + s + "\n")
		}
	}
	return b.String()
}

// fragments returns what hard pages are made of.
func fragments(t *testing.T) []string {
	data, err := os.ReadFile(filepath.Join("..", "page", "testdata", "fragments.txt"))
	fatal.If(t, err)
	return strings.FieldsFunc(string(data), func(c rune) bool { return c == '\n' })
}

// TestPageFragments compares on pages that are made of fragments.
func TestPageFragments(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	all := fragments(t)
	var pages []string
	for range 20000 {
		var b strings.Builder
		for i := range 1 + r.IntN(40) {
			b.WriteString(strings.NewReplacer("#", strconv.Itoa(i), `\n`, "\n").Replace(all[r.IntN(len(all))]))
		}
		pages = append(pages, b.String())
	}
	t.Logf("%d of %d pages are read alike", comparePages(t, pages), len(pages))
}

// TestPageCorpus compares on real pages, whole and with changes in the middle of them:
// fragments put in, parts taken out and parts moved. ROBOTS_CORPUS_ALL takes all pages.
func TestPageCorpus(t *testing.T) {
	sites, err := filepath.Glob(corpus.Path(t, "pages", "*.tar.gz"))
	if err != nil || len(sites) == 0 {
		t.Fatal("no pages in the corpus")
	}
	r := rand.New(rand.NewPCG(7, 8))
	all := fragments(t)
	var pages []string
	n := 0
	for _, site := range sites {
		for _, f := range corpus.Untar(t, site) {
			if !strings.Contains(f.Name, ".html") {
				continue
			}
			if n++; n%10 != 0 && !corpus.All() {
				continue
			}
			text := ascii(f.Data[:min(len(f.Data), 64<<10)])
			pages = append(pages, text)
			text = text[:min(len(text), 4<<10)]
			for range 5 {
				pages = append(pages, changed(r, text, all))
			}
		}
	}
	t.Logf("%d of %d pages are read alike", comparePages(t, pages), len(pages))
}

// ascii returns a page with a letter for each byte that is not ASCII, so that offsets
// are the same in all languages.
func ascii(data []byte) string {
	text := bytes.Clone(data)
	for i, c := range text {
		if c >= 0x80 || c == 0 || c == '\r' {
			text[i] = 'x'
		}
	}
	return string(text)
}

// changed returns a page with some changes.
func changed(r *rand.Rand, text string, fragments []string) string {
	for i := range 1 + r.IntN(12) {
		at := r.IntN(len(text) + 1)
		to := min(len(text), at+r.IntN(60))
		switch r.IntN(4) {
		case 0:
			text = text[:at] + text[to:]
		case 1:
			to2 := r.IntN(len(text) + 1)
			text = text[:to2] + text[at:to] + text[to2:]
		default:
			fragment := strings.NewReplacer("#", strconv.Itoa(i), `\n`, "\n").Replace(fragments[r.IntN(len(fragments))])
			text = text[:at] + fragment + text[at:]
		}
	}
	return text
}

// TestPageCases has one small page for each rule of foreign content, with what parse5
// finds there.
func TestPageCases(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "page", "testdata", "foreign.txt"))
	fatal.If(t, err)
	var pages []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "#") && line != "" {
			verdict, text, _ := strings.Cut(line, " ")
			if got := !strings.Contains(strings.Join(ours(t, text).flat(), "\n"),
				"noindex"); got != (verdict == "index") {
				t.Errorf("%s is read wrongly", line)
			}
			pages = append(pages, text)
		}
	}
	if n := comparePages(t, pages); n < 40 {
		t.Errorf("%d pages, want 40 at least", n)
	}
}
