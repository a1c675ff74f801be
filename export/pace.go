package export

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/export/internal/headerregex"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/requestrate"
)

// paceServers are the servers that can count the requests of a robot with what they bring.
var paceServers = []string{"nginx", "haproxy", "lighttpd", "nginx-lua", "haproxy-lua"}

// canPace is the text that says so.
var canPace = strings.Join(paceServers[:len(paceServers)-1], ", ") + " and " + paceServers[len(paceServers)-1] + " can"

// A limit is a pace that robots.txt asks for: Crawl-delay, Request-rate or both.
type limit struct {
	record robots.Record // one of them
	pause  time.Duration // of Crawl-delay, or 0
	early  time.Duration // how much earlier than the pause a request may come

	documents int // of Request-rate, or 0
	period    time.Duration
}

// rate returns the pause of Request-rate, or 0, and how much earlier a request may come: all
// documents of a period may come at once.
func (l *limit) rate() (pause, early time.Duration) {
	if l.documents == 0 {
		return 0, 0
	}
	pause = l.period / time.Duration(l.documents)
	return pause, pause*time.Duration(l.documents-1) + jitter
}

const (
	longestPause  = 24 * time.Hour   // as of a guard
	shortestPause = time.Millisecond // shorter ones are none
	jitter        = time.Second      // the way to the server may shorten a pause by it, as of a guard

	// maxLimits is the maximum number of limits of expressions: each takes memory or rules.
	maxLimits = 200
)

// limitOf returns the pace that a group asks for, and whether there is one. A rate that holds at
// some times of the day would need a clock, so it is left out with the others of its group.
func (p *plan) limitOf(g *robots.Group, a agent.Agent) (l limit, ok bool) {
	delay, _ := g.CrawlDelay()
	l.record, l.pause = delay.Record, min(delay.Delay, longestPause)
	l.early = jitter + l.pause/10
	if a.CrawlDelay() == agent.DelayRate {
		l.early = jitter + l.pause // one request at any time within each window
	}
	rates := g.RequestRates()
	timed := slices.ContainsFunc(rates, func(r robots.RequestRate) bool { return r.Window != nil })
	rate := requestrate.At(rates, time.Time{})
	if rate.Documents > 0 && !timed && min(rate.Period, longestPause)/time.Duration(rate.Documents) >= shortestPause {
		l.documents, l.period = rate.Documents, min(rate.Period, longestPause)
		if l.pause <= 0 {
			l.record = rate.Record
		}
	}
	if timed || len(g.VisitTimes()) > 0 {
		p.untimed = true
	}
	if l.pause < shortestPause {
		l.pause, l.early = 0, 0
	}
	return l, l.pause > 0 || l.documents > 0
}

// paceOf returns the plan of the paces, whose classes are indexes of limits, or nil if no group
// asks for a pace.
func (p *plan) paceOf() *plan {
	q := &plan{server: p.server, site: p.site, options: p.options, policy: p.policy, numbers: make(map[string]int),
		paced: true}
	q.everyone = q.number(p.policy.For(), agent.Agent{})
	q.addNames()
	if q.untimed {
		p.notes = append(p.notes, "Visit-time, and Request-rate at some times of the day, are not enforced")
	}
	if len(q.limits) == 0 {
		return nil
	}
	return q
}

// limitNumber returns the index of the limit of a robot that obeys a group, or -1.
func (p *plan) limitNumber(g *robots.Group, a agent.Agent) int {
	l, ok := p.limitOf(g, a)
	if !ok {
		return -1
	}
	key := fmt.Sprint(l.pause, l.early, l.documents, l.period)
	n, known := p.numbers[key]
	if !known {
		n = len(p.limits)
		p.limits, p.numbers[key] = append(p.limits, l), n
	}
	return n
}

// paceRecords returns the records of a policy that ask for a pace.
func paceRecords(p *robots.Policy) (list []robots.Record) {
	for _, f := range robots.Fields() {
		if f.Pace {
			list = append(list, p.Records(f.Name)...)
		}
	}
	slices.SortFunc(list, func(a, b robots.Record) int { return a.Line - b.Line })
	return list
}

// leftOut says which records of pace the files of a server leave out, or nothing.
func leftOut(server string, p *robots.Policy, o *Options) string {
	records := paceRecords(p)
	if o.Pace || len(records) == 0 {
		return ""
	}
	way := "export with --pace to enforce the pace"
	if !slices.Contains(paceServers, server) {
		way = "this server cannot enforce a pace, but " + canPace + ", with --pace"
	}
	first := printable.Clipped(records[0].String(), 60)
	return fmt.Sprintf("line %d of robots.txt, %s, is left out: %s", records[0].Line, first, way)
}

// checkPace refuses a pace that the server cannot enforce.
func checkPace(server string, o *Options) error {
	if !o.Pace || slices.Contains(paceServers, server) {
		return nil
	}
	hint := ""
	if server == "caddy" {
		hint = "; the module robots_guard can in Caddy"
	}
	return &Refusal{Server: server, Reason: "it has no means of its own to count the requests of a robot; " +
		canPace + " enforce a pace" + hint}
}

// A paceHeaders is the lines by which a server finds the pace of a header, and the expressions
// whose group is the name of the robot.
type paceHeaders struct {
	headerregex.Lines
	keys []string
}

// paceHeaders writes the lines of the plan of a pace. capture is a group of an expression.
func (p *plan) paceHeaders(capture string, size int) (*paceHeaders, error) {
	if len(p.limits) > maxLimits {
		return nil, &Refusal{Server: p.server,
			Reason: fmt.Sprintf("it asks for %d different paces, more than %d", len(p.limits), maxLimits)}
	}
	lines, err := headerregex.Of(p.names, p.options.Agents == All, size)
	if err != nil {
		return nil, err
	}
	if p.everyone < 0 || p.options.Agents == Named {
		lines.Other = nil
	}
	free := func(n headerregex.Name) bool { return p.paceClass(n.Class) == "n" }
	paced := slices.DeleteFunc(slices.Clone(p.names), free)
	keys, err := headerregex.Keys(paced, capture, size)
	return &paceHeaders{*lines, keys}, err
}

// paceClass returns the index of the limit of a class as text, "u" for the class that another
// question decides, or "n" for none.
func (p *plan) paceClass(c headerregex.Class) string {
	switch {
	case c == headerregex.Everyone && p.everyone >= 0 && p.options.Agents != Named:
		return fmt.Sprint(p.everyone)
	case c >= 0:
		return fmt.Sprint(int(c))
	}
	return "n"
}
