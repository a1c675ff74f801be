package crawl

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/crawler/warc"
)

// A committer commits outcomes to the archive, the journal, the results and the store.
type committer struct {
	*stopper
	shard   *shard
	marker  *marker
	archive *warc.Writer // nil if there is none
	pauses  *pace.Pauses
	tally   *tally
	log     *reporter
	backlog *backlog
	pending sync.WaitGroup // uncommitted outcomes
	working sync.WaitGroup // commitAll
}

// start starts the goroutine that commits.
func (c *committer) start() { c.working.Go(c.commitAll) }

// wait waits until all outcomes sent so far are committed, and returns the error that stopped
// the crawl, if there is one.
func (c *committer) wait() error {
	c.pending.Wait()
	return c.failure()
}

// close commits all outcomes sent so far, and stops the committer. Nothing may be sent
// afterwards.
func (c *committer) close() {
	c.pending.Wait()
	c.backlog.close()
	c.working.Wait()
}

// begin records in the memo that a request to a host starts, and end records how it ended.
// Both write at once, in case the process is killed.
func (c *committer) begin(h *host) {
	h.pace.Begin(time.Now())
	if err := c.shard.memo.begin(h); err != nil {
		c.fail(err)
	}
}

func (c *committer) end(h *host, now time.Time, o pace.Outcome) {
	h.pace.End(c.pauses, now, o)
	c.log.refusal(h, c.pauses, now, o)
	c.note(h)
}

// note records the pauses of a host in the memo after a request, unless they are already
// there.
func (c *committer) note(h *host) {
	if err := c.shard.memo.end(h); err != nil {
		c.fail(err)
	}
	if c.shard.memo.isFull() {
		c.turnMemo()
	}
}

// commit sends an outcome, with the state of its host, to be committed.
func (c *committer) commit(h *host, o *outcome) {
	c.note(h)
	o.host, o.blob = h, h.appendState(nil)
	c.shard.frontier.save(h)
	c.send(o)
	c.shard.memo.release(h.origin)
}

// saveHost commits the state of a host.
func (c *committer) saveHost(h *host) { c.commit(h, &outcome{}) }

func (c *committer) send(o *outcome) {
	c.shard.frontier.begin()
	c.pending.Add(1)
	c.backlog.put(o)
}

// commitAll commits outcomes until the backlog is closed. Each batch has all outcomes that are
// waiting.
func (c *committer) commitAll() {
	for batch := c.backlog.take(); len(batch) > 0; batch = c.backlog.take() {
		if c.failure() == nil {
			if err := c.commitBatch(batch); err != nil {
				c.fail(err)
			}
		}
		c.shard.frontier.end(len(batch))
		for range batch {
			c.pending.Done()
		}
	}
}

// A commitment is a batch of outcomes that are committed together.
type commitment struct {
	found    map[uint8]*record // new URLs, by partition
	outcomes map[uint8]*record // outcomes of items and states of hosts, by partition
	appended []appendedRecord  // may not be durable yet
	hosts    map[string]*arrival
	results  []*result.Line
}

// An appendedRecord is a record that was sent to the journal.
type appendedRecord struct {
	record   *record
	ticket   journal.Ticket
	position uint64 // set once the record is durable
}

// An arrival is the change of a host's queue.
type arrival struct {
	partition uint8
	more      int64
	put       bool
	due       time.Time // due time of the first new item
}

func (a *arrival) add(due time.Time) {
	if !a.put || due.Before(a.due) {
		a.due = due
	}
	a.put = true
}

// commitBatch commits outcomes in this order: archive, journal, results, store. The new links
// are in the journal before the visit that found them counts as done, so no failure loses a
// link. The results have a line for each visit that the store has. Replaying the journal
// writes the lines that are missing.
func (c *committer) commitBatch(batch []*outcome) error {
	if c.archive != nil {
		if err := c.archive.Sync(); err != nil {
			return err
		}
	}
	if err := c.shard.memo.present(); err != nil {
		return err
	}
	c.shard.frontier.applying.Lock()
	defer c.shard.frontier.applying.Unlock()
	ctx := context.Background() // finished visits are committed even when the crawl is stopped
	m := &commitment{found: make(map[uint8]*record), outcomes: make(map[uint8]*record),
		hosts: make(map[string]*arrival)}
	if err := c.noteLinks(ctx, m, batch); err != nil {
		return err
	}
	if err := c.append(ctx, m, m.found); err != nil {
		return err
	}
	for _, o := range batch {
		if err := c.noteVisit(ctx, m, o); err != nil {
			return err
		}
	}
	if err := c.append(ctx, m, m.outcomes); err != nil {
		return err
	}
	for origin, a := range m.hosts {
		if err := c.shard.frontier.found(origin, a.partition, a.more, a.put, a.due); err != nil {
			return err
		}
	}
	c.shard.frontier.saved(batch)
	c.log.results(m.results)
	for _, o := range batch {
		if o.after != nil {
			if err := o.after(); err != nil {
				return err
			}
		}
	}
	return nil
}

// noteLinks adds the new links to the records.
func (c *committer) noteLinks(ctx context.Context, m *commitment, batch []*outcome) error {
	n := 0
	for _, o := range batch {
		n += len(o.links)
	}
	if n == 0 {
		return nil
	}
	items, refused := make([]store.Item, 0, n), make([]result.Reason, 0, n)
	for _, o := range batch {
		for i := range o.links {
			items, refused = append(items, o.links[i].item), append(refused, o.links[i].refused)
		}
	}
	fresh, err := c.shard.store.Unseen(items)
	if err != nil {
		return err
	}
	for _, i := range fresh {
		it := &items[i]
		r, err := c.room(ctx, m, m.found, it.Partition)
		if err != nil {
			return err
		}
		if why := refused[i]; why != result.None {
			c.tally.add(why)
			r.refuse(it, why)
			line := newResult(it)
			line.Reason = why
			if err := c.addResult(m, r, line); err != nil {
				return err
			}
			continue
		}
		r.seen(it)
		a := m.arrival(it.Host(), it.Partition)
		a.more++
		a.add(it.Due)
	}
	return nil
}

// noteVisit adds the outcome of an item and the state of its host to the records.
func (c *committer) noteVisit(ctx context.Context, m *commitment, o *outcome) error {
	if o.what != 0 {
		r, err := c.room(ctx, m, m.outcomes, o.item.Partition)
		if err != nil {
			return err
		}
		a := m.arrival(o.item.Host(), o.item.Partition)
		switch o.what {
		case eventDone:
			r.done(&o.item, &o.state)
			if o.state.Due.IsZero() {
				a.more--
			} else {
				a.add(o.state.Due)
			}
		case eventDrop:
			r.drop(&o.item)
			a.more--
		case eventDefer:
			r.later(&o.item, o.due)
			a.add(o.due)
			if o.requeued {
				a.more++
			}
		}
		if o.result != nil {
			if err := c.addResult(m, r, o.result); err != nil {
				return err
			}
		}
	}
	if o.host != nil {
		r, err := c.room(ctx, m, m.outcomes, o.host.partition)
		if err != nil {
			return err
		}
		r.host(o.host.origin, o.blob)
	}
	return nil
}

// addResult adds a result to a record and to the lines written when the record is durable.
func (c *committer) addResult(m *commitment, r *record, result *result.Line) error {
	line, err := result.Text()
	if err != nil {
		return err
	}
	r.result(line)
	c.marker.results.add(line)
	m.results = append(m.results, result)
	return nil
}

func (m *commitment) arrival(origin string, partition uint8) *arrival {
	a := m.hosts[origin]
	if a == nil {
		a = &arrival{partition: partition}
		m.hosts[origin] = a
	}
	return a
}

// room returns the record of a partition, or a new one if that record is full.
func (c *committer) room(ctx context.Context, m *commitment, records map[uint8]*record, partition uint8) (*record,
	error) {
	r := records[partition]
	if r != nil && r.isFull() {
		m.appended = append(m.appended, appendedRecord{record: r, ticket: c.shard.owned[partition].Append(ctx,
			r.bytes)})
		r = nil
	}
	if r == nil {
		r = newRecord(partition)
		records[partition] = r
	}
	return r, nil
}

// append writes records to the journal and waits until they are durable. Then it syncs their
// results and applies the records to the store.
func (c *committer) append(ctx context.Context, m *commitment, records map[uint8]*record) error {
	for partition, r := range records {
		if !r.isEmpty() {
			m.appended = append(m.appended, appendedRecord{record: r, ticket: c.shard.owned[partition].Append(ctx,
				r.bytes)})
		}
	}
	for i := range m.appended {
		var err error
		if m.appended[i].position, err = m.appended[i].ticket.Wait(ctx); err != nil {
			return fmt.Errorf("write to the journal: %w", err)
		}
	}
	if len(m.appended) == 0 {
		return nil
	}
	if err := c.marker.syncResults(); err != nil {
		return err
	}
	for _, a := range m.appended {
		if err := c.shard.apply(a.record.partition, a.position, a.record.bytes); err != nil {
			return err
		}
		c.shard.countRecord(len(a.record.bytes))
	}
	c.marker.results.known = c.marker.results.size
	m.appended = m.appended[:0]
	return nil
}

// turnMemo starts a new file of the memo. The previous file is removed once the journal has
// its entries.
func (c *committer) turnMemo() {
	if err := c.shard.memo.turn(); err != nil {
		c.fail(err)
		return
	}
	c.send(&outcome{after: c.shard.memo.forget})
}
