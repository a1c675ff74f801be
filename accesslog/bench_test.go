package accesslog

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// benchmarkLog returns a log in the combined format.
func benchmarkLog(lines int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	for i := range lines {
		fmt.Fprintf(&b, "%d.%d.%d.%d - - [17/May/2015:%02d:%02d:%02d +0000] \"GET /presentations/logstash-%d/images/kibana-search.png HTTP/1.1\" 200 %d \"http://semicomplete.com/presentations/logstash-monitorama-2013/\" \"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_9_%d) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/32.0.1700.77 Safari/537.36\"\n",
			1+r.IntN(223), r.IntN(256), r.IntN(256), r.IntN(256), i/3600%24, i/60%60, i%60, r.IntN(100), r.IntN(1e6), r.IntN(600))
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
			if err != nil {
				b.Fatal(err)
			}
			if len(q.UserAgent) > 0 {
				n++
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/line")
}
