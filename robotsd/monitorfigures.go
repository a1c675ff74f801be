package main

import (
	"errors"
	"net/http"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// watchFigures are the figures of a watch for Prometheus. No label has the name of a site: a watch
// may have 10,000.
type watchFigures struct {
	registry *prometheus.Registry
	looks    *prometheus.CounterVec
	updates  *prometheus.CounterVec
	failures *prometheus.CounterVec
	last     prometheus.Gauge
	worst    *prometheus.GaugeVec

	mu    sync.Mutex
	sites map[string]monitor.Severity // those with findings, by URL
	here  map[string]bool             // those that were looked at, by URL
}

func newWatchFigures(sites int) *watchFigures {
	f := &watchFigures{registry: prometheus.NewRegistry(), sites: make(map[string]monitor.Severity),
		here: make(map[string]bool)}
	f.looks = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "robots_monitor_looks_total",
		Help: "Looks at sites, by outcome: done, held (the own network seems to be down) or failed."},
		[]string{"outcome"})
	f.updates = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "robots_monitor_updates_total",
		Help: "Updates of incidents, by step and kind."}, []string{"step", "kind"})
	f.failures = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "robots_monitor_delivery_failures_total",
		Help: "Events that a receiver did not get when they were sent."}, []string{"receiver"})
	f.last = prometheus.NewGauge(prometheus.GaugeOpts{Name: "robots_monitor_last_look_timestamp_seconds",
		Help: "When the last look ended."})
	f.worst = prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "robots_monitor_sites_with_findings",
		Help: "Sites by the most severe finding of their last look."}, []string{"severity"})
	all := prometheus.NewGauge(prometheus.GaugeOpts{Name: "robots_monitor_sites", Help: "Sites that are watched."})
	all.Set(float64(sites))
	here := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "robots_monitor_sites_here",
		Help: "Sites that this instance has looked at, and that are not another instance's now."}, func() float64 {
		f.mu.Lock()
		defer f.mu.Unlock()
		return float64(len(f.here))
	})
	for _, severity := range []monitor.Severity{monitor.Notice, monitor.Warning, monitor.Critical} {
		f.worst.WithLabelValues(severity.String()).Set(0)
	}
	f.registry.MustRegister(f.looks, f.updates, f.failures, f.last, f.worst, all, here)
	return f
}

// looked counts a look.
func (f *watchFigures) looked(l *monitor.Look) {
	if l.Left {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.here, l.Site.URL)
		f.forget(l.Site.URL)
		return
	}
	f.last.SetToCurrentTime()
	switch {
	case l.Err != nil:
		f.looks.WithLabelValues("failed").Inc()
		return
	case l.Held:
		f.looks.WithLabelValues("held").Inc()
		return
	}
	f.looks.WithLabelValues("done").Inc()
	for _, u := range l.Updates {
		f.updates.WithLabelValues(string(u.Step), string(u.Finding.Kind)).Inc()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.here[l.Site.URL] = true
	f.forget(l.Site.URL)
	if len(l.Findings) > 0 {
		worst := l.Findings[0].Severity // the most severe is first
		f.worst.WithLabelValues(worst.String()).Inc()
		f.sites[l.Site.URL] = worst
	}
}

// forget removes the findings of a site. f.mu must be held.
func (f *watchFigures) forget(url string) {
	if before, ok := f.sites[url]; ok {
		f.worst.WithLabelValues(before.String()).Dec()
		delete(f.sites, url)
	}
}

// failed counts an error of a delivery.
func (f *watchFigures) failed(err error) {
	if delivery, ok := errors.AsType[*monitor.DeliveryError](err); ok {
		f.failures.WithLabelValues(delivery.Receiver).Inc()
	}
}

// handler serves the figures at /metrics.
func (f *watchFigures) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(f.registry, promhttp.HandlerOpts{}))
	return mux
}
