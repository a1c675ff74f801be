package agent_test

import (
	"testing"

	"github.com/robotsexclusion/robots/agent"
)

// BenchmarkLookup looks up each header of the lists of robots in turn, and of
// browsers, so that no two lookups in a row have the same words.
func BenchmarkLookup(b *testing.B) {
	b.Run("robots", func(b *testing.B) { benchmarkLookup(b, allHeaders(b)) })
	b.Run("browsers", func(b *testing.B) { benchmarkLookup(b, browsers(b)) })
}

func benchmarkLookup(b *testing.B, headers []string) {
	size := 0
	for _, header := range headers {
		size += len(header)
	}
	b.SetBytes(int64(size / len(headers)))
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		agent.Lookup(headers[i])
		if i++; i == len(headers) {
			i = 0
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lookups/s")
}

func BenchmarkNamed(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		agent.Named("googlebot-image")
	}
}

// BenchmarkParseTable makes a table as the first use of the package makes its own.
func BenchmarkParseTable(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		parseTable(b, `{"robots": [{"token": "ExampleBot"}]}`)
	}
}
