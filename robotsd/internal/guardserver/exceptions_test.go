package guardserver

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestAuthorizeMethods checks by which method a proxy asks. Caddy and Traefik always write
// X-Forwarded-Method. nginx may leave the one of a client, so its own method counts there.
func TestAuthorizeMethods(t *testing.T) {
	address := start(t, Options{})
	for _, test := range []struct {
		method, field, named string // the method of the proxy, the field of the target, X-Forwarded-Method
		status               int
	}{
		{"GET", originalURI, "", 403},
		{"GET", originalURI, "POST", 403},
		{"GET", originalURI, "HEAD", 403},
		{"POST", originalURI, "", 204},
		{"POST", originalURI, "GET", 403},
		{"GET", forwardedURI, "POST", 204},
		{"GET", forwardedURI, "HEAD", 403},
		{"GET", forwardedURI, "", 403},
		{"POST", forwardedURI, "", 403}, // the method of the question says nothing
	} {
		r, _ := http.NewRequest(test.method, "http://"+address+"/auth", nil)
		r.Header = http.Header{"User-Agent": {robot}, test.field: {"/private/x"}}
		if test.named != "" {
			r.Header.Set(forwardedMethod, test.named)
		}
		answer, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		answer.Body.Close()
		if answer.StatusCode != test.status {
			t.Errorf("%+v: got %d", test, answer.StatusCode)
		}
	}
}

// TestNginxAsksWithTheMethod checks that webhooks pass an nginx that asks the guard, and that a
// client cannot name another method.
func TestNginxAsksWithTheMethod(t *testing.T) {
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte("User-agent: *\nDisallow: /*?\n")))}
	for name, begin := range map[string]func(*testing.T, string) string{"nginx": startNginx, "caddy": startCaddy} {
		t.Run(name, func(t *testing.T) {
			address := begin(t, start(t, Options{Guard: g}))
			for _, test := range []struct {
				method string
				status int
			}{{"POST", 200}, {"PUT", 200}, {"OPTIONS", 200}, {"GET", 403}, {"HEAD", 403}} {
				status, _ := send(t, http.DefaultClient, address, test.method, "/?wc-api=wc_stripe", robot, nil)
				if status != test.status {
					t.Errorf("%s: got %d, want %d", test.method, status, test.status)
				}
			}
			r, _ := http.NewRequest("GET", "http://"+address+"/?x", nil)
			r.Header = http.Header{"User-Agent": {robot}, forwardedMethod: {"POST"}}
			answer, err := http.DefaultClient.Do(r)
			fatal.If(t, err)
			answer.Body.Close()
			if answer.StatusCode != 403 {
				t.Errorf("a client that names a method: got %d", answer.StatusCode)
			}
		})
	}
}

// TestExceptionsAreCounted checks the counts and the log of requests that pass by an exception:
// strangers add no figure, and no value of a header is shown.
func TestExceptionsAreCounted(t *testing.T) {
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(rules))), PassPaths: []string{"/private/hook"},
		PassHeaders: http.Header{"X-Token": {"s3cret"}}}
	var log bytes.Buffer
	figures, summary := NewFigures(), &Summary{}
	write := Log(&log, func(err error) { t.Error(err) })
	add := func(method, target string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.Method, r.RequestURI = method, target
		r.Header = http.Header{"User-Agent": {robot}}
		if target == "/private/x" {
			r.Header.Set("X-Token", "s3cret")
		}
		record := &Record{Request: r, Decision: g.Decide(r), Status: 200}
		figures.Add(record)
		summary.Add(record)
		write(record)
	}
	for i := range 100 {
		add(fmt.Sprintf("GET%c%c", 'A'+i%26, 'A'+i/26), "/private/y")
	}
	add("POST", "/private/y")
	add("GET", "/private/hook/"+strings.Repeat("x", 1000))
	add("GET", "/private/x")
	add("GET", "/private/y")
	if got, want := strings.Join(summary.Lines()[:5], "\n"), `of 104 requests, the guard refused 1 and slowed 0
  passed by the exception header X-Token: 1
  passed by the exception method POST: 1
  passed by the exception method other: 100
  passed by the exception path /private/hook: 1`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	w := httptest.NewRecorder()
	figures.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for _, want := range []string{
		`robots_guard_exceptions_total{exception="header X-Token"} 1`,
		`robots_guard_exceptions_total{exception="method other"} 100`,
		`robots_guard_exceptions_total{exception="path /private/hook"} 1`,
		`robots_guard_decisions_total{action="pass",reason="exception"} 103`,
	} {
		if !strings.Contains(w.Body.String(), want+"\n") {
			t.Errorf("the figures lack %s", want)
		}
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	const want = `"line":2,"rule":"Disallow: /private/","exception":"header X-Token"`
	if !strings.Contains(lines[102], want) {
		t.Errorf("got %s, want %s", lines[102], want)
	}
	if strings.Contains(log.String()+w.Body.String()+strings.Join(summary.Lines(), ""), "s3cret") {
		t.Error("the value of a header is shown")
	}
}
