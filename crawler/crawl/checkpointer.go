package crawl

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/objects"
	"github.com/robotsexclusion/robots/crawler/internal/store"
)

// A checkpointer keeps checkpoints of partitions in the object store of the crawl: a new owner that
// has nothing of a partition loads its last checkpoint, and reads the log from there. The object
// checkpoint/PPP/POSITION-WORKER has a line of JSON, the checkpointHead, and a dump of the store,
// compressed. The state of a partition at a position of its log is the same in all folders, so it
// does not matter who wrote a checkpoint, nor whether that worker still owned the partition then.
//
// A checkpoint that cannot be used costs nothing but time: the log has everything.
type checkpointer struct {
	*depot
	share    *share
	identity string // of the crawl
	records  int    // after which a partition is due
	whole    bool   // set by tests: the logs are not trimmed
	wake     chan struct{}
	running  sync.WaitGroup
	end      context.CancelFunc
	loads    chan struct{} // limits loads

	guard  sync.Mutex
	states [partitions]savedState
	listed time.Time
	all    map[uint8][]string // names, the newest first
	lists  sync.Mutex
}

// A savedState says what has changed in a partition since its last checkpoint of this worker.
type savedState struct {
	records, bytes int
	size           int64  // of the last checkpoint
	trimmed        uint64 // position up to which this worker has trimmed the log
	due            bool
	tip            tip
}

// A tip is the last record of a log that was applied.
type tip struct {
	position uint64
	folder   uint64 // of its writer
	settled  bool   // it says that the results of all before are on the disk of the writer
}

const (
	// checkpointRecords and checkpointBytes are the numbers of records, and of their bytes, of
	// which one makes a checkpoint due, unless they have less than half the bytes of the last
	// checkpoint.
	checkpointRecords = 10_000
	checkpointBytes   = 16 << 20
	// keptCheckpoints is how many checkpoints of a partition are kept.
	keptCheckpoints = 2
	// checkpointsAtOnce is how many partitions are loaded, or saved at the end, at the same time.
	checkpointsAtOnce = 4
	// listAge is how old the list of checkpoints may be when a partition is acquired.
	listAge = 5 * time.Second
)

// checkpointVersion is the version of the form of checkpoints.
const checkpointVersion = 1

// A checkpointHead is the first line of a checkpoint. The names are stored: never change them.
type checkpointHead struct {
	Version   int    `json:"version"`
	Crawl     string `json:"crawl"` // the identity of the crawl
	Partition int    `json:"partition"`
	Position  uint64 `json:"position"` // of the last record of the log that it has
	Cursor    uint64 `json:"cursor"`   // of the inbox
	Writer    uint64 `json:"writer"`   // of the last record
	Settled   bool   `json:"settled"`
	Salt      uint64 `json:"salt"` // sum of the salt of the store
}

// newCheckpointer returns the checkpointer of a worker, or nil if it has no object store.
func newCheckpointer(c *run) *checkpointer {
	if c.depot == nil || c.shard.share == nil {
		return nil
	}
	k := &checkpointer{depot: c.depot, share: c.shard.share, identity: c.joiner.identity, records: checkpointRecords,
		wake: make(chan struct{}, 1), loads: make(chan struct{}, checkpointsAtOnce)}
	if c.handle != nil && c.handle.testCheckpoint > 0 {
		k.records, k.whole = c.handle.testCheckpoint, c.handle.testWhole
	}
	return k
}

// begin begins to save partitions that are due.
func (k *checkpointer) begin() {
	if k == nil {
		return
	}
	var ctx context.Context
	ctx, k.end = context.WithCancel(context.Background())
	k.running.Go(func() {
		again := time.NewTicker(k.depot.every)
		defer again.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-k.wake:
			case <-again.C:
			}
			for p := range partitions {
				if k.takeDue(uint8(p)) {
					k.trySave(ctx, uint8(p))
					if !k.whole {
						k.tryTrim(ctx, uint8(p))
					}
				}
			}
		}
	})
}

// stop ends what begin began.
func (k *checkpointer) stop() {
	if k != nil && k.end != nil {
		k.end()
		k.running.Wait()
	}
}

// grew records that a record was applied.
func (k *checkpointer) grew(partition uint8, t tip, size int) {
	if k == nil {
		return
	}
	k.guard.Lock()
	defer k.guard.Unlock()
	s := &k.states[partition]
	s.records++
	s.bytes += size
	s.tip = t
	if s.due = s.due || (s.records >= k.records || s.bytes >= checkpointBytes) && int64(s.bytes) >= s.size/2; s.due {
		select {
		case k.wake <- struct{}{}:
		default:
		}
	}
}

// takeDue reports whether a partition is due, and begins to count from zero.
func (k *checkpointer) takeDue(partition uint8) bool {
	k.guard.Lock()
	defer k.guard.Unlock()
	s := &k.states[partition]
	due := s.due
	if due {
		s.due, s.records, s.bytes = false, 0, 0
	}
	return due
}

// trySave saves a partition. An error is not that of the crawl.
func (k *checkpointer) trySave(ctx context.Context, partition uint8) {
	if err := k.save(ctx, partition); err != nil && ctx.Err() == nil {
		k.log.Warn("a checkpoint was not saved: the next owner of the partition reads more of its log", "partition",
			partition, "error", err)
	}
}

// finish saves the partitions that the worker owned when it ended, if they have changed.
func (k *checkpointer) finish() {
	if k == nil {
		return
	}
	var all sync.WaitGroup
	slots := make(chan struct{}, checkpointsAtOnce)
	for p := range partitions {
		k.share.mu.Lock()
		owned := k.share.holdings[p].last
		k.share.mu.Unlock()
		k.guard.Lock()
		changed := k.states[p].records > 0
		k.guard.Unlock()
		if owned && changed {
			all.Go(func() {
				slots <- struct{}{}
				k.trySave(context.Background(), uint8(p))
				<-slots
			})
		}
	}
	all.Wait()
}

// prefix returns the start of the names of the checkpoints of a partition.
func (k *checkpointer) prefix(partition uint8) string {
	return fmt.Sprintf("%scheckpoint/%03d/", k.crawl, partition)
}

// save saves a partition as it is in the store, and deletes old checkpoints when that is whole.
func (k *checkpointer) save(ctx context.Context, partition uint8) error {
	h := checkpointHead{Version: checkpointVersion, Crawl: k.identity, Partition: int(partition),
		Salt: store.SaltSum(k.store), Writer: k.share.folder}
	k.share.mu.Lock()
	h.Cursor = k.share.holdings[partition].received // before the snapshot, which may have more of the inbox
	k.share.mu.Unlock()
	snapshot, err := store.TakeSnapshot(k.store, partition)
	if err != nil {
		return err
	}
	defer snapshot.Close()
	if h.Position = snapshot.Applied; h.Position == 0 {
		return nil
	}
	k.guard.Lock()
	if t := k.states[partition].tip; t.position == h.Position {
		h.Writer, h.Settled = t.folder, t.settled
	}
	k.guard.Unlock()
	f, err := os.CreateTemp(k.config.Dir, tempCheckpoint)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if err := writeCheckpoint(f, h, snapshot.Dump); err != nil {
		return err
	}
	size, err := f.Seek(0, io.SeekCurrent)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s%016x-%s", k.prefix(partition), h.Position, k.worker)
	if _, err := k.objects.Put(ctx, name, f); err != nil && !errors.Is(err, objects.ErrExists) {
		return err
	}
	k.guard.Lock()
	k.states[partition].size = size
	k.guard.Unlock()
	return k.prune(ctx, partition)
}

// writeCheckpoint writes a checkpoint with a dump.
func writeCheckpoint(to io.Writer, h checkpointHead, dump func(io.Writer) error) error {
	head, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if _, err := to.Write(append(head, '\n')); err != nil {
		return err
	}
	packed, err := zstd.NewWriter(to, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err == nil {
		err = errors.Join(dump(packed), packed.Close())
	}
	return err
}

// kept returns the names of the checkpoints of a partition, the newest last.
func (k *checkpointer) kept(ctx context.Context, partition uint8) (names []string, err error) {
	err = k.objects.List(ctx, k.prefix(partition), func(i objects.Info) error {
		names = append(names, i.Name)
		return nil
	})
	slices.Sort(names)
	return names, err
}

// prune deletes all checkpoints of a partition but the newest.
func (k *checkpointer) prune(ctx context.Context, partition uint8) error {
	names, err := k.kept(ctx, partition)
	if err != nil {
		return err
	}
	for _, name := range names[:max(0, len(names)-keptCheckpoints)] {
		if err := k.objects.Delete(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// unlist has the next call of list ask the object store.
func (k *checkpointer) unlist() {
	k.lists.Lock()
	k.all = nil
	k.lists.Unlock()
}

// list returns the names of the checkpoints of a partition, the newest first.
func (k *checkpointer) list(ctx context.Context, partition uint8) ([]string, error) {
	k.lists.Lock()
	defer k.lists.Unlock()
	if k.all != nil && time.Since(k.listed) < listAge {
		return k.all[partition], nil
	}
	all, now := make(map[uint8][]string), time.Now()
	err := k.objects.List(ctx, k.crawl+"checkpoint/", func(i objects.Info) error {
		of, _, _ := strings.Cut(strings.TrimPrefix(i.Name, k.crawl+"checkpoint/"), "/")
		if n, err := strconv.ParseUint(of, 10, 8); err == nil {
			all[uint8(n)] = append(all[uint8(n)], i.Name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, names := range all {
		slices.Sort(names)
		slices.Reverse(names)
	}
	k.all, k.listed = all, now
	return all[partition], nil
}

// load loads the last checkpoint of a partition that can be used into the store, which must have
// nothing of the partition. It returns nil if there is none: then the log has to be read whole.
func (k *checkpointer) load(ctx context.Context, p *journal.Partition) *checkpointHead {
	if k == nil {
		return nil
	}
	n := uint8(p.Number())
	names, err := k.list(ctx, n)
	if err != nil {
		k.log.Warn("checkpoints cannot be listed: the log of the partition is read from its start", "partition", n,
			"error", err)
	}
	k.loads <- struct{}{}
	defer func() { <-k.loads }()
	for _, name := range names {
		head, err := k.loadFrom(ctx, p, name)
		if err == nil {
			k.log.Info("a partition is loaded from a checkpoint", "partition", n, "object", name)
			return head
		}
		if ctx.Err() != nil || k.share.failure() != nil {
			return nil
		}
		k.log.Warn("a checkpoint is not used: an older one is, or the log is read from its start", "partition", n,
			"object", name, "error", err)
	}
	return nil
}

// loadFrom loads a checkpoint. All of it is compared with its checksum before the store gets it.
func (k *checkpointer) loadFrom(ctx context.Context, p *journal.Partition, name string) (*checkpointHead, error) {
	content, err := k.objects.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	defer content.Close()
	f, err := os.CreateTemp(k.config.Dir, tempCheckpoint)
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if _, err := io.Copy(f, content); err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	from := bufio.NewReaderSize(f, 1<<16)
	h, err := k.readHead(from, p)
	if err != nil {
		return nil, err
	}
	dump, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
	if err != nil {
		return nil, err
	}
	defer dump.Close()
	if err := store.Load(k.store, uint8(h.Partition), h.Position, dump); err != nil {
		return nil, err
	}
	k.guard.Lock()
	s := &k.states[h.Partition]
	s.tip, s.records, s.bytes = tip{h.Position, h.Writer, h.Settled}, 0, 0
	if info, err := f.Stat(); err == nil {
		s.size = info.Size()
	}
	k.guard.Unlock()
	cursor := fileMark{Size: int64(h.Cursor)}
	return h, k.store.SetMarks(map[string][]byte{inboxMark(uint8(h.Partition)): cursor.bytes()})
}

// readHead reads the head of a checkpoint, and returns an error if it is not for this store.
func (k *checkpointer) readHead(from *bufio.Reader, p *journal.Partition) (*checkpointHead, error) {
	line, err := from.ReadSlice('\n')
	var h checkpointHead
	if err == nil {
		err = json.Unmarshal(line, &h)
	}
	switch {
	case err != nil:
		return nil, errors.New("it is not a checkpoint")
	case h.Version != checkpointVersion:
		return nil, fmt.Errorf("it is in version %d of its form, and this program reads version %d: "+
			"run the same version everywhere", h.Version, checkpointVersion)
	case h.Crawl != k.identity:
		return nil, errors.New("it is of another crawl of that name")
	case h.Partition != p.Number():
		return nil, fmt.Errorf("it is of partition %d", h.Partition)
	case h.Position == 0 || h.Position > p.Last():
		return nil, fmt.Errorf("it is of record %d, and the log ends at %d", h.Position, p.Last())
	case h.Salt != store.SaltSum(k.store):
		return nil, errors.New("the store of this folder, or of that of its writer, " +
			"was made by an earlier version of this program")
	}
	return &h, nil
}
