package testweb

import "bytes"

var charsets = Kind{
	Name: "charsets", Share: 1,
	Doc: "Pages in other character encodings, with letters in paths, and one whose encoding nobody knows.",
	page: func(h *host, r *request) answer {
		const letters = "/%D1%81%D1%82%D1%80.html" // in UTF-8, whatever the encoding of the page
		html := func(s string) []byte {
			return []byte("<!DOCTYPE html>\n<title>стр</title>\n<a href=\"" + s + "\">стр</a>\n")
		}
		switch r.path {
		case "/":
			return answer{title: "Encodings", links: []link{h.to("/utf-8.html"), h.to("/1251.html"),
				h.to("/utf-16.html"), h.to("/unknown.html")}}
		case "/utf-8.html":
			return answer{body: html("/стр.html"), links: []link{h.to(letters)}}
		case "/1251.html":
			return answer{media: "text/html; charset=windows-1251", body: cyrillic(html("/стр.html")),
				links: []link{h.to(letters)}}
		case "/utf-16.html":
			return answer{media: "text/html", body: []byte(wideText(string(html("/after-utf-16.html")))),
				links: []link{h.to("/after-utf-16.html")}, vague: true}
		case "/unknown.html":
			return answer{media: "text/html; charset=nonsense", body: html("/page.html"),
				links: []link{h.to("/page.html")}}
		case letters, "/after-utf-16.html", "/page.html":
			return answer{title: "A page"}
		}
		return notFound
	},
}

// cyrillic returns a text in windows-1251. Only the letters from А to я are supported.
func cyrillic(text []byte) (b []byte) {
	for _, c := range string(text) {
		if 'А' <= c && c <= 'я' {
			c = c - 'А' + 0xc0
		}
		b = append(b, byte(c))
	}
	return b
}

var media = Kind{
	Name: "media", Share: 1,
	Doc: "Files that are not pages, pages that are said not to be, and one that does not say what it is.",
	page: func(h *host, r *request) answer {
		text := `<a href="/hidden.html">not a link here</a>`
		switch r.path {
		case "/":
			a := answer{title: "Files"}
			for _, path := range []string{"/paper.pdf", "/picture.png", "/text.txt", "/as-text.html", "/page.xhtml",
				"/untold", "/large.bin", "/feed.xml"} {
				a.links = append(a.links, h.to(path))
			}
			return a
		case "/paper.pdf":
			return answer{media: "application/pdf", body: []byte("%PDF-1.4\n" + text)}
		case "/picture.png":
			return answer{media: "image/png", body: []byte("\x89PNG\r\n\x1a\n" + text)}
		case "/text.txt", "/as-text.html":
			return answer{media: "text/plain", body: []byte(text), vague: true, links: []link{h.to("/hidden.html")}}
		case "/page.xhtml":
			return answer{media: "application/xhtml+xml",
				body:  []byte(`<html xmlns="http://www.w3.org/1999/xhtml"><body>` + text + `</body></html>`),
				vague: true, links: []link{h.to("/hidden.html")}}
		case "/untold":
			return answer{media: "-", body: []byte("<html><body>" + text + "</body></html>"), vague: true,
				links: []link{h.to("/hidden.html")}}
		case "/large.bin":
			return answer{media: "application/octet-stream", body: bytes.Repeat([]byte("0123456789abcdef"), 1<<16)}
		case "/feed.xml":
			return answer{media: "application/rss+xml", body: []byte("<rss><channel><item><link>" + h.origin +
				"/hidden.html</link></item></channel></rss>"), vague: true, links: []link{h.to("/hidden.html")}}
		case "/hidden.html":
			return answer{title: "A page"}
		}
		return notFound
	},
}
