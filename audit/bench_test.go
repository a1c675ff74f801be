package audit_test

import (
	"bytes"
	"io"
	"net/netip"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/logs"
)

// newBenchAuditor returns an auditor for a site with one robots.txt, which knows the addresses of
// robots.
func newBenchAuditor(b *testing.B) *audit.Auditor {
	b.Helper()
	text := []byte("User-agent: *\nDisallow: /private/\nDisallow: /*.pdf$\nDisallow: /search\n\nUser-agent: GPTBot\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /cart/\nAllow: /cart/help\n")
	ranges := netip.MustParsePrefix("64.0.0.0/3")
	auditor, err := audit.New(audit.Options{
		Sites: map[string][]audit.Version{"": {{ID: "robots.txt", Text: text}}},
		Identify: func(_ agent.Agent, client netip.Addr) agent.Result {
			if ranges.Contains(client) {
				return agent.Verified
			}
			return agent.Forged
		},
	})
	fatal.If(b, err)
	return auditor
}

// benchLines is the number of lines of the logs of benchmarks.
const benchLines = 200_000

// benchLog returns a log of internal/test/logs.
func benchLog(b *testing.B, name string) []byte {
	b.Helper()
	described, err := logs.Named(name, benchLines)
	fatal.If(b, err)
	var log bytes.Buffer
	if _, err := described.WriteTo(&log); err != nil {
		b.Fatal(err)
	}
	return log.Bytes()
}

// benchRead audits a log in each round of a benchmark.
func benchRead(b *testing.B, auditor *audit.Auditor, workers int, log []byte) {
	b.ReportAllocs()
	for b.Loop() {
		var reader accesslog.Reader
		part, err := auditor.Read(reader.From("log", bytes.NewReader(log)), workers)
		fatal.If(b, err)
		part.Report()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchLines, "ns/line")
}

// BenchmarkRead audits logs with few, many and only new User-Agents with one worker, with
// identities and rules.
func BenchmarkRead(b *testing.B) {
	auditor := newBenchAuditor(b)
	for _, name := range []string{"few", "many", "fresh"} {
		log := benchLog(b, name)
		b.Run(name, func(b *testing.B) { benchRead(b, auditor, 1, log) })
	}
}

// BenchmarkWorkers audits a log with two workers, and with two auditors of one worker at once, each
// of which reads the whole log: the time of the first should be little more than half of the
// second's.
func BenchmarkWorkers(b *testing.B) {
	auditor := newBenchAuditor(b)
	log := benchLog(b, "few")
	b.Run("one worker", func(b *testing.B) { benchRead(b, auditor, 1, log) })
	b.Run("two workers", func(b *testing.B) { benchRead(b, auditor, 2, log) })
	b.Run("two copies", func(b *testing.B) {
		for b.Loop() {
			var both sync.WaitGroup
			for range 2 {
				both.Go(func() {
					var reader accesslog.Reader
					part, err := auditor.Read(reader.From("log", bytes.NewReader(log)), 1)
					if err != nil {
						b.Error(err)
						return
					}
					part.Report()
				})
			}
			both.Wait()
		}
	})
}

// BenchmarkGzip audits a compressed log, beside the decompressor alone.
func BenchmarkGzip(b *testing.B) {
	auditor := newBenchAuditor(b)
	var compressed bytes.Buffer
	z := gzip.NewWriter(&compressed)
	if _, err := z.Write(benchLog(b, "few")); err != nil {
		b.Fatal(err)
	}
	fatal.If(b, z.Close())
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			z, err := gzip.NewReader(bytes.NewReader(compressed.Bytes()))
			fatal.If(b, err)
			if _, err := io.Copy(io.Discard, z); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("audit", func(b *testing.B) { benchRead(b, auditor, 1, compressed.Bytes()) })
}
