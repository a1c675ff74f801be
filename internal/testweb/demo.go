package testweb

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// Demo serves a small friendly web until ctx ends or it is closed: four hosts with
// some sixty pages, on which anybody can see what it is to be polite. The host
// garden.test has nothing special, library.test asks for a second between requests,
// archive.test closes a folder, and market.test answers 503 once and has a calendar
// that never ends.
//
// It listens on 127.0.0.1 where a system has no other address for it.
func Demo(ctx context.Context) (*Web, error) { return startDemo(ctx, 1) }

func startDemo(ctx context.Context, scale float64) (*Web, error) {
	return Start(ctx, Options{Hosts: len(demoHosts), Pages: 1, Size: 1, Scale: scale, demo: true})
}

// A demoHost is a host of the demo.
type demoHost struct {
	name, title string
	about       string
	robots      string   // with %s for a second
	pages       []string // their titles
}

var demoHosts = []demoHost{
	{
		name: "garden.test", title: "The Garden", about: "A garden through the year, open to everybody.",
		robots: "# Everybody is welcome.\nUser-agent: *\nDisallow:\n",
		pages: []string{"Apple trees", "Beans", "Bees", "Cabbages", "Compost", "Frost in May", "Hedges", "Herbs", "Moles",
			"Pears", "Ponds", "Pruning", "Roses", "Seeds", "Snails", "Tools", "Watering"},
	},
	{
		name: "library.test", title: "The Library", about: "A quiet place: one page a second, please.",
		robots: "User-agent: *\nCrawl-delay: %s\n",
		pages:  []string{"Atlases", "Cookery books", "Dictionaries", "Fairy tales", "Letters", "Novels", "Poems", "Travels"},
	},
	{
		name: "archive.test", title: "The Archive", about: "Old papers. Some of them are nobody's business.",
		robots: "User-agent: *\nDisallow: /private/\n",
		pages: []string{"Bills", "Deeds", "Maps", "Minutes of 1901", "Minutes of 1902", "Minutes of 1903", "Newspapers", "Photographs",
			"Plans of houses", "Postcards", "Seals", "Ships", "Timetables", "Weather reports", "Wills"},
	},
	{
		name: "market.test", title: "The Market", about: "Stalls, and a calendar of market days without end.",
		robots: "User-agent: *\nDisallow: /cart/\n",
		pages: []string{"Baskets", "Bread", "Candles", "Cheese", "Eggs", "Fish", "Flowers", "Honey", "Knives", "Mushrooms",
			"Pots", "Rope", "Salt", "Soap", "Wool"},
	},
}

var demoKind = Kind{
	Name: "demo", Doc: "A host of the demo.", calm: true,
	page: func(h *host, r *request) answer { return h.demo.answer(h, r) },
	part: func(path string) part {
		switch {
		case strings.HasPrefix(path, "/calendar/"):
			return endless
		case strings.HasPrefix(path, "/cart/"):
			return effect
		}
		return content
	},
}

var demoText = Text{
	Name: "demo", Doc: "The robots.txt of a host of the demo.",
	file: func(h *host, _ int) string { return strings.ReplaceAll(h.demo.robots, "%s", h.web.seconds(1)) },
}

// demoAddresses returns one address for each host, or one for all.
func demoAddresses() (addrs []netip.Addr) {
	for i := range demoHosts {
		addr := netip.AddrFrom4([4]byte{127, 0, 0, byte(1 + i)})
		if i > 0 {
			l, err := net.Listen("tcp4", netip.AddrPortFrom(addr, 0).String())
			if err != nil {
				break
			}
			l.Close()
		}
		addrs = append(addrs, addr)
	}
	return addrs
}

// populateDemo adds the hosts of the demo.
func (w *Web) populateDemo() {
	for i := range demoHosts {
		d := &demoHosts[i]
		w.byName[d.name] = int32(len(w.hosts))
		w.hosts = append(w.hosts, host{
			number: int32(len(w.hosts)), kind: &demoKind, text: &demoText, name: d.name, demo: d,
			addr: w.addresses[i%len(w.addresses)], pick: hashOf(d.name),
		})
	}
}

// answer returns a page: the root page has links to half of the pages, which have
// links to the others and to other hosts.
func (d *demoHost) answer(h *host, r *request) answer {
	w := h.web
	isMarket, isArchive := d.name == "market.test", d.name == "archive.test"
	if r.path == "/" {
		if isMarket && !r.settled && h.once.next() == 0 {
			line, at := w.retryAfter(3, false)
			return answer{status: 503, title: "Too much of a crowd", header: []string{line}, retry: at, later: true}
		}
		a := answer{title: d.title}
		for i := 0; i < len(d.pages); i += 2 {
			a.links = append(a.links, h.to(demoPath(i)))
		}
		for i := range w.hosts {
			if to := &w.hosts[i]; to != h {
				a.links = append(a.links, to.to("/"))
			}
		}
		switch {
		case isMarket:
			now := w.began.UTC()
			a.links = append(a.links, h.to(fmt.Sprintf("/calendar/%d/%02d", now.Year(), now.Month())), h.to("/cart/add?id=1"))
		case isArchive:
			a.links = append(a.links, h.to("/private/diary.html"), h.to("/private/debts.html"))
		}
		return d.fill(h, a)
	}
	if strings.HasPrefix(r.path, "/private/") && isArchive || strings.HasPrefix(r.path, "/cart/") && isMarket {
		return d.fill(h, answer{title: "Nobody should see this"})
	}
	if isMarket && strings.HasPrefix(r.path, "/calendar/") {
		a := h.month(r.path)
		if a.status == 0 {
			a = d.fill(h, a)
		}
		return a
	}
	digits, _ := strings.CutPrefix(r.path, "/page/")
	digits, _ = strings.CutSuffix(digits, ".html")
	i, err := strconv.Atoi(digits)
	if err != nil || i < 0 || i >= len(d.pages) || r.path != demoPath(i) {
		return notFound
	}
	n := len(d.pages)
	return d.fill(h, answer{
		title: d.pages[i], tag: `"` + strconv.Itoa(i) + `"`,
		links: []link{h.to("/"), h.to(demoPath((i + 1) % n)), h.to(demoPath((i + 5) % n)), w.hosts[(int(h.number)+1+i)%len(w.hosts)].to("/")},
	})
}

func demoPath(i int) string { return fmt.Sprintf("/page/%d.html", i) }

// fill gives a page its text.
func (d *demoHost) fill(h *host, a answer) answer {
	b := []byte("<!DOCTYPE html>\n<html lang=\"en\"><head><title>")
	b = appendEscaped(b, a.title)
	b = append(b, "</title>\n<meta name=\"description\" content=\""...)
	b = appendEscaped(b, a.title+" of "+d.title+". "+d.about)
	b = append(b, "\"></head>\n<body><h1>"...)
	b = appendEscaped(b, a.title)
	b = append(b, "</h1>\n<p>"...)
	b = appendEscaped(b, d.about+" This page is about "+strings.ToLower(a.title)+". It is one of those that the robot shows its manners on.")
	b = append(b, "</p>\n<ul>\n"...)
	for _, l := range a.links {
		name := l.target()
		if l.host != h {
			name = l.host.name
		}
		b = append(b, `<li><a href="`...)
		b = appendEscaped(b, l.url())
		b = append(b, `">`...)
		var n int
		if _, err := fmt.Sscanf(name, "/page/%d.html", &n); err == nil && l.host == h {
			name = d.pages[n]
		}
		b = appendEscaped(b, name)
		b = append(b, "</a></li>\n"...)
	}
	a.body = append(b, "</ul></body></html>\n"...)
	return a
}
