// Package journal is a durable log of what a robot has done and found. It runs on NATS
// JetStream: in this process, or on a server that many robots share.
//
// The log is cut into partitions. The caller of [Journal.Claim] owns the partition, and
// appends to it. The claim is itself an entry of the log. After it, an older owner, in
// this process or another, gets [ErrFenced]. So safety needs no clock and no lease: at
// any point of the log, only one owner can add entries.
//
// Each worker of a shared crawl claims partitions in the name of its session. [Journal.ClaimBehind]
// names the last entry that the worker has read, and fails if another entry came after it.
// [Partition.Release] hands a partition over. Package fleet says when a worker may claim.
//
// A [Partition] packs the records of some milliseconds into one message. The pending
// messages of all partitions of a stream are sent as one batch, which is synced once.
// [Partition.Append] returns a [Ticket] at once; [Ticket.Wait] returns when the record is
// durable. Each partition can also have an inbox. Every process may [Journal.Send] to the
// inbox, with delivery at least once, and the owner may [Journal.Receive]. Inboxes are for
// crawls on several machines, where a link may belong to a partition of another process. The
// first Send or Receive creates the stream of an inbox, so a crawl on one machine has none.
//
// # Positions
//
// A record has a position in its partition. Positions are never 0 and grow from record to
// record, with gaps. A store that applies records keeps the position of the last one in
// the same transaction. After a restart [Journal.Replay] yields the records after that
// position, and [Journal.Trim] removes the records before it.
//
// # Crashes
//
// A record whose ticket was answered without error is in the log, in order and once,
// whatever happens to the process. A record whose ticket was not answered may be in the
// log. Each message is checked when it is read: a damaged, foreign or lost message is a
// [CorruptError] that says where.
//
// # External servers
//
// The server must be version 2.12 or later, for batches. Its configuration decides
// whether acknowledged messages are on the disk: set "sync_interval: always" in the
// section jetstream.
package journal

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	cluster "github.com/robotsexclusion/robots/internal/nats"
)

// MaxRecord is the maximum size of a record in bytes.
const MaxRecord = 256 << 10

var (
	// ErrFenced is the error of a partition that another owner has claimed.
	ErrFenced = errors.New("the partition has been claimed by another owner")
	// ErrReleased is the error of a partition that its owner has released.
	ErrReleased = errors.New("the partition has been released")
	// ErrClosed is the error of a journal that has been closed.
	ErrClosed = errors.New("the journal is closed")
	// ErrLocked is the error of a folder that another process has open.
	ErrLocked = errors.New("another process has it open")
	// ErrTrimmed is the error of a replay from a position after which records have been
	// trimmed: the state made from the log is older than the checkpoint that allowed the
	// trim.
	ErrTrimmed = errors.New("the log has been trimmed after this position")
	// ErrLost is the error of a replay from a position after the end of the log: the log
	// has lost its end, or belongs to another crawl.
	ErrLost = errors.New("the log has lost its end, or is of another crawl")
	// ErrUnreadable is the error of a folder that the server in this process cannot read.
	ErrUnreadable = errors.New("the folder of the journal cannot be read")
	// ErrFull is the error of a server that has no room for a record or a stream.
	ErrFull = errors.New("the NATS server has no room for the journal")
	// ErrDenied is the error of a user who may not send or take a message of the journal.
	ErrDenied = errors.New("the NATS server denies this user what the journal needs")
	// ErrTooLong is the error of a record of more than [MaxRecord] bytes.
	ErrTooLong = fmt.Errorf("the record has more than %d bytes", MaxRecord)
)

// A CorruptError reports a message that is missing, was changed, or was not written by
// this package.
type CorruptError struct {
	Stream, Subject string
	Seq             uint64 // of the message, in its stream
	Reason          string
}

// Error says where the message is, and what is wrong with it.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("stream %s, subject %s, message %d: %s", e.Stream, e.Subject, e.Seq, e.Reason)
}

// Options say where a journal is, and how it is written. Name, Partitions, Streams and
// Replicas are fixed when the journal is created.
type Options struct {
	// Dir is the folder of a journal in this process. Open creates the folder if needed.
	// Only one process at a time can have it open.
	Dir string
	// URL is the address of an external NATS server, used instead of Dir: one URL, or
	// several separated by commas, as in "nats://host:4222", and parameters after a question
	// mark, as internal/nats reads them.
	URL string
	// Name is the name of the crawl: letters, digits, "-" and "_". Streams and subjects
	// begin with it. If empty, it is "crawl".
	Name string
	// Replicas is the number of servers of an external cluster that keep each stream. If
	// 0, it is that of the streams that exist, or else 1.
	Replicas int
	// Partitions is the number of partitions, numbered from 0. If 0, it is 256.
	Partitions int
	// Streams is the number of streams that hold the logs of the partitions. Inboxes, once
	// they are used, are in streams of their own, at most as many. Each stream syncs on its
	// own, and different servers of a cluster may lead different streams. If 0, it is 1 in
	// this process, and 16 on a server.
	Streams int
	// Flush is how long a record waits to be sent with others. The wait is twice as long
	// when several partitions are active. If 0, it is 50 ms.
	Flush time.Duration
	// Answer is the timeout of a request to the server, and half of the time that a server in
	// this process may take to stop. If 0, it is 10 seconds in this process, and 3 on a server:
	// a client of a leader that has died then asks the next leader sooner.
	Answer time.Duration
	// Bytes is the size in bytes at which a message is full and the next one begins, up
	// to 256 KiB. If 0, it is 64 KiB. Bytes are counted before compression.
	Bytes int
	// Backlog is the maximum number of bytes of records that are pending or being sent.
	// Append waits when the backlog is full. If 0, it is 16 MiB.
	Backlog int
	// Log gets the warnings of the server in this process, and messages about lost and
	// restored connections. It may be nil.
	Log *slog.Logger
}

// A Journal is the log of a crawl. Its methods are safe for concurrent use.
type Journal struct {
	options Options
	server  *localServer // the server in this process, or nil
	conn    *cluster.Conn
	js      jetstream.JetStream
	logs    []*stream
	inboxes []*stream
	encoder *zstd.Encoder
	decoder *zstd.Decoder
	buffers buffers

	ctx     context.Context // ends when the journal is closed
	cancel  context.CancelFunc
	denied  context.Context // ends when the server denies to send or to take a message
	deny    context.CancelFunc
	running sync.WaitGroup
	link    atomic.Pointer[link]
	closing sync.Once
	closed  error
}

// A link is the lifetime of one connection to the server. A request sent over one
// connection is not answered over the next.
type link struct {
	context.Context
	cancel context.CancelFunc
}

// relink ends the current link and begins the next.
func (j *Journal) relink() {
	ctx, cancel := context.WithCancel(j.ctx)
	if last := j.link.Swap(&link{ctx, cancel}); last != nil {
		last.cancel()
	}
}

// Open opens a journal, and creates it if it does not exist.
func Open(ctx context.Context, options Options) (*Journal, error) {
	o := options
	o.Name = cmp.Or(o.Name, "crawl")
	o.Partitions = cmp.Or(o.Partitions, 256)
	o.Flush = cmp.Or(o.Flush, 50*time.Millisecond)
	o.Bytes = cmp.Or(o.Bytes, 64<<10)
	o.Backlog = cmp.Or(o.Backlog, 16<<20)
	if o.Streams == 0 {
		o.Streams = 1
		if o.URL != "" {
			o.Streams = min(16, o.Partitions)
		}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	j := &Journal{options: o, buffers: buffers{size: o.Bytes}}
	j.ctx, j.cancel = context.WithCancel(context.Background())
	j.denied, j.deny = context.WithCancel(j.ctx)
	j.relink()
	if err := j.open(ctx); err != nil {
		j.Close()
		if at := place(o); at != "" {
			err = fmt.Errorf("%s: %w", at, err)
		}
		return nil, fmt.Errorf("open journal %w", err)
	}
	return j, nil
}

// check returns the first error in the options.
func (o Options) check() error {
	wordRunes := "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	switch {
	case (o.Dir == "") == (o.URL == ""):
		return errors.New("it is either in a folder or on a server: set Dir or URL")
	case len(o.Name) > 64 || strings.Trim(o.Name, wordRunes) != "":
		return fmt.Errorf("the name %.80q is not of letters, digits, - and _, 64 at most", o.Name)
	case o.Partitions < 1 || o.Partitions > 4096:
		return fmt.Errorf("%d partitions: there can be 1 to 4096", o.Partitions)
	case o.Streams < 1 || o.Streams > o.Partitions:
		return fmt.Errorf("%d streams for %d partitions", o.Streams, o.Partitions)
	case o.Dir != "" && o.Replicas > 1:
		return fmt.Errorf("%d replicas in one folder", o.Replicas)
	case o.Replicas < 0 || o.Replicas > 5:
		return fmt.Errorf("%d replicas: a NATS cluster keeps 1 to 5", o.Replicas)
	case o.Bytes < 0 || o.Bytes > MaxRecord:
		return fmt.Errorf("messages of %d bytes: they can have %d", o.Bytes, MaxRecord)
	case o.Flush < 0 || o.Backlog < 0:
		return errors.New("a negative option")
	}
	return nil
}

// place returns where a journal is, for an error: without a password. It returns "" for an address
// that is wrong.
func place(o Options) string {
	if o.Dir != "" {
		return o.Dir
	}
	return cluster.Shown(o.URL)
}

func (j *Journal) open(ctx context.Context) error {
	var err error
	if j.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(64<<10),
		zstd.WithLowerEncoderMem(true), zstd.WithEncoderCRC(false),
		zstd.WithEncoderConcurrency(runtime.GOMAXPROCS(0))); err != nil {
		return err
	}
	if j.decoder, err = newDecoder(); err != nil {
		return err
	}
	connect := []nats.Option{
		nats.RetryOnFailedConnect(false), nats.ReconnectWait(100 * time.Millisecond),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			j.relink()
			if err != nil {
				j.options.Log.Warn("the connection to the journal is lost", "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { j.options.Log.Info("the connection to the journal is back") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) {
				j.deny()
				j.relink() // no answer comes
			}
			j.options.Log.Warn("the connection to the journal has an error", "error", cluster.Explain(err))
		}),
	}
	if j.options.URL != "" {
		// The client leaves a server that hangs after three of these, not after some minutes.
		connect = append(connect, nats.PingInterval(j.answerTime()))
	}
	if j.options.Dir != "" {
		if j.server, err = startServer(j.options.Dir, j.options.Log); err != nil {
			return err
		}
		context.AfterFunc(j.server.broken, j.relink)
		connect = append(connect, nats.InProcessServer(j.server.nats))
	}
	if deadline, ok := ctx.Deadline(); ok {
		connect = append(connect, nats.Timeout(max(time.Until(deadline), time.Millisecond)))
	}
	j.conn, err = cluster.Connect(j.options.URL, "robots "+j.options.Name, connect...)
	if err != nil {
		return err
	}
	if version := j.conn.ConnectedServerVersion(); isOld(version) {
		return fmt.Errorf("the NATS server %s is of version %s: the journal needs 2.12 or later on all servers "+
			"of the cluster, so update them", j.conn.ConnectedServerName(), version)
	}
	if need := int64(headerSize + maxBody + 4<<10); j.conn.MaxPayload() < need {
		return fmt.Errorf("the server takes messages of %d bytes: set its max_payload to %d or more",
			j.conn.MaxPayload(), need)
	}
	if j.js, err = jetstream.New(j.conn.Conn, jetstream.WithDefaultTimeout(j.answerTime())); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(j.denied, cancel)() // no answer comes
	if err := j.openStreams(ctx); err != nil {
		return j.conn.Why(err)
	}
	for _, s := range append(j.logs, j.inboxes...) {
		j.running.Go(s.run)
	}
	return nil
}

// isOld reports whether a server of a version, such as "2.11.4", has no batches.
func isOld(version string) bool {
	var major, minor int
	n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor)
	return n == 2 && (major < 2 || major == 2 && minor < 12)
}

// Close sends the pending records, and closes the journal. Records that cannot be sent at
// once fail with [ErrClosed].
func (j *Journal) Close() error {
	j.closing.Do(func() {
		for _, s := range append(j.logs, j.inboxes...) {
			s.mu.Lock()
			s.closing = true
			s.mu.Unlock()
			s.signal()
		}
		j.running.Wait()
		j.cancel()
		if j.conn != nil {
			j.conn.Close()
		}
		if j.server != nil {
			j.closed = j.server.stop(2 * j.answerTime())
		}
		if j.encoder != nil {
			j.encoder.Close()
		}
		if j.decoder != nil {
			j.decoder.Close()
		}
	})
	return j.closed
}

// denial returns what the server denied the user, or nil.
func denial(conn *cluster.Conn) error {
	if err := conn.Denied(); err != nil {
		return fmt.Errorf("%w: %w", ErrDenied, err)
	}
	return nil
}

// Options returns the options with their defaults, and with the number of replicas that the streams
// have.
func (j *Journal) Options() Options {
	o := j.options
	o.Replicas = j.replicas()
	return o
}

// alive returns [ErrClosed] after Close.
func (j *Journal) alive() error {
	if j.ctx.Err() != nil {
		return ErrClosed
	}
	return nil
}

// logOf and inboxOf return the lanes of a partition.
func (j *Journal) logOf(partition int) *lane   { return laneOf(j.logs, partition) }
func (j *Journal) inboxOf(partition int) *lane { return laneOf(j.inboxes, partition) }

func laneOf(streams []*stream, partition int) *lane {
	return streams[partition%len(streams)].lanes[partition/len(streams)]
}

// checkPartition returns an error if the partition does not exist.
func (j *Journal) checkPartition(n int) error {
	if n < 0 || n >= j.options.Partitions {
		return fmt.Errorf("partition %d: there are %d, from 0 on", n, j.options.Partitions)
	}
	return nil
}

// newID returns a random number that is unique in practice.
func newID() uint64 {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:])
}
