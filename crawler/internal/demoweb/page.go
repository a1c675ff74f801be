package demoweb

import (
	"fmt"
	"html"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// A site is the content of a host of the demo.
type site struct {
	name, title string
	about       string
	robots      string   // with %s for a second
	pages       []string // their titles
}

var sites = []site{
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

// A host is a site on the web.
type host struct {
	*site
	number  int
	origin  string
	addr    netip.Addr
	crowded atomic.Bool // market.test has answered 503
}

// An answer is the response of a host.
type answer struct {
	status int
	media  string
	tag    string // ETag
	retry  time.Duration
	body   []byte
}

// A link is a link of a page, with its text.
type link struct{ url, text string }

// robots returns the robots.txt of a host.
func (w *Web) robots(h *host) string {
	return strings.ReplaceAll(h.site.robots, "%s", strconv.FormatFloat(w.scale, 'f', -1, 64))
}

// answer answers a request. The root page links to half of the pages, which link to the
// others and to other hosts.
func (w *Web) answer(h *host, path string) answer {
	isMarket, isArchive := h.name == "market.test", h.name == "archive.test"
	switch {
	case path == "/robots.txt":
		return answer{status: http.StatusOK, media: "text/plain; charset=utf-8", body: []byte(w.robots(h))}
	case path == "/" && isMarket && h.crowded.CompareAndSwap(false, true):
		a := h.page("Too much of a crowd", nil)
		a.status, a.retry = http.StatusServiceUnavailable, time.Duration(max(1, math.Ceil(3*w.scale)))*time.Second
		return a
	case path == "/":
		return h.page(h.title, w.rootLinks(h))
	case isArchive && strings.HasPrefix(path, "/private/"), isMarket && strings.HasPrefix(path, "/cart/"):
		return h.page("Nobody should see this", nil)
	case isMarket && strings.HasPrefix(path, "/calendar/"):
		return h.month(path)
	}
	return w.article(h, path)
}

// rootLinks returns the links of the root page.
func (w *Web) rootLinks(h *host) (links []link) {
	for i := 0; i < len(h.pages); i += 2 {
		links = append(links, h.linkTo(i))
	}
	for _, to := range w.hosts {
		if to != h {
			links = append(links, to.root())
		}
	}
	switch h.name {
	case "market.test":
		now := w.began.UTC()
		links = append(links, local(fmt.Sprintf("/calendar/%d/%02d", now.Year(), now.Month())), local("/cart/add?id=1"))
	case "archive.test":
		links = append(links, local("/private/diary.html"), local("/private/debts.html"))
	}
	return links
}

// article returns a page of a site.
func (w *Web) article(h *host, path string) answer {
	digits, _ := strings.CutPrefix(path, "/page/")
	digits, _ = strings.CutSuffix(digits, ".html")
	i, err := strconv.Atoi(digits)
	if err != nil || i < 0 || i >= len(h.pages) || path != articlePath(i) {
		return h.missing()
	}
	n := len(h.pages)
	next := w.hosts[(h.number+1+i)%len(w.hosts)].root()
	if (h.number+1+i)%len(w.hosts) == h.number {
		next = local("/")
	}
	a := h.page(h.pages[i], []link{local("/"), h.linkTo((i + 1) % n), h.linkTo((i + 5) % n), next})
	a.tag = `"` + strconv.Itoa(i) + `"`
	return a
}

// month returns a month of the calendar, which links to other months.
func (h *host) month(path string) answer {
	y, m, _ := strings.Cut(strings.TrimPrefix(path, "/calendar/"), "/")
	year, err := strconv.Atoi(y)
	month, err2 := strconv.Atoi(m)
	if err != nil || err2 != nil || month < 1 || month > 12 || year < 1 || year > 9999 {
		return h.missing()
	}
	to := func(month int) link {
		n := year*12 + month - 1
		return local(fmt.Sprintf("/calendar/%d/%02d", n/12, n%12+1))
	}
	return h.page(fmt.Sprintf("%d, month %d", year, month), []link{to(month - 1), to(month + 1), to(month + 12)})
}

func (h *host) missing() answer {
	a := h.page("Not found", nil)
	a.status = http.StatusNotFound
	return a
}

func articlePath(i int) string { return fmt.Sprintf("/page/%d.html", i) }

func (h *host) linkTo(i int) link { return link{articlePath(i), h.pages[i]} }

// root returns a link to the root page from another host.
func (h *host) root() link { return link{h.origin + "/", h.name} }

func local(path string) link { return link{path, path} }

// page returns a page with a title and links.
func (h *host) page(title string, links []link) answer {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=\"en\"><head><title>%s</title>\n", html.EscapeString(title))
	fmt.Fprintf(&b, "<meta name=\"description\" content=\"%s\"></head>\n", html.EscapeString(title+" of "+h.title+". "+h.about))
	fmt.Fprintf(&b, "<body><h1>%s</h1>\n", html.EscapeString(title))
	fmt.Fprintf(&b, "<p>%s</p>\n<ul>\n", html.EscapeString(h.about+" This page is about "+strings.ToLower(title)+
		". It is one of those that the robot shows its manners on."))
	for _, l := range links {
		fmt.Fprintf(&b, "<li><a href=\"%s\">%s</a></li>\n", html.EscapeString(l.url), html.EscapeString(l.text))
	}
	b.WriteString("</ul></body></html>\n")
	return answer{status: http.StatusOK, media: "text/html; charset=utf-8", body: []byte(b.String())}
}
