package testweb

import (
	"fmt"
	"html"
	"net/netip"
	"strconv"
	"strings"
)

// Demo returns the options of the small friendly web that `robots crawl --demo` visits: four hosts
// with some sixty pages. The host garden.test has no special rules, library.test asks for a second
// between requests, archive.test closes a folder, and market.test answers 503 once and has an
// endless calendar.
//
// It is at 127.0.0.1 to 127.0.0.4, or at 127.0.0.1 only if the system lacks the other addresses.
func Demo() Options { return Options{demo: true} }

// A demoSite is the content of a host of the demo.
type demoSite struct {
	name, title string
	about       string
	robots      string   // with %s for a second
	pages       []string // their titles
}

var demoSites = []demoSite{
	{
		name: "garden.test", title: "The Garden", about: "A garden through the year, open to everybody.",
		robots: "# Everybody is welcome.\nUser-agent: *\nDisallow:\n",
		pages: []string{"Apple trees", "Beans", "Bees", "Cabbages", "Compost", "Frost in May", "Hedges", "Herbs",
			"Moles",
			"Pears", "Ponds", "Pruning", "Roses", "Seeds", "Snails", "Tools", "Watering"},
	},
	{
		name: "library.test", title: "The Library", about: "A quiet place: one page a second, please.",
		robots: "User-agent: *\nCrawl-delay: %s\n",
		pages: []string{"Atlases", "Cookery books", "Dictionaries", "Fairy tales", "Letters", "Novels", "Poems",
			"Travels"},
	},
	{
		name: "archive.test", title: "The Archive", about: "Old papers. Some of them are nobody's business.",
		robots: "User-agent: *\nDisallow: /private/\n",
		pages: []string{"Bills", "Deeds", "Maps", "Minutes of 1901", "Minutes of 1902", "Minutes of 1903", "Newspapers",
			"Photographs",
			"Plans of houses", "Postcards", "Seals", "Ships", "Timetables", "Weather reports", "Wills"},
	},
	{
		name: "market.test", title: "The Market", about: "Stalls, and a calendar of market days without end.",
		robots: "User-agent: *\nDisallow: /cart/\n",
		pages: []string{"Baskets", "Bread", "Candles", "Cheese", "Eggs", "Fish", "Flowers", "Honey", "Knives",
			"Mushrooms",
			"Pots", "Rope", "Salt", "Soap", "Wool"},
	},
}

// demoAddresses are the addresses of the demo.
func demoAddresses() (list []netip.Addr) {
	for i := range demoSites {
		list = append(list, netip.AddrFrom4([4]byte{127, 0, 0, byte(1 + i)}))
	}
	return list
}

// addDemo adds the hosts of the demo.
func (w *world) addDemo() {
	for i := range demoSites {
		s := &demoSites[i]
		kind := &Kind{Name: "demo", page: s.answer, part: below("/calendar/")}
		text := &Text{Name: "demo", file: func(h *host, _ int) string {
			return strings.ReplaceAll(s.robots, "%s", w.seconds(1))
		}}
		w.byName[s.name] = int32(i)
		w.hosts = append(w.hosts, host{number: int32(i), kind: kind, text: text, name: s.name,
			addr: w.addresses[i%len(w.addresses)]})
	}
}

// answer answers a request for a page. The root page links to half of the pages, which link to the
// others and to other hosts.
func (s *demoSite) answer(h *host, r *request) answer {
	isMarket := s.name == "market.test"
	switch {
	case isMarket && !r.settled && r.turn == 0:
		a := s.page(h, "Too much of a crowd", 503)
		again := h.comeAgain(503, 0)
		a.header, a.retry, a.later = again.header, again.retry, true
		return a
	case r.path == "/":
		return s.page(h, s.title, 0, s.rootLinks(h)...)
	case s.name == "archive.test" && strings.HasPrefix(r.path, "/private/"), isMarket &&
		strings.HasPrefix(r.path, "/cart/"):
		return s.page(h, "Nobody should see this", 0)
	case isMarket && strings.HasPrefix(r.path, "/calendar/"):
		month := h.month(r.path)
		return s.page(h, month.title, month.status, month.links...)
	}
	return s.article(h, r.path)
}

// rootLinks returns the links of the root page.
func (s *demoSite) rootLinks(h *host) (links []link) {
	for i := 0; i < len(s.pages); i += 2 {
		links = append(links, h.to(articlePath(i)))
	}
	for i := range h.web.hosts {
		if to := &h.web.hosts[i]; to != h {
			links = append(links, to.to("/"))
		}
	}
	switch s.name {
	case "market.test":
		links = append(links, h.to(h.web.began.UTC().Format("/calendar/2006/01")), h.to("/cart/add?id=1"))
	case "archive.test":
		links = append(links, h.to("/private/diary.html"), h.to("/private/debts.html"))
	}
	return links
}

// article returns a page of a site.
func (s *demoSite) article(h *host, path string) answer {
	i := s.number(path)
	if i < 0 {
		return s.page(h, "Not found", 404)
	}
	n, hosts := len(s.pages), h.web.hosts
	next := &hosts[(int(h.number)+1+i)%len(hosts)]
	a := s.page(h, s.pages[i], 0, h.to("/"), h.to(articlePath((i+1)%n)), h.to(articlePath((i+5)%n)), next.to("/"))
	a.tag = strconv.Quote(strconv.Itoa(i))
	return a
}

func articlePath(i int) string { return fmt.Sprintf("/page/%d.html", i) }

// number returns the number of the page with a path, or -1.
func (s *demoSite) number(path string) int {
	for i := range s.pages {
		if path == articlePath(i) {
			return i
		}
	}
	return -1
}

// page returns a page with a title and links. A status of 0 means 200.
func (s *demoSite) page(h *host, title string, status int, links ...link) answer {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\"><head><title>%s</title>\n", html.EscapeString(title))
	fmt.Fprintf(&b, "<meta name=\"description\" content=\"%s\"></head>\n", html.EscapeString(title+" of "+s.title+". "+
		s.about))
	fmt.Fprintf(&b, "<body><h1>%s</h1>\n", html.EscapeString(title))
	fmt.Fprintf(&b, "<p>%s</p>\n<ul>\n", html.EscapeString(s.about+" This page is about "+strings.ToLower(title)+
		". The robot shows its manners on it."))
	for _, l := range links {
		url, text := l.target(), l.target()
		if i := s.number(url); l.host != h {
			url, text = l.url(), l.host.name
		} else if i >= 0 {
			text = s.pages[i]
		}
		fmt.Fprintf(&b, "<li><a href=\"%s\">%s</a></li>\n", html.EscapeString(url), html.EscapeString(text))
	}
	b.WriteString("</ul></body></html>\n")
	return answer{status: status, body: []byte(b.String()), links: links}
}
