// Throughput compares "robots guard" as a proxy with reverse_proxy of Caddy and with a bare
// httputil.ReverseProxy, in turn on this machine: requests per second, and the processor time of
// the proxy for each request, which is less noisy.
//
//	cd oracle && go run ./guard/throughput
//
// With -modules, it also builds a Caddy from the module caddy, and compares this Caddy bare, with
// the directive robots_guard, and with the Caddyfile that "robots export" writes for the same
// policy. The first build compiles Caddy, and gets a library that reverse_proxy needs and the
// module does not.
//
// Browsers ask for an open path and a closed one: expressions are asked about the name of a client
// only where a path is closed. The processor time is read from /proc, so it needs Linux.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
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
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/robotsexclusion/robots/oracle/internal/process"
)

const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"

func main() {
	log.SetFlags(0)
	var f process.Flood
	f.AddFlags(flag.CommandLine, "be the bare proxy before the server at this `URL`", 10_000, 7)
	modules := flag.Bool("modules", false, "build Caddy with the module robots_guard, and compare it too")
	flag.Parse()
	if f.Bare != "" {
		target, err := url.Parse(f.Bare)
		check(err)
		proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.SetXForwarded() }}
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConnsPerHost = 512
		transport.DisableCompression = true
		proxy.Transport = transport
		check(http.ListenAndServe(f.Listen, proxy))
	}
	dir, err := os.MkdirTemp("", "throughput")
	check(err)
	defer os.RemoveAll(dir)
	proxies := start(dir, site(), *modules)
	for _, p := range proxies {
		defer p.Stop()
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "path\tbody\tproxy\trequests/s\tµs CPU a request\t")
	for _, page := range []struct {
		path string
		size int
	}{{"/page", 100}, {"/page", 64 << 10}, {"/private/page", 100}} {
		results := make([][2][]float64, len(proxies))
		for i := range f.Rounds + 1 {
			for j, p := range proxies {
				rate, cpu := p.round(page.path, page.size, f.Requests, f.Clients)
				if i > 0 { // the first round opens connections
					results[j][0] = append(results[j][0], rate)
					results[j][1] = append(results[j][1], cpu)
				}
			}
		}
		for j, p := range proxies {
			fmt.Fprintf(out, "%s\t%d\t%s\t%.0f\t%.1f\t\n", page.path, page.size, p.Name, process.Median(results[j][0]),
				process.Median(results[j][1]))
		}
	}
	out.Flush()
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
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
type proxy struct{ *process.Server }

// start starts the proxies.
func start(dir, origin string, modules bool) (proxies []proxy) {
	run("..", "go", "build", "-o", filepath.Join(dir, "robotsd"), "./robotsd")
	rules := filepath.Join(dir, "robots.txt")
	check(os.WriteFile(rules, []byte("User-agent: *\nDisallow: /private/\nDisallow: /*.php$\nCrawl-delay: 10\n"),
		0o600))
	add := func(name, program string, args func(address string) []string) {
		server, err := process.Start(name, program, args, "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
		check(err)
		proxies = append(proxies, proxy{server})
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
	addCaddy := func(name, program, directives string) {
		add(name, program, func(a string) []string {
			_, port, _ := net.SplitHostPort(a)
			config := filepath.Join(dir, fmt.Sprintf("Caddyfile%d", len(proxies)))
			text := fmt.Sprintf("{\n\tadmin off\n\tauto_https off\n\torder error before redir\n}\nhttp://:%s {\n\tbind 127.0.0.1\n%s\treverse_proxy %s\n}\n", port, directives, origin)
			check(os.WriteFile(config, []byte(text), 0o600))
			return []string{"run", "--adapter", "caddyfile", "--config", config}
		})
	}
	if caddy, err := exec.LookPath("caddy"); err == nil {
		addCaddy(caddyName(caddy), caddy, "")
	} else {
		fmt.Println("caddy is not installed")
	}
	if modules {
		caddy := buildCaddy(dir)
		name := caddyName(caddy) + " with modules"
		addCaddy(name+", bare", caddy, "")
		addCaddy(name+", robots_guard", caddy, "\trobots_guard {\n\t\trobots "+rules+"\n\t}\n")
		run("..", "go", "run", "./cmd/robots", "export", "caddy", rules, "--out", dir, "--site", "site")
		addCaddy(name+", robots export", caddy, "\timport "+filepath.Join(dir, "robots-site.caddy")+"\n")
	}
	return proxies
}

// run runs a program in a folder.
func run(dir, program string, args ...string) {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	check(cmd.Run())
}

// caddyProgram is a Caddy with the module and what the comparison needs. The module caddy has no
// program, so that it is a file of the overlay.
const caddyProgram = `package main

import (
	_ "github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/map"
	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/reverseproxy"
	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/rewrite"

	_ "github.com/robotsexclusion/robots/robotsd/caddy"
)

func main() { caddycmd.Main() }
`

// buildCaddy builds a Caddy with the module robots_guard. The files go.mod and go.sum of the module
// stay as they are.
func buildCaddy(dir string) (program string) {
	module, err := filepath.Abs("../robotsd/caddy")
	check(err)
	file := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		check(os.WriteFile(path, text, 0o600))
		return path
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(module, name))
		check(err)
		file(name, text)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(module, "throughput", "main.go"): file("caddy.go", []byte(caddyProgram)),
	}})
	check(err)
	program = filepath.Join(dir, "caddy-with-robots") // a running Caddy has its folder caddy there
	// Go allows -modfile only without a workspace, whose replacements the copy of go.mod gets.
	check(os.Setenv("GOWORK", "off"))
	const robots = "github.com/robotsexclusion/robots"
	run(module, "go", "mod", "edit", "-replace", robots+"="+filepath.Join(module, "..", ".."),
		"-replace", robots+"/robotsd="+filepath.Dir(module), filepath.Join(dir, "go.mod"))
	run(module, "go", "build", "-modfile", filepath.Join(dir, "go.mod"), "-mod=mod", "-overlay",
		file("overlay.json", overlay), "-o", program, "./throughput")
	return program
}

// caddyName returns the name of Caddy with its version.
func caddyName(program string) string {
	out, _ := exec.Command(program, "version").Output()
	version, _, _ := strings.Cut(string(out), " ")
	return "Caddy " + strings.TrimSpace(cmp.Or(version, "of unknown version"))
}

// round sends requests by some connections, and returns the requests per second and the processor
// time of one in microseconds.
func (p proxy) round(path string, size, requests, clients int) (rate, cpu float64) {
	transport := &http.Transport{MaxIdleConnsPerHost: clients, DisableCompression: true}
	defer transport.CloseIdleConnections()
	rate, cpu, err := p.Round(clients, requests, func(next func() (int, bool)) {
		for _, more := next(); more; _, more = next() {
			r, err := http.NewRequest("GET", "http://"+p.Address+path+"?"+strconv.Itoa(size), nil)
			check(err)
			r.Header.Set("User-Agent", browser)
			r.Header.Set("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
			r.Header.Set("Accept-Language", "en-US,en;q=0.5")
			answer, err := transport.RoundTrip(r)
			check(err)
			n, err := io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
			if err != nil || answer.StatusCode != 200 || n != int64(size) {
				log.Fatalf("%s: got %d, %d bytes, %v", p.Name, answer.StatusCode, n, err)
			}
		}
	})
	check(err)
	return rate, cpu
}
