package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A stream is one of the server, with the lanes to its subjects. One goroutine sends
// what waits in them.
type stream struct {
	journal *Journal
	name    string
	inbox   bool
	lanes   []*lane
	remote  jetstream.Stream
	backlog int
	wake    chan struct{}
	trouble atomic.Pointer[error] // why nothing is acknowledged at the moment, or nil

	// Of the goroutine that sends.
	tail         uint64 // the last sequence number of the stream, if the server is in this process
	acknowledged uint64 // the largest sequence number that was

	mu       sync.Mutex
	active   []*lane       // those in which something waits
	octets   int           // that wait or are under way
	full     int           // bytes that wait in full messages, before they were packed
	urgent   bool          // something waits that goes at once
	safe     uint64        // what is in the stream up to this sequence number was acknowledged
	interval time.Duration // how long something may wait
	closing  bool
	err      error         // nothing is taken any more
	room     chan struct{} // closed when bytes gets less
}

// A lane leads to one subject: the log of a partition, or its inbox.
type lane struct {
	stream    *stream
	partition int
	subject   string

	// With the stream locked.
	owner  *Partition // in this process, of a log
	full   []*message // in order, before open
	open   *message   // is being filled, or nil
	active bool

	// Of the goroutine that sends, of a log that has an owner.
	seq    uint64 // of the last message
	number uint64 // of the last message, in its header
}

// The metadata of a stream, which say how the journal was made.
const (
	formatKey     = "robots-format"
	partitionsKey = "robots-partitions"
	streamsKey    = "robots-streams"
)

// openStreams makes the streams, or finds them as they were made.
func (j *Journal) openStreams(ctx context.Context) error {
	o := j.options
	var missing []*stream
	var used string // a stream that has messages
	for _, inbox := range []bool{false, true} {
		word := "log"
		if inbox {
			word = "in"
		}
		for i := range o.Streams {
			s := &stream{
				journal: j, name: fmt.Sprintf("%s-%s-%d", o.Name, word, i), inbox: inbox,
				backlog: max(o.Backlog/o.Streams, 1), wake: make(chan struct{}, 1), room: make(chan struct{}), interval: o.Flush,
			}
			for n := i; n < o.Partitions; n += o.Streams {
				s.lanes = append(s.lanes, &lane{stream: s, partition: n, subject: fmt.Sprintf("%s.%s.%d.%d", o.Name, word, i, n)})
			}
			if inbox {
				j.inboxes = append(j.inboxes, s)
			} else {
				j.logs = append(j.logs, s)
			}
			var err error
			if s.remote, err = j.js.Stream(ctx, s.name); errors.Is(err, jetstream.ErrStreamNotFound) {
				if j.server != nil && j.server.has(s.name) {
					return errors.Join(fmt.Errorf("stream %s is damaged", s.name), j.server.said())
				}
				missing = append(missing, s)
				continue
			} else if err != nil {
				return fmt.Errorf("stream %s: %w", s.name, err)
			}
			if err := s.check(); err != nil {
				return err
			}
			if s.remote.CachedInfo().State.LastSeq > 0 {
				used = s.name
			}
		}
	}
	if len(missing) > 0 && used != "" {
		return fmt.Errorf("stream %s is missing, though %s has messages: it was deleted or damaged; restore it, or begin a crawl of another name", missing[0].name, used)
	}
	for _, s := range missing {
		if err := s.create(ctx); err != nil {
			return err
		}
	}
	if j.server != nil {
		for _, s := range append(j.logs, j.inboxes...) {
			if err := j.server.watch(filepath.Join(j.server.streams(), s.name, "msgs")); err != nil {
				return err
			}
		}
	}
	return nil
}

// create makes the stream.
func (s *stream) create(ctx context.Context) error {
	o := s.journal.options
	word := s.lanes[0].subject[:len(s.lanes[0].subject)-len(strconv.Itoa(s.lanes[0].partition))]
	remote, err := s.journal.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: s.name, Subjects: []string{word + "*"}, Replicas: o.Replicas, Storage: jetstream.FileStorage,
		Discard: jetstream.DiscardNew, AllowAtomicPublish: true,
		Duplicates: 100 * time.Millisecond, // the least there is: no message says what it would duplicate
		Metadata:   map[string]string{formatKey: format, partitionsKey: strconv.Itoa(o.Partitions), streamsKey: strconv.Itoa(o.Streams)},
	})
	if err != nil {
		return fmt.Errorf("make stream %s: %w", s.name, err)
	}
	s.remote = remote
	return s.check()
}

// check tells whether the stream was made with the same options.
func (s *stream) check() error {
	info := s.remote.CachedInfo()
	s.tail = info.State.LastSeq
	got := maps.Clone(info.Config.Metadata)
	for key, want := range map[string]string{
		formatKey: format, partitionsKey: strconv.Itoa(s.journal.options.Partitions), streamsKey: strconv.Itoa(s.journal.options.Streams),
	} {
		if got[key] == "" {
			return fmt.Errorf("stream %s is not of a journal: choose another name", s.name)
		}
		if got[key] != want {
			return fmt.Errorf("stream %s was made with %s %s, not %s: this cannot be changed", s.name, key, got[key], want)
		}
	}
	if !info.Config.AllowAtomicPublish {
		return fmt.Errorf("stream %s takes no batches: the server has to be of version 2.12 or later", s.name)
	}
	return nil
}

// last returns the last message of a lane, as the leader of the stream has it. The
// sequence number is 0 if there is none.
func (l *lane) last(ctx context.Context) (seq uint64, h header, err error) {
	m, err := l.stream.remote.GetLastMsgForSubject(ctx, l.subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return 0, header{}, nil
	}
	if err != nil {
		return 0, header{}, err
	}
	if h, err = l.parse(m.Sequence, m.Data); err != nil {
		return 0, header{}, err
	}
	return m.Sequence, h, nil
}

// lastSoon is last, when there is a connection.
func (l *lane) lastSoon(ctx context.Context) (seq uint64, h header, err error) {
	err = l.stream.journal.patiently(ctx, func() error {
		seq, h, err = l.last(ctx)
		return err
	})
	return seq, h, err
}

// end returns the sequence number of the last message of the stream.
func (s *stream) end(ctx context.Context) (seq uint64, err error) {
	err = s.journal.patiently(ctx, func() error {
		info, err := s.remote.Info(ctx)
		if err != nil {
			return fmt.Errorf("stream %s: %w", s.name, err)
		}
		seq = info.State.LastSeq
		return nil
	})
	return seq, err
}

// patiently does something over and over as long as an external server is not there, or
// not ready.
func (j *Journal) patiently(ctx context.Context, do func() error) error {
	for {
		err := do()
		var refused *jetstream.APIError
		var corrupt *CorruptError
		switch {
		case err == nil || j.server != nil || ctx.Err() != nil || errors.As(err, &corrupt):
			return err
		case errors.As(err, &refused) && refused.Code != 503: // unavailable
			return err
		}
		wait := time.NewTimer(4 * firstPause)
		select {
		case <-wait.C:
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", context.Cause(ctx), err)
		case <-j.ctx.Done():
			return ErrClosed
		}
	}
}

// parse reads the header of a message of the lane.
func (l *lane) parse(seq uint64, data []byte) (header, error) {
	h, err := parse(data)
	if err == nil && (h.partition != l.partition || (h.kind == inboxKind) != l.stream.inbox) {
		err = fmt.Errorf("it is of partition %d and kind %q", h.partition, h.kind)
	}
	if err != nil {
		return h, l.corrupt(seq, err)
	}
	h.before = resolve(h.before, seq)
	return h, nil
}

func (l *lane) corrupt(seq uint64, reason error) error {
	return &CorruptError{Stream: l.stream.name, Subject: l.subject, Seq: seq, Reason: reason.Error()}
}

// The headers by which the server takes messages as a batch, and only at the end of a
// subject or a stream that the sender knows.
const (
	batchID       = "Nats-Batch-Id"
	batchSequence = "Nats-Batch-Sequence"
	batchCommit   = "Nats-Batch-Commit"
	expectSubject = "Nats-Expected-Last-Subject-Sequence"
	expectStream  = "Nats-Expected-Last-Sequence"
)

// answerTime is how long a request waits for its answer.
const answerTime = 10 * time.Second

// A refusal is an answer of the server that it has not taken a batch.
type refusal struct {
	Code        int    `json:"err_code"`
	Description string `json:"description"`
}

func (r *refusal) Error() string { return fmt.Sprintf("%s (error %d)", r.Description, r.Code) }

// publish sends messages as one batch, and returns the sequence number of the last
// when the server has them. Those before have the numbers before: a batch is stored in
// one go.
func (s *stream) publish(ctx context.Context, batch []*message) (uint64, error) {
	conn := s.journal.conn
	id := strconv.FormatUint(newID(), 36)
	var before *lane
	for i, m := range batch {
		msg := nats.NewMsg(m.lane.subject)
		msg.Data = m.data
		switch {
		case s.inbox:
		case s.journal.server != nil:
			// Only this process writes to the stream, so the end of the stream says
			// all that the ends of the subjects would say. The server need not read
			// for it, which would keep what was written lately in its memory.
			if i == 0 {
				msg.Header[expectStream] = []string{strconv.FormatUint(s.tail, 10)}
			}
		case m.lane != before:
			msg.Header[expectSubject] = []string{strconv.FormatUint(m.lane.seq, 10)}
		}
		before = m.lane
		if len(batch) > 1 {
			msg.Header[batchID] = []string{id}
			msg.Header[batchSequence] = []string{strconv.Itoa(i + 1)}
		}
		if i < len(batch)-1 {
			if err := conn.PublishMsg(msg); err != nil {
				return 0, err
			}
			continue
		}
		if len(batch) > 1 {
			msg.Header[batchCommit] = []string{"1"}
		}
		answer, err := conn.RequestMsgWithContext(ctx, msg)
		if err != nil {
			return 0, err
		}
		var ack struct {
			Stream string   `json:"stream"`
			Seq    uint64   `json:"seq"`
			Error  *refusal `json:"error"`
		}
		if err := json.Unmarshal(answer.Data, &ack); err != nil {
			return 0, fmt.Errorf("the server answered %.100q", answer.Data)
		}
		if ack.Error != nil {
			return 0, ack.Error
		}
		if ack.Stream != s.name || ack.Seq < uint64(len(batch)) {
			return 0, fmt.Errorf("the server answered %.100q", answer.Data)
		}
		return ack.Seq, nil
	}
	return 0, nil
}
