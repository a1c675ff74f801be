package agent_test

import (
	"encoding/json"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// rangeCorpus returns the files of the corpus that match a pattern below its
// folder of address ranges. The corpus is not part of this repository.
func rangeCorpus(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(corpus.Path(t, "agents", "ip-ranges", filepath.FromSlash(pattern)))
	if err != nil || len(files) == 0 {
		t.Fatalf("no file %s in the corpus", pattern)
	}
	return files
}

// Every published document is read completely, and each of its prefixes is found.
func TestRangesOfCorpus(t *testing.T) {
	for _, file := range slices.Concat(rangeCorpus(t, "google/*.json"), rangeCorpus(t, "goodbots/*.ips")) {
		data, err := os.ReadFile(file)
		fatal.If(t, err)
		ranges, err := agent.ParseRanges(data)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if ranges.Skipped() > 0 {
			t.Errorf("%s: %d entries are skipped", file, ranges.Skipped())
		}
		isJSON := filepath.Ext(file) == ".json"
		if isJSON == ranges.Created().IsZero() {
			t.Errorf("%s: created %s", file, ranges.Created())
		}
		text := string(data)
		if isJSON {
			text = lineOfEach(t, data)
		}
		prefixes := slowPrefixes(text)
		if len(prefixes) < ranges.Len() || len(prefixes) == 0 {
			t.Errorf("%s: got %d prefixes of %d lines", file, ranges.Len(), len(prefixes))
		}
		holdToTwin(t, ranges, prefixes)
	}
}

// lineOfEach returns the prefixes of a JSON document, one a line.
func lineOfEach(t *testing.T, data []byte) string {
	t.Helper()
	var doc struct{ Prefixes []map[string]string }
	fatal.If(t, json.Unmarshal(data, &doc))
	var lines []string
	for _, p := range doc.Prefixes {
		lines = append(lines, p["ipv4Prefix"]+p["ipv6Prefix"])
	}
	return strings.Join(lines, "\n")
}

// The same for the ranges of many robots at four times, from a file that others collected.
func TestRangesOfCorpusByRobot(t *testing.T) {
	for _, file := range append(rangeCorpus(t, "history/*.json.gz"), rangeCorpus(t, "crawlers.json.gz")...) {
		data := corpus.Gunzip(t, file)
		if _, err := agent.ParseRanges(data); err == nil {
			t.Errorf("%s: the ranges of many robots are taken for those of one", file)
		}
		var entries []struct{ Name, Range string }
		fatal.If(t, json.Unmarshal(data, &entries))
		byName := make(map[string][]string)
		for _, e := range entries {
			byName[e.Name] = append(byName[e.Name], e.Range)
		}
		for name, lines := range byName {
			text := strings.Join(lines, "\n")
			ranges, err := agent.ParseRanges([]byte(text))
			if err != nil {
				t.Errorf("%s: %s: %v", file, name, err)
				continue
			}
			var others []netip.Addr // of other robots: most are not in its ranges
			for other, lines := range byName {
				if p, err := netip.ParsePrefix(lines[0]); err == nil && other != name {
					others = append(others, p.Addr())
				}
			}
			holdToTwin(t, ranges, slowPrefixes(text), others...)
		}
	}
}
