package auditreport

import (
	"encoding/csv"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/printable"
)

// csvHead names the columns of CSV. Those of a robot come first; they are the same in all rows of
// the robot.
var csvHead = []string{
	"robot", "kind", "obeys", "operator", "purposes", "requests", "judged", "bytes", "robots_txt", "refused", "first",
	"last",
	"verified", "unverifiable", "forged", "device", "asked_seconds", "median_seconds", "pace_judged",
	"faster", "request_rate",
	"exceeded", "visit_time", "outside",
	"addresses", "addresses_estimated", "unread_before", "unread_never", "unread_late", "everyone_certain",
	"host", "version", "line", "rule", "certain", "informed", "grace", "rule_requests", "rule_first", "rule_last",
	"rule_everyone",
	"log", "log_line", "text",
}

// WriteCSV writes a report as CSV (RFC 4180) with a head: a row for each robot and rule that the
// robot did not obey, and a row for each robot without such a rule.
//
// Spreadsheets run a text that begins with =, +, -, @, a tab or a line end as a formula. So such a
// text gets an apostrophe, also after a semicolon, because some spreadsheets read it as the end of
// a field. Characters that are not printable are escaped.
func WriteCSV(w io.Writer, r *audit.Report) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	out.Write(csvHead)
	for i := range r.Robots {
		robot := &r.Robots[i]
		fields := csvRobot(robot)
		if len(robot.Violations.Rules) == 0 {
			out.Write(append(fields, make([]string, len(csvHead)-len(fields))...))
		}
		for j := range robot.Violations.Rules {
			out.Write(append(fields[:len(fields):len(fields)], csvRule(&robot.Violations.Rules[j])...))
		}
	}
	out.Flush()
	return out.Error()
}

func csvRobot(r *audit.Robot) []string {
	return slices.Concat([]string{
		csvText(r.Token), csvText(r.Kind), csvText(r.Obeys), csvText(r.Operator),
		csvText(strings.Join(r.Purposes, ", ")),
		csvNumber(r.Requests), csvNumber(r.Judged), csvNumber(r.Bytes), csvNumber(r.RobotsTxt), csvNumber(r.Refused),
		csvTime(r.First), csvTime(r.Last),
		csvNumber(r.Identity.Verified), csvNumber(r.Identity.Unverifiable), csvNumber(r.Forged.Requests),
		csvNumber(r.Identity.Device),
	}, csvPace(r.Pace), []string{csvNumber(r.Clients.Addresses), strconv.FormatBool(r.Clients.Estimated)},
		csvReading(r))
}

// csvReading returns the columns that count requests before the robot read robots.txt, and requests
// that the rules for everyone disallow. The columns are empty for robots that were not judged.
func csvReading(r *audit.Robot) []string {
	if !isJudged(r) {
		return make([]string, 4)
	}
	u := r.Unread
	return []string{csvNumber(u.Before), csvNumber(u.Never), csvNumber(u.Late),
		csvNumber(r.Violations.Everyone.Certain)}
}

// csvPace returns the columns of the pace. The column of a pace that was not asked for, or not
// judged, is empty.
func csvPace(p audit.Pace) []string {
	fields := []string{csvSeconds(p.Asked), csvSeconds(p.Median), csvNumber(p.Judged), "", "", "", "", ""}
	if p.RequestRate != nil {
		fields[4] = csvText(p.RequestRate.Asked)
	}
	if p.VisitTime != nil {
		fields[6] = csvText(p.VisitTime.Asked)
	}
	if p.Judged == 0 {
		return fields
	}
	fields[3] = csvNumber(p.Faster)
	if p.RequestRate != nil {
		fields[5] = csvNumber(p.RequestRate.Exceeded)
	}
	if p.VisitTime != nil {
		fields[7] = csvNumber(p.VisitTime.Outside)
	}
	return fields
}

func csvRule(r *audit.Rule) []string {
	return []string{
		csvText(r.Host), csvText(r.Version), strconv.Itoa(r.Line), csvText(r.Rule),
		csvNumber(r.Certain), csvNumber(r.Informed), csvNumber(r.Grace), csvNumber(r.Requests), csvTime(r.First),
		csvTime(r.Last), strconv.FormatBool(r.Everyone),
		csvText(r.Example.Log), strconv.Itoa(r.Example.Line), csvText(r.Example.Text),
	}
}

var (
	formula       = regexp.MustCompile(`^[ \x{a0}\x{3000}]*[=+\-@＝＋－＠]`)
	hiddenFormula = regexp.MustCompile(`;([=+\-@＝＋－＠])`)
)

// csvText returns a text that no spreadsheet runs as a formula. Tabs and line ends are safe,
// because printable escapes them.
func csvText(s string) string {
	s = printable.Text(s)
	if formula.MatchString(s) {
		s = "'" + s
	}
	return hiddenFormula.ReplaceAllString(s, ";'$1")
}

func csvNumber(n int64) string { return strconv.FormatInt(n, 10) }

func csvTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func csvSeconds(s *float64) string {
	if s == nil {
		return ""
	}
	return strconv.FormatFloat(*s, 'f', -1, 64)
}
