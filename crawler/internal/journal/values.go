package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Values are values by key beside the partitions of a journal, of which the server keeps the last
// ones. A read finds every value whose write was answered.
type Values struct {
	journal *Journal
	stream  jetstream.Stream
	word    string
}

// OpenValues opens values of a journal, which have a name, or creates them. A value is kept for a
// time after it was put. An operator may give their stream a limit of bytes: then the oldest values
// make room.
func OpenValues(ctx context.Context, j *Journal, word string, keep time.Duration) (v *Values, err error) {
	o := j.options
	v = &Values{journal: j, word: word}
	err = j.patiently(ctx, func() (err error) {
		v.stream, err = j.js.Stream(ctx, v.name())
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			v.stream, err = j.js.CreateStream(ctx, jetstream.StreamConfig{
				Name: v.name(), Subjects: []string{o.Name + "." + word + ".*"}, Replicas: j.replicas(),
				Storage: jetstream.FileStorage, MaxMsgsPerSubject: 1, MaxAge: keep, Discard: jetstream.DiscardOld,
				Duplicates: time.Minute, Metadata: map[string]string{formatKey: format},
			})
			return j.refused(err)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", v.name(), err)
	}
	if got := v.stream.CachedInfo().Config.Metadata[formatKey]; got != format {
		return nil, fmt.Errorf("stream %s is not of this version of robots: it has the form %q, not %q", v.name(), got,
			format)
	}
	return v, nil
}

func (v *Values) name() string { return v.journal.options.Name + "-" + v.word }

// subject returns the subject of a key, which has letters and digits only.
func (v *Values) subject(key string) string { return v.journal.options.Name + "." + v.word + "." + key }

// Get returns the value of a key, and its revision. If there is none, the error wraps
// [fs.ErrNotExist]. Get waits for servers that cannot be reached until the context ends.
func (v *Values) Get(ctx context.Context, key string) (data []byte, revision uint64, err error) {
	err = v.journal.patiently(ctx, func() error {
		m, err := v.stream.GetLastMsgForSubject(ctx, v.subject(key))
		if err == nil {
			data, revision = m.Data, m.Sequence
		}
		return err
	})
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return nil, 0, fmt.Errorf("stream %s: key %s: %w", v.name(), key, fs.ErrNotExist)
	case err != nil:
		return nil, 0, fmt.Errorf("stream %s: %w", v.name(), err)
	}
	if data, err = v.journal.decoder.DecodeAll(data, nil); err != nil {
		return nil, revision, &CorruptError{v.name(), v.subject(key), revision, err.Error()}
	}
	return data, revision, nil
}

// Put puts a value in place of a revision, or of none if that is 0. The error is [ErrFenced] if
// another process has put a value since, and [ErrTooLong] if the server takes no value of that
// size. Put waits for servers that cannot be reached until the context ends; then the value may
// come to be there later.
func (v *Values) Put(ctx context.Context, key string, data []byte, revision uint64) error {
	packed := v.journal.encoder.EncodeAll(data, nil)
	if int64(len(packed)) > v.journal.conn.MaxPayload()-4<<10 {
		return fmt.Errorf("stream %s: %w", v.name(), ErrTooLong)
	}
	fenced := false
	err := v.journal.patiently(ctx, func() error {
		_, err := v.journal.js.Publish(ctx, v.subject(key), packed,
			jetstream.WithExpectLastSequencePerSubject(revision))
		refused := (*jetstream.APIError)(nil)
		if errors.As(err, &refused) && (refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
			refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant) {
			fenced = true // or an attempt before was stored, and its answer lost
			return nil
		}
		return err
	})
	if fenced {
		err = ErrFenced
	}
	if err != nil {
		return fmt.Errorf("stream %s: %w", v.name(), err)
	}
	return nil
}
