package lintsite

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/httpfield"
	"github.com/robotsexclusion/robots/lint"
)

// Ask fetches the robots.txt of an origin. It returns the text, which is empty if
// there is no robots.txt, and how the server answered. It is an error if no server answered:
// nothing is known of the file then.
func (s *Site) Ask(ctx context.Context, origin string) (text string, response *lint.Response, err error) {
	client, transport := s.Client()
	defer transport.CloseIdleConnections()
	last := &lastHeader{transport: transport}
	client.Transport = last
	client.MaxSize = s.MaxSize
	r, err := client.Policy(ctx, origin+"/")
	if err != nil {
		return "", nil, s.Explain(err)
	}
	if r.Status == 0 {
		return "", nil, fmt.Errorf("cannot fetch %s/robots.txt: %w", origin, s.Explain(r.Err))
	}
	response = &lint.Response{URL: r.URL, Status: r.Status, Cause: r.Cause}
	response.MaxAge.Age, response.MaxAge.Known = httpfield.Stated(last.get(), time.Now())
	for _, hop := range r.Redirects {
		response.Redirects = append(response.Redirects, hop.URL)
	}
	if r.State == fetch.OK && r.File != nil {
		text = r.File.Policy.String()
		response.ContentType = r.File.ContentType
	}
	return text, response, nil
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
