package audit_test

import (
	"cmp"
	"net/netip"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
)

// This file is the slow twin of the package: slowReport computes a Report from all requests at
// once. Each function is one sentence of the definition, which stands before the function in
// quotation marks, and reads all requests that the sentence is about. Where the sentences leave a
// choice, the choice stands behind "Decided:".

// A visit is one line of a log that is a request.
type visit struct {
	log    string
	line   int
	at     int64 // seconds since 1970
	zoned  bool
	host   string
	client netip.Addr
	method string
	path   string // of the target, with its query; "" if the target has none
	status int
	bytes  int64 // or -1
	agent  string
	text   string

	referrer string
	took     int64 // seconds, if the line says so

	robot agent.Agent // of agent; set by newSlow
	id    int         // set by newSlow
}

// A slowVersion is a version with its period: the seconds from from to to, without to.
type slowVersion struct {
	audit.Version
	policy   *robots.Policy // nil if the version is not a text
	from, to int64
	soon     int64 // when it began if the answers of a repeated hour came in its first run
	late     bool
	groups   map[string]*robots.Group // by User-Agent: see group
}

const (
	always = int64(-1 << 60) // before all times
	never  = int64(1 << 60)  // after all times
	month  = 30 * 24 * 60 * 60
)

// A slowSite is a host with versions, and the answers to GET /robots.txt there.
type slowSite struct {
	host     string
	versions []*slowVersion
	answers  []visit               // by time
	spans    map[string][][2]int64 // by token, the times that do not run: see standing
	forAll   map[int64]bool        // of holdsForAll
}

// A slow is a slow audit.
type slow struct {
	o      audit.Options
	visits []visit              // all, by time
	hosts  map[string]*slowSite // by the host of a line; nil for hosts without versions

	classes  map[int]class // of visits, once they are known
	times    map[int64][]int64
	days     map[dayKey]*slowDay
	evidence map[evidenceKey]bool
}

// An evidenceKey is a line that may be the example of a rule.
type evidenceKey struct {
	token, host, version string
	line                 int
	example              audit.Example
}

func (v visit) example() audit.Example {
	return audit.Example{Log: v.log, Line: v.line, Text: v.text}
}

// slowReport returns the report of all visits, and the lines that may be examples.
func slowReport(o audit.Options, visits []visit, lines, unreadable int64) (*audit.Report, map[evidenceKey]bool) {
	s := newSlow(o, visits)
	r := &audit.Report{
		Lines: lines, Requests: int64(len(visits)), Unreadable: unreadable,
		Hosts: []audit.Host{}, Robots: []audit.Robot{}, Versions: []audit.InForce{}, Notes: []string{},
	}
	if len(s.visits) > 0 {
		r.First, r.Last = stamp(s.visits[0].at), stamp(s.visits[len(s.visits)-1].at)
	}
	for _, v := range s.visits {
		if v.agent == "" {
			r.Unnamed++
		}
	}
	r.Hosts = s.hostList()
	r.Versions = s.versionList()
	r.Unjudged = s.unjudged()
	r.Robots = s.robotList()
	r.WithoutHours = limitHours(r.Robots)
	s.addCrowds(r)
	return r, s.evidence
}

func newSlow(o audit.Options, visits []visit) *slow {
	if o.Grace == 0 {
		o.Grace = 24 * time.Hour
	}
	if o.Slack == 0 {
		o.Slack = 10 * time.Minute
	}
	o.Slack = max(0, o.Slack)
	if o.Identify == nil {
		o.Identify = func(agent.Agent, netip.Addr) agent.Result { return agent.Unverifiable }
	}
	s := &slow{o: o, visits: slices.Clone(visits), hosts: map[string]*slowSite{}, classes: map[int]class{},
		times: map[int64][]int64{},
		days:  map[dayKey]*slowDay{}, evidence: map[evidenceKey]bool{}}
	known := map[string]agent.Agent{}
	for i := range s.visits {
		v := &s.visits[i]
		robot, ok := known[v.agent]
		if !ok {
			robot = agent.Lookup(v.agent)
			known[v.agent] = robot
		}
		v.host, v.robot, v.id = strings.ToLower(v.host), robot, i
	}
	slices.SortStableFunc(s.visits, func(a, b visit) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.log, b.log), cmp.Compare(a.line, b.line))
	})
	s.chooseSites()
	for _, v := range s.visits {
		if site := s.hosts[v.host]; site != nil && isRobotsTxt(v) && v.method == "GET" {
			site.answers = append(site.answers, v)
		}
	}
	for _, site := range s.sites() {
		s.moveLate(site)
	}
	return s
}

// "The versions of the host "" are those of the requests whose lines name no host. If all lines
// name hosts, they are those of the only host that the logs name and Sites does not. Requests to
// other such hosts are not judged."
func (s *slow) chooseSites() {
	others, unnamed := map[string]bool{}, false
	for _, v := range s.visits {
		if _, ok := s.o.Sites[v.host]; !ok && v.host != "" {
			others[v.host] = true
		}
		unnamed = unnamed || v.host == ""
	}
	for _, v := range s.visits {
		if _, ok := s.hosts[v.host]; ok {
			continue
		}
		versions, ok := s.o.Sites[v.host]
		if !ok && len(others) == 1 && !unnamed {
			versions, ok = s.o.Sites[""]
		}
		if ok {
			s.hosts[v.host] = &slowSite{host: v.host, versions: givenPeriods(versions)}
		}
	}
}

// sites returns the hosts with versions.
func (s *slow) sites() (list []*slowSite) {
	for _, site := range s.hosts {
		list = append(list, site)
	}
	return list
}

// "A version says what robots.txt asked from a time on [...] A version counts from its second on."
// "Before the first version of a host, its robots.txt is Unknown, unless the first version has the
// zero From."
func givenPeriods(versions []audit.Version) (list []*slowVersion) {
	for i, v := range versions {
		sv := &slowVersion{Version: v, from: always, to: never, soon: always}
		if !v.From.IsZero() {
			sv.from, sv.soon = v.From.Unix(), v.From.Unix()
		}
		if i == 0 && sv.from != always {
			list = append(list, &slowVersion{Version: audit.Version{State: audit.Unknown}, from: always, soon: always})
		}
		if n := len(list); n > 0 {
			list[n-1].to = sv.from
		}
		if v.State == audit.Served {
			sv.policy = robots.Parse(v.Text)
		}
		list = append(list, sv)
	}
	return list
}

// "Where the log's 200 answers to /robots.txt show that a version began later (its length, and no
// other's), the later time counts."
//
// Decided: if answers in the version's period have the length of the version before, and no other
// version of the host has that length, the version begins at the first answer of its own length
// after the last of those, if no other version has that length and the answer is in the period, and
// otherwise a second after the last of those. "In a local hour that occurs twice, an answer counts
// at both times where that is milder": the version begins with all answers at their first times,
// or with all at their last ones; between, each of the two versions may be in force.
func (s *slow) moveLate(site *slowSite) {
	first := site.moved(func(a visit) int64 { return slices.Min(s.timesOf(a)) })
	last := site.moved(func(a visit) int64 { return slices.Max(s.timesOf(a)) })
	for i := len(site.versions) - 1; i > 0; i-- {
		v := site.versions[i]
		if first[i] != always || last[i] != always {
			v.late = true
			v.soon = max(v.from, min(first[i], last[i]))
			v.from = max(v.from, first[i], last[i])
		}
		v.from = min(v.from, v.to) // it was never in force if it began after its end
		if i+1 < len(site.versions) {
			v.soon = min(v.soon, site.versions[i+1].soon)
		}
		site.versions[i-1].to = v.from
	}
}

// moved returns when each version began, or always if no answer shows that it began later.
func (site *slowSite) moved(timeOf func(visit) int64) (begins []int64) {
	for i, v := range site.versions {
		begin := always
		for _, a := range site.answers {
			if at := timeOf(a); i > 0 && site.onlyLength(site.versions[i-1]) && a.status == 200 &&
				a.bytes == int64(len(site.versions[i-1].Text)) && v.from <= at && at < v.to {
				begin = max(begin, at+1)
			}
		}
		own := never
		for _, a := range site.answers {
			if at := timeOf(a); begin != always && site.onlyLength(v) && a.status == 200 &&
				a.bytes == int64(len(v.Text)) && begin <= at && at < v.to {
				own = min(own, at)
			}
		}
		if own != never {
			begin = own
		}
		begins = append(begins, begin)
	}
	return begins
}

// timesOf returns the times at which a line may have been written: two in a local hour that occurs
// twice.
func (s *slow) timesOf(v visit) []int64 {
	if v.zoned || s.o.Zone == nil {
		return []int64{v.at}
	}
	times, ok := s.times[v.at]
	if !ok {
		times = append(sameClock(v.at, s.o.Zone), v.at)
		s.times[v.at] = times
	}
	return times
}

func (site *slowSite) onlyLength(v *slowVersion) bool {
	if v.State != audit.Served {
		return false
	}
	n := 0
	for _, other := range site.versions {
		if other.State == audit.Served && len(other.Text) == len(v.Text) {
			n++
		}
	}
	return n == 1
}

// versionAt returns the version in force at a time, or nil if it is unknown.
func (site *slowSite) versionAt(at int64) *slowVersion {
	for _, v := range site.versions {
		if v.from <= at && at < v.to {
			return v
		}
	}
	return nil
}

// answersFrom returns the answers from a time on.
func (site *slowSite) answersFrom(at int64) []visit {
	i, _ := slices.BinarySearchFunc(site.answers, at, func(a visit, at int64) int { return cmp.Compare(a.at, at) })
	return site.answers[i:]
}

// "/robots%2Etxt is a spelling of /robots.txt."
func isRobotsTxt(v visit) bool {
	path, err := url.PathUnescape(v.path)
	return err == nil && path == "/robots.txt" && v.path[0] == '/'
}

// An answerKind is what an answer to GET /robots.txt tells.
type answerKind int

const (
	noAnswer answerKind = iota
	read
	nothing
	failed
)

// "Answers are the log's lines of GET /robots.txt at that host: read (200, 304), nothing (401, 402,
// 403, 404, 410, 418, 451), failed (429, 5xx). 3xx, other 4xx (they are about the request), HEAD,
// POST, 206 and 499 are none of these."
func kindOf(status int) answerKind {
	switch {
	case status == 200, status == 304:
		return read
	case status == 429, status >= 500 && status <= 599:
		return failed
	case status == 401, status == 402, status == 403, status == 404, status == 410, status == 418, status == 451:
		return nothing
	}
	return noAnswer
}

func isForbidden(status int) bool { return status >= 401 && status <= 403 }

// "An answer nothing or failed holds for the token that had it; all but 401, 402 and 403 hold for
// all if no answer at that host was read from an hour before to an hour after it."
//
// Decided: a forged request is of no token. In a local hour that occurs twice, an answer was read
// within the hour if it was so at both times.
func (s *slow) holdsFor(site *slowSite, token string, a visit, at int64) bool {
	if s.isOwn(a, token) {
		return true
	}
	return !isForbidden(a.status) && s.holdsForAll(site, at)
}

func (s *slow) isOwn(a visit, token string) bool {
	return a.robot.Token == token && s.identity(a.robot, a) != agent.Forged
}

func (s *slow) holdsForAll(site *slowSite, at int64) bool {
	holds, ok := site.forAll[at]
	if !ok {
		holds = s.nobodyReads(site, at)
		if site.forAll == nil {
			site.forAll = map[int64]bool{}
		}
		site.forAll[at] = holds
	}
	return holds
}

func (s *slow) nobodyReads(site *slowSite, at int64) bool {
	for _, b := range site.answersFrom(at - 3*hour) {
		if b.at > at+3*hour {
			break
		}
		far := func(time int64) bool { return time < at-hour || time > at+hour }
		if kindOf(b.status) == read && !slices.ContainsFunc(s.timesOf(b), far) {
			return false
		}
	}
	return true
}

// "Time between a failed answer and the next that is not failed (of that token, where it holds for
// that token alone) does not run for those for whom it holds."
//
// Decided: order within a second has no meaning, so the next answer is in a later second. In a
// local hour that occurs twice, the next answer is later at both times, and ends the time at its
// last one.
func (s *slow) standing(site *slowSite, token string) (spans [][2]int64) {
	if spans, ok := site.spans[token]; ok {
		return spans
	}
	var own []visit
	for _, a := range site.answers {
		if s.isOwn(a, token) {
			own = append(own, a)
		}
	}
	for _, a := range site.answers {
		if kindOf(a.status) != failed {
			continue
		}
		for _, at := range s.timesOf(a) {
			forAll := s.holdsForAll(site, at)
			if !forAll && !s.isOwn(a, token) {
				continue
			}
			next := site.answersFrom(at - 3*hour)
			if !forAll {
				next = own
			}
			end := never
			for _, b := range next {
				k, times := kindOf(b.status), s.timesOf(b)
				if (k == read || k == nothing) && slices.Min(times) > at {
					end = min(end, slices.Max(times))
				}
				if b.at > end+3*hour {
					break
				}
			}
			spans = append(spans, [2]int64{at, end})
		}
	}
	slices.SortFunc(spans, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	var joined [][2]int64
	for _, span := range spans {
		if n := len(joined); n > 0 && span[0] <= joined[n-1][1] {
			joined[n-1][1] = max(joined[n-1][1], span[1])
			continue
		}
		joined = append(joined, span)
	}
	if site.spans == nil {
		site.spans = map[string][][2]int64{}
	}
	site.spans[token] = joined
	return joined
}

// "The last 24 hours and 10 minutes (--grace 24h, --slack 10m for clocks and slow answers, --edge 0
// for a cache before the server). Time [...] does not run (30 days at most)."
//
// windowStart returns the first second of that time before at. Decided: 30 days at most in one
// window; later failures are taken first.
func (s *slow) windowStart(site *slowSite, token string, at int64) int64 {
	run := int64((s.o.Grace + s.o.Slack + s.o.Edge) / time.Second)
	stand := int64(month)
	start := at
	spans := s.standing(site, token)
	for i := len(spans) - 1; i >= 0; i-- {
		from, to := spans[i][0], min(spans[i][1], start)
		if from >= to {
			continue
		}
		if start-to > run {
			break
		}
		run -= start - to
		start = max(from, to-stand)
		stand -= to - start
		if start > from { // the rest of the span runs
			break
		}
	}
	return start - run
}

// "A robot at time t may go by each version that was in force at any moment from 24 hours and 10
// minutes before to 10 minutes after t. [...] It may also go by none if in that time there was an
// answer nothing that holds for it."
//
// A nil in the result is a version that is unknown or none.
func (s *slow) mayGoBy(site *slowSite, token string, at int64) (list []*slowVersion) {
	return s.mayGoBySince(site, token, s.windowStart(site, token, at), at)
}

func (s *slow) mayGoBySince(site *slowSite, token string, start, at int64) (list []*slowVersion) {
	until := at + int64(s.o.Slack/time.Second)
	for _, v := range site.between(start, until) {
		if v.policy == nil {
			v = nil
		}
		list = append(list, v)
	}
	if s.toldNothing(site, token, start, until) {
		list = append(list, nil)
	}
	return list
}

// between returns the versions that may have been in force in a period, both ends included.
func (site *slowSite) between(from, to int64) (list []*slowVersion) {
	for i, v := range site.versions {
		inForce := v.from < v.to || i+1 < len(site.versions) && v.soon < site.versions[i+1].soon
		if inForce && v.soon <= to && v.to > from {
			list = append(list, v)
		}
	}
	return list
}

func (s *slow) toldNothing(site *slowSite, token string, from, to int64) bool {
	for _, a := range site.answersFrom(from - 3*hour) {
		if a.at > to+3*hour {
			break
		}
		for _, at := range s.timesOf(a) {
			if kindOf(a.status) == nothing && from <= at && at <= to && s.holdsFor(site, token, a, at) {
				return true
			}
		}
	}
	return false
}

// anyHost stands before a path in a whole URL: "//x" alone would be a host.
const anyHost = "https://host.example"

// "None and unknown allow."
func disallows(v *slowVersion, userAgent, path string) bool {
	return v != nil && v.policy != nil && !v.group(userAgent).Match(anyHost+path).Allowed
}

func (s *slow) identity(robot agent.Agent, v visit) agent.Result {
	return s.o.Identify(robot, v.client.Unmap())
}

// "It is certain: every version that the robot may go by disallows it."
func (s *slow) everyDisallows(site *slowSite, v visit, at int64) bool {
	for _, version := range s.mayGoBy(site, v.robot.Token, at) {
		if !disallows(version, v.agent, v.path) {
			return false
		}
	}
	return true
}

// changed reports whether a version began in a period, both ends included.
func (site *slowSite) changed(from, to int64) bool {
	for i, version := range site.versions {
		if i > 0 && from <= version.from && version.soon <= to {
			return true
		}
	}
	return false
}

// certain adds to everyDisallows the times without a zone.
//
// "A time without a zone is read in --timezone; without that, no request within 26 hours after a
// change is certain." Decided: without that, a request is certain only if it is in each zone from
// 14 hours ahead of UTC to 12 hours behind: there is no change, and no answer nothing, from 14
// hours before the window to 12 hours after it. "In the hour that daylight saving repeats, a
// request is certain only if it is at both times."
func (s *slow) certain(site *slowSite, v visit) bool {
	if !s.everyDisallows(site, v, v.at) {
		return false
	}
	if v.zoned {
		return true
	}
	if s.o.Zone == nil {
		from, to := s.windowStart(site, v.robot.Token, v.at)-14*hour, v.at+int64(s.o.Slack/time.Second)+12*hour
		return !site.changed(from, to) && !s.toldNothing(site, v.robot.Token, from, to)
	}
	for _, other := range sameClock(v.at, s.o.Zone) {
		if !disallows(site.versionAt(other), v.agent, v.path) || !s.everyDisallows(site, v, other) {
			return false
		}
	}
	return true
}

// sameClock returns the other times at which clocks in a zone show the same.
func sameClock(at int64, zone *time.Location) (others []int64) {
	const clock = "2006-01-02 15:04:05"
	want := time.Unix(at, 0).In(zone).Format(clock)
	for d := int64(-3 * 60 * 60); d <= 3*60*60; d += 15 * 60 {
		if d != 0 && time.Unix(at+d, 0).In(zone).Format(clock) == want {
			others = append(others, at+d)
		}
	}
	return others
}

// "It is informed: not certain; the last answer to this token at this address, at least a second
// and the slack before t and at most the grace, was read, of a version that disallows it." "Forged
// requests inform nobody." "Order within a second has no meaning."
//
// Decided: the last answer of those that are so old; of several answers in its second, each was
// read.
func (s *slow) informed(site *slowSite, v visit) bool {
	return !slices.ContainsFunc(s.timesOf(v), func(at int64) bool { return !s.informedAt(site, v, at) })
}

// informedAt decides for one of the times of a request.
//
// Decided: an answer of a local hour that occurs twice is the last one at each of its times, but
// informs only if both are so old, and all other answers of that hour inform too, because their
// order is not known.
func (s *slow) informedAt(site *slowSite, v visit, at int64) bool {
	newest, oldest := at-1-int64(s.o.Slack/time.Second), at-int64(s.o.Grace/time.Second)
	var own []visit
	last := always
	for _, a := range site.answersFrom(oldest - 3*hour) {
		if kindOf(a.status) == noAnswer || a.client != v.client || !s.isOwn(a, v.robot.Token) {
			continue
		}
		own = append(own, a)
		for _, time := range s.timesOf(a) {
			if time <= newest {
				last = max(last, time)
			}
		}
	}
	var those []visit
	for _, a := range own {
		if slices.Contains(s.timesOf(a), last) {
			those = append(those, a)
		}
	}
	for _, a := range those {
		for _, b := range own {
			if len(s.timesOf(a)) > 1 && len(s.timesOf(b)) > 1 && max(a.at-b.at, b.at-a.at) < day {
				those = append(those, b)
			}
		}
	}
	for _, a := range those {
		for _, time := range s.timesOf(a) {
			if kindOf(a.status) != read || time < oldest || time > newest || !s.disallowsAt(site, v, time) {
				return false
			}
			if !v.zoned && s.o.Zone == nil && site.changed(time-14*hour, time+12*hour) {
				return false // it is not known of which version the answer was
			}
		}
	}
	return len(those) > 0
}

// disallowsAt reports whether each version that may have been in force at a second disallows a
// request.
func (s *slow) disallowsAt(site *slowSite, v visit, at int64) bool {
	for _, version := range site.between(at, at) {
		if !disallows(version, v.agent, v.path) {
			return false
		}
	}
	return true
}

// A class is what a request is.
type class int

const (
	notOfRobot class = iota // of a browser, or of nobody
	ofProgram
	ofForger
	withoutTarget
	ofUnjudgedHost
	ofEveryone
	ofRobotsTxt
	allowed
	certain
	informed
	grace
)

// "Not judged, and counted apart (unjudged): forged requests [...]; hosts without versions; targets
// without a path; programs that do not call themselves robots; robots whose operator documents that
// it does not obey "*", where only "*" is for them. /robots.txt is never a violation."
//
// Decided: the reasons in the order of audit.Unjudged.
//
// "A request is disallowed if the version at t disallows it to its robot. [...] grace: every
// other."
func (s *slow) class(v visit) class {
	c, ok := s.classes[v.id]
	if !ok {
		c = s.judge(v)
		s.classes[v.id] = c
	}
	return c
}

func (s *slow) judge(v visit) class {
	robot := v.robot
	switch {
	case robot.Kind != agent.Robot && robot.Kind != agent.Program, robot.Token == "":
		return notOfRobot
	case isRobotsTxt(v):
		return ofRobotsTxt
	case robot.Kind == agent.Program:
		return ofProgram
	case s.identity(robot, v) == agent.Forged:
		return ofForger
	case v.path == "":
		return withoutTarget
	case s.hosts[v.host] == nil:
		return ofUnjudgedHost
	}
	site := s.hosts[v.host]
	version := site.versionAt(v.at)
	switch {
	case onlyEveryone(version, robot, v.agent):
		return ofEveryone
	case !disallows(version, v.agent, v.path):
		return allowed
	case s.certain(site, v):
		return certain
	case s.informed(site, v):
		return informed
	}
	return grace
}

// group returns the group of a robot in a version with a policy: agent.Group, but a robot that only
// groups with its name can mean does not obey "*" either.
func (v *slowVersion) group(userAgent string) *robots.Group {
	group, ok := v.groups[userAgent]
	if ok {
		return group
	}
	group = agent.Group(v.policy, userAgent)
	if isAlone(agent.Lookup(userAgent)) && group.Token() == "*" {
		group = robots.Parse(nil).For("*")
	}
	if v.groups == nil {
		v.groups = map[string]*robots.Group{}
	}
	v.groups[userAgent] = group
	return group
}

// isAlone reports whether an operator documents that the robot obeys no robots.txt, or the robot
// fetches pages only for persons or does not crawl, and no operator documents that the robot obeys
// robots.txt.
func isAlone(robot agent.Agent) bool {
	for _, name := range strings.Split(robot.Purposes.String(), ", ") {
		if name != "ai-user" && name != "preview" && name != "feed" && robot.Crawler() {
			return robot.Obedience() == agent.Ignores
		}
	}
	return robot.Obedience() != agent.Obeys
}

func onlyEveryone(version *slowVersion, robot agent.Agent, userAgent string) bool {
	if version == nil || version.policy == nil || robot.Everyone() && !isAlone(robot) {
		return false
	}
	return version.group(userAgent).Token() == "" && version.policy.For("no-such-robot").Token() == "*"
}

func (s *slow) unjudged() (u audit.Unjudged) {
	for _, v := range s.visits {
		switch s.class(v) {
		case ofProgram:
			u.Program++
		case ofForger:
			u.Forged++
		case withoutTarget:
			u.Target++
		case ofUnjudgedHost:
			u.Host++
		case ofEveryone:
			u.Everyone++
		}
	}
	return u
}

func (s *slow) hostList() []audit.Host {
	n := map[string]int64{}
	for _, v := range s.visits {
		n[v.host]++
	}
	list := []audit.Host{}
	for host, requests := range n {
		h := audit.Host{Name: host, Requests: requests}
		if site := s.hosts[host]; site != nil {
			h.Judged, h.RobotsTxt = true, s.countAnswers(site)
		}
		list = append(list, h)
	}
	slices.SortFunc(list, func(a, b audit.Host) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// countAnswers returns the answers to GET /robots.txt. Decided: only answers 200 have a size; where
// there was no robots.txt, each size is another one.
func (s *slow) countAnswers(site *slowSite) (n audit.Answers) {
	for _, a := range site.answers {
		switch k := kindOf(a.status); {
		case k == read:
			n.Read++
			fits := func(at int64) bool {
				v := site.versionAt(at)
				return v.State == audit.Unknown || v.State == audit.Served && a.bytes == int64(len(v.Text))
			}
			if a.status == 200 && a.bytes >= 0 && !slices.ContainsFunc(s.timesOf(a), fits) {
				n.OtherSize++
			}
		case k == nothing && isForbidden(a.status):
			n.Forbidden++
		case k == nothing:
			n.Nothing++
		case k == failed:
			n.Failed++
		}
	}
	return n
}

// Decided: the versions of the hosts that the logs have.
func (s *slow) versionList() []audit.InForce {
	list := []audit.InForce{}
	for _, site := range s.sites() {
		for _, v := range site.versions {
			in := audit.InForce{Host: site.host, ID: v.ID, State: v.State, Late: v.late}
			if v.from != always {
				in.From = stamp(v.from)
			}
			if v.to != never {
				in.To = stamp(v.to)
			}
			list = append(list, in)
		}
	}
	slices.SortStableFunc(list, func(a, b audit.InForce) int { return cmp.Compare(a.Host, b.Host) })
	return list
}

func stamp(at int64) time.Time { return time.Unix(at, 0).UTC() }

func (s *slow) robotList() []audit.Robot {
	byToken := map[string][]visit{}
	for _, v := range s.visits {
		if s.class(v) != notOfRobot {
			byToken[v.robot.Token] = append(byToken[v.robot.Token], v)
		}
	}
	list := []audit.Robot{}
	for _, visits := range byToken {
		list = append(list, s.robot(visits))
	}
	slices.SortFunc(list, func(a, b audit.Robot) int {
		return cmp.Or(cmp.Compare(b.Violations.Certain, a.Violations.Certain), cmp.Compare(b.Requests, a.Requests),
			cmp.Compare(a.Token, b.Token))
	})
	return list
}

// robot returns the row of a robot. "requests, bytes, violations of a robot are without its forged
// ones."
func (s *slow) robot(visits []visit) audit.Robot {
	a := visits[0].robot
	r := audit.Robot{Token: a.Token, Kind: a.Kind.String(), Obeys: a.Obedience().String(), Operator: a.Operator,
		Purposes: []string{}}
	for p := range agent.Purposes() {
		if a.Purposes.Has(p) {
			r.Purposes = append(r.Purposes, p.String())
		}
	}
	var own, forged []visit
	for _, v := range visits {
		switch s.identity(a, v) {
		case agent.Verified:
			r.Identity.Verified++
		case agent.Forged:
			r.Identity.Forged++
			r.Forged.Requests++
			if s.forgedViolation(v) {
				r.Forged.Violations++
			}
			forged = append(forged, v)
			continue
		default:
			r.Identity.Unverifiable++
		}
		own = append(own, v)
		s.count(&r, v)
	}
	if len(own) > 0 {
		r.First, r.Last = stamp(own[0].at), stamp(own[len(own)-1].at)
	}
	r.Violations.Rules = s.rules(own)
	r.Violations.AfterRedirect = s.afterRedirect(own)
	for _, v := range own {
		if s.isNormalized(v) {
			r.Violations.Normalized++
		}
	}
	r.Unread = s.unread(own)
	r.Pace.Versions = []audit.PaceVersion{}
	if a.Kind == agent.Robot {
		r.Pace = s.pace(a, own)
	}
	r.Clients, r.Forged.Clients = clients(own), clients(forged)
	r.Hours = s.hours(own)
	r.Addresses, r.AddressCount = s.addresses(own)
	r.UserAgents = userAgents(own)
	return r
}

// "AfterRedirect counts of Count the requests that came from an address up to ten seconds after its
// last redirect there (301, 302, 303, 307 or 308), one for each redirect, and none that is a
// redirect itself."
func (s *slow) afterRedirect(own []visit) (n int64) {
	type place struct {
		client netip.Addr
		host   string
		at     int64
	}
	redirects, requests := map[place]int64{}, map[place]int64{}
	for _, v := range own {
		if v.path != "" && !isRobotsTxt(v) && slices.Contains([]int{301, 302, 303, 307, 308}, v.status) {
			redirects[place{v.client, v.host, v.at}]++
		}
	}
	for _, v := range own {
		c, status := s.class(v), []int{301, 302, 303, 307, 308}
		if c != certain && c != informed && c != grace || slices.Contains(status, v.status) {
			continue
		}
		for ago := range int64(11) {
			if key := (place{v.client, v.host, v.at - ago}); redirects[key] > 0 {
				requests[key]++
				break
			}
		}
	}
	for key := range requests {
		n += min(requests[key], redirects[key])
	}
	return n
}

var (
	escapedMark = regexp.MustCompile(`(?i)%2e|%2f|%3b`)
	parameters  = regexp.MustCompile(`;[^/]*`)
	dotsAtEnd   = regexp.MustCompile(`(^|/)\.{0,2}$`)
)

// "Normalized counts other requests: those that are allowed as they are written, were answered with
// 2xx, and are disallowed once their paths have no empty or dot segments, parameters, or escaped
// slashes, dots and semicolons."
func (s *slow) isNormalized(v visit) bool {
	if s.class(v) != allowed || v.status/100 != 2 {
		return false
	}
	before, query, _ := strings.Cut(v.path, "?")
	before = escapedMark.ReplaceAllStringFunc(before, func(mark string) string {
		mark, _ = url.PathUnescape(mark)
		return mark
	})
	before = parameters.ReplaceAllString(before, "")
	clean := path.Clean("/" + before)
	if dotsAtEnd.MatchString(before) && clean != "/" {
		clean += "/"
	}
	if strings.Contains(v.path, "?") {
		clean += "?" + query
	}
	return disallows(s.hosts[v.host].versionAt(v.at), v.agent, clean)
}

// "Addresses are those of its disallowed requests with the most certain violations, then with the
// most requests: up to 50 of AddressCount."
func (s *slow) addresses(visits []visit) ([]audit.Address, int64) {
	of := map[string]*audit.Address{}
	list := []audit.Address{}
	for _, v := range visits {
		if c := s.class(v); !v.client.IsValid() || c != certain && c != informed && c != grace {
			continue
		}
		name := v.client.String()
		if of[name] == nil {
			of[name] = &audit.Address{Address: name, Verified: true}
		}
		add(&of[name].Count, s.class(v))
		of[name].Verified = of[name].Verified && s.identity(v.robot, v) == agent.Verified
	}
	for _, a := range of {
		list = append(list, *a)
	}
	sum := func(a audit.Address) int64 { return a.Certain + a.Informed + a.Grace }
	slices.SortFunc(list, func(a, b audit.Address) int {
		return cmp.Or(cmp.Compare(b.Certain, a.Certain), cmp.Compare(sum(b), sum(a)), cmp.Compare(a.Address, b.Address))
	})
	return list[:min(len(list), 50)], int64(len(list))
}

// "Its headers, cut to 256 bytes: those with the smallest hashes, up to 5." The requests must have
// no invalid bytes in these.
func userAgents(visits []visit) []string {
	list := []string{}
	for _, v := range visits {
		list = append(list, v.agent[:min(len(v.agent), 256)])
	}
	slices.Sort(list)
	list = slices.Compact(list)
	slices.SortFunc(list, func(a, b string) int { return cmp.Compare(audit.HashHeader(a), audit.HashHeader(b)) })
	list = list[:min(len(list), 5)]
	slices.Sort(list)
	return list
}

// "Clients counts the different addresses of clients." The addresses must be too few for an
// estimate.
func clients(visits []visit) audit.Clients {
	list := map[netip.Addr]bool{}
	for _, v := range visits {
		if v.client.IsValid() {
			list[v.client.Unmap()] = true
		}
	}
	return audit.Clients{Addresses: int64(len(list))}
}

// "Forged: those that the version at their time disallows to the robot."
func (s *slow) forgedViolation(v visit) bool {
	site := s.hosts[v.host]
	return s.class(v) == ofForger && v.path != "" && site != nil && disallows(site.versionAt(v.at), v.agent, v.path)
}

// count adds a request that is not forged. "Judged: of Requests, those that are held against
// robots.txt."
func (s *slow) count(r *audit.Robot, v visit) {
	r.Requests++
	switch s.class(v) {
	case allowed, certain, informed, grace:
		r.Judged++
	}
	r.Bytes += max(v.bytes, 0)
	if isRobotsTxt(v) && (v.method == "GET" || v.method == "HEAD") {
		r.RobotsTxt++
	}
	if isRobotsTxt(v) && v.method == "GET" && kindOf(v.status) == read && stamp(v.at).After(r.LastRead) {
		r.LastRead = stamp(v.at)
	}
	if slices.Contains([]int{401, 403, 429, 444}, v.status) {
		r.Refused++
	}
	switch v.status / 100 {
	case 1:
		r.Statuses.Informational++
	case 2:
		r.Statuses.Successful++
	case 3:
		r.Statuses.Redirected++
	case 4:
		r.Statuses.ClientError++
	case 5:
		r.Statuses.ServerError++
	default:
		r.Statuses.Other++
	}
	c := s.class(v)
	add(&r.Violations.Count, c)
	if (c == certain || c == informed || c == grace) && s.forEveryone(v) {
		add(&r.Violations.Everyone, c)
	}
	if s.identity(v.robot, v) == agent.Verified {
		add(&r.Violations.Verified, c)
	}
}

// "Everyone says whether the rule stands in a group that names "*"." It is for disallowed requests.
func (s *slow) forEveryone(v visit) bool {
	version := s.hosts[v.host].versionAt(v.at)
	line := agent.Group(version.policy, v.agent).Match(anyHost + v.path).Rule.Line
	for _, group := range version.policy.Groups() {
		for rule := range group.Rules() {
			if rule.Line == line && slices.Contains(group.Agents(), "*") {
				return true
			}
		}
	}
	return false
}

// "Unread counts requests of a robot, of those that are held against robots.txt, before the logs
// have an answer about robots.txt to the robot at the same host: 200, 304, or that there is none. A
// request in the second of the answer is not before it." "Late are those of both that came so long
// after the first request at their host that a robot may not rely on a copy from before the logs."
func (s *slow) unread(own []visit) (u audit.Unread) {
	answers := map[string][]visit{} // by host
	for _, a := range own {
		if k := kindOf(a.status); isRobotsTxt(a) && a.method == "GET" && (k == read || k == nothing) {
			answers[a.host] = append(answers[a.host], a)
		}
	}
	for _, v := range own {
		switch s.class(v) {
		case allowed, certain, informed, grace:
		default:
			continue
		}
		before := func(a visit) bool { return a.at <= v.at }
		switch all := answers[v.host]; {
		case len(all) == 0:
			u.Never++
		case slices.ContainsFunc(all, before):
			continue
		default:
			u.Before++
		}
		first := slices.IndexFunc(s.visits, func(w visit) bool { return w.host == v.host })
		if s.windowStart(s.hosts[v.host], v.robot.Token, v.at) >= s.visits[first].at {
			u.Late++
		}
	}
	return u
}

// hours returns the hours of UTC with requests, and the disallowed requests of each.
func (s *slow) hours(visits []visit) (list []audit.Hour) {
	for _, v := range visits {
		begin := stamp(v.at - v.at%3600)
		if n := len(list); n == 0 || !list[n-1].Begin.Equal(begin) {
			list = append(list, audit.Hour{Begin: begin})
		}
		h := &list[len(list)-1]
		h.Requests++
		h.Bytes += max(v.bytes, 0)
		if v.status/100 == 5 {
			h.Errors++
		}
		if c := s.class(v); c == certain || c == informed || c == grace {
			if h.Violations == nil {
				h.Violations = &audit.Count{}
			}
			add(h.Violations, c)
		}
	}
	return list
}

// "If those of all robots of the table are more than 524,288, these robots have Days in their
// place. The robots in no table have no Hours from the hash of a token on, where the sum is more
// than 262,144." It returns how many robots with requests have no hours.
//
// Decided: if the days are too many, too, these robots have none.
func limitHours(robots []audit.Robot) (without int) {
	maxKnown, maxOthers := audit.Limits()
	var others []*audit.Robot
	hours, days := 0, 0
	for i := range robots {
		r := &robots[i]
		if !agent.Lookup(r.Token).Known() {
			others = append(others, r)
			continue
		}
		hours += len(r.Hours)
		days += len(daysOf(r.Hours))
	}
	for i := range robots {
		if r := &robots[i]; agent.Lookup(r.Token).Known() && hours > maxKnown {
			if days <= maxKnown {
				r.Days = daysOf(r.Hours)
			}
			r.Hours = nil
		}
	}
	slices.SortFunc(others, func(a, b *audit.Robot) int {
		return cmp.Compare(audit.HashToken(a.Token, a.Kind), audit.HashToken(b.Token, b.Kind))
	})
	sum := 0
	for _, r := range others {
		if sum += len(r.Hours); sum > maxOthers {
			r.Hours = nil
		}
	}
	for _, r := range robots {
		if r.Requests > 0 && r.Hours == nil {
			without++
		}
	}
	return without
}

func daysOf(hours []audit.Hour) (days []audit.Hour) {
	for _, h := range hours {
		begin := h.Begin.Truncate(24 * time.Hour)
		if n := len(days); n == 0 || !days[n-1].Begin.Equal(begin) {
			days = append(days, audit.Hour{Begin: begin})
		}
		d := &days[len(days)-1]
		d.Requests += h.Requests
		d.Bytes += h.Bytes
		d.Errors += h.Errors
		if n := h.Violations; n != nil {
			if d.Violations == nil {
				d.Violations = &audit.Count{}
			}
			d.Violations.Certain += n.Certain
			d.Violations.Informed += n.Informed
			d.Violations.Grace += n.Grace
		}
	}
	return days
}

func add(n *audit.Count, c class) {
	switch c {
	case certain:
		n.Certain++
	case informed:
		n.Informed++
	case grace:
		n.Grace++
	}
}

// rules returns the rules that requests did not obey, "the most certain violations first, then the
// most requests, then by host and by time. Requests, Example, First and Last are of the certain
// violations, or if there are none of all disallowed requests."
//
// Decided: any of these lines is an example. slow.evidence has them, and the report the first one.
func (s *slow) rules(visits []visit) []audit.Rule {
	type key struct {
		host    string
		version int64
		line    int
	}
	type group struct{ certain, all []visit }
	rules, groups := map[key]*audit.Rule{}, map[key]*group{}
	var keys []key
	for _, v := range visits {
		c := s.class(v)
		if c != certain && c != informed && c != grace {
			continue
		}
		version := s.hosts[v.host].versionAt(v.at)
		rule := agent.Group(version.policy, v.agent).Match(anyHost + v.path).Rule
		k := key{v.host, version.from, rule.Line}
		if rules[k] == nil {
			rules[k] = &audit.Rule{Host: v.host, Version: version.ID, Line: rule.Line, Rule: rule.String(),
				Everyone: s.forEveryone(v)}
			groups[k] = &group{}
			keys = append(keys, k)
		}
		add(&rules[k].Count, c)
		groups[k].all = append(groups[k].all, v)
		if c == certain {
			groups[k].certain = append(groups[k].certain, v)
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.host, b.host), cmp.Compare(a.version, b.version), cmp.Compare(a.line, b.line))
	})
	list := []audit.Rule{}
	for _, k := range keys {
		rule, of := rules[k], groups[k].certain
		if len(of) == 0 {
			of = groups[k].all
		}
		rule.Requests = int64(len(of))
		rule.First, rule.Last = stamp(of[0].at), stamp(of[len(of)-1].at)
		rule.Example = of[0].example()
		for _, v := range of {
			s.evidence[evidenceKey{v.robot.Token, v.host, rule.Version, rule.Line, v.example()}] = true
		}
		list = append(list, *rule)
	}
	slices.SortStableFunc(list, func(a, b audit.Rule) int {
		return cmp.Or(cmp.Compare(b.Certain, a.Certain), cmp.Compare(b.Requests, a.Requests),
			cmp.Compare(a.Host, b.Host), a.First.Compare(b.First))
	})
	return list
}
