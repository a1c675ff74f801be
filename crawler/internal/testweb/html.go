package testweb

import (
	"strconv"
	"unicode/utf8"
)

// words are the 256 words in the text of pages.
var words = func() (list [256]string) {
	onsets := []string{"b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "st", "br", "gl"}
	ends := []string{"an", "el", "in", "or", "us", "ato", "eri", "ilo", "oma", "una", "ent", "ist", "ar", "em", "ok",
		"ul"}
	for i := range list {
		list[i] = onsets[i%16] + ends[i/16]
	}
	return list
}()

// appendBody appends the body of an answer.
func (x *exchange) appendBody(b []byte, h *host, r *request, a *answer) []byte {
	switch {
	case a.tree && a.pack == nil && a.head == "":
		page, _ := h.pageOf(r.path)
		return h.appendTreePage(b, page)
	case a.body == nil:
		page := appendPage(nil, h, r.path, a)
		if a.pack != nil {
			page = a.pack(page)
		}
		return append(b, page...)
	}
	return append(b, a.body...)
}

// appendTreePage appends a page of the tree in one pass.
func (h *host) appendTreePage(b []byte, page int32) []byte {
	start := len(b)
	b = append(b, "<!DOCTYPE html>\n<html><head><title>Page "...)
	b = strconv.AppendInt(b, int64(page), 10)
	b = append(b, " of "...)
	b = append(b, h.name...)
	b = append(b, "</title></head>\n<body>\n"...)
	s := source(mix(h.pick, uint64(page), 3))
	h.eachLink(page, func(to *host, target int32) {
		b = append(b, `<p><a href="`...)
		if to != h {
			b = append(b, to.origin...)
		}
		b = to.appendPath(b, target)
		b = append(b, `">`...)
		b = s.appendWords(b, 2)
		b = append(b, "</a>\n"...)
	})
	return h.web.appendText(b, start, &s)
}

// appendText ends a page that began at start with text up to the size of pages.
func (w *world) appendText(b []byte, start int, s *source) []byte {
	b = append(b, "<p>"...)
	b = s.appendWords(b, 20)
	for len(b)-start < w.options.Size {
		b = append(b, '\n')
		b = s.appendWords(b, 16)
	}
	return append(b, "\n</body></html>\n"...)
}

// appendWords appends n words.
func (s *source) appendWords(b []byte, n int) []byte {
	for n > 0 {
		for bits, i := s.next(), 0; i < 8 && n > 0; i, n, bits = i+1, n-1, bits>>8 {
			b = append(b, words[bits&255]...)
			b = append(b, ' ')
		}
	}
	return b
}

// appendPage appends a page with links, or a page of the tree.
func appendPage(b []byte, h *host, path string, a *answer) []byte {
	start := len(b)
	b = append(b, "<!DOCTYPE html>\n<html><head><title>"...)
	b = appendEscaped(b, a.title)
	if h != nil {
		b = append(b, " at "...)
		b = append(b, h.name...)
	}
	b = append(b, "</title>"...)
	b = append(b, a.head...)
	for _, l := range a.links {
		if l.element == refresh {
			b = append(b, `<meta http-equiv="refresh" content="0; url=`...)
			b = appendEscaped(b, l.url())
			b = append(b, `">`...)
		}
	}
	b = append(b, "</head>\n<body>\n"...)
	var s source
	if h != nil {
		s = source(mix(h.pick, uint64(len(path)), hashOf(path)))
		if page, ok := h.pageOf(path); a.tree && ok {
			a.links = append(a.links, h.treeLinks(page)...)
		}
	}
	for _, l := range a.links {
		ref := l.path
		if l.host != nil {
			if ref = l.target(); l.host != h {
				ref = l.url()
			}
		}
		switch l.element {
		case anchor:
			b = append(b, `<p><a href="`...)
			b = appendEscaped(b, ref)
			if l.nofollow {
				b = append(b, `" rel="nofollow`...)
			}
			b = append(b, `">`...)
			b = s.appendWords(b, 2)
			b = append(b, "</a>\n"...)
		case frame:
			b = append(b, `<iframe src="`...)
			b = appendEscaped(b, ref)
			b = append(b, "\"></iframe>\n"...)
		case form:
			b = append(b, `<form method="post" action="`...)
			b = appendEscaped(b, ref)
			b = append(b, "\"><button>do it</button></form>\n"...)
		}
	}
	if h == nil {
		return append(b, "</body></html>\n"...)
	}
	return h.web.appendText(b, start, &s)
}

// treeLinks returns the links of a page of the tree as a list.
func (h *host) treeLinks(page int32) (links []link) {
	h.eachLink(page, func(to *host, target int32) {
		links = append(links, link{host: to, page: target})
	})
	return links
}

// hashOf returns FNV-1a of a text.
func hashOf(s string) uint64 {
	x := uint64(14695981039346656037)
	for _, c := range []byte(s) {
		x = (x ^ uint64(c)) * 1099511628211
	}
	return x
}

// appendEscaped appends a text as HTML. Invalid UTF-8 stays unchanged.
func appendEscaped(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		_, size := utf8.DecodeRuneInString(s[i:])
		switch s[i] {
		case '&':
			b = append(b, "&amp;"...)
		case '<':
			b = append(b, "&lt;"...)
		case '>':
			b = append(b, "&gt;"...)
		case '"':
			b = append(b, "&#34;"...)
		default:
			b = append(b, s[i:i+size]...)
		}
		i += size
	}
	return b
}
