package opensearch

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

const (
	tries       = 9               // of a batch: with the pauses these take four minutes
	firstPause  = time.Second     // doubled after each try
	maxPause    = 2 * time.Minute // also where the server asks for more
	answerTime  = 2 * time.Minute // OpenSearch itself gives up after one
	maxAnswer   = 32 << 20        // bytes
	maxTold     = 20              // refused pages that are logged one by one
	passwordEnv = "OPENSEARCH_PASSWORD"
)

// A Server is an index of an OpenSearch server.
type Server struct {
	url    *url.URL // without the user
	user   *url.Userinfo
	client *http.Client
	log    *slog.Logger
	wait   func(context.Context, time.Duration) error
}

// names are the names that OpenSearch allows for an index.
var names = regexp.MustCompile(`^[^-_+.A-Z\\/*?"<>| ,#:\pC][^A-Z\\/*?"<>| ,#:\pC]{0,254}$`)

// NewServer returns the index of a URL, such as http://localhost:9200/pages. It connects to nobody
// yet. If the URL has a user without a password, that is in the variable OPENSEARCH_PASSWORD.
func NewServer(address string, log *slog.Logger) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.RawQuery != "" ||
		u.Fragment != "" {
		return nil, fmt.Errorf(
			"%s is not the URL of an index: write it as http://localhost:9200/pages",
			shown(address, u),
		)
	}
	u.Path = strings.TrimSuffix(u.Path, "/")
	if name := path.Base(u.Path); !names.MatchString(name) {
		return nil, fmt.Errorf(
			"%s names no index: write it as http://localhost:9200/pages, in lower case",
			shown(address, u),
		)
	}
	s := &Server{url: u, user: u.User, log: log, wait: wait}
	u.User = nil
	if s.user != nil {
		if _, ok := s.user.Password(); !ok {
			s.user = url.UserPassword(s.user.Username(), os.Getenv(passwordEnv))
		}
	}
	s.client = &http.Client{Timeout: answerTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return s, nil
}

// shown returns an address without its password.
func shown(address string, u *url.URL) string {
	if u == nil {
		return "the address"
	}
	if u.User != nil {
		address = u.Redacted()
	}
	return printable.Quoted(address, 100)
}

// String returns the URL without the user.
func (s *Server) String() string { return s.url.String() }

// wait waits for a time, or for the end of a context.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Create creates the index with the mapping, if there is none, and reports whether it did.
func (s *Server) Create(ctx context.Context) (bool, error) {
	a, err := s.do(ctx, http.MethodHead, "", "", nil) // a wrong address must not take minutes
	if err == nil && isBusy(a.status) {
		a, err = s.patiently(ctx, http.MethodHead, "", "", nil)
	}
	switch {
	case err != nil:
		return false, err
	case a.status == http.StatusOK:
		return false, nil
	case a.status != http.StatusNotFound:
		return false, s.refused("look for the index", a)
	}
	a, err = s.patiently(ctx, http.MethodPut, "", "application/json", Mapping)
	switch {
	case err != nil:
		return false, err
	case a.status == http.StatusBadRequest && bytes.Contains(a.body, []byte("resource_already_exists_exception")):
		return false, nil // somebody else was faster
	case a.status != http.StatusOK:
		return false, s.refused("create the index", a)
	}
	return true, nil
}

// Bulk returns a Bulk that sends its batches to the server until the context ends. A batch, or the
// pages of a batch, for which the server has no room are sent again after a pause.
func (s *Server) Bulk(ctx context.Context) *Bulk {
	b := new(Bulk)
	b.send = func(items []item, body []byte) error { return s.batch(ctx, b, items, body) }
	b.ended = func() error {
		s.client.CloseIdleConnections()
		return nil
	}
	return b
}

// batch sends a batch, and again what there was no room for.
func (s *Server) batch(ctx context.Context, b *Bulk, items []item, body []byte) error {
	for try := 1; ; try++ {
		a, err := s.patiently(ctx, http.MethodPost, "/_bulk", "application/x-ndjson", body)
		if err != nil {
			return err
		}
		switch {
		case a.status == http.StatusRequestEntityTooLarge && len(items) > 1:
			half := len(items) / 2
			if err := s.batch(ctx, b, items[:half], joined(items[:half])); err != nil {
				return err
			}
			items = items[half:]
			body, try = joined(items), 0
			continue
		case a.status == http.StatusRequestEntityTooLarge:
			s.refuse(b, items[0], "it is too large for the server")
			return nil
		case a.status != http.StatusOK:
			return s.refused("take a batch", a)
		}
		again, err := s.read(b, items, a.body)
		if err != nil || len(again) == 0 {
			return err
		}
		if try == tries {
			return fmt.Errorf("%s has had no room for %d pages %d times: try again later", s, len(again), tries)
		}
		if err := s.wait(ctx, pause(try, a.after)); err != nil {
			return err
		}
		items, body = again, joined(again)
	}
}

// A bulkAnswer is the answer to a batch.
type bulkAnswer struct {
	Items []map[string]struct {
		ID     string `json:"_id"`
		Status int    `json:"status"`
		Error  struct {
			Type   string `json:"type"`
			Reason string `json:"reason"`
		} `json:"error"`
	} `json:"items"`
}

// read reads the answer to items, and returns those to send again.
func (s *Server) read(b *Bulk, items []item, body []byte) (again []item, err error) {
	var a bulkAnswer
	if err := json.Unmarshal(body, &a); err != nil || len(a.Items) != len(items) {
		return nil, fmt.Errorf("the answer of %s is not that of OpenSearch to %d actions", s, len(items))
	}
	for i, one := range a.Items {
		is, ok := one[items[i].name]
		if !ok || is.ID != items[i].id {
			return nil, fmt.Errorf("the answer of %s is not that of OpenSearch to %d actions", s, len(items))
		}
		switch {
		case is.Status >= 200 && is.Status < 300:
		case is.Status == http.StatusNotFound && items[i].name == "delete" && is.Error.Type == "":
		case is.Status == http.StatusConflict:
			b.Older++
		case isBusy(is.Status):
			again = append(again, items[i])
		default:
			s.refuse(b, items[i], fmt.Sprintf("%d %s: %s", is.Status, is.Error.Type, is.Error.Reason))
		}
	}
	return again, nil
}

// refuse counts and reports a page that the server refused.
func (s *Server) refuse(b *Bulk, i item, why string) {
	switch b.Refused++; {
	case s.log == nil:
	case b.Refused <= maxTold:
		s.log.Warn("refused by the server", "url", printable.Clipped(i.url, 200), "error", printable.Clipped(why, 500))
	case b.Refused == maxTold+1:
		s.log.Warn("more is refused, and only counted from now on")
	}
}

// isBusy reports whether a status means that the same may be taken later.
func isBusy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusBadGateway ||
		status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}

// pause returns the pause after a try.
func pause(try int, after time.Duration) time.Duration {
	return min(max(firstPause<<(try-1), after), maxPause)
}

// An httpAnswer is an answer of the server.
type httpAnswer struct {
	status int
	after  time.Duration // that the server asks for
	body   []byte
}

// refused returns the error of an answer that is not a success.
func (s *Server) refused(what string, a *httpAnswer) error {
	var said struct {
		Error json.RawMessage `json:"error"` // a text, or an object
	}
	var object struct{ Type, Reason string }
	json.Unmarshal(a.body, &said)
	json.Unmarshal(said.Error, &object)
	why := printable.Clipped(cmp.Or(strings.TrimPrefix(object.Type+": "+object.Reason, ": "), string(said.Error)), 300)
	if a.status == http.StatusUnauthorized || a.status == http.StatusForbidden {
		why = "give the user in the URL, as https://user@host:9200/pages, and the password in " + passwordEnv
	}
	return fmt.Errorf("%s does not %s: status %d: %s", s, what, a.status, why)
}

// patiently makes a request, again while the server is busy or does not answer.
func (s *Server) patiently(ctx context.Context, method, path, kind string, body []byte) (*httpAnswer, error) {
	for try := 1; ; try++ {
		a, err := s.do(ctx, method, path, kind, body)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil && !isBusy(a.status):
			return a, nil
		case try == tries && err == nil:
			return nil, s.refused("take requests", a)
		case try == tries:
			return nil, err
		}
		after := time.Duration(0)
		if a != nil {
			after = a.after
		}
		if s.log != nil {
			s.log.Warn("the server is busy or does not answer: the request is repeated", "try", try, "error", err)
		}
		if err := s.wait(ctx, pause(try, after)); err != nil {
			return nil, err
		}
	}
}

// do makes a request.
func (s *Server) do(ctx context.Context, method, path, kind string, body []byte) (*httpAnswer, error) {
	r, err := http.NewRequestWithContext(ctx, method, s.url.String()+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	if s.user != nil {
		password, _ := s.user.Password()
		r.SetBasicAuth(s.user.Username(), password)
	}
	resp, err := s.client.Do(r)
	if err != nil {
		var wrapped *url.Error // it repeats the URL
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, fmt.Errorf("%s does not answer: %w", s, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return nil, fmt.Errorf("the answer of %s ended too early: %w", s, err)
	}
	a := &httpAnswer{status: resp.StatusCode, body: text}
	if n, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && n > 0 {
		a.after = time.Duration(min(n, 3600)) * time.Second
	}
	return a, nil
}
