package crawl

import (
	"fmt"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/url/urlcheck"
)

// A Reach says how far a crawl goes from its seeds.
type Reach uint8

// The reaches. They are stored by number: never renumber, add at the end.
const (
	Host   Reach = 0 // the hosts of the seeds, by http and https
	Domain Reach = 1 // their registrable domains, with all subdomains
	Prefix Reach = 2 // URLs that start like a seed, up to its last slash
	List   Reach = 3 // only the seeds
	Web    Reach = 4 // everything
)

var reaches = [...]string{Host: "host", Domain: "domain", Prefix: "prefix", List: "list", Web: "web"}

// String returns the name of the reach, such as "domain".
func (r Reach) String() string {
	if int(r) < len(reaches) {
		return reaches[r]
	}
	return "unknown"
}

// ParseReach returns the reach with a name, in any letter case.
func ParseReach(name string) (Reach, error) {
	for i, known := range reaches {
		if strings.EqualFold(name, known) {
			return Reach(i), nil
		}
	}
	return Host, fmt.Errorf("unknown scope %q: the scopes are %s", name, strings.Join(reaches[:], ", "))
}

// A Scope decides which URLs belong to a crawl. The zero Scope allows the hosts of the seeds.
type Scope struct {
	Reach Reach

	// Include and Exclude are patterns as in robots.txt rules, and decide as Allow and
	// Disallow do: the longest match wins, and Include wins a tie. If only Include is set, all
	// other URLs are excluded.
	Include, Exclude []string

	// MaxDepth is the maximum number of links from a seed to a URL; a negative value means
	// only the seeds. 0 means 20, and then pagination links (to a URL of the same shape) do
	// not count from the eleventh link on, up to 1,000 of them.
	MaxDepth int
}

// A territory is a scope together with its seeds. Seeds may be added later.
type territory struct {
	Scope
	rules *robots.Group

	filter fetch.DialFilter // of the crawl

	mu     sync.RWMutex
	places map[string]bool // hosts, domains, prefixes or URLs
	own    map[string]bool // origins of seeds on the machine of the crawl
}

func (s Scope) territory(seeds []weburl.URL) *territory {
	t := &territory{Scope: s, places: make(map[string]bool), own: make(map[string]bool)}
	for _, u := range seeds {
		t.add(u)
	}
	if len(s.Include)+len(s.Exclude) == 0 {
		return t
	}
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	if len(s.Exclude) == 0 {
		b.WriteString("Disallow: /\n")
	}
	for _, p := range s.Include {
		fmt.Fprintf(&b, "Allow: %s\n", oneLine.Replace(p))
	}
	for _, p := range s.Exclude {
		fmt.Fprintf(&b, "Disallow: %s\n", oneLine.Replace(p))
	}
	t.rules = robots.Parse([]byte(b.String())).For("*")
	return t
}

// oneLine escapes a pattern, so that it cannot add lines, comments or spaces to the rules.
var oneLine = strings.NewReplacer("\r", "%0D", "\n", "%0A", "#", "%23", " ", "%20", "\t", "%09")

// add makes a URL one of the seeds.
func (t *territory) add(u weburl.URL) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if place := t.place(u); place != "" {
		t.places[place] = true
	}
	if _, ok := loopback(u); ok {
		t.own[u.Clone().Origin()] = true
	}
}

// widens reports whether add would make the territory larger.
func (t *territory) widens(u weburl.URL) bool {
	place := t.place(u)
	if _, ok := loopback(u); ok && !t.isSeed(u) {
		return true
	}
	return place != "" && !t.holds(place)
}

func (t *territory) holds(place string) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.places[place]
}

// place returns the place of a URL, or "" if the reach needs none.
func (t *territory) place(u weburl.URL) string {
	switch t.Reach {
	case Host:
		return u.Host() + ":" + u.Port()
	case Domain:
		return u.Domain()
	case Prefix:
		path := u.Pathname()
		return u.Host() + ":" + u.Port() + path[:strings.LastIndexByte(path, '/')+1]
	case List:
		return u.String()
	}
	return ""
}

// refuses returns why a URL does not belong to the crawl, or [result.None].
func (t *territory) refuses(u weburl.URL, depth int) result.Reason {
	if t.MaxDepth > 0 && depth > t.MaxDepth || t.MaxDepth < 0 && depth > 0 {
		return result.TooDeep
	}
	if !t.has(u) {
		return result.OutOfScope
	}
	if t.excludes(u) {
		return result.Excluded
	}
	return result.None
}

// excludes reports whether the patterns of the scope exclude a URL.
func (t *territory) excludes(u weburl.URL) bool {
	if t.rules == nil {
		return false
	}
	// Here /robots.txt is a URL like any other, and not always allowed.
	m := t.rules.Match(urlcheck.OfHost(u.Path()))
	return !m.Allowed || m.Reason == robots.RobotsFile && len(t.Exclude) == 0
}

func (t *territory) has(u weburl.URL) bool {
	switch t.Reach {
	case Web:
		return true
	case Prefix:
		place := t.place(u)
		for {
			if t.holds(place) {
				return true
			}
			i := strings.LastIndexByte(strings.TrimSuffix(place, "/"), '/')
			if i < 0 {
				return false
			}
			place = place[:i+1]
		}
	}
	return t.holds(t.place(u))
}
