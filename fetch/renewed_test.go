package fetch

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestRenewed asks many hosts that close their connections, or that nobody listens at, and counts those that the transport still knows.
func TestRenewed(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		io.WriteString(w, "User-agent: *\n")
	}))
	defer site.Close()
	_, port, _ := net.SplitHostPort(site.Listener.Addr().String())
	const most, hosts = 10, 200
	var made atomic.Int64
	transport := func() *http.Transport {
		made.Add(1)
		plain := DialFilter{AllowPrivate: true}.Transport()
		plain.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			if strings.HasPrefix(address, "silent") {
				return nil, &net.DNSError{Err: "no such host", Name: address, IsNotFound: true}
			}
			return (&net.Dialer{}).DialContext(ctx, network, site.Listener.Addr().String())
		}
		return plain
	}
	// ask asks all hosts at the same time.
	ask := func(c *Client) {
		var all sync.WaitGroup
		for i := range hosts {
			all.Go(func() {
				for _, name := range [...]string{"closing", "silent"} {
					r, err := c.Policy(t.Context(), fmt.Sprintf("http://%s%d.example:%s/", name, i, port))
					if want := map[string]State{"closing": OK, "silent": Unreachable}[name]; err != nil || r.State != want {
						t.Errorf("%s: got %s, %v, want %s", name, r.State, err, want)
					}
				}
			})
		}
		all.Wait()
	}
	plain := transport()
	ask(&Client{Transport: plain})
	if n := waiting(plain); n != 2*hosts {
		t.Skipf("net/http keeps %d of %d hosts: renewed may not be needed any more", n, 2*hosts)
	}
	made.Store(0)
	r := &renewed{make: transport, most: most}
	ask(&Client{Transport: r})
	if n := waiting(r.now); n > most {
		t.Errorf("the transport keeps %d hosts, more than %d", n, most)
	}
	if got, want := made.Load(), int64(2*hosts/most); got != want {
		t.Errorf("%d transports were made for %d requests, want %d", got, 2*hosts, want)
	}
	// A Client has one, unless it is given a transport.
	if _, ok := new(Client).transport().(*renewed); !ok {
		t.Error("a client without a transport does not renew it")
	}
}

// TestRenewedKeeps checks that requests to one host share a connection, and that it is closed at the end.
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
	r := &renewed{make: DialFilter{AllowPrivate: true}.Transport, most: 5}
	client := &http.Client{Transport: r}
	for range 15 {
		answer, err := client.Get(site.URL)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	client.CloseIdleConnections()
	site.Close() // waits until all connections are closed
	if opened.Load() != 3 || closed.Load() != 3 {
		t.Errorf("%d connections were opened and %d closed for 15 requests, want 3", opened.Load(), closed.Load())
	}
	new(renewed).CloseIdleConnections() // before the first request
}

// waiting returns the number of hosts of which a transport waits for an idle connection.
func waiting(t *http.Transport) int {
	return reflect.ValueOf(t).Elem().FieldByName("idleConnWait").Len()
}
