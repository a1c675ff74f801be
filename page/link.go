package page

import (
	"iter"
	"net/url"
	"strings"
	"unsafe"

	"github.com/robotsexclusion/robots/internal/html/htmltoken"
	"github.com/robotsexclusion/robots/internal/url/urlquery"
)

// A Link is a link of the page to another document.
type Link struct {
	// absolute where it could be resolved, with its query in the encoding of the page; as written
	// if it is not a URL
	URL string `json:"url"`
	// a, area, link, frame, iframe, or meta for one that refreshes, also by a Refresh header
	Element string   `json:"element"`
	Rel     []string `json:"rel,omitempty"` // the words of the rel attribute, in lower case
	Source  Source   `json:"source"`
}

// A LinkDecision is whether a robot may follow a link. It is immutable.
type LinkDecision struct {
	Follow bool
	By     []Directive // that decide: of the page, or rel=nofollow, rel=ugc, rel=sponsored; none where nothing is said
}

// Link returns whether the robot may follow a link of the page. It may not if the page says
// nofollow or none, or if the link is marked as nofollow, ugc or sponsored.
func (d *Decision) Link(l Link) LinkDecision {
	if !d.Follow {
		return LinkDecision{By: d.why(following)}
	}
	var by []Directive
	for _, word := range l.Rel {
		switch word {
		case "nofollow", "ugc", "sponsored":
			by = append(by, Directive{Name: word, Source: l.Source})
		}
	}
	if by != nil {
		return LinkDecision{By: by}
	}
	return LinkDecision{Follow: true, By: d.why(following)}
}

// link adds a link. Its address is resolved when the whole page is known.
func (b *builder) link(k *keptTags, element string, href, rel []byte, source Source) {
	if b.options.MaxLinks <= 0 {
		return
	}
	for _, c := range href {
		if isBlank(rune(c)) {
			href = []byte(trimURL(string(href)))
			break
		}
	}
	if len(href) == 0 {
		return
	}
	words := b.relWords(rel)
	if len(b.doc.Links) >= b.options.MaxLinks || b.wordBytes > maxLinkBytes {
		b.doc.Cut |= CutLinks
		return
	}
	if b.doc.Links == nil {
		b.doc.Links = make([]Link, 0, min(k.candidates, b.options.MaxLinks))
	}
	if source.Place != atRefresh {
		source.Place = atRel
	}
	b.doc.Links = append(b.doc.Links, Link{Element: element, Rel: words, Source: source})
	k.addresses = append(k.addresses, href...)
	k.ends = append(k.ends, len(k.addresses))
}

// refreshes adds the links of Refresh headers, which browsers follow as they do META tags
// that refresh.
func (b *builder) refreshes(k *keptTags) {
	for i, value := range b.options.Header.Values("Refresh") {
		if target := refreshTarget(value); target != "" {
			b.link(k, "meta", []byte(target), nil, Source{Place: atRefresh, Number: i + 1})
		}
	}
}

// relWords returns the words of a rel attribute. Links that follow one another often
// have the same.
func (b *builder) relWords(rel []byte) []string {
	if b.words == nil || string(rel) != b.rel {
		b.rel = string(rel)
		b.words = strings.Fields(htmltoken.Lower(b.rel))
		b.wordBytes += len(b.rel) + len(b.words)*int(unsafe.Sizeof(""))
	}
	return b.words
}

// resolveLinks resolves the addresses of the page against the base element,
// wherever that is, or the page's own address.
func (b *builder) resolveLinks(k *keptTags) {
	base := b.options.URL
	if b.base != nil {
		base = b.base
		encodeQuery(base, nil, b.doc.Charset.Name)
	}
	if base != nil {
		b.doc.Base = base.String()
	}
	addresses, start := string(k.addresses), 0
	left := maxLinkBytes
	for i := range b.doc.Links {
		l := &b.doc.Links[i]
		address := addresses[start:k.ends[i]]
		start = k.ends[i]
		if !b.options.AsWritten {
			address = resolve(base, address, b.doc.Charset.Name)
			left -= len(address) // a long base makes a long address of each short one
		}
		if left < 0 {
			b.doc.Links = b.doc.Links[:i:i]
			b.doc.Cut |= CutLinks
			break
		}
		l.URL = address
	}
	left = maxCanonicalBytes
	for i := range b.doc.Canonicals {
		r := &b.doc.Canonicals[i]
		if r.Source.Place == atRel {
			r.URL = resolve(base, r.URL, b.doc.Charset.Name)
		}
		if left -= len(r.URL); left < 0 {
			b.doc.Canonicals = b.doc.Canonicals[:i:i]
			b.doc.Cut |= CutList
			break
		}
	}
}

// Limits for addresses that are resolved, those of links and the canonical ones. Rel words
// have the limit of links once more.
const (
	maxLinkBytes      = 4 << 20
	maxCanonicalBytes = 1 << 20
)

// baseURL returns the address that a base element gives, or nil.
func baseURL(page *url.URL, href string) *url.URL {
	u, err := url.Parse(trimURL(href))
	if err != nil {
		return nil
	}
	if page != nil {
		u = page.ResolveReference(u)
	}
	return u
}

// resolve returns the address that ref means on a page in an encoding. It returns a text that is
// not a URL unchanged.
func resolve(base *url.URL, ref, charset string) string {
	ref = trimURL(ref)
	u, err := url.Parse(ref)
	if err != nil {
		return ref
	}
	encodeQuery(u, base, charset)
	if base != nil {
		u = base.ResolveReference(u)
	}
	return u.String()
}

// encodeQuery encodes the query of an address on a page as browsers do, if the address leads
// to where one may fetch something.
func encodeQuery(u, base *url.URL, charset string) {
	scheme := u.Scheme
	if scheme == "" && base != nil {
		scheme = base.Scheme
	}
	switch scheme {
	case "http", "https", "ftp", "file", "":
		u.RawQuery = urlquery.Encode(u.RawQuery, charset)
	}
}

// trimURL returns an address as browsers read it: without white space and
// control characters around it, and without tabs and line ends in it.
func trimURL(s string) string {
	s = strings.TrimFunc(s, isBlank)
	if strings.ContainsAny(s, "\t\n\r") {
		s = noLineEnds.Replace(s)
	}
	return s
}

// noLineEnds drops tabs and line ends.
var noLineEnds = strings.NewReplacer("\t", "", "\n", "", "\r", "")

func isBlank(c rune) bool { return c <= ' ' }

// refreshTarget returns the address of a refresh such as "0; url=/new" (HTML,
// section 4.2.5.3), or nothing if it is the page's own.
func refreshTarget(content string) string {
	s := strings.TrimLeft(content, " \t\n\f\r")
	s = strings.TrimLeft(s, "0123456789.")
	s = strings.TrimLeft(s, " \t\n\f\r;,")
	if len(s) >= len("url") && htmltoken.EqualFold(s[:len("url")], "url") {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(s[len("url"):], " \t\n\f\r"), "="); ok {
			s = strings.TrimLeft(rest, " \t\n\f\r")
		}
	}
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		s, _, _ = strings.Cut(s[1:], s[:1])
	}
	return trimURL(s)
}

// A linkValue is one link of a Link header.
type linkValue struct {
	target    string
	canonical bool // rel=canonical, of the page itself
}

// linkValues parses a Link header (RFC 8288, section 3). It skips a malformed part up to the next
// comma.
func linkValues(s string) iter.Seq[linkValue] {
	return func(yield func(linkValue) bool) {
		for s != "" {
			s = strings.TrimLeft(s, " \t,")
			if !strings.HasPrefix(s, "<") {
				_, s, _ = strings.Cut(s, ",")
				continue
			}
			target, rest, ok := strings.Cut(s[1:], ">")
			if !ok {
				return
			}
			l := linkValue{target: target}
			related, anchored := false, false
			for s = rest; ; {
				s = strings.TrimLeft(s, " \t")
				if !strings.HasPrefix(s, ";") {
					break
				}
				var name, value string
				name, value, s = linkParam(s[1:])
				switch {
				case htmltoken.EqualFold(name, "rel") && !related: // the first one counts
					related, l.canonical = true, hasWord(value, "canonical")
				case htmltoken.EqualFold(name, "anchor"):
					anchored = true // it is about another page
				}
			}
			l.canonical = l.canonical && !anchored
			if _, s, ok = strings.Cut(s, ","); !ok {
				s = ""
			}
			if !yield(l) {
				return
			}
		}
	}
}

// linkParam cuts a parameter off a Link header: a name, and a value that may
// be quoted.
func linkParam(s string) (name, value, rest string) {
	end := strings.IndexAny(s, "=;,")
	if end < 0 {
		return strings.TrimSpace(s), "", ""
	}
	name = strings.TrimSpace(s[:end])
	if s[end] != '=' {
		return name, "", s[end:]
	}
	s = strings.TrimLeft(s[end+1:], " \t")
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexAny(s, ";,")
		if end < 0 {
			end = len(s)
		}
		return name, strings.TrimSpace(s[:end]), s[end:]
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if i++; i < len(s) {
				b.WriteByte(s[i])
			}
		case '"':
			return name, b.String(), s[i+1:]
		default:
			b.WriteByte(s[i])
		}
	}
	return name, b.String(), ""
}
