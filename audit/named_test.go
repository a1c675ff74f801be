package audit_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A robot that fetches a page because a person asked for the page is held to the groups that name
// the robot, and not to the rules for everyone, unless its operator documents that it obeys them.
func TestForPersons(t *testing.T) {
	log := ""
	for _, name := range []string{"ChatGPT-User", "Perplexity-User", "Embedly", "facebookexternalhit", "Claude-User",
		"Twitterbot", "GPTBot", ""} {
		header := name + "/1.0"
		if name == "" {
			header = "Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; SV1; http://www.example.com)"
		}
		log += `192.0.2.1 - - [05/Mar/2026:12:00:00 +0000] "GET /private HTTP/1.1" 200 512 "-" "` + header + "\"\n"
	}
	for _, test := range []struct {
		group string
		want  map[string]int64
	}{
		{"*", map[string]int64{"Claude-User": 1, "Twitterbot": 1, "GPTBot": 1}},
		{"ChatGPT-User", map[string]int64{"ChatGPT-User": 1}},
		{"Embedly", map[string]int64{"Embedly": 1}},
	} {
		policy := []byte("User-agent: " + test.group + "\nDisallow: /private\n")
		a, err := audit.New(audit.Options{Sites: map[string][]audit.Version{"": {{ID: "v", State: audit.Served,
			Text: policy}}}})
		fatal.If(t, err)
		part, err := a.Read((&accesslog.Reader{}).From("access.log", strings.NewReader(log)), 1)
		fatal.If(t, err)
		for _, robot := range part.Report().Robots {
			if got := robot.Violations.Certain; got != test.want[robot.Token] {
				t.Errorf("group %s: %q has %d certain violations, want %d", test.group, robot.Token, got,
					test.want[robot.Token])
			}
		}
	}
}
