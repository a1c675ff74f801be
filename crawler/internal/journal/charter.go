package journal

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	cluster "github.com/robotsexclusion/robots/internal/nats"
)

// A Charter is a small log beside the partitions of a journal on a server. Its entries say whose
// the journal is, and can be read before any partition is claimed. The server refuses an entry
// that does not follow the last one that its writer knows.
type Charter struct {
	journal *Journal
	stream  jetstream.Stream
	last    uint64 // sequence number of the last entry that was read or added, or 0
}

const charterWord = "charter" // stored in the names of streams and subjects

// ErrUnchartered is the error of a journal that has messages, but no charter: an earlier version of
// this program made it.
var ErrUnchartered = errors.New("the journal has records, but does not say whose it is")

// OpenCharter opens the charter of the journal, and creates it if it does not exist. It returns the
// last entry, or nil if there is none. The error is [ErrUnchartered] if there is none but the
// journal has messages; then the charter can be used.
func (j *Journal) OpenCharter(ctx context.Context) (c *Charter, last []byte, err error) {
	c = &Charter{journal: j}
	o := j.options
	name := o.Name + "-" + charterWord
	err = j.patiently(ctx, func() (err error) {
		c.stream, err = j.js.Stream(ctx, name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			c.stream, err = j.js.CreateStream(ctx, jetstream.StreamConfig{
				Name: name, Subjects: []string{c.subject()}, Replicas: j.replicas(), Storage: jetstream.FileStorage,
				DenyDelete: true, DenyPurge: true, Metadata: map[string]string{formatKey: format},
			})
			return j.refused(err)
		}
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("stream %s: %w", name, err)
	}
	if got := c.stream.CachedInfo().Config.Metadata[formatKey]; got != format {
		return nil, nil, fmt.Errorf("stream %s is not of this version of robots: it has the form %q, not %q", name, got,
			format)
	}
	if last, err = c.read(ctx, 0); err != nil || last != nil {
		return c, last, err
	}
	for _, s := range j.logs {
		if s.tail > 0 {
			return c, nil, ErrUnchartered
		}
	}
	return c, nil, nil
}

func (c *Charter) subject() string { return c.journal.options.Name + "." + charterWord }

// read returns an entry, or the last one for number 0. It returns nil if there is none.
func (c *Charter) read(ctx context.Context, number uint64) (entry []byte, err error) {
	var m *jetstream.RawStreamMsg
	err = c.journal.patiently(ctx, func() (err error) {
		if number > 0 {
			m, err = c.stream.GetMsg(ctx, number)
		} else if m, err = c.stream.GetLastMsgForSubject(ctx, c.subject()); errors.Is(err, jetstream.ErrMsgNotFound) {
			m, err = nil, nil
		}
		return err
	})
	if err != nil || m == nil {
		return nil, err
	}
	if number == 0 {
		c.last = m.Sequence
	}
	if entry, err = c.journal.decoder.DecodeAll(m.Data, nil); err != nil {
		return nil, &CorruptError{c.stream.CachedInfo().Config.Name, c.subject(), m.Sequence, err.Error()}
	}
	return entry, nil
}

// Each calls fn with each entry, up to the last one that was read or added.
func (c *Charter) Each(ctx context.Context, fn func(entry []byte) error) error {
	for number := uint64(1); number <= c.last; number++ {
		entry, err := c.read(ctx, number)
		if err == nil {
			err = fn(entry)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// First returns the first entry, or nil if there is none.
func (c *Charter) First(ctx context.Context) (entry []byte, err error) {
	if c.last == 0 {
		return nil, nil
	}
	return c.read(ctx, 1)
}

// Add adds an entry durably. The error is [ErrFenced] if another process has added one since the
// last entry that was read or added here. An entry has at most [MaxRecord] bytes.
func (c *Charter) Add(ctx context.Context, entry []byte) error {
	if len(entry) > MaxRecord {
		return ErrTooLong
	}
	data := c.journal.encoder.EncodeAll(entry, nil)
	before, fenced := c.last, false
	err := c.journal.patiently(ctx, func() error {
		ack, err := c.journal.js.Publish(ctx, c.subject(), data, jetstream.WithExpectLastSequencePerSubject(before))
		if err == nil {
			c.last = ack.Sequence
			return nil
		}
		refused := (*jetstream.APIError)(nil)
		if !errors.As(err, &refused) || refused.ErrorCode != jetstream.JSErrCodeStreamWrongLastSequence &&
			refused.ErrorCode != jetstream.JSErrCodeStreamWrongLastSequenceConstant {
			return err
		}
		// An attempt before may have added the entry, though its answer was lost.
		last, err := c.read(ctx, 0)
		fenced = err == nil && (c.last != before+1 || string(last) != string(entry))
		return err
	})
	if fenced {
		return fmt.Errorf("stream %s: %w", c.stream.CachedInfo().Config.Name, ErrFenced)
	}
	return err
}

// Names returns the names of the journals on a server, whose address is that of [Options].URL.
func Names(ctx context.Context, url string) (names []string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	conn, err := cluster.Connect(url, "robots", nats.RetryOnFailedConnect(false),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) { cancel() })) // no answer comes
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	js, err := jetstream.New(conn.Conn)
	if err != nil {
		return nil, err
	}
	all := js.StreamNames(ctx)
	for name := range all.Name() {
		if name, ok := strings.CutSuffix(name, "-log-0"); ok {
			names = append(names, name)
		}
	}
	return names, conn.Why(all.Err())
}
