package audit_test

import (
	"fmt"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestHost audits lines with and without a host, for several hosts of the lines that name none.
func TestHost(t *testing.T) {
	var lines []string
	for _, target := range []string{"/private/a", "/private/a", "http://A.Example/private/a",
		"http://b.example/private/a"} {
		lines = append(lines, `192.0.2.1 - - [03/Mar/2026:12:00:00 +0000] "GET `+target+
			` HTTP/1.1" 200 1 "-" "ExampleBot/1.0"`)
	}
	sites := map[string][]audit.Version{"a.example": {{ID: "1", Text: []byte("User-agent: *\nDisallow: /private/\n")}}}
	var parts []*audit.Part
	for _, test := range []struct{ host, want string }{
		{"", `1 certain, "" 2 false, "a.example" 1 true, "b.example" 1 false`},
		{"a.example", `3 certain, "a.example" 3 true, "b.example" 1 false`},
		{"c.example", `1 certain, "a.example" 1 true, "b.example" 1 false, "c.example" 2 false`},
	} {
		a, err := audit.New(audit.Options{Sites: sites, Host: test.host})
		fatal.If(t, err)
		part := readLines(t, a, 1, lines)
		for _, p := range []*audit.Part{part, stored(t, part)} {
			report := p.Report()
			got := fmt.Sprint(report.Robots[0].Violations.Certain, " certain")
			for _, host := range report.Hosts {
				got += fmt.Sprintf(", %q %d %v", host.Name, host.Requests, host.Judged)
			}
			if got != test.want {
				t.Errorf("host %q:\ngot  %s\nwant %s", test.host, got, test.want)
			}
		}
		parts = append(parts, part)
	}
	if err := parts[0].Join(parts[1]); err == nil {
		t.Error("parts with different hosts were joined")
	}
	if _, err := audit.New(audit.Options{Host: "A.example"}); err == nil {
		t.Error("a host in upper case: no error")
	}
}
