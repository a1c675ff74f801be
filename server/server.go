// Package server answers questions about robots.txt over HTTP, for programs in any language:
//
//	handler := server.New(server.Config{})
//	http.ListenAndServe("localhost:8080", handler)
//
// The routes are
//
//	GET /healthz   the service answers
//
// Package api has the types of the answers. Errors are problem details (RFC 9457).
package server

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"
)

// A Config has the options of a service. The zero Config is ready to use.
type Config struct {
	// MaxTime limits the time for a request; 0 means 30 seconds.
	MaxTime time.Duration
}

// A Server is the handler of the service. It is safe for concurrent use.
type Server struct {
	config Config
	routes map[string][]*route
}

// New returns the handler of a service.
func New(c Config) *Server {
	if c.MaxTime == 0 {
		c.MaxTime = 30 * time.Second
	}
	s := &Server{config: c, routes: make(map[string][]*route)}
	for i := range routes {
		r := &routes[i]
		s.routes[r.path] = append(s.routes[r.path], r)
	}
	return s
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header["X-Content-Type-Options"] = nosniff
	header["Content-Security-Policy"] = nothing
	header["Referrer-Policy"] = noReferrer
	if err := s.answer(w, r); err != nil {
		writeProblem(w, explain(err))
	}
}

// answer answers a request, unless it returns an error.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) error {
	route, err := s.route(w, r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.config.MaxTime)
	defer cancel()
	return route.serve(s, w, r.WithContext(ctx))
}

// The values of headers that each answer has.
var (
	nosniff    = []string{"nosniff"}
	nothing    = []string{"default-src 'none'; frame-ancestors 'none'"}
	noReferrer = []string{"no-referrer"}
)

// route returns the route of a request.
func (s *Server) route(w http.ResponseWriter, r *http.Request) (*route, error) {
	same := s.routes[r.URL.Path]
	if same == nil {
		return nil, notFound.problem("the service has no resource " + r.URL.Path)
	}
	var methods []string
	for _, route := range same {
		if r.Method == route.method || r.Method == http.MethodHead && route.method == http.MethodGet {
			return route, nil
		}
		methods = append(methods, route.method)
	}
	slices.Sort(methods)
	allow := strings.Join(methods, ", ")
	w.Header().Set("Allow", allow)
	return nil, wrongMethod.problem(r.URL.Path + " answers " + allow)
}
