package journal

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Trim removes records up to the given positions from the log, because a checkpoint no
// longer needs them. The log must have reached the positions. A few of the records may
// stay. Trimming all partitions of a stream together is much cheaper than trimming some
// of them.
func (j *Journal) Trim(ctx context.Context, upTo map[*Partition]uint64) error {
	if err := j.alive(); err != nil {
		return fmt.Errorf("trim: %w", err)
	}
	for _, s := range j.logs {
		cut, trimmed := uint64(forever), 0
		var idle []*Partition
		s.mu.Lock()
		safe := s.safe
		s.mu.Unlock()
		for p, position := range upTo {
			if p.lane.stream != s {
				continue
			}
			switch last := p.Last(); {
			case p.ended.Load() != nil:
				return p.lane.error("trim", *p.ended.Load())
			case position > last:
				return p.lane.error("trim", fmt.Errorf("the log ends at %d, before %d", last, position))
			case position == last:
				idle = append(idle, p)
			default:
				cut = min(cut, position>>positionBits)
			}
			trimmed++
		}
		if trimmed < len(s.lanes) {
			for p, position := range upTo {
				if p.lane.stream != s {
					continue
				}
				if err := s.purge(ctx, position>>positionBits, jetstream.WithPurgeSubject(p.lane.subject)); err != nil {
					return p.lane.error("trim", err)
				}
			}
			continue
		}
		// Removing everything below a sequence number is cheap, but each partition must
		// keep a message that says where its log ends and who owns the partition.
		cut = min(cut, safe)
		var marks []Ticket
		s.mu.Lock()
		for _, p := range idle {
			if p.tip.Load() < cut {
				marks = append(marks, s.add(p, p.lane, markKind, nil))
			}
		}
		s.mu.Unlock()
		s.signal()
		for _, t := range marks {
			if _, err := t.Wait(ctx); err != nil {
				return fmt.Errorf("trim: %w", err)
			}
		}
		if err := s.purge(ctx, cut); err != nil {
			return fmt.Errorf("trim stream %s: %w", s.name, err)
		}
	}
	return nil
}

// Begin returns the position before the first record of the log that was not trimmed, for
// [Journal.Replay]. It is 0 if nothing was trimmed.
func Begin(ctx context.Context, p *Partition) (uint64, error) {
	l, before := p.lane, uint64(0)
	err := l.stream.journal.patiently(ctx, func() error {
		m, err := l.stream.remote.GetMsg(ctx, 1, jetstream.WithGetMsgSubject(l.subject))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		} else if err != nil {
			return err
		}
		h, err := l.parse(m.Sequence, m.Data)
		before = h.before
		return err
	})
	if err != nil {
		return 0, l.error("read the start of", err)
	}
	return before, nil
}

// TrimInbox removes batches up to the given positions from the inboxes. A few batches may
// stay; a Receive from an earlier position would get them again. As with [Journal.Trim],
// trimming all inboxes together is cheaper than trimming some.
func (j *Journal) TrimInbox(ctx context.Context, upTo map[*Partition]uint64) error {
	if err := j.alive(); err != nil {
		return fmt.Errorf("trim inboxes: %w", err)
	}
	for _, s := range j.inboxes {
		if !s.exists() {
			continue
		}
		type trim struct {
			lane *lane
			upTo uint64
		}
		var trims []trim
		for p, position := range upTo {
			if l := j.inboxOf(p.lane.partition); l.stream == s {
				trims = append(trims, trim{l, position})
			}
		}
		if len(trims) < len(s.lanes) {
			for _, t := range trims {
				if err := s.purge(ctx, t.upTo>>positionBits, jetstream.WithPurgeSubject(t.lane.subject)); err != nil {
					return t.lane.error("trim", err)
				}
			}
			continue
		}
		cut, err := s.end(ctx)
		if err != nil {
			return fmt.Errorf("trim: %w", err)
		}
		for _, t := range trims {
			seq, h, err := t.lane.lastSoon(ctx)
			if err != nil {
				return t.lane.error("trim", err)
			}
			if seq > 0 && t.upTo < position(seq, h.records-1) {
				cut = min(cut, t.upTo>>positionBits)
			}
		}
		if err := s.purge(ctx, cut); err != nil {
			return fmt.Errorf("trim stream %s: %w", s.name, err)
		}
	}
	return nil
}

// purge removes the messages before a sequence number.
func (s *stream) purge(ctx context.Context, before uint64, more ...jetstream.StreamPurgeOpt) error {
	if before <= 1 {
		return nil
	}
	err := s.journal.patiently(ctx, func() error {
		return s.remote.Purge(ctx, append(more, jetstream.WithPurgeSequence(before))...)
	})
	local := s.journal.server
	if err == nil || local == nil {
		return err
	}
	if trouble := local.probe(); trouble != nil {
		return trouble
	}
	if said := local.said(); said != nil {
		return fmt.Errorf("%w: %w", err, said) // why there was no answer
	}
	// See localServer.stop for the reason.
	return fmt.Errorf("the server of %s does not answer; is the disk full? make room and start again: %w", local.dir,
		err)
}
