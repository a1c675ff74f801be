package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// monitored runs monitor, and returns its output and exit status.
func monitored(t *testing.T, args ...string) (out string, status int) {
	t.Helper()
	cmd := robotsProcess(t, append([]string{"monitor", "--allow-private", "--lang", "en"}, args...)...)
	text, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit != nil && len(exit.Stderr) > 0 {
		text = append(text, exit.Stderr...)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

func put(t *testing.T, name, text string) string {
	t.Helper()
	fatal.If(t, os.WriteFile(name, []byte(text), 0o666))
	return name
}

// eventsOf reads the message of a webhook: an event, or several.
func eventsOf(r io.Reader) ([]monitor.Event, error) {
	var message struct {
		Type string
		Data struct {
			monitor.Event
			Events []monitor.Event
		}
	}
	err := json.NewDecoder(r).Decode(&message)
	if message.Type == "robots.event" {
		return []monitor.Event{message.Data.Event}, err
	}
	return message.Data.Events, err
}

// sentTwice returns the number of messages with an event that came again. Ends has the number of
// events after each message.
func sentTwice(events []monitor.Event, ends []int) int {
	first, twice := make(map[string]int), make(map[int]bool) // by id, the first message with an event
	begin := 0
	for message, end := range ends {
		for _, e := range events[begin:end] {
			if before, ok := first[e.ID]; ok {
				twice[before] = true
			} else {
				first[e.ID] = message
			}
		}
		begin = end
	}
	return len(twice)
}

// TestMonitor watches a real server with a real receiver.
func TestMonitor(t *testing.T) {
	site, serve := changingSite(t, "User-agent: *\nDisallow: /admin/\n")
	var mu sync.Mutex
	var events []string
	down := true
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if down {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		all, err := eventsOf(r.Body)
		if err != nil {
			t.Error(err)
		}
		for _, e := range all {
			for _, u := range e.Updates {
				events = append(events, string(u.Step)+" "+string(u.Finding.Kind))
			}
		}
	}))
	defer hook.Close()
	dir := t.TempDir()
	claims := put(t, filepath.Join(dir, "example.claims"), "Googlebot may fetch /shop/\n")
	put(t, filepath.Join(dir, "robots.txt"), "User-agent: *\nDisallow: /admin/\n")
	config := put(t, filepath.Join(dir, "monitor.conf"), "# One site.\n"+site+
		" claims=example.claims expect=robots.txt as=\"GPTBot/1.2 (test)\"\nwebhook "+hook.URL+
		" name=ops secret=whsec_MDEyMzQ1Njc4OWFiY2RlZg==\nfeed feed.atom\n")
	state := filepath.Join(dir, "state")

	if out, status := monitored(t, "--once", "--config", config, "--dir", state); status != 0 || out != site+
		": nothing to report\n" {
		t.Errorf("the first look: status %d\n%s", status, out)
	}
	serve("User-agent: *\nDisallow: /\n")
	out, status := monitored(t, "--once", "--config", config, "--dir", state)
	for _, want := range []string{"critical: the whole site is closed to all robots: Disallow: /",
		"critical: a claim does not hold: Googlebot may fetch /shop/", "warning: other rules than expected for *",
		"message ", "502 Bad Gateway"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if status != 2 {
		t.Errorf("the receiver is down, and the status is %d", status)
	}
	mu.Lock()
	down = false
	mu.Unlock()
	out, status = monitored(t, "--once", "--config", config, "--dir", state, "--json")
	var look lookLine
	if err := json.Unmarshal([]byte(out), &look); err != nil || status != 1 || len(look.Findings) != 3 ||
		len(look.Updates) != 1 {
		t.Errorf("status %d, %v\n%s", status, err, out)
	}
	mu.Lock()
	if want := []string{"begun closed-site", "begun claim", "begun unexpected"}; !slices.Equal(events, want) {
		t.Errorf("the receiver got %q, want %q", events, want)
	}
	mu.Unlock()
	if feed, err := os.ReadFile(filepath.Join(dir, "feed.atom")); err != nil ||
		strings.Count(string(feed), "<entry>") != 2 {
		t.Errorf("the feed is %s, %v", feed, err)
	}
	if out, status := monitored(t, "--once", "--claims", claims, site); status != 1 ||
		strings.Count(out, "\n") != 2 {
		t.Errorf("one claim and a closed site without a folder: status %d\n%s", status, out)
	}
}

// TestMonitorOnceFaults looks once at sites of which nothing is known, and again with the state of
// that look.
func TestMonitorOnceFaults(t *testing.T) {
	site, serve := changingSite(t, "")
	for _, test := range []struct{ name, text, want, again string }{
		{"a sound file", "User-agent: *\nDisallow: /admin/\n", "nothing to report", "nothing to report"},
		{"a closed site", "User-agent: *\nDisallow: /\n", "critical: the whole site is closed",
			"critical: the whole site is closed"},
		{"a closed home page", "User-agent: *\nDisallow: /$\n", "critical: closed to search engines",
			"critical: closed to search engines"},
		{"one closed search engine", "User-agent: *\nDisallow: /x\n\nUser-agent: bingbot\nDisallow: /\n",
			"critical: closed to search engines (bingbot)", "critical: closed to search engines (bingbot)"},
		{"a sitemap that is none", "User-agent: *\nDisallow: /x\nSitemap: " + site + "/s\n",
			"warning: the sitemap " + site + "/s is not well-formed", "warning: the sitemap " + site + "/s is not"},
		{"nothing", "", "notice: robots.txt is empty", "nothing to report"},
		{"each line is misspelt", "Useragent: *\nDisalow: /\n",
			"warning: the text in place of robots.txt has no line for robots, and begins with Useragent: *",
			"warning: the text in place"},
		{"a rule is misspelt", "User-agent: *\nDisalow: /\n",
			"warning: lines of robots.txt do not do what they say: Disalow: / (misspelt-field", "nothing to report"},
		{"HTML", "<!doctype html><html>", "warning: an HTML page", "warning: an HTML page"},
		{"UTF-16", "\xff\xfeU\x00s\x00e\x00r\x00\n\x00", "warning: robots.txt is UTF-16",
			"warning: robots.txt is UTF-16"},
	} {
		serve(test.text)
		dir := t.TempDir()
		for _, run := range []struct {
			args []string
			want string
		}{{[]string{site}, test.want}, {[]string{"--dir", dir, site}, test.want},
			{[]string{"--dir", dir, site}, test.again}} {
			want := 1
			if run.want == "nothing to report" {
				want = 0
			}
			out, status := monitored(t, append([]string{"--once"}, run.args...)...)
			if status != want || strings.Count(out, "\n") != 1 || !strings.HasPrefix(out, site+": "+run.want) {
				t.Errorf("%s: status %d, want %d, and %q:\n%s", test.name, status, want, run.want, out)
			}
		}
	}
}

// TestMonitorOnceRedirects looks once at a site whose robots.txt redirects to itself.
func TestMonitorOnceRedirects(t *testing.T) {
	site := httptest.NewServer(http.RedirectHandler("/robots.txt", http.StatusFound))
	defer site.Close()
	out, status := monitored(t, "--once", site.URL)
	want := site.URL + ": warning: robots.txt answers 302, and leads to no text: robots may visit everything\n"
	if status != 1 || out != want {
		t.Errorf("status %d, want 1 and\n%s\ngot\n%s", status, want, out)
	}
}

// TestMonitorOncePages looks once at pages of which nothing is known.
func TestMonitorOncePages(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			io.WriteString(w, "User-agent: *\nDisallow: /x\n")
		case "/hidden":
			w.Header().Set("X-Robots-Tag", "noindex")
		case "/gone":
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer site.Close()
	config := put(t, filepath.Join(t.TempDir(), "monitor.conf"), site.URL+" page=/ page=/hidden page=/gone\n")
	out, status := monitored(t, "--once", "--config", config)
	if want := site.URL + ": critical: the page " + site.URL + "/hidden says to search engines: 200, noindex\n" + site.URL +
		": warning: the page " + site.URL + "/gone says to search engines: 404\n"; status != 1 || out != want {
		t.Errorf("status %d, want 1 and\n%s\ngot\n%s", status, want, out)
	}
}

// TestMonitorSkipped checks that monitor says which pages and headers had no turn, because the site
// asked for time, and that they have it in the next run.
func TestMonitorSkipped(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/page" {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer site.Close()
	dir := t.TempDir()
	config := put(t, filepath.Join(dir, "monitor.conf"), site.URL+" page=/page page=/other as=\"GPTBot/1.2 \x1b\"\n")
	if out, status := monitored(t, "--once", "--config", config); status != 2 || !strings.Contains(out, "as") {
		t.Errorf("a header with a control byte: status %d\n%s", status, out)
	}
	put(t, config, "\ufeff"+site.URL+" page=/page page=/other as=GPTBot/1.2\r\n") // as an editor of Windows writes it
	state := filepath.Join(dir, "state")
	out, status := monitored(t, "--once", "--config", config, "--dir", state)
	if want := "(Retry-After), so these were not requested: " + site.URL + "/other, GPTBot/1.2\n"; status != 1 ||
		!strings.HasSuffix(out, want) || strings.Contains(out, "nothing to report") {
		t.Errorf("status %d, %q does not end with %q", status, out, want)
	}
	time.Sleep(1100 * time.Millisecond)
	out, status = monitored(t, "--once", "--config", config, "--dir", state, "--json")
	var look lookLine
	if err := json.Unmarshal([]byte(out), &look); err != nil || status != 0 || look.NotBefore.IsZero() ||
		len(look.Skipped) > 0 {
		t.Errorf("the next run: status %d, %v\n%s", status, err, out)
	}
}

// TestWatchFigures checks the figures after looks of each kind.
func TestWatchFigures(t *testing.T) {
	f := newWatchFigures(2)
	site := func(origin string, severities ...monitor.Severity) *monitor.Look {
		l := &monitor.Look{Site: monitor.Site{URL: origin}, Observation: &monitor.Observation{Origin: origin}}
		for _, s := range severities {
			l.Findings = append(l.Findings, monitor.Finding{Kind: monitor.Claim, Severity: s})
			l.Updates = append(l.Updates, monitor.Update{Step: monitor.Begun, Finding: l.Findings[len(l.Findings)-1]})
		}
		return l
	}
	for _, l := range []*monitor.Look{
		site("https://a.example", monitor.Critical, monitor.Notice), site("https://b.example", monitor.Warning),
		site("https://a.example", monitor.Warning), site("https://b.example"),
		{Err: io.EOF}, {Held: true},
		site("https://c.example", monitor.Notice), {Site: monitor.Site{URL: "https://c.example"}, Left: true},
	} {
		f.looked(l)
	}
	f.failed(&monitor.DeliveryError{Receiver: "ops", Err: io.EOF})
	f.failed(io.EOF)
	w := httptest.NewRecorder()
	f.handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for _, want := range []string{
		`robots_monitor_sites 2`, `robots_monitor_sites_with_findings{severity="warning"} 1`,
		`robots_monitor_sites_with_findings{severity="critical"} 0`,
		`robots_monitor_sites_with_findings{severity="notice"} 0`,
		`robots_monitor_looks_total{outcome="done"} 5`, `robots_monitor_sites_here 2`,
		`robots_monitor_looks_total{outcome="failed"} 1`, `robots_monitor_looks_total{outcome="held"} 1`,
		`robots_monitor_updates_total{kind="claim",step="begun"} 5`,
		`robots_monitor_delivery_failures_total{receiver="ops"} 1`,
	} {
		if !strings.Contains(w.Body.String(), want+"\n") {
			t.Errorf("no %s in\n%s", want, w.Body)
		}
	}
}

// TestMonitorStops checks that monitor reports a change while it runs, and ends in order.
func TestMonitorStops(t *testing.T) {
	looks := make(chan bool, 10)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(404)
		looks <- true
	}))
	defer site.Close()
	cmd := robotsProcess(t, "monitor", "--allow-private", "--dir", t.TempDir(), site.URL)
	fatal.If(t, cmd.Start())
	select {
	case <-looks:
	case <-time.After(time.Minute):
		t.Error("no look in a minute")
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		cmd.Process.Kill()
		t.Log("interrupts are not for this system: ", err)
		cmd.Wait()
		return
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("monitor ended with %v", err)
	}
}
