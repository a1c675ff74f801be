package demoweb

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"
)

// newClient returns a client that resolves the hosts of the web.
func newClient(t *testing.T, w *Web) *http.Client {
	t.Helper()
	dial := &net.Dialer{}
	transport := &http.Transport{}
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		name, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		addrs, err := w.Lookup(ctx, name)
		if err != nil {
			return nil, err
		}
		return dial.DialContext(ctx, network, net.JoinHostPort(addrs[0].String(), port))
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// get returns the status and the body of a URL.
func get(t *testing.T, c *http.Client, url string) (*http.Response, string) {
	t.Helper()
	r, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r, string(b)
}

var hrefs = regexp.MustCompile(`href="([^"]+)"`)

// TestCrawl visits all pages, one host after another, with the required pauses.
func TestCrawl(t *testing.T) {
	t.Parallel()
	w, err := start(t.Context(), 0.02)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	client := newClient(t, w)
	const minDelay = 5 * time.Millisecond
	pages, missing := 0, 0
	for i, seed := range w.Seeds() {
		get(t, client, w.Origins()[i]+"/robots.txt")
		queue, seen := []string{seed}, map[string]bool{seed: true}
		for len(queue) > 0 {
			url := queue[0]
			queue = queue[1:]
			time.Sleep(4 * minDelay) // the pause of library.test
			r, body := get(t, client, url)
			switch r.StatusCode {
			case http.StatusServiceUnavailable:
				if r.Header.Get("Retry-After") != "1" {
					t.Errorf("%s: Retry-After is %q", url, r.Header.Get("Retry-After"))
				}
				time.Sleep(time.Second)
				queue = append(queue, url)
				continue
			case http.StatusOK:
				pages++
			default:
				missing++
			}
			for _, m := range hrefs.FindAllStringSubmatch(body, -1) {
				to := m[1]
				if strings.HasPrefix(to, "/") {
					to = w.Origins()[i] + to
				}
				skip := strings.Contains(to, "/private/") || strings.Contains(to, "/cart/") || strings.Contains(to, "/calendar/") && len(seen) > 40
				if !seen[to] && !skip && strings.HasPrefix(to, w.Origins()[i]) {
					seen[to] = true
					queue = append(queue, to)
				}
			}
		}
	}
	if missing > 0 || pages < 60 || pages > 100 {
		t.Errorf("there are %d pages and %d dead links", pages, missing)
	}
	for _, v := range w.Violations(minDelay) {
		t.Error(v)
	}
	n := 0
	for range w.Requests() {
		n++
	}
	if want := pages + len(sites) + 1; n != want {
		t.Errorf("the log has %d requests, want %d", n, want)
	}
}

// TestAnswers checks the answers for a missing page, another host and a validator.
func TestAnswers(t *testing.T) {
	t.Parallel()
	w, err := Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	client := newClient(t, w)
	garden := w.Origins()[0]
	for _, path := range []string{"/page/99.html", "/page/-1.html", "/page/01.html", "/nothing", "/calendar/2026/01"} {
		if r, _ := get(t, client, garden+path); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
	}
	for _, path := range []string{"/calendar/2026/13", "/calendar/x/1", "/calendar/2026"} {
		if r, _ := get(t, client, w.Origins()[3]+path); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
	}
	r, _ := get(t, client, garden+"/page/3.html")
	again, err := http.NewRequestWithContext(t.Context(), "GET", garden+"/page/3.html", nil)
	if err != nil {
		t.Fatal(err)
	}
	again.Header.Set("If-None-Match", r.Header.Get("ETag"))
	answer, err := client.Do(again)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusNotModified {
		t.Errorf("the validator of the page gets status %d", answer.StatusCode)
	}
	again.Host = "else.test"
	if answer, err = client.Do(again); err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("another host gets status %d", answer.StatusCode)
	}
	if _, err := w.Lookup(t.Context(), "else.test"); err == nil {
		t.Error("another name has an address")
	}
	for _, p := range w.Allowed() {
		if !p.Addr().IsLoopback() || !p.IsSingleIP() {
			t.Errorf("%v is allowed", p)
		}
	}
	if !w.Allowed()[0].Contains(netip.MustParseAddr("127.0.0.1")) {
		t.Error("127.0.0.1 is not allowed")
	}
}

// TestViolations judges the requests of rude robots, each of them rude in one way.
func TestViolations(t *testing.T) {
	t.Parallel()
	w, err := Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	const garden, library, archive, market = 0, 1, 2, 3
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	at := func(start int, path string) Request {
		return Request{Path: path, Start: ms(start), End: ms(start + 50), Status: 200}
	}
	robots := at(0, "/robots.txt")
	crowded := at(250, "/")
	crowded.Status, crowded.RetryAfter = 503, ms(3300)
	failed := robots
	failed.Status = 503
	months := []Request{robots}
	for i := range maxTrapped + 1 {
		months = append(months, at(250*(i+1), "/calendar/2026/01"))
	}
	for _, test := range []struct {
		name string
		host int
		log  []Request
		want string // of the last request; "" if it is allowed
	}{
		{"polite", garden, []Request{robots, at(250, "/"), at(500, "/page/0.html")}, ""},
		{"no robots.txt", garden, []Request{at(0, "/")}, "robots.txt was not fetched before"},
		{"no robots.txt to be had", garden, []Request{failed, at(250, "/")}, "robots.txt was not fetched before"},
		{"early", garden, []Request{robots, at(249, "/")}, "the pause before it is 199ms, and not 200ms"},
		{"overlap", garden, []Request{robots, at(20, "/")}, "the pause before it is 0s, and not 200ms"},
		{"polite with Crawl-delay", library, []Request{robots, at(1050, "/")}, ""},
		{"early for Crawl-delay", library, []Request{robots, at(1049, "/")}, "the pause before it is 999ms, and not 1s"},
		{"disallowed", archive, []Request{robots, at(250, "/private/diary.html")}, "robots.txt disallows it"},
		{"effect", market, []Request{robots, at(250, "/cart/add?id=1")}, "robots.txt disallows it"},
		{"again in time", market, []Request{robots, crowded, at(3300, "/")}, ""},
		{"again too early", market, []Request{robots, crowded, at(3299, "/")}, "Retry-After asked for 1ms more"},
		{"other page too early", market, []Request{robots, crowded, at(3000, "/page/1.html")}, "Retry-After asked for 300ms more"},
		{"twice", garden, []Request{robots, at(250, "/"), at(500, "/")}, "the page was fetched before"},
		{"some months", market, months[:maxTrapped+1], ""},
		{"trapped", market, months, "it is one of more than 200 into a calendar without end"},
	} {
		w.log = nil
		for _, r := range test.log {
			r.Host = w.Origins()[test.host]
			w.log = append([]Request{r}, w.log...) // which must be sorted again
		}
		got := ""
		for _, v := range w.Violations(ms(200)) {
			if got != "" || v.Request.Start != test.log[len(test.log)-1].Start {
				t.Errorf("%s: also %v", test.name, v)
			}
			got = v.Why
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
