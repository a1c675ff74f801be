package crawl

import (
	"context"
	"errors"
	"hash/maphash"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/store"
)

// A storeRepair repairs the journal and the store. It uses the best store there is: the store
// itself, else its checkpoint, else an empty one. The journal adds the later records. If the
// journal is of no use or does not reach back far enough, the rest is rebuilt from the results
// and the archive, and a new journal begins. The pages whose results have no archived answer are
// reported as lost from both, because their links are unknown: they are visited again.
type storeRepair struct {
	c *run
	*repairReport
	archive *archiveReader

	base           string          // source of the store: "store", "checkpoint" or "nothing"
	since          int64           // offset of the first line of the results that the base may not know
	complete       bool            // the journal has all records that the base lacks
	unapplied      map[uint64]bool // hashes of the lines of the results that the journal has and the base lacks
	resultsAltered bool            // the journal shows that lines of the results were altered
}

// open opens the best store available, and reads the journal after it.
func (r *storeRepair) open(ctx context.Context) error {
	c := r.c
	err := c.shard.openJournal(ctx)
	switch {
	case err == nil:
		if err = c.joiner.join(ctx, nil); err == nil {
			err = r.claim(ctx)
		}
		if err != nil {
			return err
		}
	case errors.As(err, new(*DamageError)):
		r.fault("journal", err)
	default:
		return err
	}
	for _, from := range []string{"store", "checkpoint", "nothing"} {
		ok, err := r.try(ctx, from)
		if err != nil {
			return err
		}
		if ok {
			break
		}
	}
	if c.shard.store == nil && !r.check {
		return errors.New("no store can be made: see what is wrong above")
	}
	return nil
}

// claim claims the partitions of the journal. It closes a damaged journal.
func (r *storeRepair) claim(ctx context.Context) error {
	err := r.c.shard.claimAll(ctx)
	if err == nil || isElsewhere(err) {
		return err
	}
	r.fault("journal", err)
	if err := r.c.shard.journal.Close(); err != nil && isElsewhere(err) {
		return err
	}
	r.c.shard.journal = nil
	return nil
}

// try tries one source of the store. It reports whether the source can be used.
func (r *storeRepair) try(ctx context.Context, from string) (ok bool, err error) {
	c := r.c
	s, err := r.openBase(ctx, from)
	if err != nil || s == nil {
		return false, err
	}
	c.marker.store = s
	if ok, err := r.checkBase(s, from); err != nil || !ok {
		return false, err
	}
	r.base, r.complete = from, false
	if c.shard.journal != nil {
		if ok, err := r.tryJournal(ctx); err != nil || !ok {
			return false, err
		}
	}
	if !r.complete && c.NATS != "" {
		return false, r.drop()
	}
	if from != "store" {
		r.restored("store: made again from %s", map[string]string{"checkpoint": "its checkpoint",
			"nothing": "the start"}[from]+map[bool]string{true: " and the journal",
			false: ", the results and the archive"}[r.complete])
	}
	return true, nil
}

// checkBase reads the marks of a store, and looks for damage in the store. It closes a store that
// cannot be used, and returns false.
func (r *storeRepair) checkBase(s *store.Store, from string) (ok bool, err error) {
	marks, err := readMarks(s)
	if r.c.marker.marks = marks; err == nil {
		err = s.Check()
	}
	if err == nil && from == "store" && !marks.begun && s.Counts().Seen == 0 {
		r.found("store", "was lost: nothing is in it", nil)
		return false, r.drop()
	}
	if err != nil {
		if isElsewhere(err) {
			return false, err
		}
		r.fault(from, err)
		return false, r.drop()
	}
	r.since = marks.files[markResults].known()
	if marks.repair {
		r.found("store", "is not complete: a repair was begun and did not end", nil)
		r.since = 0
	}
	return true, nil
}

// tryJournal reads the records of the journal that the base lacks. It closes a store that is older
// than the journal, and returns false.
func (r *storeRepair) tryJournal(ctx context.Context) (ok bool, err error) {
	records, err := r.readJournal(ctx)
	// If both the journal and the store are empty, this journal is new: the old one was lost.
	if r.complete = err == nil && (records > 0 || r.base != "nothing" || r.c.NATS != ""); err == nil {
		return true, nil
	}
	if isElsewhere(err) {
		return false, err
	}
	r.fault("journal", err)
	if r.base == "store" && errors.Is(err, journal.ErrTrimmed) {
		r.found("store", "is older than the journal", err)
		return false, r.drop() // the journal continues from the checkpoint
	}
	return true, nil
}

// openBase opens the store, after restoring it from the checkpoint or making an empty one as the
// source demands. It returns nil if the source does not exist or cannot be used.
func (r *storeRepair) openBase(ctx context.Context, from string) (*store.Store, error) {
	c := r.c
	name := filepath.Join(c.Dir, "store")
	switch from {
	case "store":
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			r.found("store", "was removed", nil)
			return nil, nil
		}
	case "checkpoint":
		last := c.lastCheckpoint()
		if last == "" {
			return nil, nil
		}
		if r.check {
			return nil, r.checkCheckpoint(last)
		}
		if err := r.aside("store"); err != nil {
			return nil, err
		}
		if err := store.Restore(last, name); err != nil {
			if isElsewhere(err) {
				return nil, err
			}
			r.fault("checkpoint", err)
			return nil, nil
		}
	default:
		if r.check {
			return nil, nil
		}
		if err := errors.Join(r.aside("store"), r.aside(checkpointName)); err != nil {
			return nil, err
		}
	}
	err := c.shard.openStore(ctx)
	if err == nil || isElsewhere(err) {
		return c.shard.store, err
	}
	r.fault(from, err)
	return nil, nil
}

// readJournal reads all records that the store lacks, and changes nothing.
func (r *storeRepair) readJournal(ctx context.Context) (records int, err error) {
	unapplied := make(map[uint64]bool)
	err = r.c.shard.journal.Replay(ctx, r.c.shard.applied(), func(p *journal.Partition, position uint64,
		record []byte) error {
		records++
		lines, err := readEvents(uint8(p.Number()), record, nothing{})
		for _, line := range lines {
			unapplied[maphash.Bytes(seed, line)] = true
		}
		return err
	})
	if err != nil {
		return records, err
	}
	r.unapplied = unapplied
	err = r.c.marker.compareResults(r.since, math.MaxInt64, unapplied)
	if errors.Is(err, errAltered) {
		r.fault("results.jsonl", err)
		if r.resultsAltered = true; !errors.Is(err, journal.ErrLost) {
			err = nil
		}
	}
	return records, err
}

// checkCheckpoint looks for damage in a checkpoint. A checkpoint has no lock of its own.
func (r *storeRepair) checkCheckpoint(name string) error {
	s, err := store.Open(store.Options{Dir: name, ReadOnly: true})
	if err == nil {
		err = errors.Join(s.Check(), s.Close())
	}
	if err != nil && !isElsewhere(err) {
		r.fault("checkpoint", err)
		return nil
	}
	return err
}

// drop closes a store that cannot be used.
func (r *storeRepair) drop() error {
	err := r.c.shard.store.Close()
	r.c.shard.store = nil
	if err != nil && isElsewhere(err) {
		return err
	}
	return nil
}

// needsJournal reports whether a new journal must begin, because the old one lacks records. A
// journal on a server stays as it is.
func (r *storeRepair) needsJournal() bool { return !r.complete && r.c.NATS == "" }

// newJournal begins a new journal, for a store whose journal is of no use.
func (r *storeRepair) newJournal(ctx context.Context) error {
	c := r.c
	if c.shard.journal != nil {
		if err := c.shard.journal.Close(); err != nil {
			return err
		}
		c.shard.journal = nil
	}
	if err := r.aside("journal"); err != nil {
		return err
	}
	if err := c.shard.store.Rebase(); err != nil {
		return err
	}
	if err := c.shard.openJournal(ctx); err != nil {
		return err
	}
	r.restored("journal: started again, empty")
	return c.shard.claimAll(ctx)
}

// journalLines calls fn for the lines in the journal, from the checkpoint on if there is one.
func (r *storeRepair) journalLines(ctx context.Context, fn func(line []byte) error) error {
	c := r.c
	if c.shard.journal == nil || !r.complete {
		return nil
	}
	after := make(map[*journal.Partition]uint64, partitions)
	s := c.shard.store
	if last := c.lastCheckpoint(); last != "" && r.base == "store" {
		kept, err := store.Open(store.Options{Dir: last, ReadOnly: true})
		if err != nil {
			return nil // the damage is reported already
		}
		defer kept.Close()
		s = kept
	}
	for p, partition := range c.shard.owned {
		after[partition] = min(s.Applied(uint8(p)), c.shard.store.Applied(uint8(p)))
	}
	err := c.shard.journal.Replay(ctx, after, func(p *journal.Partition, _ uint64, record []byte) error {
		lines, err := readEvents(uint8(p.Number()), record, nothing{})
		for _, line := range lines {
			err = errors.Join(err, fn(line))
		}
		return err
	})
	if err != nil && isDamage(err) {
		return nil
	}
	return err
}

// nothing discards all changes.
type nothing struct{}

func (nothing) Seen(store.Item)              {}
func (nothing) Done(store.Item, store.State) {}
func (nothing) Drop(store.Item)              {}
func (nothing) Refuse(store.Item, uint8)     {}
func (nothing) Defer(store.Item, time.Time)  {}
func (nothing) SetHost(string, []byte)       {}
