package server

import (
	"os"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestKinds keeps the types of problems, by which programs tell them apart.
func TestKinds(t *testing.T) {
	want := "bad-parameter bad-url bad-body unauthorized refused-address foreign-page not-found no-history wrong-method too-large wrong-host " +
		"no-such-host bad-claim too-many-requests internal busy timeout"
	doc, err := os.ReadFile("../doc/serve.md")
	fatal.If(t, err)
	status := 0
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
		if k.status < status || k.title == "" {
			t.Errorf("%s: status %d after %d, title %q", k.name, k.status, status, k.title)
		}
		if !strings.Contains(string(doc), "\n### "+k.name+"\n") {
			t.Errorf("doc/serve.md has no heading %s, to which the type leads", k.name)
		}
		status = k.status
	}
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
