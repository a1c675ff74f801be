package auditreport

import (
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// maxPageSuspects is the maximum number of suspects on a page.
const maxPageSuspects = 100

// A pageSuspect is a suspect on a page.
type pageSuspect struct {
	Name     string   `json:"name"`
	Requests string   `json:"requests"`
	Header   string   `json:"header"`
	Evidence []string `json:"evidence"`
}

// suspects returns the suspects, and says how many are missing.
func (b pageBuilder) suspects(suspects []audit.Suspect) (list []pageSuspect, more string) {
	l := b.Language
	for _, s := range suspects[:min(maxPageSuspects, len(suspects))] {
		out := pageSuspect{Name: suspectName(l, &s), Requests: textSuspectRequests.In(l, int(s.Requests),
			period(s.First, s.Last))}
		if s.Address != "" {
			out.Header = clip(s.UserAgent, mostExample)
		}
		for _, e := range s.Evidence {
			out.Evidence = append(out.Evidence, evidence(l, &e)+evidencePlace(e.Lines))
		}
		list = append(list, out)
	}
	if n := len(suspects) - maxPageSuspects; n > 0 {
		more = textMoreSuspects.In(l, n)
	}
	return list, more
}

// peaks returns the rows of the fastest minutes.
func (b pageBuilder) peaks(peaks []audit.Peak) (rows [][]pageCell) {
	for _, p := range peaks {
		robot := textNo
		if p.Robot {
			robot = textYes
		}
		requests := b.number(p.Requests)
		if p.Sampled {
			requests.Text = "≥ " + requests.Text
		}
		rows = append(rows, []pageCell{
			{Text: p.Minute.UTC().Format("2006-01-02 15:04")},
			requests,
			{Text: printable.Text(p.Address)},
			{Text: robot.In(b.Language)},
			{Text: clip(p.UserAgent, mostExample)},
			{Text: places(p.Lines)},
		})
	}
	return rows
}

// peakTitles are the titles of the columns of peaks.
var peakTitles = []language.Text{textMinute, textRequests, textClient, textSaysRobot, textHeader, textLines}

var (
	textPeaks = language.New("Fastest minutes")

	textPeaksMean = language.New(
		"The minutes with the most requests of one client, robot or not. Many people may share an address.")
	textMinute    = language.New("minute (UTC)")
	textClient    = language.New("client")
	textSaysRobot = language.New("robot or program")
	textHeader    = language.New("header")
	textLines     = language.New("lines")
)
