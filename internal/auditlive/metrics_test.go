package auditlive

import (
	"fmt"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
)

func TestMetrics(t *testing.T) {
	sites := map[string][]audit.Version{"": {{ID: "v\xff\n1", Text: []byte(closed)}}}
	auditor, err := audit.New(audit.Options{Sites: sites, Identify: func(robot agent.Agent, client netip.Addr) agent.Result {
		if client == netip.MustParseAddr("192.0.2.9") {
			return agent.Forged
		}
		return agent.Unverifiable
	}})
	if err != nil {
		t.Fatal(err)
	}
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
	problems, err := promlint.New(strings.NewReader(answer.Body.String())).Lint()
	if len(problems) > 0 || err != nil {
		t.Errorf("Prometheus finds problems: %v, %v", problems, err)
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
	if s := strings.Join(forged, " "); s != `:"forged","version":"","rule_line":0,"rule":"" :"forged","version":"v\\xFF\n1","rule_line":2,"rule":"Disallow: /private/"` {
		t.Errorf("forged requests: %s", s)
	}
}
