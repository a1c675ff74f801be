package robottest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

var update = flag.Bool("update", false, "rewrite the table of duties in doc/testweb.md")

// TestDocument compares the tables of doc/testweb.md with the duties.
func TestDocument(t *testing.T) {
	file := filepath.Join("..", "..", "..", "doc", "testweb.md")
	data, err := os.ReadFile(file)
	fatal.If(t, err)
	const from, to = "<!-- duties: from cmd/internal/robottest/duty.go -->\n", "<!-- end of duties -->\n"
	head, rest, ok := strings.Cut(string(data), from)
	_, tail, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the duties between %q and %q", file, from, to)
	}
	var b strings.Builder
	for level := Basic; level <= Exemplary; level++ {
		fmt.Fprintf(&b,
			"\n### %s\n\n| duty | a robot that keeps it | section | exercise |\n| --- | --- | --- | --- |\n", level)
		for _, d := range duties {
			if d.Level != level {
				continue
			}
			site, optional := d.site, ""
			if site == "" {
				site = "all"
			}
			if d.Optional {
				optional = " (optional)"
			}
			fmt.Fprintf(&b, "| `%s`%s | %s | %s | %s |\n", d.ID, optional, d.Sentence, d.Section, site)
		}
	}
	b.WriteString("\n")
	want := head + from + b.String() + to + tail
	if want == string(data) {
		return
	}
	if !*update {
		t.Fatalf("%s does not have the duties of duty.go: run go test ./internal/robottest -run Document -update", file)
	}
	fatal.If(t, os.WriteFile(file, []byte(want), 0o666))
}

// TestDuties checks that each duty has its own name, and an exercise that exists.
func TestDuties(t *testing.T) {
	sites := make(map[string]bool)
	for i := range exercises {
		sites[exercises[i].name] = true
	}
	seen := make(map[string]bool)
	for _, d := range duties {
		if seen[d.ID] || d.Sentence == "" || d.Section == "" || d.judge == nil || d.site != "" && !sites[d.site] {
			t.Errorf("duty %s has a name or a site that is wrong, or no text", d.ID)
		}
		seen[d.ID] = true
	}
}

// TestResults compares the duties in the tables of doc/testweb-results.md with those of the test,
// and the sums of kept, broken and not shown with their number.
func TestResults(t *testing.T) {
	data, err := os.ReadFile("../../../doc/testweb-results.md")
	fatal.If(t, err)
	var want []string
	for _, d := range duties {
		want = append(want, d.Level.String()+" | "+d.ID)
	}
	tables := strings.Split(string(data), "| level | duty |")[1:]
	if len(tables) != 2 {
		t.Fatalf("%d tables have duties, want 2", len(tables))
	}
	for i, table := range tables {
		var got []string
		for _, row := range regexp.MustCompile(`(?m)^\| ([a-z]+ \| [a-z-]+) \|`).FindAllStringSubmatch(table, -1) {
			got = append(got, row[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("table %d has the duties\n%q, want\n%q", i+1, got, want)
		}
	}
	rows := regexp.MustCompile(`\| (\d+), (\d+), (\d+)(?:; (\d+) differ)? \|`).FindAllStringSubmatch(string(data), -1)
	if len(rows) < 20 {
		t.Fatalf("%d robots have counts", len(rows))
	}
	for _, row := range rows {
		sum := 0
		for _, text := range row[1:] {
			n, _ := strconv.Atoi(text) // no text is 0
			sum += n
		}
		if sum != len(duties) {
			t.Errorf("%s counts %d duties, want %d", row[0], sum, len(duties))
		}
	}
}
