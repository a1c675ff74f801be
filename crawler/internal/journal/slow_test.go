package journal_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A twin is the model of a partition in memory: the records known to be in its log, and
// those that may be.
type twin struct {
	known   []line
	trimmed int // of known
	maybe   []sent
	inbox   map[string]uint64 // batches sent and not trimmed: text to position
}

// A line is a record at its position.
type line struct {
	at   uint64
	text string
}

// Sent is a record whose ticket was not answered yet.
type sent struct {
	ticket journal.Ticket
	text   string
}

// reconcile waits for the appended records. A failed record may be in the log
// nonetheless, but only if the owner is gone: then the result is still unknown.
func (w *twin) reconcile(t *testing.T) {
	t.Helper()
	for len(w.maybe) > 0 {
		at, err := w.maybe[0].ticket.Wait(t.Context())
		if errors.Is(err, journal.ErrFenced) || errors.Is(err, journal.ErrClosed) {
			return
		}
		fatal.If(t, err)
		w.known = append(w.known, line{at, w.maybe[0].text})
		w.maybe = w.maybe[1:]
	}
}

// compare replays the partition from a random position. An uncertain record is either in
// the log now, or never will be.
func (w *twin) compare(t *testing.T, p *journal.Partition, random *rand.Rand) {
	t.Helper()
	from := w.trimmed + random.IntN(len(w.known)-w.trimmed+1)
	var after uint64
	if from > 0 {
		after = w.known[from-1].at
	}
	var got []line
	if err := p.Replay(t.Context(), after, func(at uint64, record []byte) error {
		got = append(got, line{at, string(record)})
		return nil
	}); err != nil {
		t.Fatalf("partition %d after record %d: %v", p.Number(), from, err)
	}
	want := w.known[from:]
	if len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
		t.Fatalf("partition %d after record %d: got %d records, want %d", p.Number(), from, len(got), len(want))
	}
	for i, l := range got[len(want):] {
		if i >= len(w.maybe) || w.maybe[i].text != l.text {
			t.Fatalf("partition %d has %.30q, which is not what was appended next", p.Number(), l.text)
		}
		w.known = append(w.known, l)
	}
	w.maybe = nil
	if last := p.Last(); len(w.known) > 0 && last != w.known[len(w.known)-1].at {
		t.Fatalf("partition %d: last %d, want %d", p.Number(), last, w.known[len(w.known)-1].at)
	}
}

// TestTwin runs random operations, with crashes of the process and of the server, and
// compares the journal with a twin in memory.
func TestTwin(t *testing.T) {
	seeds := uint64(corpus.Cases(3, 6))
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			twinRun(t, rand.New(rand.NewPCG(seed, 1)))
		})
	}
}

// claimBehind claims behind the end of the log, again if a late entry of another owner comes first.
func claimBehind(t *testing.T, j *journal.Journal, n int, w *twin, released bool, session uint64) *journal.Partition {
	t.Helper()
	for {
		end := tail(t, j, n)
		if end.Released != released {
			t.Fatalf("partition %d, released %t: %+v", n, released, end)
		}
		end.Claimant = session
		p, err := j.ClaimBehind(t.Context(), n, end)
		if !errors.Is(err, journal.ErrFenced) {
			fatal.If(t, err)
			w.reconcile(t)
			return p
		}
	}
}

func tail(t testing.TB, j *journal.Journal, n int) journal.Tail {
	t.Helper()
	end, err := j.Tail(t.Context(), n)
	fatal.If(t, err)
	return end
}

func twinRun(t *testing.T, random *rand.Rand) {
	server := share(t)
	o := journal.Options{Partitions: 5, Streams: 1 + random.IntN(3), Bytes: 1 + random.IntN(2000)}
	j := place{url: server.url()}.open(t, o)
	ps := claimAll(t, j, o.Partitions)
	twins := make([]twin, o.Partitions)
	for n := range twins {
		twins[n].inbox = make(map[string]uint64)
	}
	reclaim := func() {
		for n, p := range claimAll(t, j, o.Partitions) {
			ps[n] = p
			twins[n].reconcile(t)
			twins[n].compare(t, p, random)
		}
	}
	var sends []sent
	settleSends := func() {
		for _, s := range sends {
			at, err := s.ticket.Wait(t.Context())
			fatal.If(t, err)
			var n int
			fmt.Sscan(s.text, &n)
			twins[n].inbox[s.text] = at
		}
		sends = nil
	}
	next := 0
	for range 300 {
		n := random.IntN(o.Partitions)
		p, w := ps[n], &twins[n]
		next++
		switch random.IntN(110) {
		default:
			for range random.IntN(30) {
				next++
				text := fmt.Sprintf("%d %d %s", n, next, strings.Repeat("z", random.IntN(100)))
				w.maybe = append(w.maybe, sent{p.Append(t.Context(), []byte(text)), text})
			}
		case 1, 2, 3, 4, 5, 6, 7, 8:
			w.reconcile(t)
		case 9, 10, 11, 12:
			w.reconcile(t)
			w.compare(t, p, random)
		case 13, 14, 15, 16: // the partition gets another owner in this process
			owner := claim(t, j, n)
			w.reconcile(t)
			ps[n] = owner
			w.compare(t, owner, random)
		case 100, 101, 102, 103: // the partition is released, and a session claims it
			release := random.IntN(2) == 0
			if release {
				fatal.If(t, p.Release(t.Context()))
				if _, err := p.Append(t.Context(), nil).Wait(t.Context()); !errors.Is(err, journal.ErrReleased) {
					t.Fatalf("who released partition %d appends: %v", n, err)
				}
			}
			w.reconcile(t)
			ps[n] = claimBehind(t, j, n, w, release, uint64(next))
			w.compare(t, ps[n], random)
		case 104, 105: // a session claims behind a tail that is not the end any more
			w.reconcile(t)
			stale := tail(t, j, n)
			stale.Claimant = uint64(next)
			w.maybe = append(w.maybe, sent{p.Append(t.Context(), []byte("after")), "after"})
			w.reconcile(t)
			if _, err := j.ClaimBehind(t.Context(), n, stale); !errors.Is(err, journal.ErrFenced) {
				t.Fatalf("a claim behind another end than that of partition %d: %v", n, err)
			}
			ps[n] = claimBehind(t, j, n, w, false, uint64(next)) // the claim has ended the owner of this process
			w.compare(t, ps[n], random)
		case 17, 18, 19, 20: // trim one, or all
			upTo := make(map[*journal.Partition]uint64)
			for m, p := range ps {
				if w := &twins[m]; m == n || random.IntN(2) == 0 {
					w.reconcile(t)
					if len(w.known) > 0 {
						w.trimmed += random.IntN(len(w.known) - w.trimmed + 1)
					}
					upTo[p] = 0
					if w.trimmed > 0 {
						upTo[p] = w.known[w.trimmed-1].at
					}
				}
			}
			fatal.If(t, j.Trim(t.Context(), upTo))
		case 21, 22, 23, 24, 25, 26:
			text := fmt.Sprintf("%d in%d", n, next)
			sends = append(sends, sent{j.Send(t.Context(), n, []byte(text)), text})
		case 27, 28, 29: // all that was sent is received; then the inboxes are trimmed
			settleSends()
			after := make(map[*journal.Partition]uint64)
			missing := 0
			for m, p := range ps {
				after[p] = 0
				missing += len(twins[m].inbox)
			}
			got := make(map[string]bool)
			enough := errors.New("enough")
			if missing > 0 {
				if err := j.Receive(t.Context(), after, func(p *journal.Partition, at uint64, batch []byte) error {
					text := string(batch)
					if after[p] = at; !strings.HasPrefix(text, fmt.Sprint(p.Number(), " ")) {
						t.Errorf("partition %d receives %q", p.Number(), text)
					}
					if _, ok := twins[p.Number()].inbox[text]; ok && !got[text] {
						got[text] = true
						if missing--; missing == 0 {
							return enough
						}
					}
					return nil
				}); !errors.Is(err, enough) {
					t.Fatal(err)
				}
			}
			if random.IntN(2) == 0 {
				for p := range after {
					if random.IntN(5) == 0 {
						delete(after, p)
					} else {
						clear(twins[p.Number()].inbox)
					}
				}
				fatal.If(t, j.TrimInbox(t.Context(), after))
			}
		case 30, 31: // the process crashes
			settleSends()
			j.Crash()
			j = place{url: server.url()}.open(t, o)
			reclaim()
		case 32: // the server crashes
			server.Kill()
			server.start(t)
		case 33: // another process takes everything while this one lives
			settleSends()
			older, lost := j, ps[n]
			j = place{url: server.url()}.open(t, o)
			reclaim()
			if _, err := lost.Append(t.Context(), []byte("late")).Wait(t.Context()); !errors.Is(err,
				journal.ErrFenced) {
				t.Fatalf("who lost partition %d appends: %v", n, err)
			}
			older.Close()
		}
	}
	settleSends()
	for n, p := range ps {
		twins[n].reconcile(t)
		twins[n].compare(t, p, random)
	}
}
