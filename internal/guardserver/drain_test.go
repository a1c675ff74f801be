package guardserver

import (
	"bufio"
	"context"
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
