package control

import (
	"net/http"
	"net/http/pprof"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/internal/http/ownhost"
)

// Handler returns a handler for a server of another program or for people: /metrics has the
// metrics of a crawl for Prometheus. With alone, which means that only this machine can
// connect, it also serves what reveals more: /status, with the status of the crawl, and
// /debug/pprof/, with profiles of the process. The handler changes nothing. It refuses requests of
// pages of other sites, and requests for hosts to which a stranger could give an address (DNS
// rebinding): all but IP addresses, localhost, the name of this machine, and hosts.
func Handler(c *crawl.Crawl, alone bool, hosts ...string) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collector{c}, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4}))
	if alone {
		mux.Handle("GET /status", status(c))
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return ownhost.New(hosts...).Handler("--metrics-host", mux)
}

// A collector turns the status of a crawl into metrics.
type collector struct{ crawl *crawl.Crawl }

// The metrics of a crawl.
var (
	figureRunning = figure("running",
		"1 if the crawl runs, 0 if it is starting or ending; then all others are left out")
	figureStart = figure("start_time_seconds", "when this run began, in seconds since 1970")
	figurePages = figure("pages_total", "pages that were fetched by this run")
	figureBytes = figure("octets_total", "bytes of their bodies")
	figureURLs  = figure("urls",
		"URLs: seen are all that are known; queued those to visit; done those that were visited", "state")
	figureKnown = figure("known_hosts", "hosts that are known")
	figureHosts = figure("hosts",
		"hosts with something to do, by what they wait for: asked if they are asked now, address for a place at their IP address, due until something is due, or a reason such as crawl-delay, retry-after, unreachable, ready", "wait")
	figureRefused = figure("refused_total",
		"URLs that were not visited or came to nothing, by reason, with those of earlier runs", "reason")
)

func figure(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("robots_crawl_"+name, help, labels, nil)
}

// Describe implements [prometheus.Collector].
func (c collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{figureRunning, figureStart, figurePages, figureBytes, figureURLs, figureKnown,
		figureHosts, figureRefused} {
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
	s := c.crawl.Status(0)
	if s == nil {
		gauge(figureRunning, 0)
		return
	}
	gauge(figureRunning, 1)
	gauge(figureStart, float64(s.Began.UnixMilli())/1000)
	counter(figurePages, s.Pages)
	counter(figureBytes, s.Bytes)
	gauge(figureURLs, float64(s.Counts.Seen), "seen")
	gauge(figureURLs, float64(s.Counts.Queued), "queued")
	gauge(figureURLs, float64(s.Counts.Done), "done")
	gauge(figureKnown, float64(s.Counts.Hosts))
	for wait, n := range s.Waits {
		gauge(figureHosts, float64(n), wait)
	}
	for reason, n := range s.Reasons {
		counter(figureRefused, n, reason)
	}
}
