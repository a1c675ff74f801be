package audit

import (
	"cmp"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots/agent"
)

// Report judges the requests of the part. It may be called several times.
func (p *Part) Report() *Report {
	t := p.tally
	r := &reporter{tally: t, report: &Report{
		Lines: t.Lines, Requests: t.Requests, Unreadable: t.Unreadable, Unnamed: t.Unnamed,
		Hosts: []Host{}, Robots: []Robot{}, Versions: []InForce{}, Notes: []string{},
	}}
	if t.Requests > 0 {
		r.report.First, r.report.Last = clock(t.First), clock(t.Last)
	}
	r.proxies = t.senders.wholeProxies()
	r.addProxies()
	for _, place := range t.places {
		r.addPlace(place)
	}
	var suspects sync.WaitGroup
	suspects.Go(r.addSuspects) // from the samples, which robots do not use
	r.addRobots()
	r.addOthers()
	suspects.Wait()
	r.sort()
	return r.report
}

// clock returns a second as a time.
func clock(second int64) time.Time { return time.Unix(second, 0).UTC() }

// A reporter makes a report.
type reporter struct {
	*tally
	report    *Report
	timelines []*timeline // by place; nil if the place is not judged
	proxies   proxyView
	unlisted  []robotVerdict
}

// addPlace adds the hosts of a place, and the versions that were in force there.
func (r *reporter) addPlace(p *place) {
	hosts := r.hosts(p)
	r.report.Hosts = append(r.report.Hosts, hosts...)
	r.report.OtherHosts += p.hosts.more
	if len(hosts) == 0 || !hosts[0].Judged {
		r.timelines = append(r.timelines, nil)
		return
	}
	t := newTimeline(r.auditor.options, p.site, p.answers.all)
	r.timelines = append(r.timelines, t)
	for i, v := range t.versions {
		in := InForce{Host: hosts[0].Name, ID: v.id, State: v.state, Late: t.late[i]}
		if v.from != always {
			in.From = clock(v.from)
		}
		if i+1 < len(t.versions) {
			in.To = clock(t.versions[i+1].from)
		}
		r.report.Versions = append(r.report.Versions, in)
	}
	r.report.Hosts[len(r.report.Hosts)-1].RobotsTxt = t.answers
}

// hosts returns the hosts of a place that have requests. They are judged alike; if there are
// several, none is.
func (r *reporter) hosts(p *place) []Host {
	var hosts []Host
	switch {
	case p.number == len(r.places)-1:
		for name, n := range p.hosts.counts {
			hosts = append(hosts, Host{Name: name, Requests: *n})
		}
	case p.requests > 0 && p.number < len(r.auditor.sites):
		hosts = append(hosts, Host{Name: p.site.host, Requests: p.requests})
	case p.requests > 0:
		hosts = append(hosts, Host{Requests: p.requests})
	}
	if len(hosts) == 1 {
		// A host in a log without hosts is that of a target in absolute form, mostly one that a
		// client hopes to reach through the server.
		foreign := p.number == len(r.places)-1 && r.places[p.number-1].requests > 0
		hosts[0].Judged = p.site != nil && p.hosts.more == 0 && !foreign
	}
	return hosts
}

// addRobots adds the robots and programs. They have nothing in common, so they are judged at the
// same time, as many as there are processors.
func (r *reporter) addRobots() {
	robots := slices.Collect(maps.Values(r.robots))
	verdicts := make([]robotVerdict, len(robots))
	var (
		next  atomic.Int64
		group sync.WaitGroup
	)
	for range min(len(robots), runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(robots)); i = next.Add(1) - 1 {
				verdicts[i] = r.verdict(robots[i])
			}
		})
	}
	group.Wait()
	slices.SortFunc(verdicts, func(v, w robotVerdict) int { return compareRobots(v.Robot, w.Robot) })
	strangers := 0
	for _, v := range verdicts {
		if !v.known {
			if strangers++; strangers > maxListed {
				r.unlisted = append(r.unlisted, v)
				r.report.Unjudged.add(v.unjudged)
				continue
			}
		}
		r.report.Robots = append(r.report.Robots, v.Robot)
		if v.Requests > 0 && len(v.Hours) == 0 {
			r.report.WithoutHours++
		}
		r.report.Unjudged.add(v.unjudged)
	}
}

// A robotVerdict is the part of a report about a robot or a program.
type robotVerdict struct {
	Robot
	known    bool // in the table
	tally    *robotTally
	unjudged Unjudged
	periods  *periodCounter // of the disallowed requests
	clients  series         // of the disallowed requests; value: see verifiedClient
}

// add adds the numbers of a robot.
func (u *Unjudged) add(v Unjudged) {
	u.Program += v.Program
	u.Device += v.Device
	u.Own += v.Own
	u.Forged += v.Forged
	u.Target += v.Target
	u.Host += v.Host
	u.Everyone += v.Everyone
}

// verdict judges a robot or a program.
func (r *reporter) verdict(robot *robotTally) robotVerdict {
	a := robot.agent
	out := robotVerdict{Robot: Robot{
		Token: a.Token, Kind: robot.key.kind.String(), Obeys: a.Obedience().String(),
		Operator: a.Operator, Purposes: []string{}, Violations: Violations{Rules: []Rule{}},
	}}
	if a.Purposes != 0 {
		out.Purposes = strings.Split(a.Purposes.String(), ", ")
	}
	out.known, out.tally = a.Known(), robot
	out.periods = newPeriodCounter(robot)
	var pace paces
	var all headers
	for number, rows := range robot.rows {
		rows = r.proxies.rows(rows)
		genuine := mergeRows(rows[agent.Unverifiable], rows[agent.Verified])
		forged, device := mergeRows(rows[agent.Forged]), mergeRows(rows[agent.Device])
		own := mergeRows(rows[ownSoftware])
		out.addIdentity(rows)
		out.addCounts(genuine)
		out.addCounts(device)
		out.addCounts(own)
		all.join(genuine.headers)
		all.join(device.headers)
		all.join(own.headers)
		for _, w := range []*row{genuine, device, own} {
			out.addReads(w)
		}
		out.Forged.Requests += forged.Requests
		if robot.key.kind != agent.Robot {
			for _, w := range []*row{genuine, forged, device, own} {
				out.unjudged.Program += w.Judgeable + w.Targets
			}
			continue
		}
		out.unjudged.Device += device.Judgeable + device.Targets
		out.unjudged.Own += own.Judgeable + own.Targets
		out.unjudged.Forged += forged.Judgeable + forged.Targets
		out.unjudged.Target += genuine.Targets
		timeline := r.timelines[number]
		if timeline == nil {
			out.unjudged.Host += genuine.Judgeable
			continue
		}
		j := newJudge(timeline, r.rulesOf(robot, r.places[number]), &genuine.answers)
		out.Unread.addUnread(genuine, j, r.places[number].first)
		pace.add(r.hostOf(number), genuine, a.CrawlDelay(), j)
		everyone := j.everyone(&genuine.seconds.series)
		out.unjudged.Everyone += everyone
		out.Judged += genuine.Judgeable - everyone
		rows[ownSoftware] = nil
		r.judge(&out, j, number, rows)
	}
	clients := &robot.clients
	if r.proxies.is() && out.Forged.Requests == 0 {
		clients = &clientSet{precision: robot.clients.precision}
		clients.join(&robot.clients)
		clients.join(&robot.forgers)
	} else {
		out.Forged.Clients = robot.forgers.clients(out.Forged.Requests)
	}
	out.Clients = clients.clients(out.Requests)
	out.Hours, out.Days = robot.hours(out.periods)
	out.UserAgents = all.texts()
	out.Addresses, out.AddressCount = out.clients.addresses(r.proxies)
	out.Pace = pace.report()
	return out
}

// mergeRows returns the requests of rows as one row, without the disallowed ones.
func mergeRows(rows ...*row) *row {
	all := &row{}
	for _, w := range rows {
		if w == nil {
			continue
		}
		all.addCounts(&w.rowCounts)
		all.seconds.chunks = append(all.seconds.chunks, w.seconds.chunks...)
		all.answers.chunks = append(all.answers.chunks, w.answers.chunks...)
		all.redirects.chunks = append(all.redirects.chunks, w.redirects.chunks...)
		all.headers.join(w.headers)
	}
	return all
}

// addIdentity counts the requests by identity.
func (out *Robot) addIdentity(rows [identities]*row) {
	for identity, n := range map[agent.Result]*int64{
		agent.Verified: &out.Identity.Verified, agent.Forged: &out.Identity.Forged,
		agent.Unverifiable: &out.Identity.Unverifiable, agent.Device: &out.Identity.Device,
		ownSoftware: &out.Identity.Unverifiable,
	} {
		if w := rows[identity]; w != nil {
			*n += w.Requests
		}
	}
}

// addCounts adds the numbers of a row.
func (out *Robot) addCounts(w *row) {
	if w.Requests == 0 {
		return
	}
	first, last := clock(w.First), clock(w.Last)
	if out.Requests == 0 || first.Before(out.First) {
		out.First = first
	}
	if out.Requests == 0 || last.After(out.Last) {
		out.Last = last
	}
	out.Requests += w.Requests
	out.Bytes += w.Bytes
	out.RobotsTxt += w.RobotsTxt
	out.Refused += w.Refused
	s := &out.Statuses
	for i, n := range []*int64{&s.Other, &s.Informational, &s.Successful, &s.Redirected, &s.ClientError,
		&s.ServerError} {
		*n += w.Statuses[i]
	}
}

// addReads looks for the last time at which the robot read robots.txt.
func (out *Robot) addReads(w *row) {
	for h := range w.answers.all { // by client
		if at := clock(h.second); kindOfValue(h.value) == read && at.After(out.LastRead) {
			out.LastRead = at
		}
	}
}

// everyone counts the requests at times when only "*" has rules for a robot that does not obey it.
func (j *judge) everyone(requests *series) (count int64) {
	any := false
	for _, v := range j.rules.version {
		any = any || v.everyone
	}
	if !any {
		return 0
	}
	for h := range requests.all {
		if j.everyoneAt(h.second) {
			count += int64(h.count)
		}
	}
	return count
}

// everyoneAt reports whether at a second only "*" has rules for a robot that does not obey it.
func (j *judge) everyoneAt(second int64) bool {
	return j.rules.version[at(j.versions, second)].everyone
}

// A ruleKey is a rule of a version.
type ruleKey struct{ version, rule int }

// A ruleCount is the requests that a rule disallows.
type ruleCount struct {
	Count
	first, last               int64 // of the certain ones
	anyFirst, anyLast         int64
	example, anyExample       Example
	exampleTime, anyExampleAt int64
}

// judge adds the violations of a robot at a place.
func (r *reporter) judge(out *robotVerdict, j *judge, number int, rows [identities]*row) {
	rules := map[ruleKey]*ruleCount{}
	genuine := rows
	genuine[agent.Forged] = nil
	follows := newFollower(genuine)
	for identity, w := range rows {
		if w == nil {
			continue
		}
		if agent.Result(identity) != agent.Forged {
			for findings, requests := range w.normalized {
				out.Violations.Normalized += j.countNormalized(findings, requests)
			}
		}
		for finding, d := range w.disallowed {
			t := j.classifier([]byte(finding))
			if agent.Result(identity) == agent.Forged {
				out.Forged.Violations += t.countDisallowed(&d.series)
				continue
			}
			verified := agent.Result(identity) == agent.Verified
			clients := clientCounter{verified: verified}
			followed, stop := follows.reader()
			t.classes(&d.series, func(h hit, c Class) {
				if c == Allowed {
					return
				}
				version, rule := t.disallowedBy(h.second)
				key := ruleKey{version, rule}
				if rules[key] == nil {
					rules[key] = &ruleCount{}
				}
				rules[key].add(h, c)
				clients.add(h, c)
				out.periods.add(h, c)
				out.Violations.Count.add(c, h.count)
				out.Violations.AfterRedirect += followed(h)
				if verified {
					out.Violations.Verified.add(c, h.count)
				}
			})
			stop()
			clients.addTo(&out.clients)
			for _, e := range d.examples {
				for _, x := range e.all() {
					version, rule := t.disallowedBy(x.Second)
					if n := rules[ruleKey{version, rule}]; n != nil {
						n.addExample(x, t.certain(x.Second, x.Value))
					}
				}
			}
		}
	}
	host := r.hostOf(number)
	for key, n := range rules {
		version := &j.versions[key.version]
		rule := j.rules.version[key.version].rules[key.rule]
		found := n.rule(host, version.id, rule.Line, rule.String())
		if found.Everyone = version.everyones()[rule.Line]; found.Everyone {
			out.Violations.Everyone.addCount(n.Count)
		}
		out.Violations.Rules = append(out.Violations.Rules, found)
	}
}

// hostOf returns the name of the host of a place that is judged.
func (r *reporter) hostOf(number int) string {
	p := r.places[number]
	if number < len(r.auditor.sites) {
		return p.site.host
	}
	for host := range p.hosts.counts {
		return host
	}
	return ""
}

// countNormalized counts the requests that the version at their time allows as they are written,
// and disallows as served has them.
func (j *judge) countNormalized(findings [2]string, requests *series) (count int64) {
	written, served := j.classifier([]byte(findings[0])), j.classifier([]byte(findings[1]))
	for h := range requests.all {
		if _, rule := written.disallowedBy(h.second); rule >= 0 {
			continue
		}
		if _, rule := served.disallowedBy(h.second); rule >= 0 {
			count += int64(h.count)
		}
	}
	return count
}

// countDisallowed counts the requests that the version at their time disallows.
func (t *classifier) countDisallowed(requests *series) (count int64) {
	for h := range requests.all {
		if _, rule := t.disallowedBy(h.second); rule >= 0 {
			count += int64(h.count)
		}
	}
	return count
}

// add counts requests of a class.
func (c *Count) add(class Class, count uint64) {
	switch class {
	case Certain:
		c.Certain += int64(count)
	case Informed:
		c.Informed += int64(count)
	case InGrace:
		c.Grace += int64(count)
	}
}

// addCount adds other counts.
func (c *Count) addCount(d Count) {
	c.Certain += d.Certain
	c.Informed += d.Informed
	c.Grace += d.Grace
}

// add counts requests.
func (n *ruleCount) add(h hit, c Class) {
	if n.Count == (Count{}) {
		n.anyFirst, n.anyLast = h.second, h.second
	}
	n.anyFirst, n.anyLast = min(n.anyFirst, h.second), max(n.anyLast, h.second)
	if c == Certain {
		if n.Certain == 0 {
			n.first, n.last = h.second, h.second
		}
		n.first, n.last = min(n.first, h.second), max(n.last, h.second)
	}
	n.Count.add(c, h.count)
}

// addExample keeps the first example.
func (n *ruleCount) addExample(x example, certain bool) {
	earlier := func(second int64, y Example) bool {
		return y.Log == "" || cmp.Or(cmp.Compare(x.Second, second), strings.Compare(x.Log, y.Log),
			cmp.Compare(x.Line, y.Line)) < 0
	}
	if earlier(n.anyExampleAt, n.anyExample) {
		n.anyExample, n.anyExampleAt = x.Example, x.Second
	}
	if certain && earlier(n.exampleTime, n.example) {
		n.example, n.exampleTime = x.Example, x.Second
	}
}

// rule returns the counts as they are reported.
func (n *ruleCount) rule(host, version string, line int, text string) Rule {
	out := Rule{Host: host, Version: version, Line: line, Rule: text, Count: n.Count}
	if n.Certain > 0 {
		out.Requests, out.Example, out.First, out.Last = n.Certain, n.example, clock(n.first), clock(n.last)
		return out
	}
	out.Requests = n.Informed + n.Grace
	out.Example, out.First, out.Last = n.anyExample, clock(n.anyFirst), clock(n.anyLast)
	return out
}

// addOthers adds the requests of the robots in no table that are not listed, and of the robots that
// were not kept.
func (r *reporter) addOthers() {
	if r.capped.others == nil && len(r.unlisted) == 0 {
		return
	}
	var others Others
	clients := clientSet{precision: unknownPrecision}
	if r.capped.others != nil {
		for _, rows := range r.capped.others.rows {
			all := mergeRows(rows[:]...)
			others.Requests += all.Requests
			others.Bytes += all.Bytes
			r.report.Unjudged.Others += all.Judgeable + all.Targets
		}
		clients.join(&r.capped.others.clients)
	}
	for _, v := range r.unlisted {
		others.Requests += v.Requests
		others.Bytes += v.Bytes
		others.Violations.addCount(v.Violations.Count)
		clients.join(&v.tally.clients)
	}
	others.Clients = clients.clients(others.Requests)
	r.report.Others = &others
}

// compareRobots orders robots as a report has them.
func compareRobots(g, h Robot) int {
	return cmp.Or(-cmp.Compare(g.Violations.Certain, h.Violations.Certain), -cmp.Compare(g.Requests, h.Requests),
		strings.Compare(g.Token, h.Token), strings.Compare(g.Kind, h.Kind))
}

// sort sorts the lists of the report.
func (r *reporter) sort() {
	slices.SortFunc(r.report.Hosts, func(g, h Host) int { return strings.Compare(g.Name, h.Name) })
	slices.SortStableFunc(r.report.Versions, func(v, w InForce) int { return strings.Compare(v.Host, w.Host) })
	for _, robot := range r.report.Robots {
		slices.SortFunc(robot.Violations.Rules, func(g, h Rule) int {
			return cmp.Or(-cmp.Compare(g.Certain, h.Certain), -cmp.Compare(g.Requests, h.Requests),
				strings.Compare(g.Host, h.Host), g.First.Compare(h.First), strings.Compare(g.Version, h.Version),
				cmp.Compare(g.Line, h.Line))
		})
	}
}
