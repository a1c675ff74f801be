package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
)

// A recordList is the records beside the rules that apply to some robots.
type recordList struct {
	Groups []groupRecords `json:"groups"` // one for each robot
	File   []record       `json:"file"`   // those of the whole file, and of no group
	Bad    []badRecord    `json:"bad"`    // anywhere in the file
}

// groupRecords are the records of a robot's group.
type groupRecords struct {
	Agent   string   `json:"agent"`
	Group   string   `json:"group"` // the name that it goes by in the file, or "" if there is none
	Line    int      `json:"line,omitempty"`
	Records []record `json:"records"`
}

// A record has what its value means, if we know.
type record struct {
	robots.Record
	Means map[string]any `json:"means,omitempty"` // with members that depend on the field

	note string // the same for people
}

// A badRecord is a record whose value has not the form that its field asks for.
type badRecord struct {
	robots.Record
	Error string `json:"error"`
}

func recordsOf(p *robots.Policy, asked []robot) *recordList {
	list := &recordList{Groups: []groupRecords{}, File: []record{}, Bad: []badRecord{}}
	bad := make(map[int]bool)
	for _, e := range p.BadRecords() {
		list.Bad = append(list.Bad, badRecord{e.Record, e.Err.Error()})
		bad[e.Line] = true
	}
	known := fileMeanings(p)
	for number, line := range p.Lines() {
		r := robots.Record{Field: line.Field, Value: line.Value, Line: number}
		if line.Kind == robots.Other && !bad[number] && (line.Group < 0 || r.OfFile()) {
			list.File = append(list.File, known.record(r))
		}
	}
	for _, robot := range asked {
		g := robot.group(p)
		of := groupRecords{Agent: robot.name, Group: g.Token(), Line: g.Line(), Records: []record{}}
		known := groupMeanings(g)
		for _, r := range g.Records() {
			if !bad[r.Line] && !r.OfFile() {
				of.Records = append(of.Records, known.record(r))
			}
		}
		list.Groups = append(list.Groups, of)
	}
	return list
}

// meanings are those of records by the numbers of their lines.
type meanings map[int]record

// add adds the meaning of r.
func (m meanings) add(r robots.Record, means map[string]any, note string) {
	m[r.Line] = record{r, means, note}
}

// record returns r with its meaning, if it has one.
func (m meanings) record(r robots.Record) record {
	if known, ok := m[r.Line]; ok {
		return known
	}
	return record{Record: r}
}

func fileMeanings(p *robots.Policy) meanings {
	m := make(meanings)
	for _, s := range p.Sitemaps() {
		m.add(s.Record, map[string]any{"url": s.URL.String()}, "")
	}
	for _, c := range p.CleanParams() {
		where := c.Path
		if where == "" {
			where = "any path"
		}
		m.add(c.Record, map[string]any{"params": c.Params, "path": c.Path},
			strings.Join(c.Params, ", ")+" changes nothing under "+where)
	}
	for _, h := range p.Hosts() {
		m.add(h.Record, map[string]any{"host": h.Host}, "the main mirror")
	}
	for _, l := range p.Licenses() {
		m.add(l.Record, map[string]any{"url": l.URI.String()}, "for groups without their own")
	}
	return m
}

func groupMeanings(g *robots.Group) meanings {
	m := make(meanings)
	if d, ok := g.CrawlDelay(); ok {
		m.add(d.Record, map[string]any{"seconds": d.Delay.Seconds()}, fmt.Sprintf("wait %v between requests", d.Delay))
		for _, r := range g.Records("crawl-delay") {
			if r.Line != d.Line {
				m.add(r, nil, fmt.Sprintf("line %d asks for no less", d.Line))
			}
		}
	}
	for _, r := range g.RequestRates() {
		means := map[string]any{"documents": r.Documents, "seconds": r.Period.Seconds()}
		note := fmt.Sprintf("a request every %v", r.Delay())
		if r.Window != nil {
			note += ", " + addWindow(means, *r.Window)
		}
		m.add(r.Record, means, note)
	}
	for _, v := range g.VisitTimes() {
		means := make(map[string]any)
		m.add(v.Record, means, "visit "+addWindow(means, v.Window))
	}
	for _, u := range g.ContentUsages() {
		m.add(u.Record, map[string]any{"path": u.Path, "preferences": u.Preferences},
			preferences(u.Preferences)+" under "+u.Path)
	}
	for _, s := range g.ContentSignals() {
		said := map[string]robots.Preference{}
		means := make(map[string]any)
		for name, p := range map[string]robots.Preference{"search": s.Search, "ai-input": s.AIInput, "ai-train": s.AITrain} {
			if p != robots.Unknown {
				said[name], means[name] = p, p
			}
		}
		note := preferences(said)
		if s.Use != "" {
			means["use"] = s.Use
			note = strings.TrimPrefix(note+", "+s.Use+" use", ", ")
		}
		m.add(s.Record, means, note)
	}
	for _, l := range g.Licenses() {
		m.add(l.Record, map[string]any{"url": l.URI.String()}, "")
	}
	return m
}

// addWindow adds a part of the day and returns it for people.
func addWindow(means map[string]any, w robots.Window) string {
	clock := func(d time.Duration) string {
		return fmt.Sprintf("%02d:%02d", int(d.Hours()), int(d.Minutes())%60)
	}
	means["from"], means["to"] = clock(w.From), clock(w.To)
	return fmt.Sprintf("from %s to %s UTC", clock(w.From), clock(w.To))
}

// preferences returns what is permitted and refused, in the order of names.
func preferences(said map[string]robots.Preference) string {
	var names []string
	for name, p := range said {
		switch p {
		case robots.Permitted:
			name += " permitted"
		case robots.Refused:
			name += " refused"
		default:
			name += " unknown"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// write writes the list for people.
func (l *recordList) write(t *table) error {
	for _, g := range l.Groups {
		title := "no group is for " + shown(g.Agent)
		if g.Group != "" {
			title = fmt.Sprintf("records for %s in group %s of line %d", shown(g.Agent), shown(g.Group), g.Line)
			if len(g.Records) == 0 {
				title += ": none"
			}
		}
		if err := writeRecords(t, title, g.Records); err != nil {
			return err
		}
	}
	if len(l.File) > 0 {
		if err := writeRecords(t, "records of the file", l.File); err != nil {
			return err
		}
	}
	if len(l.Bad) > 0 {
		var bad []record
		for _, b := range l.Bad {
			bad = append(bad, record{Record: b.Record, note: b.Error})
		}
		return writeRecords(t, "records with a value that says nothing", bad)
	}
	return nil
}

func writeRecords(t *table, title string, records []record) error {
	if _, err := fmt.Fprintln(t.w, title); err != nil {
		return err
	}
	for _, r := range records {
		cells := []cell{{text: fmt.Sprintf("    line %d", r.Line)}, {text: r.Record.String()}}
		if r.note != "" {
			cells = append(cells, cell{text: shown(r.note)})
		}
		if err := t.add(cells); err != nil {
			return err
		}
	}
	return t.flush()
}
