package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

// A message in a stream is a header and a body. The body has the records one after
// another, each after its length as an unsigned varint. Numbers of the header are
// little-endian:
//
//	 0  "rj1", the format
//	 3  kind of message: a letter
//	 4  CRC-32C of all bytes after this field
//	 8  partition
//	12  number of records
//	16  bytes of the body, before compression
//	20  0 if the body is not compressed, 1 if it is compressed with Zstandard (RFC 8878)
//	21  1 if the owner is a session of a fleet
//	24  epoch of the partition: how often it was claimed
//	32  owner: a random number, or a session of a fleet
//	40  number of the message in its log, from 1 on, without gaps
//	48  position of the last record of the log before this message, or 0. Above
//	    2^63 the position is relative: 2^48 less its upper 48 bits is the number of
//	    messages of the stream from that record's message to this one
//	56  body
const (
	format     = "rj1"
	headerSize = 56
	maxBody    = 2 * (MaxRecord + binary.MaxVarintLen32) // a full message less a byte, and a record
	maxRecords = 1 << 16
)

// The kinds of messages. They are stored: never change them.
const (
	claimKind   = 'c' // the partition has a new owner; no records
	sessionKind = 's' // the same, and the owner is a session of a fleet; no records
	releaseKind = 'f' // the partition is free: its owner has released it; no records
	recordKind  = 'r' // records of the log
	markKind    = 'm' // keeps the end of the log after a trim; no records
	inboxKind   = 'i' // records of an inbox; epoch, owner, number and position are 0
)

// A header is the decoded header of a message.
type header struct {
	kind      byte
	partition int
	records   int
	bytes     int
	packed    bool
	session   bool // the owner is a session
	epoch     uint64
	owner     uint64
	number    uint64
	before    uint64
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// put writes the header to the beginning of a message. The body must already be in data:
// the checksum covers it.
func (h header) put(data []byte) {
	copy(data, format)
	data[3] = h.kind
	binary.LittleEndian.PutUint32(data[8:], uint32(h.partition))
	binary.LittleEndian.PutUint32(data[12:], uint32(h.records))
	binary.LittleEndian.PutUint32(data[16:], uint32(h.bytes))
	clear(data[20:24])
	if h.packed {
		data[20] = 1
	}
	if h.session {
		data[21] = 1
	}
	binary.LittleEndian.PutUint64(data[24:], h.epoch)
	binary.LittleEndian.PutUint64(data[32:], h.owner)
	binary.LittleEndian.PutUint64(data[40:], h.number)
	binary.LittleEndian.PutUint64(data[48:], h.before)
	binary.LittleEndian.PutUint32(data[4:], crc32.Checksum(data[8:], castagnoli))
}

// parse reads the header of a message, and verifies the checksum of the message.
func parse(data []byte) (h header, err error) {
	if len(data) < headerSize || string(data[:len(format)]) != format {
		return h, errors.New("it is not a message of a journal")
	}
	if sum, want := crc32.Checksum(data[8:], castagnoli), binary.LittleEndian.Uint32(data[4:]); sum != want {
		return h, fmt.Errorf("its checksum is %08x, it says %08x", sum, want)
	}
	partition, records, size := binary.LittleEndian.Uint32(data[8:]), binary.LittleEndian.Uint32(data[12:]),
		binary.LittleEndian.Uint32(data[16:])
	if records > maxRecords || size > maxBody {
		return h, fmt.Errorf("it says it has %d records and %d bytes, more than are ever written", records, size)
	}
	h = header{
		kind: data[3], partition: int(partition), records: int(records), bytes: int(size), packed: data[20] == 1,
		session: data[21] == 1,
		epoch:   binary.LittleEndian.Uint64(data[24:]), owner: binary.LittleEndian.Uint64(data[32:]),
		number: binary.LittleEndian.Uint64(data[40:]), before: binary.LittleEndian.Uint64(data[48:]),
	}
	switch h.kind {
	case recordKind, inboxKind, claimKind, sessionKind, releaseKind, markKind:
	default:
		return h, fmt.Errorf("it is of the unknown kind %q", h.kind)
	}
	return h, nil
}

// each calls fn for the records of a message, numbered from 0 on. A compressed body is
// decoded into buf. each returns buf for the next message.
func (h header) each(data, buf []byte, decoder *zstd.Decoder, fn func(i int, record []byte) error) ([]byte, error) {
	body := data[headerSize:]
	if h.packed {
		var err error
		if buf, err = decoder.DecodeAll(body, buf[:0]); err != nil {
			return buf, damage{fmt.Errorf("it cannot be unpacked: %w", err)}
		}
		body = buf
	}
	if len(body) != h.bytes {
		return buf, damage{fmt.Errorf("it has %d bytes, it says %d", len(body), h.bytes)}
	}
	for i := range h.records {
		length, n := binary.Uvarint(body)
		if n <= 0 || length > uint64(len(body)-n) {
			return buf, damage{fmt.Errorf("record %d of %d goes beyond its end", i, h.records)}
		}
		if err := fn(i, body[n:n+int(length):n+int(length)]); err != nil {
			return buf, err
		}
		body = body[n+int(length):]
	}
	if len(body) > 0 {
		return buf, damage{fmt.Errorf("%d bytes follow its last record", len(body))}
	}
	return buf, nil
}

// A damage is an error of a message, not of its reader.
type damage struct{ error }

func newDecoder() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(maxBody))
}

// A message is being filled, is pending, or is being sent.
type message struct {
	lane   *lane
	owner  *Partition // nil in an inbox
	kind   byte
	behind Tail // of the log, for a claim of a session
	since  time.Time
	count  int
	size   int       // bytes counted in the backlog
	pack   sync.Once // of raw, into data
	raw    *[]byte
	data   []byte
	head   header
	length int // of data

	done chan struct{} // closed when seq and err are set
	seq  uint64
	err  error
}

func (m *message) add(record []byte) {
	b := binary.AppendUvarint(*m.raw, uint64(len(record)))
	*m.raw = append(b, record...)
	m.count++
}

// seal compresses the records, once.
func (m *message) seal() {
	m.pack.Do(func() {
		j := m.lane.stream.journal
		m.head = header{kind: m.kind, partition: m.lane.partition, records: m.count, bytes: len(*m.raw)}
		scratch := j.buffers.get()
		data := append(*scratch, make([]byte, headerSize)...)
		if len(*m.raw) > 64 {
			data = j.encoder.EncodeAll(*m.raw, data)
		}
		if m.head.packed = len(data) > headerSize && len(data) < headerSize+len(*m.raw); !m.head.packed {
			data = append(data[:headerSize], *m.raw...)
		}
		*scratch = data
		m.data, m.length = slices.Clone(data), len(data) // cloned to its exact size: many messages may be pending
		j.buffers.put(scratch)
		j.buffers.put(m.raw)
		m.raw = nil
	})
}

// buffers are those for messages of one size. With many partitions most messages are short, so
// buffers start small. A buffer that has grown is reused at its size.
type buffers struct {
	pool sync.Pool
	size int
}

// get returns an empty buffer, and put takes the buffer back.
func (f *buffers) get() *[]byte {
	if b, ok := f.pool.Get().(*[]byte); ok {
		*b = (*b)[:0]
		return b
	}
	b := make([]byte, 0, min(f.size, 4<<10))
	return &b
}

func (f *buffers) put(b *[]byte) {
	if b != nil && cap(*b) <= 4*f.size {
		f.pool.Put(b)
	}
}
