package audit_test

import (
	"fmt"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A redirect excuses one request of the same address soon after, and a path that only servers take
// for a closed one is counted beside the violations.
func TestFiguresBeside(t *testing.T) {
	a, err := audit.New(audit.Options{Sites: map[string][]audit.Version{"": {{ID: "v",
		Text: []byte("User-agent: *\nDisallow: /closed/\n")}}}})
	fatal.If(t, err)
	var lines []string
	add := func(client string, second int, path string, status int) {
		const form = `192.0.2.%s - - [02/Mar/2026:10:%02d:%02d +0000] "GET %s HTTP/1.1" %d 9 "-" "simbot/1.0"`
		lines = append(lines, fmt.Sprintf(form, client, second/60, second%60, path, status))
	}
	for i := range 10 {
		add("1", i*30, "/go", 302)
		add("1", i*30+1, "/closed/a", 200)
		add("1", i*30+2, "/closed/b", 200) // one redirect, one request
	}
	add("2", 600, "/closed/c", 200) // no redirect
	add("3", 600, "/closed/d", 301) // is a redirect itself
	add("3", 611, "/closed/e", 200) // too late
	add("4", 700, "/go", 304)       // no redirect
	add("4", 701, "/closed/f", 200)
	for _, path := range []string{"//closed/x", "/./closed/x", "/a/../closed/x", "/closed%2Fx", "/;/closed/x",
		"/closed;a=b/x",
		"/%2e/closed/x", "/a/%2E%2e/closed/x", "//closed/x?q=/"} {
		add("5", 800, path, 200)
		add("5", 800, path, 404) // refused
	}
	for _, path := range []string{"/open/", "/open//closed/", "/?a=/../closed/", "/.well-known/closed/", "/closed"} {
		add("5", 800, path, 200)
	}
	v := readLines(t, a, 1, lines).Report().Robots[0].Violations
	if v.AfterRedirect != 10 || v.Normalized != 9 || v.Certain != 24 {
		t.Errorf("after redirects %d, normalized %d, %+v", v.AfterRedirect, v.Normalized, v.Count)
	}
}
