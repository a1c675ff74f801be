package testweb

import (
	"bytes"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"
)

// A Site is a folder of files that is served as it is, at http://NAME:port/, as
// Apache httpd would: index.html for a folder, a redirect where the slash at its end
// is missing, types by the names of files.
//
// Files that list variants ("URI: page.html.de", with Content-Language and
// Content-type) stand for the English one, or else the first. A language before the
// path, as in /de/page.html, stands for the one in that language, if there is one;
// two of them lead to the second.
type Site struct {
	Name  string            // of the host, such as "jena.test"
	Files map[string][]byte // by path, without a slash at the beginning; not to be modified
}

var siteKind = Kind{
	Name: "site", Doc: "Files that are served as they are.",
	page: func(h *host, r *request) answer { return h.site.answer(h, r) },
}

// siteText is the robots.txt of a site that has one, and noText that of others.
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

// answer returns the file that a request asks for.
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

// fileAnswer returns a file. Its links are found only when nobody waits for it.
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

// isLanguage reports whether a folder is a language of [Site].
func isLanguage(s string) bool {
	switch s {
	case "da", "de", "en", "es", "fr", "ja", "ko", "pt-br", "ru", "tr", "zh-cn":
		return true
	}
	return false
}

// A variant is a line of a file that lists variants.
type variant struct{ file, language, media string }

// parseVariants returns the variants that a file lists, or nil if it is no such file.
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

// mediaType returns the type of a file by the parts of its name.
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

// findLinks puts the links of a page into its answer: those of a, area, frame and
// iframe elements and of META refresh. Where a link element leads, or what stands in
// noframes, a robot may go or not. It reads HTML by package html and not by
// internal/htmltoken, because a judge must not share the mistakes of the crawler.
func (s *Site) findLinks(a *answer, h *host, requested string) {
	base, err := url.Parse(h.origin + requested)
	if err != nil {
		return
	}
	z := html.NewTokenizer(bytes.NewReader(a.body))
	hidden := false // in noframes, which robots that read frames leave out
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
				z.NextIsNotRawText() // a robot has no scripts
			}
			attr := func(key string) string {
				for _, at := range t.Attr {
					if at.Key == key {
						return at.Val
					}
				}
				return ""
			}
			l := link{host: h, page: -1, maybe: hidden}
			ref := ""
			switch t.Data {
			case "base":
				if u, err := base.Parse(attr("href")); err == nil {
					base = u
				}
			case "a", "area":
				ref = attr("href")
			case "frame", "iframe":
				ref = attr("src")
			case "link":
				ref, l.maybe = attr("href"), true
			case "meta":
				if strings.EqualFold(attr("http-equiv"), "refresh") {
					_, ref, _ = strings.Cut(attr("content"), "=")
				} else if strings.EqualFold(attr("name"), "robots") {
					words := strings.ToLower(attr("content"))
					a.nofollow = a.nofollow || strings.Contains(words, "nofollow") || strings.Contains(words, "none")
				}
			}
			for word := range strings.FieldsSeq(strings.ToLower(attr("rel"))) {
				l.nofollow = l.nofollow || word == "nofollow" || word == "ugc" || word == "sponsored"
			}
			ref = strings.TrimSpace(strings.NewReplacer("\n", "", "\r", "", "\t", "").Replace(ref))
			u, err := base.Parse(strings.ReplaceAll(ref, " ", "%20"))
			if ref == "" || err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Scheme+"://"+u.Host != h.origin {
				continue
			}
			l.path = h.key(u.RequestURI())
			if l.path == "/" {
				l.page = 0
			}
			a.links = append(a.links, l)
		}
	}
}

// key returns the form in which paths of the host are compared: those of sites
// without percent-encoding that is not needed, as different robots write it in
// different ways. All others have to be as they were written.
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

// escapePath returns a path percent-encoded where it has to be.
func escapePath(p string) string { return (&url.URL{Path: p}).EscapedPath() }
