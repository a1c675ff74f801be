package auditnew

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Printer writes a report as text. It does not report errors of W: use a writer that keeps them.
type Printer struct {
	W        io.Writer
	Color    bool
	Language language.Language
}

func (p *Printer) in(t language.Text, args ...any) string { return t.In(p.Language, args...) }

func (p *Printer) number(n int64) string { return auditreport.Number(p.Language, n) }

// title writes a line that stands out.
func (p *Printer) title(text string) {
	t := columns.Table{W: p.W, Color: p.Color}
	t.Add([]columns.Cell{columns.Bold(text)})
	t.Flush()
}

// Report writes the robots, each with what the logs show, its entries, and lines, and then how many
// names are left out, by reason.
func (p *Printer) Report(r *Report) {
	fmt.Fprintln(p.W, p.in(textFound, len(r.Robots)))
	for i := range r.Robots {
		fmt.Fprintln(p.W)
		p.robot(&r.Robots[i])
	}
	if len(r.Robots) > 0 {
		fmt.Fprintf(p.W, "\n%s\n", p.in(textBeforeSending))
	}
	if len(r.LeftOut) == 0 {
		return
	}
	fmt.Fprintln(p.W)
	p.title(p.in(textLeftOut))
	for _, reason := range Reasons {
		if n := r.LeftOut[reason]; n > 0 {
			fmt.Fprintf(p.W, "  %s  %s\n", p.number(int64(n)), p.in(reasonTexts[reason]))
		}
	}
}

// robot writes a robot.
func (p *Printer) robot(r *Robot) {
	s := &r.Seen
	p.title(printable.Text(r.Token))
	p.fact(p.in(textVisits, int(s.Requests), auditreport.Period(s.First, s.Last)))
	p.fact(p.in(textSpan, s.Days, p.number(int64(s.Hours))))
	for _, h := range s.Headers {
		p.fact(p.in(textHeaderOf, int(h.Requests), h.UserAgent))
	}
	if s.MoreHeaders > 0 {
		p.fact(p.in(textMoreHeaders, s.MoreHeaders))
	}
	for _, n := range s.Networks {
		p.fact(p.in(textNetwork, int(n.Requests), n.Network.String()))
	}
	switch {
	case len(s.Networks) == 0 && s.MoreNetworks == 0:
		p.fact(p.in(textNoNetworks))
	case s.MoreNetworks > 0:
		p.fact(p.in(textMoreNetworks, s.MoreNetworks))
	}
	if s.Pace != nil {
		p.fact(p.in(textPace, auditreport.Duration(p.Language, s.Pace.Median), int(s.Pace.Peak)))
	}
	if s.RobotsTxt > 0 {
		p.fact(p.in(textRead, int(s.RobotsTxt)))
	} else {
		p.fact(p.in(textNotRead))
	}
	p.obedience(s)
	p.entry(textForTable, r.Table)
	p.entry(textForList, r.List)
	fmt.Fprintf(p.W, "  %s\n", p.in(textLines))
	for _, line := range r.Lines {
		fmt.Fprintf(p.W, "    %s:%d: %s\n", printable.Clipped(line.Log, 100), line.Line, line.Text)
	}
}

func (p *Printer) fact(text string) { fmt.Fprintf(p.W, "  %s\n", text) }

// obedience says whether the robot obeyed, as far as its requests were judged.
func (p *Printer) obedience(s *Seen) {
	switch judged := p.number(s.Judged); {
	case s.Judged == 0:
		p.fact(p.in(textNotJudged))
	case s.Certain > 0:
		p.fact(p.in(textObeyedNot, judged, int(s.Certain)))
	case s.Informed+s.Grace > 0:
		p.fact(p.in(textObeyedPerhaps, judged, int(s.Informed+s.Grace)))
	default:
		p.fact(p.in(textObeyed, judged))
	}
	for _, rule := range s.Rules {
		p.fact(p.in(textOfRule, int(rule.Requests), rule.Line, printable.Clipped(rule.Rule, maxPath)))
	}
}

// entry writes an entry in JSON, indented.
func (p *Printer) entry(title language.Text, v any) {
	fmt.Fprintf(p.W, "  %s\n", p.in(title))
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("    ", "  ")
	if e.Encode(v) != nil {
		return // these types have a JSON form
	}
	for line := range strings.Lines("    " + b.String()) {
		fmt.Fprintf(p.W, "%s\n", printable.JSON([]byte(strings.TrimSuffix(line, "\n"))))
	}
}

var (
	textFound = language.New("%[1]d new ⟨robot/robots⟩: in no table, and more than sporadic visits")

	textVisits       = language.New("%[1]d ⟨request/requests⟩, %[2]s UTC")
	textSpan         = language.New("on %[1]d ⟨day/days⟩, in %[2]s hours")
	textHeaderOf     = language.New("%[1]d ⟨request/requests⟩ with the header: %[2]s")
	textMoreHeaders  = language.New("%[1]d further ⟨header/headers⟩")
	textNetwork      = language.New("%[1]d ⟨request/requests⟩ from the network %[2]s")
	textMoreNetworks = language.New("%[1]d further ⟨network/networks⟩")
	textNoNetworks   = language.New("the logs do not show its networks")
	textPace         = language.New("pauses of %[1]s (median), at most %[2]d ⟨request/requests⟩ in a minute")
	textRead         = language.New("%[1]d ⟨request/requests⟩ for robots.txt")
	textNotRead      = language.New("no request for robots.txt in these logs")

	textNotJudged = language.New(
		"whether it obeyed is not known: no robots.txt is given for the hosts that it asked")
	textObeyed    = language.New("obeyed: of %[1]s requests that were judged, robots.txt disallows none")
	textObeyedNot = language.New(
		"did not obey: of %[1]s requests that were judged, %[2]d ⟨is a certain violation/are certain violations⟩")
	textObeyedPerhaps = language.New(
		"perhaps obeyed: of %[1]s requests that were judged, %[2]d ⟨is/are⟩ disallowed, and none is a certain violation")
	textOfRule = language.New("%[1]d ⟨request/requests⟩ against line %[2]d: %[3]s")

	textForTable = language.New("For a table of robots (--robots-table):")
	textForList  = language.New("For the list crawler-user-agents:")
	textLines    = language.New("Lines of the logs:")

	textBeforeSending = language.New(
		"Read an entry before you send it: anybody can send a header. Addresses are cut to networks (IPv4: /24, IPv6: /48), and lines are in the format combined, without queries, referrers and users.")
	textLeftOut = language.New("Left out: names of robots in no table")
)

var reasonTexts = map[Reason]language.Text{
	Own:      language.New("from the network of the site itself"),
	Device:   language.New("from devices of people"),
	Browser:  language.New("with the header of a browser, or loading pages as browsers do"),
	Tool:     language.New("with the header of a monitor, a validator, a webhook or the like"),
	Site:     language.New("with an address of the site itself in the header"),
	Single:   language.New("for one or two targets only, as monitors and readers of a feed ask"),
	Spread:   language.New("with a few requests at each of many networks, as programs on devices of people make"),
	Nameless: language.New("without a name by which others could find them"),
	Sporadic: language.New("with sporadic visits: fewer than ten requests, or not on two days and in three hours"),
}
