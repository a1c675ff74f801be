package audit

// Unread counts the judged requests of a robot that came before the first answer about robots.txt
// to this robot at the same host. Such an answer is 200, 304, or a status that says there is no
// robots.txt. A request in the second of the answer is not before it.
type Unread struct {
	Before int64 `json:"before"` // to hosts that answered the robot later
	Never  int64 `json:"never"`  // to hosts that never answered it

	// Late counts the requests of both kinds that came too late for a copy of robots.txt from
	// before the logs: the logs cover the period of Options.Grace, Slack and Edge before the
	// request.
	Late int64 `json:"late"`
}

// addUnread counts the requests of a robot to a host before its first answer there. firstAtHost is
// the time of the first request at the host, of any client.
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
