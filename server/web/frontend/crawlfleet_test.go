package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// natsServer starts a NATS server as an operator would, and returns its address.
func natsServer(t *testing.T) (address string) {
	t.Helper()
	cmd := exec.Command(program(t, "nats-server"), "-js", "-sd", t.TempDir(), "-a", "127.0.0.1", "-p", "-1")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if _, at, ok := strings.Cut(lines.Text(), "Listening for client connections on "); ok {
			address = at
		}
		if strings.HasSuffix(lines.Text(), "Server is ready") {
			go io.Copy(io.Discard, stderr)
			return address
		}
	}
	t.Fatal("the NATS server does not start")
	return ""
}

// publish publishes a message, as any program with the password of the servers can.
func publish(t *testing.T, address, subject string, data []byte) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "CONNECT {\"verbose\":false}\r\nPUB %s %d\r\n%s\r\nPING\r\n", subject, len(data), data)
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		if lines.Text() == "PONG" {
			return
		}
		if strings.HasPrefix(lines.Text(), "-ERR") {
			t.Fatal(lines.Text())
		}
	}
	t.Fatal("the NATS server does not answer")
}

// The view Crawl shows the workers of a shared crawl: two that run, and one that has left and gave
// hostile names. axe-core finds nothing, and no view is wider than the screen, in each language.
func TestCrawlFleet(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: *\nCrawl-delay: 100\n") // the crawl goes on
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<a href="/a">a</a> <a href="/b">b</a>`)
	}))
	t.Cleanup(site.Close)
	address, base := natsServer(t), t.TempDir()
	dir := func(n int) string { return filepath.Join(base, fmt.Sprint("worker", n)) }
	var workers []*exec.Cmd
	var ends []chan bool
	start := func(seeds ...string) {
		t.Helper()
		cmd := exec.Command(program(t, "robots-crawl"), append([]string{"crawl", "--worker",
			"--nats", "nats://" + address, "--name", "shown", "--dir", dir(len(workers)), "--allow-private",
			"--user-agent", "ExampleBot/1.0 (+https://example.com/bot)"}, seeds...)...)
		out := new(output)
		cmd.Stdout, cmd.Stderr = out, out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan bool)
		go func() { cmd.Wait(); close(ended) }()
		t.Cleanup(func() {
			cmd.Process.Kill()
			<-ended
			if t.Failed() {
				t.Log(out)
			}
		})
		workers, ends = append(workers, cmd), append(ends, ended)
	}
	status := func(n int, until string) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
			out, _ := exec.Command(program(t, "robots-crawl"), "crawl", "status", "--json", "--dir", dir(n)).Output()
			if strings.Contains(string(out), until) {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("the status of worker %d has no %s: %s", n, until, out)
			}
		}
	}
	start(site.URL + "/")
	status(0, `"state":"alive"`)
	start()
	status(1, `"this":true`)

	name := hostile + "\u202e" + strings.Repeat("verylongname", 400)
	report, err := json.Marshal(map[string]any{"at": time.Now().UTC(), "machine": name, "held": []byte{0xff, 0xf0},
		"hosts": 1, "seen": 9000, "queued": 1234, "done": 5678, "lapses": 3})
	if err != nil {
		t.Fatal(err)
	}
	const number = "0000beef"
	key, err := json.Marshal(map[string]string{"session": fmt.Sprint(0xbeef<<32 | 1), "state": "left",
		"report": string(report)})
	if err != nil {
		t.Fatal(err)
	}
	publish(t, address, "$KV.shown-fleet."+number, key)

	s := serve(t, "robots-crawl", "crawl", "serve", "--dir", dir(0), "--listen", "127.0.0.1:0")
	p := open(t, s.url, 1280, false, "en")
	p.waitText(".crawl", "2 of 3 workers alive")
	item := `[...document.querySelectorAll(".workers li")]`
	one := func(form string) {
		t.Helper()
		p.wait(item + ".filter((li) => " + form + ".test(li.textContent)).length === 1")
	}
	one(`/\(this worker\)/`)
	one(`/alive.*partitions · \d+ visited, \d+ queued · last seen .*(second|now)/`)
	last := get[string](p, item+`.at(-1).textContent`)
	for _, want := range []string{"left", hostile, number, "12 partitions", "5678 visited, 1234 queued", "last seen",
		"dropped its partitions 3 times", "…"} {
		if !strings.Contains(last, want) {
			t.Errorf("the worker with a hostile name is %q, and lacks %q", last, want)
		}
	}
	if len(last) > 600 {
		t.Errorf("the worker with a long name takes %d bytes", len(last))
	}
	if n := get[int](p, `document.querySelectorAll("#panel script, main img, main iframe, main style, main svg, " +
		"main a[href^='javascript']").length`); n > 0 {
		t.Errorf("the name of a worker became %d elements", n)
	}

	// A worker leaves.
	workers[1].Process.Signal(os.Interrupt)
	<-ends[1]
	p.waitText(".crawl", "1 of 3 workers alive")
	p.check()

	looks(t, s.url, "crawlfleet", ".workers li + li")

	// The worker of this folder ends: the view says that these counts are of its part only.
	workers[0].Process.Signal(os.Interrupt)
	<-ends[0]
	q := open(t, s.url, 360, false, "es")
	q.waitText(".tallies", "sabía de su parte del rastreo")
	q.wait(`document.querySelector(".crawl > section[hidden]")`)
	if over := q.excess(); over > 0 {
		t.Errorf("after the end the page is %d px too wide", over)
	}
	q.check()
}
