package audit

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// A shared sample has the entries that a choice among all requests has, whenever workers hand over
// theirs.
func TestSharedSample(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 2))
	for range 40 {
		most := 1 + random.IntN(1500)
		all := newSample(most)
		shared := &sharedSample{of: &all}
		workers := make([]sample, 3)
		for i := range workers {
			workers[i] = newSample(most)
			workers[i].shared = shared
		}
		requests := randomRequests(random, random.IntN(2000))
		want := slowSample(requests, most)
		for _, r := range requests {
			s := &workers[random.IntN(3)]
			s.add(r, r.Time.Unix(), hashesOf(r.UserAgent), nil)
			if random.IntN(50) == 0 {
				s.handOver()
			}
		}
		for i := range workers {
			workers[i].finish()
			if n := len(workers[i].settled) + len(workers[i].fresh); n > 0 || workers[i].total > 0 {
				t.Fatalf("a worker keeps %d entries of %d requests", n, workers[i].total)
			}
		}
		all.settle()
		if got := describe(&all); !reflect.DeepEqual(got, want) {
			t.Fatalf("of %d, at most %d: got %d entries, want %d", len(requests), most, len(got), len(want))
		}
		if all.total != int64(len(requests)) {
			t.Errorf("%d of %d requests", all.total, len(requests))
		}
	}
}

// A worker hands its entries over in lots, and forgets their headers, however many there are.
func TestHandOver(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 3))
	all, s := newSample(maxPeople), newSample(maxPeople)
	s.shared = &sharedSample{of: &all}
	for i, r := range randomRequests(random, 5*lotSize) {
		r.UserAgent = fmt.Append(nil, i)
		s.add(r, r.Time.Unix(), hashesOf(r.UserAgent), nil)
	}
	if len(s.fresh) > lotSize || len(s.headers.spans) > 2*lotSize || len(all.settled)+len(all.fresh) < 4*lotSize {
		t.Errorf("the worker has %d entries and %d headers, the shared sample %d", len(s.fresh), len(s.headers.spans),
			len(all.settled)+len(all.fresh))
	}
}
