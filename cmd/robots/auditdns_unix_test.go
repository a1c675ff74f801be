//go:build unix

package main

import (
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/nameserver"
)

// slowly relays questions to a name server over UDP, each after open was closed. It sends to asked
// when the first one came.
func slowly(t *testing.T, server string, open <-chan struct{}) (address string, asked <-chan struct{}) {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	fatal.If(t, err)
	came := make(chan struct{})
	var once sync.Once
	var work sync.WaitGroup
	relay := func(question []byte, from net.Addr) {
		<-open
		to, err := net.Dial("udp", server)
		if err != nil {
			return
		}
		defer to.Close()
		answer := make([]byte, 4096)
		to.Write(question)
		if n, err := to.Read(answer); err == nil {
			conn.WriteTo(answer[:n], from)
		}
	}
	work.Go(func() {
		for {
			packet := make([]byte, 4096)
			n, from, err := conn.ReadFrom(packet)
			if err != nil {
				return
			}
			once.Do(func() { close(came) })
			work.Go(func() { relay(packet[:n], from) })
		}
	})
	t.Cleanup(func() {
		conn.Close()
		work.Wait()
	})
	return conn.LocalAddr().String(), came
}

// While the DNS does not answer, other logs and the metrics go on. Then the lines come in their
// order.
func TestAuditFollowSlowDNS(t *testing.T) {
	t.Parallel()
	server := nameserver.Start(t,
		"66.249.66.1 PTR crawl-66-249-66-1.googlebot.com.\ncrawl-66-249-66-1.googlebot.com. A 66.249.66.1\n"+
			"192.0.2.9 PTR host.example.net.\n")
	open := make(chan struct{})
	answer := sync.OnceFunc(func() { close(open) })
	dns, asked := slowly(t, server.Address(), open)
	t.Cleanup(answer)

	folder := t.TempDir()
	robots, one, two := filepath.Join(folder, "robots.txt"), filepath.Join(folder, "one.log"), filepath.Join(folder,
		"two.log")
	f := &followed{t: t}
	f.replace(robots, closedFirst)
	f = followLog(t, one, two, "--robots", robots, "--verify", "--dns", dns, "--metrics", "127.0.0.1:0")
	line, err := f.stderr.ReadString('\n')
	f.must(err)
	_, url, _ := strings.Cut(strings.TrimSpace(line), "figures at ")
	f.says("does not exist")
	f.says("does not exist")
	const google = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	f.writeAs("66.249.66.1", google, one, "/first/1")
	f.writeAs("192.0.2.9", google, one, "/2")
	f.write(one, "/first/3")
	<-asked
	f.write(two, "/first/0")
	f.want("/first/0")
	response, err := http.Get(url)
	f.must(err)
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	f.must(err)
	if want := `robots_audit_requests_total{robot="other"} 1`; !strings.Contains(string(body), want) ||
		strings.Contains(string(body), "Googlebot") {
		t.Errorf("the metrics have no line %s, or lines that wait", want)
	}
	answer()
	for _, want := range []string{`"identity":"verified","class":"certain"`, `"identity":"forged","class":"forged"`,
		`"token":"onebot","identity":"unverifiable","class":"certain"`} {
		if line, err := f.out.ReadString('\n'); err != nil || !strings.Contains(line, want) {
			t.Fatalf("got %q, %v, want %s", line, err, want)
		}
	}
}

// While robots follows logs, it reports a DNS server that does not answer, and again at the end if
// more addresses lack an answer.
func TestAuditFollowSilentDNS(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	robots, log := filepath.Join(folder, "robots.txt"), filepath.Join(folder, "one.log")
	f := &followed{t: t}
	f.replace(robots, closedFirst)
	f = followLog(t, log, "--robots", robots, "--verify", "--dns", "127.0.0.1:1", "--reread", "100ms")
	f.says("does not exist")
	const google = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	f.writeAs("192.0.2.8", google, log, "/first/1", "/first/2")
	f.says("addresses without an answer: 1, in the name of Googlebot (1); name another server with --dns")
	f.writeAs("192.0.2.9", google, log, "/first/3")
	for range 3 {
		if line, err := f.out.ReadString('\n'); err != nil || !strings.Contains(line, `"identity":"unverifiable"`) {
			t.Fatalf("got %q, %v, want a client that is unverifiable", line, err)
		}
	}
	f.must(f.cmd.Process.Signal(syscall.SIGINT))
	f.says("addresses without an answer: 2, in the name of Googlebot (2)")
	f.says("requests followed: 3;")
}
