package proof

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Direction returns "opened" or "closed".
func (c Change) Direction() string {
	if c.Opened {
		return "opened"
	}
	return "closed"
}

// Main returns the main regions: it drops a region if the pattern of another
// one matches everything that its pattern matches.
func (c Change) Main() (regions []Region) {
	for i, r := range c.Regions {
		within := false
		for j, other := range c.Regions[:min(len(c.Regions), maxCompared)] {
			// If two patterns match the same paths, the first one stays.
			if j != i && covers(other.compiled, r.compiled) && (j < i || !covers(r.compiled, other.compiled)) {
				within = true
				break
			}
		}
		if !within {
			regions = append(regions, r)
		}
	}
	return regions
}

// maxCompared is the maximum number of regions that others are compared with.
const maxCompared = 500

// patterns returns the patterns of the main regions.
func (c Change) patterns() (patterns []string) {
	for _, r := range c.Main() {
		if p := r.pattern(); !slices.Contains(patterns[:min(len(patterns), maxCompared)], p) {
			patterns = append(patterns, p)
		}
	}
	return patterns
}

// String returns the change as a line, such as "GPTBot: closed: /archive/, for
// example /archive/a". It is safe for a terminal.
func (c Change) String() string {
	text := fmt.Sprintf("%s: %s: %s", strings.Join(c.Agents, ", "), c.Direction(), strings.Join(c.patterns(), ", "))
	if len(c.Regions) > 0 {
		text += ", for example " + c.Regions[0].Witness
	}
	return printable.Text(text)
}

// pattern returns the pattern of the rule, or "/" if robots.txt was or is unreachable.
// or is unreachable.
func (r Region) pattern() string {
	if r.Rule.Line == 0 {
		return "/"
	}
	return r.Rule.Pattern
}

// A changeJSON is the JSON form of a [Change]. "witness", "before" and "after" are those of its
// first region.
type changeJSON struct {
	Agents    []string     `json:"agents"`
	Followers []string     `json:"followers,omitempty"`
	Direction string       `json:"direction"`
	Patterns  []string     `json:"patterns"`
	Witness   string       `json:"witness"`
	Before    robots.Match `json:"before"`
	After     robots.Match `json:"after"`
	Regions   []regionJSON `json:"regions"`
}

// A regionJSON is the JSON form of a [Region].
type regionJSON struct {
	Pattern string       `json:"pattern"`
	Witness string       `json:"witness"`
	Before  robots.Match `json:"before"`
	After   robots.Match `json:"after"`
}

// A recordJSON is the JSON form of a [RecordChange]. "agents" is omitted if the record is for
// the whole file.
type recordJSON struct {
	Agents []string `json:"agents,omitempty"`
	Field  string   `json:"field"`
	Value  string   `json:"value"`
	Line   int      `json:"line"`
	Added  bool     `json:"added"`
}

func (c Change) json() changeJSON {
	o := changeJSON{Agents: c.Agents, Followers: c.Followers, Direction: c.Direction(), Patterns: c.patterns()}
	for _, r := range c.Regions {
		o.Regions = append(o.Regions, regionJSON{r.pattern(), r.Witness, r.Before, r.After})
	}
	if len(c.Regions) > 0 {
		r := c.Regions[0]
		o.Witness, o.Before, o.After = r.Witness, r.Before, r.After
	}
	return o
}

// MarshalJSON returns an object with "equal", "decided", "changes", "records", "agents" where the
// options named robots, and where something is undecided "undecided". A change has "agents",
// "direction", "patterns", "witness", "before", "after", its "regions", and where there are any
// "followers"; a record has "field", "value", "line", "added", and unless it holds for
// the whole file "agents".
func (d *Difference) MarshalJSON() ([]byte, error) {
	changes, records := []changeJSON{}, []recordJSON{}
	for _, c := range d.Changes {
		changes = append(changes, c.json())
	}
	for _, c := range d.Records {
		records = append(records, recordJSON{c.Agents, c.Record.Field, c.Record.Value, c.Record.Line, c.Added})
	}
	return json.Marshal(struct {
		Equal     bool         `json:"equal"`
		Decided   bool         `json:"decided"`
		Agents    []string     `json:"agents,omitempty"`
		Changes   []changeJSON `json:"changes"`
		Records   []recordJSON `json:"records"`
		Undecided []string     `json:"undecided,omitempty"`
	}{d.Equal(), len(d.Undecided) == 0, d.Agents, changes, records, d.Undecided})
}

// String returns the difference as lines of text. It is safe for a terminal.
func (d *Difference) String() string {
	var b strings.Builder
	for _, c := range d.Changes {
		fmt.Fprintln(&b, c)
	}
	for _, c := range d.Records {
		fmt.Fprintln(&b, c)
	}
	switch {
	case len(d.Undecided) > 0:
		fmt.Fprintf(&b, "undecided for %s\n", printable.Text(strings.Join(d.Undecided, ", ")))
	case len(d.Agents) > 0:
		if same := d.Same(); len(same) > 0 {
			fmt.Fprintf(&b, "no change for %s\n", printable.Text(strings.Join(same, ", ")))
		}
	case len(d.Changes) == 0:
		fmt.Fprintln(&b, "every robot gets the same answer for every path")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
