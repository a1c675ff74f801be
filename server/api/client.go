package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A Client asks a decision service:
//
//	client := &api.Client{URL: "http://127.0.0.1:8010"}
//	answer, err := client.Match(ctx, "https://example.com/x", "ExampleBot")
//
// A request that the service refuses for a while (429, 503), or that fails in the network, is repeated
// after the time that the service names, or else after a growing pause. An error is a [*Problem] if
// the service answered with one. A Client is safe for concurrent use. Do not change it while it is in
// use.
type Client struct {
	URL     string       // of the service, without a path
	Token   string       // the bearer token, if the service asks for one
	HTTP    *http.Client // makes the requests; nil means http.DefaultClient
	Retries int          // how often a request is repeated; 0 means 3, and a negative number never
}

// Limits of a client.
const (
	maxAnswer  = 64 << 20 // bytes
	firstPause = 200 * time.Millisecond
	maxPause   = 30 * time.Second
)

// Match asks which of the robots may fetch a URL, by the robots.txt of its origin.
func (c *Client) Match(ctx context.Context, rawURL string, robots ...string) (*Match, error) {
	return call[Match](ctx, c, "/v1/match?"+url.Values{"url": {rawURL}, "agent": robots}.Encode(), nil)
}

// Robots asks for the robots.txt of an origin.
func (c *Client) Robots(ctx context.Context, origin string) (*File, error) {
	return call[File](ctx, c, "/v1/robots?"+url.Values{"origin": {origin}}.Encode(), nil)
}

// Lint asks for the mistakes in a text.
func (c *Client) Lint(ctx context.Context, q *LintQuestion) (*Report, error) {
	return call[Report](ctx, c, "/v1/lint", q)
}

// Diff asks what a change of a text changes.
func (c *Client) Diff(ctx context.Context, q *DiffQuestion) (*Difference, error) {
	return call[Difference](ctx, c, "/v1/diff", q)
}

// Prove asks whether claims about a text hold.
func (c *Client) Prove(ctx context.Context, q *ProveQuestion) (*Proofs, error) {
	return call[Proofs](ctx, c, "/v1/prove", q)
}

// Minimize asks for a smaller text with the same meaning.
func (c *Client) Minimize(ctx context.Context, q *MinimizeQuestion) (*Minimized, error) {
	return call[Minimized](ctx, c, "/v1/minimize", q)
}

// call asks a question, which is the body of a POST request unless it is nil.
func call[A any](ctx context.Context, c *Client, target string, question any) (*A, error) {
	method, body := http.MethodGet, []byte(nil)
	if question != nil {
		var err error
		if body, err = json.Marshal(question); err != nil {
			return nil, err
		}
		method = http.MethodPost
	}
	retries := c.Retries
	if retries == 0 {
		retries = 3
	}
	pause := firstPause
	for {
		answer := new(A)
		wait, err := c.once(ctx, method, target, body, answer)
		if err == nil {
			return answer, nil
		}
		if wait < 0 || retries <= 0 || ctx.Err() != nil {
			return nil, err
		}
		if retries, wait, pause = retries-1, max(wait, pause), 2*pause; wait > maxPause {
			return nil, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, err
		}
	}
}

// once makes a request. With an error, wait is how long the service asks to wait, or negative if
// repeating the request does not help.
func (c *Client) once(ctx context.Context, method, target string, body []byte, answer any) (wait time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+target, bytes.NewReader(body))
	if err != nil {
		return -1, err
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.Token)
	}
	client := c.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	response, err := client.Do(r)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return 0, err
	case len(text) > maxAnswer:
		return -1, errors.New("the answer of the service is too large")
	case response.StatusCode == http.StatusOK:
		if err := json.Unmarshal(text, answer); err != nil {
			return -1, fmt.Errorf("the answer of the service is not the object asked for: %w", err)
		}
		return 0, nil
	}
	p := new(Problem)
	if json.Unmarshal(text, p) != nil || p.Title == "" {
		p = &Problem{Title: "the server answers without a problem", Status: response.StatusCode}
	}
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
		return -1, p
	}
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // 0 if it is a date
	return time.Duration(min(max(seconds, 0), 1<<20)) * time.Second, p
}
