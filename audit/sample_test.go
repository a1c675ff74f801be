package audit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// randomRequest returns a request that is often like another one.
func randomRequest(random *rand.Rand, line int) *accesslog.Request {
	targets := []string{"/", "/a?page=1", "/a?page=2", "/robots.txt", "/style.css", "*",
		"/long/path/of/more/than/eight/bytes-17.html"}
	methods := []string{"GET", "HEAD", "POST", "PURGE"}
	r := &accesslog.Request{
		Log: []string{"one", "two"}[random.IntN(2)], Line: line, Time: time.Unix(int64(1e9+random.IntN(20)), 0),
		Method: []byte(methods[random.IntN(4)]), Target: []byte(targets[random.IntN(len(targets))]),
		Status:    []int{200, 304, 404, 0, 999}[random.IntN(5)],
		UserAgent: []byte([]string{"", "x", "y\xff"}[random.IntN(3)]),
		Client: []netip.Addr{{}, netip.MustParseAddr("192.0.2.1"),
			netip.MustParseAddr("2001:db8::1")}[random.IntN(3)],
	}
	if r.Target[0] == '/' {
		r.Path = r.Target
	}
	if random.IntN(2) == 0 {
		r.Referrer = []byte("https://example.com/")
	}
	return r
}

func randomRequests(random *rand.Rand, count int) (requests []*accesslog.Request) {
	for i := range count {
		requests = append(requests, randomRequest(random, i))
	}
	return requests
}

// describe returns the entries of a sample in the form of slowSample.
func describe(s *sample) (entries []string) {
	for e := range s.all {
		entries = append(entries, fmt.Sprint(e.hash, s.logs.text(e.log), e.line, e.count, e.traits, e.number,
			s.headers.text(e.header)))
	}
	return entries
}

// slowSample keeps all requests, and chooses at the end.
func slowSample(requests []*accesslog.Request, most int) (entries []string) {
	one := func(r *accesslog.Request) entry {
		s := newSample(10)
		s.add(r, r.Time.Unix(), hashesOf(r.UserAgent), nil)
		return s.fresh[0]
	}
	type alike struct {
		client         netip.Addr
		second         int64
		target, header string
		method         methodClass
		status         uint8
		referred       bool
	}
	groups := map[alike][]*accesslog.Request{}
	for _, r := range requests {
		key := alike{r.Client, r.Time.Unix(), string(r.Target), string(r.UserAgent), classOfMethod(r.Method),
			statusDigit(r.Status), r.Referrer != nil}
		groups[key] = append(groups[key], r)
	}
	byHash := map[uint64][]*accesslog.Request{}
	for _, list := range groups {
		byHash[one(list[0]).hash] = list
	}
	hashes := slices.Sorted(maps.Keys(byHash))
	for _, hash := range hashes[:min(most, len(hashes))] {
		list := byHash[hash]
		first := slices.MinFunc(list, func(q, r *accesslog.Request) int {
			return cmp.Or(cmp.Compare(q.Log, r.Log), cmp.Compare(q.Line, r.Line))
		})
		e := one(first)
		entries = append(entries, fmt.Sprint(e.hash, first.Log, first.Line, len(list), e.traits, e.number,
			string(first.UserAgent)))
	}
	return entries
}

// A sample has the entries that a choice among all requests has, in any order, joined, and stored.
func TestSampleSlowly(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	for range 40 {
		requests := randomRequests(random, random.IntN(2000))
		most := 1 + random.IntN(1500)
		want := slowSample(requests, most)
		samples := []sample{newSample(most), newSample(most), newSample(most)}
		random.Shuffle(len(requests), func(i, j int) { requests[i], requests[j] = requests[j], requests[i] })
		for _, r := range requests {
			samples[random.IntN(3)].add(r, r.Time.Unix(), hashesOf(r.UserAgent), nil)
		}
		all := newSample(most)
		for i := range samples {
			samples[i].settle()
			back := newSample(most)
			for _, line := range samples[i].stored(false) {
				data, err := json.Marshal(line)
				var again storedSample
				if err = cmp.Or(err, json.Unmarshal(data, &again)); err != nil {
					t.Fatal(err)
				}
				fatal.If(t, back.restore(&again))
			}
			back.settle()
			all.join(&back)
		}
		if got := describe(&all); !reflect.DeepEqual(got, want) {
			t.Fatalf("of %d, at most %d: got %d entries, want %d", len(requests), most, len(got), len(want))
		}
		if all.total != int64(len(requests)) || !all.sampled() && all.report().Kept != all.total {
			t.Errorf("%d of %d requests", all.total, len(requests))
		}
	}
}

// A sample settles as soon as it has a quarter more entries than it may have, which is all that it
// has places for.
func TestLot(t *testing.T) {
	s := newSample(4 * lotSize)
	r := randomRequest(rand.New(rand.NewPCG(7, 5)), 0)
	for i := range 3 * lotSize {
		s.add(r, int64(i), hashesOf(r.UserAgent), nil)
		if n := len(s.fresh); n > s.most/4+1 {
			t.Fatalf("%d entries are not settled", n)
		}
	}
}

// Whatever strangers send, a sample stays small.
func TestHostileSample(t *testing.T) {
	corpus.Unraced(t)
	for name, change := range map[string]func(r *accesslog.Request, i int){
		"addresses": func(r *accesslog.Request, i int) {
			r.Client = netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
		},
		"headers":     func(r *accesslog.Request, i int) { r.UserAgent = fmt.Appendf(nil, "%0300d", i) },
		"logs":        func(r *accesslog.Request, i int) { r.Log = fmt.Sprint("log", i) },
		"one address": func(r *accesslog.Request, i int) { r.Time = r.Time.Add(time.Duration(i/9) * time.Second) },
		"nothing new": func(*accesslog.Request, int) {},
		"targets":     func(r *accesslog.Request, i int) { r.Path = fmt.Appendf(nil, "/%d", i); r.Target = r.Path },
	} {
		s := newSample(1000)
		client := netip.MustParseAddr("192.0.2.1")
		lines := 100_000
		if name == "one address" {
			lines = corpus.Cases(300_000, 1_000_000)
		}
		for i := range lines {
			r := accesslog.Request{Log: "log", Line: i, Time: time.Unix(1e9, 0), Method: []byte("GET"),
				Target: []byte("/"), Path: []byte("/"), Status: 200, Client: client}
			change(&r, i)
			s.add(&r, r.Time.Unix(), hashesOf(r.UserAgent), nil)
			if n := max(len(s.entries), len(s.settled)+len(s.fresh), len(s.headers.spans),
				len(s.logs.spans)); n > 1501 {
				t.Fatalf("%s: %d entries", name, n)
			}
		}
		s.settle()
		if s.total != int64(lines) || len(s.settled) > 1000 || len(s.fresh) > 0 {
			t.Errorf("%s: %d of %d requests", name, len(s.settled), s.total)
		}
		c := newCrowd(&s, nil)
		for _, client := range c.clients {
			c.suspect(client)
		}
	}
}

// What a path is for.
func TestClassOfTarget(t *testing.T) {
	for path, want := range map[string]targetClass{
		"/": pageTarget, "/a.html?x=1.css": pageTarget, "/robots.txt": rulesTarget, "/robots.txt?x": otherTarget,
		"/a.CSS?v=2": assetTarget,
		"/image/17":  assetTarget, "/a/static/b/": assetTarget, "/x.torrent": otherTarget, "/x.notorrent": pageTarget,
		"/feed.xml": otherTarget, "/blog/feed": otherTarget, "/?flav=rss20": otherTarget, "/v1.2/about": pageTarget,
		"/a.zip": otherTarget, "": pageTarget,
	} {
		if got := classOfTarget([]byte(path)); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
	if classOfTarget(nil) != noTarget {
		t.Error("no path")
	}
}

// The last number of a path, and the hash of the rest.
func TestLastNumber(t *testing.T) {
	same := func(x, y string) bool {
		s, _ := lastNumber([]byte(x), 0)
		u, _ := lastNumber([]byte(y), 0)
		return s == u
	}
	if !same("/a/1/b", "/a/22/b") || same("/a/1/b", "/a/1/c") || same("/a/1", "/1/a") {
		t.Error("templates")
	}
	for path, want := range map[string]int64{"/a1b22c": 22, "/": -1, "/007": 7, "/1234567890123456789": -1,
		"/999999999999999999": 999999999999999999} {
		if _, got := lastNumber([]byte(path), 0); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
}

// Keys are sorted whatever their hashes are, also those that clients choose.
func TestSortKeys(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 1))
	for round := range 200 {
		s := newSample(10)
		var want []uint64
		for i := range random.IntN(300) {
			hash := random.Uint64() >> random.IntN(64) << random.IntN(64) & (1<<random.IntN(65) - 1)
			s.keys = append(s.keys, entryKey{hash, uint32(i)})
			want = append(want, hash)
		}
		s.sortKeys()
		slices.Sort(want)
		for i, key := range s.keys {
			if key.hash != want[i] {
				t.Fatalf("round %d: key %d is %#x, want %#x", round, i, key.hash, want[i])
			}
		}
	}
}

// The hashes are stored in parts, so they never change.
func TestStoredHashes(t *testing.T) {
	s := newSample(10)
	r := &accesslog.Request{Log: "log", Line: 3, Time: time.Unix(1e9, 0), Method: []byte("GET"),
		Target: []byte("/page-12?x"), Path: []byte("/page-12?x"), UserAgent: []byte("Mozilla/5.0"), Status: 304,
		Client: netip.MustParseAddr("192.0.2.1")}
	s.add(r, 1e9, hashesOf(r.UserAgent), nil)
	got := fmt.Sprintf("%x", s.fresh[0].appendTo(nil))
	const want = "391d7621b243e213c06e672b25a169ab003f5121f931802d00000000000000000000ffffc00002010101020080a8d6b90718060200000000"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A damaged sample is refused, and never panics.
func TestDamagedSample(t *testing.T) {
	s := newSample(10)
	random := rand.New(rand.NewPCG(8, 1))
	for i := range 10 {
		r := randomRequest(random, i)
		s.add(r, r.Time.Unix(), hashesOf(r.UserAgent), nil)
	}
	s.settle()
	line := s.stored(false)[0]
	for i := range line.Entries {
		damaged := line
		damaged.Entries = bytes.Clone(line.Entries)
		damaged.Entries[i] ^= 0x80
		back := newSample(10)
		if back.restore(&damaged) == nil {
			back.settle()
			newCrowd(&back, nil)
		}
	}
	cut := line
	cut.Entries = line.Entries[:len(line.Entries)-1]
	if back := newSample(10); back.restore(&cut) == nil {
		t.Error("a sample that is cut off was accepted")
	}
}

// BenchmarkSample offers requests that are not kept.
func BenchmarkSample(b *testing.B) {
	s := newSample(maxPeople)
	s.limit = 1 << 40
	r := accesslog.Request{Log: "log", Time: time.Unix(1e9, 0), Method: []byte("GET"),
		Target: []byte("/a/usual/path/of/some/length.html?page=12"), Referrer: []byte("https://example.com/"),
		Status: 200, Client: netip.MustParseAddr("192.0.2.1"),
		UserAgent: []byte("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36")}
	r.Path = r.Target
	second := int64(1e9)
	for b.Loop() {
		second++
		s.add(&r, second, hashesOf(r.UserAgent), nil)
	}
}
