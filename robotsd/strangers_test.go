package main

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// TestStrangers checks that a page of a stranger in a browser gets nothing from the service, which
// reaches the inner network here, nor from the figures of any service: neither by a name of the
// stranger with this address, nor by a request for another site.
func TestStrangers(t *testing.T) {
	t.Parallel()
	site := serveText(t, "User-agent: *\nDisallow: /secret\n")
	figures := []string{ports.Address(t), ports.Address(t), ports.Address(t)}
	service := runService(t, "serve", "--allow-private", "--cors", "https://friend.example", "--host",
		"robots.example,www.robots.example", "--metrics", figures[0], "--metrics-host", "prometheus.example")
	robots := put(t, t.TempDir()+"/robots.txt", "User-agent: *\nDisallow: /secret\n")
	runService(t, "guard", "--upstream", site, "--robots", robots, "--metrics", figures[1], "--metrics-host",
		"prometheus.example")
	cmd, watch := robotsProcess(t, "monitor", "--allow-private", "--dir", t.TempDir(), "--metrics", figures[2],
		"--metrics-host", "prometheus.example", site), new(guardProcess)
	cmd.Stderr = watch
	fatal.If(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	watch.says(t, "figures at ")

	check := func(address, path, host, header string, want int) {
		t.Helper()
		r, err := http.NewRequest("GET", "http://"+address+path, nil)
		fatal.If(t, err)
		r.Host = host
		if name, value, ok := strings.Cut(header, ": "); ok {
			r.Header.Set(name, value)
		}
		answer, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		fatal.If(t, err)
		if answer.StatusCode != want || want != 200 && strings.Contains(string(body), "secret") {
			t.Errorf("%s of %q, %q: got %d %.200s, want %d", r.URL, host, header, answer.StatusCode, body, want)
		}
	}
	robotsTxt := "/v1/robots?origin=" + site
	for _, test := range []struct {
		path, host, header string
		want               int
	}{
		{robotsTxt, "", "", 200},
		{robotsTxt, "localhost", "", 200},
		{robotsTxt, "10.0.0.7:8010", "", 200}, // a probe
		{robotsTxt, "www.ROBOTS.example:8010", "", 200},
		{robotsTxt, "prometheus.example", "", 421},
		{robotsTxt, "rebind.evil.example", "", 421},
		{robotsTxt, "rebind.evil.example", "Sec-Fetch-Site: same-origin", 421},
		{"/", "rebind.evil.example", "", 421},
		{"/healthz", "rebind.evil.example", "", 421},
		{robotsTxt, "", "Sec-Fetch-Site: same-origin", 200},
		{robotsTxt, "", "Sec-Fetch-Site: cross-site", 403},
		{robotsTxt, "", "Sec-Fetch-Site: same-site", 403},
		{robotsTxt, "", "Origin: https://evil.example", 403},
		{robotsTxt, "", "Origin: null", 403},
		{robotsTxt, "", "Origin: http://localhost:3000", 403},
		{robotsTxt, "", "Origin: https://friend.example", 200},
		{robotsTxt, "", "Origin: https://robots.example", 200},
		{"/", "", "Sec-Fetch-Site: cross-site", 200}, // a link to the page
	} {
		check(service.address, test.path, test.host, test.header, test.want)
	}
	for _, address := range figures {
		check(address, "/metrics", "", "", 200)
		check(address, "/metrics", "10.0.0.7:9090", "", 200)
		check(address, "/metrics", "prometheus.example", "", 200)
		check(address, "/metrics", "rebind.evil.example", "", 421)
		check(address, "/readyz", "rebind.evil.example", "", 421)
		check(address, "/metrics", "", "Sec-Fetch-Site: cross-site", 403)
	}
}
