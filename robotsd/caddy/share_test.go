package robotsguard

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/nats-io/nats-server/v2/server"

	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// serveSites serves sites as a Caddy of its own, until standard input ends.
func serveSites(sites string) {
	config, err := adapt(sites)
	if err == nil {
		err = caddy.Load(config, true)
	}
	fmt.Println(err)
	io.Copy(io.Discard, os.Stdin)
	caddy.Stop()
}

// startCaddy runs a Caddy in a process of its own until the test ends.
func startCaddy(t *testing.T, sites string) *child.Process {
	t.Helper()
	c := child.Start(t, "serve", sites)
	if line := c.Line(); line != "<nil>" {
		t.Fatalf("Caddy does not start: %s", line)
	}
	return c
}

// TestShare has Caddys share the pace of robots through a NATS server. One is killed, the others go
// on, a reload keeps the pace, and a new one learns it.
func TestShare(t *testing.T) {
	nats, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true,
		NoLog: true, JetStream: true, StoreDir: t.TempDir()})
	fatal.If(t, err)
	nats.Start()
	t.Cleanup(func() { nats.Shutdown(); nats.WaitForShutdown() })
	if !nats.ReadyForConnections(time.Minute) {
		t.Fatal("the NATS server does not start")
	}
	// Each robot can be asked about once: its second request anywhere is slow.
	text, robots := "", []string{}
	for i := range 40 {
		name := fmt.Sprintf("Slow%c%cBot", 'A'+i/26, 'a'+i%26)
		robots = append(robots, name)
		text += "User-agent: " + name + "\nCrawl-delay: 100000\n\n"
	}
	file := write(t, "robots.txt", text)
	site := func(port, options string) string {
		return fmt.Sprintf("http://:%s {\n\trobots_guard {\n\t\trobots %s\n\t\tnats %s\n\t\tsite shop.example\n%s\n\t}\n\trespond served\n}\n", port, file, nats.ClientURL(), options)
	}
	status := func(port, robot string) int {
		got, _ := ask(t, http.DefaultClient, port, "x", "/", robot)
		return got
	}
	// shared waits until the Caddy at one port knows of a request at another one.
	shared := func(from, to string) {
		t.Helper()
		for wait := 100 * time.Millisecond; ; wait *= 2 {
			if len(robots) == 0 {
				t.Fatal("the pace is not shared")
			}
			robot := robots[0]
			robots = robots[1:]
			if got := status(from, robot); got != 200 {
				t.Fatalf("the first request of %s: got %d", robot, got)
			}
			time.Sleep(min(wait, 5*time.Second))
			if status(to, robot) == 429 {
				return
			}
		}
	}
	first, second, third := freePort(t), freePort(t), freePort(t)
	killed := startCaddy(t, site(first, ""))
	load(t, site(second, ""))
	shared(first, second)
	shared(second, first)

	killed.Kill()
	robot := robots[0]
	robots = robots[1:]
	if a, b := status(second, robot), status(second, robot); a != 200 || b != 429 {
		t.Errorf("after another Caddy was killed: got %d and %d", a, b)
	}
	load(t, site(second, "\t\tstatus 410"))
	if got := status(second, robot); got != 429 {
		t.Errorf("after a reload: got %d", got)
	}
	if n, ok := pool.References((&Handler{Robots: file, NATS: nats.ClientURL(),
		Site: "shop.example"}).siteKey()); !ok || n != 1 {
		t.Errorf("%d handlers use the site after a reload", n)
	}
	startCaddy(t, site(third, ""))
	shared(second, third)
	if got := status(third, robot); got != 429 {
		t.Errorf("a Caddy that started later does not know of an earlier request: got %d", got)
	}
	caddy.Stop()
	http.DefaultClient.CloseIdleConnections()
}
