package seeds

import (
	"bytes"
	"io"
	"iter"
	"net/url"

	"github.com/robotsexclusion/robots/internal/html/htmltoken"
	"github.com/robotsexclusion/robots/internal/html/htmltree"
)

// maxToken limits the bytes of a tag, or of one piece of text. In a longer tag the last
// attributes count.
const maxToken = 1 << 20

// HTML returns the targets of the links of a page: of a, area, frame and iframe
// elements. A relative link counts only if the page has a base.
func HTML(r io.Reader) iter.Seq2[string, error] {
	return collect(func(c *collector) error { return c.html(decodedHTML(r)) })
}

// html finds the links of a page.
func (c *collector) html(r io.Reader) error {
	if c.tokens == nil {
		c.tokens = make([]byte, 0, 16<<10)
	}
	z := htmltoken.NewReader(r, c.tokens, maxToken)
	z.SkipTexts()
	var tree htmltree.Tree
	var base *url.URL
	for !c.stopped {
		kind := z.Next()
		if kind == htmltoken.None {
			break
		}
		if z.Skipped() {
			tree.Text()
		}
		switch kind {
		case htmltoken.StartTag:
			if tree.Start(z.Raw(), z.Name(), z.SelfCloses()) != htmltree.HTML {
				z.NextIsMarkup()
			}
			base = c.tag(&z, base)
		case htmltoken.EndTag:
			tree.End(z.Name())
		}
		z.AllowCDATA(tree.TakesCDATA())
	}
	c.tokens = z.Buffer()
	return z.Err()
}

// tag finds the link of a start tag. It returns the base of the page after the tag.
func (c *collector) tag(z *htmltoken.Tokenizer, base *url.URL) *url.URL {
	wanted := linkOf(z.Name())
	if wanted == "" {
		return base
	}
	for r := htmltoken.AttributesOf(z.Raw()); ; {
		name, value, ok := r.Next()
		if !ok {
			return base
		}
		if !htmltoken.EqualFold(name, wanted) {
			continue
		}
		value, _ = htmltoken.Value(value, nil)
		link := trimLink(value)
		if !htmltoken.EqualFold(z.Name(), "base") {
			c.link(base, link)
		} else if u, err := url.Parse(string(link)); err == nil && base == nil && u.IsAbs() {
			base = u
		}
		return base
	}
}

// linkOf returns the attribute with the link of an element, or "".
func linkOf(element []byte) string {
	for _, e := range linking {
		if htmltoken.EqualFold(element, e.name) {
			return e.attribute
		}
	}
	return ""
}

var linking = [...]struct{ name, attribute string }{
	{"a", "href"}, {"area", "href"}, {"base", "href"}, {"frame", "src"}, {"iframe", "src"},
}

// trimLink trims white space as HTML does.
func trimLink(value []byte) []byte { return bytes.Trim(value, " \t\n\f\r") }

// link handles a link of a page.
func (c *collector) link(base *url.URL, link []byte) {
	if n := hasScheme(string(link[:min(len(link), len(scheme))])); n > 0 {
		if hostEnd(link[n+bytes.LastIndexByte(link[n:n+authorityEnd(link[n:])], '@')+1:]) > 0 {
			c.found(link)
		}
		return
	}
	if base == nil || len(link) == 0 || link[0] == '#' || len(link) > maxURL {
		return
	}
	if u, err := base.Parse(string(link)); err == nil && hasScheme(u.String()) > 0 && u.Host != "" {
		c.found([]byte(u.String()))
	}
}

// authorityEnd returns the end of the authority at the start of a text.
func authorityEnd(text []byte) int {
	if i := bytes.IndexAny(text, `/?#\`); i >= 0 {
		return i
	}
	return len(text)
}
