package ownhost

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestKnown checks which hosts no stranger can give an address to.
func TestKnown(t *testing.T) {
	machine, err := os.Hostname()
	fatal.If(t, err)
	n := New("Watch.Example.com", "dotted.example.com.")
	for host, want := range map[string]bool{
		"127.0.0.1": true, "127.0.0.1:80": true, "[::1]": true, "[::1]:80": true, "10.1.2.3:9090": true,
		"192.0.2.1": true, "[fe80::1%25eth0]:80": true, "localhost": true, "LocalHost.:80": true,
		"a.localhost": true, machine: true,
		strings.ToUpper(machine) + ":80": true, "watch.example.com": true, "WATCH.example.COM.:80": true, "": true,
		"dotted.example.com": true, "Dotted.example.com.:80": true,

		"evil.example": false, "evil.example:80": false, "x.watch.example.com": false,
		"watch.example.com.evil.example": false,
		"127.0.0.1.evil.example":         false, "localhost.evil.example": false, "xlocalhost": false, "127.1": false,
		"0x7f.1": false, "2130706433": false, ":80": false, ".": false, "[]": false, "127.0.0.1:80:80": false,
		"evil.example:127.0.0.1": false, "127.0.0.1,evil.example": false, "evil.example\x00.localhost:x:y": false,
	} {
		if got := n.Known(host); got != want {
			t.Errorf("%q: got %v, want %v", host, got, want)
		}
	}
}

// TestForeign checks which requests come from a page of another site, and that all others pass.
func TestForeign(t *testing.T) {
	s := httptest.NewServer(New("robots.example").Handler("--host", http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "secret") })))
	defer s.Close()
	for _, test := range []struct {
		host, site, origin string
		want               int
	}{
		{"", "", "", 200},
		{"", "none", "", 200},
		{"", "same-origin", "", 200},
		{"", "same-origin", "https://robots.example", 200}, // a proxy changed the host
		{"", "", s.URL, 200},
		{"", "", "http://robots.example:8080", 200},
		{"robots.example", "", "http://ROBOTS.example", 200},
		{"", "cross-site", "", 403},
		{"", "same-site", "", 403},
		{"", "later", "", 403},
		{"", "", "https://evil.example", 403},
		{"", "", "null", 403},
		{"", "", "http://localhost", 403}, // another server of this machine
		{"", "", "http://10.0.0.9", 403},
		{"", "", "https://robots.example.evil.example", 403},
		{"", "", "https://robots.example@evil.example", 403},
		{"", "", "\x80", 403},
		{"evil.example", "", "", 421},
		{"evil.example", "same-origin", "http://evil.example", 421},
	} {
		r, err := http.NewRequest("GET", s.URL, nil)
		fatal.If(t, err)
		if r.Host = test.host; r.Host == "" {
			r.Host = strings.TrimPrefix(s.URL, "http://")
		}
		for name, value := range map[string]string{"Sec-Fetch-Site": test.site, "Origin": test.origin} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		answer, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != test.want || (string(body) == "secret") != (test.want == 200) {
			t.Errorf("%q, Sec-Fetch-Site %q, Origin %q: got %d %q, want %d", test.host, test.site, test.origin,
				answer.StatusCode, body, test.want)
		}
	}
}

// TestCheck checks which names can be given.
func TestCheck(t *testing.T) {
	for name, want := range map[string]bool{
		"watch.example.com": true, "watch": true, "": false, "https://watch.example": false, "watch.example:80": false,
		"*.example": false, "a b": false, "a\x1b": false,
	} {
		if err := Check(name); (err == nil) != want {
			t.Errorf("%q: got %v", name, err)
		}
	}
}
