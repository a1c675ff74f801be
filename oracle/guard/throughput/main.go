// Throughput compares "robots guard" as a proxy with reverse_proxy of Caddy and with a bare httputil.ReverseProxy, in turn on this
// machine: requests per second, and the processor time of the proxy for each request, which is less noisy.
//
//	cd oracle && go run ./guard/throughput
//
// The processor time is read from /proc, so it needs Linux.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"
)

const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"

func main() {
	log.SetFlags(0)
	bare := flag.String("bare", "", "be the bare proxy before the server at this `URL`")
	listen := flag.String("listen", "", "listen at this `address` as the bare proxy")
	requests := flag.Int("requests", 10_000, "requests of a round")
	rounds := flag.Int("rounds", 7, "rounds of each proxy")
	clients := flag.Int("clients", 32, "connections")
	flag.Parse()
	if *bare != "" {
		target, err := url.Parse(*bare)
		check(err)
		proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.SetXForwarded() }}
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConnsPerHost = 512
		transport.DisableCompression = true
		proxy.Transport = transport
		check(http.ListenAndServe(*listen, proxy))
	}
	dir, err := os.MkdirTemp("", "throughput")
	check(err)
	defer os.RemoveAll(dir)
	proxies := start(dir, site())
	for _, p := range proxies {
		defer p.stop()
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "body\tproxy\trequests/s\tµs CPU a request\t")
	for _, size := range []int{100, 64 << 10} {
		results := make([][2][]float64, len(proxies))
		for i := range *rounds + 1 {
			for j, p := range proxies {
				rate, cpu := p.round(size, *requests, *clients)
				if i > 0 { // the first round opens connections
					results[j][0] = append(results[j][0], rate)
					results[j][1] = append(results[j][1], cpu)
				}
			}
		}
		for j, p := range proxies {
			fmt.Fprintf(out, "%d\t%s\t%.0f\t%.1f\t\n", size, p.name, median(results[j][0]), median(results[j][1]))
		}
	}
	out.Flush()
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// site serves bodies of the size that the query says, and returns the origin.
func site() string {
	body := bytes.Repeat([]byte("x"), 64<<10)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size, _ := strconv.Atoi(r.URL.RawQuery)
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Length", strconv.Itoa(size))
		w.Write(body[:size])
	}))
	return "http://" + l.Addr().String()
}

// A proxy is a process before the site.
type proxy struct {
	name, address string
	cmd           *exec.Cmd
}

// start starts the proxies.
func start(dir, origin string) (proxies []*proxy) {
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "robotsd"), "./cmd/robotsd")
	build.Dir = ".." // the module of the command
	build.Stderr = os.Stderr
	check(build.Run())
	rules := filepath.Join(dir, "robots.txt")
	check(os.WriteFile(rules, []byte("User-agent: *\nDisallow: /private/\nDisallow: /*.php$\nCrawl-delay: 10\n"), 0o600))
	add := func(name, program string, args func(address string) []string) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		check(err)
		p := &proxy{name: name, address: l.Addr().String()}
		l.Close()
		p.cmd = exec.Command(program, args(p.address)...)
		p.cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
		check(p.cmd.Start())
		for range 500 {
			c, err := net.Dial("tcp", p.address)
			if err == nil {
				c.Close()
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		proxies = append(proxies, p)
	}
	self, err := os.Executable()
	check(err)
	add("bare ReverseProxy", self, func(a string) []string { return []string{"-bare", origin, "-listen", a} })
	guard := func(more ...string) func(string) []string {
		return func(a string) []string {
			return append([]string{"guard", "--upstream", origin, "--listen", a, "--robots", rules}, more...)
		}
	}
	add("robots guard", filepath.Join(dir, "robotsd"), guard())
	add("robots guard --log", filepath.Join(dir, "robotsd"), guard("--log", filepath.Join(dir, "log")))
	if caddy, err := exec.LookPath("caddy"); err == nil {
		add(caddyName(caddy), caddy, func(a string) []string {
			_, port, _ := net.SplitHostPort(a)
			config := filepath.Join(dir, "Caddyfile")
			text := fmt.Sprintf("{\n\tadmin off\n\tauto_https off\n}\nhttp://:%s {\n\tbind 127.0.0.1\n\treverse_proxy %s\n}\n", port, origin)
			check(os.WriteFile(config, []byte(text), 0o600))
			return []string{"run", "--adapter", "caddyfile", "--config", config}
		})
	} else {
		fmt.Println("caddy is not installed")
	}
	return proxies
}

// caddyName returns the name of Caddy with its version.
func caddyName(program string) string {
	out, _ := exec.Command(program, "version").Output()
	version, _, _ := strings.Cut(string(out), " ")
	return "Caddy " + strings.TrimSpace(cmp.Or(version, "of unknown version"))
}

func (p *proxy) stop() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
}

// round sends requests by some connections, and returns the requests per second and the processor time of one in microseconds.
func (p *proxy) round(size, requests, clients int) (rate, cpu float64) {
	before, began := p.cpu(), time.Now()
	transport := &http.Transport{MaxIdleConnsPerHost: clients, DisableCompression: true}
	defer transport.CloseIdleConnections()
	var next atomic.Int64
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for next.Add(1) <= int64(requests) {
				r, err := http.NewRequest("GET", "http://"+p.address+"/page?"+strconv.Itoa(size), nil)
				check(err)
				r.Header.Set("User-Agent", browser)
				r.Header.Set("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
				r.Header.Set("Accept-Language", "en-US,en;q=0.5")
				answer, err := transport.RoundTrip(r)
				check(err)
				n, err := io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				if err != nil || answer.StatusCode != 200 || n != int64(size) {
					log.Fatalf("%s: got %d, %d bytes, %v", p.name, answer.StatusCode, n, err)
				}
			}
		})
	}
	all.Wait()
	took := time.Since(began)
	return float64(requests) / took.Seconds(), float64((p.cpu() - before).Microseconds()) / float64(requests)
}

// cpu returns the processor time that the process has used.
func (p *proxy) cpu() time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	check(err)
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // of a clock with 100 ticks a second
}
