package crawl

import (
	"context"
	"fmt"
	"time"

	"github.com/robotsexclusion/robots/crawl/internal/journal"
	"github.com/robotsexclusion/robots/crawl/internal/store"
	"github.com/robotsexclusion/robots/crawl/result"
	"github.com/robotsexclusion/robots/internal/weburl"
)

// commitAll commits what comes of visits, as many together as there are, until no
// more come.
func (c *run) commitAll() {
	for batch := c.backlog.take(); len(batch) > 0; batch = c.backlog.take() {
		if c.failure() == nil {
			if err := c.commitBatch(batch); err != nil {
				c.fail(err)
			}
		}
		c.frontier.end(len(batch))
		for range batch {
			c.pending.Done()
		}
	}
}

// A commitment is what visits that are committed together come to.
type commitment struct {
	found   map[uint8]*record // what was found, by partition
	settled map[uint8]*record // what became of items
	made    []made
	hosts   map[string]*arrival
	results []*result.Line
}

// A made is a record on its way to the journal.
type made struct {
	record   *record
	ticket   journal.Ticket
	position uint64 // when it is there
}

// An arrival is what became of the queue of a host.
type arrival struct {
	partition uint8
	more      int64
	put       bool
	due       time.Time // of the first that was put there
}

func (a *arrival) add(due time.Time) {
	if !a.put || due.Before(a.due) {
		a.due = due
	}
	a.put = true
}

// commitBatch has what came of visits archived, noted in the journal, told, and noted in
// the store, in this order. What was found is in the journal before the visit that found
// it counts as done: whatever happens between, no link is lost. What the store has was
// told: what the journal has besides is told when it is read again.
func (c *run) commitBatch(batch []*outcome) error {
	if c.archive != nil {
		if err := c.archive.Sync(); err != nil {
			return err
		}
	}
	if err := c.memo.present(); err != nil {
		return err
	}
	c.frontier.settling.Lock()
	defer c.frontier.settling.Unlock()
	ctx := context.Background() // what was done is noted even when the crawl is stopped
	m := &commitment{found: make(map[uint8]*record), settled: make(map[uint8]*record), hosts: make(map[string]*arrival)}
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
	if err := c.append(ctx, m, m.settled); err != nil {
		return err
	}
	for origin, a := range m.hosts {
		if err := c.frontier.found(origin, a.partition, a.more, a.put, a.due); err != nil {
			return err
		}
	}
	c.frontier.saved(batch)
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

// noteLinks notes the links that are new.
func (c *run) noteLinks(ctx context.Context, m *commitment, batch []*outcome) error {
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
	fresh, err := c.store.Unseen(items)
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
			told := newResult(it)
			told.Reason = why
			if err := c.tell(m, r, told); err != nil {
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

// noteVisit notes what became of an item, and of its host.
func (c *run) noteVisit(ctx context.Context, m *commitment, o *outcome) error {
	if o.what != 0 {
		r, err := c.room(ctx, m, m.settled, o.item.Partition)
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
		}
		if o.result != nil {
			if err := c.tell(m, r, o.result); err != nil {
				return err
			}
		}
	}
	if o.host != nil {
		r, err := c.room(ctx, m, m.settled, o.host.partition)
		if err != nil {
			return err
		}
		r.host(o.host.origin, o.blob)
	}
	return nil
}

// tell adds a result to a record, and to what is told when the record is durable.
func (c *run) tell(m *commitment, r *record, result *result.Line) error {
	line, err := result.Text()
	if err != nil {
		return err
	}
	r.told(line)
	c.results.add(line)
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

// room returns a record of a partition that has room for more.
func (c *run) room(ctx context.Context, m *commitment, records map[uint8]*record, partition uint8) (*record, error) {
	r := records[partition]
	if r != nil && r.isFull() {
		m.made = append(m.made, made{record: r, ticket: c.owned[partition].Append(ctx, r.octets)})
		r = nil
	}
	if r == nil {
		r = newRecord(partition)
		records[partition] = r
	}
	return r, nil
}

// append puts records into the journal, waits until they are durable, tells their
// results, and makes their changes in the store.
func (c *run) append(ctx context.Context, m *commitment, records map[uint8]*record) error {
	for partition, r := range records {
		if !r.isEmpty() {
			m.made = append(m.made, made{record: r, ticket: c.owned[partition].Append(ctx, r.octets)})
		}
	}
	for i := range m.made {
		var err error
		if m.made[i].position, err = m.made[i].ticket.Wait(ctx); err != nil {
			return fmt.Errorf("note in the journal what was done: %w", err)
		}
	}
	if len(m.made) == 0 {
		return nil
	}
	if err := c.tellAll(); err != nil {
		return err
	}
	for _, made := range m.made {
		if err := c.apply(made.record.partition, made.position, made.record.octets); err != nil {
			return err
		}
		c.noted(len(made.record.octets))
	}
	c.results.known = c.results.size
	m.made = m.made[:0]
	return nil
}

// tellAll has all results on the disk that were added, and the store know so before it knows
// of the visits that they tell: whatever it knows to be done, its marks say where that was
// told, even if the process is killed at any moment.
func (c *run) tellAll() error {
	if err := c.results.sync(); err != nil {
		return err
	}
	return c.mark()
}

// recall takes over what the memo of a process that was killed says of hosts.
func (c *run) recall() error {
	all, whole, err := c.memo.read()
	if err != nil {
		return fmt.Errorf("read what is owed to hosts: %w", err)
	}
	now := time.Now()
	if c.killed && (!whole || c.memo.length() < c.marked.files[markOwed].Size) {
		c.Log.Warn("what is owed to hosts is damaged: all are left alone for a first pause", "file", memoName)
		c.frontier.interruptAll(now)
	}
	for _, o := range all {
		h, err := c.frontier.recalled(o)
		if err != nil {
			return err
		}
		if o.open {
			h.pace.Interrupt(&c.Manners, now)
		} else {
			h.pace.Resume(now)
		}
		c.frontier.reconsider(h, now)
		c.saveHost(h)
	}
	c.pending.Wait()
	return c.failure()
}

// turnMemo begins a new file of the memo, and has the one before removed when what it
// says is in the journal.
func (c *run) turnMemo() {
	if err := c.memo.turn(); err != nil {
		c.fail(err)
		return
	}
	c.send(&outcome{after: c.memo.forget})
}

// seed adds URLs that a person gave. They belong to the crawl, and so does what the
// scope makes of them.
func (c *run) seed(seeds []string) error {
	var urls []weburl.URL
	for _, s := range seeds {
		u, err := c.form.Parse(s)
		if err != nil {
			return err
		}
		urls = append(urls, u)
	}
	if err := c.settle(urls); err != nil {
		return err
	}
	o := &outcome{}
	for _, u := range urls {
		o.links = append(o.links, link{item: store.Item{Partition: partitionOf(u), URL: u.String()}})
		if len(o.links) == 1000 {
			c.send(o)
			o = &outcome{}
		}
	}
	if len(o.links) > 0 {
		c.send(o)
	}
	c.pending.Wait()
	return c.failure()
}
