package auditlive

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

var update = flag.Bool("update", false, "write the metrics in testdata again")

func TestMetrics(t *testing.T) {
	sites := map[string][]audit.Version{"": {{ID: "v\xff\n1", Text: []byte(closed)}}}
	auditor, err := audit.New(audit.Options{Sites: sites, Identify: func(robot agent.Agent,
		client netip.Addr) agent.Result {
		if client == netip.MustParseAddr("192.0.2.9") {
			return agent.Forged
		}
		return agent.Unverifiable
	}})
	fatal.If(t, err)
	var out output
	log := filepath.Join(t.TempDir(), "log")
	f, stop := follow(t, Options{Logs: []string{log}, Auditor: auditor, Sites: sites, Classes: Classes, Out: &out})
	now := time.Now().Add(-time.Minute)
	text := "not a request\n" +
		line(now, "192.0.2.1", "/private/", 200, "GPTBot/1.0") +
		line(now, "192.0.2.9", "/", 200, "GPTBot/1.0") +
		line(now, "192.0.2.9", "/private/", 200, "GPTBot/1.0") +
		line(now, "192.0.2.1", "/", 200, "Mozilla/5.0 Firefox/120.0")
	for i := range 100 {
		text += line(now, "192.0.2.1", "/private/", 200, fmt.Sprintf("stranger%dbot/1.0", i))
	}
	appendTo(t, log, text)
	waitFor(t, "all lines", func() bool { return f.requests() == 104 && out.count() == 103 })
	answer := httptest.NewRecorder()
	f.Handler().ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	stop()
	if got := answer.Header().Get("Content-Type"); got != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
	var got []string
	for line := range strings.Lines(answer.Body.String()) {
		if strings.HasPrefix(line, "robots_audit_") && !strings.Contains(line, "last_re") {
			got = append(got, line)
		}
	}
	want := `robots_audit_dropped_total 0
robots_audit_forged_total{robot="GPTBot"} 2
robots_audit_pending 0
robots_audit_requests_total{robot="GPTBot"} 3
robots_audit_requests_total{robot="other"} 100
robots_audit_requests_total{robot="people"} 1
robots_audit_unidentified_total 0
robots_audit_unjudged_total{reason="forged"} 2
robots_audit_unreadable_lines_total 1
robots_audit_version_start_time_seconds{host="",version="v�\n1"} 0
robots_audit_violations_total{class="certain",robot="GPTBot"} 1
robots_audit_violations_total{class="certain",robot="other"} 100
`
	if s := strings.Join(got, ""); s != want {
		t.Errorf("got\n%swant\n%s", s, want)
	}
	var forged []string
	for _, line := range out.lines {
		if strings.Contains(line, `"class":"forged"`) {
			_, members, _ := strings.Cut(line, `"class"`)
			members, _, _ = strings.Cut(members, `,"text"`)
			forged = append(forged, members)
		}
	}
	if s := strings.Join(forged,
		" "); s != `:"forged","version":"","rule_line":0,"rule":"" :"forged","version":"v\\xFF\n1","rule_line":2,"rule":"Disallow: /private/"` {
		t.Errorf("forged requests: %s", s)
	}
}

// TestMetricsHostile has names of versions and hosts that would end a label, a line or the order of
// labels. oracle/metrics_test.go holds the same file against the client library of Prometheus.
func TestMetricsHostile(t *testing.T) {
	texts := []string{"", `a"b`, `a\`, "a\n# TYPE x gauge\nx 1", "a", "a b", "a!", "\xff", "\xff\xfe", "\u2028\u202e",
		"{}", `",class="certain`, "#", " ", "\r\n\t\x01\x1b[31m"}
	f := &Follower{figures: newFigures(), sites: map[string][]audit.Version{}}
	f.figures.unreadable, f.figures.dropped, f.figures.unidentified = 1, 1e6, 1e15+1
	f.figures.last, f.figures.read = time.Unix(1700000000, 123e6), time.Unix(1, 0)
	for i, host := range texts {
		if utf8.ValidString(host) {
			f.sites[host] = []audit.Version{{ID: texts[len(texts)-1-i], From: time.Unix(1700000000, 123e6)}}
		}
		f.figures.requests[strings.ToValidUTF8(host, "?")] += 1 << (4 * i)
		f.figures.violations[tokenClass{strings.ToValidUTF8(host, "?"), "certain"}]++
		f.figures.forged[strings.ToValidUTF8(host, "?")]++
		f.figures.unjudged[strings.ToValidUTF8(host, "?")]++
	}
	const file = "testdata/hostile.metrics"
	got := string(f.appendMetrics(nil))
	if *update {
		fatal.If(t, os.WriteFile(file, []byte(got), 0o666))
	}
	want, err := os.ReadFile(file)
	fatal.If(t, err)
	if got != string(want) {
		t.Errorf("got\n%s\nwant, as %s says\n%s", got, file, want)
	}
	for line := range strings.Lines(got) {
		if !strings.HasPrefix(strings.TrimPrefix(strings.TrimPrefix(line, "# HELP "), "# TYPE "), "robots_audit_") {
			t.Errorf("a label begins the line %q", line)
		}
	}
}

// TestMetricsBusy asks for the metrics more often at once than is answered.
func TestMetricsBusy(t *testing.T) {
	f := &Follower{figures: newFigures()}
	handler := f.Handler()
	answers := make(chan int, maxScrapes+1)
	f.mu.Lock() // so that no answer ends
	for range cap(answers) {
		go func() {
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
			answers <- answer.Code
		}()
	}
	if got := <-answers; got != http.StatusServiceUnavailable {
		t.Errorf("status %d for one request too many", got)
	}
	f.mu.Unlock()
	for range maxScrapes {
		if got := <-answers; got != http.StatusOK {
			t.Errorf("status %d for a request in time", got)
		}
	}
}
