package server

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestSlowReaders has clients that ask for long answers and do not read them, over HTTP/1.1 and
// HTTP/2, until they have all places. The places must become free without anything from these
// clients.
func TestSlowReaders(t *testing.T) {
	const target = "/v1/robots?origin=https://a.example"
	text := "User-agent: *\n" + strings.Repeat("Disallow: /a\n", 30_000)
	for _, c := range []struct {
		name string
		ask  func(t *testing.T, web *httptest.Server)
	}{
		{"HTTP/1.1", func(t *testing.T, web *httptest.Server) {
			conn, err := net.Dial("tcp", web.Listener.Addr().String())
			fatal.If(t, err)
			t.Cleanup(func() { conn.Close() })
			conn.(*net.TCPConn).SetReadBuffer(4 << 10)
			// More answers than the buffers of the system hold.
			io.WriteString(conn, strings.Repeat("GET "+target+" HTTP/1.1\r\nHost: a\r\n\r\n", 100))
		}},
		{"HTTP/2", func(t *testing.T, web *httptest.Server) {
			transport := &http.Transport{Protocols: new(http.Protocols),
				HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: 64 << 10}}
			transport.Protocols.SetUnencryptedHTTP2(true)
			t.Cleanup(transport.CloseIdleConnections)
			for range 2 {
				answer, err := (&http.Client{Transport: transport}).Get(web.URL + target)
				fatal.If(t, err)
				if answer.ProtoMajor != 2 {
					t.Errorf("the answer has %s", answer.Proto)
				}
				t.Cleanup(func() { answer.Body.Close() })
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New(Config{MaxTime: time.Second, MaxRequests: 2, Client: &fetch.Client{Transport: oneText(text),
				Cache: new(fetch.Memory)}})
			web := httptest.NewUnstartedServer(s)
			web.Config.Protocols = new(http.Protocols)
			web.Config.Protocols.SetHTTP1(true)
			web.Config.Protocols.SetUnencryptedHTTP2(true)
			web.Start()
			defer web.CloseClientConnections() // or Close waits for the connections
			if w := get(s, target); w.Code != http.StatusOK {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			for range s.requests.most {
				c.ask(t, web)
			}
			wait(t, "all places are taken", func() bool { return s.requests.taken() == s.requests.most })
			wait(t, "all places are free again", func() bool { return s.requests.taken() == 0 })
		})
	}
}

// wait waits until something is so.
func wait(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("after a minute it does not hold that " + what)
		}
	}
}
