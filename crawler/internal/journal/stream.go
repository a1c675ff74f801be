package journal

import (
	"cmp"
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

	cluster "github.com/robotsexclusion/robots/internal/nats"
)

// A stream is a stream of the server, with a lane for each of its subjects. One goroutine
// sends the pending messages of all lanes.
type stream struct {
	journal *Journal
	name    string
	inbox   bool
	lanes   []*lane
	remote  jetstream.Stream // nil while the stream of an inbox does not exist; see ready
	unsure  bool             // an attempt to create the stream failed, and may have left a part
	making  chan struct{}    // has an element while ready works: a lock
	backlog int
	wake    chan struct{}
	trouble atomic.Pointer[error] // why the server acknowledges nothing at the moment, or nil

	// Used only by the sender.
	tail         uint64 // last sequence number of the stream, if the server is in this process
	acknowledged uint64 // largest acknowledged sequence number

	mu       sync.Mutex
	active   []*lane       // lanes with pending messages
	bytes    int           // bytes that are pending or being sent
	full     int           // pending bytes in full messages, before compression
	urgent   bool          // a pending message must be sent at once
	safe     uint64        // all messages up to this sequence number are acknowledged
	interval time.Duration // how long a message may be pending
	closing  bool
	err      error         // why appends fail, or nil
	room     chan struct{} // closed when bytes decreases
}

// A lane is the pending messages of one subject: the log of a partition, or its inbox.
type lane struct {
	stream    *stream
	partition int
	subject   string

	// Guarded by stream.mu.
	owner  *Partition // the owner of a log in this process, or nil
	full   []*message // in order, before open
	open   *message   // the message being filled, or nil
	active bool

	// Used only by the sender, for a log that has an owner.
	seq    uint64 // of the last message
	number uint64 // of the last message, in its header
}

// The keys of a stream's metadata, which keep the options that the journal was created
// with.
const (
	formatKey     = "robots-format"
	partitionsKey = "robots-partitions"
	streamsKey    = "robots-streams"
)

// openStreams opens the streams, and creates the missing logs if no stream has a message. Missing
// inboxes are created when they are used.
func (j *Journal) openStreams(ctx context.Context) error {
	o := j.options
	var missing []*stream
	var used string // the name of a stream that has messages
	for _, inbox := range []bool{false, true} {
		word := "log"
		if inbox {
			word = "in"
		}
		for i := range o.Streams {
			s := &stream{
				journal: j, name: fmt.Sprintf("%s-%s-%d", o.Name, word, i), inbox: inbox,
				backlog: max(o.Backlog/o.Streams, 1), making: make(chan struct{}, 1), wake: make(chan struct{}, 1),
				room: make(chan struct{}), interval: o.Flush,
			}
			for n := i; n < o.Partitions; n += o.Streams {
				s.lanes = append(s.lanes, &lane{stream: s, partition: n, subject: fmt.Sprintf("%s.%s.%d.%d", o.Name,
					word, i, n)})
			}
			if inbox {
				j.inboxes = append(j.inboxes, s)
			} else {
				j.logs = append(j.logs, s)
			}
			var err error
			if s.remote, err = j.find(ctx, s.name); errors.Is(err, jetstream.ErrStreamNotFound) {
				if j.server != nil && j.server.has(s.name) {
					return errors.Join(fmt.Errorf("stream %s is damaged", s.name), j.server.said())
				}
				if !inbox {
					missing = append(missing, s)
				}
				continue
			} else if err != nil {
				return fmt.Errorf("stream %s: %w", s.name, err)
			}
			if err := s.opened(); err != nil {
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
		if err := createSoon(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// find finds a stream. A cluster of which a server has just died or come back may elect a leader
// for longer than a request waits.
func (j *Journal) find(ctx context.Context, name string) (s jetstream.Stream, err error) {
	for range 3 {
		s, err = j.js.Stream(ctx, name)
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil || j.server != nil {
			break
		}
	}
	return s, err
}

// ready creates the stream of an inbox if there is none.
func (s *stream) ready(ctx context.Context) error {
	select {
	case s.making <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-s.making }()
	if s.remote != nil {
		return nil
	}
	err := s.create(ctx)
	if err != nil {
		s.remote = nil // it may be of another journal
		s.unsure = true
	}
	return err
}

// exists reports whether the stream is known to exist.
func (s *stream) exists() bool {
	s.making <- struct{}{}
	defer func() { <-s.making }()
	return s.remote != nil
}

// create creates the stream.
func (s *stream) create(ctx context.Context) error {
	o := s.journal.options
	word := s.lanes[0].subject[:len(s.lanes[0].subject)-len(strconv.Itoa(s.lanes[0].partition))]
	config := jetstream.StreamConfig{
		Name: s.name, Subjects: []string{word + "*"}, Replicas: s.journal.replicas(), Storage: jetstream.FileStorage,
		Discard: jetstream.DiscardNew, AllowAtomicPublish: true,
		Duplicates: 100 * time.Millisecond, // the minimum: no message has an ID for deduplication
		Metadata: map[string]string{formatKey: format, partitionsKey: strconv.Itoa(o.Partitions),
			streamsKey: strconv.Itoa(o.Streams)},
	}
	remote, err := s.journal.js.CreateStream(ctx, config)
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		// An attempt may have ended between the two updates of rewritten.
		half, lost := s.journal.js.Stream(ctx, s.name)
		if lost == nil && half.CachedInfo().Config.Description == createdAgain {
			err, s.unsure = nil, true
		}
	}
	if err == nil && s.unsure {
		remote, err = rewritten(ctx, s.journal.js, config)
	}
	if err != nil {
		return fmt.Errorf("make stream %s: %w", s.name, s.journal.refused(err))
	}
	s.remote = remote
	return s.opened()
}

// restartTime is how long a new journal waits for a server of the cluster that cannot be reached:
// a server that restarts is back in some seconds.
const restartTime = 15 * time.Second

// createSoon creates a stream as soon as all servers that it needs can be reached.
func createSoon(ctx context.Context, s *stream) error {
	next := time.NewTicker(4 * firstPause)
	defer next.Stop()
	for end := time.Now().Add(restartTime); ; {
		err := s.create(ctx)
		if !cluster.IsAway(err) || time.Now().After(end) {
			return err
		}
		select {
		case <-next.C:
		case <-ctx.Done():
			return err
		}
	}
}

// replicas returns the number of replicas of a stream that is created.
func (j *Journal) replicas() int {
	for _, s := range j.logs {
		if s.remote != nil {
			return s.remote.CachedInfo().Config.Replicas
		}
	}
	return cmp.Or(j.options.Replicas, 1)
}

// The error codes of a server that cannot keep a stream or a message.
const (
	codeNoCluster   = 10074 // replicas need a cluster
	codeNoPeers     = 10005 // no servers with room, or fewer than replicas
	codeNoResources = 10023 // the limit of a server, or a server whose disk is full
	codeNoStorage   = 10047
	codeAccountFull = 10002
	codeNoLimits    = 10120 // the account has no limits for this number of replicas
	codeMaxReaders  = 10026 // consumers of a stream
	codeMaxStreams  = 10027
	codeNotStored   = 10077 // the limit of a stream
	codeNoBatch     = 10176 // a leader has changed, or, again and again, a full disk or account
)

// refused explains the error of a server that does not create a stream.
func (j *Journal) refused(err error) error {
	switch code := codeOf(err); code {
	case codeNoCluster:
		return fmt.Errorf("%d replicas need a cluster, and this is a single server: %w", j.replicas(), err)
	case codeNoPeers:
		return fmt.Errorf("the cluster has no room, or fewer than %d servers that can be reached: "+
			"add disks or servers, raise the limits of the account, or ask for fewer replicas: %w", j.replicas(), err)
	}
	return full(err)
}

const hintNotStored = "a server stores nothing, and its log says why: if the account is full, raise its limits; " +
	"if its disk is full, make room and restart the server"

// codeOf returns the code of an error that a server has sent, or 0.
func codeOf(err error) int {
	if refusal, ok := errors.AsType[*jetstream.APIError](err); ok {
		return int(refusal.ErrorCode)
	}
	if refusal, ok := errors.AsType[*refusal](err); ok {
		return refusal.Code
	}
	return 0
}

// full explains the error of a server that has no room. It returns other errors as they are.
func full(err error) error {
	if errors.Is(err, ErrFull) {
		return err
	}
	where := ""
	switch codeOf(err) {
	case codeMaxStreams:
		where = "the account has as many streams as it may have, and a crawl needs up to 33: raise the limit, " +
			"or remove the streams of old crawls with 'nats stream rm'"
	case codeNotStored:
		where = "the stream is full: raise its limit with 'nats stream edit --max-bytes', or remove the limit"
	case codeAccountFull, codeNoLimits:
		where = "the account is full: raise its limits of storage, or remove what it no longer needs"
	case codeNoBatch:
		where = hintNotStored
	case codeNoStorage, codeNoResources:
		where = "the servers have no room: raise their max_file_store, or add disks or servers"
	default:
		return err
	}
	return fmt.Errorf("%w: %s; then start again, and nothing is lost: %w", ErrFull, where, err)
}

// patience returns how many attempts may fail before an error of a server without room counts.
func patience(err error) int {
	switch codeOf(err) {
	case codeNoResources, codeNoStorage: // another server may have room, and lead soon
		return retries
	case codeNoBatch:
		return 2 * retries
	}
	return 0
}

// createdAgain is the description of a stream between the updates of rewritten.
const createdAgain = "created again"

// rewritten has the server write the configuration of a stream again. A server that is killed while
// it creates a stream leaves a configuration without a checksum, and does not notice when the
// stream is created again; at its next start it leaves the stream out, with its messages. Only an
// update that changes something is written.
func rewritten(ctx context.Context, js jetstream.JetStream, config jetstream.StreamConfig) (jetstream.Stream, error) {
	other := config
	other.Description = createdAgain
	if _, err := js.UpdateStream(ctx, other); err != nil {
		return nil, err
	}
	return js.UpdateStream(ctx, config)
}

// opened checks a stream that exists, and has its folder watched if the server is in this process.
func (s *stream) opened() error {
	if err := s.check(); err != nil {
		return err
	}
	if local := s.journal.server; local != nil {
		return local.watch(filepath.Join(local.streams(), s.name, "msgs"))
	}
	return nil
}

// check returns an error if the stream was created with other options.
func (s *stream) check() error {
	info := s.remote.CachedInfo()
	s.tail = info.State.LastSeq
	got := maps.Clone(info.Config.Metadata)
	for key, want := range map[string]string{
		formatKey: format, partitionsKey: strconv.Itoa(s.journal.options.Partitions),
		streamsKey: strconv.Itoa(s.journal.options.Streams),
	} {
		if got[key] == "" {
			return fmt.Errorf("stream %s is not of a journal: choose another name", s.name)
		}
		if got[key] != want {
			return fmt.Errorf("stream %s was made with %s %s, not %s: this cannot be changed", s.name, key, got[key],
				want)
		}
	}
	if want := s.journal.options.Replicas; want > 0 && want != info.Config.Replicas {
		return fmt.Errorf("stream %s has %d replicas, not %d: leave the number out, "+
			"or change all streams of the crawl with 'nats stream edit --replicas'", s.name, info.Config.Replicas, want)
	}
	if what := altered(&info.Config); what != "" {
		return fmt.Errorf("stream %s was altered on the server, which may lose records: set %s", s.name, what)
	}
	if !info.Config.AllowAtomicPublish {
		return fmt.Errorf("stream %s takes no batches: the server has to be of version 2.12 or later", s.name)
	}
	return nil
}

// altered returns what has to be set in the configuration of a stream so that it keeps every
// message, or "".
func altered(c *jetstream.StreamConfig) string {
	switch {
	case c.Retention != jetstream.LimitsPolicy:
		return "its retention to limits"
	case c.MaxAge > 0:
		return "its maximum age to none"
	case c.MaxMsgsPerSubject > 0:
		return "its maximum of messages per subject to none"
	case c.Discard != jetstream.DiscardNew:
		return "its discard policy to new"
	case c.NoAck:
		return "acknowledgements on"
	case c.Storage != jetstream.FileStorage:
		return "its storage to file"
	}
	return ""
}

// last returns the last message of a lane from the leader of the stream. seq is 0 if the
// lane has no message.
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

// lastSoon is last with retries.
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

// patiently retries do while an external server is unreachable or not ready. It waits for room for
// a reader until the server has forgotten those of workers that were killed.
func (j *Journal) patiently(ctx context.Context, do func() error) error {
	for began := time.Now(); ; {
		err := do()
		var refused *jetstream.APIError
		var corrupt *CorruptError
		switch {
		case err == nil || j.server != nil || ctx.Err() != nil || errors.As(err, &corrupt):
			return err
		case denial(j.conn) != nil:
			return denial(j.conn)
		case errors.Is(full(err), ErrFull):
			return full(err)
		case codeOf(err) == codeMaxReaders && time.Since(began) < 2*forgotten:
		case errors.As(err, &refused) && refused.Code != 503 && !cluster.IsAway(err): // unavailable
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

// parse reads the header of a message of the lane, and checks that the message belongs
// there.
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

// The headers of an atomic batch, and those of the expected last sequence number of a
// subject or stream.
const (
	batchID       = "Nats-Batch-Id"
	batchSequence = "Nats-Batch-Sequence"
	batchCommit   = "Nats-Batch-Commit"
	expectSubject = "Nats-Expected-Last-Subject-Sequence"
	expectStream  = "Nats-Expected-Last-Sequence"
)

// answerTime is the usual timeout of a request.
const answerTime = 10 * time.Second

// answerTime returns the timeout of a request.
func (j *Journal) answerTime() time.Duration {
	if j.options.URL != "" {
		return cmp.Or(j.options.Answer, 3*time.Second)
	}
	return cmp.Or(j.options.Answer, answerTime)
}

// A refusal is the error in the answer of a server that rejected a batch.
type refusal struct {
	Code        int    `json:"err_code"`
	Description string `json:"description"`
}

func (r *refusal) Error() string { return fmt.Sprintf("%s (error %d)", r.Description, r.Code) }

// publish sends messages as one batch, and returns the sequence number of the last
// message when the server has stored the batch. The messages of a batch have consecutive
// sequence numbers, because a batch is stored in one step.
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
			// Only this process writes to the stream, so checking the end of the stream
			// replaces checking the end of each subject. A check of subjects would make
			// the server read recent messages and keep them in memory.
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
