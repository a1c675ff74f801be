package crawl

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash/fnv"
	"math/bits"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/fleet"
	"github.com/robotsexclusion/robots/crawler/internal/journal"
)

// The end of a shared crawl. Each worker that has nothing to do tells the others, with a sum of all
// that it has received and written (Idle). When all live workers have, and own all partitions, each
// looks again. If nothing has changed for it, it confirms the sum of all of these sums (All). When
// all have confirmed the same, all of them had nothing to do at the moment when the first of them
// looked again, and no link was on its way: the crawl is at its end. The first worker that knows it
// says so in its key (Done) before it leaves, for those that see the others leave.
//
// A worker has nothing to do if none of its hosts has, and its inboxes have nothing on the servers
// that its log does not have. So links of workers that are dead count too.

// A notice is what a worker tells the others, in JSON.
type notice struct {
	Held string `json:"held,omitempty"` // bits of the partitions that it has, in hex
	Idle uint64 `json:"idle,string,omitempty"`
	All  uint64 `json:"all,string,omitempty"`
	Done uint64 `json:"done,string,omitempty"`
}

// text returns the note of a notice.
func (n notice) text() string {
	text, _ := json.Marshal(n)
	return string(text)
}

// parseNotice returns the notice of a note, or an empty one.
func parseNotice(note string) (n notice) {
	if json.Unmarshal([]byte(note), &n) != nil {
		return notice{}
	}
	return n
}

// bits returns the partitions of the notice.
func (n notice) bits() (held [partitions / 64]uint64) {
	data, err := hex.DecodeString(n.Held)
	if err != nil || len(data) != partitions/8 {
		return held
	}
	for i := range held {
		held[i] = binary.BigEndian.Uint64(data[8*i:])
	}
	return held
}

// count returns the number of partitions of the notice.
func (n notice) count() (sum int) {
	for _, b := range n.bits() {
		sum += bits.OnesCount64(b)
	}
	return sum
}

// watch tells the other workers what is left to do here, and ends the crawl when nothing is left
// anywhere.
func (w *crew) watch(ctx context.Context) {
	tick := time.NewTicker(w.every)
	defer tick.Stop()
	for ticks := 0; ; ticks++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		n := w.look(ctx)
		if ticks%reportEvery == 0 || n.Done != 0 {
			w.member.Report(w.report())
		}
		w.member.Tell(n.text())
		if n.Done != 0 {
			w.stop(errFinished)
			return
		}
	}
}

// look returns what is to be told now.
func (w *crew) look(ctx context.Context) notice {
	workers := w.member.Workers()
	w.mourn(workers)
	n, sum := w.rest()
	if sum == 0 {
		w.known = 0
		return n
	}
	for _, other := range workers {
		if done := parseNotice(other.Note).Done; w.confirmed[done] {
			n.Done = done
			return n
		}
	}
	if w.known != sum && !w.isEnd(ctx, sum) {
		return n
	}
	n.Idle = sum
	all, agreed, ok := agreement(workers, w.worker, sum)
	if !ok {
		return n
	}
	switch {
	case !w.confirmed[all]:
		// The others have told their sums before this look begins.
		if w.known = 0; !w.isEnd(ctx, sum) {
			n.Idle = 0
			return n
		}
		w.confirmed[all] = true
	case agreed:
		n.Done = all
	}
	n.All = all
	return n
}

// agreement returns the sum of what the live workers have told, if they all have nothing to do and
// own all partitions, and whether all have confirmed it.
func agreement(workers []fleet.Worker, own uint32, sum uint64) (all uint64, agreed, ok bool) {
	hash := fnv.New64a()
	held := [partitions / 64]uint64{}
	count := 0
	var notices []notice
	for _, other := range workers {
		if other.State != "alive" {
			if other.Number == own {
				return 0, false, false
			}
			continue
		}
		n := parseNotice(other.Note)
		if n.Idle == 0 || other.Number == own && n.Idle != sum {
			return 0, false, false
		}
		for i, b := range n.bits() {
			held[i] |= b
		}
		count += n.count()
		hash.Write(binary.BigEndian.AppendUint64(nil, other.Session))
		hash.Write(binary.BigEndian.AppendUint64(nil, n.Idle))
		notices = append(notices, n)
	}
	for _, b := range held {
		if b != ^uint64(0) {
			return 0, false, false
		}
	}
	if count != partitions {
		return 0, false, false
	}
	all, agreed = max(hash.Sum64(), 1), true
	for _, n := range notices {
		agreed = agreed && n.All == all
	}
	return all, agreed, true
}

// rest returns what the worker owns, and a sum of what it has received and written, or 0 if it has
// something to do.
func (w *crew) rest() (n notice, sum uint64) {
	r := w.left()
	held := make([]byte, partitions/8)
	hash := fnv.New64a()
	write := func(v uint64) { hash.Write(binary.BigEndian.AppendUint64(nil, v)) }
	for p := range partitions {
		if !w.holds(uint8(p)) {
			continue
		}
		held[p/8] |= 0x80 >> (p % 8)
		write(uint64(p))
		write(r.received[p])
		write(w.shard.store.Applied(uint8(p)))
	}
	n.Held = hex.EncodeToString(held)
	if r.busy || !w.member.Alive(time.Now()) {
		return n, 0
	}
	return n, max(hash.Sum64(), 1)
}

// isEnd reports whether the worker has received all that its inboxes have on the servers, with that
// sum before and afterwards.
func (w *crew) isEnd(ctx context.Context, sum uint64) bool {
	r := w.left()
	var all sync.WaitGroup
	var behind sync.Map
	limit := make(chan struct{}, 32)
	for p := range partitions {
		if !w.holds(uint8(p)) {
			continue
		}
		limit <- struct{}{}
		all.Go(func() {
			defer func() { <-limit }()
			if end, err := journal.InboxEnd(ctx, w.shard.journal, p); err != nil || end > r.received[p] {
				behind.Store(p, true)
			}
		})
	}
	all.Wait()
	ended := true
	behind.Range(func(any, any) bool { ended = false; return false })
	if _, again := w.rest(); again != sum || !ended {
		return false
	}
	w.known = sum
	return true
}
