package journal

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/nats-io/nats.go/jetstream"
)

// fetchOctets is how much is asked for at once, and kept in memory, when a stream is
// read.
const fetchOctets = 4 << 20

// Replay calls fn for the records of partitions after positions: those of each
// partition in order, up to what was the end when Replay was called. The position 0 is
// before the first. Partitions that are replayed together are read in one go, which
// costs not much more than one of them. Fn must not keep the record.
//
// A position is 0 or that of a record. One below which the log has not only been trimmed, but also above, is
// [ErrTrimmed]. One after its end is an error too: the log has lost what somebody has.
func (j *Journal) Replay(ctx context.Context, after map[*Partition]uint64, fn func(p *Partition, position uint64, record []byte) error) error {
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

// Replay calls fn for the records of the partition after a position, as
// [Journal.Replay] does.
func (p *Partition) Replay(ctx context.Context, after uint64, fn func(position uint64, record []byte) error) error {
	return p.lane.stream.journal.Replay(ctx, map[*Partition]uint64{p: after}, func(_ *Partition, position uint64, record []byte) error {
		return fn(position, record)
	})
}

// Receive calls fn for what is in the inboxes of partitions after positions, and for
// what comes, until the context ends or fn returns an error. What comes into one inbox
// is in order. The same may come again, at another position. Fn must not keep the
// batch.
func (j *Journal) Receive(ctx context.Context, after map[*Partition]uint64, fn func(p *Partition, position uint64, batch []byte) error) error {
	if err := j.alive(); err != nil {
		return fmt.Errorf("receive: %w", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan error)
	streams := 0
	lock := make(chan struct{}, 1) // fn is called by one at a time
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
		if err := r.skip(ctx); err != nil {
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

// forever is the end of what is read while it is written.
const forever = 1<<64 - 1

// A reader reads the messages of some lanes of a stream.
type reader struct {
	stream *stream
	tracks map[string]*track // by subject
	from   uint64            // sequence number of the next message
	open   int               // tracks that have not ended
	buf    []byte
}

// A track is what a reader does with a lane.
type track struct {
	lane      *lane
	partition *Partition
	after     uint64 // position
	end       uint64 // position of the last record, or forever
	seen      uint64 // sequence number of the last message, or 0
	last      uint64 // position of the last record up to there
}

func newReader(s *stream) *reader {
	return &reader{stream: s, tracks: make(map[string]*track), from: forever}
}

// add adds what follows a position.
func (r *reader) add(p *Partition, l *lane, after, end uint64) {
	if after >= end {
		return
	}
	r.tracks[l.subject] = &track{lane: l, partition: p, after: after, end: end, last: after}
	r.open++
	// The message of the position itself is read too: it may have more records.
	r.from = min(r.from, max(after>>positionBits, 1))
}

// skip has the reader begin where there is something new, which may be long after the
// oldest position if there is nothing for some partitions.
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

// read calls fn for the records of the tracks, over as many connections as it takes.
func (r *reader) read(ctx context.Context, fn func(p *Partition, position uint64, record []byte) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.stream.journal.ctx, func() { cancel(ErrClosed) })()
	var failed error // of fn, or of what was read
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

// readOn reads what was not read yet. It returns the errors of the connection.
func (r *reader) readOn(ctx context.Context, failed *error, fn func(p *Partition, position uint64, record []byte) error) error {
	if r.open == 0 {
		return nil
	}
	s := r.stream
	config := jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: r.from}
	if len(r.tracks) < len(s.lanes) {
		for subject := range r.tracks {
			config.FilterSubjects = append(config.FilterSubjects, subject)
		}
	}
	consumer, err := s.remote.OrderedConsumer(ctx, config)
	if err != nil {
		return err
	}
	messages, err := consumer.Messages(jetstream.PullMaxBytes(fetchOctets))
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
			*failed = r.lost()
			return nil
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
			*failed = r.lost()
			return nil
		}
	}
	return nil
}

// lost returns the error for a log whose end was there once.
func (r *reader) lost() error {
	for _, t := range r.tracks {
		if t.last < t.end {
			return t.lane.corrupt(t.end>>positionBits, fmt.Errorf("it is not there, nor is what follows message %d", t.last>>positionBits))
		}
	}
	return nil
}

// message reads a message of a track.
func (r *reader) message(t *track, seq uint64, data []byte, fn func(p *Partition, position uint64, record []byte) error) error {
	if seq < t.after>>positionBits || seq > t.end>>positionBits || seq <= t.seen {
		return nil
	}
	h, err := t.lane.parse(seq, data)
	if err != nil {
		return err
	}
	if !r.stream.inbox && h.before != t.last && seq != t.after>>positionBits {
		if t.seen == 0 && h.before > t.after {
			return t.lane.error("read", fmt.Errorf("%w: it begins with message %d, which follows position %d, not %d", ErrTrimmed, seq, h.before, t.after))
		}
		return t.lane.corrupt(seq, fmt.Errorf("it follows position %d, and the last there is %d: what was between is lost", h.before, t.last))
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

// cause returns the reason why a context ended, if it did, or else err.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
