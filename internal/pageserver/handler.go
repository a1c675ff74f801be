package pageserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/http/httpfield"
	"github.com/robotsexclusion/robots/internal/http/ownhost"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A handler answers the requests.
type handler struct {
	page   http.Handler
	routes map[string]*Route
	names  *ownhost.Names
	open   chan struct{} // a place for each answer that is made
}

func newHandler(c Config) *handler {
	h := &handler{page: c.Page, routes: make(map[string]*Route), names: ownhost.New(c.Hosts...),
		open: make(chan struct{}, maxOpen)}
	for i := range c.Routes {
		h.routes[c.Routes[i].Path] = &c.Routes[i]
	}
	return h
}

// The types of problems are those of package server, whose page describes them, and one more.
const (
	typeURI  = "https://github.com/robotsexclusion/robots/blob/main/doc/serve.md#"
	typeHost = "https://github.com/robotsexclusion/robots/blob/main/doc/page.md#a-page-beside-a-program"
)

// BadParameter returns the problem of a parameter that is invalid. The detail may have text of
// strangers.
func BadParameter(format string, args ...any) error {
	return newProblem("bad-parameter", http.StatusBadRequest, "a parameter is missing, unknown or invalid",
		fmt.Sprintf(format, args...))
}

// NotFound returns the problem of something that does not exist.
func NotFound(detail string) error {
	return newProblem("not-found", http.StatusNotFound, "there is no such resource", detail)
}

// Unavailable returns the problem of a program that does not answer now.
func Unavailable(detail string) error {
	return newProblem("busy", http.StatusServiceUnavailable, "the service has too much to do", detail)
}

// A problem is an error that clients see as problem details (RFC 9457).
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
}

func (p *problem) Error() string { return p.Title + ": " + p.Detail }

func newProblem(name string, status int, title, detail string) *problem {
	return &problem{Type: typeURI + name, Title: title, Status: status, Detail: printable.Clipped(detail, 1000)}
}

// ServeHTTP answers a request.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	control.SetWriteDeadline(time.Now().Add(maxTime + maxGrace))
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Referrer-Policy", "no-referrer")
	if err := h.answer(w, r); err != nil {
		fail(w, err)
	}
}

// answer answers a request, unless it returns an error.
func (h *handler) answer(w http.ResponseWriter, r *http.Request) error {
	if r.Host == "" || !h.names.Known(r.Host) { // browsers name a host
		p := newProblem("", http.StatusMisdirectedRequest, "the server does not go by this name",
			ownhost.WrongHost(r.Host, "--host"))
		p.Type = typeHost
		return p
	}
	route := h.routes[r.URL.Path]
	if route == nil {
		h.page.ServeHTTP(w, r)
		return nil
	}
	methods := []string{http.MethodGet, http.MethodHead}
	if route.Posted != nil {
		methods = []string{http.MethodPost}
	}
	if !slices.Contains(methods, r.Method) {
		allowed := strings.Join(methods, ", ")
		w.Header().Set("Allow", allowed)
		return newProblem("wrong-method", http.StatusMethodNotAllowed, "the resource does not know the method",
			route.Path+" answers "+allowed)
	}
	if h.names.Foreign(r) {
		p := newProblem("", http.StatusForbidden, "the request is of a page of another site",
			"open the page of this server")
		p.Type = typeHost
		return p
	}
	query, err := route.query(r.URL.RawQuery)
	if err != nil {
		return err
	}
	select {
	case h.open <- struct{}{}:
		defer func() { <-h.open }()
	default:
		return Unavailable("repeat the request later")
	}
	ctx, cancel := context.WithTimeout(r.Context(), maxTime)
	defer cancel()
	value, err := route.answer(ctx, r, query)
	if err != nil {
		return err
	}
	body, err := json.Marshal(value) // with "<", ">" and "&" escaped
	if err != nil {
		return err
	}
	send(w, r, append(printable.JSON(body), '\n'))
	return nil
}

// answer returns the answer to a request.
func (route *Route) answer(ctx context.Context, r *http.Request, query url.Values) (any, error) {
	if route.Posted == nil {
		return route.Answer(ctx, query)
	}
	// A form of a page of another site cannot have this type.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, newProblem("bad-body", http.StatusUnsupportedMediaType, "the body cannot be read",
			route.Path+" takes application/json")
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, int64(route.MaxBody)+1))
	switch {
	case len(body) > route.MaxBody:
		return nil, newProblem("too-large", http.StatusRequestEntityTooLarge, "the request is too large",
			fmt.Sprintf("%d bytes at most are read", route.MaxBody))
	case err != nil:
		return nil, BadParameter("the body cannot be read: %v", err)
	}
	return route.Posted(ctx, body)
}

// query reads the parameters of a route.
func (route *Route) query(raw string) (url.Values, error) {
	if len(raw) > maxQuery {
		return nil, BadParameter("the query has %d bytes, and %d at most are read", len(raw), maxQuery)
	}
	query, err := url.ParseQuery(raw)
	if err != nil {
		return nil, BadParameter("the query is not encoded correctly: %v", err)
	}
	for name, values := range query {
		if !slices.Contains(route.Query, name) {
			return nil, BadParameter("there is no parameter %q: the parameters are %s", name,
				strings.Join(route.Query, ", "))
		}
		if len(values) > 1 {
			return nil, BadParameter("the parameter %s is given twice", name)
		}
	}
	return query, nil
}

// Number returns a parameter that is a number from 0 to most, or a number in place of a missing
// one.
func Number(query url.Values, name string, missing, most int) (int, error) {
	text := query.Get(name)
	if text == "" {
		return missing, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		return 0, BadParameter("%s is %q: it is a number from 0 to %d", name, text, most)
	}
	return n, nil
}

// send answers with JSON, or with 304 if the client has the same.
func send(w http.ResponseWriter, r *http.Request, body []byte) {
	tag := httpfield.StrongTag(body)
	header := w.Header()
	header.Set("ETag", tag)
	header.Set("Cache-Control", "private, no-cache")
	if httpfield.HasTag(r.Header.Values("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body)
}

// fail answers with problem details.
func fail(w http.ResponseWriter, err error) {
	var p *problem
	switch {
	case errors.As(err, &p):
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		p = newProblem("timeout", http.StatusGatewayTimeout, "the answer took too long", "repeat the request later")
	default:
		p = newProblem("internal", http.StatusInternalServerError, "the service failed", err.Error())
	}
	header := w.Header()
	header.Set("Content-Type", "application/problem+json")
	header.Set("Cache-Control", "no-store")
	if p.Status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "1")
	}
	w.WriteHeader(p.Status)
	body, _ := json.Marshal(p) // it has a JSON form
	w.Write(append(printable.JSON(body), '\n'))
}
