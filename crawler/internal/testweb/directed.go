package testweb

var directed = Kind{
	Name: "directed", Share: 3,
	Doc: "Pages that say that their links, or some of them, are not to be followed, in each way there is.",
	page: func(h *host, r *request) answer {
		token := h.web.options.Token
		meta := func(name, content string) string { return `<meta name="` + name + `" content="` + content + `">` }
		marked := func(path string) link { return link{host: h, page: -1, path: path, nofollow: true} }
		switch r.path {
		case "/":
			return answer{title: "Directives", links: []link{
				h.to("/meta.html"), h.to("/none.html"), h.to("/token.html"), h.to("/other.html"), h.to("/header.html"),
				h.to("/token-header.html"), h.to("/noindex.html"), h.to("/canonical.html"), h.to("/refresh.html"),
				marked("/only/rel.html"), marked("/both.html"), h.to("/both.html"),
			}}
		case "/meta.html":
			return answer{title: "nofollow", head: meta("ROBOTS", "NOFOLLOW"), nofollow: true,
				links: []link{h.to("/only/meta.html"), h.to("/both.html")}}
		case "/none.html":
			return answer{title: "none", head: meta("robots", "none"), nofollow: true,
				links: []link{h.to("/only/none.html")}}
		case "/token.html":
			return answer{title: "for the robot", head: meta(token, "nofollow"), nofollow: true,
				links: []link{h.to("/only/token.html")}}
		case "/other.html":
			return answer{title: "for another robot", head: meta("otherbot", "nofollow"),
				links: []link{h.to("/after/other.html")}}
		case "/header.html":
			return answer{title: "in a header", header: []string{"X-Robots-Tag: noindex, nofollow"}, nofollow: true,
				links: []link{h.to("/only/header.html")}}
		case "/token-header.html":
			return answer{title: "in a header for the robot", header: []string{"X-Robots-Tag: " + token + ": nofollow"},
				nofollow: true, links: []link{h.to("/only/token-header.html")}}
		case "/noindex.html":
			return answer{title: "noindex", head: meta("robots", "noindex"), links: []link{h.to("/after/noindex.html")}}
		case "/canonical.html":
			return answer{title: "a copy", head: `<link rel="canonical" href="/original.html">`,
				links: []link{{host: h, page: -1, path: "/original.html", element: bare, maybe: true}}}
		case "/refresh.html":
			return answer{title: "refresh", head: meta("robots", "nofollow"), nofollow: true,
				links: []link{{host: h, page: -1, path: "/only/refresh.html", element: refresh}}}
		case "/both.html", "/original.html", "/after/other.html", "/after/noindex.html",
			"/only/rel.html", "/only/meta.html", "/only/none.html", "/only/token.html", "/only/header.html",
			"/only/token-header.html", "/only/refresh.html":
			return answer{title: "A page"}
		}
		return notFound
	},
}
