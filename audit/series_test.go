package audit

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// collect returns the hits of a series.
func collect(s *series) (hits []hit) {
	for h := range s.all {
		hits = append(hits, h)
	}
	return hits
}

// randomHits returns hits of few clients, seconds and values, so that many are alike.
func randomHits(random *rand.Rand, n int) []hit {
	clients := []netip.Addr{{}, netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2"),
		netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("::ffff:192.0.2.1")}
	var hits []hit
	for range n {
		h := hit{client: clients[random.IntN(len(clients))], second: random.Int64N(40) - 20, count: 1}
		if random.IntN(4) == 0 {
			h.second = random.Int64N(1<<33) - 1<<32
		}
		if random.IntN(3) == 0 {
			h.value = random.Uint64N(3) << random.UintN(60)
		}
		hits = append(hits, h)
	}
	return hits
}

// A series has the same hits however they arrive: through a buffer, in any number of chunks, and
// in any order. The twin sorts all hits.
func TestSeries(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		hits := randomHits(random, random.IntN(400))
		sorted := slices.Clone(hits)
		slices.SortFunc(sorted, compareHits)
		var want []hit
		for _, h := range sorted {
			want = appendJoined(want, h)
		}

		var s series
		var b hitBuffer
		for _, h := range hits {
			if random.IntN(20) == 0 {
				b.flush()
			}
			b.add(&s, h)
		}
		b.flush()
		if got := collect(&s); !slices.Equal(got, want) {
			t.Fatalf("got %v\nwant %v", got, want)
		}
		for _, chunk := range s.chunks {
			fatal.If(t, checkChunk(chunk))
		}
	}
}

// The seconds of several series pass through one buffer without mixing.
func TestSeconds(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	all := make([]series, 5)
	want := make([]map[int64]uint64, len(all))
	var b hitBuffer
	for range 3*maxBuffered + 17 {
		i, second := random.IntN(len(all)), random.Int64N(1000)-500
		if want[i] == nil {
			want[i] = map[int64]uint64{}
		}
		want[i][second]++
		b.addSecond(&all[i], second)
	}
	b.flush()
	for i := range all {
		last := int64(always)
		for h := range all[i].all {
			if h.second <= last || h.count != want[i][h.second] || h.client.IsValid() || h.value != 0 {
				t.Fatalf("series %d: %v after %d, want %d requests", i, h, last, want[i][h.second])
			}
			last = h.second
			delete(want[i], h.second)
		}
		if len(want[i]) > 0 {
			t.Errorf("series %d lacks %v", i, want[i])
		}
	}
}

// A chunk of a busy robot takes little more than a byte a request.
func TestChunkSize(t *testing.T) {
	var hits []hit
	for i := range int64(10_000) {
		hits = append(hits, hit{second: 1_700_000_000 + 7*i, count: 1})
	}
	if n := len(appendHits(nil, hits)); n > 10_000+20 {
		t.Errorf("%d bytes for 10,000 requests", n)
	}
}

// A damaged chunk is an error, never a panic or a loop, and a chunk that passes the check can be
// read.
func FuzzChunk(f *testing.F) {
	f.Add(appendHits(nil, randomHits(rand.New(rand.NewPCG(5, 6)), 1)))
	sorted := randomHits(rand.New(rand.NewPCG(7, 8)), 50)
	slices.SortFunc(sorted, compareHits)
	f.Add(appendHits(nil, sorted))
	f.Add([]byte{4, 5})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, data []byte) {
		if checkChunk(data) != nil {
			return
		}
		s := series{chunks: [][]byte{data}}
		hits := collect(&s)
		again := series{chunks: [][]byte{appendHits(nil, hits)}}
		if !slices.Equal(hits, collect(&again)) {
			t.Errorf("%v became %v", hits, collect(&again))
		}
	})
}
