package audit

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"slices"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// slowClients is the slow twin of clientSet: a map of addresses.
type slowClients struct {
	precision uint8
	addresses map[netip.Addr]bool
}

// stored returns what a part has of the addresses, by the definition of a clientSet.
func (s *slowClients) stored() *storedClients {
	most := map[uint8]int{knownPrecision: 1024, unknownPrecision: 64}[s.precision]
	switch n := len(s.addresses); {
	case n == 0:
		return nil
	case n <= most:
		var hashes []uint64
		for a := range s.addresses {
			hashes = append(hashes, hashClient(a))
		}
		slices.Sort(hashes)
		out := &storedClients{}
		for _, hash := range hashes {
			out.Hashes = binary.LittleEndian.AppendUint64(out.Hashes, hash)
		}
		return out
	}
	out := &storedClients{Registers: make([]byte, 1<<s.precision)}
	for a := range s.addresses {
		text := fmt.Sprintf("%064b", hashClient(a))
		first, after := text[:s.precision], text[s.precision:]
		var i int
		fmt.Sscanf(first, "%b", &i)
		n := uint8(1)
		for _, bit := range after {
			if bit == '1' {
				break
			}
			n++
		}
		out.Registers[i] = max(out.Registers[i], n)
	}
	return out
}

// numbered returns an address with a number: IPv4 addresses in turn, as networks have them, or of
// an IPv6 network.
func numbered(n int) netip.Addr {
	if n%3 == 0 {
		return netip.AddrFrom16([16]byte{0x20, 1, 0xd, 0xb8, 15: byte(n), 14: byte(n >> 8), 13: byte(n >> 16)})
	}
	return netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)})
}

// A set of clients is what its twin says, in any order, however often an address comes, and joined
// of sets that are stored and read again.
func TestClients(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 134))
		precision := []uint8{knownPrecision, unknownPrecision}[seed%2]
		n := []int{0, 1, 3, 63, 64, 65, 66, 200, 1023, 1024, 1025, 1026, 3000}[random.IntN(13)]
		want := slowClients{precision, map[netip.Addr]bool{}}
		sets := make([]clientSet, 1+random.IntN(4))
		for i := range sets {
			sets[i].precision = precision
		}
		for _, i := range random.Perm(n) {
			want.addresses[numbered(i)] = true
			for range 1 + random.IntN(3) {
				sets[random.IntN(len(sets))].add(numbered(i))
			}
		}
		sets[0].add(netip.Addr{})
		all := clientSet{precision: precision}
		for _, i := range random.Perm(len(sets)) {
			part := clientSet{precision: precision}
			fatal.If(t, part.restore(sets[i].stored()))
			all.join(&part)
		}
		if got := all.stored(); !reflect.DeepEqual(got, want.stored()) {
			t.Fatalf("seed %d: %d addresses in %d sets: got %+v, want %+v", seed, n, len(sets), got, want.stored())
		}
		got := all.clients(1 << 40)
		if most := all.most(); n <= most && got != (Clients{Addresses: int64(n)}) || n > most && !got.Estimated {
			t.Fatalf("seed %d: %d addresses: got %+v", seed, n, got)
		}
	}
}

// Estimates are as good as they are said to be: the errors of sets that have nothing in common are
// within the standard error on average, and none is larger than four of them.
func TestEstimates(t *testing.T) {
	for _, c := range []struct {
		precision uint8
		err       float64
	}{{knownPrecision, 0.0082}, {unknownPrecision, 0.033}} {
		for _, n := range []int{2000, 20_000, 100_000} {
			const sets = 12
			var squares float64
			for i := range sets {
				s := clientSet{precision: c.precision}
				for k := range n {
					s.add(numbered(i*n + k))
				}
				off := float64(s.clients(1<<40).Addresses)/float64(n) - 1
				squares += off * off
				if math.Abs(off) > 4*c.err {
					t.Errorf("precision %d, %d addresses: the estimate is off by %.2f %%", c.precision, n, 100*off)
				}
			}
			mean := math.Sqrt(squares / sets)
			t.Logf("precision %d, %d addresses: off by %.2f %%", c.precision, n, 100*mean)
			if mean > 1.5*c.err {
				t.Errorf("precision %d, %d addresses: off by %.2f %% on average", c.precision, n, 100*mean)
			}
		}
	}
}

// Addresses chosen by their hashes make no estimate larger than the number of requests, or smaller
// than what is known, and registers of any value give an estimate.
func TestChosenClients(t *testing.T) {
	for _, value := range []uint8{0, 1, 20, 50, 51} {
		s := clientSet{precision: knownPrecision, registers: slices.Repeat([]uint8{value}, 1<<knownPrecision)}
		if n := s.estimate(); math.IsNaN(n) || n < 0 {
			t.Errorf("registers of %d: the estimate is %v", value, n)
		}
		if got := s.clients(5000); got.Addresses > 5000 || got.Addresses < 1025 || !got.Estimated {
			t.Errorf("registers of %d: got %+v", value, got)
		}
	}
}

// Parts by strangers whose clients no program wrote are refused.
func TestDamagedClients(t *testing.T) {
	for _, of := range []storedClients{
		{Hashes: make([]byte, 7)},
		{Hashes: make([]byte, 8)}, // the hash 0
		{Hashes: slices.Repeat([]byte{1}, 65*8)},
		{Registers: []byte{}},
		{Registers: make([]byte, 1023)},
		{Registers: slices.Repeat([]byte{56}, 1024)},
		{Registers: make([]byte, 1024), Hashes: slices.Repeat([]byte{1}, 8)},
	} {
		s := clientSet{precision: unknownPrecision}
		if err := s.restore(&of); err == nil {
			t.Errorf("%d bytes of hashes and %d registers were read", len(of.Hashes), len(of.Registers))
		}
	}
}

// A set takes no more memory than its registers, however many clients it has.
func TestMemoryOfClients(t *testing.T) {
	for _, precision := range []uint8{knownPrecision, unknownPrecision} {
		s := clientSet{precision: precision}
		for i := range 5000 {
			s.add(numbered(i))
			if size := 8*cap(s.hashes) + cap(s.registers); size > 1<<precision {
				t.Fatalf("precision %d: %d addresses take %d bytes", precision, i, size)
			}
		}
		if n := testing.AllocsPerRun(100, func() { s.add(numbered(7)) }); n > 0 {
			t.Errorf("adding a client allocates %v times", n)
		}
	}
}
