package pageserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// start serves a page with a route until the test ends.
func start(t *testing.T, answer func(context.Context, url.Values) (any, error)) *Server {
	t.Helper()
	page := http.NewServeMux()
	page.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "the page") })
	s, err := Start("127.0.0.1:0", Config{
		Page: page, Hosts: []string{"Watch.Example.com"},
		Routes: []Route{{Path: "/v1/watch", Query: []string{"limit", "site"}, Answer: answer}},
	})
	fatal.If(t, err)
	t.Cleanup(s.Close)
	return s
}

// do makes a request, and returns the answer with its body.
func do(t *testing.T, s *Server, method, path string, header map[string]string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, strings.TrimSuffix(s.URL(), "/")+path, nil)
	fatal.If(t, err)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	if host, ok := header["Host"]; ok {
		r.Host = host
	}
	resp, err := http.DefaultClient.Do(r)
	fatal.If(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	fatal.If(t, err)
	return resp, string(body)
}

// Pages of strangers get nothing: neither by a name of theirs whose address is this machine's, nor
// by a request for another site.
func TestStrangers(t *testing.T) {
	s := start(t, func(context.Context, url.Values) (any, error) { return "secret", nil })
	own, err := os.Hostname()
	fatal.If(t, err)
	_, port, _ := net.SplitHostPort(s.listener.Addr().String())
	for host, want := range map[string]int{
		"127.0.0.1:" + port: 200, "127.0.0.1": 200, "localhost:" + port: 200, "LOCALHOST.": 200, "page.localhost": 200,
		"[::1]:" + port: 200, own: 200, "watch.example.com": 200, "WATCH.example.com:80": 200,
		"attacker.example": 421, "attacker.example:" + port: 421, "127.0.0.1.attacker.example": 421,
		"localhost.attacker.example": 421, "xlocalhost": 421, "x.watch.example.com": 421, "127.1": 421, "0x7f.1": 421,
	} {
		for _, path := range []string{"/v1/watch", "/", "/nothing"} {
			resp, body := do(t, s, "GET", path, map[string]string{"Host": host})
			if want == 421 && (resp.StatusCode != 421 || strings.Contains(body, "secret") ||
				resp.Header.Get("Content-Type") != "application/problem+json") || want == 200 && path != "/nothing" &&
				resp.StatusCode != 200 {
				t.Errorf("%s of %s: status %d: %s", path, host, resp.StatusCode, body)
			}
		}
	}
	for site, want := range map[string]int{"": 200, "none": 200, "same-origin": 200, "same-site": 403,
		"cross-site": 403} {
		header := map[string]string{}
		if site != "" {
			header["Sec-Fetch-Site"] = site
		}
		if resp, body := do(t, s, "GET", "/v1/watch", header); resp.StatusCode != want || want != 200 &&
			strings.Contains(body, "secret") {
			t.Errorf("a request that is %s: status %d: %s", site, resp.StatusCode, body)
		}
	}
	resp, _ := do(t, s, "GET", "/v1/watch", map[string]string{"Origin": "https://attacker.example"})
	for name := range resp.Header {
		if strings.HasPrefix(name, "Access-Control") {
			t.Errorf("the answer has %s", name)
		}
	}
	if resp.Header.Get("Cross-Origin-Resource-Policy") != "same-origin" ||
		resp.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("the answer has %v", resp.Header)
	}
}

// A wrong request is refused with a problem that says what is wrong, and nothing of it comes back
// unescaped.
func TestRefusals(t *testing.T) {
	s := start(t, func(_ context.Context, q url.Values) (any, error) {
		switch q.Get("site") {
		case "late":
			return nil, fmt.Errorf("ask: %w", context.DeadlineExceeded)
		case "broken":
			return nil, errors.New("\x1b[31m<b>")
		case "function":
			return func() {}, nil
		}
		n, err := Number(q, "limit", 7, 9)
		return map[string]int{"n": n}, err
	})
	for path, want := range map[string]string{
		"GET /v1/watch": `200 {"n":7}`, "GET /v1/watch?limit=0": `200 {"n":0}`,
		"GET /v1/watch?limit=9&site=": `200 {"n":9}`,
		"GET /v1/watch?limit=10":      "400 bad-parameter", "GET /v1/watch?limit=-1": "400 bad-parameter",
		"GET /v1/watch?limit=x": "400 bad-parameter", "GET /v1/watch?limit=1&limit=1": "400 bad-parameter",
		"GET /v1/watch?x=%1b%3Cb%3E": "400 bad-parameter", "GET /v1/watch?limit=%": "400 bad-parameter",
		"GET /v1/watch?a;b": "400 bad-parameter", "GET /v1/watch?site=" +
			strings.Repeat("x", 5000): "400 bad-parameter",
		"GET /v1/watch?site=late": "504 timeout", "GET /v1/watch?site=broken": "500 internal",
		"GET /v1/watch?site=function": "500 internal",
		"POST /v1/watch":              "405 wrong-method", "DELETE /v1/watch": "405 wrong-method",
		"GET /v1/nothing": "404 ",
		"GET /v1/watch/":  "404 ", "POST /": "405 ",
	} {
		method, path, _ := strings.Cut(path, " ")
		resp, body := do(t, s, method, path, nil)
		got := fmt.Sprintf("%d ", resp.StatusCode)
		var p problem
		if resp.StatusCode == 200 {
			got += strings.TrimSpace(body)
		} else if resp.Header.Get("Content-Type") == "application/problem+json" {
			if err := json.Unmarshal([]byte(body), &p); err != nil || p.Status != resp.StatusCode || p.Title == "" {
				t.Errorf("%s: %v: %s", path, err, body)
			}
			got += strings.TrimPrefix(p.Type, typeURI)
		}
		if got != want {
			t.Errorf("%s %.60s: got %s, want %s", method, path, got, want)
		}
		if strings.ContainsAny(body, "\x1b<") && resp.StatusCode != 200 {
			t.Errorf("%s: the answer is not escaped: %q", path, body)
		}
	}
}

// An answer that has not changed is not sent again.
func TestConditional(t *testing.T) {
	var mu sync.Mutex
	value := "one"
	s := start(t, func(context.Context, url.Values) (any, error) {
		mu.Lock()
		defer mu.Unlock()
		return value, nil
	})
	resp, body := do(t, s, "GET", "/v1/watch", nil)
	tag := resp.Header.Get("ETag")
	if body != "\"one\"\n" || tag == "" {
		t.Fatalf("%q with %v", body, resp.Header)
	}
	for _, match := range []string{tag, "W/" + tag, `"x", ` + tag} {
		if resp, body := do(t, s, "GET", "/v1/watch",
			map[string]string{"If-None-Match": match}); resp.StatusCode != 304 || body != "" ||
			resp.Header.Get("ETag") != tag {
			t.Errorf("%s: status %d, %q", match, resp.StatusCode, body)
		}
	}
	if resp, body := do(t, s, "HEAD", "/v1/watch", nil); resp.StatusCode != 200 || body != "" {
		t.Errorf("HEAD: status %d, %q", resp.StatusCode, body)
	}
	mu.Lock()
	value = "two"
	mu.Unlock()
	if resp, body := do(t, s, "GET", "/v1/watch", map[string]string{"If-None-Match": tag}); resp.StatusCode != 200 ||
		body != "\"two\"\n" {
		t.Errorf("after a change: status %d, %q", resp.StatusCode, body)
	}
}

// More answers at a time than the limit are refused, and the server goes on afterwards.
func TestBusy(t *testing.T) {
	release, began := make(chan bool), make(chan bool, maxOpen)
	s := start(t, func(_ context.Context, q url.Values) (any, error) {
		if q.Get("site") == "slow" {
			began <- true
			<-release
		}
		return "done", nil
	})
	var slow sync.WaitGroup
	for range maxOpen {
		slow.Go(func() {
			if resp, err := http.Get(s.URL() + "v1/watch?site=slow"); err == nil {
				resp.Body.Close()
			}
		})
	}
	for range maxOpen {
		<-began
	}
	if resp, body := do(t, s, "GET", "/v1/watch", nil); resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" {
		t.Errorf("status %d: %s", resp.StatusCode, body)
	}
	if resp, _ := do(t, s, "GET", "/", nil); resp.StatusCode != 200 {
		t.Errorf("the page itself has status %d", resp.StatusCode)
	}
	close(release)
	slow.Wait()
	if resp, body := do(t, s, "GET", "/v1/watch", nil); resp.StatusCode != 200 {
		t.Errorf("afterwards: status %d: %s", resp.StatusCode, body)
	}
}

// A route for long questions takes JSON up to its limit, and no form of another site's page.
func TestPosted(t *testing.T) {
	s, err := Start("127.0.0.1:0", Config{Page: http.NotFoundHandler(), Routes: []Route{{
		Path: "/v1/ask", MaxBody: 20,
		Posted: func(_ context.Context, body []byte) (any, error) { return "got " + string(body), nil },
	}}})
	fatal.If(t, err)
	t.Cleanup(s.Close)
	const ours = "application/json"
	for _, c := range []struct {
		method, kind, site, body string
		status                   int
	}{
		{"POST", ours, "", "{}", 200}, {"POST", ours + "; charset=utf-8", "same-origin", "", 200},
		{"POST", ours, "", strings.Repeat("x", 20), 200}, {"POST", ours, "", strings.Repeat("x", 21), 413},
		{"POST", ours, "cross-site", "{}", 403}, {"POST", "text/plain", "", "{}", 415}, {"POST", "", "", "{}", 415},
		{"POST", "a/b/c", "", "{}", 415}, {"GET", ours, "", "{}", 405}, {"PUT", ours, "", "{}", 405},
	} {
		r, err := http.NewRequest(c.method, s.URL()+"v1/ask", strings.NewReader(c.body))
		fatal.If(t, err)
		r.Header.Set("Content-Type", c.kind)
		if c.site != "" {
			r.Header.Set("Sec-Fetch-Site", c.site)
		}
		resp, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if got := strings.Contains(string(body), "got "); err != nil || resp.StatusCode != c.status ||
			got != (c.status == 200) {
			t.Errorf("%+v: status %d, %q, %v", c, resp.StatusCode, body, err)
		}
	}
}

// Bytes that are not a request do not end the server.
func TestGarbage(t *testing.T) {
	s := start(t, func(context.Context, url.Values) (any, error) { return "done", nil })
	for _, text := range []string{"\x00\x01\x02\r\n\r\n", "GET /v1/watch HTTP/1.1\r\n\r\n",
		"GET /v1/watch HTTP/1.1\r\nHost: a\r\nHost: 127.0.0.1\r\n\r\n",
		"GET http://attacker.example/v1/watch HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "GET /v1/watch HTTP/1.0\r\n\r\n"} {
		conn, err := net.Dial("tcp", s.listener.Addr().String())
		fatal.If(t, err)
		io.WriteString(conn, text)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err == nil && resp.StatusCode < 400 {
			t.Errorf("%q: status %d", text, resp.StatusCode)
		}
		conn.Close()
	}
	if resp, _ := do(t, s, "GET", "/v1/watch", nil); resp.StatusCode != 200 {
		t.Errorf("afterwards: status %d", resp.StatusCode)
	}
}
