package index

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// PartPath is the path of [Served] below the URL of a [Remote] index.
const PartPath = "/v1/search/part"

// MaxAsked limits the bytes of a question in JSON: those of the longest URLs.
const MaxAsked = maxURLs*(maxURL+16) + 64<<10

const (
	maxAnswered = 32 << 20         // bytes of an answer in JSON
	patience    = 25 * time.Second // for an answer: a server gives up before
)

// Served answers a question in JSON for a server of an index. The error is a *QueryError if the
// question is invalid.
func (x *Index) Served(ctx context.Context, body []byte) (*Answer, error) {
	var q Question
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, &QueryError{Reason: "the question is no JSON of this program"}
	}
	return x.Ask(ctx, &q)
}

// A Remote index is served by another process, over HTTP.
type Remote struct {
	url    *url.URL
	client *http.Client
}

// NewRemote returns the index of a server, such as http://127.0.0.1:8030. It connects to nobody
// yet.
func NewRemote(address string) (*Remote, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" ||
		u.Fragment != "" {
		return nil, fmt.Errorf(
			"%s is not the URL of a server: write it as http://127.0.0.1:8030",
			printable.Quoted(address, 80),
		)
	}
	u.Path = strings.TrimSuffix(u.Path, "/") + PartPath
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
		TLSHandshakeTimeout: 5 * time.Second, MaxResponseHeaderBytes: 64 << 10, IdleConnTimeout: time.Minute,
	}
	return &Remote{u, &http.Client{Transport: transport, Timeout: patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}, nil
}

// String returns the URL of the server without its password.
func (x *Remote) String() string {
	return strings.TrimSuffix(x.url.Redacted(), PartPath)
}

// Close closes the connections.
func (x *Remote) Close() error {
	x.client.CloseIdleConnections()
	return nil
}

// Ask implements [Asker].
func (x *Remote) Ask(ctx context.Context, q *Question) (*Answer, error) {
	body, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, x.url.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := x.client.Do(r)
	if err != nil {
		var wrapped *url.Error // it repeats the URL
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, fmt.Errorf("it does not answer: %w", err)
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswered+1))
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case err != nil:
		return nil, fmt.Errorf("its answer ended too early: %w", err)
	case len(body) > maxAnswered:
		return nil, fmt.Errorf("its answer is longer than %d MiB", maxAnswered>>20)
	case resp.StatusCode == http.StatusNotFound && kind != "application/problem+json":
		return nil, errors.New("it serves no index, or is of an older version: name the URL of robots crawl serve")
	case resp.StatusCode != http.StatusOK:
		var problem struct{ Title, Detail string }
		json.Unmarshal(body, &problem) // without one the status has to do
		return nil, fmt.Errorf(
			"it answers %d %s",
			resp.StatusCode,
			printable.Clipped(problem.Title+": "+problem.Detail, 300),
		)
	}
	answer := new(Answer)
	if kind != "application/json" || json.Unmarshal(body, answer) != nil {
		return nil, errors.New("its answer is no JSON of this program: name the URL of robots crawl serve")
	}
	return answer, nil
}
