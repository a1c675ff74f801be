package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/nameserver"
)

// fetchAs fetches a URL with a User-Agent header as the client with an address.
func fetchAs(t *testing.T, url, userAgent, client string) (status int, text string) {
	t.Helper()
	r, err := http.NewRequest("GET", url, nil)
	fatal.If(t, err)
	r.Header = http.Header{"User-Agent": {userAgent}, "X-Forwarded-For": {client}}
	answer, err := http.DefaultClient.Do(r)
	fatal.If(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	fatal.If(t, err)
	return answer.StatusCode, string(body)
}

// TestGuardVerify checks --verify and --verify-first with a DNS server, and the figures about them.
func TestGuardVerify(t *testing.T) {
	t.Parallel()
	dns := nameserver.Start(t,
		"192.0.2.7 PTR fulltextrobot-7.seznam.cz.\nfulltextrobot-7.seznam.cz. A 192.0.2.7\n192.0.2.9 FAILS\n")
	site := func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.RequestURI) }
	address, figures := startGuard(t, site, "--trust", "127.0.0.1", "--verify", "--verify-first", "--dns",
		dns.Address())
	const seznam = "Mozilla/5.0 (compatible; SeznamBot/4.0; +https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/)"
	for client, want := range map[string]int{"192.0.2.7": 200, "192.0.2.8": 403, "192.0.2.9": 200} {
		status := 0
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if status, _ = fetchAs(t, "http://"+address+"/x", seznam, client); status != http.StatusTooManyRequests {
				break
			}
		}
		if status != want {
			t.Errorf("%s: got %d, want %d", client, status, want)
		}
	}
	wants := []string{
		`robots_guard_decisions_total{action="refuse",reason="forged"} 1`,
		`robots_guard_identities_total{identity="forged"} 1`,
		`robots_guard_identities_total{identity="verified"} 1`,
		`robots_guard_identities_total{identity="pending"} `,
		"robots_guard_lookups_total 3",
		"robots_guard_lookups_dropped_total 0",
		"robots_guard_lookups_waiting 0",
	}
	// an answer is counted when it was sent
	for end := time.Now().Add(time.Minute); len(wants) > 0; time.Sleep(time.Millisecond) {
		_, text := fetchAs(t, figures+"/metrics", "", "")
		wants = slices.DeleteFunc(wants, func(want string) bool { return strings.Contains(text, "\n"+want) })
		if time.Now().After(end) {
			t.Fatalf("the figures lack %q", wants)
		}
	}
	if status, text := fetchAs(t, figures+"/readyz", "", ""); status != 200 || text != "ok\n" {
		t.Errorf("readyz: got %d %q", status, text)
	}
}

// writeCertificate writes a certificate for 127.0.0.1, with its key, and returns the files.
func writeCertificate(t *testing.T) (cert, key string) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	server.StartTLS()
	defer server.Close()
	pair := server.TLS.Certificates[0]
	der, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	fatal.If(t, err)
	cert, key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: pair.Certificate[0]},
		key: {Type: "PRIVATE KEY", Bytes: der}} {
		fatal.If(t, os.WriteFile(file, pem.EncodeToMemory(block), 0o600))
	}
	return cert, key
}

// TestGuardTLS checks guard with a certificate: HTTP/2 and HTTP/1.1 of curl, HTTP/2 without TLS,
// large bodies in both directions, answers that are written slowly, and WebSockets.
func TestGuardTLS(t *testing.T) {
	t.Parallel()
	const large = 20 << 20
	next := make(chan bool, 2)
	site := func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/stream":
			fmt.Fprintln(w, "first")
			http.NewResponseController(w).Flush()
			<-next
			fmt.Fprintln(w, "second")
		case "/socket":
			c, in, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
			line, _ := in.ReadString('\n')
			io.WriteString(c, "you said "+line)
		case "/large":
			io.CopyN(w, zeros{}, large)
		default:
			n, _ := io.Copy(io.Discard, r.Body)
			fmt.Fprintf(w, "%d bytes", n)
		}
	}
	cert, key := writeCertificate(t)
	address, _ := startGuard(t, site, "--cert", cert, "--key", key)
	plain, _ := startGuard(t, site)
	for _, protocol := range []string{"HTTP/2.0", "HTTP/1.1"} {
		protocols := new(http.Protocols)
		protocols.SetHTTP1(protocol == "HTTP/1.1")
		protocols.SetHTTP2(protocol == "HTTP/2.0")
		client := &http.Client{Transport: &http.Transport{Protocols: protocols,
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
		defer client.CloseIdleConnections()
		answer, err := client.Post("https://"+address+"/", "text/plain", io.LimitReader(zeros{}, large))
		fatal.If(t, err)
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.Proto != protocol || string(body) != fmt.Sprint(large, " bytes") {
			t.Errorf("%s: sending got %s %q, %v", protocol, answer.Proto, body, err)
		}
		if answer, err = client.Get("https://" + address + "/large"); err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if err != nil || n != large {
			t.Errorf("%s: got %d bytes, %v", protocol, n, err)
		}
		if answer, err = client.Get("https://" + address + "/stream"); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(answer.Body)
		if !lines.Scan() || lines.Text() != "first" {
			t.Errorf("%s: got %q first", protocol, lines.Text())
		}
		next <- true
		if !lines.Scan() || lines.Text() != "second" {
			t.Errorf("%s: got %q second", protocol, lines.Text())
		}
		answer.Body.Close()
	}

	c, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"http/1.1"}})
	fatal.If(t, err)
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Minute))
	io.WriteString(c, "GET /socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
	in := bufio.NewReader(c)
	if answer, err := http.ReadResponse(in, nil); err != nil || answer.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("got %v, %v", answer, err)
	}
	io.WriteString(c, "hello\n")
	if line, err := in.ReadString('\n'); line != "you said hello\n" {
		t.Errorf("a WebSocket got %q, %v", line, err)
	}

	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("curl is not installed")
	}
	for _, test := range []struct{ flags, url, want string }{
		{"--http2", "https://" + address + "/x", "0 bytes 200 2"},
		{"--http1.1", "https://" + address + "/x", "0 bytes 200 1.1"},
		{"--http2-prior-knowledge", "http://" + plain + "/x", "0 bytes 200 2"},
		{"--http2 -A GPTBot/1.0 -o /dev/null", "https://" + address + "/private/x", " 403 2"},
		{"--http2-prior-knowledge -A GPTBot/1.0 -o /dev/null", "http://" + plain + "/private/x", " 403 2"},
		{"--http2 -A GPTBot/1.0", "https://" + address + "/robots.txt", "0 bytes 200 2"},
	} {
		args := append(strings.Fields(test.flags), "-sk", "-w", " %{http_code} %{http_version}", test.url)
		got, err := exec.Command(curl, args...).CombinedOutput()
		if err != nil || string(got) != test.want {
			t.Errorf("curl %s: got %q, %v, want %q", test.flags, got, err, test.want)
		}
	}
}

// zeros is an endless body.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }
