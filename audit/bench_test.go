package audit_test

import (
	"bytes"
	"net/netip"
	"testing"

	"github.com/robotsexclusion/robots/accesslog"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/testlog"
)

// BenchmarkRead audits logs with few, many and only new User-Agents with one worker, with identities
// and rules.
func BenchmarkRead(b *testing.B) {
	const lines = 200_000
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
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"few", "many", "fresh"} {
		described, err := testlog.Named(name, lines)
		if err != nil {
			b.Fatal(err)
		}
		var log bytes.Buffer
		if _, err := described.WriteTo(&log); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var reader accesslog.Reader
				part, err := auditor.Read(reader.From("log", bytes.NewReader(log.Bytes())), 1)
				if err != nil {
					b.Fatal(err)
				}
				part.Report()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/lines, "ns/line")
		})
	}
}
