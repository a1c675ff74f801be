package journal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A reader of a stream requests this many messages at once, or fewer if they have more bytes. It
// keeps this many messages in memory. If only the bytes were limited, the client would allocate
// room for a million messages.
const (
	fetchMessages = 4096
	fetchBytes    = 4 << 20
)

// Replay calls fn for the records of partitions after the given positions. The records of
// each partition come in order, up to the end of the log when Replay was called. The
// position 0 is before the first record. Partitions that are replayed together are read
// in one pass, which costs little more than reading one of them. fn must not keep the
// record.
//
// A position is 0 or that of a record. If the log has also been trimmed above a position,
// the error is [ErrTrimmed]. A position after the end of the log is [ErrLost]: the log
// has lost records that the caller has applied.
func (j *Journal) Replay(ctx context.Context, after map[*Partition]uint64, fn func(p *Partition, position uint64,
	record []byte) error) error {
	if err := j.alive(); err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	after = maps.Clone(after) // fn may write to it
	for _, s := range j.logs {
		r := newReader(s)
		for p, position := range after {
			if p.lane.stream != s {
				continue
			}
			last := p.Last()
			if position > last {
				return p.lane.error("replay", fmt.Errorf("%w: it ends at %d, before %d", ErrLost, last, position))
			}
			r.add(p, p.lane, position, last)
		}
		if err := r.read(ctx, fn); err != nil {
			return fmt.Errorf("replay: %w", err)
		}
	}
	return nil
}

// Receive calls fn for the batches in the inboxes of partitions after the given
// positions, and for batches that arrive later, until the context ends or fn returns an
// error. The batches of one inbox come in order. The same batch may come again, at
// another position. fn must not keep the batch.
func (j *Journal) Receive(ctx context.Context, after map[*Partition]uint64, fn func(p *Partition, position uint64,
	batch []byte) error) error {
	if err := j.alive(); err != nil {
		return fmt.Errorf("receive: %w", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan error)
	streams := 0
	lock := make(chan struct{}, 1) // one call of fn at a time
	after = maps.Clone(after)      // fn may write to it
	for _, s := range j.inboxes {
		r := newReader(s)
		for p, position := range after {
			if l := j.inboxOf(p.lane.partition); l.stream == s {
				r.add(p, l, position, forever)
			}
		}
		if len(r.tracks) == 0 {
			continue
		}
		err := j.patiently(ctx, func() error { return s.ready(ctx) })
		if err == nil {
			err = r.skip(ctx)
		}
		if err != nil {
			cancel(err)
			break
		}
		streams++
		go func() {
			ended <- r.read(ctx, func(p *Partition, position uint64, batch []byte) error {
				lock <- struct{}{}
				defer func() { <-lock }()
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				if cause := p.ended.Load(); cause != nil {
					return p.lane.error("receive for", *cause)
				}
				return fn(p, position, batch)
			})
		}()
	}
	if streams == 0 {
		select {
		case <-ctx.Done():
		case <-j.ctx.Done():
			cancel(ErrClosed)
		}
	}
	first := context.Cause(ctx)
	for range streams {
		if err := <-ended; first == nil {
			first = err
			cancel(err)
		}
	}
	return fmt.Errorf("receive: %w", first)
}

// forever is the end position of a reader that also reads what is written later.
const forever = 1<<64 - 1

// A reader reads the messages of some lanes of a stream.
type reader struct {
	stream *stream
	tracks map[string]*track // by subject
	from   uint64            // sequence number of the next message
	open   int               // tracks that have not ended
	buf    []byte
}

// A track is the progress of a reader in one lane.
type track struct {
	lane      *lane
	partition *Partition
	after     uint64 // position
	end       uint64 // position of the last record, or forever
	seen      uint64 // sequence number of the last message, or 0
	last      uint64 // position of the last record up to seen
}

func newReader(s *stream) *reader {
	return &reader{stream: s, tracks: make(map[string]*track), from: forever}
}

// add adds the records of a lane after a position.
func (r *reader) add(p *Partition, l *lane, after, end uint64) {
	if after >= end {
		return
	}
	r.tracks[l.subject] = &track{lane: l, partition: p, after: after, end: end, last: after}
	r.open++
	// The message of the position itself is read too: it may have more records.
	r.from = min(r.from, max(after>>positionBits, 1))
}

// skip moves the reader to the first new message. That message may be long after the
// oldest position if some partitions have nothing new.
func (r *reader) skip(ctx context.Context) error {
	end, err := r.stream.end(ctx)
	if err != nil {
		return err
	}
	r.from = end + 1
	for _, t := range r.tracks {
		seq, h, err := t.lane.lastSoon(ctx)
		if err != nil {
			return err
		}
		if seq > 0 && position(seq, h.records-1) > t.after {
			r.from = min(r.from, max(t.after>>positionBits, 1))
		}
	}
	return nil
}

// read calls fn for the records of the tracks, and reconnects as often as needed.
func (r *reader) read(ctx context.Context, fn func(p *Partition, position uint64, record []byte) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.stream.journal.ctx, func() { cancel(ErrClosed) })()
	var failed error // the error of fn, or of a message
	err := r.stream.journal.patiently(ctx, func() error {
		return r.readOn(ctx, &failed, fn)
	})
	if failed != nil {
		return failed
	}
	if err != nil {
		return fmt.Errorf("stream %s: %w", r.stream.name, cause(ctx, err))
	}
	return nil
}

// readOn reads the messages that have not been read yet. It returns the errors of the
// connection, and sets failed to any other error.
func (r *reader) readOn(ctx context.Context, failed *error, fn func(p *Partition, position uint64,
	record []byte) error) error {
	if r.open == 0 {
		return nil
	}
	s := r.stream
	config := jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverByStartSequencePolicy,
		OptStartSeq: r.from, InactiveThreshold: forgotten}
	if len(r.tracks) < len(s.lanes) {
		for subject := range r.tracks {
			config.FilterSubjects = append(config.FilterSubjects, subject)
		}
	}
	consumer, err := s.remote.OrderedConsumer(ctx, config)
	if err != nil {
		return err
	}
	defer forget(s, consumer)
	messages, err := consumer.Messages(jetstream.PullMaxMessagesWithBytesLimit(fetchMessages, fetchBytes))
	if err != nil {
		return err
	}
	defer messages.Stop()
	if !s.inbox {
		info, err := consumer.Info(ctx)
		if err != nil {
			return err
		}
		if info.NumPending == 0 && info.Delivered.Consumer == 0 {
			return r.lost(ctx, failed)
		}
	}
	for r.open > 0 {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return err
		}
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		if t := r.tracks[m.Subject()]; t != nil {
			if *failed = r.message(t, meta.Sequence.Stream, m.Data(), fn); *failed != nil {
				return nil
			}
		}
		r.from = meta.Sequence.Stream + 1
		if meta.NumPending == 0 && r.open > 0 && !s.inbox {
			return r.lost(ctx, failed)
		}
	}
	return nil
}

// forgotten is how long the server keeps a consumer that nobody reads from: that of a worker which
// was killed or cut off. The server allows 1,000 consumers of a stream, or as many as its operator
// says.
const forgotten = 30 * time.Second

// forget deletes the consumer of a reader that has ended, which does not wait for the answer.
func forget(s *stream, consumer jetstream.Consumer) {
	info := consumer.CachedInfo()
	if info == nil {
		return
	}
	go func() {
		ctx, cancel := context.WithTimeout(s.journal.ctx, forgotten)
		defer cancel()
		s.remote.DeleteConsumer(ctx, info.Name) // or the server forgets it
	}()
}

// errBehind is the error of a reader that has reached the end of a replica before that of the log.
var errBehind = errors.New("a server of the cluster has not caught up with the others yet")

// lost sets failed if the known end of a log is missing. The reader may have asked a server that
// was down and does not have the end yet: then the leader has it, and lost returns an error.
func (r *reader) lost(ctx context.Context, failed *error) error {
	for _, t := range r.tracks {
		if t.last >= t.end {
			continue
		}
		end := t.end >> positionBits
		if r.stream.journal.server == nil {
			m, err := r.stream.remote.GetMsg(ctx, end)
			switch {
			case err == nil && m.Subject == t.lane.subject:
				return errBehind
			case err != nil && !errors.Is(err, jetstream.ErrMsgNotFound):
				return err
			}
		}
		*failed = t.lane.corrupt(end, fmt.Errorf("it is not there, nor is what follows message %d",
			t.last>>positionBits))
		return nil
	}
	return nil
}

// message reads a message of a track.
func (r *reader) message(t *track, seq uint64, data []byte, fn func(p *Partition, position uint64,
	record []byte) error) error {
	if seq < t.after>>positionBits || seq > t.end>>positionBits || seq <= t.seen {
		return nil
	}
	h, err := t.lane.parse(seq, data)
	if err != nil {
		return err
	}
	if !r.stream.inbox && h.before != t.last && seq != t.after>>positionBits {
		if t.seen == 0 && h.before > t.after {
			return t.lane.error("read", fmt.Errorf("%w: it begins with message %d, which follows position %d, not %d",
				ErrTrimmed, seq, h.before, t.after))
		}
		return t.lane.corrupt(seq,
			fmt.Errorf("it follows position %d, and the last there is %d: what was between is lost", h.before, t.last))
	}
	t.seen = seq
	if h.records > 0 {
		t.last = position(seq, h.records-1)
	}
	r.buf, err = h.each(data, r.buf, r.stream.journal.decoder, func(i int, record []byte) error {
		if at := position(seq, i); at > t.after {
			return fn(t.partition, at, record)
		}
		return nil
	})
	if d := (damage{}); errors.As(err, &d) {
		err = t.lane.corrupt(seq, d.error)
	}
	if t.last >= t.end {
		r.open--
	}
	return err
}

// cause returns the cause of a context that has ended, or else err.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
