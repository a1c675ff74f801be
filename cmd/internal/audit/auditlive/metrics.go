package auditlive

import (
	"net/http"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/audit"
)

// maxScrapes is how many clients may ask for the metrics at once.
const maxScrapes = 4

// Handler returns a handler that serves the metrics of a live audit for Prometheus at /metrics.
// Labels have tokens of known robots, and versions and hosts that the options name: strangers
// cannot add any.
//
// It writes the text format 0.0.4 itself: the client library of Prometheus would be two fifths of
// the packages that cmd/robots compiles (doc/decisions/audit/0159-figures-of-an-audit-in-text.md).
func (f *Follower) Handler() http.Handler {
	scrapes := make(chan struct{}, maxScrapes)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		select {
		case scrapes <- struct{}{}:
			defer func() { <-scrapes }()
		default:
			http.Error(w, "too many requests for the metrics at once", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Write(appendProcess(f.appendMetrics(nil))) // an error means that the client is gone
	})
	return mux
}

// A metric is a family of samples in the text format of Prometheus.
type metric struct {
	name, kind, help string
	labels           []string // the names of the labels, in alphabetical order
	samples          []sample
}

// A sample is a number with the values of the labels of its metric.
type sample struct {
	values []string
	number float64
}

// appendMetrics appends the metrics of the audit in the order of their names.
func (f *Follower) appendMetrics(b []byte) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := &f.figures
	var violations, versions []sample
	for key, count := range n.violations {
		violations = append(violations, sample{[]string{key.class, key.token}, float64(count)})
	}
	for host, all := range f.sites {
		if v := inForce(all, time.Now()); v != nil {
			versions = append(versions, sample{[]string{host, v.ID}, seconds(v.From)})
		}
	}
	for _, m := range []metric{
		{"dropped_total", "counter", "requests that were not judged for want of memory", nil, one(n.dropped)},
		{"forged_total", "counter", "requests of clients that are not the robot they name", []string{"robot"},
			each(n.forged)},
		{"last_read_time_seconds", "gauge", "when the last request was read, in seconds since 1970", nil,
			[]sample{{nil, seconds(n.read)}}},
		{"last_request_time_seconds", "gauge", "the latest time of a request in the logs, in seconds since 1970", nil,
			[]sample{{nil, seconds(n.last)}}},
		{"pending", "gauge", "requests that wait to be judged", nil, one(int64(len(f.pending)))},
		{"requests_total", "counter",
			"requests that were read, by the token of the robot; other is robots and programs in no table, people all others", []string{"robot"}, each(n.requests)},
		{"unidentified_total", "counter",
			"requests of clients of which the DNS did not say in time whether they are the robot they name", nil,
			one(n.unidentified)},
		{"unjudged_total", "counter", "requests of robots and programs that were not judged, by reason",
			[]string{"reason"}, each(n.unjudged)},
		{"unreadable_lines_total", "counter", "lines that could not be read", nil, one(n.unreadable)},
		{"version_start_time_seconds", "gauge",
			"when the version of robots.txt in force began, in seconds since 1970, or 0", []string{"host", "version"},
			versions},
		{"violations_total", "counter",
			"disallowed requests of robots that are not forged, by class: certain, informed, grace", []string{"class",
				"robot"}, violations},
	} {
		m.name = "robots_audit_" + m.name
		b = m.append(b)
	}
	return b
}

// appendProcess appends metrics of this program, under the names that programs in Go usually have
// for them.
func appendProcess(b []byte) []byte {
	memory := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(memory)
	for _, m := range []metric{
		{"go_goroutines", "gauge", "goroutines of this program", nil, one(int64(runtime.NumGoroutine()))},
		{"go_memstats_sys_bytes", "gauge", "bytes of memory that this program has from the system", nil,
			[]sample{{nil, float64(memory[0].Value.Uint64())}}},
	} {
		b = m.append(b)
	}
	return b
}

// one returns a sample without labels.
func one(n int64) []sample { return []sample{{nil, float64(n)}} }

// each returns a sample for each key of a map.
func each(counts map[string]int64) (samples []sample) {
	for key, n := range counts {
		samples = append(samples, sample{[]string{key}, float64(n)})
	}
	return samples
}

// append appends the metric with its samples in the order of their labels. A metric without samples
// is left out.
func (m *metric) append(b []byte) []byte {
	if len(m.samples) == 0 {
		return b
	}
	slices.SortFunc(m.samples, func(x, y sample) int { return slices.Compare(x.values, y.values) })
	b = append(b, "# HELP "+m.name+" "+m.help+"\n# TYPE "+m.name+" "+m.kind+"\n"...)
	for _, s := range m.samples {
		b = append(b, m.name...)
		for i, name := range m.labels {
			b = append(b, "{,"[min(i, 1)])
			b = append(b, name+`="`+escapeLabel.Replace(strings.ToValidUTF8(s.values[i], string(utf8.RuneError)))+
				`"`...)
		}
		if len(m.labels) > 0 {
			b = append(b, '}')
		}
		b = append(b, ' ')
		b = strconv.AppendFloat(b, s.number, 'g', -1, 64)
		b = append(b, '\n')
	}
	return b
}

// escapeLabel escapes the value of a label.
var escapeLabel = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

// seconds returns a time in seconds since 1970, or 0 if it is zero.
func seconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMilli()) / 1000
}

// inForce returns the version in force at a time, or nil.
func inForce(versions []audit.Version, at time.Time) (v *audit.Version) {
	for i := range versions {
		if !versions[i].From.After(at) {
			v = &versions[i]
		}
	}
	return v
}
