package server

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/robotsexclusion/robots/fetch"
)

// BenchmarkMatch asks about a cached origin, beside a bare handler that writes the same JSON. The
// connection is the loopback's, so that both have the cost of net/http.
func BenchmarkMatch(b *testing.B) {
	s := New(Config{Client: &fetch.Client{Transport: oneText("User-agent: *\nDisallow: /private/\n")}})
	target := matchOf("https://a.example/private/x", "ExampleBot")
	answer := get(s, target).Body.Bytes()
	bare := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(answer)
	})
	for name, handler := range map[string]http.Handler{"service": s, "bare": bare} {
		b.Run(name, func(b *testing.B) {
			web := httptest.NewServer(handler)
			defer web.Close()
			client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					answer, err := client.Get(web.URL + target)
					if err != nil {
						b.Error(err)
						return
					}
					io.Copy(io.Discard, answer.Body)
					answer.Body.Close()
				}
			})
		})
	}
}

// BenchmarkLines answers 10,000 questions about one text in a request.
func BenchmarkLines(b *testing.B) {
	s := New(Config{})
	var questions bytes.Buffer
	questions.WriteString("{\"robots\":\"User-agent: *\\nDisallow: /private/\\n\",\"url\":\"/\"}\n")
	for range 9_999 {
		questions.WriteString("{\"agent\":\"ExampleBot\",\"url\":\"/private/x\"}\n")
	}
	for b.Loop() {
		if w := post(s, "/v1/match", bytes.NewReader(questions.Bytes())); w.Code != http.StatusOK {
			b.Fatal(w.Code)
		}
	}
	b.ReportMetric(float64(b.N)*10_000/b.Elapsed().Seconds(), "answers/s")
}
