package proof

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A RecordChange is a record other than a rule that is in one file only.
type RecordChange struct {
	Agents []string // whose groups have it; nil if it holds for the whole file
	Record robots.Record
	Added  bool // it stands in the new file; else in the old one
}

// String returns the change as a line, such as "+ Crawl-delay: 5 (for *)".
func (c RecordChange) String() string {
	text := "- "
	if c.Added {
		text = "+ "
	}
	text += c.Record.String()
	if len(c.Agents) > 0 {
		text += " (for " + printable.Text(strings.Join(c.Agents, ", ")) + ")"
	}
	return text
}

// compareFile adds the changed records of the whole file.
func (d *Difference) compareFile(before, after *robots.Policy) {
	d.compareRecords(nil, fileRecords(before), fileRecords(after))
}

// compareRecords adds the changed records for some robots, or for the whole file if agents is
// nil.
func (d *Difference) compareRecords(agents []string, before, after []robots.Record) {
	missing := func(from, in []robots.Record, added bool) {
		has := make(map[string]int)
		for _, r := range in {
			has[recordKey(r)]++
		}
		for _, r := range from {
			if has[recordKey(r)]--; has[recordKey(r)] < 0 {
				d.addRecord(RecordChange{slices.Clone(agents), r, added})
			}
		}
	}
	missing(before, after, false)
	missing(after, before, true)
}

// addRecord adds a change, or adds robots to an equal one.
func (d *Difference) addRecord(c RecordChange) {
	key := recordID{c.Record, c.Added, len(c.Agents) > 0}
	if i, ok := d.recordAt[key]; ok && len(c.Agents) > 0 {
		d.Records[i].Agents = append(d.Records[i].Agents, c.Agents...)
		return
	}
	if d.recordAt == nil {
		d.recordAt = make(map[recordID]int)
	}
	d.recordAt[key] = len(d.Records)
	d.Records = append(d.Records, c)
}

// A recordID identifies a change of a record.
type recordID struct {
	record         robots.Record
	added, ofGroup bool
}

func recordKey(r robots.Record) string { return strings.ToLower(r.Field) + ":" + r.Value }

func fileRecords(p *robots.Policy) (records []robots.Record) {
	for number, line := range p.Lines() {
		r := robots.Record{Field: line.Field, Value: line.Value, Line: number}
		if line.Kind == robots.Other && (line.Group < 0 || r.OfFile()) {
			records = append(records, r)
		}
	}
	return records
}

func groupRecords(g *robots.Group) (records []robots.Record) {
	for _, r := range g.Records() {
		if !r.OfFile() {
			records = append(records, r)
		}
	}
	return records
}
