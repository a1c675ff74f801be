package monitor_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/monitor"
	"github.com/robotsexclusion/robots/proof"
)

// look looks at https://a.example, which serves a robots.txt to everybody, and returns the findings.
func look(t *testing.T, text string, s monitor.Site) []monitor.Finding {
	t.Helper()
	s.URL = "https://a.example"
	looker := &monitor.Looker{Transport: answers(func(*http.Request) (int, string, string, error) { return 200, "", text, nil })}
	o, err := looker.Look(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return o.Findings
}

func TestClaims(t *testing.T) {
	claims, err := proof.ParseClaims("Googlebot may fetch /products/\n* may not fetch /admin/\n")
	if err != nil {
		t.Fatal(err)
	}
	site := monitor.Site{Claims: claims}
	if f := look(t, "User-agent: *\nDisallow: /admin/\n", site); len(f) > 0 {
		t.Errorf("both claims hold, and the findings are %+v", f)
	}
	f := look(t, "User-agent: *\nDisallow: /admin\nAllow: /admin/help\n", site)
	if len(f) != 1 || f[0].Kind != monitor.Claim || f[0].Severity != monitor.Critical || f[0].Subject != "* may not fetch /admin/" || !strings.HasPrefix(f[0].Witness, "/admin/help") {
		t.Errorf("an opened path has the findings %+v", f)
	}
	// While a site fails, robots use copies: nothing can be said about claims.
	looker := &monitor.Looker{Transport: answers(func(*http.Request) (int, string, string, error) { return 500, "", "", nil })}
	site.URL = "https://a.example"
	if o, err := looker.Look(t.Context(), site); err != nil || brief(o.Findings) != "unreachable warning" {
		t.Errorf("a failing site has %+v, %v", o, err)
	}
}
