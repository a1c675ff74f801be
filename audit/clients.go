package audit

import (
	"encoding/binary"
	"math"
	"math/bits"
	"net/netip"
	"slices"
)

// Clients counts the different addresses of clients. Requests without an address are in no count.
type Clients struct {
	Addresses int64 `json:"addresses"`

	// Estimated says that Addresses is an estimate. It is one above 1,024 addresses of a robot of
	// the table, with a standard error of 0.8 %, and above 64 addresses of another robot, with a
	// standard error of 3.3 %.
	Estimated bool `json:"estimated"`
}

// A clientSet counts addresses. It has the hashes of all addresses, or, if there are too many,
// registers (HyperLogLog: Flajolet, Fusy, Gandouet, Meunier 2007). There is a register for each
// value of the first bits of a hash; it has 1 plus the largest number of zeros after these bits.
// Hashes, registers and the choice between them depend only on the set of addresses.
type clientSet struct {
	precision uint8 // the number of first bits
	last      uint64
	count     int      // of hashes
	hashes    []uint64 // by their last bits, or in a slot after that; 0 is free. Half of the slots at least are free
	registers []uint8  // nil while there are hashes
}

// The precision of sets. The set of a robot of the table takes up to 16 KiB; that of another robot
// takes up to 1 KiB, because strangers choose the number of such robots. Sets are stored in parts,
// so the precisions never change.
const (
	knownPrecision   = 14
	unknownPrecision = 10
)

// most is the maximum number of hashes, whose slots take no more memory than registers.
func (s *clientSet) most() int { return 1 << s.precision / 16 }

// add adds the address of a client.
func (s *clientSet) add(client netip.Addr) {
	if client.IsValid() {
		s.addHash(hashClient(client))
	}
}

// hashClient returns the hash of an address, which is not 0: that of hashBytes for its 16 bytes.
func hashClient(client netip.Addr) uint64 {
	upper, lower := halves(client)
	hash := mix(mix(seedClient, 16)^upper, lower)
	return max(1, mix(hash, hash>>32))
}

func (s *clientSet) addHash(hash uint64) {
	switch {
	case hash == s.last:
		return
	case s.registers != nil:
		s.register(hash)
		return
	case 2*(s.count+1) > len(s.hashes):
		s.grow()
	}
	s.last = hash
	slot := s.slot(hash)
	if s.hashes[slot] == hash {
		return
	}
	if s.count == s.most() {
		s.condense()
		s.register(hash)
		return
	}
	s.hashes[slot] = hash
	s.count++
}

// slot returns the slot of a hash, or the free one for it.
func (s *clientSet) slot(hash uint64) int {
	slot := int(hash) & (len(s.hashes) - 1)
	for s.hashes[slot] != 0 && s.hashes[slot] != hash {
		slot = (slot + 1) & (len(s.hashes) - 1)
	}
	return slot
}

// grow doubles the number of slots, up to that of most hashes.
func (s *clientSet) grow() {
	if len(s.hashes) >= 2*s.most() {
		return
	}
	old := s.hashes
	s.hashes = make([]uint64, max(4, 2*len(old)))
	for _, hash := range old {
		if hash != 0 {
			s.hashes[s.slot(hash)] = hash
		}
	}
}

// condense replaces the hashes by registers.
func (s *clientSet) condense() {
	s.registers = make([]uint8, 1<<s.precision)
	for _, hash := range s.hashes {
		if hash != 0 {
			s.register(hash)
		}
	}
	s.hashes, s.count = nil, 0
}

func (s *clientSet) register(hash uint64) {
	zeros := bits.LeadingZeros64(hash<<s.precision | 1<<(s.precision-1)) // of the bits after the first ones
	i := hash >> (64 - s.precision)
	if n := uint8(zeros + 1); n > s.registers[i] {
		s.registers[i] = n
	}
}

// join adds the addresses of a set of the same precision.
func (s *clientSet) join(other *clientSet) {
	if other.registers != nil {
		if s.registers == nil {
			s.condense()
		}
		for i, n := range other.registers {
			s.registers[i] = max(s.registers[i], n)
		}
	}
	for _, hash := range other.hashes {
		if hash != 0 {
			s.addHash(hash)
		}
	}
}

// clients returns the number of addresses of some requests.
func (s *clientSet) clients(requests int64) Clients {
	if s.registers == nil {
		return Clients{Addresses: int64(s.count)}
	}
	// Strangers can choose addresses whose hashes make an estimate too large, but not more
	// addresses than requests.
	n := min(s.estimate(), float64(requests))
	return Clients{Addresses: max(int64(math.Round(n)), int64(s.most())+1), Estimated: true}
}

// estimate returns the estimate by the registers: Ertl, New cardinality estimation algorithms for
// HyperLogLog sketches (2017), algorithm 6, which needs no table of corrections. The conversions
// keep processors from rounding sums of products only once, so that all processors give the same
// estimate.
func (s *clientSet) estimate() float64 {
	var counts [66]float64 // of registers, by value
	for _, n := range s.registers {
		counts[n]++
	}
	m, largest := float64(len(s.registers)), 64-int(s.precision)
	z := m * tau(1-counts[largest+1]/m)
	for k := largest; k >= 1; k-- {
		z = 0.5 * (z + counts[k])
	}
	z += float64(m * sigma(counts[0]/m))
	return m * m / (2 * math.Ln2 * z)
}

func sigma(x float64) float64 {
	if x == 1 {
		return math.Inf(1)
	}
	for y, z := 1.0, x; ; y += y {
		x *= x
		last := z
		if z += float64(x * y); z == last {
			return z
		}
	}
}

func tau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	for y, z := 0.5, 1-x; ; y *= 0.5 {
		x = math.Sqrt(x)
		last := z
		if z -= float64((1 - x) * (1 - x) * y); z == last {
			return z / 3
		}
	}
}

// storedClients are a set in a part: the hashes in order, of eight bytes each, or the registers.
type storedClients struct {
	Hashes    []byte `json:"hashes,omitempty"`
	Registers []byte `json:"registers,omitempty"`
}

// stored returns a set for a part, or nil if it is empty.
func (s *clientSet) stored() *storedClients {
	if s.registers != nil {
		return &storedClients{Registers: s.registers}
	}
	if s.count == 0 {
		return nil
	}
	out := &storedClients{}
	for _, hash := range slices.Sorted(slices.Values(s.hashes)) {
		if hash != 0 {
			out.Hashes = binary.LittleEndian.AppendUint64(out.Hashes, hash)
		}
	}
	return out
}

// restore adds a set of a part.
func (s *clientSet) restore(of *storedClients) error {
	if of == nil {
		return nil
	}
	if len(of.Hashes)%8 != 0 || len(of.Hashes) > 8*s.most() || of.Registers != nil &&
		(len(of.Registers) != 1<<s.precision || len(of.Hashes) > 0) {
		return errDamaged
	}
	for hashes := of.Hashes; len(hashes) > 0; hashes = hashes[8:] {
		hash := binary.LittleEndian.Uint64(hashes)
		if hash == 0 {
			return errDamaged
		}
		s.addHash(hash)
	}
	if of.Registers != nil && slices.Max(of.Registers) > 65-s.precision {
		return errDamaged
	}
	if of.Registers != nil {
		s.join(&clientSet{precision: s.precision, registers: of.Registers})
	}
	return nil
}
