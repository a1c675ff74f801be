package journal_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestReplicas keeps two journals on a cluster of three servers. One server stops; both go on, and
// neither has a record of the other.
func TestReplicas(t *testing.T) {
	t.Parallel()
	nodes := natstest.Cluster(t, 3)
	var urls []string
	for _, n := range nodes {
		urls = append(urls, n.Direct())
	}
	at := place{url: strings.Join(urls, ",")}
	formed(t, at.url)
	names := []string{"one", "two"}
	var parts []*journal.Partition
	for _, name := range names {
		j := at.open(t, journal.Options{Name: name, Partitions: 2, Streams: 1, Replicas: 3})
		_, last, err := j.OpenCharter(t.Context())
		if err != nil || last != nil {
			t.Fatalf("%q, %v", last, err)
		}
		for _, stream := range []string{name + "-log-0", name + "-charter"} {
			s, err := j.JetStream().Stream(t.Context(), stream)
			fatal.If(t, err)
			if got := s.CachedInfo().Config.Replicas; got != 3 {
				t.Errorf("%s has %d replicas", stream, got)
			}
		}
		parts = append(parts, claim(t, j, 1))
	}
	write(t, parts[0], "of one")
	write(t, parts[1], "of two")
	nodes[0].Stop()
	for i, name := range names {
		write(t, parts[i], name+" goes on")
	}
	nodes[0].Start(t)
	for _, name := range names {
		j := at.open(t, journal.Options{Name: name, Partitions: 2, Streams: 1})
		p := claim(t, j, 1)
		var got []string
		fatal.If(t, p.Replay(t.Context(), 0, func(_ uint64, record []byte) error {
			got = append(got, string(record))
			return nil
		}))
		if want := "of " + name + ", " + name + " goes on"; strings.Join(got, ", ") != want {
			t.Errorf("%s has %q, want %s", name, got, want)
		}
		if _, err := j.Send(t.Context(), 1, []byte("x")).Wait(t.Context()); err != nil {
			t.Error(err)
		}
		s, err := j.JetStream().Stream(t.Context(), name+"-in-0")
		if err != nil || s.CachedInfo().Config.Replicas != 3 {
			t.Errorf("the inbox: %v", err)
		}
	}
	refuse(t, journal.Options{URL: at.url, Name: "one", Partitions: 2, Streams: 1, Replicas: 2},
		"has 3 replicas, not 2")
	refuse(t, journal.Options{URL: at.url, Name: "three", Partitions: 2, Streams: 1, Replicas: 5},
		"no room, or fewer than 5 servers")
}

// formed waits until the servers of a cluster know that each of them has room for streams.
func formed(t *testing.T, url string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		j, err := journal.Open(t.Context(), journal.Options{URL: url, Name: "first", Partitions: 1, Replicas: 3})
		if err == nil {
			j.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// refuse expects an error of Open.
func refuse(t *testing.T, o journal.Options, want string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	j, err := journal.Open(ctx, o)
	if err == nil {
		j.Close()
	}
	if err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestAltered changes a stream of a journal on the server.
func TestAltered(t *testing.T) {
	t.Parallel()
	url := natstest.Start(t)
	o := journal.Options{URL: url, Partitions: 1, Name: "mine"}
	refuse(t, journal.Options{URL: url, Partitions: 1, Name: "other", Replicas: 3}, "3 replicas need a cluster")
	j := place{url: url}.open(t, o)
	s, err := j.JetStream().Stream(t.Context(), "mine-log-0")
	fatal.If(t, err)
	for want, change := range map[string]func(*jetstream.StreamConfig){
		"set its maximum age to none":                     func(c *jetstream.StreamConfig) { c.MaxAge = time.Hour },
		"set its maximum of messages per subject to none": func(c *jetstream.StreamConfig) { c.MaxMsgsPerSubject = 9 },
		"set its discard policy to new": func(c *jetstream.StreamConfig) {
			c.Discard = jetstream.DiscardOld
		},
		"set acknowledgements on": func(c *jetstream.StreamConfig) {
			c.NoAck, c.AllowAtomicPublish = true, false
		},
	} {
		config := s.CachedInfo().Config
		change(&config)
		if _, err := j.JetStream().UpdateStream(t.Context(), config); err != nil {
			t.Fatal(want, err)
		}
		refuse(t, o, want)
	}
}
