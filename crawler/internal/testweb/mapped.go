package testweb

import (
	"fmt"
	"strings"
)

var mapped = Kind{
	Name: "mapped", Share: 2,
	Doc: "Sitemaps, some in gzip, with pages that nothing else leads to, some of which may be closed.",
	records: func(h *host) string {
		return "Sitemap: " + h.origin + "/sitemaps.xml\nSitemap: " + h.origin + "/no-sitemap.xml\n"
	},
	page: func(h *host, r *request) answer {
		listed := func(path string) link { return link{host: h, page: -1, path: path, element: bare, listed: true} }
		switch r.path {
		case "/":
			return answer{title: "Hardly any links", links: []link{h.to("/linked.html")}}
		case "/linked.html", "/private/listed.html":
			return answer{title: "A page"}
		case "/sitemaps.xml":
			return sitemap("sitemapindex", "sitemap", []link{listed("/sitemap-1.xml"), listed("/sitemap-2.xml.gz"),
				listed("/missing.xml")})
		case "/sitemap-1.xml":
			// this sitemap must not list another host
			other := link{host: h.web.calmHost(h, 1), element: bare, maybe: true}
			return sitemap("urlset", "url", []link{listed("/listed/1.html"), listed("/listed/2.html?a=1&b=2"),
				listed("/private/listed.html"), other})
		case "/sitemap-2.xml.gz":
			a := sitemap("urlset", "url", []link{listed("/listed/3.html"), listed("/linked.html")})
			a.media, a.body = "application/gzip", squeeze(a.body)
			return a
		}
		if strings.HasPrefix(r.path, "/listed/") && len(r.path) < 30 {
			return answer{title: "A page that is only listed"}
		}
		return notFound
	},
}

// sitemap returns a sitemap, or a sitemap index (sitemaps.org).
func sitemap(root, entry string, links []link) answer {
	b := fmt.Appendf(nil,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<%s xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
		root)
	for i, l := range links {
		b = fmt.Appendf(b, "<%s><loc>", entry)
		b = appendEscaped(b, l.url())
		b = fmt.Appendf(b, "</loc><lastmod>2026-0%d-01</lastmod></%s>\n", i%9+1, entry)
	}
	return answer{media: "application/xml", body: fmt.Appendf(b, "</%s>\n", root), links: links}
}
