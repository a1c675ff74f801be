package say

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Records are the records other than rules that apply to some robots, such as Crawl-delay and
// Sitemap.
type Records struct {
	Groups []groupRecords `json:"groups"` // one for each robot
	File   []record       `json:"file"`   // records of the whole file, outside any group
	Bad    []badRecord    `json:"bad"`    // from the whole file
}

// groupRecords are the records of a robot's group.
type groupRecords struct {
	Agent   string   `json:"agent"`
	Group   string   `json:"group"` // the robot's name in the file, or "" if there is no group
	Line    int      `json:"line,omitempty"`
	Records []record `json:"records"`
}

// A record has the meaning of its value, if it is known.
type record struct {
	robots.Record
	Means map[string]any `json:"means,omitempty"` // the members depend on the field

	note string // the meaning, for people
}

// A badRecord is a record with a value that its field does not allow.
type badRecord struct {
	robots.Record
	Error string `json:"error"`
}

// RecordsOf returns the records of a policy for robots, with their meanings in a language.
func RecordsOf(p *robots.Policy, asked []agent.Subject, l language.Language) *Records {
	list := &Records{Groups: []groupRecords{}, File: []record{}, Bad: []badRecord{}}
	bad := make(map[int]bool)
	for _, e := range p.BadRecords() {
		list.Bad = append(list.Bad, badRecord{e.Record, e.Err.Error()})
		bad[e.Line] = true
	}
	known := fileMeanings(p, l)
	for number, line := range p.Lines() {
		r := robots.Record{Field: line.Field, Value: line.Value, Line: number}
		if line.Kind == robots.Other && !bad[number] && (line.Group < 0 || r.OfFile()) {
			list.File = append(list.File, known.record(r))
		}
	}
	for _, robot := range asked {
		g := robot.Group(p)
		of := groupRecords{Agent: robot.Name, Group: g.Token(), Line: g.Line(), Records: []record{}}
		known := groupMeanings(g, l)
		for _, r := range g.Records() {
			if !bad[r.Line] && !r.OfFile() {
				of.Records = append(of.Records, known.record(r))
			}
		}
		list.Groups = append(list.Groups, of)
	}
	return list
}

// meanings maps the line numbers of records to their meanings.
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

func fileMeanings(p *robots.Policy, l language.Language) meanings {
	m := make(meanings)
	for _, s := range p.Sitemaps() {
		m.add(s.Record, map[string]any{"url": s.URL.String()}, "")
	}
	for _, c := range p.CleanParams() {
		where := c.Path
		if where == "" {
			where = textAnyPath.In(l)
		}
		m.add(c.Record, map[string]any{"params": c.Params, "path": c.Path},
			textChangesNothing.In(l, strings.Join(c.Params, ", "), where))
	}
	for _, h := range p.Hosts() {
		m.add(h.Record, map[string]any{"host": h.Host}, textMainMirror.In(l))
	}
	for _, of := range p.Licenses() {
		m.add(of.Record, map[string]any{"url": of.URI.String()}, textWithoutOwn.In(l))
	}
	return m
}

func groupMeanings(g *robots.Group, l language.Language) meanings {
	m := make(meanings)
	if d, ok := g.CrawlDelay(); ok {
		m.add(d.Record, map[string]any{"seconds": d.Delay.Seconds()}, textWait.In(l, d.Delay.String()))
		for _, r := range g.Records("crawl-delay") {
			if r.Line != d.Line {
				m.add(r, nil, textNoLess.In(l, d.Line))
			}
		}
	}
	for _, r := range g.RequestRates() {
		means := map[string]any{"documents": r.Documents, "seconds": r.Period.Seconds()}
		note := textRequestEvery.In(l, r.Delay().String())
		if r.Window != nil {
			note += ", " + addWindow(l, means, *r.Window)
		}
		m.add(r.Record, means, note)
	}
	for _, v := range g.VisitTimes() {
		means := make(map[string]any)
		m.add(v.Record, means, textVisit.In(l, addWindow(l, means, v.Window)))
	}
	for _, u := range g.ContentUsages() {
		m.add(u.Record, map[string]any{"path": u.Path, "preferences": u.Preferences},
			textUnder.In(l, preferences(l, u.Preferences), u.Path))
	}
	for _, s := range g.ContentSignals() {
		said := map[string]robots.Preference{}
		means := make(map[string]any)
		for name, p := range map[string]robots.Preference{"search": s.Search, "ai-input": s.AIInput,
			"ai-train": s.AITrain} {
			if p != robots.Unknown {
				said[name], means[name] = p, p
			}
		}
		note := preferences(l, said)
		if s.Use != "" {
			means["use"] = s.Use
			note = strings.TrimPrefix(note+", "+textUse.In(l, s.Use), ", ")
		}
		m.add(s.Record, means, note)
	}
	for _, of := range g.Licenses() {
		m.add(of.Record, map[string]any{"url": of.URI.String()}, "")
	}
	return m
}

// addWindow adds a part of the day to means, and returns it as text for people.
func addWindow(l language.Language, means map[string]any, w robots.Window) string {
	clock := func(d time.Duration) string {
		return fmt.Sprintf("%02d:%02d", int(d.Hours()), int(d.Minutes())%60)
	}
	means["from"], means["to"] = clock(w.From), clock(w.To)
	return textFromTo.In(l, clock(w.From), clock(w.To))
}

// preferences lists the permitted and the refused uses, sorted by name.
func preferences(l language.Language, said map[string]robots.Preference) string {
	var names []string
	for name, p := range said {
		switch p {
		case robots.Permitted:
			name += " " + textPermitted.In(l)
		case robots.Refused:
			name += " " + textRefused.In(l)
		default:
			name += " " + textUnknown.In(l)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// Write writes the list for people.
func (list *Records) Write(t *columns.Table, l language.Language) error {
	for _, g := range list.Groups {
		title := textNoGroupFor.In(l, printable.Shown(g.Agent))
		if g.Group != "" {
			title = textRecordsFor.In(l, printable.Shown(g.Agent), printable.Shown(g.Group), g.Line)
			if len(g.Records) == 0 {
				title += ": " + textNone.In(l)
			}
		}
		if err := writeRecords(t, l, title, g.Records); err != nil {
			return err
		}
	}
	if len(list.File) > 0 {
		if err := writeRecords(t, l, textFileRecords.In(l), list.File); err != nil {
			return err
		}
	}
	if len(list.Bad) > 0 {
		var bad []record
		for _, b := range list.Bad {
			bad = append(bad, record{Record: b.Record, note: b.Error})
		}
		return writeRecords(t, l, textBadRecords.In(l), bad)
	}
	return nil
}

func writeRecords(t *columns.Table, l language.Language, title string, records []record) error {
	if _, err := fmt.Fprintln(t.W, title); err != nil {
		return err
	}
	for _, r := range records {
		cells := []columns.Cell{columns.Text("    " + Line(l, r.Line)), columns.Text(r.Record.String())}
		if r.note != "" {
			cells = append(cells, columns.Text(printable.Shown(r.note)))
		}
		if err := t.Add(cells); err != nil {
			return err
		}
	}
	return t.Flush()
}
