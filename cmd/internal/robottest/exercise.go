package robottest

import (
	"fmt"
	"hash/fnv"
	"html"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// An exercise is one host. Its root page links to /first, then to the paths that robots.txt closes
// and opens, and then to /last.
type exercise struct {
	name string

	// robots is the text of robots.txt. A line with {agent} is repeated for each product token of
	// the robot. If there are no rules, everything is allowed.
	robots string
	// large makes robots.txt if the text is too long to be made before it is needed.
	large func() string

	closed []string // paths that robots.txt disallows, with links to them
	open   []string // paths that it allows, with links to them
	more   []string // other paths, with links to them
	baits  []string // paths that robots should avoid, though robots.txt allows them
	extra  string   // HTML at the end of the root page

	unlinked  bool // the start page does not link here
	unvisited bool // robots must not request any page here
	aside     bool // robots may come here without robots.txt: redirects of robots.txt lead here

	// file returns the answer to /robots.txt, if it is not simply the text. n counts the requests.
	file func(s *site, v *visit, text string, n int) *answer
	// page returns the answer to another path, or nil for the usual one. n counts these requests.
	page      func(s *site, v *visit, n int) *answer
	unaudited bool // robots.txt has another answer than robots
}

// A site is a running exercise.
type site struct {
	web      *Web
	exercise *exercise
	port     int

	mu         sync.Mutex
	requests   []*Request // in the order of their starts, up to maxFiles and maxPages
	files      int        // all requests for robots.txt
	pages      int        // all others
	open       int
	arrival    chan struct{} // closed by the next request, if a handler waits for it
	overlapped bool          // a request arrived while a handler waited
}

// These limit the requests of an exercise that are kept: those for robots.txt, and others. Each has
// its own limit, so that the first page of a robot and its first robots.txt are always kept.
const (
	maxFiles = 200
	maxPages = 2000
)

// host returns the name of the host.
func (s *site) host() string { return s.exercise.name + ".test" }

func (s *site) busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open > 0
}

// text returns robots.txt with groups for some product tokens.
func (e *exercise) text(tokens []string) string {
	if e.large != nil {
		return e.large()
	}
	if !strings.Contains(e.robots, "{") {
		return e.robots
	}
	if len(tokens) == 0 {
		tokens = []string{"robot-without-a-name"}
	}
	var b strings.Builder
	for line := range strings.SplitAfterSeq(e.robots, "\n") {
		if !strings.Contains(strings.ToLower(line), "{agent}") {
			b.WriteString(line)
			continue
		}
		for _, token := range tokens {
			line := strings.ReplaceAll(line, "{agent}", token)
			b.WriteString(strings.ReplaceAll(line, "{AGENT}", swapCase(token)))
		}
	}
	return b.String()
}

// swapCase returns a token with the case of its letters swapped.
func swapCase(token string) string {
	b := []byte(token)
	for i, c := range b {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			b[i] = c ^ 0x20
		}
	}
	return string(b)
}

// An answer is the answer of a host.
type answer struct {
	status int
	media  string // text/html if it is ""
	header http.Header
	body   string
	// write sends the body in another way, and returns its size and whether the client took all of
	// it.
	write func(out http.ResponseWriter) (written int64, whole bool)
	// broken closes the connection without an answer.
	broken bool
	// hold waits for another request before the answer.
	hold bool
}

// answer returns the answer to a request.
func (s *site) answer(v *visit) *answer {
	e := s.exercise
	if v.path == "/robots.txt" {
		text := e.text(v.tokens)
		if e.file != nil {
			return e.file(s, v, text, v.n)
		}
		return &answer{status: 200, media: "text/plain; charset=utf-8", body: text}
	}
	if e.page != nil {
		if a := e.page(s, v, v.n); a != nil {
			return a
		}
	}
	switch {
	case v.path == "/":
		return s.page(v, e.links(), e.extra)
	case slices.Contains(e.links(), v.target):
		return s.page(v, nil, "")
	}
	return notFound()
}

// links returns the paths to which the root page links, in order.
func (e *exercise) links() []string {
	return slices.Concat([]string{"/first"}, e.closed, e.open, e.more, []string{"/last"})
}

func notFound() *answer {
	return &answer{status: 404, body: "<!DOCTYPE html>\n<title>Not found</title>\n<p>There is no such page.\n"}
}

// page returns a page with links, and words that no other page has.
func (s *site) page(v *visit, links []string, extra string) *answer {
	var b strings.Builder
	fmt.Fprintf(&b,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>%s %s</title></head>\n<body>\n<p>%s</p>\n<ul>\n",
		s.exercise.name, html.EscapeString(v.path), words(s.host()+v.target))
	for _, link := range links {
		fmt.Fprintf(&b, "<li><a href=\"%s\">%s</a></li>\n", html.EscapeString(link), words(s.host() + link + "#")[:20])
	}
	fmt.Fprintf(&b, "</ul>\n%s</body>\n</html>\n", extra)
	return &answer{status: 200, body: b.String()}
}

// words returns some words that depend on the text: robots take pages with equal words for copies.
func words(of string) string {
	hash := fnv.New64a()
	hash.Write([]byte(of))
	x := hash.Sum64() | 1
	const syllables = "bacodufegihajokulamenopiqarosutevawixoyuzebrichotrusla"
	var b strings.Builder
	for range 80 {
		for range 3 {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			at := x % uint64(len(syllables)/2) * 2
			b.WriteString(syllables[at : at+2])
		}
		b.WriteByte(' ')
	}
	return b.String()
}
