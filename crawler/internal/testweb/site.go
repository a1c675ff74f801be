package testweb

import (
	"bytes"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"
)

// A Site is a folder of files, served unchanged at http://NAME:port/ as Apache httpd
// does: index.html for a folder, a redirect if the slash at its end is missing, and
// types by file names.
//
// For a file that lists variants ("URI: page.html.de", with Content-Language and
// Content-type) the English variant is served, or else the first. A language before the
// path, as in /de/page.html, selects the variant in that language, if there is one; two
// languages redirect to the second.
type Site struct {
	Name  string            // of the host, such as "jena.test"
	Files map[string][]byte // by path, without a leading slash; not modified
}

var siteKind = Kind{
	Name: "site", Doc: "Files that are served as they are.",
	page: func(h *host, r *request) answer { return h.site.answer(h, r) },
}

// siteText is the robots.txt of a site with such a file, and noText that of other
// sites.
var (
	siteText = Text{Name: "site", Doc: "The file robots.txt of the site.", file: constant("")}
	noText   = Text{Name: "none", says: open, answer: status(404)}
)

// addSite adds the host of a site.
func (w *world) addSite(s *Site) {
	n := len(w.hosts)
	h := host{
		number: int32(n), kind: &siteKind, text: &noText, name: s.Name, site: s,
		addr: w.addresses[n%len(w.addresses)], pick: hashOf(s.Name),
	}
	if s.Files["robots.txt"] != nil {
		h.text = &siteText
	}
	w.byName[s.Name] = h.number
	w.hosts = append(w.hosts, h)
}

// answer returns the requested file.
func (s *Site) answer(h *host, r *request) answer {
	requested, _, _ := strings.Cut(r.path, "?")
	name, err := url.PathUnescape(requested[1:])
	if err != nil {
		return answer{status: 400, title: "Not a path"}
	}
	file := name
	if name == "" || strings.HasSuffix(name, "/") {
		file += "index.html"
	}
	data, ok := s.Files[file]
	if !ok {
		if s.Files[name+"/index.html"] != nil {
			return redirect(301, h.to("/"+escapePath(name)+"/"))
		}
		lang, rest, _ := strings.Cut(file, "/")
		variants := parseVariants(s.Files[rest])
		if other, _, ok := strings.Cut(rest, "/"); ok && isLanguage(lang) && isLanguage(other) {
			return redirect(301, h.to("/"+escapePath(strings.TrimPrefix(name, lang+"/"))))
		}
		for _, v := range variants {
			if v.language == lang {
				return s.fileAnswer(h, r, path.Join(path.Dir(rest), v.file), v.media)
			}
		}
		return notFound
	}
	if variants := parseVariants(data); variants != nil {
		best := variants[0]
		for _, v := range variants {
			if v.language == "en" {
				best = v
			}
		}
		return s.fileAnswer(h, r, path.Join(path.Dir(file), best.file), best.media)
	}
	return s.fileAnswer(h, r, file, mediaType(file))
}

// fileAnswer returns a file. It finds the links only for requests without a client.
func (s *Site) fileAnswer(h *host, r *request, file, media string) answer {
	data, ok := s.Files[file]
	if !ok {
		return notFound
	}
	a := answer{media: media, body: data}
	if r.settled && strings.HasPrefix(media, "text/html") {
		s.findLinks(&a, h, r.path)
	}
	return a
}

// isLanguage reports whether a folder is a language of a [Site].
func isLanguage(s string) bool {
	switch s {
	case "da", "de", "en", "es", "fr", "ja", "ko", "pt-br", "ru", "tr", "zh-cn":
		return true
	}
	return false
}

// A variant is a line of a file that lists variants.
type variant struct{ file, language, media string }

// parseVariants returns the variants that a file lists, or nil if the file is not such
// a list.
func parseVariants(data []byte) (list []variant) {
	if !bytes.HasPrefix(data, []byte("# GENERATED FROM XML")) && !bytes.HasPrefix(data, []byte("URI:")) {
		return nil
	}
	for line := range strings.Lines(string(data)) {
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch {
		case field == "URI":
			list = append(list, variant{file: value})
		case list == nil:
		case field == "Content-Language":
			list[len(list)-1].language = value
		case strings.EqualFold(field, "Content-Type"):
			list[len(list)-1].media = value
		}
	}
	return list
}

// mediaType returns the type of a file by its extensions.
func mediaType(file string) string {
	media, charset := "application/octet-stream", ""
	for part := range strings.SplitSeq(path.Base(file), ".") {
		switch part {
		case "html":
			media = "text/html"
		case "xml":
			media = "application/xml"
		case "rdf":
			media = "application/rdf+xml"
		case "ttl":
			media = "text/turtle"
		case "txt":
			media = "text/plain"
		case "utf8":
			charset = "; charset=UTF-8"
		case "euc-kr":
			charset = "; charset=EUC-KR"
		}
	}
	return media + charset
}

// findLinks adds the links of a page to its answer: those of a, area, frame and iframe
// elements and of META refresh. Links of link elements and in noframes are optional for
// a robot. It reads HTML with package html and not with internal/html/htmltoken, because a
// judge must not share the mistakes of the crawler.
func (s *Site) findLinks(a *answer, h *host, requested string) {
	base, err := url.Parse(h.origin + requested)
	if err != nil {
		return
	}
	z := html.NewTokenizer(bytes.NewReader(a.body))
	hidden := false // in noframes, which robots that read frames ignore
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "noframes" {
				hidden = false
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			switch t.Data {
			case "noframes":
				hidden = true
				z.NextIsNotRawText()
			case "noscript":
				z.NextIsNotRawText() // a robot does not run scripts
			}
			if t.Data == "base" {
				if u, err := base.Parse(attribute(t, "href")); err == nil {
					base = u
				}
			} else {
				a.addLink(h, base, t, hidden)
			}
		}
	}
}

// addLink adds the link of an element, if it has one on the same host. A META tag may forbid to
// follow all links.
func (a *answer) addLink(h *host, base *url.URL, t html.Token, hidden bool) {
	l := link{host: h, page: -1, maybe: hidden}
	ref := ""
	switch t.Data {
	case "a", "area":
		ref = attribute(t, "href")
	case "frame", "iframe":
		ref = attribute(t, "src")
	case "link":
		ref, l.maybe = attribute(t, "href"), true
	case "meta":
		if strings.EqualFold(attribute(t, "http-equiv"), "refresh") {
			_, ref, _ = strings.Cut(attribute(t, "content"), "=")
		} else if strings.EqualFold(attribute(t, "name"), "robots") {
			words := strings.ToLower(attribute(t, "content"))
			a.nofollow = a.nofollow || strings.Contains(words, "nofollow") || strings.Contains(words, "none")
		}
	}
	for word := range strings.FieldsSeq(strings.ToLower(attribute(t, "rel"))) {
		l.nofollow = l.nofollow || word == "nofollow" || word == "ugc" || word == "sponsored"
	}
	ref = strings.TrimSpace(strings.NewReplacer("\n", "", "\r", "", "\t", "").Replace(ref))
	u, err := base.Parse(strings.ReplaceAll(ref, " ", "%20"))
	if ref == "" || err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Scheme+"://"+u.Host != h.origin {
		return
	}
	l.path = h.key(u.RequestURI())
	if l.path == "/" {
		l.page = 0
	}
	a.links = append(a.links, l)
}

// attribute returns the value of an attribute, or "".
func attribute(t html.Token, key string) string {
	for _, at := range t.Attr {
		if at.Key == key {
			return at.Val
		}
	}
	return ""
}

// key returns the form of paths in which they are compared: for sites without needless
// percent-encoding, because robots write it differently. On other hosts the path must
// be as written.
func (h *host) key(target string) string {
	if h.site == nil {
		return target
	}
	p, query, ok := strings.Cut(target, "?")
	if plain, err := url.PathUnescape(p); err == nil {
		p = escapePath(plain)
	}
	if ok {
		p += "?" + query
	}
	return p
}

// escapePath returns a path with the necessary percent-encoding.
func escapePath(p string) string { return (&url.URL{Path: p}).EscapedPath() }
