package crawl

import (
	"context"
	"log/slog"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/fleet"
	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
)

// NewQuick returns a crawl whose journal waits only a moment for more records. A host whose
// pages have few links otherwise waits for the journal most of the time.
func NewQuick(c Config) *Crawl { return &Crawl{config: c, testFlush: 5 * time.Millisecond} }

// NewImpatient returns a quick crawl whose journal waits 4 seconds for its server, not 10. A server
// with a full disk can wait for itself.
func NewImpatient(c Config) *Crawl {
	return &Crawl{config: c, testFlush: 5 * time.Millisecond, testAnswer: 4 * time.Second}
}

// RunOld runs a crawl as earlier versions did: the journal on the server has no charter, and the
// folder no name.
func RunOld(ctx context.Context, config Config, seeds ...string) error {
	_, err := (&run{Config: config, handle: New(config), testOld: true}).crawl(ctx, seeds)
	return err
}

// Fill creates the folder of a crawl that has found URLs and visited the first of them. It
// writes through the journal and the store, as a crawl does.
func Fill(ctx context.Context, config Config, urls, visited int, url func(i int) string) error {
	c := &run{Config: config}
	if err := c.open(ctx, nil); err != nil {
		c.close()
		return err
	}
	c.stopper.begin(ctx)
	defer c.stopper.end()
	c.committer.start()
	err := c.findAll(urls, visited, url)
	c.committer.close()
	c.shard.trims.Wait()
	if err == nil {
		err = c.failure()
	}
	if err == nil {
		err = c.shard.trim()
	}
	if closeErr := c.close(); err == nil {
		err = closeErr
	}
	return err
}

func (c *run) findAll(urls, visited int, url func(i int) string) error {
	const links = 60
	for i := 0; i < urls; i += links {
		o := &outcome{}
		for j := i; j < min(i+links, urls); j++ {
			u, err := weburl.Links.Parse(url(j))
			if err != nil {
				return err
			}
			it := store.Item{Partition: partitionOf(u), URL: u.String(), Depth: 1, Via: u.Origin() + "/", Priority: 1}
			if j >= visited {
				o.links = append(o.links, link{item: it})
				continue
			}
			c.committer.send(&outcome{item: it, what: eventDone, state: store.State{
				Fetched: time.Now(), Status: 200, ETag: `"5f3a-1c"`, Digest: make([]byte, 32), Simhash: uint64(j),
			}})
		}
		c.committer.send(o)
		if err := c.failure(); err != nil {
			return err
		}
	}
	return nil
}

// MaxHostPages returns the maximum number of pages fetched from one host.
func (b *Budget) MaxHostPages() int64 { return b.hostPages() }

// A Worker is a crawl that shares its partitions with others. The test says which it owns.
type Worker struct {
	*Crawl
	Joined chan struct{} // closed when the crawl runs
	share  *share
}

// NewWorker returns a worker whose journal waits only a moment for more records.
func NewWorker(c Config) *Worker {
	w := &Worker{Crawl: NewQuick(c), Joined: make(chan struct{})}
	w.testStreams = FleetStreams
	w.worker = func(ctx context.Context, s *share) {
		w.share = s
		close(w.Joined)
		<-ctx.Done()
	}
	return w
}

// Acquire, Drain and Drop change the partitions of a worker.
func (w *Worker) Acquire(ctx context.Context, partition int) error {
	return w.share.take(ctx, partition)
}

// take claims a partition behind whatever is in its log.
func (s *share) take(ctx context.Context, partition int) error {
	return s.acquire(ctx, partition, func(ctx context.Context) (*journal.Partition, error) {
		return s.shard.journal.Claim(ctx, partition)
	}, false, time.Now())
}

// AcquireAfterDeath is Acquire behind a worker that has died.
func (w *Worker) AcquireAfterDeath(ctx context.Context, partition int) error {
	return w.share.acquire(ctx, partition, func(ctx context.Context) (*journal.Partition, error) {
		return w.share.shard.journal.Claim(ctx, partition)
	}, true, time.Now())
}

// FailAfterDeath is Acquire behind a worker that has died, which fails when the log is claimed and
// replayed.
func (w *Worker) FailAfterDeath(ctx context.Context, partition int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return w.share.acquire(ctx, partition, func(ctx context.Context) (*journal.Partition, error) {
		p, err := w.share.shard.journal.Claim(ctx, partition)
		if err == nil {
			_, _, err = w.share.replay(ctx, p)
		}
		cancel()
		return p, err
	}, true, time.Now().Add(time.Hour))
}

func (w *Worker) Drain(ctx context.Context, partition int) error {
	return w.share.drain(ctx, partition)
}

func (w *Worker) Drop(partition int) { w.share.drop(partition) }

// Left returns whether the worker is busy, and the positions of its last batches in the inboxes
// that it has sent and received.
func (w *Worker) Left() (busy bool, sent, received [256]uint64) {
	r := w.share.left()
	return r.busy, r.sent, r.received
}

// PartitionOf returns the partition of a URL.
func PartitionOf(url string) int {
	u, err := weburl.Links.Parse(url)
	if err != nil {
		panic(err)
	}
	return int(partitionOf(u))
}

// BePatient sets how long hosts wait for an answer about their robots.txt from other workers.
func (w *Worker) BePatient(d time.Duration) { w.share.patience.Store(int64(d)) }

// SetAlive has the worker ask before each request, which ends after the deadline.
func (w *Worker) SetAlive(alive func(now time.Time) bool, deadline time.Duration) {
	w.share.alive, w.share.request = alive, deadline
}

// Trouble returns why the inbox of a partition is not received, or nil.
func (w *Worker) Trouble(partition int) error {
	w.share.mu.Lock()
	defer w.share.mu.Unlock()
	return w.share.holdings[partition].trouble
}

// Letter returns a batch for an inbox with a link.
func Letter(url string) string {
	l := newLetter(0)
	l.record.seen(&store.Item{URL: url})
	return string(l.record.bytes)
}

// FleetTimes are the times of the workers of a crawl.
type FleetTimes = fleet.Times

// FleetStreams is the number of streams of the journal of a [NewFleetWorker] and [NewWorker]: each
// stream costs several syncs on each of three servers.
const FleetStreams = 4

// NewFleetWorker returns a quick worker of a shared crawl with these times, or the usual ones for
// nil.
func NewFleetWorker(c Config, times *FleetTimes) *Crawl {
	c.Shared = true
	return &Crawl{config: c, testFlush: 5 * time.Millisecond, testTimes: times, testStreams: FleetStreams}
}

// Others returns how many partitions each live worker of the crawl has told, once the worker is one
// of them.
func (c *Crawl) Others() map[uint32]int {
	r := c.current.Load()
	if r == nil || r.crew.Load() == nil {
		return nil
	}
	held := make(map[uint32]int)
	for _, w := range r.crew.Load().member.Workers() {
		if w.State == "alive" {
			held[w.Number] = parseNotice(w.Note).count()
		}
	}
	return held
}

// Amount is a part of a budget.
type Amount = fleet.Amount

// A Purse is what a worker has drawn of the budget.
type Purse struct{ *purse }

// NewPurse returns the purse of a worker that draws by a function.
func NewPurse(b Budget, draw func(most, limit Amount) (Amount, error)) Purse {
	log := &reporter{slog.New(slog.DiscardHandler)}
	return Purse{newPurse(&b, log, func(_ context.Context, most, limit Amount) (Amount, error) {
		return draw(most, limit)
	})}
}

func (p Purse) Take() (ok, spent bool) { return p.take() }
func (p Purse) GiveBack()              { p.giveBack() }
func (p Purse) Fetched(bytes int64)    { p.fetched(bytes) }
func (p Purse) Close()                 { p.close(context.Background()) }

// AskAgain waits as a host does that may not be asked yet.
func AskAgain() { time.Sleep(askAgain) }

// Alone makes a worker crawl without the others.
func (c *Crawl) Alone() *Crawl {
	c.config.Shared = false
	return c
}

// SaveOften makes a worker save a checkpoint of a partition after so many records.
func (c *Crawl) SaveOften(records int) *Crawl {
	c.testCheckpoint = records
	return c
}

// BoundInboxes limits the bytes of a stream of inboxes at which a worker asks nobody any more.
func (w *Worker) BoundInboxes(bytes int) *Worker {
	w.testInbox = bytes
	return w
}

// UploadEvery has a worker upload and save so often on its own, or as usual if that is 0.
func (w *Worker) UploadEvery(d time.Duration) *Worker {
	w.testUploads = d
	return w
}

// InboxesAreFull reports whether the worker asks nobody because of that.
func (w *Worker) InboxesAreFull() bool { return isFull(w.share) }

// KeepLogs has a worker trim no logs.
func (c *Crawl) KeepLogs() *Crawl {
	c.testWhole = true
	return c
}

// Find has a worker find URLs, of which it has visited the first.
func (w *Worker) Find(urls, visited int, url func(i int) string) error {
	c := w.current.Load()
	if err := c.findAll(urls, visited, url); err != nil {
		return err
	}
	// committer.wait is for an end at which nothing is sent any more, and this worker has other hosts.
	for n := w.Status(1).Counts; n.Seen < int64(urls) || n.Done < int64(visited); n = w.Status(1).Counts {
		if err := c.committer.failure(); err != nil {
			return err
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

// Save saves a checkpoint of a partition.
func (w *Worker) Save(ctx context.Context, partition int) error {
	return w.share.saver.save(ctx, uint8(partition))
}

// CopyKey is the key of the copy of robots.txt of an origin.
func CopyKey(origin string) string { return copyKey(origin) }

// Trim trims the log of a partition, as after a checkpoint.
func (w *Worker) Trim(ctx context.Context, partition int) error {
	return w.share.saver.trim(ctx, uint8(partition))
}

// Upload uploads the files of the archive that are closed.
func (w *Worker) Upload(ctx context.Context) error { return w.current.Load().depot.upload(ctx, false) }
