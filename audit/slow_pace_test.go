package audit_test

import (
	"cmp"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
)

// This file is the slow twin of the pace of robots. The sentences are those of decision 81.

// "Pace is by host and token." "/robots.txt, requests without a path, and hosts that are not judged are in
// no pace; gaps between requests of one second are 0."
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
	}
	return p
}

// "Of certain time: the line states its zone, or Options.Zone is given and the clock shows the time once."
func (s *slow) isCertainTime(v visit) bool {
	return v.zoned || s.o.Zone != nil && len(sameClock(v.at, s.o.Zone)) == 0
}

// paceVersions returns the versions of a host that ask for a pace, with the requests of certain time while
// they were in force.
func (s *slow) paceVersions(site *slowSite, list []visit, pauses bool) (out []audit.PaceVersion) {
	of := map[*slowVersion]*audit.PaceVersion{}
	for i, v := range list {
		version := site.versionAt(v.at)
		if !asksForPace(version, v.agent) {
			continue // the robot may go by this version
		}
		n := of[version]
		if n == nil {
			n = &audit.PaceVersion{Host: v.host, Version: version.ID}
			if version.from != always {
				n.From = stamp(version.from)
			}
			if d := crawlDelay(version, v.agent).Seconds(); d > 0 {
				n.CrawlDelay = &d
			}
			of[version] = n
		}
		n.Requests++
		if pauses && i > 0 && time.Duration(v.at-list[i-1].at+1)*time.Second <= s.shortestDelay(site, v) {
			n.Faster++
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
	g := groupOf(version.policy, userAgent)
	return crawlDelay(version, userAgent) > 0 || len(g.RequestRates()) > 0 || len(g.VisitTimes()) > 0
}

// "A gap is faster if gap + 1 s <= the shortest Crawl-delay (none = 0) of the versions that the robot may
// go by at the later request."
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
	delay, _ := groupOf(version.policy, userAgent).CrawlDelay()
	return delay.Delay
}

// "The longest delay, as before stands for all." "In force at a host at
// any moment from the robot's first request to the host to its last, if one of them is for a path other than
// /robots.txt."
func (s *slow) asked(p *audit.Pace, visits []visit) {
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
			if !any || version.policy == nil || version.from >= version.to || version.to <= first || version.from > last {
				continue
			}
			if d := crawlDelay(version, visits[0].agent).Seconds(); d > 0 && (p.Asked == nil || d > *p.Asked) {
				p.Asked = &d
			}
		}
	}
}
