// Package server answers questions about robots.txt over HTTP, for programs in any language:
//
//	handler := server.New(server.Config{Client: &fetch.Client{
//		UserAgent: "ExampleService/1.0 (+https://example.com/bot)",
//		Cache:     &fetch.Memory{Behind: fetch.Dir("/var/cache/robots")},
//	}})
//	http.ListenAndServe("localhost:8080", handler)
//
// The routes are
//
//	GET /v1/match?url=URL&agent=ROBOT   may the robot fetch the URL?
//	POST /v1/match                      the same for lines of questions with the text of robots.txt
//	GET /v1/robots?origin=ORIGIN        the robots.txt of an origin
//	GET /v1/history?origin=ORIGIN       its earlier versions, with Config.History
//	GET /v1/report?url=URL              the report card of a site
//	POST /v1/report                     the report card of a text
//	GET /v1/badge?url=URL               a picture with the answer for search and AI training
//	POST /v1/badge                      the same picture for a text
//	POST /v1/lint                       mistakes in a text
//	POST /v1/diff                       what a change of a text means
//	POST /v1/prove                      whether claims about a text hold
//	POST /v1/minimize                   a text without the lines that change nothing
//	GET /openapi.json                   the OpenAPI 3.1 document of all of this
//	GET /healthz                        status 200 while the service runs
//
// A valid traceparent of a question, with its tracestate, is passed on to the origins that are
// fetched for the question (W3C Trace Context).
//
// Package api has the types of the answers. Errors are problem details (RFC 9457). A URL can lead
// the service to any host: the [fetch.DialFilter] of the client refuses addresses that are not
// public.
package server

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/httpfield"
	"github.com/robotsexclusion/robots/internal/http/ownhost"
)

// A Config has the options of a service. The zero Config is ready to use.
type Config struct {
	// Client fetches robots.txt. Nil means a zero Client with a Timeout of 20 seconds. The Timeout
	// of any other Client should be less than MaxTime: otherwise slow fetches are cancelled,
	// nothing is cached, and the next question begins again.
	Client *fetch.Client

	// History, if not "", is the folder where Client keeps its fetches. GET /v1/history answers
	// with the versions there.
	History fetch.Dir

	// Robots is the table of known robots. Nil means the table of package agent.
	Robots *agent.Table

	// MaxTime limits the time for a request, including its body and fetches; 0 means 30 seconds. A
	// client gets at most 5 seconds more to read the answer, and no more than MaxTime; then the
	// connection is closed, or the stream of HTTP/2 reset.
	MaxTime time.Duration

	// Tokens are bearer tokens. Each request must have one of them in its Authorization header;
	// without Tokens every client may ask. GET /healthz needs no token.
	Tokens []string

	// Origins are the origins of web pages that may ask, such as https://example.com, or "*" for
	// all pages (CORS). Requests that browsers send for other pages are refused, except for
	// those of the service's own origin.
	Origins []string

	// Hosts, if not nil, are names of the service, without ports. Then requests for other hosts are
	// refused, except for IP addresses, localhost and the name of the machine: a web page could
	// have given its own name the address of the service (DNS rebinding), and would pass for a page
	// of the service. If Hosts is nil, the caller must refuse such requests, or every network that
	// the service reaches must be public.
	Hosts []string

	// Rate is the number of requests per second that each client may send in the long run; 0 means
	// no limit. A client is an IPv4 address, or an IPv6 network of 64 bits. Burst is the number of
	// requests that a client may send at once; 0 means 100. Other requests are refused with status
	// 429.
	Rate  float64
	Burst int

	// Address returns the address of the client of a request. Nil means the other end of the
	// connection; behind a proxy, that is the proxy.
	Address func(*http.Request) netip.Addr

	// MaxRequests is the maximum number of concurrent requests; 0 means 4,096. Others are refused
	// with status 503. Of these, and of MaxBodies and MaxFetches, a client may use only as many as
	// are free, so one client alone can use about half.
	MaxRequests int

	// MaxBody is the maximum size of a body in bytes; 0 means 16 MiB.
	MaxBody int64

	// MaxBodies is the maximum number of concurrent requests with a body; 0 means 64. Others are
	// refused with status 503.
	MaxBodies int

	// MaxFetches is the maximum number of concurrent fetches; 0 means 256. A question that needs
	// another fetch is refused with status 503.
	MaxFetches int

	// Page, if not nil, answers the requests for paths that are neither routes nor below /v1/, such
	// as those of a web page. Such requests need no token, and have the same limits.
	Page http.Handler

	// Record, if not nil, is called after each answer, concurrently. The Record and its Request are
	// valid until it returns.
	Record func(*Record)
}

// A Server is the handler of the service. It is safe for concurrent use.
type Server struct {
	config     Config
	names      names
	hosts      *ownhost.Names
	origins    origins
	document   func() []byte       // the OpenAPI document
	clients    *clients            // nil without a limit
	tokens     [][sha256.Size]byte // the hashes of Config.Tokens
	policies   ask.Policies        // of the questions that give a text
	requests   *places
	bodies     *places       // of requests with a body
	processors chan struct{} // a place for each analysis of texts
	routes     map[string][]*boundRoute
}

// New returns the handler of a service.
func New(c Config) *Server {
	if c.Client == nil {
		c.Client = &fetch.Client{Timeout: 20 * time.Second, Cache: new(fetch.Memory)}
	}
	if c.MaxTime == 0 {
		c.MaxTime = 30 * time.Second
	}
	if c.Burst == 0 {
		c.Burst = 100
	}
	if c.Address == nil {
		c.Address = remoteAddr
	}
	if c.MaxRequests == 0 {
		c.MaxRequests = 4096
	}
	if c.MaxBody == 0 {
		c.MaxBody = 16 << 20
	}
	if c.MaxBodies == 0 {
		c.MaxBodies = 64
	}
	if c.MaxFetches == 0 {
		c.MaxFetches = 256
	}
	s := &Server{
		config: c, names: names{table: c.Robots}, hosts: ownhost.New(c.Hosts...), tokens: hashes(c.Tokens),
		routes: make(map[string][]*boundRoute), bodies: newPlaces(c.MaxBodies), requests: newPlaces(c.MaxRequests),
		processors: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
	}
	if c.Rate > 0 {
		interval := time.Duration(float64(time.Second) / c.Rate)
		s.clients = &clients{interval: interval, burst: time.Duration(c.Burst-1) * interval}
	}
	s.document = sync.OnceValue(s.makeDocument)
	s.origins = origins{client: c.Client, fetches: newPlaces(c.MaxFetches), clientOf: s.client, maxTime: c.MaxTime}
	asks := ask.Config{Policy: s.origins.policy}
	if _, ok := c.Client.Cache.(fetch.Leaser); ok {
		asks.MaxAge = time.Second // then the answer is that of the processes that share the cache
	}
	s.origins.asks = ask.New(asks)
	for i := range routes {
		r := &routes[i]
		s.routes[r.path] = append(s.routes[r.path], &boundRoute{r, parametersOf(r.query)})
	}
	return s
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if trace := httpfield.TraceOf(r.Header); trace.Parent != "" {
		r = r.WithContext(httpfield.WithTrace(r.Context(), trace))
	}
	if s.config.Record == nil {
		s.serve(w, r)
		return
	}
	rec, r := s.startRecord(w, r)
	defer rec.finish(s)
	s.serve(rec, r)
	rec.ended = true
}

// serve answers a request.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header["X-Content-Type-Options"] = nosniff
	header["Content-Security-Policy"] = nothing
	header["Referrer-Policy"] = noReferrer
	limitTime(w, r, s.config.MaxTime)
	if s.config.Hosts != nil && !s.hosts.Known(r.Host) {
		writeProblem(w, wrongHost.problem(ownhost.WrongHost(r.Host, "--host")))
		return
	}
	if s.share(w, r) {
		return
	}
	if err := s.answer(w, r); err != nil {
		writeProblem(w, explain(err))
	}
}

// maxGrace is the most time to send an answer after the time for the request is over.
const maxGrace = 5 * time.Second

// limitTime sets deadlines for reading the body of a request and writing its answer. A context does
// not end a write to a client that reads nothing, which would keep its place among the concurrent
// requests. A ResponseWriter without deadlines, as in tests, has no slow connection.
func limitTime(w http.ResponseWriter, r *http.Request, most time.Duration) {
	control, end := http.NewResponseController(w), time.Now().Add(most)
	if r.Body != http.NoBody {
		control.SetReadDeadline(end)
	}
	// net/http removes the deadline after each request, so that requests of a connection cannot
	// share one.
	control.SetWriteDeadline(end.Add(min(maxGrace, most)))
}

// answer answers a request, unless it returns an error.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) error {
	same := s.routes[r.URL.Path]
	// programs that mistype a route read problems
	if same == nil && s.config.Page != nil && !strings.HasPrefix(r.URL.Path, "/v1/") {
		client, err := s.enter(w, r)
		if err != nil {
			return err
		}
		defer s.requests.give(client)
		s.config.Page.ServeHTTP(w, r)
		return nil
	}
	route, err := routeOf(same, w, r)
	if err != nil {
		return err
	}
	recordRoute(w, route)
	if strings.HasPrefix(route.path, "/v1/") && s.foreign(r) {
		return foreignPage.problem("only pages of this service, and of origins that its operator names, may ask")
	}
	if !route.always {
		client, err := s.admit(w, r)
		if err != nil {
			return err
		}
		defer s.requests.give(client)
	}
	if route.quick {
		return route.serve(s, route, w, r)
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.config.MaxTime)
	defer cancel()
	return route.serve(s, route, w, r.WithContext(ctx))
}

// admit takes a place for a request. Without an error, the caller gives the place of the client
// back.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) (client netip.Prefix, err error) {
	if !s.authorized(r) {
		w.Header().Set("Www-Authenticate", "Bearer")
		return client,
			unauthorized.problem("send the header Authorization: Bearer TOKEN, with a token that the operator gave you")
	}
	return s.enter(w, r)
}

// enter takes a place for a request, if the client may make one more. Without an error, the caller
// gives the place back.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) (client netip.Prefix, err error) {
	client = s.client(r)
	if s.clients != nil {
		if wait := s.clients.take(client, time.Now()); wait > 0 {
			w.Header().Set("Retry-After", strconv.FormatInt(int64((wait+time.Second-1)/time.Second), 10))
			return client, tooMany.problem(fmt.Sprintf("a client may make %g requests a second", s.config.Rate))
		}
	}
	if !s.requests.take(client) {
		return client, busy.problem("too many requests are being answered: repeat the request later")
	}
	return client, nil
}

// client returns the client of a request.
func (s *Server) client(r *http.Request) netip.Prefix { return prefixOf(s.config.Address(r)) }

// The values of headers that each answer has.
var (
	nosniff    = []string{"nosniff"}
	nothing    = []string{"default-src 'none'; frame-ancestors 'none'"}
	noReferrer = []string{"no-referrer"}
)

// routeOf returns the route of a request, of those with its path.
func routeOf(same []*boundRoute, w http.ResponseWriter, r *http.Request) (*boundRoute, error) {
	if same == nil {
		return nil, notFound.problem("the service has no resource " + r.URL.Path)
	}
	var methods []string
	for _, route := range same {
		if r.Method == route.method || r.Method == http.MethodHead && route.method == http.MethodGet {
			return route, nil
		}
		methods = append(methods, route.method)
		if route.method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
	}
	slices.Sort(methods)
	allow := strings.Join(methods, ", ")
	w.Header().Set("Allow", allow)
	return nil, wrongMethod.problem(r.URL.Path + " answers " + allow)
}
