package guardserver

import (
	"bufio"
	"context"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// TestDrainConnections drains servers while clients send one request after another on each connection, and never repeat one. Each
// request must get an answer, and a connection may end only after an answer that says so.
func TestDrainConnections(t *testing.T) {
	for range 20 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		server := Drained(&http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("page")) })})
		served := make(chan error, 1)
		go func() { served <- server.Serve(l) }()
		var clients, first sync.WaitGroup
		for range 8 {
			first.Add(1)
			clients.Go(func() {
				begun := sync.OnceFunc(first.Done)
				defer begun()
				c, err := net.Dial("tcp", l.Addr().String())
				if err != nil {
					t.Error(err)
					return
				}
				defer c.Close()
				c.SetDeadline(time.Now().Add(time.Minute))
				for reader := bufio.NewReader(c); ; begun() {
					if _, err := c.Write([]byte("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n")); err != nil {
						t.Errorf("a request was dropped: %v", err)
						return
					}
					answer, err := http.ReadResponse(reader, nil)
					if err != nil {
						t.Errorf("a request was dropped: %v", err)
						return
					}
					answer.Body.Close()
					if answer.Close {
						return
					}
				}
			})
		}
		first.Wait()
		l.Close()
		<-served
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		server.Drain(ctx)
		cancel()
		clients.Wait()
		if t.Failed() {
			return
		}
	}
}

// BenchmarkBusy measures what a request costs besides its handler, on connections of each core.
func BenchmarkBusy(b *testing.B) {
	server := Drained(&http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})})
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		c, other := net.Pipe()
		defer other.Close()
		r := &http.Request{ProtoMajor: 1}
		server.ConnState(c, http.StateNew)
		for pb.Next() {
			server.ConnState(c, http.StateActive)
			server.Handler.ServeHTTP(nil, r)
			server.ConnState(c, http.StateIdle)
		}
		server.ConnState(c, http.StateClosed)
	})
}

// TestBusyTwin compares the numbers after random changes of connections and requests with those of a plain list.
func TestBusyTwin(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 0))
		server := Drained(&http.Server{Handler: http.NotFoundHandler()})
		b := &server.busy
		b.ending.Store(true)
		conns, twin := make([]net.Conn, 3), make(map[int]bool) // busy or not, of the open connections
		for i := range conns {
			conns[i] = new(net.TCPConn)
		}
		requests := 0
		for range 100 {
			i := random.IntN(len(conns))
			switch n := random.IntN(8); {
			case n == 6:
				b.add(&b.work, 1)
				requests++
			case n == 7 && requests > 0:
				b.add(&b.work, -1)
				requests--
			case n < 5:
				state := http.ConnState(n)
				b.state(conns[i], state)
				if twin[i] = state == http.StateNew || state == http.StateActive; state == http.StateHijacked || state == http.StateClosed {
					delete(twin, i)
				}
			}
			work := requests
			for _, busy := range twin {
				if busy {
					work++
				}
			}
			if open := int64(len(twin)); b.open.Load() != open || b.work.Load() != int64(work) {
				t.Fatalf("seed %d: got %d open and %d at work, want %d and %d", seed, b.open.Load(), b.work.Load(), open, work)
			}
		}
	}
}
