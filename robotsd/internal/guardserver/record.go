package guardserver

import (
	"errors"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Logged has the members with which lines of a log begin: the request and its answer. Their
// names, which are stored, are those by which package accesslog reads the log, in its format
// robots-guard.
type Logged struct {
	Time      time.Time `json:"begin"` // when the request came
	Client    string    `json:"client"`
	Host      string    `json:"host"`
	Method    string    `json:"method"`
	Target    string    `json:"target"`
	Proto     string    `json:"proto"`
	Status    int       `json:"status"`
	Size      int64     `json:"size"`
	Seconds   float64   `json:"request_time"`
	Referrer  string    `json:"referer"`
	UserAgent string    `json:"user_agent"`
}

// NewLogged returns the members for a request that came at a time from a client, and whose answer
// had a status, took a time and had so many bytes. The client may be the zero Addr.
func NewLogged(in *http.Request, at time.Time, client netip.Addr, status int, size int64, took time.Duration) Logged {
	l := Logged{
		Time: at, Host: in.Host, Method: in.Method, Target: in.RequestURI, Proto: in.Proto,
		Status: status, Size: size, Seconds: float64(took.Microseconds()) / 1e6,
		Referrer: in.Referer(), UserAgent: in.UserAgent(),
	}
	if client.IsValid() {
		l.Client = client.String()
	}
	return l
}

// A logLine is a record in the log.
type logLine struct {
	Logged
	Action   string `json:"action"`
	Reason   string `json:"reason"`
	Robot    string `json:"robot,omitempty"`
	Identity string `json:"identity,omitempty"` // verified, signed, forged or pending
	Line     int    `json:"line,omitempty"`     // of robots.txt, which decided
	Rule     string `json:"rule,omitempty"`

	Exception string `json:"exception,omitempty"` // of the operator, by which the request passed
}

// Log returns a function for [Options.Record] that writes a JSON line for each record, and calls
// notice with the first of successive errors.
func Log(w io.Writer, notice func(error)) func(*Record) {
	write := Lines(w, notice)
	return func(r *Record) { write(newLogLine(r)) }
}

// Lines returns a function that writes a value as a JSON line, in which text of strangers is
// escaped, and calls notice with the first of successive errors.
func Lines(w io.Writer, notice func(error)) func(any) {
	var mu sync.Mutex
	failing := false
	return func(v any) {
		line := printable.JSON(printable.AppendJSON(nil, v))
		mu.Lock()
		defer mu.Unlock()
		_, err := w.Write(append(line, '\n'))
		if err != nil && !failing {
			notice(err)
		}
		failing = err != nil
	}
}

func newLogLine(r *Record) logLine {
	d := r.Decision
	line := logLine{
		Logged: NewLogged(r.Request, r.Begin, r.Client, r.Status, r.Size, r.Duration),
		Action: d.Action.String(), Reason: d.Reason.String(), Robot: d.Robot.Token,
		Line: d.Match.Rule.Line, Exception: d.Exception,
	}
	if identity := identityOf(d); identity != agent.Unverifiable.String() {
		line.Identity = identity
	}
	switch {
	case d.Reason == guard.ByPace, d.Reason == guard.Unlicensed:
		line.Line, line.Rule = d.Record.Line, d.Record.String()
	case line.Line > 0:
		line.Rule = d.Match.Rule.String()
	}
	return line
}

// identityOf returns the name of the identity of a client.
func identityOf(d guard.Decision) string {
	switch {
	case d.Pending:
		return "pending"
	case d.Signed && d.Identity == agent.Verified:
		return "signed"
	}
	return d.Identity.String()
}

// Figures counts records for Prometheus.
type Figures struct {
	registry  *prometheus.Registry
	decisions *prometheus.CounterVec
	robots    *prometheus.CounterVec
	answers   *prometheus.CounterVec
	reloads   *prometheus.CounterVec
	identity  *prometheus.CounterVec

	exceptions *prometheus.CounterVec
}

// NewFigures returns figures that are zero.
func NewFigures() *Figures {
	f := &Figures{
		registry:  prometheus.NewRegistry(),
		decisions: counter("decisions_total", "decisions about requests, by action and reason", "action", "reason"),
		robots: counter("robots_total", "decisions about robots, by token and action; other is robots in no table",
			"robot", "action"),
		answers: counter("answers_total", "answers, by status", "status"),
		reloads: counter("reloads_total",
			"changes of robots.txt, by result: used, or failed and the policy before stays", "result"),
		identity: counter("identities_total", "decisions about robots in the table, by the identity of the client",
			"identity"),
		exceptions: counter("exceptions_total",
			"requests of robots that passed by an exception of the operator", "exception"),
	}
	f.registry.MustRegister(f.decisions, f.robots, f.answers, f.reloads, f.identity, f.exceptions,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return f
}

// Register adds the counters to a registry, once for each registry.
func (f *Figures) Register(r prometheus.Registerer) error {
	for _, c := range []prometheus.Collector{f.decisions, f.robots, f.answers, f.reloads, f.identity,
		f.exceptions} {
		if err := r.Register(c); err != nil && !errors.As(err, new(prometheus.AlreadyRegisteredError)) {
			return err
		}
	}
	return nil
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "robots_guard", Name: name, Help: help}, labels)
}

// Add counts a record. Labels have tokens of known robots only, so strangers cannot add any.
func (f *Figures) Add(r *Record) {
	f.decisions.WithLabelValues(r.Decision.Action.String(), r.Decision.Reason.String()).Inc()
	f.answers.WithLabelValues(strconv.Itoa(r.Status)).Inc()
	if r.Decision.Exception != "" {
		f.exceptions.WithLabelValues(r.Decision.Exception).Inc()
	}
	if a := r.Decision.Robot; a.Known() {
		f.robots.WithLabelValues(a.Token, r.Decision.Action.String()).Inc()
		f.identity.WithLabelValues(identityOf(r.Decision)).Inc()
	} else if a != (agent.Agent{}) {
		f.robots.WithLabelValues("other", r.Decision.Action.String()).Inc()
	}
}

// Identities adds figures about what finds out who robots are.
func (f *Figures) Identities(ids *guard.Identities) {
	for _, figure := range []struct {
		name, help string
		value      func(answered, dropped, waiting uint64) uint64
	}{
		{"lookups_total", "lookups of ranges, names and keys that ended", func(n, _, _ uint64) uint64 { return n }},
		{"lookups_dropped_total", "lookups that did not fit into the queue", func(_, n, _ uint64) uint64 { return n }},
		{"lookups_waiting", "lookups that wait or are under way", func(_, _, n uint64) uint64 { return n }},
	} {
		options := prometheus.CounterOpts{Namespace: "robots_guard", Name: figure.name, Help: figure.help}
		value := func() float64 { return float64(figure.value(ids.Lookups())) }
		if figure.name == "lookups_waiting" {
			f.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts(options), value))
		} else {
			f.registry.MustRegister(prometheus.NewCounterFunc(options, value))
		}
	}
}

// Reloaded counts a change of robots.txt, or the error that prevented it.
func (f *Figures) Reloaded(err error) {
	result := "used"
	if err != nil {
		result = "failed"
	}
	f.reloads.WithLabelValues(result).Inc()
}

// Handler serves the figures at /metrics.
func (f *Figures) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(f.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4}))
	return mux
}
