package crawl

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/store"
)

// A taker brings the store up to date with the log of a partition that the worker has just claimed,
// and writes the results that are missing in the folder: those of its own records, and those of the
// last group of another folder if that has not said that they are on its disk.
type taker struct {
	*share
	partition uint8
	old       bool // records without a signature are of this folder

	batches []heldBatch
	bytes   int
	lines   [][]byte  // of the results, of this folder's records in batches
	doubt   [][]byte  // of the results, of the last group of another folder
	of      signature // of doubt
	other   bool      // another folder has written records
	lost    bool      // the last record is of another folder, which has not given the partition up
	cursor  uint64
}

// replay replays the log of a partition after the last record in the store. It reports whether no
// other folder has written to it since, and whether the last folder may have had answers that it
// has not written.
func (s *share) replay(ctx context.Context, p *journal.Partition) (again, lost bool, err error) {
	n := uint8(p.Number())
	applied := s.shard.store.Applied(n)
	t := &taker{share: s, partition: n, old: s.hadAlone || applied > 0}
	if err = t.read(ctx, p, applied); errors.Is(err, journal.ErrTrimmed) {
		if s.saver == nil {
			return false, false, fmt.Errorf("%w: the rest is in an object store: name it with --store, "+
				"as the other workers do", err)
		}
		// The folder has been away for long, or another worker has trimmed the log just now.
		s.log.Info("the log of a partition was trimmed: what the folder has of it is replaced by a checkpoint",
			"partition", n, "record", applied)
		if err := store.Forget(s.shard.store, n); err != nil {
			return false, false, err
		}
		s.saver.unlist()
		t = &taker{share: s, partition: n, old: t.old, other: applied > 0}
		err = t.read(ctx, p, 0)
	}
	if err != nil {
		return false, false, err
	}
	t.lines, t.doubt = append(t.lines, t.doubt...), nil
	if err := t.apply(); err != nil {
		return false, false, err
	}
	s.mu.Lock()
	s.holdings[n].received = t.cursor
	s.mu.Unlock()
	return !t.other, t.lost, nil
}

// read reads the log after a record. Before the first one it loads a checkpoint, if there is one.
func (t *taker) read(ctx context.Context, p *journal.Partition, applied uint64) error {
	s, n := t.share, t.partition
	mark := s.marker.marks.files[inboxMark(n)]
	if applied == 0 {
		if head := s.saver.load(ctx, p); head != nil {
			applied, mark.Size = head.Position, int64(head.Cursor)
			t.other = t.other || head.Writer != s.folder
			t.lost = head.Writer != s.folder && !head.Settled
		}
	}
	s.mu.Lock()
	h := &s.holdings[n]
	h.received = max(h.received, uint64(mark.Size))
	t.cursor = h.received
	s.mu.Unlock()
	return s.shard.journal.Replay(ctx, map[*journal.Partition]uint64{p: applied}, func(_ *journal.Partition,
		position uint64, record []byte) error {
		return t.add(position, record)
	})
}

// add adds a record.
func (t *taker) add(position uint64, form []byte) error {
	b := t.shard.store.Batch(t.partition)
	got, err := readRecord(t.partition, form, b)
	if err != nil {
		return recordError(t.partition, position, err)
	}
	t.cursor = max(t.cursor, got.cursor)
	own := got.by.folder == t.folder || !got.signed && t.old
	switch {
	case own || !got.signed || got.by != t.of || got.settled:
		t.doubt = nil
	}
	t.of = got.by
	t.other = t.other || !own
	t.lost = !own && !got.settled
	t.saver.grew(t.partition, tip{position, got.by.folder, got.settled}, len(form))
	for _, line := range got.lines {
		line = bytes.Clone(line)
		switch {
		case own:
			t.lines = append(t.lines, line)
		case got.signed && !got.settled:
			t.doubt = append(t.doubt, line)
		}
	}
	t.batches = append(t.batches, heldBatch{b, position})
	// A record whose results are in doubt is applied after them.
	if t.bytes += len(form); t.bytes < mostHeld || len(t.doubt) > 0 {
		return nil
	}
	return t.apply()
}

// apply writes the results and applies the records added so far.
func (t *taker) apply() error {
	batches, lines := t.batches, t.lines
	t.batches, t.lines, t.bytes = nil, nil, 0
	if len(batches) == 0 {
		return nil
	}
	applying := &t.shard.frontier.applying // the committer writes results too
	applying.Lock()
	defer applying.Unlock()
	if err := t.failure(); err != nil {
		return err
	}
	results := t.marker.results
	for _, line := range lines {
		if err := results.addReplayed(line); err != nil {
			return err
		}
		results.lastLines[lineHash(line)] = true
	}
	if len(lines) > 0 {
		if err := t.marker.syncResults(); err != nil {
			return err
		}
	}
	for _, b := range batches {
		if err := b.Commit(b.position); err != nil {
			return fmt.Errorf("record %d: %w", b.position, err)
		}
	}
	results.known = results.size
	return nil
}
