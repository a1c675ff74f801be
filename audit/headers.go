package audit

import (
	"cmp"
	"slices"
	"strings"
)

// headers are the User-Agents of a row with the smallest hashes, by hash, so that the order of
// the requests does not matter. They are cut to maxHeaderSize.
type headers []hashed[string]

const maxUserAgents = 5

// add adds a header with its hash, if it is one to keep.
func (s *headers) add(hash uint64, header []byte) {
	if len(*s) == maxUserAgents && hash > (*s)[maxUserAgents-1].hash {
		return
	}
	header = cutHeader(header)
	for _, h := range *s {
		if h.hash == hash && h.of == string(header) {
			return
		}
	}
	s.insert(hashed[string]{hash, string(header)})
}

func (s *headers) insert(h hashed[string]) {
	compare := func(g, h hashed[string]) int { return cmp.Or(cmp.Compare(g.hash, h.hash), strings.Compare(g.of, h.of)) }
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

// texts returns the headers as they are reported, sorted. The JSON of a report is the same as that
// of the strings, so they have no invalid bytes.
func (s headers) texts() []string {
	texts := []string{}
	for _, h := range s {
		texts = append(texts, strings.ToValidUTF8(h.of, "\ufffd"))
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// stored returns the headers for a part.
func (s headers) stored() (list [][]byte) {
	for _, h := range s {
		list = append(list, []byte(h.of))
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
		s.add(hashHeader(header), header)
	}
	return nil
}
