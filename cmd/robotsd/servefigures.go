package main

import (
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/robotsexclusion/robots/server"
)

// serveFigures are the figures of a service for Prometheus. Labels have names of the service only, so clients cannot add any.
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
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "robots_serve_requests_total", Help: "Requests, by route and status; the route none is for paths and methods that the service does not have."}, []string{"route", "status"}),
		problems: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "robots_serve_problems_total", Help: "Requests that were refused or failed, by the kind of the problem."}, []string{"kind"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "robots_serve_request_duration_seconds", Help: "Time from the header of a request to the end of its answer, by route.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"route"}),
		fetches: prometheus.NewCounter(prometheus.CounterOpts{Name: "robots_serve_fetches_total", Help: "Fetches of robots.txt for requests that have ended; other answers about origins came from the cache."}),
		refused: prometheus.NewCounter(prometheus.CounterOpts{Name: "robots_serve_refused_addresses_total", Help: "Fetches that ended at an address that is not public: of the host itself, or of one that a redirect names."}),
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
