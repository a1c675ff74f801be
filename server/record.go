package server

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/httpfield"
	"github.com/robotsexclusion/robots/server/api"
)

// A Record describes an answered request, for logs and metrics.
type Record struct {
	Request  *http.Request
	Client   netip.Addr // from Config.Address
	Route    string     // the method and the path, such as "GET /v1/match"; "" if the service has no such route
	Problem  string     // the kind of the problem, the end of its type, such as "busy"; "" if there was none
	Status   int
	Size     int64  // bytes of the body of the answer
	Fetches  int    // how often the request made the service fetch a robots.txt
	Refused  int    // how many of these fetches ended at an address that the filter of the client refuses
	Trace    string // the traceparent of the request, or "" if it has no valid one
	Begin    time.Time
	Duration time.Duration
}

// A recorder is a ResponseWriter that fills a Record.
type recorder struct {
	http.ResponseWriter
	record  Record
	fetches atomic.Int64 // a fetch may continue for others after the request
	refused atomic.Int64
	ended   bool // the handler returned: it did not panic
}

// recorderKey is the key of the recorder in the context of a request.
type recorderKey struct{}

// startRecord returns a recorder, and the request with a context that has it.
func (s *Server) startRecord(w http.ResponseWriter, r *http.Request) (*recorder, *http.Request) {
	rec := &recorder{ResponseWriter: w, record: Record{Request: r, Client: s.config.Address(r),
		Trace: httpfield.TraceFrom(r.Context()).Parent, Begin: time.Now()}}
	return rec, r.WithContext(context.WithValue(r.Context(), recorderKey{}, rec))
}

// finish gives the record to Config.Record.
func (rec *recorder) finish(s *Server) {
	r := &rec.record
	switch {
	case r.Status == 0 && rec.ended:
		r.Status = http.StatusOK // net/http sends it
	case r.Status == 0:
		r.Status = http.StatusInternalServerError
	}
	if r.Request.Method == http.MethodHead {
		r.Size = 0 // net/http does not send the body
	}
	r.Fetches, r.Refused, r.Duration = int(rec.fetches.Load()), int(rec.refused.Load()), time.Since(r.Begin)
	s.config.Record(r)
}

func (rec *recorder) WriteHeader(status int) {
	if rec.record.Status == 0 && status >= http.StatusOK {
		rec.record.Status = status
	}
	rec.ResponseWriter.WriteHeader(status)
}

func (rec *recorder) Write(b []byte) (int, error) {
	if rec.record.Status == 0 {
		rec.record.Status = http.StatusOK
	}
	n, err := rec.ResponseWriter.Write(b)
	rec.record.Size += int64(n)
	return n, err
}

// Unwrap lets [http.ResponseController] find the methods of the writer of net/http.
func (rec *recorder) Unwrap() http.ResponseWriter { return rec.ResponseWriter }

// recordRoute writes the route into the record, if there is one.
func recordRoute(w http.ResponseWriter, route *boundRoute) {
	if rec, ok := w.(*recorder); ok {
		rec.record.Route = route.method + " " + route.path
	}
}

// recordProblem writes the kind of a problem into the record, if there is one.
func recordProblem(w http.ResponseWriter, p *api.Problem) {
	if rec, ok := w.(*recorder); ok {
		rec.record.Problem = strings.TrimPrefix(p.Type, typeURI)
	}
}

// recordFetch adds n fetches to those of the request with a context, if there is a record.
func recordFetch(ctx context.Context, n int64) {
	if rec, ok := ctx.Value(recorderKey{}).(*recorder); ok {
		rec.fetches.Add(n)
	}
}

// recordRefusal counts a fetch with a result that ended at a refused address, which may be that of
// a redirect.
func recordRefusal(ctx context.Context, result error) {
	if rec, ok := ctx.Value(recorderKey{}).(*recorder); ok && errors.As(result, new(*fetch.RefusedError)) {
		rec.refused.Add(1)
	}
}
