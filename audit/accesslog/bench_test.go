package accesslog

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/logs"
)

// benchmarkLog returns a log in the combined format.
func benchmarkLog(lines int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for i := range lines {
		fmt.Fprintf(&b,
			"%d.%d.%d.%d - - [17/May/2015:%02d:%02d:%02d +0000] \"GET /presentations/logstash-%d/images/kibana-search.png HTTP/1.1\" 200 %d \"http://semicomplete.com/presentations/logstash-monitorama-2013/\" \"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_9_%d) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/32.0.1700.77 Safari/537.36\"\n",
			1+r.IntN(223), r.IntN(256), r.IntN(256), r.IntN(256), i/3600%24, i/60%60, i%60, r.IntN(100), r.IntN(1e6),
			r.IntN(600))
	}
	return b.Bytes()
}

func BenchmarkRequests(b *testing.B) {
	log := benchmarkLog(100_000)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		var r Reader
		for q, err := range r.From("a", bytes.NewReader(log)).Requests() {
			fatal.If(b, err)
			if len(q.UserAgent) > 0 {
				n++
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/line")
}

// writtenLog returns a log of internal/test/logs, and the number of its lines.
func writtenLog(b *testing.B, name string) (log []byte, lines int) {
	b.Helper()
	lines = 100_000
	l, err := logs.Named(name, lines)
	fatal.If(b, err)
	var out bytes.Buffer
	if _, err := l.WriteTo(&out); err != nil {
		b.Fatal(err)
	}
	return out.Bytes(), lines
}

// readAll reads all requests of a log.
func readAll(b *testing.B, in io.Reader) {
	b.Helper()
	var r Reader
	for _, err := range r.From("a", in).Requests() {
		fatal.If(b, err)
	}
}

// BenchmarkLogs reads logs with few and with many User-Agents.
func BenchmarkLogs(b *testing.B) {
	for _, name := range []string{"few", "many", "fresh"} {
		b.Run(name, func(b *testing.B) {
			log, lines := writtenLog(b, name)
			b.SetBytes(int64(len(log)))
			for b.Loop() {
				readAll(b, bytes.NewReader(log))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*lines), "ns/line")
		})
	}
}

// BenchmarkGzip reads a compressed log, beside the decompressor alone.
func BenchmarkGzip(b *testing.B) {
	log, lines := writtenLog(b, "few")
	var compressed bytes.Buffer
	z := gzip.NewWriter(&compressed)
	if _, err := z.Write(log); err != nil {
		b.Fatal(err)
	}
	fatal.If(b, z.Close())
	run := func(name string, read func(in io.Reader) error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(log)))
			for b.Loop() {
				fatal.If(b, read(bytes.NewReader(compressed.Bytes())))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*lines), "ns/line")
		})
	}
	run("bare", func(in io.Reader) error {
		z, err := gzip.NewReader(in)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, z)
		return err
	})
	run("requests", func(in io.Reader) error {
		readAll(b, in)
		return nil
	})
}
