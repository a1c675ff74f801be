//go:build unix

package main

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
	"github.com/robotsexclusion/robots/server/api"
)

// TestServeProtocols asks a service over HTTP/1.1 and HTTP/2, with TLS and without: one question,
// and many in lines whose answers come while the questions are sent.
func TestServeProtocols(t *testing.T) {
	t.Parallel()
	site := serveText(t, "User-agent: *\nDisallow: /private/\n")
	cert, key := writeCertificate(t)
	secure, plain := startService(t, "--allow-private", "--cert", cert, "--key", key),
		startService(t, "--allow-private")
	for _, c := range []struct {
		proto  string
		secure bool
	}{{"HTTP/1.1", true}, {"HTTP/2.0", true}, {"HTTP/1.1", false}, {"HTTP/2.0", false}} {
		protocols := new(http.Protocols)
		protocols.SetHTTP1(c.proto == "HTTP/1.1")
		protocols.SetHTTP2(c.proto == "HTTP/2.0" && c.secure)
		protocols.SetUnencryptedHTTP2(c.proto == "HTTP/2.0" && !c.secure)
		client := &http.Client{Transport: &http.Transport{Protocols: protocols,
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
		defer client.CloseIdleConnections()
		p, address := plain, "http://"+plain.address
		if c.secure {
			p, address = secure, "https://"+secure.address
		}
		answer, err := client.Get(address + strings.TrimPrefix(p.question(site+"/private/x"), "http://"+p.address))
		fatal.If(t, err)
		var m api.Match
		err = json.NewDecoder(answer.Body).Decode(&m)
		answer.Body.Close()
		if err != nil || answer.Proto != c.proto || len(m.Results) != 1 || m.Results[0].Allowed {
			t.Errorf("%s, TLS %t: %s %+v, %v", c.proto, c.secure, answer.Proto, m, err)
		}
		const questions = 20_000
		in, out := io.Pipe()
		go func() {
			fmt.Fprintln(out, `{"robots":"User-agent: *\nDisallow: /private/\n","url":"/private/x"}`)
			for range questions - 1 {
				fmt.Fprintln(out, `{"url":"/private/x"}`)
			}
			out.Close()
		}()
		answer, err = client.Post(address+"/v1/match", "application/jsonl", in)
		fatal.If(t, err)
		n := 0
		for lines := bufio.NewScanner(answer.Body); lines.Scan() &&
			strings.HasPrefix(lines.Text(), `{"allowed":false,`); n++ {
		}
		answer.Body.Close()
		if n != questions || answer.Proto != c.proto {
			t.Errorf("%s, TLS %t: %s, %d answers to %d questions", c.proto, c.secure, answer.Proto, n, questions)
		}
	}
}

// TestServeAttack opens very many connections that send nothing, a part of a header, a header
// without an end, or a body that never ends: ROBOTS_SERVE_CONNECTIONS says how many. Others must be
// answered all the time, the memory must stay small, and all connections must be closed without
// anything from the attackers.
func TestServeAttack(t *testing.T) {
	t.Parallel()
	connections := 400
	if n, err := strconv.Atoi(os.Getenv("ROBOTS_SERVE_CONNECTIONS")); err == nil {
		connections = n
	}
	site := serveText(t, "User-agent: *\nDisallow: /private/\n")
	figures := ports.Address(t)
	p := startService(t, "--allow-private", "--timeout", "2s", "--metrics", figures)
	ask := func(when string) {
		answer, err := http.Get(p.question(site + "/private/x"))
		if err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		defer answer.Body.Close()
		var m api.Match
		if err := json.NewDecoder(answer.Body).Decode(&m); err != nil || len(m.Results) != 1 || m.Results[0].Allowed {
			t.Fatalf("%s: %s %+v, %v", when, answer.Status, m, err)
		}
	}
	// figure returns a figure of the process, or 0 on systems where it is not known.
	figure := func(name string) float64 {
		_, text := fetchAs(t, "http://"+figures+"/metrics", "", "")
		if found := regexp.MustCompile(`(?m)^` + name + ` (.*)$`).FindStringSubmatch(text); found != nil {
			n, _ := strconv.ParseFloat(found[1], 64)
			return n
		}
		return 0
	}
	ask("before")
	open := figure("process_open_fds")
	most := open // at any time
	for i := range connections {
		c, err := net.Dial("tcp", p.address)
		if err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
		defer c.Close()
		c.SetWriteDeadline(time.Now().Add(10 * time.Second)) // the service does not read headers without an end
		switch i % 4 {
		case 1:
			io.WriteString(c, "GET /v1/match?url=x HTTP/1.1\r\nHost: a\r\nX: ")
		case 2:
			io.WriteString(c, "GET / HTTP/1.1\r\nHost: a\r\n"+strings.Repeat("X: "+strings.Repeat("x", 1000)+"\r\n",
				64))
		case 3:
			io.WriteString(c, "POST /v1/lint HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n{")
		}
		if i%100 == 0 {
			ask(fmt.Sprintf("with %d connections", i))
			most = max(most, figure("process_open_fds"))
		}
	}
	ask("with all connections")
	memory := figure("process_resident_memory_bytes")
	t.Logf("%d connections: %.0f MB", connections, memory/1e6)
	if limit := 150e6 + 64e3*float64(connections); memory > limit {
		t.Errorf("the service has %.0f MB, more than %.0f", memory/1e6, limit/1e6)
	}
	if most = max(most, figure("process_open_fds")); runtime.GOOS == "linux" && most < open+float64(connections)/2 {
		t.Error("the service has closed most connections before the last ones came: they show nothing")
	}
	for end := time.Now().Add(time.Minute); figure("process_open_fds") > open+10; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("a minute later, %.0f files are open, and %.0f were before", figure("process_open_fds"), open)
		}
	}
	ask("afterwards")
}
