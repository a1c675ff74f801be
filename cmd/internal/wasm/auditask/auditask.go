// Package auditask answers the questions of the web page about access logs: [Questions] goes to
// [engine.New]. The audit is that of robots audit, with its defaults and one robots.txt for all
// times.
//
// An audit is one question, which reads the logs to their ends; the next questions ask for its
// report, in several forms.
package auditask

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditsites"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// maxLogs is the maximum number of logs of an audit.
const maxLogs = 10_000

// Questions returns the questions about logs. The function opens a log by its place in the
// question; a log is read once, to its end.
func Questions(open func(log int) io.Reader) []engine.Question {
	d := &desk{open: open}
	return []engine.Question{
		{Name: "audit-formats", Answer: question(d.formats)},
		{Name: "audit", Answer: question(d.audit)},
		{Name: "audit-view", Answer: question(d.view)},
		{Name: "audit-save", Answer: question(d.save)},
	}
}

// A desk has the last audit.
type desk struct {
	open  func(log int) io.Reader
	part  *audit.Part // nil before the first audit
	notes *auditreport.Notes
}

func wrong(format string, args ...any) error {
	return &engine.Error{Code: engine.BadValue, Message: fmt.Sprintf(format, args...)}
}

// question returns the Answer of a question whose object has the members of Q.
func question[Q any](answer func(Q) ([]byte, error)) func(*engine.Engine, []byte) ([]byte, error) {
	return func(_ *engine.Engine, object []byte) ([]byte, error) {
		var q Q
		decoder := json.NewDecoder(bytes.NewReader(object))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&q); err != nil {
			return nil, wrong("the question is not the object that is read: %s", printable.Clipped(err.Error(), 200))
		}
		return answer(q)
	}
}

// give returns an answer as JSON.
func give(answer any) ([]byte, error) { return printable.JSON(printable.AppendJSON(nil, answer)), nil }

// formats answers audit-formats: the names of the formats of logs.
func (d *desk) formats(struct{}) ([]byte, error) {
	var names []string
	for _, f := range accesslog.Formats() {
		names = append(names, f.String())
	}
	return give(names)
}

// An auditQuestion asks for an audit.
type auditQuestion struct {
	Robots string   `json:"robots"` // the text of robots.txt
	Logs   []string `json:"logs"`   // the names of the logs
	Format string   `json:"format"` // a name or a text, as of --format, or ""
	Site   string   `json:"site"`   // as of --site, or ""
}

// An auditAnswer says how an audit went.
type auditAnswer struct {
	Requests int64    `json:"requests"`
	Failures []string `json:"failures"` // of logs that could not be read to their ends; the report has all before
}

// audit answers audit.
func (d *desk) audit(q auditQuestion) ([]byte, error) {
	if len(q.Logs) == 0 || len(q.Logs) > maxLogs {
		return nil, wrong("there are %d logs: name 1 to %d", len(q.Logs), maxLogs)
	}
	var reader accesslog.Reader
	if q.Format != "" {
		f, err := accesslog.ParseFormat(q.Format)
		if err != nil {
			return nil, wrong("%s", printable.Clipped(err.Error(), 400))
		}
		reader.Formats = []*accesslog.Format{f}
	}
	sites, err := auditsites.OfText("robots.txt", []byte(q.Robots), q.Site)
	if err != nil {
		return nil, wrong("%s", printable.Clipped(err.Error(), 400))
	}
	unreadable := new(auditreport.UnreadableLines)
	by, err := audit.New(audit.Options{Sites: sites.Versions, Host: sites.Host, Unreadable: unreadable.Add})
	if err != nil {
		return nil, wrong("%s", printable.Clipped(err.Error(), 400))
	}
	d.part, d.notes = nil, nil // their memory is free for the next audit
	var (
		all      *audit.Part
		logs     []accesslog.Log
		failures []string
	)
	for i, name := range q.Logs {
		scan := reader.From(name, d.open(i))
		part, err := by.Read(scan, 1)
		if err != nil {
			failures = append(failures, printable.Clipped(err.Error(), 400))
		}
		logs = append(logs, scan.Logs()...)
		if all == nil {
			all = part
		} else if err := all.Join(part); err != nil {
			return nil, err
		}
	}
	d.part = all
	d.notes = &auditreport.Notes{
		Sources: []string{"--robots robots.txt"}, Sites: sites.Notes, Formats: auditreport.Formats(logs),
		Unreadable: unreadable.First(),
	}
	return give(auditAnswer{all.Report().Requests, failures})
}

// A reportQuestion asks for the report of the last audit.
type reportQuestion struct {
	Language string `json:"language"`
	Hide     bool   `json:"hide"`  // addresses, as --anonymize cut does
	Form     string `json:"form"`  // for audit-save: json, csv, html or letter
	Robot    int    `json:"robot"` // for a letter: the place of the robot in the report
}

var errNoAudit = errors.New("there is no audit: choose a log")

// report returns the report of the last audit as a question wants it, with the notes in a language.
func (d *desk) report(q reportQuestion, l language.Language) (*audit.Report, *auditreport.Hider, error) {
	if d.part == nil {
		return nil, nil, wrong("%v", errNoAudit)
	}
	how := ""
	if q.Hide {
		how = "cut"
	}
	hider := auditreport.NewHider(how)
	r := d.part.Report()
	auditreport.Anonymize(r, hider)
	r.Notes = d.notes.In(l, r, hider)
	return r, hider, nil
}

// view answers audit-view with the report as texts.
func (d *desk) view(q reportQuestion) ([]byte, error) {
	l := language.Parse(q.Language)
	r, _, err := d.report(q, l)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = auditreport.WriteView(&b, r, l)
	return b.Bytes(), err
}

// A savedAnswer is a file.
type savedAnswer struct {
	Text string `json:"text"`
}

// save answers audit-save with the text of a file, as robots audit writes it.
func (d *desk) save(q reportQuestion) ([]byte, error) {
	l := language.Parse(q.Language)
	if q.Form == "json" {
		l = language.English
	}
	r, hider, err := d.report(q, l)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	switch q.Form {
	case "json":
		b.Write(printable.JSON(append(printable.AppendJSON(nil, r), '\n')))
	case "csv":
		err = auditreport.WriteCSV(&b, r)
	case "html":
		err = auditreport.WriteHTML(&b, r, l)
	case "letter":
		if q.Robot < 0 || q.Robot >= len(r.Robots) {
			return nil, wrong("the report has no robot %d", q.Robot)
		}
		err = letter(r, &r.Robots[q.Robot], d.notes.Sources, hider, l).Write(&b)
	default:
		return nil, wrong("%s is not a form of a report: name json, csv, html or letter", printable.Quoted(q.Form, 40))
	}
	if err != nil {
		return nil, err
	}
	return give(savedAnswer{b.String()})
}

// letter returns the letter to the operator of a robot, as that of --incident.
func letter(r *audit.Report, robot *audit.Robot, sources []string, hider *auditreport.Hider,
	l language.Language) *auditreport.Letter {
	known := (*agent.Table)(nil).Named(robot.Token)
	t := &auditreport.Letter{
		Language: l, Report: r, Robot: robot, Docs: known.Docs(), Sources: sources,
		DelayIsRate: known.CrawlDelay() == agent.DelayRate,
	}
	if hider != nil {
		t.Notes = []string{hider.Note(l)}
	}
	return t
}
