package guardserver

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/guard"
)

// The header fields by which proxies name the target of the request that they ask about: nginx as
// its documentation of auth_request has it, Caddy and Traefik by themselves.
const (
	originalURI   = "X-Original-Uri"
	forwardedURI  = "X-Forwarded-Uri"
	forwardedHost = "X-Forwarded-Host"

	forwardedMethod = "X-Forwarded-Method"
)

// authorize answers a proxy that asks whether it may serve a request: with status 204, or as the
// guard answers. nginx takes any status but 2xx, 401 and 403 for an error, so it gets 403 in their
// place; the field Retry-After tells the two apart.
//
// A client can send these fields too, if the proxy does not use them. So each target that the
// request names has to pass.
func (s *server) authorize(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	targets := slices.Concat(r.Header.Values(originalURI), r.Header.Values(forwardedURI))
	slices.Sort(targets)
	targets = slices.Compact(targets)
	if len(targets) == 0 {
		http.Error(w, "this is robots guard --forward-auth: the proxy has to send X-Original-URI or X-Forwarded-Uri",
			http.StatusBadRequest)
		return
	}
	usual := http.MethodGet
	if len(r.Header.Values(originalURI)) > 0 {
		usual = r.Method
	}
	var d guard.Decision
	asked := new(http.Request)
	for _, target := range targets {
		*asked = *r
		asked.RequestURI = target
		asked.Method = cmp.Or(r.Header.Get(forwardedMethod), usual)
		if host := r.Header.Get(forwardedHost); host != "" {
			asked.Host = host
		}
		d = s.Guard.Decide(asked)
		if len(r.Header.Values(originalURI)) > 0 && strings.HasPrefix(d.Exception, "method ") {
			// nginx passes the fields of the client on, but its own method is that of proxy_method.
			asked.Method = r.Method
			d = s.Guard.Decide(asked)
		}
		s.fault(d)
		if d.Action != guard.Pass {
			break
		}
	}
	counted := &countedWriter{ResponseWriter: w, status: http.StatusOK}
	switch {
	case d.Action == guard.Pass || s.Guard.Observe:
		s.Guard.Serve(counted, asked, d, http.HandlerFunc(noContent))
	case len(r.Header.Values(originalURI)) > 0:
		s.Guard.Answer(&forbidder{counted}, d)
	default:
		s.Guard.Answer(counted, d)
	}
	if s.Record != nil {
		s.Record(&Record{Begin: began, Duration: time.Since(began), Request: asked, Client: s.client(r), Decision: d,
			Status: counted.status, Size: counted.size})
	}
}

func noContent(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }

// A forbidder writes status 403 in place of any other.
type forbidder struct{ http.ResponseWriter }

func (w *forbidder) WriteHeader(int) { w.ResponseWriter.WriteHeader(http.StatusForbidden) }
