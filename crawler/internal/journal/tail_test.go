package journal_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// behind claims a partition for a session behind its end.
func behind(t testing.TB, j *journal.Journal, n int, session uint64) *journal.Partition {
	t.Helper()
	end := tail(t, j, n)
	end.Claimant = session
	p, err := j.ClaimBehind(t.Context(), n, end)
	fatal.If(t, err)
	return p
}

// is checks what the end of a log says.
func is(t testing.TB, j *journal.Journal, n int, session uint64, released bool) {
	t.Helper()
	if end := tail(t, j, n); end.Session != session || end.Released != released {
		t.Errorf("partition %d: got session %d, released %t, want %d, %t", n, end.Session, end.Released, session,
			released)
	}
}

// TestTail follows a partition from a crawl that is alone through sessions, and back.
func TestTail(t *testing.T) {
	everywhere(t, func(t *testing.T, place place) {
		o := journal.Options{Partitions: 4}
		j := place.open(t, o)
		if end := tail(t, j, 1); end != (journal.Tail{}) {
			t.Errorf("an empty log: %+v", end)
		}
		if _, err := j.ClaimBehind(t.Context(), 1, tail(t, j, 1)); err == nil ||
			!strings.Contains(err.Error(), "claimant") {
			t.Errorf("without a claimant: %v", err)
		}
		alone := claim(t, j, 1)
		is(t, j, 1, 0, false)
		want := numbered("alone", 3)
		write(t, alone, want...)
		is(t, j, 1, 0, false)
		one := behind(t, j, 1, 71)
		if one.Epoch() != 2 || one.Last() != alone.Last() {
			t.Errorf("epoch %d, last %d, want 2 and %d", one.Epoch(), one.Last(), alone.Last())
		}
		is(t, j, 1, 71, false)
		if _, err := alone.Append(t.Context(), nil).Wait(t.Context()); !errors.Is(err, journal.ErrFenced) {
			t.Errorf("the owner before appends: %v", err)
		}
		write(t, one, "one")
		is(t, j, 1, 71, false)
		// Records that are pending come before the entry that releases the partition.
		last := one.Append(t.Context(), []byte("last"))
		fatal.If(t, one.Release(t.Context()))
		fatal.If(t, one.Release(t.Context()))
		if _, err := last.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		is(t, j, 1, 71, true)
		for act, err := range map[string]error{
			"append": func() error { _, err := one.Append(t.Context(), nil).Wait(t.Context()); return err }(),
			"trim":   j.Trim(t.Context(), map[*journal.Partition]uint64{one: one.Last()}),
		} {
			if !errors.Is(err, journal.ErrReleased) {
				t.Errorf("%s after a release: %v", act, err)
			}
		}
		two := behind(t, j, 1, 72)
		if got, _ := replay(t, two, 0); !slices.Equal(got, append(want, "one", "last")) {
			t.Errorf("got %q", got)
		}
		write(t, two, "two")
		// A trimmed log keeps the session.
		all := make(map[*journal.Partition]uint64)
		for n := range o.Partitions {
			if n != 1 {
				all[behind(t, j, n, 73)] = 0
			}
		}
		all[two] = two.Last()
		fatal.If(t, j.Trim(t.Context(), all))
		is(t, j, 1, 72, false)
		fatal.If(t, j.Close())
		j = place.open(t, o)
		is(t, j, 1, 72, false)
		is(t, j, 2, 73, false)
		alone = claim(t, j, 1)
		is(t, j, 1, 0, false)
		if err := two.Release(t.Context()); err == nil {
			t.Error("a partition of a closed journal can be released")
		}
		write(t, alone, "again")
		if _, err := j.Tail(t.Context(), 4); err == nil {
			t.Error("partition 4 of 4 has an end")
		}
	})
}

// TestClaimBehind refuses claims behind an end that has another entry after it.
func TestClaimBehind(t *testing.T) {
	everywhere(t, func(t *testing.T, place place) {
		o := journal.Options{Partitions: 4, Streams: 1}
		j := place.open(t, o)
		other := j
		if place.url != "" {
			other = place.open(t, o)
		}
		refused := func(what string, end journal.Tail) {
			t.Helper()
			end.Claimant = 9
			if _, err := other.ClaimBehind(t.Context(), 2, end); !errors.Is(err, journal.ErrFenced) {
				t.Errorf("%s: %v", what, err)
			}
		}
		empty := tail(t, other, 2)
		p := behind(t, j, 2, 1)
		refused("an empty log", empty)
		if other != j { // in this process the attempt ends the owner
			write(t, p, "kept")
			claimed := tail(t, other, 2)
			write(t, p, "more")
			refused("a record", claimed)
			written := tail(t, other, 2)
			fatal.If(t, p.Release(t.Context()))
			refused("released", written)
		} else {
			p = behind(t, j, 2, 1)
			fatal.If(t, p.Release(t.Context()))
		}
		free := tail(t, other, 2)
		p = behind(t, j, 2, 2)
		refused("claimed by another session", free)
		is(t, j, 2, 2, false)
		// A session claims behind its own claim.
		again := behind(t, j, 2, 2)
		if again.Epoch() != p.Epoch()+1 {
			t.Errorf("epoch %d after %d", again.Epoch(), p.Epoch())
		}
		if err := p.Release(t.Context()); !errors.Is(err, journal.ErrFenced) {
			t.Errorf("the first claim releases: %v", err)
		}
		is(t, j, 2, 2, false)
		write(t, again, "again")
	})
}

// TestClaimBehindRace lets two workers claim what one has released, many times at once. One of them
// becomes the owner of each partition, and only its records get into the log.
func TestClaimBehindRace(t *testing.T) {
	t.Parallel()
	place := place{url: share(t).url()}
	o := journal.Options{Partitions: 32, Streams: 2}
	js := []*journal.Journal{place.open(t, o), place.open(t, o)}
	rounds := corpus.Cases(4, 40)
	for round := range rounds {
		var all sync.WaitGroup
		owners := make([]atomic.Int32, o.Partitions)
		for n := range o.Partitions {
			end := tail(t, js[0], n)
			if round > 0 && !end.Released {
				t.Fatalf("partition %d: %+v", n, end)
			}
			for w, j := range js {
				all.Go(func() {
					end := end
					end.Claimant = uint64(100*round + w + 1)
					p, err := j.ClaimBehind(t.Context(), n, end)
					if errors.Is(err, journal.ErrFenced) {
						return
					}
					if err == nil {
						owners[n].Add(1)
						_, err = p.Append(t.Context(), fmt.Appendf(nil, "%d", end.Claimant)).Wait(t.Context())
					}
					if err == nil {
						err = p.Release(t.Context())
					}
					if err != nil {
						t.Error(err)
					}
				})
			}
		}
		all.Wait()
		for n := range owners {
			if got := owners[n].Load(); got != 1 {
				t.Errorf("partition %d has %d owners", n, got)
			}
		}
	}
	for n := range o.Partitions {
		if got, _ := replay(t, claim(t, js[0], n), 0); len(got) != rounds {
			t.Errorf("partition %d has %q", n, got)
		}
	}
}

// TestClaimUnanswered loses the answer to a claim. The session claims again, behind its own claim.
func TestClaimUnanswered(t *testing.T) {
	t.Parallel()
	server := share(t)
	w := wireTo(t, server.address)
	o := journal.Options{Partitions: 2, Streams: 1}
	direct := place{url: server.url()}.open(t, o)
	j := place{url: "nats://" + w.Addr().String()}.open(t, o)
	end := tail(t, j, 1)
	end.Claimant = 5
	w.set(false, true)
	ctx, cancel := context.WithCancel(t.Context())
	claimed := make(chan error)
	go func() {
		_, err := j.ClaimBehind(ctx, 1, end)
		claimed <- err
	}()
	for tail(t, direct, 1).Session != 5 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-claimed; !errors.Is(err, context.Canceled) {
		t.Errorf("without an answer: %v", err)
	}
	w.set(true, false)
	w.set(false, false)
	first := tail(t, direct, 1)
	p := behind(t, j, 1, 5)
	write(t, p, "works")
	if got := tail(t, direct, 1); got.Sequence <= first.Sequence+1 || p.Epoch() != 2 {
		t.Errorf("the claim was adopted: %+v after %+v, epoch %d", got, first, p.Epoch())
	}
}

// releaseUntilKilled claims, appends and releases, and prints each step that is durable.
func releaseUntilKilled(url string) {
	ctx := context.Background()
	j, err := journal.Open(ctx, journal.Options{URL: url, Partitions: 4, Streams: 2, Flush: time.Millisecond})
	child.Check(err)
	for n := range 4 {
		go func() {
			for i := 0; ; i++ {
				end, err := j.Tail(ctx, n)
				child.Check(err)
				end.Claimant = uint64(os.Getpid())
				p, err := j.ClaimBehind(ctx, n, end)
				child.Check(err)
				text := fmt.Sprintf("%d-%d", os.Getpid(), i)
				ticket := p.Append(ctx, []byte(text))
				if i%2 == 0 {
					_, err = ticket.Wait(ctx)
					child.Check(err)
				}
				child.Check(p.Release(ctx))
				fmt.Printf("%d %s\n", n, text)
			}
		}()
	}
	select {}
}

// TestReleaseKilled kills a worker that claims and releases. All it released is in the log, with
// the records before, and the next worker claims behind the last entry.
func TestReleaseKilled(t *testing.T) {
	t.Parallel()
	server := share(t)
	rounds := corpus.Cases(6, 30)
	if testing.Short() {
		rounds = 2
	}
	random := rand.New(rand.NewPCG(1, 2))
	said := make([][]string, 4)
	ends := map[bool]int{}
	for range rounds {
		c := child.Start(t, "release", server.url())
		wanted := 1 + random.IntN(40)
		pid := uint64(c.Process.Pid)
		for line := range c.Lines() {
			var n int
			var text string
			if _, err := fmt.Sscan(line, &n, &text); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			said[n] = append(said[n], text)
			if wanted--; wanted == 0 {
				c.Process.Kill()
			}
		}
		c.Kill()
		j := place{url: server.url()}.open(t, journal.Options{Partitions: 4, Streams: 2})
		for n := range said {
			end := tail(t, j, n)
			ends[end.Released]++
			if end.Session != pid && end.Session != 1 {
				t.Errorf("partition %d is of session %d, not %d", n, end.Session, pid)
			}
			p := behind(t, j, n, 1)
			got, _ := replay(t, p, 0)
			i := 0
			for _, text := range got {
				if i < len(said[n]) && text == said[n][i] {
					i++
				}
			}
			if i < len(said[n]) {
				t.Errorf("partition %d has not %q: %q", n, said[n][i], got)
			}
			fatal.If(t, p.Release(t.Context()))
		}
		j.Close()
	}
	t.Logf("released when killed: %v", ends)
}
