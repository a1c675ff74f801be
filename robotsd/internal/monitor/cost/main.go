//go:build ignore

// Cost measures what a watch of many sites costs: it serves them over TLS from a process of its
// own, each at an address of loopback of its own, looks at each of them several times, and prints
// the time of the processor and the memory of the watching process. It asks no DNS server.
//
//	GOMAXPROCS=1 go run robotsd/internal/monitor/cost/main.go -sites 10000
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

func main() {
	sites := flag.Int("sites", 10_000, "number of sites, 65,536 at most")
	server := flag.Bool("server", false, "serve the sites")
	flag.Parse()
	if *server {
		serve()
	}
	if err := watch(*sites); err != nil {
		log.Fatal(err)
	}
}

// serve serves a robots.txt of 3 KiB for each host, with an ETag, until standard input ends. With
// the second reading of a site, one site in a hundred closes a folder.
func serve() {
	body := func(host, extra string) string {
		return "User-agent: *\n" + strings.Repeat("Disallow: /admin/"+host+"/\nAllow: /admin/"+host+"/public\n",
			45) + extra
	}
	var changed atomic.Bool
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/change" {
			changed.Store(true)
			return
		}
		tag, extra := `"1"`, ""
		if changed.Load() && strings.HasSuffix(r.Host, "00.example") {
			tag, extra = `"2"`, "Disallow: /shop/\n"
		}
		w.Header().Set("ETag", tag)
		w.Header().Set("Content-Type", "text/plain")
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		io.WriteString(w, body(r.Host, extra))
	}))
	l, err := net.Listen("tcp4", "0.0.0.0:0") // all of 127.0.0.0/8
	if err != nil {
		log.Fatal(err)
	}
	s.Listener.Close()
	s.Listener = ofLoopback{l}
	s.StartTLS()
	fmt.Println(l.Addr().(*net.TCPAddr).Port)
	pem.Encode(os.Stdout, &pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	fmt.Println()
	io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

// ofLoopback closes connections that come from another machine.
type ofLoopback struct{ net.Listener }

func (l ofLoopback) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil || c.RemoteAddr().(*net.TCPAddr).IP.IsLoopback() {
			return c, err
		}
		c.Close()
	}
}

// lookup returns the address of the site with a number: its host is the number and ".example".
func lookup(_ context.Context, host string) ([]netip.Addr, error) {
	n, err := strconv.ParseUint(strings.TrimSuffix(host, ".example"), 10, 16)
	if err != nil {
		return nil, fmt.Errorf("%s is none of the sites: %w", host, err)
	}
	return []netip.Addr{netip.AddrFrom4([4]byte{127, 1, byte(n >> 8), byte(n)})}, nil
}

// start starts the server, and returns a transport that finds all hosts there.
func start() (transport *http.Transport, stop func(), err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.Command(program, "-server")
	cmd.Env = append(os.Environ(), "GOMAXPROCS=")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	port, certificate := lines.Text(), ""
	for lines.Scan() && lines.Text() != "" {
		certificate += lines.Text() + "\n"
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM([]byte(certificate))
	transport = fetch.DialFilter{AllowPrivate: true}.Transport()
	transport.TLSClientConfig = &tls.Config{RootCAs: pool, ServerName: "example.com"}
	transport.DialContext = func(ctx context.Context, _, address string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		addrs, err := lookup(ctx, host)
		if err != nil {
			return nil, err
		}
		return new(net.Dialer).DialContext(ctx, "tcp4", net.JoinHostPort(addrs[0].String(), port))
	}
	return transport, func() { in.Close(); cmd.Wait() }, nil
}

func watch(n int) error {
	transport, stop, err := start()
	if err != nil {
		return err
	}
	defer stop()
	dir, err := os.MkdirTemp("", "watch-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c := monitor.Config{Dir: dir, Looker: &monitor.Looker{Transport: transport, Lookup: lookup,
		History: fetch.Dir(dir + "/history")}}
	for i := range n {
		c.Sites = append(c.Sites, monitor.Site{URL: fmt.Sprintf("https://%d.example", i)})
	}
	looks, updates, failures := 0, 0, 0
	c.Looked = func(l monitor.Look) {
		looks++
		updates += len(l.Updates)
		if l.Err != nil || l.Held {
			failures++
		}
	}
	m, err := monitor.New(c)
	if err != nil {
		return err
	}
	defer m.Close()
	for _, round := range []string{"first looks", "unchanged", "one in a hundred changed"} {
		if strings.HasPrefix(round, "one") {
			if answer, err := (&http.Client{Transport: transport}).Get("https://0.example/change"); err != nil {
				return err
			} else {
				answer.Body.Close()
			}
		}
		looks, updates, failures = 0, 0, 0
		began, before := time.Now(), cpu()
		m.Once(context.Background())
		took, used := time.Since(began), cpu()-before
		fmt.Printf("%s: %d looks, %d updates, %d failures in %.1f s; %.1f s of the processor, %.2f ms a look: %.1f %% of a core in an hour\n",
			round, looks, updates, failures, took.Seconds(), used.Seconds(), used.Seconds()*1000/float64(looks),
			used.Seconds()/36)
	}
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	fmt.Printf("memory: %d MiB in use, %d MiB at most\n", memory.HeapInuse>>20, usage.Maxrss>>10)
	return nil
}

// cpu returns the time of the processor that the process has used.
func cpu() time.Duration {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
