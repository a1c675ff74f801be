package guardserver

import (
	"bufio"
	"context"
	"crypto/tls"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestDrainConnections drains servers while clients send one request after another on each
// connection, and never repeat one. Each request must get an answer, and a connection may end only
// after an answer that says so.
func TestDrainConnections(t *testing.T) {
	for range 20 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		fatal.If(t, err)
		server := Drained(&http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Write([]byte("page"))
		})})
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

// TestBusyTwin compares the numbers after random changes of connections and requests with those of
// a plain list.
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
				if twin[i] = state == http.StateNew || state == http.StateActive; state == http.StateHijacked ||
					state == http.StateClosed {
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
				t.Fatalf("seed %d: got %d open and %d at work, want %d and %d", seed, b.open.Load(), b.work.Load(),
					open, work)
			}
		}
	}
}

// TestBusyProtocols serves connections of each kind, some of which a handler takes over, and then
// counts none. The race detector sees whether the calls for a connection follow one another.
func TestBusyProtocols(t *testing.T) {
	lender := httptest.NewTLSServer(nil) // of a certificate: its own hook has a lock, which would hide races
	defer lender.Close()
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/take" {
			return
		}
		done := make(chan bool)
		go func() { // not the goroutine of the connection
			defer close(done)
			c, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			c.Close()
		}()
		<-done
	})
	for _, c := range []struct{ http1, secure bool }{{true, false}, {false, false}, {true, true}, {false, true}} {
		all := new(http.Protocols)
		all.SetHTTP1(true)
		all.SetHTTP2(true)
		all.SetUnencryptedHTTP2(true)
		server := Drained(&http.Server{Handler: handler, Protocols: all,
			TLSConfig: &tls.Config{Certificates: lender.TLS.Certificates}})
		l, err := net.Listen("tcp", "127.0.0.1:0")
		fatal.If(t, err)
		url := "http://" + l.Addr().String()
		if c.secure {
			url = "https://" + l.Addr().String()
			go server.ServeTLS(l, "", "")
		} else {
			go server.Serve(l)
		}
		protocols := new(http.Protocols)
		protocols.SetHTTP1(c.http1)
		protocols.SetHTTP2(!c.http1 && c.secure)
		protocols.SetUnencryptedHTTP2(!c.http1 && !c.secure)
		var clients sync.WaitGroup
		for range 4 {
			clients.Go(func() {
				transport := &http.Transport{Protocols: protocols,
					TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
				defer transport.CloseIdleConnections()
				for range 20 {
					answer, err := (&http.Client{Transport: transport}).Get(url)
					if err != nil {
						t.Error(err)
						return
					}
					answer.Body.Close()
					if (answer.ProtoMajor == 1) != c.http1 {
						t.Errorf("got %s", answer.Proto)
					}
				}
				if c.http1 {
					if answer, err := (&http.Client{Transport: transport}).Get(url + "/take"); err == nil {
						answer.Body.Close()
						t.Error("a connection that was taken over has an answer")
					}
				}
			})
		}
		clients.Wait()
		server.Close()
		for range 1000 { // the last calls follow the end of a connection
			if server.busy.open.Load() == 0 && server.busy.work.Load() == 0 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if open, work := server.busy.open.Load(), server.busy.work.Load(); open != 0 || work != 0 {
			t.Errorf("%+v: %d connections are open, and %d busy", c, open, work)
		}
	}
}
