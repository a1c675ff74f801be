package main

import (
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/robotsexclusion/robots/fetch/natscache"
	"github.com/robotsexclusion/robots/server"
)

// serveFigures are the figures of a service for Prometheus. Labels have names of the service only,
// so clients cannot add any.
type serveFigures struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	problems *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	fetches  prometheus.Counter
	refused  prometheus.Counter
}

func newServeFigures() *serveFigures {
	f := &serveFigures{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "robots_serve_requests_total",
			Help: "Requests, by route and status; the route none is for paths and methods that the service does not have."}, []string{"route", "status"}),
		problems: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "robots_serve_problems_total",
			Help: "Requests that were refused or failed, by the kind of the problem."}, []string{"kind"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "robots_serve_request_duration_seconds",
			Help:    "Time from the header of a request to the end of its answer, by route.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"route"}),
		fetches: prometheus.NewCounter(prometheus.CounterOpts{Name: "robots_serve_fetches_total",
			Help: "Fetches of robots.txt for requests that have ended; other answers about origins came from the cache."}),
		refused: prometheus.NewCounter(prometheus.CounterOpts{Name: "robots_serve_refused_addresses_total",
			Help: "Fetches that ended at an address that is not public: of the host itself, or of one that a redirect names."}),
	}
	f.registry.MustRegister(f.requests, f.problems, f.seconds, f.fetches, f.refused,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return f
}

// add counts a request.
func (f *serveFigures) add(r *server.Record) {
	route := r.Route
	if route == "" {
		route = "none"
	}
	f.requests.WithLabelValues(route, strconv.Itoa(r.Status)).Inc()
	f.seconds.WithLabelValues(route).Observe(r.Duration.Seconds())
	f.fetches.Add(float64(r.Fetches))
	f.refused.Add(float64(r.Refused))
	if r.Problem != "" {
		f.problems.WithLabelValues(r.Problem).Inc()
	}
}

// handler serves the figures at /metrics.
func (f *serveFigures) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(f.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4}))
	return mux
}

// sharedFigures are the figures of what services share through NATS.
type sharedFigures func() natscache.Stats

var (
	sharedTogether = prometheus.NewDesc("robots_serve_shared",
		"1 while the NATS servers answer, and 0 while the service is cut off from them.", nil, nil)
	sharedLost = prometheus.NewDesc("robots_serve_shared_lost_total",
		"How often the NATS servers did not answer any more.", nil, nil)
	sharedReads = prometheus.NewDesc("robots_serve_shared_reads_total",
		"Entries that the NATS servers were asked for, by what they had.", []string{"result"}, nil)
	sharedRefused = prometheus.NewDesc("robots_serve_shared_refused_total",
		"Entries that the NATS servers have no room for, and that only this service has.", nil, nil)
	sharedFlights = prometheus.NewDesc("robots_serve_shared_flights_total",
		"Fetches with a lease (led), waits for the fetch of another service (waited), and those that took too long (overdue).", []string{"role"}, nil)
)

// Describe implements [prometheus.Collector].
func (f sharedFigures) Describe(all chan<- *prometheus.Desc) { prometheus.DescribeByCollect(f, all) }

// Collect implements [prometheus.Collector].
func (f sharedFigures) Collect(all chan<- prometheus.Metric) {
	s := f()
	together := 0.0
	if s.Together {
		together = 1
	}
	all <- prometheus.MustNewConstMetric(sharedTogether, prometheus.GaugeValue, together)
	count := func(d *prometheus.Desc, n uint64, labels ...string) {
		all <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), labels...)
	}
	count(sharedLost, s.Lost)
	count(sharedReads, s.Found, "found")
	count(sharedReads, s.Missing, "missing")
	count(sharedReads, s.Damaged, "damaged")
	count(sharedRefused, s.Refused)
	count(sharedFlights, s.Led, "led")
	count(sharedFlights, s.Waited, "waited")
	count(sharedFlights, s.Overdue, "overdue")
}
