package guardserver

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/guard"
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
		if err != nil {
			t.Fatal(err)
		}
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
		r.Header = http.Header{"User-Agent": {robot}, test.field: {test.target}, "Authorization": {test.authorization}, forwardedHost: {"example.com"}}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if asks := answer.Header.Get("WWW-Authenticate") != ""; answer.StatusCode != test.status || asks != (test.status > 204) {
			t.Errorf("%v: got %d %v", test, answer.StatusCode, answer.Header)
		}
	}
}

// program returns the path of a server, or skips the test.
func program(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("%s is not installed", names[0])
	return ""
}

// freePort returns a port of the loopback address that nobody listens at.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// run runs a server with a configuration until the test ends, and waits until it accepts connections.
func run(t *testing.T, address, config string, command func(file string) *exec.Cmd) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(file, []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := command(file)
	cmd.Dir = filepath.Dir(file)
	cmd.Env = append(os.Environ(), "HOME="+cmd.Dir, "XDG_DATA_HOME="+cmd.Dir, "XDG_CONFIG_HOME="+cmd.Dir)
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	})
	for range 1000 {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s does not listen at %s", cmd.Path, address)
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
		if status, text := send(t, http.DefaultClient, address, "GET", test.target, test.userAgent, nil); status != test.status {
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

// TestNginx checks the guard behind auth_request of nginx.
func TestNginx(t *testing.T) {
	nginx := program(t, "nginx", "/usr/sbin/nginx")
	site := httptest.NewServer(http.HandlerFunc(echo))
	defer site.Close()
	address := freePort(t)
	runNginx(t, nginx, address, fmt.Sprintf(`	server {
		listen %[1]s;
		location / {
			auth_request /robots-guard;
			proxy_pass %[2]s;
		}
		location = /robots-guard {
			internal;
			proxy_pass http://%[3]s;
			proxy_pass_request_body off;
			proxy_set_header Content-Length "";
			proxy_set_header X-Original-URI $request_uri;
		}
	}`, address, site.URL, start(t, Options{})))
	checkSite(t, address)
}

// TestCaddy checks the guard behind forward_auth of Caddy.
func TestCaddy(t *testing.T) {
	caddy := program(t, "caddy")
	site := httptest.NewServer(http.HandlerFunc(echo))
	defer site.Close()
	address := freePort(t)
	_, port, _ := net.SplitHostPort(address)
	run(t, address, fmt.Sprintf(`{
	admin off
	auto_https off
}
http://:%s {
	bind 127.0.0.1
	forward_auth %s {
		uri /
	}
	reverse_proxy %s
}`, port, start(t, Options{}), site.URL), func(file string) *exec.Cmd {
		return exec.Command(caddy, "run", "--adapter", "caddyfile", "--config", file)
	})
	checkSite(t, address)
}
