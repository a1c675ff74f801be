package renewed

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestRenewed asks many hosts that close their connections, or that do not exist, and counts those
// that the transport still knows.
func TestRenewed(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
	}))
	defer site.Close()
	const most, hosts = 10, 200
	var made atomic.Int64
	transport := func() *http.Transport {
		made.Add(1)
		return &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if strings.HasPrefix(address, "silent") {
				return nil, &net.DNSError{Err: "no such host", Name: address, IsNotFound: true}
			}
			return (&net.Dialer{}).DialContext(ctx, network, site.Listener.Addr().String())
		}}
	}
	// ask asks all hosts at the same time.
	ask := func(transport http.RoundTripper) {
		var all sync.WaitGroup
		for i := range hosts {
			all.Go(func() {
				for _, name := range [...]string{"closing", "silent"} {
					answer, err := (&http.Client{Transport: transport}).Get(fmt.Sprintf("http://%s%d.example/", name,
						i))
					if (err != nil) != (name == "silent") {
						t.Errorf("%s: got %v", name, err)
					}
					if err == nil {
						answer.Body.Close()
					}
				}
			})
		}
		all.Wait()
	}
	plain := transport()
	ask(plain)
	if n := waiting(plain); n != 2*hosts {
		t.Skipf("net/http keeps %d of %d hosts: this package may not be needed any more", n, 2*hosts)
	}
	made.Store(0)
	r := New(transport, most)
	ask(r)
	if n := waiting(r.now.Transport); n > most {
		t.Errorf("the transport keeps %d hosts, more than %d", n, most)
	}
	if got, want := made.Load(), int64(2*hosts/most); got != want {
		t.Errorf("%d transports were made for %d requests, want %d", got, 2*hosts, want)
	}
}

// TestRenewedKeeps checks that requests to one host share a connection, and that it is closed at
// the end.
func TestRenewedKeeps(t *testing.T) {
	var opened, closed atomic.Int64
	site := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	site.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		switch s {
		case http.StateNew:
			opened.Add(1)
		case http.StateClosed:
			closed.Add(1)
		}
	}
	site.Start()
	defer site.Close()
	r := New(func() *http.Transport { return new(http.Transport) }, 5)
	client := &http.Client{Transport: r}
	for range 15 {
		answer, err := client.Get(site.URL)
		fatal.If(t, err)
		answer.Body.Close()
	}
	client.CloseIdleConnections()
	site.Close() // waits until all connections are closed
	if opened.Load() != 3 || closed.Load() != 3 {
		t.Errorf("%d connections were opened and %d closed for 15 requests, want 3", opened.Load(), closed.Load())
	}
	new(Transport).CloseIdleConnections() // before the first request
}

// waiting returns the number of hosts of which a transport waits for an idle connection.
func waiting(t *http.Transport) int {
	return reflect.ValueOf(t).Elem().FieldByName("idleConnWait").Len()
}
