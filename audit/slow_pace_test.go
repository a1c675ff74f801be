package audit_test

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
)

// This file is the slow twin of the pace of robots. The sentences are those of decision 82.

// "Pace is by host and token." "/robots.txt, requests without a path, and hosts that are not judged
// are in no pace; gaps between requests of one second are 0."
func (s *slow) pace(a agent.Agent, visits []visit) (p audit.Pace) {
	p.Versions = []audit.PaceVersion{}
	byHost := map[string][]visit{}
	for _, v := range visits {
		if v.path != "" && !isRobotsTxt(v) && s.hosts[v.host] != nil {
			byHost[v.host] = append(byHost[v.host], v)
		}
	}
	var gaps []int64
	for _, list := range byHost {
		minutes := map[int64]int64{}
		for i, v := range list {
			minutes[v.at/60]++
			p.Peak = max(p.Peak, minutes[v.at/60])
			if i > 0 {
				gaps = append(gaps, v.at-list[i-1].at)
			}
		}
	}
	if len(gaps) > 0 {
		slices.Sort(gaps)
		n := len(gaps)
		median := float64(gaps[(n-1)/2]+gaps[n/2]) / 2
		p.Median = &median
	}
	s.asked(&p, visits)
	if a.CrawlDelay() == agent.DelayIgnored {
		return p
	}
	for host, list := range byHost {
		list = slices.DeleteFunc(list, func(v visit) bool { return !s.isCertainTime(v) })
		p.Judged += int64(len(list))
		p.Versions = append(p.Versions, s.paceVersions(s.hosts[host], list, a.CrawlDelay() != agent.DelayRate)...)
	}
	slices.SortFunc(p.Versions, func(a, b audit.PaceVersion) int {
		return cmp.Or(cmp.Compare(a.Host, b.Host), a.From.Compare(b.From))
	})
	for _, v := range p.Versions {
		p.Faster += v.Faster
		if v.Exceeded > 0 {
			p.RequestRate.Exceeded += v.Exceeded
		}
		if v.Outside > 0 {
			p.VisitTime.Outside += v.Outside
		}
	}
	return p
}

// "Of certain time: the line states its zone, or Options.Zone is given and the clock shows the time
// once."
func (s *slow) isCertainTime(v visit) bool {
	return v.zoned || s.o.Zone != nil && len(sameClock(v.at, s.o.Zone)) == 0
}

// paceVersions returns the versions of a host that ask for a pace, with the requests of certain
// time while they were in force.
func (s *slow) paceVersions(site *slowSite, list []visit, pauses bool) (out []audit.PaceVersion) {
	of := map[*slowVersion]*audit.PaceVersion{}
	for i, v := range list {
		version := site.versionAt(v.at)
		if !asksForPace(version, v.agent) {
			continue // the robot may go by this version
		}
		n := of[version]
		if n == nil {
			n = &audit.PaceVersion{Host: v.host, Version: version.ID, RequestRate: []string{}, VisitTime: []string{}}
			if version.from != always {
				n.From = stamp(version.from)
			}
			if d := crawlDelay(version, v.agent).Seconds(); d > 0 {
				n.CrawlDelay = &d
			}
			g := version.group(v.agent)
			for _, r := range g.RequestRates() {
				n.RequestRate = append(n.RequestRate, strings.TrimSpace(rateText(r)+" "+windowText(r.Window)))
			}
			for _, w := range g.VisitTimes() {
				n.VisitTime = append(n.VisitTime, windowText(&w.Window))
			}
			of[version] = n
		}
		n.Requests++
		if pauses && i > 0 && time.Duration(v.at-list[i-1].at+1)*time.Second <= s.shortestDelay(site, v) {
			n.Faster++
		}
		if s.exceeds(site, list, i) {
			n.Exceeded++
		}
		if s.isOutside(site, v) {
			n.Outside++
		}
	}
	for _, n := range of {
		out = append(out, *n)
	}
	return out
}

func asksForPace(version *slowVersion, userAgent string) bool {
	if version.policy == nil {
		return false
	}
	g := version.group(userAgent)
	return crawlDelay(version, userAgent) > 0 || len(g.RequestRates()) > 0 || len(g.VisitTimes()) > 0
}

// "A gap is faster if gap + 1 s <= the shortest Crawl-delay (none = 0) of the versions that the
// robot may go by at the later request."
func (s *slow) shortestDelay(site *slowSite, v visit) time.Duration {
	shortest := time.Duration(1 << 62)
	for _, version := range s.mayGoBy(site, v.robot.Token, v.at) {
		shortest = min(shortest, crawlDelay(version, v.agent))
	}
	if shortest == 0 {
		return -1
	}
	return shortest
}

// crawlDelay returns the Crawl-delay of a version for a robot, or 0.
func crawlDelay(version *slowVersion, userAgent string) time.Duration {
	if version == nil || version.policy == nil {
		return 0
	}
	delay, _ := version.group(userAgent).CrawlDelay()
	return delay.Delay
}

// A slowDay is what a version asks a robot at each minute of the day.
type slowDay struct {
	rates [24 * 60]slowRate
	open  [24 * 60]bool
}

type slowRate struct{ n, seconds int64 } // zero if there is none

type dayKey struct {
	version *slowVersion
	agent   string
}

// "Of the rates for the time of the day, the one with the fewest documents per time; if there is
// none for that time, the same of those for the whole day. Of equal ones the one with the longer
// period." "Times that begin when they end may be meant as the whole day."
func (s *slow) day(version *slowVersion, userAgent string) *slowDay {
	key := dayKey{version, userAgent}
	if s.days[key] != nil {
		return s.days[key]
	}
	d := &slowDay{}
	s.days[key] = d
	var rates []robots.RequestRate
	var visits []robots.VisitTime
	if version != nil && version.policy != nil {
		g := version.group(userAgent)
		rates, visits = g.RequestRates(), g.VisitTimes()
	}
	slices.SortStableFunc(rates, slowestFirst)
	for m := range d.rates {
		at := stamp(int64(m) * 60)
		for _, r := range rates {
			if r.Window == nil && d.rates[m] == (slowRate{}) {
				d.rates[m] = rateOf(r)
			}
		}
		for _, r := range slices.Backward(rates) {
			if r.Window != nil && r.Window.Contains(at) {
				d.rates[m] = rateOf(r)
			}
		}
		d.open[m] = len(visits) == 0
		for _, w := range visits {
			d.open[m] = d.open[m] || w.Window.Contains(at)
		}
	}
	return d
}

func rateOf(r robots.RequestRate) slowRate {
	return slowRate{int64(r.Documents), int64(r.Period / time.Second)}
}

func slowestFirst(a, b robots.RequestRate) int {
	ra, rb := rateOf(a), rateOf(b)
	return cmp.Or(big.NewRat(ra.n, ra.seconds).Cmp(big.NewRat(rb.n, rb.seconds)), cmp.Compare(rb.seconds, ra.seconds))
}

func minuteOf(second int64) int64 { return ((second/60)%1440 + 1440) % 1440 }

// "A rate is exceeded only if all versions that the robot may have gone by in the whole period
// before ask for one, and all of these are exceeded." Decided: the period is the longest of those
// that the versions ask that the robot may go by at the request.
func (s *slow) exceeds(site *slowSite, list []visit, i int) bool {
	v, longest := list[i], int64(0)
	for _, version := range s.mayGoBy(site, v.robot.Token, v.at) {
		r := s.day(version, v.agent).rates[minuteOf(v.at)]
		if r.n == 0 {
			return false
		}
		longest = max(longest, r.seconds)
	}
	token := v.robot.Token
	for _, version := range s.mayGoBySince(site, token, s.windowStart(site, token, v.at+1-longest), v.at) {
		if !s.exceedsRate(s.day(version, v.agent), list, i) {
			return false
		}
	}
	return true
}

// "A rate of n documents in m seconds is exceeded by a request if more than n requests, with this
// one as the last, are in the m seconds that end with its own." "Only requests count for which the
// rate holds from a slack before to a slack after them, without a break."
func (s *slow) exceedsRate(d *slowDay, list []visit, i int) bool {
	slack := int64(s.o.Slack / time.Second)
	end := list[i].at
	r := d.rates[minuteOf(end)]
	if r.n == 0 {
		return false
	}
	for at := end; at < end+slack+60; at += 60 {
		if d.rates[minuteOf(min(at, end+slack))] != r {
			return false
		}
	}
	count, checked := int64(0), end
	for j := i; j >= 0 && end-list[j].at < r.seconds; j-- {
		for ; checked > list[j].at-slack; checked = max(checked-60, list[j].at-slack) {
			if d.rates[minuteOf(checked)] != r {
				return false
			}
		}
		if d.rates[minuteOf(checked)] != r {
			return false
		}
		if count++; count > r.n {
			return true
		}
	}
	return false
}

// "Visit-time is not kept if no second from a slack before to a slack after the request is in any
// of the version's times, for all versions that the robot may go by."
func (s *slow) isOutside(site *slowSite, v visit) bool {
	slack := int64(s.o.Slack / time.Second)
	for _, version := range s.mayGoBy(site, v.robot.Token, v.at) {
		d := s.day(version, v.agent)
		for at := v.at - slack; at < v.at+slack+60; at += 60 {
			if d.open[minuteOf(min(at, v.at+slack))] {
				return false
			}
		}
	}
	return true
}

// "The longest delay, as before, the slowest rate and the least time stand for all." "In force at a
// host at any moment from the robot's first request to the host to its last, if one of them is for
// a path other than /robots.txt." Decided: of times of equal length those whose texts come first.
func (s *slow) asked(p *audit.Pace, visits []visit) {
	var rates []robots.RequestRate
	type times struct {
		length int
		texts  []string
	}
	var least *times
	for host, site := range s.hosts {
		if site == nil {
			continue
		}
		first, last, any := never, always, false
		for _, v := range visits {
			if v.host == host {
				any = any || v.path != "" && !isRobotsTxt(v)
				first, last = min(first, v.at), max(last, v.at)
			}
		}
		for _, version := range site.versions {
			if !any || version.policy == nil || version.from >= version.to || version.to <= first ||
				version.from > last {
				continue
			}
			if d := crawlDelay(version, visits[0].agent).Seconds(); d > 0 && (p.Asked == nil || d > *p.Asked) {
				p.Asked = &d
			}
			g := version.group(visits[0].agent)
			rates = append(rates, g.RequestRates()...)
			t := &times{}
			for _, w := range g.VisitTimes() {
				t.texts = append(t.texts, windowText(&w.Window))
			}
			for _, open := range s.day(version, visits[0].agent).open {
				if open {
					t.length++
				}
			}
			if len(t.texts) > 0 && (least == nil ||
				cmp.Or(cmp.Compare(t.length, least.length), slices.Compare(t.texts, least.texts)) < 0) {
				least = t
			}
		}
	}
	if len(rates) > 0 {
		p.RequestRate = &audit.RequestRate{Asked: rateText(slices.MinFunc(rates, slowestFirst))}
	}
	if least != nil {
		p.VisitTime = &audit.VisitTime{Asked: strings.Join(least.texts, ", ")}
	}
}

func rateText(r robots.RequestRate) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{time.Hour, "h"}, {time.Minute, "m"}} {
		if r.Period%unit.length == 0 {
			return fmt.Sprintf("%d/%d%s", r.Documents, r.Period/unit.length, unit.name)
		}
	}
	return fmt.Sprintf("%d/%d", r.Documents, r.Period/time.Second)
}

func windowText(w *robots.Window) string {
	if w == nil {
		return ""
	}
	return stamp(0).Add(w.From).Format("1504") + "-" + strings.ReplaceAll(stamp(0).Add(w.To).Format("1504"), "0000",
		map[bool]string{true: "2400", false: "0000"}[w.To > 0])
}
