package audit

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

// headers are the User-Agents of a row with the smallest hashes, by hash, so that the order of
// the requests does not matter. They are cut to maxHeaderSize.
type headers []hashedName

const (
	maxUserAgents = 5
	maxHeaderSize = 256 // bytes
)

// add adds a header, if it is one to keep.
func (s *headers) add(header []byte) {
	header = header[:min(len(header), maxHeaderSize)]
	// Comparing costs more than a hash, if the headers are alike up to a version, but not for the first.
	if len(*s) > 0 && (*s)[0].name == string(header) {
		return
	}
	hash := hashHeaderText(header)
	for _, h := range *s {
		if h.hash == hash && h.name == string(header) {
			return
		}
	}
	if len(*s) == maxUserAgents && hash > (*s)[maxUserAgents-1].hash {
		return
	}
	s.insert(hashedName{hash, string(header)})
}

func (s *headers) insert(h hashedName) {
	compare := func(g, h hashedName) int { return cmp.Or(cmp.Compare(g.hash, h.hash), strings.Compare(g.name, h.name)) }
	i, found := slices.BinarySearchFunc(*s, h, compare)
	if found || i == maxUserAgents {
		return
	}
	*s = slices.Insert(*s, i, h)
	*s = (*s)[:min(len(*s), maxUserAgents)]
}

// join adds the headers of another row.
func (s *headers) join(others headers) {
	for _, h := range others {
		s.insert(h)
	}
}

// hashHeaderText hashes eight bytes at a time, because robots with many headers need a hash for each
// request. The hash must be the same in every process, because parts are joined.
func hashHeaderText(b []byte) uint64 {
	h := uint64(len(b)) * 0x9e3779b97f4a7c15
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	var last [8]byte
	copy(last[:], b)
	h = (h ^ binary.LittleEndian.Uint64(last[:])) * 0xc4ceb9fe1a85ec53
	return h ^ h>>29
}

// texts returns the headers as they are reported, sorted. The JSON of a report is the same as that of the
// strings, so they have no invalid bytes.
func (s headers) texts() []string {
	texts := []string{}
	for _, h := range s {
		texts = append(texts, strings.ToValidUTF8(h.name, "\ufffd"))
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// stored returns the headers for a part.
func (s headers) stored() (list [][]byte) {
	for _, h := range s {
		list = append(list, []byte(h.name))
	}
	return list
}

// restore adds the headers of a stored part.
func (s *headers) restore(list [][]byte) error {
	if len(list) > maxUserAgents {
		return errDamaged
	}
	for _, header := range list {
		if len(header) > maxHeaderSize {
			return errDamaged
		}
		s.add(header)
	}
	return nil
}
