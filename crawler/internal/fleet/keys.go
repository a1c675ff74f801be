package fleet

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	cluster "github.com/robotsexclusion/robots/internal/nats"
)

// A state is the state of a session in the key of its worker.
type state string

// The states. They are stored: never change them. A session that is dead or has left can never be
// alive again.
const (
	alive state = "alive"
	dead  state = "dead" // a grave of another worker
	left  state = "left" // a grave of its own
)

// A value is the value of a worker's key, in JSON.
type value struct {
	Session uint64 `json:"session,string"`
	State   state  `json:"state"`
	Moves   uint64 `json:"moves,omitempty"` // partitions that the session has released
	Note    string `json:"note,omitempty"`  // what the worker tells the others
	Report  string `json:"report,omitempty"`
}

func (v value) encode() []byte {
	data, _ := json.Marshal(v)
	return data
}

// decode returns the zero value for a key without a value, or with one that is not of this package.
func decode(v cluster.Value, worker uint32) (value, error) {
	var got value
	if v.Deleted || v.Revision == 0 {
		return got, nil
	}
	if err := json.Unmarshal(v.Data, &got); err != nil {
		return value{}, err
	}
	if got.State != alive && got.State != dead && got.State != left || workerOf(got.Session) != worker {
		return value{}, fmt.Errorf("the state %.20q of session %x", got.State, got.Session)
	}
	return got, nil
}

// keyOf returns the key of a worker.
func keyOf(worker uint32) string { return fmt.Sprintf("%08x", worker) }

// workerAt returns the worker of a key.
func workerAt(key string) (worker uint32, ok bool) {
	n, err := strconv.ParseUint(key, 16, 32)
	return uint32(n), err == nil && key == keyOf(uint32(n)) && n > 0
}

// The upper half of a session is its worker, and the lower half grows from session to session.
func workerOf(session uint64) uint32 { return uint32(session >> 32) }

// nextSession returns the session of a worker after the last one that is known. The time makes it a
// later one if the key of the worker is lost.
func nextSession(worker uint32, last uint64, now time.Time) uint64 {
	count := uint32(max(0, now.Unix()))
	if workerOf(last) == worker {
		count = max(count, uint32(last)+1)
	}
	return uint64(worker)<<32 | uint64(count)
}

// weight orders the workers that could have a partition: the live worker with the largest weight
// should have it. So a worker that comes or goes moves its own partitions only.
func weight(worker uint32, partition int) uint64 {
	var b [8]byte
	binary.BigEndian.PutUint32(b[:], worker)
	binary.BigEndian.PutUint32(b[4:], uint32(partition))
	sum := sha256.Sum256(b[:])
	return binary.BigEndian.Uint64(sum[:])
}

// The metadata of the bucket.
const (
	formatKey = "robots-format"
	format    = "rf1"
	timesKey  = "robots-times"
)

// text returns the times as the bucket has them.
func (t Times) text() string {
	return fmt.Sprintf("guard %v, lease %v, request %v, close %v, error %v",
		t.Guard, t.Lease, t.Request, t.Close, t.Error)
}

// A place is the bucket of a fleet.
type place struct {
	bucket   string
	replicas int
	times    Times
	created  time.Time // known when the bucket has been opened
}

// config returns the config with which a bucket is created.
func (p *place) config() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: p.bucket, Replicas: p.replicas, Storage: jetstream.FileStorage, Discard: jetstream.DiscardNew,
		Metadata: map[string]string{formatKey: format, timesKey: p.times.text()},
	}
}

// check returns an error if the bucket is not the one that the fleet needs.
func (p *place) check(info *jetstream.StreamInfo) error {
	c := &info.Config
	if p.created.IsZero() {
		p.created = info.Created
	}
	bad := func(format string, a ...any) error {
		return fmt.Errorf("the bucket %s "+format, append([]any{p.bucket}, a...)...)
	}
	switch {
	case !p.created.Equal(info.Created):
		return bad("was deleted while this worker ran: stop all workers and start them again")
	case c.Metadata[formatKey] == "":
		return bad("is not of a fleet of workers: delete it, or give the crawl another name")
	case c.Metadata[formatKey] != format:
		return bad("is of another version of robots: it has the form %q, not %q", c.Metadata[formatKey], format)
	case c.Metadata[timesKey] != p.times.text():
		return bad("was made for workers with other times (%s) than those of this worker (%s): they need the same",
			c.Metadata[timesKey], p.times.text())
	case c.Replicas != p.replicas:
		return bad("has %d replicas, and the journal has %d: change it with 'nats stream edit KV_%s --replicas %d'",
			c.Replicas, p.replicas, p.bucket, p.replicas)
	case c.MaxAge > 0:
		return bad("was altered on the server, which may lose keys: set its maximum age to none")
	case c.Storage != jetstream.FileStorage:
		return bad("was altered on the server, which may lose keys: set its storage to file")
	case c.Retention != jetstream.LimitsPolicy:
		return bad("was altered on the server, which may lose keys: set its retention to limits")
	case c.Discard != jetstream.DiscardNew:
		return bad("was altered on the server, which may lose keys: set its discard policy to new")
	case c.NoAck:
		return bad("was altered on the server, which may lose keys: set acknowledgements on")
	}
	return nil
}

// explain says what an operator can do about the error of a write.
func (p *place) explain(err error) error {
	const storeFailed = 10077 // such as for a limit of bytes
	refused := (*jetstream.APIError)(nil)
	if errors.As(err, &refused) && (refused.Code != 503 || refused.ErrorCode == storeFailed) {
		return fmt.Errorf("the bucket %s takes no keys; if it is full, raise its limits or those of the account: %w",
			p.bucket, err)
	}
	return fmt.Errorf("the bucket %s: %w", p.bucket, err)
}
