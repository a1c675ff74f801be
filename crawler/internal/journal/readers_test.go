package journal_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestReaders reads a log often on a server that allows a stream two readers: those that have ended
// leave room, and a reader waits for the room of others that nobody reads from any more.
func TestReaders(t *testing.T) {
	t.Parallel()
	const most = 2
	url := natstest.Start(t, func(o *server.Options) { o.JetStreamLimits.DefaultMaxConsumers = most })
	j := place{url: url}.open(t, journal.Options{Name: "readers", Partitions: 1})
	p := claim(t, j, 0)
	write(t, p, "a", "b")
	for range 10 * most {
		if got, _ := replay(t, p, 0); !slices.Equal(got, []string{"a", "b"}) {
			t.Fatalf("got %q", got)
		}
	}
	conn, err := nats.Connect(url)
	fatal.If(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	fatal.If(t, err)
	for range most {
		_, err := js.CreateConsumer(t.Context(), "readers-log-0", jetstream.ConsumerConfig{
			AckPolicy: jetstream.AckNonePolicy, InactiveThreshold: 500 * time.Millisecond})
		if full := (*jetstream.APIError)(nil); err != nil && (!errors.As(err, &full) || full.ErrorCode != 10026) {
			t.Fatal(err)
		}
	}
	if got, _ := replay(t, p, 0); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("behind readers that were cut off: got %q", got)
	}
}
