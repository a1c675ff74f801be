package testweb

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Mazes returns the kinds of hosts that a web has only on request: hosts with endless
// pages in some way that URLs alone do not reveal, which a crawler recognises after
// hundreds of requests; and honest hosts that look like them, whose pages are all
// wanted.
func Mazes() []Kind {
	return []Kind{
		maze("maze-tokens", "The same page under any token.", "/sess/", "/sess/d?token=", mazeTokens),
		maze("maze-numbers", "A number in the path, and links to some before and after it.", "/cal/", "/cal/5000",
			mazeNumbers),
		maze("maze-parameter", "A number in a parameter, and links to some before and after it.", "/calq?",
			"/calq?m=5000", mazeParameter),
		maze("maze-names", "A deep tree of folders with any names, all of which have the same page.", "/tree/",
			"/tree/oak/", mazeNames),
		maze("maze-mirrors", "Folders with any names, each of which has all pages of the folder above it.", "/mirror/",
			"/mirror/", mazeMirrors),
		maze("maze-orders", "Properties as folders, in any order.", "/by/", "/by/", mazeOrders),
		maze("maze-filters", "A list that is filtered and sorted by parameters with any values.", "/filter?",
			"/filter?colour=a&size=b&sort=c", mazeFilters),
		maze("maze-soft-404", "A page with a few random words of text for whatever is asked for.", "/lost/",
			"/lost/and-found", mazeSoft404),
		maze("maze-clock", "A page with the time, a counter and one of some advertisements for whatever is asked for.",
			"/clock/", "/clock/now", mazeClock),
		maze("maze-session-path", "Five pages, with a session in the path that is new each time.", "/s/",
			"/s/a1b2c3d4e5/1.html", mazeSession),
		maze("maze-facets", "Facets as folders with any values, and some of the same products on each page.", "/shop/",
			"/shop/all/", mazeFacets),
		maze("maze-redirects", "Redirects from one new URL to the next, and pages between them.", "/go/", "/go/x",
			mazeRedirects),
		maze("maze-feed", "The pages of a feed, of which there is always an older one with the same entries.", "/feed/",
			"/feed/page/1", mazeFeed),
		maze("maze-encoded", "The same page, with its path encoded in any way.", "/%", "/%63atalogue.html",
			mazeEncoded),
		maze("maze-unicode", "The same page, with characters in its path that nobody sees.", "/caf%C3%A9", "/caf%C3%A9",
			mazeUnicode),
		maze("maze-semicolons", "The same page, with parameters in its path.", "/p;", "/p;v=1", mazeSemicolons),
		maze("maze-letters", "Names of random letters, at the top.", "/to-", "/to-qwertz", mazeLetters),
		mazeSitemaps,
		catalogue,
		forum,
		diary,
		gallery,
		chapters,
	}
}

// maze returns a kind of host with four wanted pages and a trap below a prefix.
func maze(name, doc, prefix, entry string, trap func(h *host, path string) answer) Kind {
	return Kind{
		Name: name, Doc: doc,
		page: func(h *host, r *request) answer {
			if r.path == "/" {
				return answer{title: "Home", links: []link{h.to("/about.html"), h.to("/news.html"),
					h.to("/contact.html"), h.to(entry)}}
			}
			if slices.Contains([]string{"/about.html", "/news.html", "/contact.html"}, r.path) {
				return answer{title: "A page", links: []link{h.to("/"), h.to(entry)}}
			}
			if strings.HasPrefix(r.path, prefix) && len(r.path) < maxHead/4 {
				return trap(h, r.path)
			}
			return notFound
		},
		part: below(prefix),
	}
}

// plain returns a page of a text and links, and nothing else.
func (h *host) plain(title, text string, paths ...string) answer {
	b := []byte("<!DOCTYPE html>\n<title>")
	b = appendEscaped(b, title)
	b = append(b, "</title>\n<p>"...)
	b = appendEscaped(b, text)
	a := answer{}
	for _, path := range paths {
		b = append(b, "</p>\n<p><a href=\""...)
		b = appendEscaped(b, path)
		b = append(b, "\">on</a>"...)
		a.links = append(a.links, h.to(path))
	}
	a.body = append(b, "</p>\n"...)
	return a
}

// prose returns n words, which are those of the host for equal numbers.
func (h *host) prose(n int, numbers ...uint64) string {
	s := source(mix(h.pick, numbers...))
	return string(s.appendWords(nil, n))
}

// letters returns a name of eight letters that looks random.
func (h *host) letters(numbers ...uint64) string {
	x := mix(h.pick, numbers...)
	var name [8]byte
	for i := range name {
		name[i] = 'a' + byte(x>>(8*i)&0xff)%26
	}
	return string(name[:])
}

// digitsOf returns the number at the end of a path.
func digitsOf(path string) int {
	n, _ := strconv.Atoi(path[strings.LastIndexAny(path, "/=")+1:])
	return n
}

func mazeTokens(h *host, path string) answer {
	return h.plain("Session", "Welcome back.", fmt.Sprintf("/sess/d?token=%016x", mix(h.pick, hashOf(path))))
}

func mazeNumbers(h *host, path string) answer {
	n := digitsOf(path)
	return h.plain("Day", fmt.Sprintf("Day %d.", n), fmt.Sprintf("/cal/%d", n+1), fmt.Sprintf("/cal/%d", n-1),
		fmt.Sprintf("/cal/%d", n+30), fmt.Sprintf("/cal/%d", n-30))
}

func mazeParameter(h *host, path string) answer {
	n := digitsOf(path)
	return h.plain("Month", fmt.Sprintf("Month %d.", n), fmt.Sprintf("/calq?m=%d", n+1), fmt.Sprintf("/calq?m=%d", n-1),
		fmt.Sprintf("/calq?m=%d", n+12))
}

func mazeNames(h *host, path string) answer {
	var paths []string
	for i := range 3 {
		paths = append(paths, path+h.letters(hashOf(path), uint64(i))[:3+i]+"/")
	}
	return h.plain("A folder", h.prose(60), paths...)
}

func mazeMirrors(h *host, path string) answer {
	folder := path[:strings.LastIndexByte(path, '/')+1]
	name := path[len(folder):]
	paths := []string{folder + "about.html", folder + "news.html", folder + "contact.html"}
	for i := range 2 {
		paths = append(paths, folder+h.letters(hashOf(folder), uint64(i))+"/")
	}
	return h.plain("A mirror", h.prose(80, hashOf(name)), paths...)
}

func mazeOrders(h *host, path string) answer {
	var paths []string
	for _, property := range []string{"red", "large", "cotton", "new", "striped", "short", "cheap", "warm",
		"washable"} {
		if !strings.Contains(path, "/"+property+"/") {
			paths = append(paths, path+property+"/")
		}
	}
	return h.plain("Shirts", h.prose(50), paths...)
}

func mazeFilters(h *host, path string) answer {
	var paths []string
	for i := range 4 {
		v := func(name uint64) string { return h.letters(hashOf(path), uint64(i), name)[:3] }
		paths = append(paths, fmt.Sprintf("/filter?colour=%s&size=%s&sort=%s", v(1), v(2), v(3)))
	}
	return h.plain("A list", fmt.Sprintf("%d things were found. ", hashOf(path)%1000)+h.prose(40), paths...)
}

func mazeSoft404(h *host, path string) answer {
	x := hashOf(path)
	return h.plain("Not here", fmt.Sprintf("%s is not here, %d things are. ", path, x%100)+h.prose(300)+" Try "+
		h.prose(1, x),
		"/lost/"+h.letters(x, 1), "/lost/"+h.letters(x, 2)+"/"+h.letters(x, 3))
}

func mazeClock(h *host, path string) answer {
	x := hashOf(path)
	return h.plain("The time", fmt.Sprintf("It is %02d:%02d, and you are visitor %d. ", x%24, x%60,
		x%100_000)+h.prose(12, x%12)+h.prose(12, x/12%12, 1)+h.prose(60),
		"/clock/"+h.letters(x, 1), "/clock/"+h.letters(x, 2))
}

func mazeSession(h *host, path string) answer {
	page := path[strings.LastIndexByte(path, '/')+1:]
	session := fmt.Sprintf("%010x", mix(h.pick, hashOf(path))>>24)
	var paths []string
	for i := range 5 {
		paths = append(paths, fmt.Sprintf("/s/%s/%d.html", session, 1+i))
	}
	return h.plain("A page", h.prose(100, hashOf(page)), paths...)
}

func mazeFacets(h *host, path string) answer {
	x := hashOf(path)
	var paths []string
	for i := range 3 {
		paths = append(paths, path+[]string{"colour-", "size-", "brand-"}[i]+h.letters(x, uint64(i))[:4]+"/")
	}
	return h.plain("Products", h.prose(40)+h.prose(10, x%9)+h.prose(10, x/9%9)+h.prose(10, x/81%9), paths...)
}

func mazeRedirects(h *host, path string) answer {
	x := hashOf(path)
	if x%4 != 0 {
		return redirect(302, h.to("/go/"+h.letters(x)))
	}
	return h.plain("Almost there", h.prose(40), "/go/"+h.letters(x, 1), "/go/"+h.letters(x, 2))
}

func mazeFeed(h *host, path string) answer {
	n := digitsOf(path)
	return h.plain("The feed", fmt.Sprintf("Page %d. ", n)+h.prose(150), fmt.Sprintf("/feed/page/%d", n+1),
		fmt.Sprintf("/feed/page/%d", 2*n+1))
}

// mazeEncoded has all letters of a name encoded or not, in digits of both cases.
func mazeEncoded(h *host, path string) answer {
	const name = "catalogue-of-all-things.html"
	var paths []string
	for i := range 3 {
		b := []byte("/%63")
		for k, c := range []byte(name[1:]) {
			switch mix(h.pick, hashOf(path), uint64(i), uint64(k)) % 3 {
			case 0:
				b = append(b, c)
			case 1:
				b = fmt.Appendf(b, "%%%02x", c)
			default:
				b = fmt.Appendf(b, "%%%02X", c)
			}
		}
		paths = append(paths, string(b))
	}
	return h.plain("The catalogue", h.prose(60), paths...)
}

// mazeUnicode has accents as one character or two, and characters without a width.
func mazeUnicode(h *host, path string) answer {
	var paths []string
	for i := range 3 {
		x := mix(h.pick, hashOf(path), uint64(i))
		b := "/caf%C3%A9"
		for range 12 {
			b += []string{"e%CC%81", "%C3%A9", "%E2%80%8B", "%EF%BD%85", "%E2%80%8D"}[x%5]
			x /= 5
		}
		paths = append(paths, b)
	}
	return h.plain("Coffee", h.prose(60), paths...)
}

func mazeSemicolons(h *host, path string) answer {
	x := hashOf(path)
	return h.plain("A page", h.prose(60), fmt.Sprintf("/p;v=%d;w=%s", x%1_000_000, h.letters(x)),
		fmt.Sprintf("/p;w=%s", h.letters(x, 1)))
}

func mazeLetters(h *host, path string) answer {
	x := hashOf(path)
	return h.plain("Somewhere", h.prose(60), "/to-"+h.letters(x, 1), "/to-"+h.letters(x, 2))
}

var mazeSitemaps = Kind{
	Name: "maze-sitemaps", Doc: "Indexes of sitemaps that list two more each, without end.",
	records: func(h *host) string { return "Sitemap: " + h.origin + "/index/1.xml\n" },
	page: func(h *host, r *request) answer {
		switch {
		case r.path == "/":
			return answer{title: "Home", links: []link{h.to("/about.html")}}
		case r.path == "/about.html":
			return answer{title: "A page"}
		case strings.HasPrefix(r.path, "/index/"):
			n := digitsOf(strings.TrimSuffix(r.path, ".xml"))
			var links []link
			for i := range 2 {
				links = append(links, link{host: h, page: -1, path: fmt.Sprintf("/index/%d.xml", 2*n+i), element: bare,
					listed: true})
			}
			return sitemap("sitemapindex", "sitemap", links)
		}
		return notFound
	},
	part: below("/index/"),
}

// honest returns the kind of a host whose pages are all wanted, whatever they look like.
func honest(name, doc string, page func(h *host, path string) answer) Kind {
	return Kind{Name: name, Doc: doc, page: func(h *host, r *request) answer { return page(h, r.path) }}
}

// numbered returns the number in a path, from 1 to most, or 0.
func numbered(path, before, after string, most int) int {
	rest, ok := strings.CutPrefix(path, before)
	digits, ok2 := strings.CutSuffix(rest, after)
	n, err := strconv.Atoi(digits)
	if !ok || !ok2 || err != nil || n < 1 || n > most || strconv.Itoa(n) != digits {
		return 0
	}
	return n
}

var catalogue = honest("catalogue",
	"A shop with 1,200 products, each in few words on a page that is like all others, on a list of 60 pages.",
	func(h *host, path string) answer {
		const products, each = 1200, 20
		frame := h.prose(200)
		if path == "/" {
			return h.plain("The shop", frame, "/list?page=1")
		}
		if n := numbered(path, "/list?page=", "", products/each); n > 0 {
			text, paths := frame, []string{fmt.Sprintf("/list?page=%d", n+1)}
			for i := (n-1)*each + 1; i <= n*each; i++ {
				text += fmt.Sprintf(" %s, %d.99.", h.prose(3, uint64(i)), i%50)
				paths = append(paths, fmt.Sprintf("/product/%d", i))
			}
			if n == products/each {
				paths = paths[1:]
			}
			return h.plain("A list", text, paths...)
		}
		if n := numbered(path, "/product/", "", products); n > 0 {
			return h.plain("A product", fmt.Sprintf("%s %s, number %d, for %d.99.", frame, h.prose(3, uint64(n)), n,
				n%50), "/", fmt.Sprintf("/product/%d", n%products+1))
		}
		return notFound
	})

var forum = honest("forum",
	"A forum of 900 short posts, many of which say the same, with links from each to later ones.",
	func(h *host, path string) answer {
		const posts = 900
		if path == "/" {
			return h.plain("The forum", h.prose(60), "/post/1")
		}
		if n := numbered(path, "/post/", "", posts); n > 0 {
			said := []string{"Thanks!", "+1", "Me too.", "Works for me."}[n%4]
			if n%3 == 0 {
				said = h.prose(6, uint64(n))
			}
			paths := []string{"/"}
			for _, next := range []int{n + 1, n + 9} {
				if next <= posts {
					paths = append(paths, fmt.Sprintf("/post/%d", next))
				}
			}
			return h.plain("A post", fmt.Sprintf("Post %d: %s", n, said), paths...)
		}
		return notFound
	})

var diary = honest("diary", "A calendar of 30 months, half of which have events, with a page each.",
	func(h *host, path string) answer {
		const months = 30
		if path == "/" {
			return h.plain("Events", h.prose(50), "/month/1")
		}
		if n := numbered(path, "/month/", "", months); n > 0 {
			text, paths := "Mo Tu We Th Fr Sa Su", []string(nil)
			for day := range 30 {
				text += fmt.Sprintf(" %d", day+1)
			}
			if n < months {
				paths = append(paths, fmt.Sprintf("/month/%d", n+1))
			}
			for i := range 3 * (n % 2) {
				text += " " + h.prose(4, uint64(n), uint64(i))
				paths = append(paths, fmt.Sprintf("/event/%d-%d", n, i+1))
			}
			return h.plain("A month", text, paths...)
		}
		rest, _ := strings.CutPrefix(path, "/event/")
		month, event, _ := strings.Cut(rest, "-")
		n, i := numbered(month, "", "", months), numbered(event, "", "", 3)
		if n%2 == 1 && i > 0 && strings.HasPrefix(path, "/event/") {
			return h.plain("An event", h.prose(4, uint64(n), uint64(i-1))+" "+h.prose(30, uint64(n), uint64(i)),
				"/month/"+strconv.Itoa(n))
		}
		return notFound
	})

var gallery = honest("gallery", "A gallery of 700 pictures without a word, each with links to later ones.",
	func(h *host, path string) answer {
		const pictures = 700
		page := func(n int) answer {
			body := fmt.Sprintf("<!DOCTYPE html>\n<title>Picture</title>\n<img src=\"/pictures/%d.jpg\">\n", n)
			a := answer{}
			for _, next := range []int{n + 1, n + 7} {
				if next <= pictures {
					a.links = append(a.links, h.to(fmt.Sprintf("/picture/%d", next)))
					body += fmt.Sprintf("<a href=\"/picture/%d\">on</a>\n", next)
				}
			}
			a.body = []byte(body)
			return a
		}
		if path == "/" {
			return h.plain("Pictures", h.prose(50), "/picture/1")
		}
		if n := numbered(path, "/picture/", "", pictures); n > 0 {
			return page(n)
		}
		return notFound
	})

var chapters = honest("chapters",
	"A list of 301 pages that differ in numbers only, each with links to the next ones, and 301 items.",
	func(h *host, path string) answer {
		const pages = 301
		if path == "/" {
			return h.plain("Numbers", h.prose(50), "/list?page=1")
		}
		if n := numbered(path, "/list?page=", "", pages); n > 0 {
			paths := []string{fmt.Sprintf("/item/%d", n)}
			for next := n + 1; next <= min(n+5, pages); next++ {
				paths = append(paths, fmt.Sprintf("/list?page=%d", next))
			}
			return h.plain("A list", fmt.Sprintf("Page %d of %d: item %d, at %d.", n, pages, n, 17*n), paths...)
		}
		if n := numbered(path, "/item/", "", pages); n > 0 {
			return h.plain("An item", fmt.Sprintf("Item %d costs %d.", n, 17*n), "/")
		}
		return notFound
	})
