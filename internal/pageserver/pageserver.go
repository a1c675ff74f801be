// Package pageserver serves the page for browsers of a running program, such as a watch or a crawl,
// with the state of the program as JSON:
//
//	s, err := pageserver.Start("127.0.0.1:8020", pageserver.Config{
//		Page:   web.Handler(web.Services{Watch: "v1/"}),
//		Routes: []pageserver.Route{{Path: "/v1/watch", Query: []string{"limit"}, Answer: answer}},
//	})
//
// The server only reads, and has no password: every client that can connect sees everything. A
// browser on the same machine may also have pages of strangers open: package ownhost keeps these
// out, and answers are for pages of the same origin only.
package pageserver

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/robotsexclusion/robots/internal/http/fault"
)

// A Config configures a server.
type Config struct {
	Page   http.Handler // answers the requests for all other paths
	Routes []Route

	// Hosts are further names in the Host header of requests, without ports, such as that of a
	// proxy's site.
	Hosts []string
}

// A Route answers GET requests for a path, or POST requests.
type Route struct {
	Path  string
	Query []string // the parameters, each of which may be given once

	// Answer returns an answer, which becomes JSON. The text of an error is shown as it is.
	Answer func(ctx context.Context, query url.Values) (any, error)

	// Posted takes the place of Answer for POST requests with a body in JSON, of MaxBody bytes at
	// most. It is for questions that are too long for a query, and changes nothing either.
	Posted  func(ctx context.Context, body []byte) (any, error)
	MaxBody int
}

const (
	maxTime  = 20 * time.Second // for an answer
	maxGrace = 5 * time.Second  // to send it
	maxQuery = 4 << 10          // bytes
	maxOpen  = 32               // answers that are made at a time
	goodbye  = 2 * time.Second  // for open answers when the server closes
)

// A Server serves the page.
type Server struct {
	http     *http.Server
	listener net.Listener
	served   chan struct{}
}

// Start serves the page at an address until the server is closed.
func Start(address string, c Config) (*Server, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fault.Listening(err)
	}
	s := &Server{listener: l, served: make(chan struct{}), http: &http.Server{
		Handler: newHandler(c), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: maxTime, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 32 << 10,
		ErrorLog:       log.New(io.Discard, "", 0),
	}}
	go func() {
		defer close(s.served)
		s.http.Serve(l)
	}()
	return s, nil
}

// URL returns the address of the page.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/" }

// Close closes the server. Open answers have two seconds to complete.
func (s *Server) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), goodbye)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		s.http.Close()
	}
	<-s.served
}
