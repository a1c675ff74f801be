package guardserver

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestEarlyBytes checks that bytes that a client sends before the answer to its upgrade reach the
// upstream: in one write with the request, and while the upstream thinks, with TLS and without.
func TestEarlyBytes(t *testing.T) {
	thinking, think := make(chan bool), make(chan bool)
	site := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		thinking <- true
		<-think
		c, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		for range 3 {
			line, _ := buffered.ReadString('\n')
			io.WriteString(c, "you said "+line)
		}
	})
	for _, record := range []func(*Record){nil, func(*Record) {}} {
		for _, preferences := range []bool{false, true} {
			g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(rules))), Preferences: preferences}
			server := httptest.NewUnstartedServer(nil) // has a certificate
			server.Config = New(Options{Upstream: site, Record: record, Guard: g, Timeout: time.Minute,
				Notice: func(error) {}}).Server
			server.StartTLS()
			t.Cleanup(server.Close)
			secure, err := tls.Dial("tcp", server.Listener.Addr().String(), &tls.Config{InsecureSkipVerify: true})
			fatal.If(t, err)
			plain, err := net.Dial("tcp", start(t, Options{Upstream: site, Record: record, Guard: g}))
			fatal.If(t, err)
			for name, c := range map[string]net.Conn{"TLS": secure, "no TLS": plain} {
				c.SetDeadline(time.Now().Add(time.Minute))
				io.WriteString(c,
					"GET /socket HTTP/1.1\r\nHost: example.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\none\n")
				<-thinking
				io.WriteString(c, "two\n")
				think <- true
				in := bufio.NewReader(c)
				if answer, err := http.ReadResponse(in, nil); err != nil ||
					answer.StatusCode != http.StatusSwitchingProtocols {
					t.Fatalf("%s: got %v, %v", name, answer, err)
				}
				io.WriteString(c, "three\n")
				for _, want := range []string{"one", "two", "three"} {
					if line, err := in.ReadString('\n'); line != "you said "+want+"\n" {
						t.Fatalf("%s: got %q, %v, want %q", name, line, err, want)
					}
				}
				c.Close()
			}
		}
	}
}
