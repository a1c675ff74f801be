package audit

import (
	"encoding/binary"
	"errors"
	"math"
)

// A storedSample is some entries of a sample. Headers and logs are bytes, because a header need not
// be UTF-8. Its names are stored in parts.
type storedSample struct {
	Callers bool     `json:"callers,omitempty"` // of robots and programs
	Total   int64    `json:"total,omitempty"`   // in the first only
	Limit   uint64   `json:"limit,string"`
	Headers [][]byte `json:"headers,omitempty"`
	Logs    [][]byte `json:"logs,omitempty"`
	Entries []byte   `json:"entries,omitempty"`
}

// maxStoredEntries is the maximum number of entries in a line of a stored part.
const maxStoredEntries = 4096

// stored returns a settled sample as lines of a stored part. Equal samples are stored alike.
func (s *sample) stored(callers bool) (lines []storedSample) {
	total := s.total
	for keys := s.settled; ; keys = keys[maxStoredEntries:] {
		var headers, logs interner
		line := storedSample{Callers: callers, Total: total, Limit: s.limit}
		for _, key := range keys[:min(len(keys), maxStoredEntries)] {
			e := s.entries[key.place]
			e.header, e.log = headers.take(&s.headers, e.header), logs.take(&s.logs.interner, e.log)
			line.Entries = e.appendTo(line.Entries)
		}
		line.Headers, line.Logs = headers.all(), logs.all()
		lines = append(lines, line)
		total = 0
		if len(keys) <= maxStoredEntries {
			return lines
		}
	}
}

// appendTo appends an entry in the form of stored parts: three hashes of eight bytes in little
// endian order, the address, four bytes, and varints.
func (e *entry) appendTo(b []byte) []byte {
	for _, n := range []uint64{e.hash, e.path, e.template} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	b = append(b, e.client[:]...)
	referred := boolByte(e.referred)
	b = append(b, byte(e.class), byte(e.method), e.status, referred)
	for _, n := range []int64{e.second, e.number, e.line, e.count, int64(e.header), int64(e.log),
		int64(e.closed), int64(e.referrer)} {
		b = binary.AppendVarint(b, n)
	}
	return b
}

const fixedEntry = 3*8 + 16 + 4

var errSample = errors.New("a sample of requests is damaged")

// restore adds the entries of a line of a stored part.
func (s *sample) restore(line *storedSample) error {
	s.total += line.Total
	s.limit = min(s.limit, line.Limit)
	for _, header := range line.Headers {
		if len(header) > maxHeaderSize {
			return errSample
		}
	}
	for b := line.Entries; len(b) > 0; {
		var e entry
		var ok bool
		if e, b, ok = readEntry(b); !ok || int(e.header) >= len(line.Headers) || int(e.log) >= len(line.Logs) {
			return errSample
		}
		if e.hash <= s.limit {
			header, log := line.Headers[e.header], line.Logs[e.log]
			mine := s.next()
			*mine = e
			mine.header, mine.log = s.headers.number(text(header), secretHash(header)), s.logs.number(text(log),
				secretHash(log))
		}
	}
	return nil
}

// readEntry reads an entry, and returns the bytes after it.
func readEntry(b []byte) (e entry, rest []byte, ok bool) {
	if len(b) < fixedEntry {
		return e, nil, false
	}
	e.hash, e.path, e.template = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]),
		binary.LittleEndian.Uint64(b[16:])
	e.client = [16]byte(b[24:40])
	e.traits = traits{targetClass(b[40]), methodClass(b[41]), b[42], b[43] == 1}
	b = b[fixedEntry:]
	var numbers [8]int64
	for i := range numbers {
		n, size := binary.Varint(b)
		if size <= 0 {
			return e, nil, false
		}
		numbers[i], b = n, b[size:]
	}
	e.second, e.number, e.line, e.count = numbers[0], numbers[1], numbers[2], numbers[3]
	if max(e.second, -e.second) > maxSecond || e.number < -1 || e.line < 0 || e.count < 1 || e.count > 1<<48 ||
		min(numbers[4], numbers[5]) < 0 || max(numbers[4], numbers[5]) >= maxStoredEntries ||
		min(numbers[6], numbers[7]) < 0 || max(numbers[6], numbers[7]) > math.MaxUint32 ||
		(numbers[7] != 0) != e.referred {
		return e, nil, false
	}
	e.header, e.log = uint32(numbers[4]), uint32(numbers[5])
	e.closed, e.referrer = uint32(numbers[6]), uint32(numbers[7])
	return e, b, true
}
