package crawl

import (
	"context"
	"errors"
	"fmt"

	"github.com/robotsexclusion/robots/crawler/internal/binread"
	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
)

// A post sends to the inboxes of partitions of other workers, and takes what came from there.
type post struct {
	share  *share
	seeded func(u weburl.URL) // called for each seed that is received
	lately lately             // links that were sent; for the committer
}

// A letter is a batch for the inbox of a partition of another worker: a version, and events that
// are eventSeen or eventRefuse, in the form of records, or those of remote hops.
type letter struct {
	record *record
	prints []uint64 // of the items
	ticket journal.Ticket
	sent   bool
}

// letterVersion is the first byte of a letter.
const letterVersion = 1

// fullLetter is the number of bytes after which a letter is sent.
const fullLetter = 64 << 10

func newLetter(partition uint8) *letter {
	return &letter{record: &record{partition: partition, bytes: []byte{letterVersion}, head: 1}}
}

// write writes a link to a URL of another worker into a letter, unless it was sent lately.
func (s *post) write(ctx context.Context, m *commitment, l link) error {
	print := store.Fingerprint(l.item.Partition, l.item.Crawl, l.item.URL)
	if s.lately.has(print) {
		return nil
	}
	to := m.foreign[l.item.Partition]
	if to == nil {
		to = newLetter(l.item.Partition)
		if m.foreign == nil {
			m.foreign = make(map[uint8]*letter)
		}
		m.foreign[l.item.Partition] = to
		m.letters = append(m.letters, to)
	}
	if l.refused == result.None {
		to.record.seen(&l.item)
	} else {
		to.record.refuse(&l.item, l.refused)
	}
	to.prints = append(to.prints, print)
	if len(to.record.bytes) > fullLetter {
		s.send(ctx, to)
		delete(m.foreign, l.item.Partition)
	}
	return nil
}

// send sends a letter.
func (s *post) send(ctx context.Context, l *letter) {
	l.ticket = s.share.shard.journal.Send(ctx, int(l.record.partition), l.record.bytes)
	l.sent, l.record.bytes = true, nil
}

// deliver sends all letters, and waits until they are durable.
func (s *post) deliver(ctx context.Context, m *commitment) error {
	for _, l := range m.letters {
		if !l.sent {
			s.send(ctx, l)
		}
	}
	for _, l := range m.letters {
		at, err := l.ticket.Wait(ctx)
		if err != nil {
			return fmt.Errorf("send links to another worker: %w", err)
		}
		for _, print := range l.prints {
			s.lately.put(print)
		}
		s.share.mu.Lock()
		h := &s.share.holdings[l.record.partition]
		h.sent = max(h.sent, at)
		s.share.mu.Unlock()
	}
	m.letters, m.foreign = nil, nil
	return nil
}

// receive receives the inbox of a partition until its tenure ends. A batch that cannot be read ends
// that too: it and all later ones stay in the inbox.
func (s *share) receive(p *journal.Partition) {
	n := uint8(p.Number())
	ctx, cancel := context.WithCancel(s.visiting)
	s.mu.Lock()
	h := &s.holdings[n]
	h.receiving = cancel
	after, tenure := h.received, h.tenure
	s.mu.Unlock()
	h.receiver.Go(func() {
		defer cancel()
		size := 0
		err := s.shard.journal.Receive(ctx, map[*journal.Partition]uint64{p: after}, func(_ *journal.Partition,
			position uint64, batch []byte) error {
			got, err := readLetter(n, batch)
			if err != nil {
				return fmt.Errorf("batch %d: %w", position, err)
			}
			for _, a := range got.asks {
				if err := s.post.asked(a); err != nil {
					return fmt.Errorf("batch %d: %w", position, err)
				}
			}
			for _, a := range got.answers {
				s.post.answered(a)
			}
			links := got.links
			s.post.adopt(links)
			s.committer.send(&outcome{links: links, inbox: position, inboxOf: n, tenure: tenure})
			if size += len(batch); size > s.sluice.trimAfter() {
				size = 0
				return s.trimInbox(ctx, n)
			}
			return ctx.Err()
		})
		if ctx.Err() != nil || errors.Is(err, journal.ErrFenced) || errors.Is(err, journal.ErrClosed) {
			return
		}
		err = fmt.Errorf("the inbox of partition %d: %w", n, err)
		s.log.Error("links from other workers are not received any more", "partition", n, "error", err)
		s.mu.Lock()
		h.trouble = err
		s.mu.Unlock()
	})
}

// adopt adds seeds that came from other workers to the territory.
func (s *post) adopt(links []link) {
	for i := range links {
		if it := &links[i].item; it.Via == "" && it.Depth == 0 {
			if u, err := weburl.Exact.Parse(it.URL); err == nil {
				s.seeded(u)
			}
		}
	}
}

// trimInboxAfter is after how many bytes of batches an inbox is trimmed, or fewer if the limit of
// its stream is small.
const trimInboxAfter = 1 << 20

// trimInbox removes the batches from an inbox that the log has.
func (s *share) trimInbox(ctx context.Context, partition uint8) error {
	s.mu.Lock()
	h := &s.holdings[partition]
	at := h.received
	again := at == h.trimmed
	h.trimmed = at
	s.mu.Unlock()
	if again {
		return nil
	}
	return s.shard.journal.TrimInbox(ctx, map[*journal.Partition]uint64{s.shard.owned[partition]: at})
}

// stopReceiving stops the receiver of a partition.
func (s *share) stopReceiving(partition uint8) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stop := s.holdings[partition].receiving; stop != nil {
		stop()
	}
}

// received records the cursors of inboxes that are in the journal.
func (s *share) received(appended []appendedRecord) error {
	if s == nil {
		return nil
	}
	marks := make(map[string][]byte)
	for _, a := range appended {
		r := a.record
		if r.lost || r.cursor == 0 {
			continue
		}
		marks[inboxMark(r.partition)] = fileMark{Size: int64(r.cursor)}.bytes()
		s.mu.Lock()
		h := &s.holdings[r.partition]
		h.received = max(h.received, r.cursor)
		s.mu.Unlock()
	}
	if len(marks) == 0 {
		return nil
	}
	return s.shard.store.SetMarks(marks)
}

var errLetter = errors.New("it is not what a worker of this crawl sends: it is damaged, or of another program")

// A letterRead is what a batch of an inbox has.
type letterRead struct {
	links   []link
	asks    []*remoteHop
	answers []*remoteAnswer
}

// readLetter reads a batch from the inbox of a partition.
func readLetter(partition uint8, batch []byte) (got letterRead, err error) {
	if len(batch) == 0 || batch[0] != letterVersion {
		return got, fmt.Errorf("it is not in version %d of its form: a worker of another version of this program "+
			"sent it: run the same version everywhere", letterVersion)
	}
	r := binread.Reader{Rest: batch[1:]}
	for len(r.Rest) > 0 {
		e := event(r.Byte())
		switch e {
		case letterAsk:
			a := readRemoteHop(&r)
			u, err := weburl.Links.Parse(a.url)
			if r.Wrong || err != nil || partitionOf(u) != partition {
				return got, errLetter
			}
			got.asks = append(got.asks, a)
			continue
		case letterAnswer:
			a := readRemoteAnswer(&r)
			if r.Wrong || a.status < 0 || a.status > 999 {
				return got, errLetter
			}
			got.answers = append(got.answers, a)
			continue
		}
		if e != eventSeen && e != eventRefuse {
			return got, errLetter
		}
		l := link{item: readItem(partition, &r)}
		if e == eventRefuse {
			if l.refused = result.Reason(r.Byte()); l.refused == result.None || int(l.refused) >= result.Reasons {
				return got, errLetter
			}
		}
		if r.Wrong {
			return got, errLetter
		}
		if err := l.item.Check(); err != nil {
			return got, fmt.Errorf("%w: %w", errLetter, err)
		}
		u, err := weburl.Exact.Parse(l.item.URL)
		if err != nil {
			return got, fmt.Errorf("%w: %w", errLetter, err)
		}
		if u.String() != l.item.URL {
			return got, fmt.Errorf("%w: %.200q is not in canonical form", errLetter, l.item.URL)
		}
		if to := partitionOf(u); to != partition {
			return got, fmt.Errorf("%w: %.200q is of partition %d", errLetter, l.item.URL, to)
		}
		got.links = append(got.links, l)
	}
	return got, nil
}

// lately are the fingerprints of links that were sent lately, mostLately of them at least.
type lately struct{ now, before map[uint64]struct{} }

const mostLately = 1 << 16

func (l *lately) has(print uint64) bool {
	if _, ok := l.now[print]; ok {
		return true
	}
	_, ok := l.before[print]
	return ok
}

func (l *lately) put(print uint64) {
	if len(l.now) >= mostLately {
		l.before, l.now = l.now, nil
	}
	if l.now == nil {
		l.now = make(map[uint64]struct{})
	}
	l.now[print] = struct{}{}
}
