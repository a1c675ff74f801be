package journal

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// positionBits is the number of bits of a position for the record in its message. The
// other bits are the sequence number of the message in its stream.
const positionBits = 16

// position returns the position of a record of a message.
func position(seq uint64, record int) uint64 { return seq<<positionBits | uint64(record) }

// earlier returns the relative position of a record in a message so many messages before
// the current one. resolve makes the position absolute, given the sequence number of the
// current message.
func earlier(messages, record int) uint64 { return position(-uint64(messages), record) }

func resolve(before, seq uint64) uint64 {
	if before>>63 == 0 {
		return before
	}
	return before + position(seq, 0)
}

// A Partition is a partition that this process has claimed. Its methods are safe for
// concurrent use. Records appended by one goroutine stay in order.
type Partition struct {
	lane  *lane
	id    uint64                // random, or the session that claimed
	fleet bool                  // the id is a session
	epoch uint64                // set by the claim
	last  atomic.Uint64         // position of the last record
	tip   atomic.Uint64         // sequence number of the last message, with or without records
	ended atomic.Pointer[error] // why appends fail, or nil; written with the stream locked

	release Ticket // of the entry after which nothing is appended; guarded by stream.mu
}

// Claim makes the caller the owner of a partition. It appends a claim to the log; after
// the claim the log accepts no entry of an older owner. Concurrent claims share a message
// batch. If Claim fails, the older owner may be fenced nonetheless.
func (j *Journal) Claim(ctx context.Context, partition int) (*Partition, error) {
	if err := j.checkPartition(partition); err != nil {
		return nil, fmt.Errorf("claim: %w", err)
	}
	l := j.logOf(partition)
	p := &Partition{lane: l, id: newID()}
	if err := p.claim(ctx, claimKind, Tail{}); err != nil {
		return nil, err
	}
	return p, nil
}

// claim appends a claim of p. The log may already have a claim of p if there is an error.
func (p *Partition) claim(ctx context.Context, kind byte, behind Tail) error {
	l, s := p.lane, p.lane.stream
	s.mu.Lock()
	if l.owner != nil {
		l.end(l.owner, ErrFenced)
	}
	l.owner = p
	t := s.add(p, l, kind, nil)
	if t.message != nil {
		t.message.behind = behind
	}
	s.mu.Unlock()
	s.signal()
	_, err := t.Wait(ctx)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("claim partition %d: %w", l.partition, err)
	s.mu.Lock()
	l.end(p, err) // a claim that waits to be sent is not sent any more
	s.mu.Unlock()
	return err
}

// Number returns the number of the partition, from 0 on.
func (p *Partition) Number() int { return p.lane.partition }

// Last returns the position of the last durable record, or 0 if the log has never had a
// record.
func (p *Partition) Last() uint64 { return p.last.Load() }

// Append appends a record. The caller may reuse the record when Append returns. Append
// waits only while the backlog is full.
func (p *Partition) Append(ctx context.Context, record []byte) Ticket {
	return p.lane.stream.append(ctx, p, p.lane, recordKind, record)
}

// Send puts a batch into the inbox of a partition, which may have another owner. Once the
// ticket is answered, the batch will be received at least once.
func (j *Journal) Send(ctx context.Context, partition int, batch []byte) Ticket {
	if err := j.checkPartition(partition); err != nil {
		return Ticket{err: fmt.Errorf("send: %w", err)}
	}
	l := j.inboxOf(partition)
	return l.stream.append(ctx, nil, l, inboxKind, batch)
}

// A Ticket tracks a record until it is durable. The zero Ticket has no record and is
// answered.
type Ticket struct {
	message *message
	index   int
	err     error
}

// Wait waits until the record is durable, and returns its position. An error of the
// context says nothing about the record. After any other error, such as [ErrFenced] or
// [ErrClosed], the record may or may not be in the log.
func (t Ticket) Wait(ctx context.Context) (uint64, error) {
	if t.message == nil {
		return 0, t.err
	}
	select {
	case <-t.message.done:
	default:
		select {
		case <-t.message.done:
		case <-ctx.Done():
			err := context.Cause(ctx)
			if trouble := t.message.lane.stream.trouble.Load(); trouble != nil {
				err = fmt.Errorf("%w while the journal was in trouble: %w", err, *trouble)
			}
			return 0, t.message.lane.error("wait for", err)
		}
	}
	if t.message.err != nil {
		return 0, t.message.err
	}
	return position(t.message.seq, t.index), nil
}

// append adds a record to the open message of a lane.
func (s *stream) append(ctx context.Context, p *Partition, l *lane, kind byte, record []byte) Ticket {
	if len(record) > MaxRecord {
		return Ticket{err: l.error("append to", ErrTooLong)}
	}
	s.mu.Lock()
	for s.bytes > 0 && s.bytes+len(record) > s.backlog && s.err == nil && !s.closing {
		room := s.room
		s.mu.Unlock()
		s.signal()
		select {
		case <-room:
		case <-ctx.Done():
			return Ticket{err: l.error("append to", context.Cause(ctx))}
		}
		s.mu.Lock()
	}
	t := s.add(p, l, kind, record)
	var sealed *message
	if t.err == nil && (len(*t.message.raw) >= s.journal.options.Bytes || t.message.count == maxRecords) {
		sealed = l.open
		l.full = append(l.full, sealed)
		l.open = nil
		s.full += sealed.size
	}
	first := t.err == nil && t.index == 0
	s.mu.Unlock()
	if sealed != nil {
		sealed.seal() // here, so that appending goroutines share the work
		s.mu.Lock()
		if sealed.size > 0 { // 0 if it has been sent since
			s.account(sealed, sealed.length)
		}
		s.mu.Unlock()
	}
	if first || sealed != nil {
		s.signal()
	}
	return t
}

// add adds a record. s.mu must be held. An entry without a record is a message of its own.
func (s *stream) add(p *Partition, l *lane, kind byte, record []byte) Ticket {
	switch {
	case s.err != nil:
		return Ticket{err: l.error("append to", s.err)}
	case s.closing:
		return Ticket{err: l.error("append to", ErrClosed)}
	}
	if p != nil {
		if ended := p.ended.Load(); ended != nil {
			return Ticket{err: l.error("append to", *ended)}
		}
		if p.release.message != nil {
			return Ticket{err: l.error("append to", ErrReleased)}
		}
	}
	m := l.open
	alone := kind != recordKind && kind != inboxKind
	if m == nil || alone {
		if m != nil {
			l.full = append(l.full, m)
			s.full += m.size
			l.open = nil
		}
		m = &message{lane: l, owner: p, kind: kind, since: time.Now(), raw: s.journal.buffers.get(),
			done: make(chan struct{})}
		if !l.active {
			l.active = true
			s.active = append(s.active, l)
		}
		if alone {
			l.full = append(l.full, m)
			s.urgent = true
			s.account(m, headerSize)
			return Ticket{message: m}
		}
		l.open = m
	}
	t := Ticket{message: m, index: m.count}
	m.add(record)
	s.account(m, headerSize+len(*m.raw))
	return t
}

// account sets the bytes that a message takes of the backlog. s.mu must be held.
func (s *stream) account(m *message, size int) {
	if size < m.size {
		close(s.room)
		s.room = make(chan struct{})
	}
	s.bytes += size - m.size
	m.size = size
}

// end ends the ownership of p: its pending messages fail. The stream must be locked.
func (l *lane) end(p *Partition, cause error) {
	if p.ended.Load() == nil {
		p.ended.Store(&cause)
	}
	if l.owner == p {
		l.owner = nil
	}
	keep := l.full[:0]
	for _, m := range l.full {
		if m.owner == p {
			l.stream.finish(m, cause)
		} else {
			keep = append(keep, m)
		}
	}
	clear(l.full[len(keep):])
	l.full = keep
	if l.open != nil && l.open.owner == p {
		l.stream.finish(l.open, cause)
		l.open = nil
	}
}

// error wraps err with the act and the partition.
func (l *lane) error(act string, err error) error {
	if l.stream.inbox {
		return fmt.Errorf("%s the inbox of partition %d: %w", act, l.partition, err)
	}
	return fmt.Errorf("%s partition %d: %w", act, l.partition, err)
}
