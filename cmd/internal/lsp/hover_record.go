package lsp

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/printable"
)

// explainRecord explains a record other than a rule: its meaning, its readers and its value.
func (d explainer) explainRecord(p *prose, line robots.Line) {
	f, _ := robots.FieldNamed(line.Field)
	about, ok := fieldTexts[f.Name]
	if !ok {
		p.say("%s: no robot is known to read this field.", strong(printable.Clipped(line.Field, maxPiece)))
		p.say("It changes no answer, and ends no group (RFC 9309, section 2.2.4).")
		d.explainGoogle(p, line)
		return
	}
	p.say("%s: %s", strong(f.Name), about.meaning)
	d.sayValue(p, line)
	if ofFile(line) {
		p.item("for the whole file")
	} else if line.Group >= 0 {
		if g := d.policy().Groups()[line.Group]; len(g.Agents()) > 0 {
			p.item("in the group of line %d, for %s", g.Line(), listed(slices.Clip(g.Agents())))
		}
	}
	p.item("who reads it: %s", about.readers)
	if f.Name == "Crawl-delay" {
		d.sayDelays(p, line)
	}
}

// sayValue explains the value of a record, or why it is invalid.
func (d explainer) sayValue(p *prose, line robots.Line) {
	policy := robots.Parse([]byte("User-agent: *\n" + line.Field + ": " + line.Value + "\n"))
	for _, err := range policy.BadRecords() {
		p.item("its value is not understood: %s", err.Err.Error())
		return
	}
	g := policy.For("*")
	if r, ok := g.CrawlDelay(); ok {
		p.item("its value: %s", inWords(r.Delay))
	}
	for _, r := range g.RequestRates() {
		when := ""
		if r.Window != nil {
			when = ", in the part of the day " + r.Window.String() + " (UTC)"
		}
		p.item("its value: %s in %s%s: a pause of %s", plural(r.Documents, "document"), inWords(r.Period), when,
			inWords(r.Delay()))
	}
	for _, r := range g.VisitTimes() {
		p.item("its value: the part of the day %s (UTC)", r.Window.String())
	}
	for _, r := range g.ContentUsages() {
		p.item("its value: for paths that %s matches, %s", code(r.Path), preferences(r.Preferences))
		unknown := slices.DeleteFunc(slices.Sorted(maps.Keys(r.Preferences)), func(name string) bool {
			return slices.ContainsFunc(usages, func(u use) bool { return u.key == name })
		})
		if len(unknown) > 0 {
			p.item("categories that the draft does not have: %s", listed(unknown))
		}
	}
	for _, r := range g.ContentSignals() {
		said := map[string]robots.Preference{"search": r.Search, "ai-input": r.AIInput, "ai-train": r.AITrain}
		maps.DeleteFunc(said, func(_ string, v robots.Preference) bool { return v == robots.Unknown })
		text := preferences(said)
		if r.Use != "" {
			text = strings.TrimPrefix(text+", use "+r.Use, "nothing is said, ")
		}
		p.item("its value: %s", text)
	}
	for _, r := range policy.CleanParams() {
		where := code("/")
		if r.Path != "" {
			where = code(r.Path)
		}
		p.item("its value: the parameters %s, on paths that %s matches", listed(r.Params), where)
	}
	for _, r := range policy.Hosts() {
		p.item("its value: the host %s", code(r.Host))
	}
	for _, r := range policy.Sitemaps() {
		if r.URL.Scheme != "http" && r.URL.Scheme != "https" {
			p.item("its address is not of HTTP or HTTPS: no robot fetches it")
		}
	}
}

// preferences describes preferences in words.
func preferences(said map[string]robots.Preference) string {
	var words []string
	for i, name := range slices.Sorted(maps.Keys(said)) {
		if i == maxListed {
			words = append(words, "and more")
			break
		}
		switch name, said := printable.Clipped(name, maxPiece), said[name]; said {
		case robots.Permitted:
			words = append(words, name+" is welcome")
		case robots.Refused:
			words = append(words, name+" is refused")
		default:
			words = append(words, name+" is unknown, as its value is neither y nor n")
		}
	}
	if len(words) == 0 {
		return "nothing is said"
	}
	return strings.Join(words, ", ")
}

// sayDelays describes how the robots of a group read Crawl-delay.
func (d explainer) sayDelays(p *prose, line robots.Line) {
	if line.Group < 0 {
		return
	}
	for i, name := range d.policy().Groups()[line.Group].Agents() {
		if i == maxReaders {
			return
		}
		switch d.options.Robots.Named(name).CrawlDelay() {
		case agent.DelayIgnored:
			p.item("%s ignores it", code(name))
		case agent.DelayPause:
			p.item("%s takes it for the seconds between two requests", code(name))
		case agent.DelayRate:
			p.item("%s takes it for seconds in which it makes at most one request", code(name))
		}
	}
}

// inWords returns a duration in words, such as "5 seconds".
func inWords(d time.Duration) string {
	for _, unit := range []struct {
		of   time.Duration
		name string
	}{{time.Hour, "hour"}, {time.Minute, "minute"}} {
		if d >= unit.of && d%unit.of == 0 {
			return plural(int(d/unit.of), unit.name)
		}
	}
	if d == time.Second {
		return "1 second"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " seconds"
}
