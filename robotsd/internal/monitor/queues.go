package monitor

import (
	"slices"
	"time"
)

// queues are the events that receivers have not got yet: a queue for each receiver, the oldest
// event first. Some of the events are in a batch, a message whose sending has begun: a message that
// is sent again has the same events and the same id. The user of queues holds a lock.
type queues struct {
	of map[string][]uint64 // by receiver, the numbers of events
	// by receiver; one that waits for the end of quiet hours may stand beside a critical one
	begun  map[string][]batch
	events map[uint64]*owedEvent // the events in queues
}

// An owedEvent is an event in the queues of some receivers.
type owedEvent struct {
	number uint64
	event  Event
	site   *heldRecord // the record that has the event, if instances share sites
	queues int         // that have the event

	news  news
	size  int       // of the JSON in bytes
	since time.Time // from when the event waits: the time of the look
}

// A batch is the events of a message.
type batch struct {
	id      string
	numbers []uint64
}

// A dispatch is a message and the numbers of its events.
type dispatch struct {
	message Message
	numbers []uint64
}

// newOwed returns an event that is in no queue yet.
func newOwed(number uint64, e *Event, site *heldRecord) *owedEvent {
	return &owedEvent{number: number, event: *e, site: site, news: newsOf(e), size: sizeOf(e), since: e.Time}
}

// newQueues returns an empty queue for each receiver.
func newQueues(receivers []string) queues {
	q := queues{of: make(map[string][]uint64), begun: make(map[string][]batch), events: make(map[uint64]*owedEvent)}
	for _, name := range receivers {
		q.of[name] = nil
	}
	return q
}

// add adds an event to the queues of some receivers. A receiver without a queue was removed from
// the watch. It reports whether a queue has the event.
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
	q.keepBegun(name, func(n uint64) bool { return n != number })
	q.left(number)
}

// left notes that an event has left a queue.
func (q *queues) left(number uint64) {
	e := q.events[number]
	if e.queues--; e.queues == 0 {
		delete(q.events, number)
		if e.site != nil {
			delete(e.site.queued, e.event.ID)
		}
	}
}

// dropOldest removes the oldest event of a receiver that is in no batch: the events of a message
// that is sent again stay the same.
func (q *queues) dropOldest(name string) {
	begun := q.inBatches(name)
	for _, number := range q.of[name] {
		if !begun[number] {
			q.drop(name, number)
			return
		}
	}
}

// begin makes a batch of events in the queue of a receiver, and returns its message.
func (q *queues) begin(name string, numbers []uint64) *dispatch {
	waiting := make(map[uint64]bool)
	for _, number := range q.of[name] {
		waiting[number] = true
	}
	b := batch{numbers: slices.DeleteFunc(slices.Clone(numbers), func(number uint64) bool { return !waiting[number] })}
	if len(b.numbers) == 0 {
		return nil
	}
	b.id = messageID(b.numbers, q.events)
	q.begun[name] = append(q.begun[name], b)
	return q.dispatch(b, func(*owedEvent) bool { return true })
}

// dispatch returns the message of the events of a batch that may be sent, or nil. Without some of
// its events, whose sites are another instance's now, a message has the same id.
func (q *queues) dispatch(b batch, may func(*owedEvent) bool) *dispatch {
	s := &dispatch{message: Message{ID: b.id}}
	for _, number := range b.numbers {
		if e := q.events[number]; may(e) {
			s.numbers = append(s.numbers, number)
			s.message.Events = append(s.message.Events, e.event)
		}
	}
	if len(s.numbers) == 0 {
		return nil
	}
	return s
}

// again returns the first message of a receiver whose sending has begun, and that may be sent, or
// nil.
func (q *queues) again(name string, may func(*owedEvent) bool) *dispatch {
	for _, b := range q.begun[name] {
		if s := q.dispatch(b, may); s != nil {
			return s
		}
	}
	return nil
}

// waiting returns the events of a receiver that are in no batch, and may be sent.
func (q *queues) waiting(name string, may func(*owedEvent) bool) (all []*owedEvent) {
	begun := q.inBatches(name)
	for _, number := range q.of[name] {
		if e := q.events[number]; !begun[number] && may(e) {
			all = append(all, e)
		}
	}
	return all
}

// inBatches returns the numbers of the events of a receiver that are in batches.
func (q *queues) inBatches(name string) map[uint64]bool {
	in := make(map[uint64]bool)
	for _, b := range q.begun[name] {
		for _, number := range b.numbers {
			in[number] = true
		}
	}
	return in
}

// delivered removes an event that a receiver has, and all others of its batch.
func (q *queues) delivered(name string, number uint64) {
	for _, b := range q.begun[name] {
		if slices.Contains(b.numbers, number) {
			q.deliveredAll(name, b.numbers)
			return
		}
	}
	q.drop(name, number)
}

// deliveredAll removes events that a receiver has. It takes one pass, however many they are.
func (q *queues) deliveredAll(name string, numbers []uint64) {
	gone := make(map[uint64]bool)
	for _, number := range numbers {
		gone[number] = true
	}
	q.of[name] = slices.DeleteFunc(q.of[name], func(number uint64) bool {
		if gone[number] {
			q.left(number)
		}
		return gone[number]
	})
	q.keepBegun(name, func(number uint64) bool { return !gone[number] })
}

// keepBegun removes from batches the events that are not to be kept, and the batches that are empty
// then.
func (q *queues) keepBegun(name string, keep func(number uint64) bool) {
	all := q.begun[name]
	for i := range all {
		all[i].numbers = slices.DeleteFunc(slices.Clone(all[i].numbers),
			func(number uint64) bool { return !keep(number) })
	}
	q.begun[name] = slices.DeleteFunc(all, func(b batch) bool { return len(b.numbers) == 0 })
}

// forget removes the events of a record from all queues.
func (q *queues) forget(k *heldRecord) {
	for _, number := range k.queued {
		delete(q.events, number)
	}
	clear(k.queued)
}

// sweep removes from the queues what forget has removed.
func (q *queues) sweep() {
	for name, queue := range q.of {
		q.of[name] = slices.DeleteFunc(queue, func(number uint64) bool { return q.events[number] == nil })
		q.keepBegun(name, func(number uint64) bool { return q.events[number] != nil })
	}
}

// sort puts the events in the order of their time.
func (q *queues) sort() {
	for _, queue := range q.of {
		slices.SortStableFunc(queue,
			func(a, b uint64) int { return q.events[a].event.Time.Compare(q.events[b].event.Time) })
	}
}
