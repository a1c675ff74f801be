package guardserver

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/guard"
)

// TestSummary checks the text about what was refused, and that strangers cannot fill the memory or
// the terminal.
func TestSummary(t *testing.T) {
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte("User-agent: *\nCrawl-delay: 3600\nDisallow: /private/\n")))}
	add := func(s *Summary, target, userAgent string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.RequestURI = target
		r.Header.Set("User-Agent", userAgent)
		s.Add(&Record{Request: r, Decision: g.Decide(r)})
	}
	s := &Summary{Observe: true}
	for _, target := range []string{"/private/x", "/x", "/y", "/z"} {
		add(s, target, firefox)
		add(s, target, robot)
	}
	add(s, "/private/\x1b[31m", "GPTBot/1.0")
	if got, want := strings.Join(s.Lines(), "\n"), `of 9 requests, the guard would have refused 2 and would have slowed 2
  NobodyKnowsBot: 1 refused, 2 slowed, such as /private/x: line 3: Disallow: /private/
  GPTBot: 1 refused, 0 slowed, such as /private/\x1b[31m: line 3: Disallow: /private/`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	s = &Summary{}
	add(s, "/x", firefox)
	if got, want := s.Lines()[0], "of 1 request, the guard refused 0 and slowed 0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r := httptest.NewRequest("GET", "/open", nil)
	for i := range 9 {
		r.Header.Add("User-Agent", fmt.Sprintf("Robot%cBot/1.0", 'a'+i))
	}
	s = &Summary{}
	s.Add(&Record{Request: r, Decision: (&guard.Guard{Policy: g.Policy, NoPace: true}).Decide(r)})
	if got, want := s.Lines()[1], "  robots without a name: 1 refused, 0 slowed, such as /open: "+
		"too many User-Agent headers"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s = &Summary{}
	for i := range maxSummary + 500 {
		add(s, "/private/x", fmt.Sprintf("Stranger%c%c%cBot/1.0", 'a'+i%26, 'a'+i/26%26, 'a'+i/676))
	}
	lines := s.Lines()
	if len(s.robots) != maxSummary || len(lines) != maxShownRobots+2 ||
		lines[0] != fmt.Sprintf("of %d requests, the guard refused %[1]d and slowed 0", maxSummary+500) {
		t.Errorf("got %d robots, %d lines: %q", len(s.robots), len(lines), lines)
	}
	if got, want := lines[len(lines)-1], fmt.Sprintf("  other robots: %d refused, 0 slowed", maxSummary+
		500-maxShownRobots); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
