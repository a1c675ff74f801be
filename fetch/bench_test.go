package fetch_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// constant answers every request with one text, without any network.
type constant string

func (text constant) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: 200, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r, Header: make(http.Header),
		Body: io.NopCloser(strings.NewReader(string(text))), ContentLength: int64(len(text)),
	}, nil
}

// BenchmarkPolicy asks for a cached policy, as a robot does before each page: in memory, and in a
// folder.
func BenchmarkPolicy(b *testing.B) {
	for _, cache := range []struct {
		name string
		make func() fetch.Cache
	}{
		{"memory", func() fetch.Cache { return new(fetch.Memory) }},
		{"folder", func() fetch.Cache { return scratch(b) }},
	} {
		b.Run(cache.name, func(b *testing.B) {
			c := &fetch.Client{Transport: constant(lines(100)), Cache: cache.make()}
			ctx := context.Background()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Policy(ctx, "https://www.example.com/products/1?color=red"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFetch fetches a text of 2.4 KB without a network. So it measures the client alone.
func BenchmarkFetch(b *testing.B) {
	c := &fetch.Client{Transport: constant(lines(100))}
	ctx := context.Background()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := c.Policy(ctx, fmt.Sprintf("https://%d.example/", i)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPut puts an entry into a folder on this machine's disk, and waits for the disk: a new
// entry, and an entry that is only confirmed.
func BenchmarkPut(b *testing.B) {
	b.Run("new", func(b *testing.B) {
		dir := fetch.Dir(b.TempDir())
		for i := 0; b.Loop(); i++ {
			text := fmt.Sprintf("User-agent: *\nDisallow: /%d\n", i)
			fatal.If(b, dir.Put(b.Context(), entry(fmt.Sprintf("https://%d.example", i), text, time.Now())))
		}
	})
	b.Run("confirmed", func(b *testing.B) {
		dir := fetch.Dir(b.TempDir())
		for b.Loop() {
			fatal.If(b, dir.Put(b.Context(), entry(site, closed, time.Now())))
		}
	})
}

// BenchmarkHistory reads a history of 1,000 changes.
func BenchmarkHistory(b *testing.B) {
	dir := scratch(b)
	for i := range 1000 {
		e := entry(site, fmt.Sprintf("# %d\n", i), received.Add(time.Duration(i)*time.Hour))
		fatal.If(b, dir.Put(b.Context(), e))
	}
	for b.Loop() {
		if _, ok, err := dir.At(b.Context(), site, received.Add(500*time.Hour)); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkOrigin(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := fetch.Origin("https://www.example.com/products/1?color=red"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDialFilter(b *testing.B) {
	addr := netip.MustParseAddr("2001:4860:4860::8888")
	b.ReportAllocs()
	for b.Loop() {
		fatal.If(b, (fetch.DialFilter{}).Check(addr))
	}
}
