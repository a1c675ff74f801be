package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestGuardExceptions runs a guard with an exception of each kind behind a proxy, and reads what it
// counts.
func TestGuardExceptions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "token"), "s3cret-of-webhooks\n")
	put(t, filepath.Join(dir, "robots.txt"), "User-agent: *\nDisallow: /\n")
	p := beforeSite(t, "--robots", filepath.Join(dir, "robots.txt"), "--log", filepath.Join(dir, "log"), "--trust",
		"127.0.0.0/8", "--pass-path", "/webhook", "--pass-address", "192.0.2.0/28", "--pass-header", "X-Token: @"+
			filepath.Join(dir, "token"), "--methods", "GET,HEAD,PUT")
	for _, test := range []struct {
		method, target, field, value string
		want                         int
	}{
		{"GET", "/x", "", "", 403},
		{"PUT", "/x", "", "", 403},
		{"POST", "/?wc-api=wc_stripe", "", "", 200},
		{"GET", "/webhook/x", "", "", 200},
		{"GET", "/webhook/%2e%2e/x", "", "", 403},
		{"GET", "/x", "X-Token", "s3cret-of-webhooks", 200},
		{"GET", "/x", "X-Token", "s3cret-of-webhook", 403},
		{"GET", "/x", "X-Forwarded-For", "192.0.2.7", 200},
		{"GET", "/x", "X-Forwarded-For", "192.0.2.7, 192.0.2.99", 403},
	} {
		r, err := http.NewRequest(test.method, "http://"+p.address+test.target, nil)
		fatal.If(t, err)
		r.Header.Set("User-Agent", "GPTBot/1.0")
		r.Header.Set("X-Forwarded-For", "203.0.113.1")
		if test.field != "" {
			r.Header.Set(test.field, test.value)
		}
		answer, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		answer.Body.Close()
		if answer.StatusCode != test.want {
			t.Errorf("%+v: got %d", test, answer.StatusCode)
		}
	}
	p.signal(os.Interrupt)
	fatal.If(t, p.wait())
	said := p.says(t, `robots: of 9 requests, the guard refused 5 and slowed 0
robots:   passed by the exception address 192.0.2.0/28: 1
robots:   passed by the exception header X-Token: 1
robots:   passed by the exception method POST: 1
robots:   passed by the exception path /webhook: 1
robots:   GPTBot: 5 refused`)
	log, err := os.ReadFile(filepath.Join(dir, "log"))
	fatal.If(t, err)
	if strings.Contains(said+string(log), "s3cret") {
		t.Error("the guard shows the value of a header")
	}
}
