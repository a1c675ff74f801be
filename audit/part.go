package audit

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit/accesslog"
)

// A Part is what an auditor keeps of some requests. Parts are joined to one before its report is
// made.
type Part struct {
	// Notes is JSON that the program stores with the part, such as the notes of a report. The
	// package does not read it: a caller that joins parts joins their notes.
	Notes json.RawMessage

	tally *tally
}

// Read reads logs with a number of workers, at least one. The error names the logs that could not
// be opened or read to their ends; the part has all requests read before. If a log is given twice,
// even as a copy under another name or compressed, Read returns an error and a nil part.
func (a *Auditor) Read(scan *accesslog.Scan, workers int) (*Part, error) {
	all := &Part{tally: newTally(a)}
	var (
		lock sync.Mutex
		errs []error
	)
	people, callers := &sharedSample{of: &all.tally.people}, &sharedSample{of: &all.tally.callers}
	failed := func(err error) {
		if syntax := (*accesslog.SyntaxError)(nil); errors.As(err, &syntax) {
			if a.options.Unreadable != nil {
				a.options.Unreadable(syntax)
			}
			return
		}
		lock.Lock()
		defer lock.Unlock()
		errs = append(errs, err)
	}
	work := func(requests iter.Seq2[*accesslog.Request, error]) error {
		t := newTally(a)
		if workers > 1 {
			t.people.shared, t.callers.shared = people, callers
		}
		// A call and not a loop: a loop writes its state for each line, next to the state of
		// another worker, and both would wait for the same line of the cache.
		requests(func(r *accesslog.Request, err error) bool {
			if err == nil {
				t.add(r)
			} else {
				failed(err)
			}
			return true
		})
		t.flush()
		lock.Lock()
		defer lock.Unlock()
		all.tally.join(t)
		all.tally.logs.join(t.logs.byName)
		return nil
	}
	if err := scan.Parallel(max(1, workers), work); err != nil {
		errs = append(errs, err)
	}
	for _, log := range scan.Logs() {
		all.tally.Lines += log.Lines
		all.tally.Unreadable += log.Unreadable
	}
	all.tally.loads.limitAll()
	if err := cmp.Or(sameName(scan.Logs()), twice(all.tally.allLogs())); err != nil {
		return nil, err
	}
	return all, errors.Join(errs...)
}

// sameName returns an error if two logs have the same name.
func sameName(logs []accesslog.Log) error {
	seen := map[string]bool{}
	for _, log := range logs {
		if seen[log.Name] {
			return fmt.Errorf("audit: the log %q is given twice", log.Name)
		}
		seen[log.Name] = true
	}
	return nil
}

// allLogs returns the sums of all logs of a tally.
func (t *tally) allLogs() []storedLog { return append(slices.Clone(t.joined), t.logs.stored()...) }

// flush writes what is collected to the series.
func (t *tally) flush() {
	for _, robot := range t.robots {
		t.loads.flush(robot)
		for _, rows := range robot.rows {
			for _, w := range rows {
				if w != nil {
					w.seconds.flush()
				}
			}
		}
	}
	t.hits.flush()
	t.people.finish()
	t.callers.finish()
}

// Join adds q to p, except for the notes. It is an error if a log is in both parts, because q was
// joined before or its log was read twice. The auditors of both parts must have equal options. q
// must not be used afterwards.
func (p *Part) Join(q *Part) error {
	if p.tally.auditor.fingerprint() != q.tally.auditor.fingerprint() {
		return errors.New("audit: parts of audits with different versions or options cannot be joined")
	}
	if err := twice(append(p.tally.allLogs(), q.tally.allLogs()...)); err != nil {
		return err
	}
	p.tally.joined = append(p.tally.joined, q.tally.allLogs()...)
	p.tally.Lines += q.tally.Lines
	p.tally.Unreadable += q.tally.Unreadable
	p.tally.join(q.tally)
	p.tally.loads.limitAll()
	return nil
}

// join adds u to t, except for the counts of lines. The hits of u must be flushed.
func (t *tally) join(u *tally) {
	if u.Requests > 0 {
		if t.Requests == 0 {
			t.First, t.Last = u.First, u.Last
		}
		t.First, t.Last = min(t.First, u.First), max(t.Last, u.Last)
	}
	t.Requests += u.Requests
	t.Unnamed += u.Unnamed
	for i, p := range u.places {
		t.places[i].join(p)
	}
	t.loads.align(&u.loads)
	for key, robot := range u.robots {
		mine := t.robots[key]
		if mine == nil {
			mine = t.addRobot(key, robot.agent)
		}
		mine.spell(robot.agent.Token)
		mine.join(robot)
	}
	if u.capped.others != nil {
		t.capped.join(t, u.capped.others)
	}
	t.senders.join(&u.senders)
	t.people.join(&u.people)
	t.callers.join(&u.callers)
	t.lastPlace, t.lastHost = nil, nil
}

func (p *place) join(q *place) {
	p.requests += q.requests
	p.first = min(p.first, q.first)
	p.answers.append(q.answers.chunks...)
	p.hosts.more += q.hosts.more
	for name, n := range q.hosts.counts {
		*p.hosts.counter(name) += *n
	}
}

// join adds the requests of a robot.
func (robot *robotTally) join(other *robotTally) {
	if robot.dropped {
		robot.addCounts(other)
		return
	}
	robot.joinClients(other)
	robot.load.append(other.load.chunks...)
	for place := range other.rows {
		for identity, w := range other.rows[place] {
			if w == nil {
				continue
			}
			mine := robot.row(place, agent.Result(identity))
			mine.addCounts(&w.rowCounts)
			mine.join(w)
		}
	}
}

// joinClients adds the clients of a robot.
func (robot *robotTally) joinClients(other *robotTally) {
	robot.clients.join(&other.clients)
	robot.forgers.join(&other.forgers)
}

// addCounts adds the numbers of requests, and the clients, only.
func (robot *robotTally) addCounts(other *robotTally) {
	robot.joinClients(other)
	for place := range other.rows {
		for identity, w := range other.rows[place] {
			if w != nil {
				robot.row(place, agent.Result(identity)).addCounts(&w.rowCounts)
			}
		}
	}
}

// addCounts adds the numbers of another row.
func (w *rowCounts) addCounts(v *rowCounts) {
	if v.Requests > 0 {
		if w.Requests == 0 {
			w.First, w.Last = v.First, v.Last
		}
		w.First, w.Last = min(w.First, v.First), max(w.Last, v.Last)
	}
	w.Requests += v.Requests
	w.Bytes += v.Bytes
	w.RobotsTxt += v.RobotsTxt
	w.Refused += v.Refused
	w.Targets += v.Targets
	w.Judgeable += v.Judgeable
	for i, n := range v.Statuses {
		w.Statuses[i] += n
	}
}

// join adds what is kept of requests.
func (w *row) join(v *row) {
	w.seconds.append(v.seconds.chunks...)
	w.answers.append(v.answers.chunks...)
	w.redirects.append(v.redirects.chunks...)
	for findings, requests := range v.normalized {
		w.normalizedBy(findings).append(requests.chunks...)
	}
	w.headers.join(v.headers)
	for finding, d := range v.disallowed {
		mine := w.disallowed[finding]
		if mine == nil {
			mine = &disallowedRequests{}
			if w.disallowed == nil {
				w.disallowed = map[string]*disallowedRequests{}
			}
			w.disallowed[strings.Clone(finding)] = mine
		}
		mine.append(d.chunks...)
		for version, e := range d.examples {
			for _, x := range e.all() {
				mine.examplesOf(version).join(x)
			}
		}
	}
}
