package store

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// decoders are the decoders of all values.
var decoders = []func(b []byte) (again []byte, err error){
	func(b []byte) ([]byte, error) {
		var r record
		err := r.decode(b)
		return r.append(nil), err
	},
	func(b []byte) ([]byte, error) {
		var p part
		err := p.decode(b)
		return p.append(nil), err
	},
	func(b []byte) ([]byte, error) {
		var h hostRecord
		err := h.decode(b)
		return h.append(nil), err
	},
	func(b []byte) ([]byte, error) {
		state, err := decodeState(b)
		return append([]byte{version}, state...), err
	},
}

// values returns some valid values by their decoder.
func values() map[int][][]byte {
	full := record{
		item: Item{URL: "https://example.com/a?b", Via: "https://example.com/", Hints: []byte{0, 1, 2}, Depth: 3,
			Tries: 4},
		at: position{5, 1795262400000, 6}, queued: true, done: true,
		state: State{Fetched: time.UnixMilli(7), Status: 304, ETag: `W/"x"`, LastModified: "then", Digest: []byte{8},
			Simhash: 9, Interval: time.Hour},
	}
	return map[int][][]byte{
		0: {full.append(nil), new(record).append(nil)},
		1: {(&part{applied: 1 << 60, order: 300, Counts: Counts{1, 2, 3, 4}, refused: [MaxReasons]int64{3: 5,
			31: 1 << 40}}).append(nil)},
		2: {(&hostRecord{origin: "http://a.example", Counts: Counts{1, 2, 3, 4}}).append(nil)},
		3: {{version}, {version, 1, 2, 3}},
	}
}

// FuzzValues decodes random bytes as each kind of value. The result must be an error, or
// a value that survives encoding and decoding.
func FuzzValues(f *testing.F) {
	for which, list := range values() {
		for _, v := range list {
			f.Add(which, v)
			f.Add(which, v[:len(v)/2])
		}
	}
	f.Fuzz(func(t *testing.T, which int, b []byte) {
		decode := decoders[uint(which)%uint(len(decoders))]
		once, err := decode(b)
		if err != nil {
			return
		}
		if len(once) > len(b) {
			t.Errorf("%x became %x", b, once)
		}
		twice, err := decode(once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Errorf("%x became %x, and then %x, %v", b, once, twice, err)
		}
	})
}

// TestValues truncates and extends values, and changes their version.
func TestValues(t *testing.T) {
	for which, list := range values() {
		for _, v := range list {
			if again, err := decoders[which](v); err != nil || !bytes.Equal(again, v) {
				t.Errorf("%x became %x, %v", v, again, err)
			}
			if which == 3 { // any bytes are valid
				v = v[:1]
			}
			for n := range v {
				if _, err := decoders[which](v[:n]); err == nil {
					t.Errorf("%x cut off after %d bytes: no error", v, n)
				}
			}
			if _, err := decoders[which](append(bytes.Clone(v), 0)); err == nil && which != 3 {
				t.Errorf("%x lengthened: no error", v)
			}
			v = bytes.Clone(v)
			v[0]++
			if _, err := decoders[which](v); err == nil ||
				err.Error() != "the value has version 2, and this program knows 1" {
				t.Errorf("version 2: error %v", err)
			}
		}
	}
}

// TestPosition compares the order of keys in a queue with that of positions.
func TestPosition(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	some := func() position {
		return position{uint8(random.IntN(3) * 127), int64(random.IntN(3)) << 40, random.Uint64N(3) << 50}
	}
	host := hostKey{1, 2, 3}
	for range 1000 {
		a, b := some(), some()
		ka, kb := appendQueueKey(nil, host, a), appendQueueKey(nil, host, b)
		if got, want := a.before(b), bytes.Compare(ka, kb) < 0; got != want {
			t.Errorf("%v before %v: %v, want %v", a, b, got, want)
		}
		h, p, ok := parseQueueKey(appendQueueKey(nil, host, a))
		if !ok || h != host || p != a {
			t.Errorf("%v became %v %v %v", a, h, p, ok)
		}
	}
}

// TestAfter finds the lowest key after those with a prefix.
func TestAfter(t *testing.T) {
	for _, x := range [][2][]byte{{{1}, {2}}, {{1, 255}, {2}}, {{1, 2, 255, 255}, {1, 3}}, {{255}, nil}} {
		if got := after(bytes.Clone(x[0])); !reflect.DeepEqual(got, x[1]) {
			t.Errorf("after %x: %x, want %x", x[0], got, x[1])
		}
	}
}

// TestSalt gives the same URL different keys in two stores: nobody can find URLs whose
// keys collide.
func TestSalt(t *testing.T) {
	var keys [2]key
	var hosts [2]hostKey
	it := Item{Partition: 3, Crawl: 4, URL: "https://example.com/"}
	for i := range keys {
		s, err := Open(Options{Dir: t.TempDir()})
		fatal.If(t, err)
		defer s.Close()
		l := s.lookup()
		hosts[i] = l.hasher.host(3, "https://example.com")
		keys[i] = l.hasher.key(&it, hosts[i])
		l.free()
		if !bytes.Equal(keys[i][:5], hosts[i][:5]) {
			t.Errorf("the key of the URL is %x, that of the host %x", keys[i], hosts[i])
		}
	}
	if keys[0] == keys[1] || hosts[0] == hosts[1] {
		t.Errorf("the keys of both stores are %x and %x", keys[0], hosts[0])
	}
}
