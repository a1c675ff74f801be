package layers

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// matches is the plain reading of a rule.
func (r *Rule) matches(path string) bool {
	if !strings.HasPrefix(path, r.Stem) {
		return false
	}
	path = path[len(r.Stem):]
	for i, segment := range r.Segments {
		if r.Anchored && i == len(r.Segments)-1 {
			return strings.HasSuffix(path, segment)
		}
		_, rest, ok := strings.Cut(path, segment)
		if !ok {
			return false
		}
		path = rest
	}
	return !r.Anchored || path == ""
}

// allowed answers by layers, the slow way.
func allowed(layers []Layer, path string) bool {
	for _, l := range layers {
		for _, r := range l.Rules {
			if r.matches(path) {
				return l.Allow
			}
		}
	}
	return true
}

// compare holds the layers of a group against its matcher.
func compare(t *testing.T, g *robots.Group, urls []string) {
	t.Helper()
	layers := Of(g)
	for _, url := range urls {
		path := robots.RFC9309.Path(url)
		if path == "/robots.txt" {
			continue // no rule decides
		}
		if m := g.Match(url); m.Allowed != allowed(layers, path) {
			t.Errorf("%q: the layers answer %t, but it is %v", url, !m.Allowed, m)
		}
	}
}

// urlsOf returns URLs near the patterns of a group.
func urlsOf(g *robots.Group, most int) (urls []string) {
	for rule := range g.Rules() {
		if len(urls) >= most {
			break
		}
		url := strings.NewReplacer("*", "x", "$", "").Replace(rule.Pattern)
		urls = append(urls, url, url+"y", "/z"+url, strings.ToUpper(url), url[:len(url)*2/3])
	}
	return append(urls, "/", "/x", "")
}

func TestLayers(t *testing.T) {
	for _, text := range []string{
		"disallow: /",
		"disallow: /a\nallow: /a",
		"disallow: /a\nallow: /ab\ndisallow: /abc\nallow: /abcd",
		"allow: /$\ndisallow: /\nallow: /a*b\ndisallow: /a*bc$",
		"disallow: *\nallow: */a/\nallow: *.css$\ndisallow: x",
		"allow: /*.js\nallow: /core/*.js\ndisallow: /core/\ndisallow: /*?",
		"disallow: $\nallow: /\n",
		"disallow: /*a*b$\nallow: /*ab$\ndisallow: *$",
	} {
		g := robots.Parse([]byte("user-agent: *\n" + text)).For()
		compare(t, g, append(urlsOf(g, 100), "/ab", "/abc", "/abcd", "/abcde", "/core/x.js?y", "/axb", "/axbc", "/a/",
			"/x/a/", "/x.css", "/a/b/a/b"))
	}
}

// FuzzLayers compares the layers with the matcher.
func FuzzLayers(f *testing.F) {
	f.Add("disallow: /a\nallow: /ab*c", "/abc")
	f.Add("disallow: *\nallow: */a$", "/b/a")
	f.Fuzz(func(t *testing.T, text, url string) {
		g := robots.Parse([]byte("user-agent: *\n" + text)).For()
		compare(t, g, append(urlsOf(g, 20), "/"+url))
	})
}

func TestLayersOfCorpus(t *testing.T) {
	for _, f := range corpus.Every(20, corpus.Files(t, "protego-sites")) {
		for _, g := range robots.Parse(f.Data).Groups() {
			compare(t, g, urlsOf(g, 50))
		}
	}
}

// TestNeeded checks that rules that change no answer are dropped.
func TestNeeded(t *testing.T) {
	g := robots.Parse([]byte("user-agent: *\nallow: /a\ndisallow: /b\nallow: /b/c\nallow: /d")).For()
	layers := Of(g)
	if len(layers) != 2 || len(layers[0].Rules) != 1 || layers[0].Rules[0].Stem != "/b/c" {
		t.Errorf("the layers are %v", layers)
	}
}

// TestLinear layers large groups, which takes minutes if each rule is compared with each other.
func TestLinear(t *testing.T) {
	var nested, wide strings.Builder
	nested.WriteString("user-agent: *\n")
	wide.WriteString("user-agent: *\ndisallow: /\n")
	for i := range 2000 {
		verb := "allow: "
		if i%2 == 0 {
			verb = "disallow: "
		}
		nested.WriteString(verb + "/" + strings.Repeat("a", i) + "\n")
	}
	for i := range 50000 {
		wide.WriteString("allow: /p/" + strings.Repeat("b", i%7) + string(rune('a'+i%26)) + strings.Repeat("c", i%31) +
			"\n")
	}
	for text, want := range map[string]int{nested.String(): 2000, wide.String(): 2} {
		if got := len(Of(robots.Parse([]byte(text)).For())); got != want {
			t.Errorf("%d layers, want %d", got, want)
		}
	}
}
