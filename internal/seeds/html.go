package seeds

import (
	"bytes"
	"io"
	"iter"
	"net/url"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxToken is how many bytes a tag, or a text between tags, has at most for the
// tokenizer. Longer ones are taken in several pieces.
const maxToken = 1 << 20

// HTML returns the URLs that the links of a page lead to: those of a, area, frame and
// iframe. What a relative link leads to is only known if the page has a base.
func HTML(r io.Reader) iter.Seq2[Found, error] {
	return collect(func(c *collector) error { return c.html(decodedHTML(r)) })
}

// html finds the links of a page.
func (c *collector) html(r io.Reader) error {
	var base *url.URL
	for !c.stopped {
		z := html.NewTokenizer(r)
		z.SetMaxBuf(maxToken)
		for !c.stopped {
			t := z.Next()
			if t == html.ErrorToken {
				break
			}
			begun := c.at.Line
			if c.counts {
				c.at.Line += bytes.Count(z.Raw(), []byte{'\n'})
			}
			if t != html.StartTagToken && t != html.SelfClosingTagToken {
				continue
			}
			name, more := z.TagName()
			tag := atom.Lookup(name)
			wanted, ok := linkOf[tag]
			for ok && more {
				var key, value []byte
				if key, value, more = z.TagAttr(); string(key) != wanted {
					continue
				}
				if tag == atom.Base {
					if u, err := url.Parse(string(trimLink(value))); err == nil && base == nil && u.IsAbs() {
						base = u
					}
				} else {
					end := c.at.Line
					c.at.Line = begun
					c.link(base, trimLink(value))
					c.at.Line = end
				}
				break
			}
		}
		switch err := z.Err(); {
		case c.stopped, err == io.EOF:
			return nil
		case err != html.ErrBufferExceeded:
			return err
		}
		// The tokenizer has stopped in something long. What comes after it is taken
		// for text, until the next tag begins.
		if c.counts {
			c.at.Line += bytes.Count(z.Raw(), []byte{'\n'})
		}
		r = io.MultiReader(bytes.NewReader(bytes.Clone(z.Buffered())), r)
	}
	return nil
}

// linkOf are the attributes with the links of elements.
var linkOf = map[atom.Atom]string{
	atom.A: "href", atom.Area: "href", atom.Base: "href", atom.Frame: "src", atom.Iframe: "src",
}

// trimLink cuts off white space, as HTML does.
func trimLink(value []byte) []byte { return bytes.Trim(value, " \t\n\f\r") }

// link takes a link of a page.
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

// authorityEnd returns where the authority ends that a text begins with.
func authorityEnd(text []byte) int {
	if i := bytes.IndexAny(text, `/?#\`); i >= 0 {
		return i
	}
	return len(text)
}
