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
// A request that the service refuses for a while (429, 503), or that fails in the network, is
// repeated after the time that the service names, or else after a growing pause. An error is a
// [*Problem] if the service answered with one. A Client is safe for concurrent use. Do not change
// it while it is in use.
type Client struct {
	URL     string // of the service, without a path
	Token   string // the bearer token, if the service asks for one
	Dialect string // of the answers of Match, and of questions of Ask without one; "" means rfc9309
	Retries int    // how often a request is repeated; 0 means 3, and a negative number never

	// HTTP makes the requests; nil means http.DefaultClient. The answers of Match and Robots have a
	// Cache-Control and an ETag, so a Transport that caches saves requests.
	HTTP *http.Client
}

// Limits of a client.
const (
	maxAnswer  = 64 << 20 // bytes
	maxLines   = 4 << 20  // bytes of questions in a request, or one question that is longer
	firstPause = 200 * time.Millisecond
	maxPause   = 30 * time.Second
)

// Match asks which of the robots may fetch a URL, by the robots.txt of its origin.
func (c *Client) Match(ctx context.Context, rawURL string, robots ...string) (*Match, error) {
	query := url.Values{"url": {rawURL}, "agent": robots}
	if c.Dialect != "" {
		query.Set("dialect", c.Dialect)
	}
	return call[Match](ctx, c, "/v1/match?"+query.Encode(), nil)
}

// Ask asks questions about texts of robots.txt, and returns the answers in the same order. A
// question without a text is about the text of the question before. Many questions are asked in
// several requests. An error means that there are no answers; a mistake in one question is in the
// answer to that question.
func (c *Client) Ask(ctx context.Context, questions []Question) ([]Answer, error) {
	target := "/v1/match"
	if c.Dialect != "" {
		target += "?" + url.Values{"dialect": {c.Dialect}}.Encode()
	}
	var answers []Answer
	var text Question // the last one with a text
	for len(questions) > 0 {
		var body []byte
		n := 0
		for ; n < len(questions); n++ {
			q := questions[n]
			if q.Robots != nil || q.RobotsBase64 != nil {
				text = q
			} else if n == 0 {
				q.Robots, q.RobotsBase64 = text.Robots, text.RobotsBase64
			}
			line, err := json.Marshal(q)
			if err != nil {
				return nil, err
			}
			if n > 0 && len(body)+len(line) > maxLines {
				break
			}
			body = append(append(body, line...), '\n')
		}
		var got []Answer
		err := c.repeat(ctx, http.MethodPost, target, "application/jsonl", body, func(lines []byte) (err error) {
			got, err = readAnswers(lines, n)
			return err
		})
		if err != nil {
			return nil, err
		}
		answers, questions = append(answers, got...), questions[n:]
	}
	return answers, nil
}

// readAnswers reads the answers to a number of questions.
func readAnswers(lines []byte, questions int) ([]Answer, error) {
	answers := make([]Answer, 0, questions)
	for line := range bytes.Lines(lines) {
		var a Answer
		if err := json.Unmarshal(line, &a); err != nil {
			return nil, err
		}
		answers = append(answers, a)
	}
	if len(answers) != questions {
		return nil, fmt.Errorf("there are %d answers to %d questions", len(answers), questions)
	}
	return answers, nil
}

// Robots asks for the robots.txt of an origin.
func (c *Client) Robots(ctx context.Context, origin string) (*File, error) {
	return call[File](ctx, c, "/v1/robots?"+url.Values{"origin": {origin}}.Encode(), nil)
}

// Lint asks for the mistakes in a text.
func (c *Client) Lint(ctx context.Context, q *LintQuestion) (*Report, error) {
	return call[Report](ctx, c, "/v1/lint", q)
}

// Diff asks what a change of a text means.
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
	answer := new(A)
	err := c.repeat(ctx, method, target, "application/json", body,
		func(text []byte) error { return json.Unmarshal(text, answer) })
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// repeat makes a request until the service answers, and reads the answer.
func (c *Client) repeat(ctx context.Context, method, target, media string, body []byte, read func([]byte) error) error {
	retries := c.Retries
	if retries == 0 {
		retries = 3
	}
	pause := firstPause
	for {
		wait, err := c.once(ctx, method, target, media, body, read)
		if err == nil || wait < 0 || retries <= 0 || ctx.Err() != nil {
			return err
		}
		if retries, wait, pause = retries-1, max(wait, pause), 2*pause; wait > maxPause {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return err
		}
	}
}

// once makes a request. With an error, wait is how long the service asks to wait, or negative if
// repeating the request does not help.
func (c *Client) once(ctx context.Context, method, target, media string, body []byte,
	read func([]byte) error) (wait time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+target, bytes.NewReader(body))
	if err != nil {
		return -1, err
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", media)
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
		if err := read(text); err != nil {
			return -1, fmt.Errorf("the answer of the service is not what was asked for: %w", err)
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
