package auditreport

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// maxRows is the maximum number of robots, and of rules for each robot, in a view. The view says if
// rows are missing.
const maxRows = 1000

// A view is a report as texts in a language, for pages: that of [WriteHTML], and that in which the
// report is shown. All texts are printable. The names of its members in JSON are those that
// server/web/frontend reads.
type view struct {
	Language      string            `json:"language"`
	Verdict       string            `json:"verdict"`
	Doubt         string            `json:"doubt"`   // why the robots.txt may be another one, or ""
	Bad           bool              `json:"bad"`     // a robot certainly did not obey
	Nothing       unjudged          `json:"nothing"` // why nothing was judged, or ""
	Facts         []string          `json:"facts"`
	Picture       picture           `json:"picture"`
	Titles        []pageTitle       `json:"titles"`
	Robots        []pageRobot       `json:"robots"`
	More          string            `json:"more"`
	Paths         [][]pageCell      `json:"paths"` // the rules that robots did not obey, with sums
	MorePaths     string            `json:"more_paths"`
	Worst         []pageCase        `json:"worst"`
	Suspects      []pageSuspect     `json:"suspects"`
	MoreSuspects  string            `json:"more_suspects"`
	Peaks         [][]pageCell      `json:"peaks"`
	Reasons       [][]pageCell      `json:"reasons"`
	Hosts         [][]pageCell      `json:"hosts"`
	Versions      [][]pageCell      `json:"versions"`
	Notes         []string          `json:"notes"`
	Text          map[string]string `json:"text"`
	HostTitles    []pageTitle       `json:"host_titles"`
	VersionTitles []pageTitle       `json:"version_titles"`
	PeakTitles    []pageTitle       `json:"peak_titles"`
	PathTitles    []pageTitle       `json:"path_titles"`
}

type pageTitle struct {
	Text   string `json:"text"`
	Number bool   `json:"number"` // sorted as numbers
	Side   bool   `json:"side"`   // left out on a narrow screen
}

// robotTitles are the columns of the table of robots, and sideTitles those that a narrow screen has
// no room for.
var (
	robotTitles = []language.Text{textRobot, textOperator, textRequests, textCertain, textInformed, textGrace,
		textForgery, textIdentity, textPacing}
	sideTitles = []language.Text{textOperator, textInformed, textGrace, textForgery, textIdentity, textPacing}
)

// A pageRobot is the row of a robot, and what opens below it: facts, and either cases or the reason
// why there are none.
type pageRobot struct {
	ID     string     `json:"id"` // of what opens: a link to it opens it
	Name   string     `json:"name"`
	Bad    bool       `json:"bad"`
	Cells  []pageCell `json:"cells"`
	Opener string     `json:"opener"` // opens what is below
	Facts  []pageFact `json:"facts"`
	Cases  []pageCase `json:"cases"`
	None   string     `json:"none"`
	More   string     `json:"more"`
}

// A pageCell is a cell of a table: its text, and its value for sorting.
type pageCell struct {
	Text   string `json:"text"`
	Sort   string `json:"-"`
	Number bool   `json:"number"`
	Class  string `json:"class"`
	Opens  bool   `json:"-"` // a link opens what is below the row
}

// A pageFact is a fact about a robot. A fact that has a column is shown only where the column does
// not fit.
type pageFact struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Side bool   `json:"side"`
}

// A pageCase is a rule that a robot did not obey, and a line of a log as evidence.
type pageCase struct {
	Robot   string `json:"robot"` // for the worst cases of all robots
	Head    string `json:"head"`
	Version string `json:"version"`
	Place   string `json:"place"`
	Line    string `json:"line"`
}

// WriteView writes a report as a JSON object of texts in a language, for a page that shows it
// without code or styles in the document. It has what [WriteHTML] has, and the worst cases of all
// robots.
func WriteView(w io.Writer, r *audit.Report, l language.Language) error {
	_, err := w.Write(printable.JSON(printable.AppendJSON(nil, viewOf(r, l))))
	return err
}

// viewOf returns the view of a report.
func viewOf(r *audit.Report, l language.Language) view {
	b := pageBuilder{l}
	p := view{
		Language: l.String(), Nothing: nothingJudged(r),
		Facts: b.facts(r), Picture: pictureOf(l, r), Hosts: b.hosts(r.Hosts), Versions: b.versions(r.Versions),
		Peaks: b.peaks(r.Peaks),
		Text: map[string]string{
			"title": textTitle.In(l), "robots": textRobots.In(l), "meaning": textMeaning.In(l),
			"unjudged": textUnjudged.In(l),
			"hosts":    textHosts.In(l), "versions": textVersions.In(l), "notes": textNotes.In(l),
			"picture": textWho.In(l), "request": textRequests.In(l), "reason": textReason.In(l),
			"worst":    textWorstCases.In(l),
			"suspects": textSuspects.In(l), "suspicion": textSuspicion.In(l), "peaks": textPeaks.In(l),
			"peaksMean": textPeaksMean.In(l), "paths": textByPath.In(l),
		},
		HostTitles:    b.titles(textHost, textRequests, textJudged),
		VersionTitles: b.titles(textHost, textVersion, textState, textInForce),
		PeakTitles:    b.titles(peakTitles...),
		PathTitles:    b.titles(textRule, textRobots, textCertain, textInformed, textGrace),
	}
	p.Verdict, p.Bad = verdict(l, r)
	p.Verdict = capital(p.Verdict)
	p.Doubt = doubt(l, r)
	for _, title := range robotTitles {
		number := title != textRobot && title != textOperator && title != textIdentity
		p.Titles = append(p.Titles, pageTitle{title.In(l), number, slices.Contains(sideTitles, title)})
	}
	for i := range r.Robots[:min(maxRows, len(r.Robots))] {
		robot := b.robot(&r.Robots[i])
		robot.ID = fmt.Sprintf("robot-%d", i+1)
		p.Robots = append(p.Robots, robot)
	}
	if n := len(r.Robots) - maxRows; n > 0 {
		p.More = textOtherBots.In(l, n)
	}
	cases := worstCases(r)
	p.Paths, p.MorePaths = b.paths(cases)
	for _, c := range cases[:min(mostCases, len(cases))] {
		worst := b.worstCase(c.rule)
		worst.Robot = robotName(l, c.robot, 200)
		p.Worst = append(p.Worst, worst)
	}
	p.Suspects, p.MoreSuspects = b.suspects(r.Suspects)
	for _, x := range reasons(l, r) {
		p.Reasons = append(p.Reasons, []pageCell{b.number(x.requests), {Text: x.text}})
	}
	for _, note := range allNotes(l, r) {
		p.Notes = append(p.Notes, printable.Text(note))
	}
	return p
}

// capital returns a sentence that begins with a capital letter.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// A pageBuilder makes the parts of a page in a language.
type pageBuilder struct{ language.Language }

// facts says how much was read.
func (b pageBuilder) facts(r *audit.Report) (facts []string) {
	if r.Proxied > 0 {
		facts = append(facts, textBehindProxy.In(b.Language))
	}
	if r.Requests > 0 {
		facts = append(facts, textRequestsRead.In(b.Language, language.Grouped(r.Requests), period(r.First, r.Last)))
	}
	if r.Unreadable > 0 {
		facts = append(facts, textUnreadable.In(b.Language, language.Grouped(r.Unreadable),
			number(b.Language, r.Lines)))
	}
	return facts
}

// titles returns the column titles of a table that does not list robots.
func (b pageBuilder) titles(texts ...language.Text) (titles []pageTitle) {
	for _, text := range texts {
		titles = append(titles, pageTitle{Text: text.In(b.Language), Number: slices.Contains(numberTitles, text)})
	}
	return titles
}

func (b pageBuilder) number(n int64) pageCell {
	return pageCell{Text: number(b.Language, n), Sort: strconv.FormatInt(n, 10), Number: true}
}

// robot returns the row of a robot, and what opens from its numbers.
func (b pageBuilder) robot(r *audit.Robot) pageRobot {
	l := b.Language
	out := pageRobot{Name: robotName(l, r, 200), Bad: r.Violations.Certain > 0}
	violations := func(n int64, class, always string) pageCell {
		if !isJudged(r) {
			return pageCell{Text: "–", Sort: "-1", Number: true, Class: always}
		}
		cell := b.number(n)
		cell.Class = always
		if n > 0 {
			cell.Class, cell.Opens = strings.TrimSpace(class+" "+always), true
		}
		return cell
	}
	median := "-1"
	if r.Pace.Median != nil {
		median = csvSeconds(r.Pace.Median)
	}
	requests := b.number(r.Requests)
	requests.Opens = true
	forged := b.number(r.Forged.Requests)
	forged.Class = "side"
	out.Cells = []pageCell{
		{Text: printable.Text(r.Operator), Class: "side"},
		requests,
		violations(r.Violations.Certain, "bad", ""),
		violations(r.Violations.Informed, "doubt", "side"),
		violations(r.Violations.Grace, "", "side"),
		forged,
		{Text: identity(l, r), Class: "side"},
		{Text: pace(l, r.Pace), Sort: median, Number: true, Class: "side"},
	}
	for _, title := range sideTitles {
		cell := out.Cells[slices.Index(robotTitles, title)-1]
		out.Facts = append(out.Facts, pageFact{title.In(l), cell.Text, true})
	}
	out.Facts = append(out.Facts,
		pageFact{textPurposes.In(l), printable.Text(strings.Join(r.Purposes, ", ")), false},
		pageFact{textObeys.In(l), printable.Text(r.Obeys), false},
		pageFact{textPeriod.In(l), period(r.First, r.Last), false},
		pageFact{textAddresses.In(l), addresses(l, r.Clients), false},
		pageFact{textBytes.In(l), number(l, r.Bytes), false},
		pageFact{textReads.In(l), reads(l, r), false},
		pageFact{textRefused.In(l), number(l, r.Refused), false},
		pageFact{textStatuses.In(l), statuses(l, r.Statuses), false},
	)
	if text := beside(l, &r.Violations); text != "" {
		out.Facts = append(out.Facts, pageFact{textBeside.In(l), text, false})
	}
	rules := r.Violations.Rules
	out.Opener = fmt.Sprintf("%s (%d)", textEvidence.In(l), len(rules))
	if len(rules) == 0 {
		out.Opener, out.None = textDetails.In(l), noCases(l, r)
	}
	for i := range rules[:min(maxRows, len(rules))] {
		out.Cases = append(out.Cases, b.worstCase(&rules[i]))
	}
	if n := len(rules) - maxRows; n > 0 {
		out.More = textMoreRules.In(l, n)
	}
	return out
}

// noCases says why no rule is held against a robot.
func noCases(l language.Language, r *audit.Robot) string {
	switch {
	case r.Kind == "program":
		return textNotJudged.In(l)
	case !isJudged(r):
		return textNoneJudged.In(l)
	}
	return textNoCases.In(l)
}

func (b pageBuilder) worstCase(r *audit.Rule) pageCase {
	l := b.Language
	return pageCase{
		Head:    caseHead(l, r),
		Version: caseVersion(l, r),
		Place:   place(r.Example),
		Line:    printable.Text(r.Example.Text),
	}
}

func (b pageBuilder) hosts(hosts []audit.Host) (rows [][]pageCell) {
	for _, h := range hosts[:min(maxRows, len(hosts))] {
		judged := textNo
		if h.Judged {
			judged = textYes
		}
		rows = append(rows, []pageCell{{Text: hostName(b.Language, h.Name)}, b.number(h.Requests),
			{Text: judged.In(b.Language)}})
	}
	return rows
}

func (b pageBuilder) versions(versions []audit.InForce) (rows [][]pageCell) {
	for _, v := range versions[:min(maxRows, len(versions))] {
		when := inForce(v)
		if v.Late {
			when += " (" + textLate.In(b.Language) + ")"
		}
		rows = append(rows, []pageCell{{Text: hostName(b.Language, v.Host)}, {Text: printable.Shown(v.ID)},
			{Text: stateText(v.State).In(b.Language)}, {Text: when}})
	}
	return rows
}

func stateText(s audit.State) language.Text {
	switch s {
	case audit.Served:
		return textServed
	case audit.Nothing:
		return textNothing
	}
	return textUnknown
}

// statuses returns the numbers of answers by the class of their status.
func statuses(l language.Language, s audit.Statuses) string {
	var parts []string
	for _, x := range []struct {
		name string
		n    int64
	}{{"1xx", s.Informational}, {"2xx", s.Successful}, {"3xx", s.Redirected}, {"4xx", s.ClientError},
		{"5xx", s.ServerError}, {"–", s.Other}} {
		if x.n > 0 {
			parts = append(parts, x.name+" "+number(l, x.n))
		}
	}
	return strings.Join(parts, ", ")
}
