// Package auditreport writes the report of an audit for people: as text for a terminal, as CSV, and
// as an HTML page. Everything that comes from a log or from robots.txt is escaped.
package auditreport

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// An unjudged says why an audit judged no request. It is "" if the audit judged some, or read none.
type unjudged string

// The reasons. Pages compare them.
const (
	noRequests  unjudged = "requests"   // no line could be read
	noUserAgent unjudged = "user-agent" // no line has a User-Agent
	noVersions  unjudged = "versions"   // there is no robots.txt for lines that name no host
	noHosts     unjudged = "hosts"      // there is no robots.txt for the hosts of the logs
)

// nothingJudged returns the reason why a report says nothing about obedience.
func nothingJudged(r *audit.Report) unjudged {
	judged := func(h audit.Host) bool { return h.Judged }
	switch {
	case r.Requests == 0 && r.Unreadable > 0:
		return noRequests
	case r.Requests == 0:
		return ""
	case onlyUnnamed(r):
		return noUserAgent
	case slices.ContainsFunc(r.Hosts, judged):
		return ""
	case len(r.Hosts) == 1 && r.Hosts[0].Name == "":
		return noVersions
	default:
		return noHosts
	}
}

// NothingJudged says in a language why a report says nothing about obedience. It returns "" if the
// audit judged requests.
func NothingJudged(l language.Language, r *audit.Report) string {
	switch nothingJudged(r) {
	case noRequests:
		return textNoRequests.In(l)
	case noUserAgent:
		return textNoUserAgent.In(l)
	case noVersions:
		return textNoVersions.In(l)
	case noHosts:
		return textNoHosts.In(l, hostNames(l, r.Hosts))
	}
	return ""
}

// ReportSays says in a language that nothing was judged, beside a report whose head has the text of
// [NothingJudged] already.
func ReportSays(l language.Language) string { return textReportSays.In(l) }

// NothingRead says in a language that no line of the logs could be read, where the reader does not
// see the notes of the report. It returns "" if a line was read.
func NothingRead(l language.Language, r *audit.Report) string {
	if nothingJudged(r) != noRequests {
		return ""
	}
	return textNoRequestsCSV.In(l)
}

// OnlyVisits reports whether a report says who visited only: no robots.txt is given for any of its
// hosts.
func OnlyVisits(r *audit.Report) bool {
	why := nothingJudged(r)
	return why == noVersions || why == noHosts
}

// onlyUnnamed reports whether no line of the logs has a User-Agent.
func onlyUnnamed(r *audit.Report) bool { return r.Unnamed == r.Requests }

// Disobeyed reports whether a report has a certain violation.
func Disobeyed(r *audit.Report) bool {
	return slices.ContainsFunc(r.Robots, func(robot audit.Robot) bool { return robot.Violations.Certain > 0 })
}

// hostNames returns the names of the first hosts.
func hostNames(l language.Language, hosts []audit.Host) string {
	const most = 3
	var names []string
	for _, h := range hosts[:min(most, len(hosts))] {
		names = append(names, hostName(l, h.Name))
	}
	if len(hosts) > most {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// hostName returns the name of a host, or says that the log has none.
func hostName(l language.Language, name string) string {
	if name == "" {
		return textNoHost.In(l)
	}
	return printable.Text(name)
}

// robotName returns the token of a robot, or says that there is none: some robots give an address
// and no name.
func robotName(l language.Language, r *audit.Robot, size int) string {
	if r.Token == "" {
		return textNoName.In(l)
	}
	return clip(r.Token, size)
}

// versionName returns the name of a version, or says why it has none.
func versionName(l language.Language, v audit.InForce) string {
	if v.ID == "" && v.State != audit.Served {
		return stateText(v.State).In(l)
	}
	return printable.Shown(v.ID)
}

// A worstCase is a rule that a robot did not obey.
type worstCase struct {
	robot *audit.Robot
	rule  *audit.Rule
}

// worstCases returns the rules that robots did not obey: first those with the most certain
// violations, then those with the most informed ones, then those with the most in the period of
// grace.
func worstCases(r *audit.Report) (cases []worstCase) {
	for i := range r.Robots {
		robot := &r.Robots[i]
		for j := range robot.Violations.Rules {
			cases = append(cases, worstCase{robot, &robot.Violations.Rules[j]})
		}
	}
	slices.SortStableFunc(cases, func(a, b worstCase) int {
		return cmp.Or(
			cmp.Compare(b.rule.Certain, a.rule.Certain),
			cmp.Compare(b.rule.Informed, a.rule.Informed),
			cmp.Compare(b.rule.Grace, a.rule.Grace))
	})
	return cases
}

// isJudged reports whether an audit judged requests of a robot. If it did not, the report must not
// say that the robot has no violations.
func isJudged(robot *audit.Robot) bool { return robot.Judged > 0 }

// identity says in a few words whether the clients were the robot that they named.
func identity(l language.Language, robot *audit.Robot) string {
	// The requests of forgers are in a column of their own.
	verified, unverifiable, devices := robot.Identity.Verified, robot.Identity.Unverifiable, robot.Identity.Device
	switch {
	case verified == 0 && unverifiable == 0 && devices > 0:
		return textDevices.In(l)
	case devices > 0:
		others := *robot
		others.Identity.Device = 0
		return textAndDevices.In(l, identity(l, &others), number(l, devices))
	case verified == 0 && unverifiable == 0:
		return textForged.In(l)
	case verified == 0:
		return textUnverifiable.In(l)
	case unverifiable == 0:
		return textVerified.In(l)
	}
	percent := int(math.Floor(100 * float64(verified) / float64(verified+unverifiable)))
	return textPartlyVerified.In(l, strconv.Itoa(percent))
}

// duration returns seconds in a short form: "0.5 s", "90 s", "5 min", "3 h", "2 d".
func duration(l language.Language, seconds float64) string {
	for _, unit := range []struct {
		seconds float64
		text    language.Text
	}{{24 * 60 * 60, textDays}, {60 * 60, textHours}, {60, textMinutes}} {
		if seconds >= 2*unit.seconds {
			return unit.text.In(l, strconv.FormatFloat(math.Round(seconds/unit.seconds), 'f', 0, 64))
		}
	}
	return textSeconds.In(l, strconv.FormatFloat(math.Round(10*seconds)/10, 'f', -1, 64))
}

// number returns a number with its digits in groups of three, as a language writes them.
func number(l language.Language, n int64) string {
	return language.Grouped(n).In(l)
}

// moment returns a time in UTC, as logs and versions are compared.
func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }

// period returns two times in UTC.
func period(first, last time.Time) string {
	if first.Equal(last) {
		return moment(first)
	}
	return moment(first) + " – " + moment(last)
}

// inForce returns the period of a version, whose ends may be unknown.
func inForce(v audit.InForce) string {
	from, to := "…", "…"
	if !v.From.IsZero() {
		from = moment(v.From)
	}
	if !v.To.IsZero() {
		to = moment(v.To)
	}
	return from + " – " + to
}

// ruleText returns the line and the text of a rule.
func ruleText(l language.Language, r *audit.Rule) string {
	if r.Line == 0 {
		return printable.Shown(r.Rule)
	}
	return textLineRule.In(l, r.Line, printable.Shown(r.Rule))
}

// verdict returns the first sentence of a report, and whether a robot certainly did not obey.
func verdict(l language.Language, r *audit.Report) (text string, bad bool) {
	disobeyed, verified := 0, 0
	for _, robot := range r.Robots {
		if robot.Violations.Certain > 0 {
			disobeyed++
		}
		if robot.Violations.Verified.Certain > 0 {
			verified++
		}
	}
	switch why := NothingJudged(l, r); {
	case disobeyed > 0 && doubt(l, r) != "":
		return textIfInForce.In(l, disobeyed), true
	case disobeyed > 0 && verified == disobeyed:
		return textVerifiedDisobeyed.In(l, disobeyed), true
	case verified > 0:
		return textDisobeyed.In(l, disobeyed) + "; " + textOfThemVerified.In(l, verified), true
	case disobeyed > 0:
		return textDisobeyed.In(l, disobeyed), true
	case why != "":
		return why, false
	case r.Requests == 0:
		return textEmpty.In(l), false
	case !slices.ContainsFunc(r.Robots, func(robot audit.Robot) bool { return robot.Judged > 0 }):
		return textNoRobot.In(l), false
	}
	return textNoneCertain.In(l), false
}

// caseHead returns a rule with the number of requests that did not obey it.
func caseHead(l language.Language, r *audit.Rule) string {
	return textCase.In(l, language.Grouped(r.Certain+r.Informed+r.Grace), ruleText(l, r), number(l, r.Certain),
		number(l, r.Informed), number(l, r.Grace))
}

// caseVersion returns the version of a rule, when requests did not obey it, and whether it is for
// everyone.
func caseVersion(l language.Language, r *audit.Rule) string {
	version, when := printable.Shown(r.Version), period(r.First, r.Last)
	text := textOfVersion.In(l, version, when)
	if r.Host != "" {
		text = textOfHostVersion.In(l, printable.Text(r.Host), version, when)
	}
	if r.Everyone {
		text += "; " + textForEveryone.In(l)
	}
	return text
}

// place returns where the line of an example stands.
func place(e audit.Example) string {
	return printable.Text(e.Log) + ":" + strconv.Itoa(e.Line)
}

// A reason is a number of requests that are not judged, and why.
type reason struct {
	requests int64
	text     string
}

// reasons returns the requests that are not judged, by reason.
func reasons(l language.Language, r *audit.Report) (all []reason) {
	for _, x := range []struct {
		requests int64
		text     language.Text
	}{
		{r.Unnamed, textUnnamed},
		{r.Unjudged.Program, textOfPrograms},
		{r.Unjudged.Device, textOfDevices},
		{r.Unjudged.Own, textOfOwn},
		{r.Unjudged.Forged, textOfForgers},
		{r.Unjudged.Target, textWithoutPath},
		{r.Unjudged.Host, textToOtherHosts},
		{r.Unjudged.Others, textOfOthers},
		{r.Unjudged.Everyone, textNotEveryone},
	} {
		if x.requests > 0 {
			all = append(all, reason{x.requests, x.text.In(l)})
		}
	}
	return all
}
