package auditlive

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/prometheus/client_golang/prometheus"
)

// A collector is the twin of appendMetrics: it gives the figures of a live audit to the client
// library of Prometheus.
type collector struct{ f *Follower }

// The metrics of a live audit.
var (
	figureRequests = figure("requests_total",
		"requests that were read, by the token of the robot; other is robots and programs in no table, people all others", "robot")
	figureViolations = figure("violations_total",
		"disallowed requests of robots that are not forged, by class: certain, informed, grace", "robot", "class")
	figureForged   = figure("forged_total", "requests of clients that are not the robot they name", "robot")
	figureUnjudged = figure("unjudged_total", "requests of robots and programs that were not judged, by reason",
		"reason")
	figureUnreadable = figure("unreadable_lines_total", "lines that could not be read")
	figureDropped    = figure("dropped_total", "requests that were not judged for want of memory")
	figureUnknown    = figure("unidentified_total",
		"requests of clients of which the DNS did not say in time whether they are the robot they name")
	figurePending = figure("pending", "requests that wait to be judged")
	figureLast    = figure("last_request_time_seconds",
		"the latest time of a request in the logs, in seconds since 1970")
	figureRead    = figure("last_read_time_seconds", "when the last request was read, in seconds since 1970")
	figureVersion = figure("version_start_time_seconds",
		"when the version of robots.txt in force began, in seconds since 1970, or 0", "host", "version")
)

func figure(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("robots_audit_"+name, help, labels, nil)
}

// Describe implements [prometheus.Collector].
func (c collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		figureRequests, figureViolations, figureForged, figureUnjudged, figureUnreadable, figureDropped, figureUnknown,
		figurePending, figureLast, figureRead, figureVersion,
	} {
		to <- d
	}
}

// Collect implements [prometheus.Collector].
func (c collector) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	counter := func(d *prometheus.Desc, v int64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(v), labels...)
	}
	c.f.mu.Lock()
	defer c.f.mu.Unlock()
	f := &c.f.figures
	for token, n := range f.requests {
		counter(figureRequests, n, token)
	}
	for key, n := range f.violations {
		counter(figureViolations, n, key.token, key.class)
	}
	for token, n := range f.forged {
		counter(figureForged, n, token)
	}
	for reason, n := range f.unjudged {
		counter(figureUnjudged, n, reason)
	}
	counter(figureUnreadable, f.unreadable)
	counter(figureDropped, f.dropped)
	counter(figureUnknown, f.unidentified)
	gauge(figurePending, float64(len(c.f.pending)))
	gauge(figureLast, seconds(f.last))
	gauge(figureRead, seconds(f.read))
	for host, versions := range c.f.sites {
		if v := inForce(versions, time.Now()); v != nil {
			gauge(figureVersion, seconds(v.From), label(host), label(v.ID))
		}
	}
}

// label returns a text as a label, which must be valid UTF-8.
func label(s string) string { return strings.ToValidUTF8(s, string(utf8.RuneError)) }
