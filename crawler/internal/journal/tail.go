package journal

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A Tail is the end of the log of a partition, as [Journal.Tail] has read it.
type Tail struct {
	// Sequence is the number of the last entry in its stream, or 0 if the log is empty.
	Sequence uint64
	// Session is the session that claimed last, or 0 if none has: [Journal.Claim] has none.
	Session uint64
	// Released says that this session has released the partition since its claim.
	Released bool
	// Claimant is the session in whose name [Journal.ClaimBehind] claims. The caller sets it.
	Claimant uint64

	head header // of the last entry
}

// Tail reads the end of the log of a partition from the leader of its stream. Other entries may
// follow it at any time.
func (j *Journal) Tail(ctx context.Context, partition int) (Tail, error) {
	if err := j.checkPartition(partition); err != nil {
		return Tail{}, fmt.Errorf("tail: %w", err)
	}
	l := j.logOf(partition)
	seq, h, err := l.lastSoon(ctx)
	if err != nil {
		return Tail{}, l.error("read the end of", err)
	}
	t := Tail{Sequence: seq, Released: h.kind == releaseKind, head: h}
	if h.session {
		t.Session = h.owner
	}
	return t, nil
}

// ClaimBehind makes the session t.Claimant the owner of a partition, if t still is the end of its
// log; else the error is [ErrFenced]. An owner before, also one in this process, is fenced.
//
// A claim whose answer is lost, because the context has ended, may reach the log later. The
// session then claims behind its own claim, which also fences late entries of its first claim.
func (j *Journal) ClaimBehind(ctx context.Context, partition int, t Tail) (*Partition, error) {
	if err := j.checkPartition(partition); err != nil {
		return nil, fmt.Errorf("claim: %w", err)
	}
	if t.Claimant == 0 {
		return nil, fmt.Errorf("claim partition %d: the tail names no claimant", partition)
	}
	p := &Partition{lane: j.logOf(partition), id: t.Claimant, fleet: true}
	if err := p.claim(ctx, sessionKind, t); err != nil {
		return nil, err
	}
	return p, nil
}

// Release gives the partition up: it appends the entry that lets other sessions claim at once,
// after all records that were appended before. Nothing can be appended any more when Release has
// been called, even if it fails. The error is [ErrFenced] if the partition has another owner. The
// caller has ended all work for the partition.
func (p *Partition) Release(ctx context.Context) error {
	s := p.lane.stream
	s.mu.Lock()
	if p.release.message == nil {
		p.release = s.add(p, p.lane, releaseKind, nil)
	}
	t := p.release
	s.mu.Unlock()
	s.signal()
	if _, err := t.Wait(ctx); err != nil {
		return fmt.Errorf("release partition %d: %w", p.Number(), err)
	}
	return nil
}

// InboxEnd returns the position of the last batch in the inbox of a partition, from the leader of
// its stream, or 0 if nothing was ever sent there.
func InboxEnd(ctx context.Context, j *Journal, partition int) (uint64, error) {
	if err := j.checkPartition(partition); err != nil {
		return 0, fmt.Errorf("the end of an inbox: %w", err)
	}
	l := j.inboxOf(partition)
	if err := j.patiently(ctx, func() error { return l.stream.ready(ctx) }); err != nil {
		return 0, l.error("read the end of", err)
	}
	seq, h, err := l.lastSoon(ctx)
	if err != nil || seq == 0 {
		return 0, err
	}
	return position(seq, max(h.records, 1)-1), nil
}

// FullestInbox returns the stream of inboxes that takes most room on the servers, and its bytes
// there. It leaves out streams that this process has not used.
func FullestInbox(ctx context.Context, j *Journal) (stream string, bytes uint64, err error) {
	for _, s := range j.inboxes {
		if !s.exists() {
			continue
		}
		info, err := s.remote.Info(ctx)
		if err != nil {
			return "", 0, fmt.Errorf("stream %s: %w", s.name, err)
		}
		if info.State.Bytes >= bytes {
			stream, bytes = s.name, info.State.Bytes
		}
	}
	return stream, bytes, nil
}

// IsUnready reports whether an error of [Open] or [Names] may end by itself: no server can be
// reached, or the servers of a cluster have no leader yet, or do not know each other.
func IsUnready(err error) bool {
	refused := (*jetstream.APIError)(nil)
	return errors.As(err, &refused) && (refused.Code == 503 || refused.ErrorCode == codeNoPeers) ||
		errors.Is(err, nats.ErrTimeout) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrNoServers) ||
		errors.Is(err, nats.ErrNoResponders) || errors.Is(err, nats.ErrConnectionClosed) ||
		errors.Is(err, nats.ErrDisconnected) || errors.Is(err, io.EOF)
}
