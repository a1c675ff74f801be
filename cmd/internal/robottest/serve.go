package robottest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent"
)

// quiet drops what net/http says about broken requests, which strangers can make many of.
var quiet = log.New(io.Discard, "", 0)

// ServeHTTP implements [http.Handler].
func (w *Web) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	s, named, target := w.route(in)
	if s == nil {
		w.refuse(out, in)
		return
	}
	if in.ContentLength != 0 && w.options.clock.request > 0 {
		// The server reads a body after the answer, and the client may send it slowly. Other
		// requests have no limit, because their connection is read while they are open.
		_ = http.NewResponseController(out).SetReadDeadline(time.Now().Add(w.options.clock.request))
	}
	v := w.begin(s, in, target, named)
	a := s.answer(v)
	if a.hold {
		s.wait(in.Context(), w.options.clock.hold)
	}
	w.deliver(s, v, out, a)
}

// route finds the site of a request, and the path and query of its target.
func (w *Web) route(in *http.Request) (s *site, named bool, target string) {
	target = in.RequestURI
	if in.Method == http.MethodConnect {
		return nil, false, target
	}
	host, _, err := net.SplitHostPort(in.Host)
	if err != nil {
		host = in.Host
	}
	if s = w.byName[strings.ToLower(host)]; s != nil {
		named = true
	}
	if i := strings.Index(target, "://"); i >= 0 && !strings.HasPrefix(target, "/") {
		if s == nil {
			return nil, true, target // through the proxy, to somebody else
		}
		rest := target[i+3:]
		if at := strings.IndexAny(rest, "/?"); at < 0 {
			target = "/"
		} else if target = rest[at:]; target[0] == '?' {
			target = "/" + target
		}
	}
	if s == nil {
		s = in.Context().Value(connKey{}).(*conn).site
	}
	return s, named, target
}

// refuse answers requests that belong to no exercise: the proxy knows the hosts of the web only,
// and makes no tunnels, because a robot would have to trust its certificates.
func (w *Web) refuse(out http.ResponseWriter, in *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if in.Method == http.MethodConnect {
		w.notes.Tunnels++
		http.Error(out, "this proxy serves http only, without tunnels", http.StatusNotImplemented)
		return
	}
	w.notes.Strange++
	http.Error(out, "this proxy serves the hosts of the test only", http.StatusForbidden)
}

// begin records the start of a request.
func (w *Web) begin(s *site, in *http.Request, target string, named bool) *visit {
	path, _, _ := strings.Cut(target, "?")
	r := &Request{
		Host: s.host(), Method: clip(in.Method), Target: clip(target), named: named, path: clip(path),
		conditional: in.Header.Get("If-None-Match") != "" || in.Header.Get("If-Modified-Since") != "",
		from:        strings.Contains(in.Header.Get("From"), "@"),
	}
	if at, err := netip.ParseAddrPort(in.RemoteAddr); err == nil {
		r.client, r.port = at.Addr().Unmap(), at.Port()
	}
	c, ok := in.Context().Value(connKey{}).(*conn) // tests call ServeHTTP without a connection
	r.ahead = ok && c.begin()
	w.mu.Lock()
	r.UserAgent = w.seen(clip(in.UserAgent()))
	w.count(r)
	tokens := slices.Clip(w.tokens)
	r.tokens = tokens
	w.step++
	r.begin = w.step
	r.Start = w.options.clock.now()
	w.last, w.newest = r.Start, r
	w.mu.Unlock()

	v := &visit{Request: r, in: in, target: target, path: path, tokens: tokens,
		base: func(to *site) string { return w.base(in, to, named) }}
	s.mu.Lock()
	defer s.mu.Unlock()
	n, most := &s.pages, maxPages
	if path == "/robots.txt" {
		n, most = &s.files, maxFiles
	}
	v.n = *n
	*n++
	s.open++
	if s.arrival != nil {
		s.overlapped = true
		close(s.arrival)
		s.arrival = nil
	}
	if v.n < most {
		s.requests = append(s.requests, r)
	}
	return v
}

// count judges a single request, for duties that count all requests, kept or not. w.mu must be
// held.
func (w *Web) count(r *Request) {
	w.total++
	for i, fault := range faultsOfRequests {
		if fault(r) {
			w.faults[i].add(r)
		}
	}
}

// The limits of what is kept of User-Agent fields. A robot has one or two.
const (
	maxAgents = 50
	maxTokens = 8
)

// seen notes a User-Agent field, and the product token that it names. w.mu must be held.
func (w *Web) seen(header string) string {
	if i := slices.Index(w.agents, header); i >= 0 {
		return w.agents[i]
	}
	if len(w.agents) == maxAgents {
		return header
	}
	w.agents = append(w.agents, header)
	if w.options.Agent == "" && len(w.tokens) < maxTokens {
		if token := tokenOf(header); token != "" &&
			!slices.ContainsFunc(w.tokens, func(t string) bool { return strings.EqualFold(t, token) }) {
			w.tokens = append(w.tokens, token)
		}
	}
	return header
}

// tokenOf returns the product token of a robot's User-Agent field, or "". A program that no table
// knows is named by its first product, as Lynx is. Browsers begin with Mozilla or Opera.
func tokenOf(header string) string {
	a := agent.Lookup(header)
	token := a.Token
	if tokens := a.Tokens(); len(tokens) > 0 {
		token = tokens[0]
	}
	if a.Kind != agent.Robot && a.Kind != agent.Program || token == "" {
		token, _, _ = strings.Cut(header, "/")
		token, _, _ = strings.Cut(token, " ")
		if strings.EqualFold(token, "Mozilla") || strings.EqualFold(token, "Opera") {
			return ""
		}
	}
	if !isToken(token) {
		return ""
	}
	return token
}

func isToken(text string) bool {
	return text != "" && len(text) <= 64 && !strings.ContainsFunc(text, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("-_.", c)
	})
}

// base returns the origin of a site in the form in which a request came: by port, by the proxy, or
// by the Host field.
func (w *Web) base(in *http.Request, to *site, named bool) string {
	host, port, err := net.SplitHostPort(in.Host)
	switch {
	case !named && err != nil:
		return "http://" + net.JoinHostPort(in.Host, strconv.Itoa(to.port)) // the main port is 80
	case !named:
		return "http://" + net.JoinHostPort(host, strconv.Itoa(to.port))
	case err != nil:
		return "http://" + to.host()
	}
	return "http://" + net.JoinHostPort(to.host(), port)
}

// wait waits until another request to the site arrives, or for some time. It does not wait if the
// robot has shown already that it makes several requests at a time.
func (s *site) wait(ctx context.Context, longest time.Duration) {
	s.mu.Lock()
	if s.overlapped {
		s.mu.Unlock()
		return
	}
	if s.arrival == nil {
		s.arrival = make(chan struct{})
	}
	arrival := s.arrival
	s.mu.Unlock()
	timer := time.NewTimer(longest)
	defer timer.Stop()
	select {
	case <-arrival:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// deliver writes an answer, and records the end of the request.
func (w *Web) deliver(s *site, v *visit, out http.ResponseWriter, a *answer) {
	if a.broken {
		w.end(s, v, 0, 0, "")
		panic(http.ErrAbortHandler) // closes the connection
	}
	for name, values := range a.header {
		out.Header()[name] = values
	}
	retry := a.header.Get("Retry-After")
	media := a.media
	if media == "" {
		media = "text/html; charset=utf-8"
	}
	out.Header().Set("Content-Type", media)
	if v.path == "/robots.txt" && a.status == http.StatusOK {
		tag := fmt.Sprintf("\"%x\"", sha256.Sum256([]byte(a.body)))
		out.Header().Set("ETag", tag)
		if v.in.Header.Get("If-None-Match") == tag {
			a = &answer{status: http.StatusNotModified}
		}
	}
	if a.write != nil {
		out.WriteHeader(a.status)
		written, whole := a.write(out)
		w.mu.Lock()
		v.early = !whole
		w.mu.Unlock()
		w.end(s, v, a.status, written, retry)
		return
	}
	out.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	w.end(s, v, a.status, int64(len(a.body)), retry)
	out.WriteHeader(a.status)
	if v.Method != http.MethodHead {
		io.WriteString(out, a.body)
	}
}

// end records the end of a request, and logs it.
func (w *Web) end(s *site, v *visit, status int, size int64, retry string) {
	until := retryAfter(retry, w.options.clock.now())
	if c, ok := v.in.Context().Value(connKey{}).(*conn); ok {
		c.end()
	}
	s.mu.Lock()
	s.open--
	s.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.step++
	v.end, v.End = w.step, w.options.clock.now()
	v.Status, v.bytes = status, size
	v.until = until
	w.last = v.End
	if w.options.Log != nil {
		io.WriteString(w.options.Log, v.Request.line(v.UserAgent))
	}
}

// retryAfter returns what a Retry-After field asks for.
func retryAfter(value string, now time.Time) time.Duration {
	if n, err := strconv.Atoi(value); err == nil {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
