package audit

import (
	"iter"
	"net/netip"
	"slices"
	"sort"
)

// A liveHost is the state of a Live for a host.
type liveHost struct {
	answers  []hit     // to GET /robots.txt, in order, those that can still matter
	timeline *timeline // by these answers, or nil after another one
}

// A liveRobot has the answers of a host to a robot's requests for robots.txt.
type liveRobot struct {
	forbidden []int64              // the seconds of answers 401 and 403, in order
	byClient  map[netip.Addr][]hit // the answers to each address, in order
	last      int64                // the second of the last answer
}

// Limits of memory.
const (
	maxLiveClients = 200_000 // addresses with answers to robots
	maxLiveAnswers = 50_000  // answers of a host that are kept for longer than lateness
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
	}
	l.added++
	robot.last = max(robot.last, h.second)
	if kindOfValue(h.value) == forbidden {
		if i, found := slices.BinarySearch(robot.forbidden, h.second); !found {
			robot.forbidden = slices.Insert(robot.forbidden, i, h.second)
		}
	}
	answers, known := robot.byClient[h.client]
	if !known {
		if l.clients >= maxLiveClients {
			return
		}
		l.clients++
	}
	robot.byClient[h.client] = insertHit(answers, h)
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
	from := l.latest - lateness
	for _, p := range l.tally.places[:len(l.tally.places)-1] {
		if p.site == nil {
			continue
		}
		if h := l.hosts[p.site.host]; h != nil {
			h.answers, h.timeline = stillMatters(h.answers, p.site, from, from-l.tally.auditor.horizon()), nil
		}
	}
	o := l.tally.auditor.options
	for key, robot := range l.robots {
		l.clients -= len(robot.byClient)
		robot.forget(from, from-seconds(o.Slack)-1, from-seconds(o.Slack)-1-seconds(o.Grace))
		l.clients += len(robot.byClient)
		if robot.last < from-l.tally.auditor.horizon() {
			l.clients -= len(robot.byClient)
			delete(l.robots, key)
		}
	}
}

// forget forgets answers before a second but the last, and of each client those before the last
// answer that can inform a request, and those too old to.
func (robot *liveRobot) forget(from, informs, tooOld int64) {
	if i, _ := slices.BinarySearch(robot.forbidden, from); i > 1 {
		robot.forbidden = slices.Delete(robot.forbidden, 0, i-1)
	}
	for client, answers := range robot.byClient {
		if last := lastBefore(answers, informs); len(last) > 0 {
			answers = slices.DeleteFunc(answers, func(h hit) bool { return h.second < last[0].second })
		}
		if answers = slices.DeleteFunc(answers, func(h hit) bool { return h.second < tooOld }); len(answers) == 0 {
			delete(robot.byClient, client)
			continue
		}
		robot.byClient[client] = answers
	}
}

// stillMatters filters the answers of a site, in place, and keeps those that matter for requests
// from a second on. Of the answers before that second it keeps those that begin and end times of
// failure, the last one without robots.txt, and those that show when a version began. Failures that
// ended before horizon do not matter.
func stillMatters(answers []hit, s *site, from, horizon int64) []hit {
	old := sort.Search(len(answers), func(i int) bool { return answers[i].second >= from })
	keep := make([]bool, old)
	lastNothing, opened, kept := -1, -1, 0
	open := false
	for i := 0; i < old; {
		end, fails, others := i, false, false
		for ; end < old && answers[end].second == answers[i].second; end++ {
			if kind := kindOfValue(answers[end].value); kind == failed {
				fails = true
			} else {
				others = true
				if kind == nothing {
					lastNothing = end
				}
			}
		}
		// A second changes something if it begins or ends a time of failure.
		if fails && !open || others && open {
			for k := i; k < end; k++ {
				keep[k] = answers[i].second >= horizon
			}
			kept += end - i
			if fails {
				opened = i
			}
		}
		open = fails || open && !others
		i = end
	}
	if kept > maxLiveAnswers {
		// Failures that alternate with other answers become one time of failure, which is mild to
		// robots.
		found := false
		for i := range keep {
			keep[i] = !found && keep[i] && kindOfValue(answers[i].value) == failed
			found = found || keep[i]
		}
	}
	if open && opened >= 0 {
		for k := opened; k < old && answers[k].second == answers[opened].second; k++ {
			keep[k] = true
		}
	}
	if lastNothing >= 0 {
		keep[lastNothing] = true
	}
	keepShown(keep, answers, s)
	n := 0
	for i, h := range answers {
		if i >= old || keep[i] {
			answers[n] = h
			n++
		}
	}
	return answers[:n]
}

// keepShown keeps the answers that timeline.shift uses: for each version the last one with the size
// of the version before, and the first one with its own size after that.
func keepShown(keep []bool, answers []hit, s *site) {
	lastOld := make([]int, len(s.versions))
	own := make([]int, len(s.versions))
	for i := range lastOld {
		lastOld[i], own[i] = -1, -1
	}
	for i, h := range answers[:len(keep)] {
		size := sizeOfValue(h.value)
		if kindOfValue(h.value) != read || size < 0 {
			continue
		}
		v := at(s.versions, h.second)
		switch {
		case v > 0 && s.versions[v-1].known && size == s.versions[v-1].size:
			lastOld[v], own[v] = i, -1
		case lastOld[v] >= 0 && own[v] < 0 && s.versions[v].known && size == s.versions[v].size &&
			h.second > answers[lastOld[v]].second:
			own[v] = i
		}
	}
	for _, list := range [][]int{lastOld, own} {
		for _, i := range list {
			if i >= 0 {
				keep[i] = true
			}
		}
	}
}
