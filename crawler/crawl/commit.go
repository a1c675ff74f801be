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
	c.shard.share.requestBegins(h)
	h.pace.Begin(time.Now())
	if err := c.shard.memo.begin(h); err != nil {
		c.fail(err)
	}
}

func (c *committer) end(h *host, now time.Time, o pace.Outcome) {
	c.shard.share.requestEnds(h)
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

// saved returns an outcome with the state of a host, which counts as sent. The caller sends it with
// sendSaved.
func (c *committer) saved(h *host) *outcome {
	c.shard.frontier.save(h)
	return &outcome{host: h, blob: h.appendState(nil)}
}

func (c *committer) sendSaved(o *outcome) {
	c.send(o)
	c.shard.memo.release(o.host.origin)
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
	letters  []*letter         // all links of foreign
	lines    []recordLine      // of results, in order
	foreign  map[uint8]*letter // links to URLs of other workers, by partition
	by       *signature        // of the records, or nil
}

// A recordLine is a line of the results that a record has.
type recordLine struct {
	of   *record
	text []byte
}

// An appendedRecord is a record that was sent to the journal.
type appendedRecord struct {
	record   *record
	of       *journal.Partition
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
//
// Links to URLs of other workers go into their inboxes, at the same time as the other links go into
// the journal. Outcomes of a partition that the worker does not own any more are not committed.
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
	all, batch := batch, c.shard.share.current(batch)
	m.by = c.shard.share.sign()
	if err := c.noteLinks(ctx, m, batch); err != nil {
		return err
	}
	if err := c.append(ctx, m, m.found); err != nil {
		return err
	}
	if s := c.shard.share; s != nil {
		if err := s.post.deliver(ctx, m); err != nil {
			return err
		}
	}
	batch, m.by = c.shard.share.current(batch), c.shard.share.sign()
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
	c.shard.share.current(batch) // for items of partitions that were lost meanwhile
	c.shard.frontier.saved(all)
	c.log.results(m.results)
	for _, o := range all {
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
	n, received := 0, false
	for _, o := range batch {
		n += len(o.links)
		received = received || o.inbox > 0
	}
	if n == 0 && !received {
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
		if !c.shard.share.holds(it.Partition) {
			if err := c.shard.share.post.write(ctx, m, link{*it, refused[i]}); err != nil {
				return err
			}
			continue
		}
		r, err := c.room(ctx, m, m.found, it.Partition)
		if err != nil {
			return err
		}
		if m.by != nil {
			r.links = append(r.links, link{*it, refused[i]})
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
	if !received {
		return nil
	}
	cursors := make(map[uint8]uint64)
	for _, o := range batch {
		if o.inbox > 0 {
			cursors[o.inboxOf] = max(cursors[o.inboxOf], o.inbox)
		}
	}
	for partition, cursor := range cursors {
		r, err := c.room(ctx, m, m.found, partition)
		if err != nil {
			return err
		}
		r.received(cursor)
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
	m.lines = append(m.lines, recordLine{r, line})
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
		c.appendRecord(ctx, m, r)
		r = nil
	}
	if r == nil {
		r = newRecord(partition, m.by)
		records[partition] = r
	}
	return r, nil
}

func (c *committer) appendRecord(ctx context.Context, m *commitment, r *record) {
	of := c.shard.owned[r.partition]
	m.appended = append(m.appended, appendedRecord{record: r, of: of, ticket: of.Append(ctx, r.bytes)})
}

// append writes records to the journal and waits until they are durable. Then it syncs their
// results and applies the records to the store. If the crawl shares its partitions, a partition
// that another worker has claimed is lost, and nothing else.
func (c *committer) append(ctx context.Context, m *commitment, records map[uint8]*record) error {
	for _, r := range records {
		if !r.isEmpty() {
			c.appendRecord(ctx, m, r)
		}
	}
	for i := range m.appended {
		a := &m.appended[i]
		var err error
		if a.position, err = a.ticket.Wait(ctx); err == nil {
			continue
		}
		if !c.shard.share.fenced(a.of, err) {
			return fmt.Errorf("write to the journal: %w", err)
		}
		a.record.lost = true
		for _, l := range a.record.links {
			if err := c.shard.share.post.write(ctx, m, l); err != nil {
				return err
			}
		}
	}
	if len(m.appended) == 0 {
		return nil
	}
	for _, l := range m.lines {
		if !l.of.lost {
			c.marker.results.add(l.text)
		}
	}
	m.lines = m.lines[:0]
	if err := c.marker.syncResults(); err != nil {
		return err
	}
	for _, a := range m.appended {
		if a.record.lost {
			continue
		}
		if err := c.shard.apply(a.record.partition, a.position, a.record.bytes); err != nil {
			return err
		}
		c.shard.countRecord(len(a.record.bytes))
		if s := c.shard.share; s != nil {
			s.saver.grew(a.record.partition, tip{a.position, s.folder, false}, len(a.record.bytes))
		}
	}
	c.marker.results.known = c.marker.results.size
	if err := c.shard.share.received(m.appended); err != nil {
		return err
	}
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
