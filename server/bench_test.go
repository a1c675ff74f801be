package server

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// BenchmarkMatch asks about a cached origin over 64 connections of loopback, beside a bare handler
// that writes the same JSON. Both web servers have the limits of "robots serve". The client is part
// of both figures, but allocates nothing.
func BenchmarkMatch(b *testing.B) {
	s := New(Config{Client: &fetch.Client{Transport: oneText("User-agent: *\nDisallow: /private/\n")}})
	target := matchOf("https://a.example:8443/private/x", "ExampleBot")
	answer := get(s, target).Body.Bytes()
	for _, c := range []struct {
		name    string
		handler http.Handler
	}{
		{"bare", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Write(answer)
		})},
		{"service", s},
	} {
		b.Run(c.name, func(b *testing.B) {
			web := httptest.NewUnstartedServer(c.handler)
			web.Config.ReadHeaderTimeout, web.Config.IdleTimeout = 10*time.Second, 2*time.Minute
			web.Start()
			defer web.Close()
			b.ReportAllocs()
			b.ResetTimer()
			flood(b, web.Listener.Addr().String(), target, 64)
		})
	}
}

// flood sends b.N requests over some connections, each of which waits for the answer before it
// sends the next one.
func flood(b *testing.B, address, target string, connections int) {
	request := []byte("GET " + target + " HTTP/1.1\r\nHost: " + address + "\r\n\r\n")
	var next atomic.Int64
	var all sync.WaitGroup
	for range connections {
		all.Go(func() {
			conn, err := net.Dial("tcp", address)
			if err != nil {
				b.Error(err)
				return
			}
			defer conn.Close()
			for in := bufio.NewReader(conn); err == nil && next.Add(1) <= int64(b.N); {
				if _, err = conn.Write(request); err == nil {
					err = skipAnswer(in)
				}
			}
			if err != nil {
				b.Error(err)
			}
		})
	}
	all.Wait()
}

// skipAnswer reads an answer with status 200.
func skipAnswer(in *bufio.Reader) error {
	line, err := in.ReadSlice('\n')
	if err == nil && !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
		err = fmt.Errorf("the answer is %s", line)
	}
	size := 0
	for err == nil && len(line) > len("\r\n") {
		if line, err = in.ReadSlice('\n'); err != nil {
			break
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			for _, digit := range bytes.TrimSpace(value) {
				size = 10*size + int(digit-'0')
			}
		}
	}
	if err == nil {
		_, err = in.Discard(size)
	}
	return err
}

// BenchmarkMatchHandler asks about a cached origin without the cost of net/http.
func BenchmarkMatchHandler(b *testing.B) {
	ask := matchHandler()
	b.ReportAllocs()
	for b.Loop() {
		ask()
	}
}

// TestMatchAllocates limits what the handler allocates for a question about a cached origin: each
// allocation also costs a part of a garbage collection.
func TestMatchAllocates(t *testing.T) {
	corpus.Unraced(t)
	if n := testing.AllocsPerRun(1000, matchHandler()); n > 14 {
		t.Errorf("a question allocates %v times", n)
	}
}

// matchHandler returns a function that lets the handler answer a question about a cached origin.
func matchHandler() func() {
	s := New(Config{Client: &fetch.Client{Transport: oneText("User-agent: *\nDisallow: /private/\n")}})
	r := httptest.NewRequest(http.MethodGet, matchOf("https://a.example:8443/private/x", "ExampleBot"), nil)
	w := &discarder{header: make(http.Header)}
	return func() {
		clear(w.header)
		s.ServeHTTP(w, r)
	}
}

// A discarder is a ResponseWriter that keeps nothing of an answer.
type discarder struct{ header http.Header }

func (d *discarder) Header() http.Header         { return d.header }
func (d *discarder) WriteHeader(int)             {}
func (d *discarder) Write(b []byte) (int, error) { return len(b), nil }

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
