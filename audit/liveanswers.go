package audit

import (
	"iter"
	"net/netip"
	"slices"
)

// A liveHost is the state of a Live for a host.
type liveHost struct {
	answers  []hit     // to GET /robots.txt, in order, those that can still matter
	timeline *timeline // by these answers, or nil after another one
}

// A liveRobot has the answers of a host to a robot's requests for robots.txt.
type liveRobot struct {
	answers  []hit                // to the robot, without clients, in order, those that can still matter
	byClient map[netip.Addr][]hit // the placed answers to each address, in order
	last     int64                // the second of the last answer
	unread   bool                 // its last answer failed: that matters until the next one
}

// Limits of memory.
const (
	maxLiveClients = 200_000 // addresses with answers to robots
	maxLiveOutages = 25_000  // outages of a host
	maxOwnOutages  = 16      // outages of one robot alone
)

// host returns what is known of a host with versions.
func (l *Live) host(name string) *liveHost {
	h := l.hosts[name]
	if h == nil {
		h = &liveHost{}
		l.hosts[name] = h
	}
	return h
}

// timeline returns the timeline of a host until now, from its answers.
func (l *Live) timeline(s *site) *timeline {
	h := l.host(s.host)
	if h.timeline == nil {
		h.timeline = newTimeline(l.tally.auditor.options, s, iter.Seq[hit](slices.Values(h.answers)))
	}
	return h.timeline
}

// addAnswer keeps the answer to a robot's request for robots.txt.
func (l *Live) addAnswer(key liveKey, h hit) {
	robot := l.robots[key]
	if robot == nil {
		robot = &liveRobot{byClient: map[netip.Addr][]hit{}, last: always}
		l.robots[key] = robot
		if l.lost { // it may have failed to read robots.txt for long
			second := h.second - l.tally.auditor.horizon()
			robot.answers = append(robot.answers, hit{second: second, value: uint64(failed), count: 1})
		}
	}
	l.added++
	robot.last = max(robot.last, h.second)
	robot.answers = insertHit(robot.answers, hit{second: h.second, value: h.value, count: 1})
	answers, known := robot.byClient[h.client]
	if !known {
		if l.clients >= maxLiveClients {
			return
		}
		l.clients++
	}
	for _, h := range (wallClock{l.tally.auditor.options.Zone}).placed(nil, h) {
		answers = insertHit(answers, h)
	}
	robot.byClient[h.client] = answers
}

// insertHit inserts a hit of the same client into hits in order, unless it is there.
func insertHit(hits []hit, h hit) []hit {
	if n := len(hits); n == 0 || compareHits(hits[n-1], h) < 0 {
		return append(hits, h)
	}
	i, found := slices.BinarySearchFunc(hits, h, compareHits)
	if found {
		return hits
	}
	return slices.Insert(hits, i, h)
}

// forget drops answers that do not matter for requests from lateness before the latest on.
func (l *Live) forget() {
	l.forgotten, l.added = l.latest, 0
	from, horizon := l.latest-lateness, l.latest-lateness-l.tally.auditor.horizon()
	slack, grace := seconds(l.tally.auditor.options.Slack), seconds(l.tally.auditor.options.Grace)
	unread := 0 // robots that are known only because their last answer failed
	timelines := map[string]*timeline{}
	for _, p := range l.tally.places[:len(l.tally.places)-1] {
		if p.site != nil {
			timelines[p.site.host] = l.timeline(p.site)
		}
	}
	for key, robot := range l.robots {
		l.clients -= len(robot.byClient)
		if t := timelines[key.host]; t != nil {
			j := judge{timeline: t}
			down := j.hold(slices.Values(robot.answers))
			o := t.outagesFrom(down, slices.Values(robot.answers)).since(horizon, maxOwnOutages)
			robot.answers = t.stillMatters(robot.answers, j.own, down, o, from, nil)
			robot.unread = len(o) > 0 && o[len(o)-1].to == maxSecond
		}
		if robot.last < horizon && robot.unread {
			unread++
		}
		if robot.last < horizon && (!robot.unread || unread > maxTokens) {
			l.lost = l.lost || robot.unread
			delete(l.robots, key)
			continue
		}
		robot.forget(from-slack-1, from-slack-1-grace-lateness)
		l.clients += len(robot.byClient)
	}
	for host, t := range timelines {
		h := l.hosts[host]
		o := t.outages.since(horizon, maxLiveOutages)
		h.answers = t.stillMatters(h.answers, t.nothing, t.down, o, from, t.shows(h.answers))
		h.timeline = nil
	}
}

// forget forgets of each client the answers before the last one that can inform a request, and
// those too old to.
func (robot *liveRobot) forget(informs, tooOld int64) {
	for client, answers := range robot.byClient {
		if last := lastBefore(answers, informs); len(last) > 0 {
			answers = slices.DeleteFunc(answers, func(h hit) bool { return h.second < last[0].second-lateness })
		}
		if answers = slices.DeleteFunc(answers, func(h hit) bool { return h.second < tooOld }); len(answers) == 0 {
			delete(robot.byClient, client)
			continue
		}
		robot.byClient[client] = answers
	}
}

// since returns the outages that end after a second. More than most become one that does not end,
// which is mild to robots.
func (o outages) since(second int64, most int) outages {
	for len(o) > 0 && o[0].to < second {
		o = o[1:]
	}
	if len(o) > most {
		return outages{{from: o[0].from, to: maxSecond}}
	}
	return o
}

// stillMatters filters answers, in place, and keeps those that matter for requests from a second
// on. Later answers can refute answers for two more hours, and reads refute answers for an hour,
// or two where an hour occurs twice. Of what was before, it keeps the last answer that told that
// there is no robots.txt, those that begin and end outages, and those that are shown. Outages that
// meet are one: after an answer in it that is kept, the next of the failed ones is kept, too, so
// that the outage goes on.
func (t *timeline) stillMatters(answers []hit, told, down []int64, o outages, from int64, shown map[int]bool) []hit {
	const whole, reads = 2 * lateness, 4 * lateness
	lastTold := int64(always)
	if i, _ := slices.BinarySearch(told, from-whole); i > 0 {
		lastTold = told[i-1]
	}
	begins, ends := map[int64]bool{}, map[int64]bool{}
	for _, p := range o {
		begins[p.from], ends[p.to] = true, true
	}
	matters := func(i int, h hit) bool {
		kind := kindOfValue(h.value)
		first, last := t.times(h)
		return h.second >= from-whole || kind == read && h.second >= from-reads || shown[i] ||
			kind == failed && (begins[first] || begins[last]) ||
			(kind == nothing || kind == forbidden) && (first == lastTold || last == lastTold) ||
			kind != failed && ends[last]
	}
	for i, h := range answers {
		if len(o) == 0 || kindOfValue(h.value) == failed || !matters(i, h) {
			continue
		}
		first, _ := t.times(h)
		if next, _ := slices.BinarySearch(down, max(first, o[0].from)); next < len(down) {
			begins[down[next]] = true
		}
	}
	kept := answers[:0]
	for i, h := range answers {
		if !matters(i, h) {
			continue
		}
		first, last := t.times(h)
		if kindOfValue(h.value) == nothing && h.second < from-whole && first != lastTold && last != lastTold {
			// It only ends an outage. It holds no more for all: the reads that refuted it go.
			h.value = h.value&^kindMask | uint64(forbidden)
		}
		kept = append(kept, h)
	}
	return kept
}

// shows returns the indexes of the answers that shift uses: for each version the last ones with the
// size of the version before, and the first ones with its own size after that.
func (t *timeline) shows(answers []hit) map[int]bool {
	shown := map[int]bool{}
	for _, time := range []func(hit) int64{
		func(h hit) int64 { first, _ := t.times(h); return first },
		func(h hit) int64 { _, last := t.times(h); return last },
	} {
		old, begins := shownBy(t.given, slices.Values(answers), time)
		for i, h := range answers {
			second := time(h)
			if v := at(t.given, second); kindOfValue(h.value) == read && (second == old[v] || second == begins[v]) {
				shown[i] = true
			}
		}
	}
	return shown
}
