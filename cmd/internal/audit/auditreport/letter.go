package auditreport

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/rdap"
)

// A Letter is a letter to the operator of a robot: what the robot did, what proves it, and what the
// sender asks. Everything in it is proven by the report.
type Letter struct {
	Language language.Language
	Report   *audit.Report
	Robot    *audit.Robot

	Notes    []string       // for the operator; those of Report are for the sender, because they may quote other lines
	Docs     string         // the URL at which the operator documents the robot, or ""
	Sources  []string       // where the versions of robots.txt are known from; may be empty
	Networks []rdap.Network // of the addresses of Robot, if the registries were asked

	// DelayIsRate says that, according to its documentation, the robot reads Crawl-delay as a
	// period with one request at most, and not as a pause. So an audit does not compare its pauses
	// with Crawl-delay.
	DelayIsRate bool
}

// Find returns the robot with a token, or a program if no robot has it, or nil.
func Find(r *audit.Report, token string) (found *audit.Robot) {
	for i := range r.Robots {
		robot := &r.Robots[i]
		if strings.EqualFold(robot.Token, token) && (found == nil || robot.Kind == "robot") {
			found = robot
		}
	}
	return found
}

const (
	letterWidth   = 72  // columns of text; lines of evidence are as they are
	evidenceSize  = 900 // bytes, because lines of mail have up to 998 (RFC 5322, section 2.1.1)
	nameSize      = 64  // bytes of a name within text
	letterRules   = 10
	letterContact = 5 // in headers
)

// Write writes the letter as plain text, without the date and the name of the sender.
func (t *Letter) Write(w io.Writer) error {
	p := &letterWriter{Letter: t}
	p.head()
	p.deeds()
	p.meanings()
	p.rules()
	p.addresses()
	p.identity()
	p.pace()
	p.requests()
	p.notes(p.Letter.Notes)
	p.contacts()
	p.notes(p.Report.Notes)
	_, err := io.WriteString(w, p.b.String())
	return err
}

// A letterWriter writes a letter. Text of strangers appears only in lines of evidence, except for
// short names.
type letterWriter struct {
	*Letter
	b strings.Builder
}

func (p *letterWriter) in(text language.Text, args ...any) string {
	return text.In(p.Language, args...)
}

// say writes a paragraph, wrapped.
func (p *letterWriter) say(text language.Text, args ...any) { p.wrap(p.in(text, args...)) }

func (p *letterWriter) wrap(text string) {
	used := 0
	for word := range strings.SplitSeq(text, " ") { // no-break spaces join words
		n := language.Width(word)
		switch {
		case n == 0:
			continue
		case used > 0 && used+1+n > letterWidth:
			p.b.WriteString("\n")
			used = 0
		case used > 0:
			p.b.WriteString(" ")
			used++
		}
		p.b.WriteString(word)
		used += n
	}
	p.b.WriteString("\n")
}

// title begins a part of the letter.
func (p *letterWriter) title(text language.Text) {
	title := p.in(text)
	fmt.Fprintf(&p.b, "\n%s\n%s\n", title, strings.Repeat("-", language.Width(title)))
}

// evidence writes a line as it is, except for characters that are not printable.
func (p *letterWriter) evidence(text string) {
	fmt.Fprintf(&p.b, "    %s\n", printable.Clipped(text, evidenceSize))
}

func (p *letterWriter) token() string { return printable.Clipped(p.Robot.Token, nameSize) }

func (p *letterWriter) number(n int64) string { return number(p.Language, n) }

// disallowed returns the number of all disallowed requests.
func (p *letterWriter) disallowed() int64 {
	v := p.Robot.Violations
	return v.Certain + v.Informed + v.Grace
}

func (p *letterWriter) head() {
	p.say(letterSubject, p.token())
	p.b.WriteString("\n")
	if p.Robot.Operator == "" {
		p.say(letterTo, p.token())
	} else {
		p.say(letterToOperator, p.token(), printable.Clipped(p.Robot.Operator, nameSize))
	}
	if p.Robot.Requests > 0 {
		p.b.WriteString("\n")
		intro := letterIntro
		switch {
		case !isJudged(p.Robot):
			intro = letterIntroNotJudged
		case assumed(p.Report, ""):
			intro = letterIntroAlways
		}
		p.say(intro, int(p.Robot.Requests), p.token(), period(p.Robot.First, p.Robot.Last))
	}
}

// deeds says what the robot did, and how sure that is.
func (p *letterWriter) deeds() {
	v := p.Robot.Violations
	judged := isJudged(p.Robot)
	p.title(letterDeeds)
	switch {
	case v.Certain > 0:
		p.say(letterCertain, int(v.Certain), p.periodOfCertain())
	case !judged:
		p.say(letterNotJudged)
	default:
		p.say(letterNoneCertain)
	}
	switch {
	case v.Informed+v.Grace > 0:
		p.say(letterUncertain, p.number(v.Informed), p.number(v.Grace))
	case judged && p.disallowed() == 0:
		p.say(letterNoneDisallowed)
	}
	switch {
	case p.Robot.Requests > 0 && p.Robot.Refused == 0:
		p.say(letterRefusedNone, p.number(p.Robot.Requests))
	case p.Robot.Requests > 0:
		p.say(letterRefused, p.number(p.Robot.Refused), p.number(p.Robot.Requests))
	}
	switch {
	case !p.Robot.LastRead.IsZero():
		p.say(letterLastRead, moment(p.Robot.LastRead))
	case p.Robot.Requests > 0 && p.Robot.RobotsTxt == 0:
		p.say(letterNeverAsked)
	}
	if p.disallowed() > 0 && (p.Robot.Obeys == "no" || p.Robot.Obeys == "partly") {
		p.say(letterObeysNot)
	}
}

// periodOfCertain returns the times of the first and the last certain violation.
func (p *letterWriter) periodOfCertain() string {
	var first, last time.Time
	for _, rule := range p.Robot.Violations.Rules {
		if rule.Certain == 0 {
			continue
		}
		if first.IsZero() || rule.First.Before(first) {
			first = rule.First
		}
		if rule.Last.After(last) {
			last = rule.Last
		}
	}
	return period(first, last)
}

// meanings says what the classes of requests mean.
func (p *letterWriter) meanings() {
	if p.disallowed() == 0 {
		return
	}
	p.title(letterMeanings)
	for _, text := range []language.Text{letterMeansCertain, letterMeansInformed, letterMeansGrace, letterMeansRFC} {
		p.say(text)
	}
}

// rules names the rules that disallow the requests, each with a line of a log.
func (p *letterWriter) rules() {
	rules := p.Robot.Violations.Rules
	if len(rules) == 0 {
		return
	}
	p.title(letterRulesTitle)
	for i, rule := range rules[:min(letterRules, len(rules))] {
		all, informed, grace, when := int(rule.Certain+rule.Informed+rule.Grace), p.number(rule.Informed),
			p.number(rule.Grace), period(rule.First, rule.Last)
		if rule.Certain > 0 {
			p.say(letterRule, i+1, all, p.number(rule.Certain), informed, grace, when)
		} else {
			p.say(letterRuleDoubtful, i+1, all, informed, grace, when)
		}
		p.evidence(ruleText(p.Language, &rule))
		p.evidence(p.versionOf(&rule))
		p.evidence(place(rule.Example) + ": " + rule.Example.Text)
	}
	if n := len(rules) - letterRules; n > 0 {
		p.say(textMoreRules, n)
	}
	p.b.WriteString("\n")
	p.say(letterVersionNames)
	if len(p.Sources) > 0 {
		p.say(letterSources)
		for _, source := range p.Sources {
			p.evidence(source)
		}
	}
}

// versionOf returns the version of a rule, with the time in which it was in force.
func (p *letterWriter) versionOf(rule *audit.Rule) string {
	version := printable.Clipped(rule.Version, evidenceSize/4)
	text := p.in(textOfVersion, version, "…")
	for _, v := range p.Report.Versions {
		if v.Host != rule.Host || v.ID != rule.Version || v.From.After(rule.First) || !v.To.IsZero() &&
			!rule.First.Before(v.To) {
			continue
		}
		text = p.in(textOfVersion, version, inForce(v))
		if v.From.IsZero() && v.To.IsZero() {
			text = p.in(letterAlways, version)
		}
		if v.Late {
			text += " (" + p.in(textLate) + ")"
		}
	}
	if rule.Host == "" {
		return text
	}
	return printable.Clipped(rule.Host, evidenceSize/4) + ", " + text
}

// mostAddresses is how many addresses a report has of a robot.
const mostAddresses = 50

// addresses lists the addresses of the disallowed requests, and the headers of all requests.
func (p *letterWriter) addresses() {
	if list := p.Robot.Addresses; len(list) > 0 {
		p.title(letterAddresses)
		p.say(letterFrom, int(p.Robot.AddressCount))
		if p.Robot.AddressCount > mostAddresses { // a hider may have joined those that are here
			p.say(letterMost, p.number(int64(len(list))))
		}
		for _, a := range list {
			p.evidence(p.in(letterAddress, a.Address, p.number(a.Certain+a.Informed+a.Grace), p.number(a.Certain)))
		}
		if n := nobodys(list); n > 0 {
			p.say(letterNobodys, int(n))
		}
	}
	if headers := p.Robot.UserAgents; len(headers) > 0 {
		p.title(letterHeaders)
		p.say(letterHeadersAre)
		for _, header := range headers {
			p.evidence(header)
		}
	}
}

// identity says whether the requests are of the robot. Those of forgers are named apart.
func (p *letterWriter) identity() {
	i := p.Robot.Identity
	p.title(letterIdentity)
	switch {
	case i.Verified > 0 && i.Unverifiable == 0:
		p.say(letterVerified)
	case i.Verified > 0:
		p.say(letterPartlyVerified, p.number(i.Verified), p.number(i.Verified+i.Unverifiable),
			p.number(p.Robot.Violations.Verified.Certain), p.number(p.Robot.Violations.Certain))
	case i.Unverifiable > 0:
		p.say(letterUnverifiable)
	}
	if i.Device > 0 {
		p.say(letterDevices, p.number(i.Device))
	}
	if n := p.Robot.Forged.Requests; n > 0 {
		p.say(letterForged, int(n), p.token())
	}
}

func (p *letterWriter) pace() {
	pace := p.Robot.Pace
	if pace.Median == nil {
		return
	}
	p.title(letterPace)
	p.say(letterMedian, duration(p.Language, *pace.Median), p.number(pace.Peak))
	switch {
	case !asksForPace(pace):
		if isJudged(p.Robot) {
			p.say(letterPaceNotAsked)
		}
		return
	case pace.Judged == 0:
		p.say(letterPaceNotJudged)
		return
	case pace.Asked == nil:
	case p.DelayIsRate:
		p.say(letterDelayIsRate, duration(p.Language, *pace.Asked))
	case pace.Faster == 0:
		p.say(letterPaceKept, duration(p.Language, *pace.Asked))
	default:
		p.say(letterFaster, duration(p.Language, *pace.Asked), p.number(pace.Faster))
	}
	if r := pace.RequestRate; r != nil {
		p.say(letterRate, r.Asked, p.number(r.Exceeded))
	}
	if v := pace.VisitTime; v != nil {
		p.say(letterVisits, v.Asked, p.number(v.Outside))
	}
	p.say(letterPaceMeans)
}

// requests says what the sender asks the operator to do.
func (p *letterWriter) requests() {
	p.title(letterAsk)
	if p.Robot.Identity.Unverifiable > 0 {
		p.say(letterAskIdentity)
	}
	switch {
	case p.Robot.Violations.Certain > 0:
		p.say(letterAskObey)
	case p.disallowed() > 0:
		p.say(letterAskCheck)
	}
	p.say(letterAskErrors)
}

func (p *letterWriter) notes(notes []string) {
	if len(notes) == 0 {
		return
	}
	p.title(textNotes)
	for _, note := range notes {
		p.wrap(printable.Clipped(note, evidenceSize))
	}
}

// contacts begins the part for the sender, below the letter: the addresses for the letter.
func (p *letterWriter) contacts() {
	p.b.WriteString("\n" + strings.Repeat("=", letterWidth) + "\n")
	p.say(letterContacts)
	known := false
	if p.Docs != "" {
		known = true
		p.say(letterDocs)
		p.evidence(p.Docs)
	}
	if list := contactsIn(p.Robot.UserAgents); len(list) > 0 {
		known = true
		p.say(letterHeaderContacts)
		for _, contact := range list {
			p.evidence(contact)
		}
	}
	if len(p.Networks) > 0 {
		known = true
		p.say(letterAbuse)
	}
	for _, n := range p.Networks {
		mails := strings.Join(n.Abuse, ", ")
		if mails == "" {
			mails = p.in(letterNoAbuse)
		}
		name := ""
		if n.Name != "" {
			name = " (" + printable.Clipped(n.Name, nameSize) + ")"
		}
		p.evidence(n.First.String() + " – " + n.Last.String() + name + ": " + mails)
	}
	if !known {
		p.say(letterNoContact)
	}
}

// contact matches the URLs and mail addresses in a header.
var contact = regexp.MustCompile(`https?://[!-~]+|[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`)

// contactsIn returns the URLs and mail addresses in headers.
func contactsIn(headers []string) (list []string) {
	for _, header := range headers {
		for _, found := range contact.FindAllString(header, -1) {
			if end := strings.IndexAny(found, `"'<>()[]{},;`); end >= 0 {
				found = found[:end]
			}
			if found = strings.TrimRight(found, ".:!"); !slices.Contains(list, found) && len(list) < letterContact {
				list = append(list, found)
			}
		}
	}
	return list
}
