package agent_test

import (
	"os"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// browsers returns the headers of testdata/browsers.txt.
func browsers(tb testing.TB) (headers []string) {
	tb.Helper()
	f, err := os.Open("testdata/browsers.txt")
	fatal.If(tb, err)
	defer f.Close()
	for _, line := range lines(tb, f) {
		if !strings.HasPrefix(line, "#") {
			headers = append(headers, expand(line)...)
		}
	}
	return headers
}

// expand returns the texts of a line such as "a {b|c} d".
func expand(line string) (texts []string) {
	before, rest, ok := strings.Cut(line, "{")
	if !ok {
		return []string{line}
	}
	choices, after, _ := strings.Cut(rest, "}")
	ends := expand(after)
	for choice := range strings.SplitSeq(choices, "|") {
		for _, end := range ends {
			texts = append(texts, before+choice+end)
		}
	}
	return texts
}

// TestBrowsers checks that Lookup takes no more browsers for robots than doc/performance.md says.
func TestBrowsers(t *testing.T) {
	headers := browsers(t)
	if len(headers) < 300 {
		t.Fatalf("%d headers of browsers, want 300 at least", len(headers))
	}
	robots := 0
	for _, header := range headers {
		switch a := agent.Lookup(header); {
		case a.Kind.IsRobot():
			robots++
			t.Logf("taken for a robot: %s\n\t%v", header, a)
		case a.Kind != agent.Browser:
			t.Logf("not known as a browser: %s\n\t%v", header, a)
		}
	}
	t.Logf("%d of %d browsers are taken for robots", robots, len(headers))
	most, all := published(t, "browsers composed from their makers' documents")
	if robots > most || len(headers) != all {
		t.Errorf("%d of %d browsers are taken for robots; doc/performance.md says %d of %d", robots, len(headers), most,
			all)
	}
}
