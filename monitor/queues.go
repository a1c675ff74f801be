package monitor

import "slices"

// queues are the events that receivers have not got yet: a queue for each receiver, the oldest event first. The user of queues holds
// a lock.
type queues struct {
	of     map[string][]uint64   // by receiver, the numbers of events
	events map[uint64]*owedEvent // the events in queues
}

// An owedEvent is an event in the queues of some receivers.
type owedEvent struct {
	number uint64
	event  Event
	site   *kept // the record that has the event, if instances share sites
	queues int   // that have the event
}

// newQueues returns an empty queue for each receiver.
func newQueues(receivers []string) queues {
	q := queues{of: make(map[string][]uint64), events: make(map[uint64]*owedEvent)}
	for _, name := range receivers {
		q.of[name] = nil
	}
	return q
}

// add adds an event to the queues of some receivers. A receiver without a queue was removed from the watch. It reports whether a queue has the event.
func (q *queues) add(e *owedEvent, to []string) bool {
	for _, name := range to {
		if queue, ok := q.of[name]; ok {
			q.of[name] = append(queue, e.number)
			e.queues++
		}
	}
	if e.queues > 0 {
		q.events[e.number] = e
	}
	return e.queues > 0
}

// drop removes an event from the queue of a receiver.
func (q *queues) drop(name string, number uint64) {
	i := slices.Index(q.of[name], number)
	if i < 0 {
		return
	}
	q.of[name] = slices.Delete(q.of[name], i, i+1)
	e := q.events[number]
	if e.queues--; e.queues == 0 {
		delete(q.events, number)
		if e.site != nil {
			delete(e.site.queued, e.event.ID)
		}
	}
}

// forget removes the events of a record from all queues.
func (q *queues) forget(k *kept) {
	for _, number := range k.queued {
		delete(q.events, number)
	}
	clear(k.queued)
}

// sweep removes from the queues what forget has removed.
func (q *queues) sweep() {
	for name, queue := range q.of {
		q.of[name] = slices.DeleteFunc(queue, func(number uint64) bool { return q.events[number] == nil })
	}
}

// sort puts the events in the order of their time.
func (q *queues) sort() {
	for _, queue := range q.of {
		slices.SortStableFunc(queue, func(a, b uint64) int { return q.events[a].event.Time.Compare(q.events[b].event.Time) })
	}
}

// first returns the oldest event of a receiver that may be sent.
func (q *queues) first(name string, may func(*owedEvent) bool) (e Event, number uint64, ok bool) {
	for _, number := range q.of[name] {
		if e := q.events[number]; may(e) {
			return e.event, number, true
		}
	}
	return e, 0, false
}
