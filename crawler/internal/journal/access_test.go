package journal_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/disk"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// The permissions that doc/nats.md lists for a crawl named mine.
var (
	mayPublish   = []string{"$JS.API.>", "mine.>"}
	maySubscribe = []string{"_INBOX.>"}
)

// TestAccess opens journals on servers that refuse something. Each error says what to do.
func TestAccess(t *testing.T) {
	t.Parallel()
	operator := natstest.NewOperator(t)
	operator.Account(t, "robots", natstest.Unlimited)
	none := natstest.Unlimited
	none.DiskStorage, none.MemoryStorage = 0, 0
	operator.Account(t, "none", none)
	few := natstest.Unlimited
	few.Streams = 1
	operator.Account(t, "few", few)
	secure := natstest.NewCertificates(t, time.Now().Add(time.Hour))
	url := natstest.Start(t, operator.Configure, secure.Configure(false))
	with := func(account, name string, publish, subscribe []string) string {
		creds := operator.Credentials(t, account, name, publish, subscribe, time.Time{})
		return url + "?ca=" + secure.CA + "&creds=" + creds
	}
	mine := func(url string) journal.Options {
		return journal.Options{URL: url, Name: "mine", Partitions: 2, Streams: 1}
	}
	noBatch := proxy(t, natstest.Start(t), `"version":"`+server.VERSION+`"`, `"version":"2.11.9"`)
	for _, test := range []struct{ what, url, want string }{
		{"no credentials", url + "?ca=" + secure.CA, "NATS_CREDS"},
		{"no CA", url, "--nats-ca or NATS_CA"},
		{"no JetStream for the account", with("none", "none", nil, nil), "enable JetStream"},
		{"no JetStream", natstest.Start(t, func(o *server.Options) { o.JetStream = false }), "enable JetStream"},
		{"no right to ask", with("robots", "mute", []string{"x"}, nil), "change the permissions of this user"},
		{"no right to answers", with("robots", "deaf", nil, []string{"x"}), "change the permissions of this user"},
		{"no right to create streams", with("robots", "reader", []string{"$JS.API.STREAM.INFO.>", "mine.>"}, nil),
			`Publish to "$JS.API.STREAM.CREATE.mine-log-0": change the permissions`},
		{"too few streams", with("few", "few", nil, nil), ""},
		{"a server without batches", noBatch, "is of version 2.11.9: the journal needs 2.12 or later"},
	} {
		if test.want != "" {
			refuse(t, mine(test.url), test.want)
		}
	}
	// The first stream is made, and that of the charter is not.
	j := place{url: with("few", "few", nil, nil)}.open(t, mine(""))
	if _, _, err := j.OpenCharter(t.Context()); !errors.Is(err, journal.ErrFull) || !strings.Contains(err.Error(),
		"raise the limit, or remove the streams of old crawls") {
		t.Errorf("too few streams: %v", err)
	}
	// The right to write the log is taken away, as it is not there.
	j = place{url: with("robots", "api", mayPublish[:1], maySubscribe)}.open(t, mine(""))
	if _, err := j.Claim(t.Context(), 1); !errors.Is(err, journal.ErrDenied) || !strings.Contains(err.Error(),
		`Publish to "mine.log.0.1": change the permissions`) {
		t.Errorf("no right to publish: %v", err)
	}
	// These rights are enough for everything.
	j = place{url: with("robots", "all", mayPublish, maySubscribe)}.open(t, mine(""))
	charter(t, j, "")
	p := claim(t, j, 1)
	write(t, p, "record")
	if got, _ := replay(t, p, 0); len(got) != 1 {
		t.Errorf("got %q", got)
	}
	if _, err := j.Send(t.Context(), 1, []byte("x")).Wait(t.Context()); err != nil {
		t.Error(err)
	}
	enough := errors.New("enough")
	if err := j.Receive(t.Context(), map[*journal.Partition]uint64{p: 0}, func(*journal.Partition, uint64,
		[]byte) error {
		return enough
	}); !errors.Is(err, enough) {
		t.Error(err)
	}
	if names, err := journal.Names(t.Context(), with("robots", "names", mayPublish, maySubscribe)); err != nil ||
		len(names) != 1 {
		t.Errorf("got %q, %v", names, err)
	}
	if _, err := journal.Names(t.Context(), with("robots", "nameless", []string{"x"}, nil)); err == nil ||
		!strings.Contains(err.Error(), "change the permissions") {
		t.Errorf("no right to list streams: %v", err)
	}
}

// proxy returns the URL of a server that replaces a part of what another server says first.
func proxy(t *testing.T, url, part, by string) string {
	t.Helper()
	return "nats://" + ports.Serve(t, func(from net.Conn) {
		to, err := net.Dial("tcp", strings.TrimPrefix(url, "nats://"))
		if err != nil {
			return
		}
		defer to.Close()
		b := make([]byte, 32<<10)
		n, _ := to.Read(b)
		from.Write(bytes.Replace(b[:n], []byte(part), []byte(by), 1))
		go io.Copy(to, from)
		io.Copy(from, to)
	})
}

// TestFull fills a server, its disk, an account and a stream. The journal says so. When there is
// room again, all that was acknowledged is there, and more can be added.
func TestFull(t *testing.T) {
	t.Parallel()
	const little, enough = 400 << 10, 1 << 30
	small := t.TempDir()
	for _, test := range []struct {
		what, want string
		nodes      int
		answer     time.Duration // or the usual one
		configure  func(t *testing.T, o *server.Options)
		limit      func(t *testing.T, o *natstest.Operator, nodes natstest.Nodes, s jetstream.Stream,
			js jetstream.JetStream, bytes int64)
	}{
		{"stream", "raise its limit with 'nats stream edit", 1, 0, nil, limitStream},
		{"stream of a cluster", "raise its limit with 'nats stream edit", 3, 0, nil, limitStream},
		{"account", "the account is full", 1, 0, nil, limitAccount},
		{"disk", "if its disk is full, make room", 1, 200 * time.Millisecond, func(t *testing.T, o *server.Options) {
			if testing.Short() {
				t.Skip("ten answers that do not come")
			}
			if err := disk.Mount(small, 8<<20); err != nil {
				t.Skip(err)
			}
			t.Cleanup(func() { disk.Unmount(small) })
			o.StoreDir, o.JetStreamMaxStore = small, enough
		}, func(t *testing.T, _ *natstest.Operator, nodes natstest.Nodes, _ jetstream.Stream, _ jetstream.JetStream,
			bytes int64) {
			if bytes == enough {
				nodes[0].Stop()
				fatal.If(t, disk.Resize(small, 64<<20))
				nodes[0].Start(t)
			}
		}},
		{"server", "the servers have no room", 1, 0, nil, func(t *testing.T, _ *natstest.Operator, nodes natstest.Nodes,
			_ jetstream.Stream, _ jetstream.JetStream, bytes int64) {
			nodes[0].Stop()
			nodes[0].Configure(func(o *server.Options) { o.JetStreamMaxStore = bytes })
			nodes[0].Start(t)
		}},
	} {
		t.Run(test.what, func(t *testing.T) {
			t.Parallel()
			operator := natstest.NewOperator(t)
			operator.Account(t, "robots", natstest.Unlimited)
			nodes := natstest.Cluster(t, test.nodes, operator.Configure, func(o *server.Options) {
				if test.configure != nil {
					test.configure(t, o)
				}
			})
			var urls []string
			for _, n := range nodes {
				urls = append(urls, n.Direct())
			}
			at := place{url: strings.Join(urls, ",") + "?creds=" +
				operator.Credentials(t, "robots", "robot", nil, nil, time.Time{})}
			o := journal.Options{Partitions: 1, Name: "mine", Replicas: test.nodes, Flush: time.Millisecond,
				Bytes: 20_000, Answer: test.answer}
			if test.nodes > 1 {
				formed(t, at.url)
			}
			j := at.open(t, o)
			stream, _ := j.LogOf(0)
			test.limit(t, operator, nodes, stream, j.JetStream(), little)
			p := claim(t, j, 0)
			want := make(map[uint64]string)
			var err error
			for n := 0; err == nil && n < 1000; n++ {
				var texts []string
				var tickets []journal.Ticket
				for range 5 { // a batch
					texts = append(texts, noisy())
					tickets = append(tickets, p.Append(t.Context(), []byte(texts[len(texts)-1])))
				}
				for i, ticket := range tickets {
					at, failed := ticket.Wait(t.Context())
					if failed != nil {
						err = failed
						break
					}
					want[at] = texts[i]
				}
			}
			if !errors.Is(err, journal.ErrFull) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("after %d records: %v, want %s", len(want), err, test.want)
			}
			j.Close()
			j = at.open(t, journal.Options{Partitions: 1, Name: "mine"})
			test.limit(t, operator, nodes, stream, j.JetStream(), enough)
			p = claim(t, j, 0)
			there := 0
			fatal.If(t, p.Replay(t.Context(), 0, func(at uint64, record []byte) error {
				if want[at] == string(record) {
					there++
				}
				return nil
			}))
			if there != len(want) || there == 0 {
				t.Errorf("there are %d of %d records", there, len(want))
			}
			write(t, p, "more")
		})
	}
}

// noisy returns a record that compresses badly.
func noisy() string {
	b := make([]byte, 20_000)
	rand.Read(b)
	return string(b)
}

func limitStream(t *testing.T, _ *natstest.Operator, _ natstest.Nodes, s jetstream.Stream, js jetstream.JetStream,
	bytes int64) {
	config := s.CachedInfo().Config
	config.MaxBytes = bytes
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := js.UpdateStream(ctx, config)
	fatal.If(t, err)
}

func limitAccount(t *testing.T, o *natstest.Operator, nodes natstest.Nodes, _ jetstream.Stream, _ jetstream.JetStream,
	bytes int64) {
	limits := natstest.Unlimited
	limits.DiskStorage = bytes
	for _, n := range nodes {
		n.Stop()
	}
	o.Account(t, "robots", limits)
	for _, n := range nodes {
		n.Start(t)
	}
}
