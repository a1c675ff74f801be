// Package crawl_test puts crawlers side by side, on one server.
package crawl_test

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocolly/colly/v2"
	"golang.org/x/sys/unix"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// manyPages is how many pages a crawler fetches, and few of one that is slow. Starting
// and ending are a part of it.
const (
	manyPages = 30_000
	fewPages  = 6_000
)

// BenchmarkCrawl lets crawlers fetch pages over loopback, find their links, and visit
// those that are new. A page has 10,000 bytes and 60 links, 3 of which are new; over
// TLS there are 5 pages a connection. The pages/s/core are those of a second of CPU
// time of the crawler, the server not counted.
func BenchmarkCrawl(b *testing.B) {
	w := startServer(b)
	most, least := manyPages, fewPages
	if testing.Short() {
		most, least = 1000, 1000
	}
	b.Run("robots", func(b *testing.B) {
		measure(b, func() int64 { return w.robots(b, "http", most, nil) })
	})
	b.Run("robots-warc", func(b *testing.B) {
		measure(b, func() int64 { return w.robots(b, "http", most, &warc.Options{}) })
	})
	b.Run("robots-warc-tls", func(b *testing.B) {
		measure(b, func() int64 { return w.robots(b, "https", most, &warc.Options{}) })
	})
	b.Run("colly", func(b *testing.B) {
		measure(b, func() int64 { return w.colly(b, least) })
	})
}

// measure runs a crawl that returns its pages, and reports what it cost.
func measure(b *testing.B, crawl func() int64) {
	var pages int64
	cpu, began := cpuTime(b), time.Now()
	for range b.N {
		pages += crawl()
	}
	cpu = cpuTime(b) - cpu
	b.ReportMetric(float64(pages)/cpu.Seconds(), "pages/s/core")
	b.ReportMetric(float64(pages)/time.Since(began).Seconds(), "pages/s")
	b.ReportMetric(float64(pages)/float64(b.N), "pages")
	b.ReportMetric(0, "ns/op")
}

// cpuTime returns the CPU time that this process has used.
func cpuTime(b *testing.B) time.Duration {
	var used unix.Rusage
	fatal.If(b, unix.Getrusage(unix.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// robots crawls with this library: with its journal, store and results.
func (w *web) robots(b *testing.B, scheme string, pages int, archive *warc.Options) int64 {
	c := &crawl.Config{
		Dir: b.TempDir(), UserAgent: "OracleBot/1.0 (+https://example.com/bot)",
		Scope: crawl.Scope{Reach: crawl.Web}, Budget: crawl.Budget{Pages: int64(pages)},
		Pauses: crawl.Pauses{MinDelay: time.Microsecond, Slowness: -1}, PerAddress: 8, Archive: archive,
		Own:        []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		DialFilter: fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}},
		TLS:        &tls.Config{RootCAs: w.roots},
	}
	summary, err := crawl.New(*c).Run(context.Background(), w.seeds(scheme)...)
	fatal.If(b, err)
	return summary.Pages
}

// colly crawls with Colly as its examples show, with as many requests at a time as
// robots has.
func (w *web) colly(b *testing.B, pages int) int64 {
	c := colly.NewCollector(colly.Async(true), colly.MaxRequests(uint32(pages)),
		colly.UserAgent("OracleBot/1.0 (+https://example.com/bot)"))
	c.WithTransport(&http.Transport{DialContext: (&net.Dialer{}).DialContext, MaxIdleConnsPerHost: 1,
		MaxIdleConns: hosts})
	fatal.If(b, c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: 128}))
	var got atomic.Int64
	c.OnResponse(func(*colly.Response) { got.Add(1) })
	c.OnHTML("a[href]", func(e *colly.HTMLElement) { e.Request.Visit(e.Attr("href")) })
	for _, url := range w.seeds("http") {
		c.Visit(url)
	}
	c.Wait()
	return got.Load()
}
