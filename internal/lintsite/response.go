package lintsite

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/fetch"
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
	response = &lint.Response{URL: r.URL, Status: r.Status, Cause: r.Cause, MaxAge: maxAge(last.get())}
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

// maxAge returns how long caches may use an answer, from Cache-Control or else from Expires
// (RFC 9111, sections 5.2.2 and 5.3).
func maxAge(h http.Header) (age lint.Age) {
	for _, value := range h.Values("Cache-Control") {
		for directive := range strings.SplitSeq(strings.ToLower(value), ",") {
			name, argument, _ := strings.Cut(strings.TrimSpace(directive), "=")
			switch name {
			case "no-store", "no-cache":
				return lint.Age{Known: true}
			case "max-age":
				seconds, err := strconv.ParseUint(strings.Trim(argument, "\" "), 10, 64)
				if errors.Is(err, strconv.ErrRange) || seconds > maxAgeSeconds {
					seconds, err = maxAgeSeconds, nil
				}
				if err == nil {
					age = lint.Age{Known: true, Age: time.Duration(seconds) * time.Second}
				}
			}
		}
	}
	if age.Known {
		return age
	}
	expires, err := http.ParseTime(h.Get("Expires"))
	date, dateErr := http.ParseTime(h.Get("Date"))
	switch {
	case h.Get("Expires") == "":
		return lint.Age{}
	case err != nil: // such as "0": the answer has expired
		return lint.Age{Known: true}
	case dateErr != nil:
		return lint.Age{}
	}
	return lint.Age{Known: true, Age: max(0, expires.Sub(date))}
}

// maxAgeSeconds is the maximum max-age reported: a hundred years.
const maxAgeSeconds = 100 * 365 * 24 * 60 * 60
