package say

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

var (
	textObeysNotAll   = language.New("obeys robots.txt, but not *")
	textObeysRobots   = language.New("obeys robots.txt")
	textObeysPartly   = language.New("obeys robots.txt in part")
	textIgnoresRobots = language.New("ignores robots.txt")
	textOnlyName      = language.New("only a name in robots.txt")
	textNoName        = language.New("no name")
	textPolicyOnly    = language.New(
		"only a name in robots.txt, for what another robot may do with the pages that it fetches")
	textBrowserHeader = language.New("only a name in robots.txt: the robot sends the header of a browser")
	textKindBy        = language.New("%[1]s, by %[2]s")
	textNotInTable    = language.New("no: the table does not have it")
	textButNotAll     = language.New("%[1]s, but not *")
)

// Agents writes a row for each robot.
func (p *Printer) Agents(agents []agent.Agent) {
	t := p.table()
	for _, a := range agents {
		t.Add([]columns.Cell{columns.Bold(printable.Text(a.Token)), columns.Text(a.Operator),
			columns.Text(a.Purposes.String()), columns.Text(p.howFar(a))})
	}
	t.Flush()
}

// howFar returns in a few words how far a robot obeys robots.txt.
func (p *Printer) howFar(a agent.Agent) string {
	switch a.Obedience() {
	case agent.Obeys:
		if !a.Everyone() {
			return p.in(textObeysNotAll)
		}
		return p.in(textObeysRobots)
	case agent.Partly:
		return p.in(textObeysPartly)
	case agent.Ignores:
		return p.in(textIgnoresRobots)
	}
	if a.PolicyOnly() {
		return p.in(textOnlyName)
	}
	return ""
}

var (
	textTitleName     = language.New("name")
	textTitleKind     = language.New("kind")
	textTitleKnown    = language.New("known")
	textTitleOperator = language.New("operator")
	textTitlePurposes = language.New("purposes")
	textTitleGroups   = language.New("groups")
	textTitleRobots   = language.New("robots.txt")
	textTitleDelay    = language.New("crawl-delay")
	textTitleMeta     = language.New("META names")
	textTitleRanges   = language.New("ranges")
	textTitleDNS      = language.New("DNS")
	textTitleDevices  = language.New("devices")
	textTitleCrawler  = language.New("crawler")
	textTitleDocs     = language.New("documented")
	textTitleSource   = language.New("source code")
	textTitleChecked  = language.New("checked")
)

var (
	textOnlyDevices = language.New("all its requests come from devices of people")
	textWordDevices = language.New("headers with %[1]s come from devices of people")
	textSomeDevices = language.New("some of its requests come from devices of people, and no header shows which")
	textNoCrawler   = language.New("no: audits and guards hold it only to groups that name it")
)

// devices returns which requests in the name of a robot come from devices of people, or "".
func devices(l language.Language, a agent.Agent) string {
	words, ok := a.Devices()
	switch {
	case !ok:
		return ""
	case len(words) > 0:
		return textWordDevices.In(l, `"`+strings.Join(words, `", "`)+`"`)
	case a.Device:
		return textOnlyDevices.In(l)
	}
	return textSomeDevices.In(l)
}

// titleWidth is the width, in columns, of the titles in the description of an agent, for each
// language.
var titleWidth = [...]int{language.English: 11, language.Spanish: 14, language.Korean: 11, language.Russian: 12}

// Agent writes all that is known of a robot, or of the sender of a header.
func (p *Printer) Agent(a agent.Agent) {
	line := func(title language.Text, text string) {
		if text != "" {
			of := p.in(title)
			fmt.Fprintf(p.W, "    %s%s  %s\n", of, strings.Repeat(" ", max(titleWidth[p.Language]-language.Width(of),
				0)), text)
		}
	}
	name := printable.Shown(a.Token)
	if a.Token == "" {
		name = p.in(textNoName)
	}
	fmt.Fprintln(p.W, name)
	if a.Name != a.Token {
		line(textTitleName, a.Name)
	}
	line(textTitleKind, p.kind(a))
	if !a.Known() {
		line(textTitleKnown, p.in(textNotInTable))
	}
	line(textTitleOperator, a.Operator)
	line(textTitlePurposes, a.Purposes.String())
	r := agent.Subject{Tokens: a.Tokens(), Alone: !a.Everyone()}
	if len(r.Tokens) > 0 {
		groups := printable.Text(strings.Join(r.Obeys(), p.in(textThen)))
		if r.Alone {
			groups = p.in(textButNotAll, groups)
		}
		line(textTitleGroups, groups)
	}
	if a.Kind == agent.Robot && !a.Crawler() {
		line(textTitleCrawler, p.in(textNoCrawler))
	}
	if a.Known() {
		line(textTitleRobots, oneOf(p.Language, obedienceTexts, a.Obedience()))
		line(textTitleDelay, oneOf(p.Language, delayTexts, a.CrawlDelay()))
		line(textTitleMeta, strings.Join(append([]string{"robots"}, a.Meta()...), ", "))
		recipe := a.Recipe()
		line(textTitleRanges, strings.Join(recipe.Ranges, " "))
		line(textTitleDNS, strings.Join(recipe.DNS, " "))
		line(textTitleDevices, devices(p.Language, a))
		line(textTitleDocs, a.Docs())
		line(textTitleSource, a.Source())
		line(textTitleChecked, a.Checked())
	}
}

// kind returns the kind of the sender of a header, with the evidence.
func (p *Printer) kind(a agent.Agent) string {
	kind := oneOf(p.Language, kindTexts, a.Kind)
	switch {
	case a.PolicyOnly() && a.Purposes.Has(agent.AIUser):
		return p.in(textBrowserHeader)
	case a.PolicyOnly():
		return p.in(textPolicyOnly)
	case a.Reason.String() != "listed" && a.Word != "":
		return p.in(textKindBy, kind, why(p.Language, a))
	}
	return kind
}

var (
	kindTexts = map[agent.Kind]language.Text{
		agent.Unknown: language.InContext("kind of a client", "unknown"),
		agent.Browser: language.New("browser"),
		agent.App:     language.New("app"),
		agent.Robot:   language.New("robot"),
		agent.Program: language.New("program"),
	}
	obedienceTexts = map[agent.Obedience]language.Text{
		agent.Unsaid:  language.InContext("whether a robot obeys", "unknown"),
		agent.Obeys:   language.New("yes"),
		agent.Partly:  language.New("partly"),
		agent.Ignores: language.New("no"),
	}
	delayTexts = map[agent.Delay]language.Text{
		agent.DelayIgnored: language.New("ignored"),
		agent.DelayPause:   language.New("seconds between two requests"),
		agent.DelayRate:    language.New("seconds in which it makes at most one request"),
	}
	whyTexts = map[string]language.Text{
		"address":      language.New("it gives the address %[1]s"),
		"robot-word":   language.New("the word %[1]s"),
		"playing":      language.New("it plays a browser, but has the name %[1]s"),
		"tool-word":    language.New("the tool %[1]s"),
		"browser-word": language.New("the browser's word %[1]s"),
		"device-word":  language.New("the device's word %[1]s"),
		"app-word":     language.New("the program for people %[1]s"),
		"other-word":   language.New("the name %[1]s, and no browser"),
	}
)

// oneOf returns the text for a value, or its name if there is no text.
func oneOf[V interface {
	comparable
	fmt.Stringer
}](l language.Language, texts map[V]language.Text, v V) string {
	if text, ok := texts[v]; ok {
		return text.In(l)
	}
	return v.String()
}

// why returns the evidence for the kind of a program.
func why(l language.Language, a agent.Agent) string {
	if text, ok := whyTexts[a.Reason.String()]; ok {
		return text.In(l, `"`+printable.Text(a.Word)+`"`)
	}
	return a.Why()
}
