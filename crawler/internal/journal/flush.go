package journal

import (
	"context"
	"errors"
	"fmt"
	"time"

	cluster "github.com/robotsexclusion/robots/internal/nats"
)

const (
	kickBytes   = 4 << 20 // bytes of full messages that are sent before the interval ends
	batchBytes  = 4 << 20 // bytes of a batch, as it is sent
	batchLength = 512     // messages; the default limit of a server is 1,000
	retries     = 5       // with a server in this process, which should not be slow
	firstPause  = 20 * time.Millisecond
	longPause   = 2 * time.Second
)

// signal wakes the sender.
func (s *stream) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// run is the sender: it sends pending messages until the journal is closed.
func (s *stream) run() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		batch, wait, ended := s.take(time.Now())
		if len(batch) > 0 {
			s.deliver(batch)
			continue
		}
		if ended {
			return
		}
		timer.Reset(wait)
		select {
		case <-s.wake:
		case <-timer.C:
		}
	}
}

// take returns the messages to send now, or how long the sender can wait.
func (s *stream) take(now time.Time) (batch []*message, wait time.Duration, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wait = time.Hour
	for _, l := range s.active {
		if m := l.first(); m != nil {
			wait = min(wait, s.interval-now.Sub(m.since))
		}
	}
	everything := wait <= 0 || s.closing || s.bytes > s.backlog/2
	if !everything && !s.urgent && s.full < kickBytes {
		return nil, wait, false
	}
	keep := s.active[:0]
	lanes := 0
	for _, l := range s.active {
		m := l.first()
		if m != nil && !everything && len(l.full) == 0 && now.Sub(m.since) < s.interval/2 {
			keep = append(keep, l) // young enough to wait for more records
			continue
		}
		l.active = false
		if m != nil {
			lanes++
			batch = append(batch, l.full...)
			clear(l.full)
			l.full = l.full[:0]
			if l.open != nil {
				batch = append(batch, l.open)
				l.open = nil
			}
		}
	}
	clear(s.active[len(keep):])
	s.active = keep
	s.full, s.urgent = 0, false
	// A batch costs several syncs, a single message costs one.
	s.interval = s.journal.options.Flush
	if lanes > 1 {
		s.interval *= 2
	}
	return batch, wait, s.closing
}

// first returns the message that has waited longest, or nil.
func (l *lane) first() *message {
	if len(l.full) > 0 {
		return l.full[0]
	}
	return l.open
}

// deliver sends messages in as many batches as needed. Messages of the same lane stay
// together.
func (s *stream) deliver(messages []*message) {
	for len(messages) > 0 {
		n, size := 0, 0
		for ; n < len(messages) && n < batchLength; n++ {
			messages[n].seal()
			if size += messages[n].length; n > 0 && size > batchBytes {
				break
			}
		}
		s.deliverBatch(s.current(messages[:n:n]))
		messages = messages[n:]
	}
}

// current returns the messages that are still to be sent, and ends the others: an earlier
// batch may have ended their partition, or the stream.
func (s *stream) current(messages []*message) (current []*message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range messages {
		switch {
		case s.err != nil:
			s.finish(m, s.err)
		case m.owner != nil && m.owner.ended.Load() != nil:
			s.finish(m, *m.owner.ended.Load())
		default:
			current = append(current, m)
		}
	}
	return current
}

// deliverBatch retries a batch until each message is in the log or has failed.
func (s *stream) deliverBatch(batch []*message) {
	uncertain := false // a batch was sent and not answered
	silent := 0        // batches in a row that were not answered, while the server answered questions
	var err error
	for attempt := 0; len(batch) > 0; attempt++ {
		if attempt > 0 {
			trouble := err
			s.trouble.Store(&trouble)
			if err = s.pause(attempt, err); err != nil {
				s.fail(batch, err)
				return
			}
		}
		if uncertain && !s.inbox {
			if batch, err = s.reconcile(batch); err != nil {
				silent = 0
				continue
			}
			uncertain = false
			if len(batch) == 0 {
				break
			}
		}
		if s.inbox {
			ctx, cancel := s.journal.requestContext()
			err = s.ready(ctx) // the first message creates the stream
			cancel()
			if err != nil {
				continue
			}
		}
		if batch, err = s.number(batch); err != nil || len(batch) == 0 {
			continue // err may be nil: all messages have ended
		}
		uncertain = true
		var seq uint64
		if seq, err = s.request(batch); err != nil {
			if silent++; !errors.Is(err, context.DeadlineExceeded) || s.inbox || s.journal.server != nil {
				silent = 0
			} else if silent > 2*retries { // as a server whose disk is full
				err = fmt.Errorf("%w: %s: %w", ErrFull, hintNotStored, err)
			}
			continue
		}
		for i, m := range batch {
			s.acknowledge(m, seq-uint64(len(batch)-1-i))
		}
		batch = nil
	}
	s.mu.Lock()
	s.safe = s.acknowledged
	s.mu.Unlock()
	s.trouble.Store(nil)
}

// request publishes a batch.
func (s *stream) request(batch []*message) (uint64, error) {
	ctx, cancel := s.journal.requestContext()
	defer cancel()
	seq, err := s.publish(ctx, batch)
	if local := s.journal.server; local != nil {
		if trouble := local.check(); trouble != nil {
			return 0, trouble // the acknowledged messages are in a folder that is gone
		}
	}
	return seq, err
}

// requestContext returns the context of a request. It ends when the answer is overdue or the
// connection is lost.
func (j *Journal) requestContext() (context.Context, context.CancelFunc) {
	link := j.link.Load().Context
	ctx, cancel := context.WithTimeout(j.ctx, j.answerTime())
	stop := context.AfterFunc(link, cancel)
	return ctx, func() { stop(); cancel() }
}

// pause waits before the next attempt, or returns the error that rules out another
// attempt.
func (s *stream) pause(attempt int, err error) error {
	if local := s.journal.server; local != nil {
		if trouble := local.probe(); trouble != nil {
			return trouble
		}
		if attempt > retries {
			return errors.Join(err, local.said())
		}
	}
	if s.journal.server == nil {
		if err := denial(s.journal.conn); err != nil {
			return err
		}
		if full := full(err); errors.Is(full, ErrFull) && attempt > patience(err) {
			return full
		}
		if attempt == retries {
			s.journal.options.Log.Warn("the journal waits for its server", "stream", s.name,
				"error", cluster.Explain(err))
		}
	}
	s.mu.Lock()
	closing := s.closing
	s.mu.Unlock()
	if closing {
		return fmt.Errorf("%w before it was acknowledged: %w", ErrClosed, err)
	}
	wait := time.NewTimer(min(firstPause<<min(attempt, 10), longPause))
	defer wait.Stop()
	for {
		select {
		case <-wait.C:
			return nil
		case <-s.wake: // by Close or an append
			s.mu.Lock()
			closing := s.closing
			s.mu.Unlock()
			if closing {
				return nil // the last attempt
			}
		}
	}
}

// number gives the messages of a log their numbers. For a claim it first reads the
// message that the claim follows; a claim is the only message of its lane in the batch.
// It returns the messages that can be sent.
func (s *stream) number(batch []*message) (numbered []*message, err error) {
	var lane *lane
	var number, before uint64
	for i, m := range batch {
		if s.inbox {
			m.head.put(m.data)
			continue
		}
		p := m.owner
		if m.claims() {
			if err := m.follow(); s.corrupt(batch[i:i+1], err) {
				continue
			} else if err != nil {
				return append(numbered, batch[i:]...), err
			}
		}
		if lane != m.lane {
			lane, number, before = m.lane, m.lane.number, p.last.Load()
		}
		number++
		m.head.epoch, m.head.owner, m.head.number, m.head.before = p.epoch, p.id, number, before
		m.head.session = p.fleet
		m.head.put(m.data)
		numbered = append(numbered, m)
		if m.kind == recordKind {
			before = earlier(1, m.count-1)
		} else if before>>63 != 0 {
			before -= position(1, 0)
		}
	}
	if s.inbox {
		return batch, nil
	}
	return numbered, nil
}

// corrupt ends messages of a lane, and their partition, if the error says that the last message of
// the lane is not a message of a journal, or not the one that a claim names.
func (s *stream) corrupt(messages []*message, err error) bool {
	if _, corrupt := errors.AsType[*CorruptError](err); !corrupt && !errors.Is(err, ErrFenced) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range messages {
		m.lane.end(m.owner, err)
		s.finish(m, err)
	}
	return true
}

// claims reports whether the message is a claim.
func (m *message) claims() bool { return m.kind == claimKind || m.kind == sessionKind }

// follow reads the last message of the log that the claim m follows. The claim of a session names
// the message, which is read only if the server does not compare it. The error is ErrFenced if the
// log has another end.
func (m *message) follow() error {
	seq, h := m.behind.Sequence, m.behind.head
	if m.kind == claimKind || m.lane.stream.journal.server != nil {
		ctx, cancel := m.lane.stream.journal.requestContext()
		defer cancel()
		var err error
		if seq, h, err = m.lane.last(ctx); err != nil {
			return err
		}
		if m.kind == sessionKind && seq != m.behind.Sequence {
			return ErrFenced
		}
	}
	m.lane.seq, m.lane.number, m.owner.epoch = seq, h.number, h.epoch+1
	if h.kind == recordKind {
		h.before = position(seq, h.records-1)
	}
	m.owner.last.Store(h.before)
	return nil
}

// acknowledge ends a message that is durable.
func (s *stream) acknowledge(m *message, seq uint64) {
	if !s.inbox {
		m.lane.seq, m.lane.number = seq, m.head.number
		m.owner.tip.Store(seq)
		if m.kind == recordKind {
			m.owner.last.Store(position(seq, m.count-1))
		}
	}
	s.tail = max(s.tail, seq)
	s.acknowledged = max(s.acknowledged, seq)
	s.mu.Lock()
	m.seq = seq
	s.finish(m, nil)
	if m.kind == releaseKind {
		m.lane.end(m.owner, ErrReleased)
	}
	s.mu.Unlock()
	m.data = nil // tickets may be kept for long
}

// finish ends a message. s.mu must be held.
func (s *stream) finish(m *message, err error) {
	if err != nil {
		m.err = m.lane.error("append to", err)
	}
	s.account(m, 0)
	close(m.done)
}

// reconcile checks which messages of an unacknowledged batch are in the log, because the server
// may have stored the batch. It returns the missing messages, and ends the messages of partitions
// that have another owner.
func (s *stream) reconcile(batch []*message) (left []*message, err error) {
	ctx, cancel := s.journal.requestContext()
	defer cancel()
	for len(batch) > 0 {
		l, p := batch[0].lane, batch[0].owner
		n := 1
		for n < len(batch) && batch[n].lane == l {
			n++
		}
		seq, h, err := l.last(ctx)
		if s.corrupt(batch[:n], err) {
			batch = batch[n:]
			continue
		}
		if err != nil {
			return append(left, batch...), err
		}
		for _, m := range batch[:n] {
			switch {
			case h.owner == p.id && h.epoch == p.epoch && m.head.number <= h.number:
				s.acknowledge(m, seq-(h.number-m.head.number))
			case m.kind == sessionKind && seq == m.behind.Sequence, m.kind == claimKind,
				!m.claims() && h.owner == p.id && h.epoch == p.epoch:
				left = append(left, m)
			default:
				s.mu.Lock()
				l.end(p, ErrFenced)
				s.finish(m, ErrFenced)
				s.mu.Unlock()
			}
		}
		batch = batch[n:]
	}
	if s.journal.server != nil {
		info, err := s.remote.Info(ctx)
		if err != nil {
			return left, err
		}
		s.tail = info.State.LastSeq
	}
	return left, nil
}

// fail ends a batch and all pending messages with an error. The stream sends nothing more.
func (s *stream) fail(batch []*message, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
	for _, l := range s.active {
		batch = append(batch, l.full...)
		if l.open != nil {
			batch = append(batch, l.open)
		}
		l.full, l.open, l.active = nil, nil, false
	}
	s.active = nil
	for _, m := range batch {
		s.finish(m, err)
	}
}
