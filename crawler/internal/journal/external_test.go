package journal_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A wire is a connection to a server that the test can cut.
type wire struct {
	net.Listener
	to string

	mu    sync.Mutex
	conns []net.Conn
	mute  bool // data from the server is dropped
	cut   bool // no data passes
}

func wireTo(t *testing.T, to string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	w := &wire{Listener: l, to: to}
	t.Cleanup(func() { l.Close(); w.set(true, false) })
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			go w.carry(from)
		}
	}()
	return w
}

func (w *wire) carry(from net.Conn) {
	to, err := net.Dial("tcp", w.to)
	if err != nil {
		from.Close()
		return
	}
	w.mu.Lock()
	if w.cut {
		from.Close()
		to.Close()
	}
	w.conns = append(w.conns, from, to)
	w.mu.Unlock()
	go func() {
		io.Copy(to, from)
		to.Close()
	}()
	b := make([]byte, 32<<10)
	for {
		n, err := to.Read(b)
		w.mu.Lock()
		mute := w.mute
		w.mu.Unlock()
		if !mute {
			from.Write(b[:n])
		}
		if err != nil {
			from.Close()
			return
		}
	}
}

// set cuts or restores the wire, or drops the data from the server.
func (w *wire) set(cut, mute bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut, w.mute = cut, mute
	if cut {
		for _, c := range w.conns {
			c.Close()
		}
		w.conns = nil
	}
}

// TestHalfCreated sends to an inbox whose stream is as a lost answer leaves it, while the stream is
// created a second time: between two updates of its configuration.
func TestHalfCreated(t *testing.T) {
	t.Parallel()
	server := share(t)
	o := journal.Options{Partitions: 2, Streams: 1}
	late := place{url: server.url()}.open(t, o) // it finds no inboxes
	j := place{url: server.url()}.open(t, o)
	_, err := j.Send(t.Context(), 0, []byte("first")).Wait(t.Context())
	fatal.If(t, err)
	conn, err := nats.Connect(server.url())
	fatal.If(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	fatal.If(t, err)
	stream, err := js.Stream(t.Context(), "crawl-in-0")
	fatal.If(t, err)
	config := stream.CachedInfo().Config
	config.Description = "created again"
	_, err = js.UpdateStream(t.Context(), config)
	fatal.If(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, err = late.Send(ctx, 1, []byte("second")).Wait(ctx)
	fatal.If(t, err)
	stream, err = js.Stream(t.Context(), "crawl-in-0")
	fatal.If(t, err)
	if info := stream.CachedInfo(); info.Config.Description != "" || info.State.Msgs != 2 {
		t.Errorf("the stream is %+v", info)
	}
}

// TestConnection loses the connection to the server: before a batch is sent, and after
// the server stored the batch and before its answer. No record is lost or stored twice.
func TestConnection(t *testing.T) {
	t.Parallel()
	server := share(t)
	w := wireTo(t, server.address)
	o := journal.Options{Partitions: 4, Streams: 1}
	direct := place{url: server.url()}.open(t, o)
	j := place{url: "nats://" + w.Addr().String()}.open(t, o)
	p, q := claim(t, j, 1), claim(t, j, 2)
	rounds := 6
	if testing.Short() {
		rounds = 2
	}
	var want []string
	for round := range rounds {
		stream, _ := direct.LogOf(1)
		before, err := stream.Info(t.Context())
		fatal.If(t, err)
		w.set(round%2 == 0, true)
		var tickets []journal.Ticket
		for i := range 20 {
			text := fmt.Sprintf("%d-%d", round, i)
			want = append(want, text)
			tickets = append(tickets, p.Append(t.Context(), []byte(text)), q.Append(t.Context(), []byte(text)),
				j.Send(t.Context(), 3, []byte(text)))
		}
		if round%2 == 1 {
			for stored := false; !stored; {
				after, err := stream.Info(t.Context())
				fatal.If(t, err)
				stored = after.State.LastSeq > before.State.LastSeq
			}
			w.set(true, false)
		} else {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
			if _, err := tickets[0].Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("without a connection: %v", err)
			}
			cancel()
		}
		w.set(false, false)
		for _, ticket := range tickets {
			if _, err := ticket.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, p := range []*journal.Partition{p, q} {
		if got, _ := replay(t, p, 0); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	missing := make(map[string]bool)
	for _, text := range want {
		missing[text] = true
	}
	enough := errors.New("enough")
	if err := j.Receive(t.Context(), map[*journal.Partition]uint64{claim(t, j, 3): 0},
		func(_ *journal.Partition, _ uint64, batch []byte) error {
			if delete(missing, string(batch)); len(missing) == 0 {
				return enough
			}
			return nil
		}); !errors.Is(err, enough) {
		t.Error(err)
	}
}

// TestFencedUnawares claims a partition while its owner has no connection. Records that
// the old owner appends after that never reach the log.
func TestFencedUnawares(t *testing.T) {
	t.Parallel()
	server := share(t)
	w := wireTo(t, server.address)
	o := journal.Options{Partitions: 4, Streams: 1}
	j := place{url: "nats://" + w.Addr().String()}.open(t, o)
	old, kept := claim(t, j, 1), claim(t, j, 2)
	write(t, old, "before")
	w.set(true, false)
	tickets := []journal.Ticket{old.Append(t.Context(), []byte("late")), kept.Append(t.Context(), []byte("kept"))}
	other := place{url: server.url()}.open(t, o)
	owner := claim(t, other, 1)
	write(t, owner, "after")
	w.set(false, false)
	if _, err := tickets[0].Wait(t.Context()); !errors.Is(err, journal.ErrFenced) {
		t.Errorf("got %v, want %v", err, journal.ErrFenced)
	}
	if _, err := tickets[1].Wait(t.Context()); err != nil {
		t.Errorf("a partition beside it: %v", err)
	}
	if got, _ := replay(t, owner, 0); !slices.Equal(got, []string{"before", "after"}) {
		t.Errorf("got %q", got)
	}
}

// TestServerKilled kills the server over and over during appends and receives.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	server := share(t)
	o := journal.Options{Partitions: 4, Streams: 2, Bytes: 1000}
	j := place{url: server.url()}.open(t, o)
	p, q := claim(t, j, 0), claim(t, j, 1)
	rounds := 4
	if testing.Short() {
		rounds = 1
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	received := make(map[string]bool)
	ended := make(chan error)
	go func() {
		ended <- j.Receive(ctx, map[*journal.Partition]uint64{q: 0}, func(_ *journal.Partition, _ uint64,
			batch []byte) error {
			received[string(batch)] = true
			if string(batch) == "the end" {
				cancel()
			}
			return nil
		})
	}()
	var want []string
	for round := range rounds {
		var tickets []journal.Ticket
		for i := range 300 {
			if i == 150 {
				server.Kill()
			}
			text := fmt.Sprintf("%d-%d", round, i)
			want = append(want, text)
			tickets = append(tickets, p.Append(ctx, []byte(text)), q.Append(ctx, []byte(text)),
				j.Send(ctx, 1, []byte(text)))
			if i == 100 {
				tickets[0].Wait(ctx)
			}
		}
		server.start(t)
		for _, ticket := range tickets {
			if _, err := ticket.Wait(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := j.Send(t.Context(), 1, []byte("the end")).Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for _, text := range want {
		if !received[text] {
			t.Errorf("not received: %s", text)
		}
	}
	for _, p := range []*journal.Partition{p, q} {
		if got, _ := replay(t, p, 0); !slices.Equal(got, want) {
			t.Errorf("got %d records, want %d", len(got), len(want))
		}
	}
	// An owner without a server can give up, and the error says why no answer came.
	server.Kill()
	ticket := p.Append(t.Context(), []byte("x"))
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_, err := ticket.Wait(ctx)
		cancel()
		if err != nil && strings.Contains(err.Error(), "in trouble") {
			break
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
	}
	j.Close()
	if _, err := ticket.Wait(t.Context()); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("got %v, want %v", err, journal.ErrClosed)
	}
	if _, err := journal.Open(t.Context(), journal.Options{URL: "nats://user:secret@" + server.address}); err == nil ||
		strings.Contains(err.Error(), "secret") {
		t.Errorf("opened without a server: %v", err)
	}
}

// TestForeign puts foreign messages into the streams of a journal, and removes messages
// from them.
func TestForeign(t *testing.T) {
	t.Parallel()
	server := share(t)
	write3 := func(t *testing.T, name string) (j *journal.Journal, p *journal.Partition, stream jetstream.Stream,
		subject string, seqs []uint64) {
		j = place{url: server.url()}.open(t, journal.Options{Name: name, Partitions: 4, Streams: 1})
		p = claim(t, j, 2)
		for _, text := range []string{"one", "two", "three"} {
			seqs = append(seqs, write(t, p, text)[0]>>16)
		}
		stream, subject = j.LogOf(2)
		return j, p, stream, subject, seqs
	}
	corrupt := func(t *testing.T, err error, stream, subject string, seq uint64, reason string) {
		t.Helper()
		var c *journal.CorruptError
		if !errors.As(err, &c) {
			t.Fatalf("got %v", err)
		}
		if c.Stream != stream || c.Subject != subject || c.Seq != seq || !strings.Contains(c.Reason, reason) {
			t.Errorf("got %+v, want stream %s, subject %s, message %d: %s", c, stream, subject, seq, reason)
		}
	}
	nothing := func(uint64, []byte) error { return nil }

	t.Run("foreign", func(t *testing.T) {
		j, p, _, subject, _ := write3(t, "foreign")
		ack, err := j.JetStream().Publish(t.Context(), subject, []byte("not ours"))
		fatal.If(t, err)
		_, err = p.Append(t.Context(), []byte("four")).Wait(t.Context())
		corrupt(t, err, "foreign-log-0", subject, ack.Sequence, "not a message of a journal")
		write(t, claim(t, j, 3), "beside it")
	})
	t.Run("claim", func(t *testing.T) {
		j, _, _, subject, _ := write3(t, "claim")
		ack, err := j.JetStream().Publish(t.Context(), subject, j.Pack(3, [][]byte{[]byte("of another partition")}))
		fatal.If(t, err)
		_, err = j.Claim(t.Context(), 2)
		corrupt(t, err, "claim-log-0", subject, ack.Sequence, "it is of partition 3")
		write(t, claim(t, j, 3), "beside it")
	})
	t.Run("between", func(t *testing.T) {
		j, p, stream, subject, seqs := write3(t, "between")
		fatal.If(t, stream.DeleteMsg(t.Context(), seqs[1]))
		corrupt(t, p.Replay(t.Context(), 0, nothing), "between-log-0", subject, seqs[2], "what was between is lost")
		if err := p.Replay(t.Context(), seqs[1]<<16, nothing); err != nil {
			t.Errorf("after what is lost: %v", err)
		}
		if err := p.Replay(t.Context(), seqs[0]<<16, nothing); err == nil {
			t.Error("no error where one is lost")
		}
		fatal.If(t, stream.Purge(t.Context()))
		corrupt(t, p.Replay(t.Context(), 0, nothing), "between-log-0", subject, seqs[2], "not there")
		write(t, claim(t, j, 3), "x")
	})
	t.Run("end", func(t *testing.T) {
		_, p, stream, subject, seqs := write3(t, "end")
		fatal.If(t, stream.DeleteMsg(t.Context(), seqs[2]))
		corrupt(t, p.Replay(t.Context(), 0, nothing), "end-log-0", subject, seqs[2], "not there")
	})
	t.Run("torn", func(t *testing.T) {
		j, p, _, _, _ := write3(t, "torn")
		_, subject := j.LogOf(1)
		data := j.Pack(1, [][]byte{[]byte("some"), []byte("records")})
		q := claim(t, j, 1)
		for _, cut := range [][]byte{data[:len(data)-1], append(slices.Clone(data), 0),
			slices.Concat(data[:30], []byte{1}, data[31:])} {
			if _, err := j.JetStream().Publish(t.Context(), subject, cut); err != nil {
				t.Fatal(err)
			}
		}
		if err := q.Replay(t.Context(), 0, nothing); err != nil {
			t.Errorf("what comes after its own end is none of its business: %v", err)
		}
		if _, err := j.Claim(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "its checksum is") {
			t.Errorf("got %v", err)
		}
		_ = p
	})
}
