package audit

import (
	"cmp"
	"net/netip"
	"slices"
	"sort"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit/accesslog"
)

// A Judgement is the result of an audit for one request.
type Judgement struct {
	Token    string       // of the robot or program; "" for people
	Kind     agent.Kind   // agent.Robot, agent.Program, or 0 for people
	Identity agent.Result // whether the client is the robot
	Proxy    bool         // whether the client is a proxy in front of the server; Identity says nothing about it then

	// Class is Allowed for requests that are not judged. Unjudged is why a request is not judged,
	// as in Report.Unjudged; "person" if the client is neither a robot nor a program; "robots.txt"
	// if it is for that. It is "" for requests that are judged.
	Class    Class
	Unjudged string

	// Version and Rule are those that disallow the request at its time: also a forged one, which
	// is not judged. They are zero if it is allowed.
	Version string
	Rule    robots.Rule
}

// A Judge judges requests one by one, by all that a part knows: the logs are read once for the
// part, and again for the judgements. It is used by one goroutine.
type Judge struct {
	tally     *tally // of the part; only its caches change
	timelines []*timeline
	robots    map[robotPlace]*robotJudge
}

// A robotJudge is a judge of a robot at a place, with the data to judge requests in any order.
type robotJudge struct {
	*judge
	classifiers map[string]*classifier // by finding
	byClient    map[netip.Addr][]hit
}

type robotPlace struct {
	robot *robotTally
	place int
}

// Judge returns a judge for requests of the part. The part must not change while the judge is used.
func (p *Part) Judge() *Judge {
	r := &reporter{tally: p.tally, report: &Report{}}
	for _, place := range p.tally.places {
		r.addPlace(place)
	}
	p.tally.proxies = p.tally.senders.wholeProxies()
	return &Judge{tally: p.tally, timelines: r.timelines, robots: map[robotPlace]*robotJudge{}}
}

// Judge judges a request that is in the part.
func (j *Judge) Judge(r *accesslog.Request) Judgement {
	t := j.tally
	robot, device := t.robot(r.UserAgent)
	if robot == nil {
		return Judgement{Unjudged: "person"}
	}
	place := t.places[t.auditor.placeOf(hostName(r.Host))]
	out, byRules := t.judgement(robot, device, r, j.timelines[place.number] != nil)
	if byRules {
		j.of(robot, place.number).judgeRequest(&out, r)
	}
	return out
}

// judgement returns the part of the judgement of a robot's request that does not depend on rules,
// and whether rules decide the rest. hasVersions says whether the host has versions of robots.txt.
func (t *tally) judgement(robot *robotTally, device bool, r *accesslog.Request, hasVersions bool) (out Judgement,
	byRules bool) {
	out = Judgement{Token: robot.agent.Token, Kind: robot.key.kind, Proxy: t.proxies.has(r.Client),
		Identity: t.proxies.identity(t.identity(robot, device, r.Client))}
	switch {
	case isRobotsTxt(r.Path):
		out.Unjudged = "robots.txt"
	case robot.dropped:
		out.Unjudged = "others"
	case robot.key.kind != agent.Robot:
		out.Unjudged = "program"
	case out.Identity == agent.Device:
		out.Unjudged = "device"
	case t.proxies.isOwn(r.Client):
		out.Unjudged = "own"
	case out.Identity == agent.Forged:
		out.Unjudged = "forged"
	case r.Path == nil:
		out.Unjudged = "target"
	case !hasVersions:
		out.Unjudged = "host"
	}
	// The rules say of a forged request, too, whether they disallow it.
	return out, (out.Unjudged == "" || out.Unjudged == "forged") && r.Path != nil && hasVersions
}

// of returns the judge of a robot at a place.
func (j *Judge) of(robot *robotTally, place int) *robotJudge {
	key := robotPlace{robot, place}
	if b := j.robots[key]; b != nil {
		return b
	}
	rules := j.tally.rulesOf(robot, j.tally.places[place])
	rows := j.tally.proxies.rows(robot.rows[place])
	genuine := mergeRows(rows[agent.Unverifiable], rows[agent.Verified])
	b := &robotJudge{judge: newJudge(j.timelines[place], rules, &genuine.answers),
		classifiers: map[string]*classifier{}, byClient: map[netip.Addr][]hit{}}
	for h := range genuine.answers.all {
		b.byClient[h.client] = b.placed(b.byClient[h.client], h)
	}
	for _, answers := range b.byClient {
		slices.SortStableFunc(answers, func(g, h hit) int { return cmp.Compare(g.second, h.second) })
	}
	j.robots[key] = b
	return b
}

// judgeRequest judges a request with a path.
func (b *robotJudge) judgeRequest(out *Judgement, r *accesslog.Request) {
	second := r.Time.Unix()
	if out.Unjudged == "" && b.everyoneAt(second) {
		out.Unjudged = "everyone"
		return
	}
	finding := b.rules.appendFinding(nil, text(r.Path), second)
	if len(finding) == 0 {
		return
	}
	t := b.classifiers[string(finding)]
	if t == nil {
		t = b.classifier(finding)
		b.classifiers[string(finding)] = t
	}
	if !t.disallow(out, second) {
		return
	}
	var value uint64 = zonedTime
	if !r.Zoned {
		value = unzonedTime
	}
	switch {
	case t.certain(second, value):
		out.Class = Certain
	default:
		out.Class = t.informedOrGrace(b.byClient[r.Client], second, value)
	}
}

// disallow adds the version and the rule that disallow a request at a second to its judgement. It
// reports whether there is such a rule and the request has a class then.
func (t *classifier) disallow(out *Judgement, second int64) bool {
	version, rule := t.disallowedBy(second)
	if rule < 0 {
		return false
	}
	out.Version, out.Rule = t.versions[version].id, t.rules.version[version].rules[rule]
	return out.Unjudged == ""
}

// lastBefore returns the hits of the last second, not after a second, that has one.
func lastBefore(hits []hit, second int64) []hit {
	end := sort.Search(len(hits), func(i int) bool { return hits[i].second > second })
	if end == 0 {
		return nil
	}
	begin, _ := slices.BinarySearchFunc(hits[:end], hits[end-1].second, func(h hit, second int64) int {
		return cmp.Compare(h.second, second)
	})
	return hits[begin:end]
}
