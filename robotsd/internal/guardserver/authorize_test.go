package guardserver

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

func TestAuthorize(t *testing.T) {
	address := start(t, Options{})
	for _, test := range []struct {
		userAgent string
		fields    []string
		status    int
	}{
		{robot, nil, 400},
		{robot, []string{originalURI, "/private/x"}, 403},
		{robot, []string{originalURI, "/x"}, 204},
		{firefox, []string{originalURI, "/private/x"}, 204},
		{robot, []string{forwardedURI, "/private/x"}, 403},
		{robot, []string{forwardedURI, "//private/x"}, 403},
		{robot, []string{forwardedURI, "/x"}, 204},
		{robot, []string{forwardedURI, "/robots.txt"}, 204},
		// A client adds the field that the proxy does not use.
		{robot, []string{forwardedURI, "/private/x", originalURI, "/x"}, 403},
		{robot, []string{forwardedURI, "/x", originalURI, "/private/x"}, 403},
		{robot, []string{forwardedURI, "/private/x", originalURI, "/robots.txt"}, 403},
		{robot, []string{originalURI, "/x", originalURI, "/private/x"}, 403},
	} {
		r, _ := http.NewRequest("GET", "http://"+address+"/auth", nil)
		r.Header.Set("User-Agent", test.userAgent)
		for i := 0; i < len(test.fields); i += 2 {
			r.Header.Add(test.fields[i], test.fields[i+1])
		}
		answer, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		answer.Body.Close()
		if answer.StatusCode != test.status {
			t.Errorf("%s, %q: got %d, want %d", test.userAgent, test.fields, answer.StatusCode, test.status)
		}
	}
}

// TestAuthorizePaid checks the answers that ask for a license. nginx takes status 402 for an error.
func TestAuthorizePaid(t *testing.T) {
	address := start(t, Options{Guard: &guard.Guard{
		Policy:       guard.Fixed(robots.Parse([]byte("License: https://example.com/l.xml\n" + rules))),
		PaidLicenses: []string{"https://example.com/l.xml"},
	}})
	for _, test := range []struct {
		field, target, authorization string
		status                       int
	}{
		{forwardedURI, "/x", "", 402},
		{originalURI, "/x", "", 403},
		{originalURI, "/x", "License abc", 204},
		{originalURI, "/l.xml", "", 204},
	} {
		r, _ := http.NewRequest("GET", "http://"+address+"/auth", nil)
		r.Header = http.Header{"User-Agent": {robot}, test.field: {test.target}, "Authorization": {test.authorization},
			forwardedHost: {"example.com"}}
		answer, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		answer.Body.Close()
		if asks := answer.Header.Get("WWW-Authenticate") != ""; answer.StatusCode != test.status ||
			asks != (test.status > 204) {
			t.Errorf("%v: got %d %v", test, answer.StatusCode, answer.Header)
		}
	}
}

// installed returns the path of a server by one of its names, or "".
func installed(names ...string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// program returns the path of a server, or skips the test.
func program(t *testing.T, names ...string) string {
	t.Helper()
	path := installed(names...)
	if path == "" {
		t.Skipf("%s is not installed", names[0])
	}
	return path
}

// run runs a server with a configuration until the test ends, and waits until it accepts
// connections.
func run(t *testing.T, address, config string, command func(file string) *exec.Cmd) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config")
	fatal.If(t, os.WriteFile(file, []byte(config), 0o666))
	cmd := command(file)
	cmd.Dir = filepath.Dir(file)
	cmd.Env = append(os.Environ(), "HOME="+cmd.Dir, "XDG_DATA_HOME="+cmd.Dir, "XDG_CONFIG_HOME="+cmd.Dir)
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	fatal.If(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	})
	waitFor(t, address)
}

// waitFor waits until a server accepts connections.
func waitFor(t *testing.T, address string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return
		}
	}
	t.Fatalf("no server listens at %s", address)
}

// checkSite checks which requests a site answers that asks the guard.
func checkSite(t *testing.T, address string) {
	t.Helper()
	for _, test := range []struct {
		target, userAgent string
		status            int
	}{
		{"/private/x", firefox, 200},
		{"/private/x", "curl/8.0", 200},
		{"/private/x", robot, 403},
		{"/private/x?y", robot, 403},
		{"//private/x", robot, 403},
		{"/a/../private/x", robot, 403},
		{"/a/%2e%2e/private%2Fx", robot, 403},
		{"/x", robot, 200},
		{"/robots.txt", robot, 200},
		{"/.well-known/x", robot, 200},
	} {
		if status, text := send(t, http.DefaultClient, address, "GET", test.target, test.userAgent,
			nil); status != test.status {
			t.Errorf("%s of %s: got %d %q, want %d", test.target, test.userAgent, status, text, test.status)
		}
	}
}

// runNginx runs nginx with what its block http says besides logs and folders, until the test ends.
func runNginx(t *testing.T, program, address, http string) {
	t.Helper()
	dir := t.TempDir()
	run(t, address, fmt.Sprintf(`daemon off; master_process off; pid %[1]s/pid; error_log stderr crit;
events {}
http {
	access_log off; client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;
%[2]s
}`, dir, http), func(file string) *exec.Cmd { return exec.Command(program, "-p", dir, "-c", file) })
}

// example returns a file of examples/guard, with the addresses of a test in place of those of the
// file. Each must occur.
func example(t *testing.T, name string, addresses ...string) string {
	t.Helper()
	data, err := os.ReadFile("../../../examples/guard/" + name)
	fatal.If(t, err)
	return readdressed(t, string(data), addresses...)
}

func readdressed(t *testing.T, text string, addresses ...string) string {
	t.Helper()
	for i := 0; i < len(addresses); i += 2 {
		if !strings.Contains(text, addresses[i]) {
			t.Fatalf("no %q in %s", addresses[i], text)
		}
		text = strings.ReplaceAll(text, addresses[i], addresses[i+1])
	}
	return text
}

// documented returns the block of doc/guard.md that has some text.
func documented(t *testing.T, part string) string {
	t.Helper()
	data, err := os.ReadFile("../../../doc/guard.md")
	fatal.If(t, err)
	for i, text := range strings.Split(string(data), "\n```") {
		if _, block, _ := strings.Cut(text, "\n"); i%2 == 1 && strings.Contains(block, part) {
			return block + "\n"
		}
	}
	t.Fatalf("no block of doc/guard.md has %q", part)
	return ""
}

// nginxBlocks returns the lines for the http block and for the server block.
func nginxBlocks(t *testing.T, text string) (http, server string) {
	t.Helper()
	http, server, found := strings.Cut(text, "# in server\n")
	if http, ok := strings.CutPrefix(http, "# in http\n"); ok && found {
		return http, server
	}
	t.Fatalf("the block does not say where its lines go: %s", text)
	return "", ""
}

// largeHeaders makes nginx take as large a header as Caddy does.
const largeHeaders = "large_client_header_buffers 70 8k;\n"

// phpLocation is a location as sites in PHP have it.
const phpLocation = "location ~ \\.php$ { proxy_pass SITE; }\n"

// startNginx runs nginx with the file of the example before a site, and a guard at an address. It
// returns the address of nginx.
func startNginx(t *testing.T, guard string) (address string) {
	t.Helper()
	nginx := program(t, "nginx", "/usr/sbin/nginx")
	address = ports.Address(t)
	runNginx(t, nginx, address, largeHeaders+example(t, "nginx.conf", "listen 80;", "listen "+address+";",
		"location / {", phpLocation+"location / {", "SITE", "http://127.0.0.1:8080",
		"http://127.0.0.1:8080", anySite(t),
		"http://127.0.0.1:8000", "http://"+guard))
	return address
}

// startDocumentedNginx does the same with the lines of the document.
func startDocumentedNginx(t *testing.T, guard string) (address string) {
	t.Helper()
	nginx := program(t, "nginx", "/usr/sbin/nginx")
	address = ports.Address(t)
	http, server := nginxBlocks(t, documented(t, "auth_request /robots-guard;"))
	site := anySite(t)
	runNginx(t, nginx, address, readdressed(t, largeHeaders+http+"server {\nlisten "+address+";\n"+server+phpLocation+
		"location / { proxy_pass SITE; }\n}\n", "SITE", site, "http://127.0.0.1:8000", "http://"+guard))
	return address
}

// startCaddy does the same with Caddy and its example.
func startCaddy(t *testing.T, guard string) (address string) {
	t.Helper()
	address = ports.Address(t)
	host, port, _ := net.SplitHostPort(address)
	pass := ports.Address(t)
	passHost, _, _ := net.SplitHostPort(pass)
	return runCaddy(t, address, example(t, "Caddyfile", "bind 127.0.0.1", "bind "+passHost, "http://:80 {",
		"http://:"+port+" {\n\tbind "+host, "127.0.0.1:8000", guard, "127.0.0.1:8001", pass,
		"reverse_proxy 127.0.0.1:8080", "reverse_proxy "+upstream(t, echo).String()))
}

// startDocumentedCaddy does the same with the lines of the document.
func startDocumentedCaddy(t *testing.T, guard string) (address string) {
	t.Helper()
	address = ports.Address(t)
	host, port, _ := net.SplitHostPort(address)
	return runCaddy(t, address, "http://:"+port+" {\nbind "+host+"\n"+readdressed(t, documented(t, "forward_auth"),
		"127.0.0.1:8000", guard)+"reverse_proxy "+upstream(t, echo).String()+"\n}\n")
}

// runCaddy runs Caddy with sites, and returns an address of it.
func runCaddy(t *testing.T, address, sites string) string {
	t.Helper()
	caddy := program(t, "caddy")
	run(t, address, "{\n\tadmin off\n\tauto_https off\n}\n"+sites, func(file string) *exec.Cmd {
		return exec.Command(caddy, "run", "--adapter", "caddyfile", "--config", file)
	})
	return address
}

// anySite serves a site until the test ends that answers any text with a page, as some do that are
// less strict than net/http, and returns its URL.
func anySite(t *testing.T) string {
	t.Helper()
	return "http://" + ports.Serve(t, func(c net.Conn) {
		in := bufio.NewReader(c)
		for line, err := "", error(nil); line != "\r\n"; {
			if line, err = in.ReadString('\n'); err != nil {
				return
			}
		}
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
	})
}

// checkFields sends fields by which a robot hides, or that the guard cannot read. A strict server
// takes the latter for malformed itself.
func checkFields(t *testing.T, address string, strict bool) {
	t.Helper()
	long := strings.Repeat("X-Long: "+strings.Repeat("x", 7000)+"\r\n", 60) // 420 KB
	for _, test := range []struct {
		target, host, agent, fields string
		robot                       bool
	}{
		{"/private/x", "h", robot, "Connection: User-Agent\r\n", true},
		{"/private/x", "h", robot, "Connection: close, user-agent\r\n", true},
		{"/private/x", "h", robot, "Connection: X-Original-URI, X-Forwarded-Uri\r\n", true},
		{"/private/x", "h", robot, "X-Original-URI: /x\r\nX-Forwarded-Uri: /x\r\n", true},
		{"/private/x.php", "h", robot, "", true},
		{"/private/x", "h<x", robot, "", true},
		{"/private/x", "h", robot, "Cookie: a=\x01\r\n", true},
		{"/private/x", "h", robot, long, true},
		{"/private/x", "h", robot + "\x01", "", true},
		{"/private/x", "h", "\x01 " + robot, "", true},
		{"/private/x", "h", firefox, "Cookie: a=\x01b\r\n", false},
		{"/private/x", "h<x", firefox, "", false},
		{"/private/x.php", "h", firefox, "", false},
		{"/private/x", "h", firefox, long, false},
		{"/private/x", "h", firefox, "Connection: User-Agent\r\n", false},
		{"/private/x", "h", "", "", false},
	} {
		status, text := raw(t, address, "GET "+test.target+" HTTP/1.1\r\nHost: "+test.host+"\r\nUser-Agent: "+
			test.agent+"\r\n"+test.fields+"\r\n")
		if status == 400 && strict && (test.host != "h" || strings.Contains(test.agent+test.fields, "\x01")) {
			continue
		}
		if status != 200 && !test.robot || status != 403 && test.robot {
			t.Errorf("%s of %q to %q with %.40q: got %d %.100q", test.target, test.agent, test.host, test.fields,
				status, text)
		}
	}
}

// TestNginx checks the guard behind auth_request of nginx, with the file of the example and with
// the lines of the document.
func TestNginx(t *testing.T) {
	for name, begin := range map[string]func(*testing.T, string) string{"example": startNginx,
		"document": startDocumentedNginx} {
		t.Run(name, func(t *testing.T) {
			address := begin(t, start(t, Options{}))
			checkSite(t, address)
			checkFields(t, address, false)
		})
	}
}

// TestCaddy checks the guard behind forward_auth of Caddy in the same way.
func TestCaddy(t *testing.T) {
	for name, begin := range map[string]func(*testing.T, string) string{"example": startCaddy,
		"document": startDocumentedCaddy} {
		t.Run(name, func(t *testing.T) {
			address := begin(t, start(t, Options{}))
			checkSite(t, address)
			checkFields(t, address, true)
			status, text := raw(t, address, "GET /private/x HTTP/1.1\r\nHost: h\r\nUser-Agent:\r\nUser-Agent: "+robot+
				"\r\n\r\n")
			if status != 403 {
				t.Errorf("a second User-Agent: got %d %q", status, text)
			}
		})
	}
}

// TestNginxOnce checks that a request counts once for the pace of its robot, though nginx asks
// again after an internal redirect.
func TestNginxOnce(t *testing.T) {
	slow := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte("User-agent: *\nCrawl-delay: 1000\n")))}
	nginx := program(t, "nginx", "/usr/sbin/nginx")
	address := ports.Address(t)
	http, server := nginxBlocks(t, documented(t, "auth_request /robots-guard;"))
	runNginx(t, nginx, address, readdressed(t, http+"server {\nlisten "+address+";\n"+server+
		"location / { try_files /none @site; }\nlocation @site { proxy_pass "+upstream(t, echo).String()+"; }\n}\n",
		"http://127.0.0.1:8000", "http://"+start(t, Options{Guard: slow})))
	for _, want := range []int{200, 403} {
		status, text := raw(t, address, "GET /x HTTP/1.1\r\nHost: h\r\nUser-Agent: "+robot+"\r\n\r\n")
		if status != want {
			t.Errorf("got %d %q, want %d", status, text, want)
		}
	}
}

// TestWithoutGuard checks that requests pass while the guard is gone, or accepts connections and
// says nothing.
func TestWithoutGuard(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	defer silent.Close()
	for name, start := range map[string]func(t *testing.T, guard string) string{"nginx": startNginx,
		"documented nginx": startDocumentedNginx, "caddy": startCaddy} {
		for state, guard := range map[string]string{"gone": ports.Address(t), "silent": silent.Addr().String()} {
			t.Run(name+"/"+state, func(t *testing.T) {
				address := start(t, guard)
				for _, userAgent := range []string{firefox, robot} {
					for _, method := range []string{"GET", "POST"} {
						if status, text := send(t, http.DefaultClient, address, method, "/private/x", userAgent,
							nil); status != 200 {
							t.Errorf("%s of %s: got %d %q, want 200", method, userAgent, status, text)
						}
					}
				}
			})
		}
	}
}

// TestTraefik checks the guard behind ForwardAuth of Traefik.
func TestTraefik(t *testing.T) {
	traefik := program(t, "traefik")
	site := httptest.NewServer(http.HandlerFunc(echo))
	defer site.Close()
	address := ports.Address(t)
	run(t, address, example(t, "traefik.yaml", "http://127.0.0.1:8000", "http://"+start(t, Options{}),
		"http://127.0.0.1:8080", site.URL), func(file string) *exec.Cmd {
		fatal.If(t, os.Rename(file, file+".yaml"))
		return exec.Command(traefik, "--providers.file.filename="+file+".yaml", "--entrypoints.web.address="+address,
			"--global.checknewversion=false", "--global.sendanonymoususage=false")
	})
	for range 1000 { // Traefik listens before it knows its routes
		if status, _ := send(t, http.DefaultClient, address, "GET", "/", firefox, nil); status != http.StatusNotFound {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	checkSite(t, address)
}

// TestLikeTraefik checks the guard behind a proxy that asks as ForwardAuth of Traefik 3.7 does,
// because Debian has no Traefik: with GET, the fields of the request but those of X-Forwarded, and
// its own fields of X-Forwarded. Only 2xx passes.
func TestLikeTraefik(t *testing.T) {
	text := example(t, "traefik.yaml", "127.0.0.1:8000", start(t, Options{}))
	_, guard, found := strings.Cut(text, "forwardAuth:\n        address: ")
	guard, _, _ = strings.Cut(guard, "\n")
	_, hidden, foundRoute := strings.Cut(text, "rule: HeaderRegexp(`Connection`, `")
	if !found || !foundRoute {
		t.Fatal("traefik.yaml has another forwardAuth, or no route for hidden fields")
	}
	hidden, _, _ = strings.Cut(hidden, "`)")
	route := regexp.MustCompile(hidden)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slices.ContainsFunc(r.Header.Values("Connection"), route.MatchString) {
			w.WriteHeader(http.StatusTeapot) // of noop@internal
			return
		}
		ask, err := http.NewRequest(http.MethodGet, guard, nil)
		if err != nil {
			t.Error(err)
			return
		}
		ask.Header = r.Header.Clone()
		maps.DeleteFunc(ask.Header, func(name string, _ []string) bool {
			return strings.HasPrefix(name, "X-Forwarded-") || name == "Connection"
		})
		for name, value := range map[string]string{"For": "127.0.0.1", "Method": r.Method, "Proto": "http",
			"Port": "80", "Host": r.Host, "Uri": r.URL.RequestURI()} {
			ask.Header.Set("X-Forwarded-"+name, value)
		}
		answer, err := http.DefaultClient.Do(ask)
		if err != nil {
			t.Error(err)
			return
		}
		defer answer.Body.Close()
		if answer.StatusCode/100 == 2 {
			echo(w, r)
			return
		}
		w.WriteHeader(answer.StatusCode)
		io.Copy(w, answer.Body)
	}))
	defer proxy.Close()
	checkSite(t, strings.TrimPrefix(proxy.URL, "http://"))
	for _, connection := range []string{"User-Agent", "close, USER-AGENT", "x\r\nConnection: user-agent"} {
		status, text := raw(t, strings.TrimPrefix(proxy.URL, "http://"),
			"GET /private/x HTTP/1.1\r\nHost: h\r\nUser-Agent: "+robot+"\r\nConnection: "+connection+"\r\n\r\n")
		if status != http.StatusTeapot {
			t.Errorf("Connection: %s: got %d %q", connection, status, text)
		}
	}
}
