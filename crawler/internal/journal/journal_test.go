package journal_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A place is the location of journals, which tests reopen.
type place struct {
	dir, url string
}

func (p place) open(t testing.TB, o journal.Options) *journal.Journal {
	t.Helper()
	o.Dir, o.URL = p.dir, p.url
	if o.Flush == 0 {
		o.Flush = 2 * time.Millisecond
	}
	j, err := journal.Open(t.Context(), o)
	fatal.If(t, err)
	t.Cleanup(func() { j.Close() })
	return j
}

// everywhere runs a test with a server in this process, and with a server in another.
func everywhere(t *testing.T, test func(t *testing.T, p place)) {
	t.Run("here", func(t *testing.T) {
		t.Parallel()
		test(t, place{dir: t.TempDir()})
	})
	t.Run("there", func(t *testing.T) {
		t.Parallel()
		test(t, place{url: share(t).url()})
	})
}

func claim(t testing.TB, j *journal.Journal, n int) *journal.Partition {
	t.Helper()
	p, err := j.Claim(t.Context(), n)
	fatal.If(t, err)
	return p
}

// write appends records and returns their positions.
func write(t testing.TB, p *journal.Partition, records ...string) (positions []uint64) {
	t.Helper()
	var tickets []journal.Ticket
	for _, r := range records {
		tickets = append(tickets, p.Append(t.Context(), []byte(r)))
	}
	for _, ticket := range tickets {
		at, err := ticket.Wait(t.Context())
		fatal.If(t, err)
		positions = append(positions, at)
	}
	return positions
}

// replay returns the records after a position, and their positions.
func replay(t testing.TB, p *journal.Partition, after uint64) (records []string, positions []uint64) {
	t.Helper()
	err := p.Replay(t.Context(), after, func(at uint64, record []byte) error {
		records, positions = append(records, string(record)), append(positions, at)
		return nil
	})
	fatal.If(t, err)
	return records, positions
}

func numbered(prefix string, n int) (records []string) {
	for i := range n {
		records = append(records, fmt.Sprintf("%s%d", prefix, i))
	}
	return records
}

func TestReplay(t *testing.T) {
	everywhere(t, func(t *testing.T, place place) {
		o := journal.Options{Partitions: 20, Bytes: 100}
		j := place.open(t, o)
		a, b := claim(t, j, 3), claim(t, j, 19)
		if a.Last() != 0 || a.Epoch() != 1 || a.Number() != 3 {
			t.Errorf("a new partition: last %d, epoch %d, number %d", a.Last(), a.Epoch(), a.Number())
		}
		want := append(numbered("a", 100), "", strings.Repeat("long ", 1000))
		at := write(t, a, want...)
		write(t, b, numbered("b", 10)...)
		if !slices.IsSorted(at) || at[0] == 0 || len(slices.Compact(slices.Clone(at))) != len(at) {
			t.Errorf("positions %v", at)
		}
		if a.Last() != at[len(at)-1] {
			t.Errorf("last %d, want %d", a.Last(), at[len(at)-1])
		}
		for range 2 { // open, and reopened
			if got, positions := replay(t, a, 0); !slices.Equal(got, want) || !slices.Equal(positions, at) {
				t.Errorf("got %d records %.200q at %v", len(got), got, positions)
			}
			for _, i := range []int{0, 1, 50, len(at) - 2, len(at) - 1} {
				if got, positions := replay(t, a, at[i]); !slices.Equal(got, want[i+1:]) ||
					!slices.Equal(positions, at[i+1:]) {
					t.Errorf("after record %d: got %d records, want %d", i, len(got), len(want)-i-1)
				}
			}
			got := map[int]int{}
			err := j.Replay(t.Context(), map[*journal.Partition]uint64{a: at[90], b: 0},
				func(p *journal.Partition, _ uint64, record []byte) error {
					if string(record[:min(1, len(record))]) == "b" != (p == b) {
						t.Errorf("partition %d has %q", p.Number(), record)
					}
					got[p.Number()]++
					return nil
				})
			if want := map[int]int{3: len(at) - 91, 19: 10}; err != nil || !maps.Equal(got, want) {
				t.Errorf("got %v and %v, want %v", got, err, want)
			}
			if err := a.Replay(t.Context(), a.Last()+1, nil); err == nil ||
				!strings.Contains(err.Error(), "has lost its end") {
				t.Errorf("after the end: %v", err)
			}
			stop := errors.New("stop")
			if err := a.Replay(t.Context(), 0, func(uint64, []byte) error { return stop }); !errors.Is(err, stop) {
				t.Errorf("fn failed, got %v", err)
			}
			if err := j.Close(); err != nil {
				t.Error(err)
			}
			j = place.open(t, o)
			a, b = claim(t, j, 3), claim(t, j, 19)
		}
		if a.Epoch() != 3 {
			t.Errorf("epoch %d, want 3", a.Epoch())
		}
		more := write(t, a, "more")
		if got, _ := replay(t, a, at[len(at)-1]); !slices.Equal(got, []string{"more"}) || more[0] <= at[len(at)-1] {
			t.Errorf("got %q at %v after %d", got, more, at[len(at)-1])
		}
	})
}

// TestClaim lets a second owner claim a partition.
func TestClaim(t *testing.T) {
	everywhere(t, func(t *testing.T, place place) {
		o := journal.Options{Partitions: 4}
		j := place.open(t, o)
		other := j
		if place.url != "" {
			other = place.open(t, o)
		}
		old := claim(t, j, 2)
		want := numbered("old", 10)
		write(t, old, want...)
		owner := claim(t, other, 2)
		if owner.Epoch() != 2 || owner.Last() != old.Last() {
			t.Errorf("epoch %d and last %d, want 2 and %d", owner.Epoch(), owner.Last(), old.Last())
		}
		for range 2 {
			if _, err := old.Append(t.Context(), []byte("late")).Wait(t.Context()); !errors.Is(err, journal.ErrFenced) {
				t.Errorf("the old owner appends: %v, want %v", err, journal.ErrFenced)
			}
		}
		write(t, owner, "new")
		if got, _ := replay(t, owner, 0); !slices.Equal(got, append(want, "new")) {
			t.Errorf("got %q", got)
		}
		if err := j.Trim(t.Context(), map[*journal.Partition]uint64{old: old.Last()}); !errors.Is(err,
			journal.ErrFenced) {
			t.Errorf("the old owner trims: %v", err)
		}
		// Other partitions of the same stream still work.
		write(t, claim(t, j, 3), "x")
		// Many goroutines claim it at once: each succeeds, and all but one lose it again.
		var claims sync.WaitGroup
		partitions := make([]*journal.Partition, 8)
		for i := range partitions {
			claims.Go(func() {
				from := []*journal.Journal{j, other}[i%2]
				p, err := from.Claim(t.Context(), 2)
				if err != nil && !errors.Is(err, journal.ErrFenced) {
					t.Error(err)
				}
				partitions[i] = p
			})
		}
		claims.Wait()
		kept := 0
		for _, p := range partitions {
			if p != nil {
				if _, err := p.Append(t.Context(), []byte("kept")).Wait(t.Context()); err == nil {
					kept++
				} else if !errors.Is(err, journal.ErrFenced) {
					t.Error(err)
				}
			}
		}
		if kept != 1 {
			t.Errorf("%d owners at the same time", kept)
		}
		if _, err := j.Claim(t.Context(), 4); err == nil {
			t.Error("claimed partition 4 of 4")
		}
	})
}

func TestTrim(t *testing.T) {
	everywhere(t, func(t *testing.T, place place) {
		o := journal.Options{Partitions: 4, Streams: 2, Bytes: 50}
		j := place.open(t, o)
		var ps []*journal.Partition
		at := make([][]uint64, 4)
		for n := range 4 {
			ps = append(ps, claim(t, j, n))
			if n != 3 {
				at[n] = write(t, ps[n], numbered(fmt.Sprint(n, "-"), 100)...)
			}
		}
		left := func() uint64 {
			stream, _ := j.LogOf(0)
			info, err := stream.Info(t.Context())
			fatal.If(t, err)
			return info.State.Msgs
		}
		before := left()
		// One partition of a stream.
		fatal.If(t, j.Trim(t.Context(), map[*journal.Partition]uint64{ps[0]: at[0][80]}))
		if now := left(); now >= before {
			t.Errorf("%d messages, %d before", now, before)
		}
		for _, after := range []int{80, 85} {
			if got, _ := replay(t, ps[0], at[0][after]); len(got) != 99-after {
				t.Errorf("%d records after record %d", len(got), after)
			}
		}
		for _, after := range []uint64{0, at[0][3]} {
			err := ps[0].Replay(t.Context(), after, func(uint64, []byte) error { return nil })
			if !errors.Is(err, journal.ErrTrimmed) {
				t.Errorf("after %d: %v, want %v", after, err, journal.ErrTrimmed)
			}
		}
		// All partitions; an idle one keeps the end of its log.
		write(t, ps[2], numbered("2+", 50)...)
		applied := map[*journal.Partition]uint64{ps[0]: ps[0].Last(), ps[1]: ps[1].Last(), ps[2]: ps[2].Last(),
			ps[3]: 0}
		fatal.If(t, j.Trim(t.Context(), applied))
		if now := left(); now > 3 {
			t.Errorf("%d messages after all was trimmed", now)
		}
		if err := j.Trim(t.Context(), map[*journal.Partition]uint64{ps[1]: ps[1].Last() + 1}); err == nil {
			t.Error("trimmed after the end")
		}
		last := map[int]uint64{}
		for _, p := range ps {
			last[p.Number()] = p.Last()
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		j = place.open(t, o)
		for n := range 4 {
			p := claim(t, j, n)
			if p.Last() != last[n] || p.Epoch() != 2 {
				t.Errorf("partition %d: last %d, epoch %d, want %d and 2", n, p.Last(), p.Epoch(), last[n])
			}
			write(t, p, "y", "z")
			if got, _ := replay(t, p, last[n]); !slices.Equal(got, []string{"y", "z"}) {
				t.Errorf("partition %d: got %q", n, got)
			}
			if n < 3 {
				if err := p.Replay(t.Context(), at[n][0], func(uint64, []byte) error { return nil }); !errors.Is(err,
					journal.ErrTrimmed) {
					t.Errorf("partition %d: %v, want %v", n, err, journal.ErrTrimmed)
				}
			}
		}
	})
}

func TestInbox(t *testing.T) {
	everywhere(t, func(t *testing.T, place place) {
		o := journal.Options{Partitions: 6, Streams: 2}
		j := place.open(t, o)
		sender := j
		if place.url != "" {
			sender = place.open(t, o)
		}
		after := map[*journal.Partition]uint64{}
		for n := range 6 {
			after[claim(t, j, n)] = 0
		}
		send := func(prefix string, n int) {
			t.Helper()
			var tickets []journal.Ticket
			for i := range n {
				tickets = append(tickets, sender.Send(t.Context(), i%5, fmt.Appendf(nil, "%s%d", prefix, i)))
			}
			for _, ticket := range tickets {
				if _, err := ticket.Wait(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		receive := func(n int, more func()) (got []string) {
			t.Helper()
			enough := errors.New("enough")
			err := j.Receive(t.Context(), after, func(p *journal.Partition, at uint64, batch []byte) error {
				if at <= after[p] {
					t.Errorf("position %d after %d", at, after[p])
				}
				after[p] = at
				got = append(got, fmt.Sprintf("%d %s", p.Number(), batch))
				if len(got) == 1 && more != nil {
					more()
				}
				if len(got) == n {
					return enough
				}
				return nil
			})
			if !errors.Is(err, enough) {
				t.Errorf("receive: %v", err)
			}
			slices.Sort(got)
			return got
		}
		want := func(prefix string, n int) (want []string) {
			for i := range n {
				want = append(want, fmt.Sprintf("%d %s%d", i%5, prefix, i))
			}
			return want
		}
		send("a", 100)
		got := receive(150, func() { send("b", 50) }) // some arrive during Receive
		if want := append(want("a", 100), want("b", 50)...); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("got %q", got)
		}
		fatal.If(t, j.TrimInbox(t.Context(), after))
		send("c", 10)
		one := map[*journal.Partition]uint64{}
		for p := range after {
			if p.Number() == 1 {
				one[p] = after[p]
			}
		}
		fatal.If(t, j.TrimInbox(t.Context(), one))
		if got, want := receive(10, nil), slices.Sorted(slices.Values(want("c", 10))); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if _, err := j.Send(t.Context(), 6, nil).Wait(t.Context()); err == nil {
			t.Error("sent to partition 6 of 6")
		}
		// A fenced owner receives no more, and neither does one whose context has ended.
		owner := claim(t, j, 0)
		send("d", 5)
		if err := j.Receive(t.Context(), after, func(p *journal.Partition, _ uint64, _ []byte) error {
			if p.Number() == 0 {
				t.Error("who is fenced receives")
			}
			return nil
		}); !errors.Is(err, journal.ErrFenced) {
			t.Errorf("receive: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		if err := j.Receive(ctx, map[*journal.Partition]uint64{owner: 0}, func(*journal.Partition, uint64,
			[]byte) error {
			cancel()
			return nil
		}); !errors.Is(err, context.Canceled) {
			t.Errorf("receive: %v", err)
		}
		if err := j.Receive(ctx, nil, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("receive nothing: %v", err)
		}
	})
}

// TestInboxStreams checks that a journal has no stream for inboxes before one is used, and that a
// journal which has such streams is read.
func TestInboxStreams(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, place place) {
		o := journal.Options{Partitions: 4, Streams: 2}
		names := func(j *journal.Journal) (names []string) {
			t.Helper()
			all := j.JetStream().StreamNames(t.Context())
			for name := range all.Name() {
				names = append(names, name)
			}
			fatal.If(t, all.Err())
			slices.Sort(names)
			return names
		}
		j := place.open(t, o)
		p := claim(t, j, 1)
		write(t, p, "a")
		fatal.If(t, j.TrimInbox(t.Context(), map[*journal.Partition]uint64{p: 0}))
		if got := names(j); !slices.Equal(got, []string{"crawl-log-0", "crawl-log-1"}) {
			t.Errorf("a new journal has the streams %q", got)
		}
		if _, err := j.Send(t.Context(), 1, []byte("b")).Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := names(j); !slices.Equal(got, []string{"crawl-in-1", "crawl-log-0", "crawl-log-1"}) {
			t.Errorf("with one inbox, a journal has the streams %q", got)
		}
		fatal.If(t, j.Close())
		j = place.open(t, o)
		enough := errors.New("enough")
		if err := j.Receive(t.Context(), map[*journal.Partition]uint64{claim(t, j, 1): 0},
			func(_ *journal.Partition, _ uint64, batch []byte) error {
				if string(batch) != "b" {
					t.Errorf("got %q", batch)
				}
				return enough
			}); !errors.Is(err, enough) {
			t.Error(err)
		}
	})
}

// TestMany appends to many partitions from many goroutines, beyond the backlog.
func TestMany(t *testing.T) {
	everywhere(t, func(t *testing.T, place place) {
		o := journal.Options{Partitions: 64, Streams: 4, Bytes: 2000, Backlog: 50_000}
		j := place.open(t, o)
		ps := claimAll(t, j, 64)
		each := corpus.Cases(150, 300)
		var writers sync.WaitGroup
		for _, p := range ps {
			writers.Go(func() {
				random := rand.New(rand.NewPCG(7, uint64(p.Number())))
				var tickets []journal.Ticket
				for i := range each {
					tickets = append(tickets, p.Append(t.Context(), fmt.Appendf(nil, "%d %d %s", p.Number(), i,
						strings.Repeat("x", random.IntN(300)))))
				}
				for _, ticket := range tickets {
					if _, err := ticket.Wait(t.Context()); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		writers.Wait()
		after := map[*journal.Partition]uint64{}
		next := map[int]int{}
		for _, p := range ps {
			after[p] = 0
		}
		err := j.Replay(t.Context(), after, func(p *journal.Partition, _ uint64, record []byte) error {
			var n, i int
			fmt.Sscan(string(record), &n, &i)
			if n != p.Number() || i != next[n] {
				t.Errorf("partition %d has record %d of %d, want its own %d", p.Number(), i, n, next[n])
			}
			next[n]++
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		for n := range 64 {
			if next[n] != each {
				t.Errorf("partition %d has %d records", n, next[n])
			}
		}
	})
}

func TestLimits(t *testing.T) {
	everywhere(t, func(t *testing.T, place place) {
		j := place.open(t, journal.Options{Partitions: 2, Bytes: journal.MaxRecord})
		p := claim(t, j, 1)
		if _, err := p.Append(t.Context(), make([]byte, journal.MaxRecord+1)).Wait(t.Context()); !errors.Is(err,
			journal.ErrTooLong) {
			t.Errorf("a record that is too long: %v", err)
		}
		noise := make([]byte, journal.MaxRecord)
		rand.NewChaCha8([32]byte{}).Read(noise)
		want := []string{string(noise[1:]), string(noise), string(noise[:journal.MaxRecord-1]), ""}
		write(t, p, want...)
		many := make([]string, 70_000) // more than a message can have
		at := write(t, p, many...)
		got, positions := replay(t, p, 0)
		if !slices.Equal(got, append(want, many...)) || !slices.Equal(positions[4:], at) {
			t.Errorf("got %d records, not as they were", len(got))
		}
	})
}

func TestClose(t *testing.T) {
	everywhere(t, func(t *testing.T, place place) {
		o := journal.Options{Partitions: 2, Flush: time.Hour}
		j := place.open(t, o)
		p := claim(t, j, 0)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		ticket := p.Append(t.Context(), []byte("waits"))
		if _, err := ticket.Wait(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		at, err := ticket.Wait(ctx) // it is durable, so the context does not matter
		if err != nil || at != p.Last() {
			t.Errorf("got %d, %v, want %d", at, err, p.Last())
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		for what, err := range map[string]error{
			"append":  second(p.Append(t.Context(), nil).Wait(t.Context())),
			"send":    second(j.Send(t.Context(), 0, nil).Wait(t.Context())),
			"claim":   second(j.Claim(t.Context(), 1)),
			"replay":  p.Replay(t.Context(), 0, func(uint64, []byte) error { return nil }),
			"receive": j.Receive(t.Context(), map[*journal.Partition]uint64{p: 0}, nil),
			"trim":    j.Trim(t.Context(), map[*journal.Partition]uint64{p: p.Last()}),
		} {
			if !errors.Is(err, journal.ErrClosed) {
				t.Errorf("%s: %v, want %v", what, err, journal.ErrClosed)
			}
		}
		o.Flush = 0
		if got, _ := replay(t, claim(t, place.open(t, o), 0), 0); !slices.Equal(got, []string{"waits"}) {
			t.Errorf("got %q", got)
		}
	})
}

// second returns the second of two.
func second[T any](_ T, err error) error { return err }

// TestSecrets checks that no error of a journal on a server that cannot be used has a part of a
// password.
func TestSecrets(t *testing.T) {
	for _, o := range []journal.Options{
		{URL: "nats://user:hush-hush@127.0.0.1:1"},
		{URL: "nats://user:hush-hush/1@127.0.0.1:1"},
		{URL: "nats://user:12/hush-hush@127.0.0.1:1"},
		{URL: "nats://user:hush-hush%zz@127.0.0.1:1"},
		{URL: "nats://user:hush-hush@[::1"},
		{URL: "nats://127.0.0.1:1,nats://user:hush-hush#1@127.0.0.1:1"},
	} {
		if _, err := journal.Open(t.Context(), o); err == nil || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: got %v", o.URL, err)
		}
	}
}

func TestOptions(t *testing.T) {
	everywhere(t, func(t *testing.T, place place) {
		o := journal.Options{Partitions: 8, Streams: 2}
		write(t, claim(t, place.open(t, o), 0), "x")
		o.Dir, o.URL = place.dir, place.url
		for want, change := range map[string]func(o *journal.Options){
			"made with robots-partitions 8, not 9": func(o *journal.Options) { o.Partitions = 9 },
			"made with robots-streams 2, not 4":    func(o *journal.Options) { o.Streams = 4 },
			"set Dir or URL":                       func(o *journal.Options) { o.Dir, o.URL = "x", "y" },
			"letters, digits":                      func(o *journal.Options) { o.Name = "a.b" },
			"5000 partitions":                      func(o *journal.Options) { o.Partitions = 5000 },
			"9 streams":                            func(o *journal.Options) { o.Streams = 9 },
			"negative":                             func(o *journal.Options) { o.Flush = -1 },
			"messages of 262145":                   func(o *journal.Options) { o.Bytes = journal.MaxRecord + 1 },
		} {
			o := o
			change(&o)
			if place.dir != "" && strings.Contains(want, "made") {
				continue // it is open; another test covers this
			}
			if _, err := journal.Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
		}
		// Another crawl in the same place.
		if place.url != "" {
			o.Name, o.Partitions = "second", 3
			if got, _ := replay(t, claim(t, place.open(t, o), 0), 0); len(got) > 0 {
				t.Errorf("another crawl has %q", got)
			}
		}
		// A stream was deleted.
		if place.url != "" {
			j := place.open(t, journal.Options{Partitions: 8, Streams: 2})
			fatal.If(t, j.JetStream().DeleteStream(t.Context(), "crawl-log-1"))
			_, err := journal.Open(t.Context(), journal.Options{URL: place.url, Partitions: 8, Streams: 2})
			if err == nil || !strings.Contains(err.Error(), "stream crawl-log-1 is missing") {
				t.Errorf("got %v", err)
			}
		}
	})
}
