package audit

// Unread counts requests of a robot, of those that are held against robots.txt, before the logs
// have an answer about robots.txt to the robot at the same host: 200, 304, or that there is none. A
// request in the second of the answer is not before it.
type Unread struct {
	Before int64 `json:"before"` // at hosts that the robot had an answer from later
	Never  int64 `json:"never"`  // at hosts that it had no answer from

	// Late are those of both that came so long after the first request at their host that a robot
	// may not rely on a copy from before the logs: the period of Options.Grace, Slack and Edge
	// before them is in the logs.
	Late int64 `json:"late"`
}

// addUnread counts the requests of a robot to a host before its first answer there. The first
// request at the host is that of anybody.
func (u *Unread) addUnread(w *row, j *judge, firstAtHost int64) {
	answer := int64(never)
	for h := range w.answers.all { // by client
		if kindOfValue(h.value) != failed {
			answer = min(answer, h.second)
		}
	}
	count := &u.Before
	if answer == never {
		count = &u.Never
	}
	for h := range w.seconds.all {
		if h.second >= answer {
			return
		}
		if j.everyoneAt(h.second) {
			continue
		}
		*count += int64(h.count)
		if j.since(h.second) >= firstAtHost {
			u.Late += int64(h.count)
		}
	}
}
