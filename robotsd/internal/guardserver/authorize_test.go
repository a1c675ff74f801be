package guardserver

import (
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
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
	text := string(data)
	for i := 0; i < len(addresses); i += 2 {
		if !strings.Contains(text, addresses[i]) {
			t.Fatalf("%s has no %q", name, addresses[i])
		}
		text = strings.ReplaceAll(text, addresses[i], addresses[i+1])
	}
	return text
}

// startNginx runs nginx with the file of the example before a site, and a guard at an address. It
// returns the address of nginx.
func startNginx(t *testing.T, guard string) (address string) {
	t.Helper()
	nginx := program(t, "nginx", "/usr/sbin/nginx")
	address = ports.Address(t)
	runNginx(t, nginx, address, example(t, "nginx.conf", "listen 80;", "listen "+address+";", "http://127.0.0.1:8080",
		upstream(t, echo).String(), "http://127.0.0.1:8000", "http://"+guard))
	return address
}

// startCaddy does the same with Caddy.
func startCaddy(t *testing.T, guard string) (address string) {
	t.Helper()
	caddy := program(t, "caddy")
	address = ports.Address(t)
	host, port, _ := net.SplitHostPort(address)
	pass := ports.Address(t)
	passHost, _, _ := net.SplitHostPort(pass)
	config := example(t, "Caddyfile", "bind 127.0.0.1", "bind "+passHost, "http://:80 {", "http://:"+port+" {\n\tbind "+
		host, "127.0.0.1:8000", guard, "127.0.0.1:8001", pass,
		"reverse_proxy 127.0.0.1:8080", "reverse_proxy "+upstream(t, echo).String())
	run(t, address, "{\n\tadmin off\n\tauto_https off\n}\n"+config, func(file string) *exec.Cmd {
		return exec.Command(caddy, "run", "--adapter", "caddyfile", "--config", file)
	})
	return address
}

// TestNginx checks the guard behind auth_request of nginx.
func TestNginx(t *testing.T) { checkSite(t, startNginx(t, start(t, Options{}))) }

// TestCaddy checks the guard behind forward_auth of Caddy.
func TestCaddy(t *testing.T) { checkSite(t, startCaddy(t, start(t, Options{}))) }

// TestWithoutGuard checks that requests pass while the guard is gone, or accepts connections and
// says nothing.
func TestWithoutGuard(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	defer silent.Close()
	for name, start := range map[string]func(t *testing.T, guard string) string{"nginx": startNginx,
		"caddy": startCaddy} {
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
	_, guard, found := strings.Cut(example(t, "traefik.yaml", "127.0.0.1:8000", start(t, Options{})),
		"forwardAuth:\n        address: ")
	guard, _, _ = strings.Cut(guard, "\n")
	if !found {
		t.Fatal("traefik.yaml has another forwardAuth")
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
}
