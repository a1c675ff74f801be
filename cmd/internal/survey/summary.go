package survey

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Summary is the result of a survey.
type Summary struct {
	Origins   int            `json:"origins"`
	Before    int            `json:"before,omitempty"` // of all, those already in the results file
	Errors    int            `json:"errors"`
	States    map[string]int `json:"states"`
	Statuses  map[string]int `json:"statuses"`  // by status, and "none"
	NotEmpty  int            `json:"not_empty"` // sites with a robots.txt that is neither empty nor a page of HTML
	WithRules int            `json:"with_rules"`
	Sizes     *sizes         `json:"bytes,omitempty"`
	Named     []agentCount   `json:"named"` // the robots named most often
}

// sizes has statistics of the sizes of texts, in bytes.
type sizes struct {
	Median  int `json:"median"`
	Most    int `json:"ninety_percent"` // nine of ten are at most this large
	Largest int `json:"largest"`
}

type agentCount struct {
	Agent string `json:"agent"`
	Files int    `json:"files"`
}

// Summary returns the totals of the origins added so far.
func (s *Survey) Summary() *Summary {
	sum := &Summary{Origins: s.total, Before: s.before, Errors: s.failed, States: s.states, NotEmpty: s.full,
		WithRules: s.ruled, Statuses: make(map[string]int), Named: []agentCount{}}
	for status, n := range s.statuses {
		name := "none"
		if status > 0 {
			name = fmt.Sprint(status)
		}
		sum.Statuses[name] = n
	}
	if n := len(s.sizes); n > 0 {
		slices.Sort(s.sizes)
		sum.Sizes = &sizes{s.sizes[n/2], s.sizes[(n*9-1)/10], s.sizes[n-1]}
	}
	for name, n := range s.names {
		sum.Named = append(sum.Named, agentCount{name, n})
	}
	slices.SortFunc(sum.Named, func(a, b agentCount) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Agent, b.Agent))
	})
	sum.Named = sum.Named[:min(len(sum.Named), 20)]
	return sum
}

// Write writes the summary for people.
func (sum *Summary) Write(w io.Writer) error {
	var b strings.Builder
	line := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%-12s %s\n", title, text)
		}
	}
	b.WriteString(language.Count(sum.Origins, "origin"))
	if sum.Before > 0 {
		fmt.Fprintf(&b, ", %d of them from before", sum.Before)
	}
	b.WriteByte('\n')
	states := counts(sum.States)
	if sum.Errors > 0 {
		states = append(states, fmt.Sprintf("not asked: %d", sum.Errors))
	}
	line("state", strings.Join(states, " · "))
	line("status", strings.Join(counts(sum.Statuses), " · "))
	if asked := sum.Origins - sum.Errors; asked > 0 {
		n := sum.Statuses["200"]
		line("answered 200", fmt.Sprintf("%d, %d %% of those asked", n, n*100/asked))
		line("not empty", fmt.Sprintf("%d, %d %% of all origins; a page of HTML is none", sum.NotEmpty,
			sum.NotEmpty*100/sum.Origins))
	}
	if ok := sum.States[string(fetch.OK)]; ok > 0 {
		line("with rules", fmt.Sprintf("%d, %d %% of those with a file", sum.WithRules, sum.WithRules*100/ok))
	}
	if o := sum.Sizes; o != nil {
		line("bytes", fmt.Sprintf("median %d · nine of ten up to %d · largest %d", o.Median, o.Most, o.Largest))
	}
	var most []string
	for _, n := range sum.Named[:min(len(sum.Named), 10)] {
		most = append(most, fmt.Sprintf("%s: %d", printable.Clipped(n.Agent, 60), n.Files))
	}
	line("most named", strings.Join(most, " · "))
	_, err := io.WriteString(w, b.String())
	return err
}

// counts returns "NAME: NUMBER" for each name, in descending order of the numbers.
func counts(numbers map[string]int) (texts []string) {
	names := slices.SortedFunc(maps.Keys(numbers), func(a, b string) int {
		return cmp.Or(cmp.Compare(numbers[b], numbers[a]), cmp.Compare(a, b))
	})
	for _, name := range names {
		texts = append(texts, fmt.Sprintf("%s: %d", name, numbers[name]))
	}
	return texts
}
