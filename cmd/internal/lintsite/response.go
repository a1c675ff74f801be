package lintsite

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/cmd/internal/inforce"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/httpfield"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/lint"
)

// Ask fetches the robots.txt of an origin, or reads it from the history. It returns an empty policy
// if there is no robots.txt, and how the server answered. Ask returns an error if no server
// answered: the file is unknown then. The history has no response headers, so the response is nil
// if the text comes from the history.
func (s *Site) Ask(ctx context.Context, origin string) (policy *robots.Policy, response *lint.Response, err error) {
	if s.At.Given() {
		return s.past(ctx, origin)
	}
	client, transport := s.Client()
	defer transport.CloseIdleConnections()
	last := &lastHeader{transport: transport}
	client.Transport = last
	client.MaxSize = s.MaxSize
	r, err := client.Policy(ctx, origin+"/")
	if err != nil {
		return nil, nil, s.Explain(err)
	}
	if r.Status == 0 {
		return nil, nil, fmt.Errorf("cannot fetch %s/robots.txt: %w", origin, s.Explain(r.Err))
	}
	response = &lint.Response{URL: r.URL, Status: r.Status, Cause: r.Cause}
	response.MaxAge.Age, response.MaxAge.Known = httpfield.Stated(last.get(), time.Now())
	for _, hop := range r.Redirects {
		response.Redirects = append(response.Redirects, hop.URL)
	}
	if r.State == fetch.OK && r.File != nil {
		response.ContentType = r.File.ContentType
		return r.File.Policy, response, nil
	}
	return robots.Parse(nil), response, nil
}

// past reads the robots.txt that was in force for an origin.
func (s *Site) past(ctx context.Context, origin string) (*robots.Policy, *lint.Response, error) {
	v, err := inforce.At(ctx, s.Cache, origin, s.At)
	if err != nil {
		return nil, nil, err
	}
	s.Found(v)
	switch {
	case v.State == fetch.OK:
		return v.Policy, nil, nil
	case v.Status == 0:
		return nil, nil, fmt.Errorf("there is no %s/robots.txt of %s: %s", origin, s.At.Text, printable.Text(v.Cause))
	}
	return robots.Parse(nil), &lint.Response{URL: v.URL, Status: v.Status, Cause: v.Cause}, nil
}

// A lastHeader makes requests, and keeps the header of the last answer.
type lastHeader struct {
	transport http.RoundTripper
	mu        sync.Mutex
	header    http.Header
}

func (l *lastHeader) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := l.transport.RoundTrip(req)
	if err == nil {
		l.mu.Lock()
		l.header = resp.Header.Clone()
		l.mu.Unlock()
	}
	return resp, err
}

// get returns the header of the last answer, or nil.
func (l *lastHeader) get() http.Header {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.header
}
