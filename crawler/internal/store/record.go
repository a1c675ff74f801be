package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
)

// version is the first byte of every value.
const version = 1

// A record is the stored value of a URL that is queued or was done.
type record struct {
	item   Item
	queued bool
	at     position // order is in the key, and not in the value; priority is also kept when not queued
	done   bool
	state  State
}

// The parts of a record, as bits of its second byte. They are stored: never change them.
const (
	isQueued = 1
	isDone   = 2
)

func (r *record) append(b []byte) []byte {
	flags := byte(0)
	if r.queued {
		flags |= isQueued
	}
	if r.done {
		flags |= isDone
	}
	b = append(b, version, flags, r.at.priority, r.item.Partition)
	b = binary.AppendUvarint(b, uint64(r.item.Crawl))
	b = appendText(b, r.item.URL)
	b = binary.AppendUvarint(b, uint64(r.item.Depth))
	// Most links are to the site of their page.
	same := common(r.item.URL, r.item.Via)
	b = binary.AppendUvarint(b, uint64(same))
	b = appendText(b, r.item.Via[same:])
	b = appendText(b, r.item.Hints)
	if r.queued {
		b = binary.AppendUvarint(b, uint64(r.at.due))
		b = binary.AppendUvarint(b, uint64(r.item.Tries))
	}
	if r.done {
		b = r.state.append(b)
	}
	return b
}

func (r *record) decode(b []byte) error {
	c := cursor{b: b}
	c.version()
	flags := c.byte()
	if flags&^(isQueued|isDone) != 0 {
		c.fail("flags %#x", flags)
	}
	*r = record{queued: flags&isQueued != 0, done: flags&isDone != 0}
	r.at.priority, r.item.Partition = c.byte(), c.byte()
	r.item.Crawl = uint16(c.uvarint(math.MaxUint16))
	r.item.URL = string(c.text(MaxURL))
	r.item.Depth = uint32(c.uvarint(math.MaxUint32))
	same := int(c.uvarint(uint64(len(r.item.URL))))
	r.item.Via = r.item.URL[:same]
	if rest := c.text(MaxURL - same); len(rest) > 0 {
		r.item.Via += string(rest)
	}
	r.item.Hints = clone(c.text(MaxHints))
	if r.queued {
		r.at.due = int64(c.uvarint(math.MaxInt64))
		r.item.Tries = uint32(c.uvarint(math.MaxUint32))
	}
	if r.done {
		r.state.decode(&c)
	}
	r.item.Priority, r.item.Due = r.at.priority, instant(r.at.due)
	if r.done {
		r.state.Due = r.item.Due
	}
	return c.end()
}

// append appends all fields except Due, which is in the queue entry.
func (st *State) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(millis(st.Fetched)))
	b = binary.AppendUvarint(b, uint64(st.Status))
	b = appendText(b, upTo(maxETag, st.ETag))
	b = appendText(b, upTo(maxLastModified, st.LastModified))
	b = appendText(b, st.Digest)
	b = binary.LittleEndian.AppendUint64(b, st.Simhash)
	return binary.AppendUvarint(b, uint64(st.Interval/time.Millisecond))
}

func (st *State) decode(c *cursor) {
	st.Fetched = instant(int64(c.uvarint(math.MaxInt64)))
	st.Status = uint16(c.uvarint(math.MaxUint16))
	st.ETag = string(c.text(maxETag))
	st.LastModified = string(c.text(maxLastModified))
	st.Digest = clone(c.text(maxDigest))
	if b := c.next(8); b != nil {
		st.Simhash = binary.LittleEndian.Uint64(b)
	}
	st.Interval = time.Duration(c.uvarint(math.MaxInt64/uint64(time.Millisecond))) * time.Millisecond
}

// common returns the length of the common prefix in bytes.
func common(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// upTo returns text, or "" if it is longer than the limit: a truncated value would be
// wrong.
func upTo(size int, text string) string {
	if len(text) > size {
		return ""
	}
	return text
}

func clone(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return append([]byte(nil), b...)
}

// A part is the stored state of a partition.
type part struct {
	applied uint64 // number of the last applied record of its journal
	order   uint64 // number of the next new URL, in any partition
	Counts
	refused [MaxReasons]int64
}

func (p *part) append(b []byte) []byte {
	b = append(b, version)
	b = binary.AppendUvarint(b, p.applied)
	b = binary.AppendUvarint(b, p.order)
	b = binary.AppendUvarint(b, uint64(p.Hosts))
	b = p.Counts.append(b)
	reasons := MaxReasons
	for reasons > 0 && p.refused[reasons-1] == 0 {
		reasons--
	}
	b = append(b, byte(reasons))
	for _, n := range p.refused[:reasons] {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

func (p *part) decode(b []byte) error {
	c := cursor{b: b}
	c.version()
	*p = part{applied: c.uvarint(math.MaxUint64), order: c.uvarint(math.MaxUint64)}
	p.Hosts = c.count()
	p.Counts.decode(&c)
	for why := range c.uvarint(MaxReasons) {
		p.refused[why] = c.count()
	}
	return c.end()
}

// A hostRecord is the stored value of a host, without its opaque state.
type hostRecord struct {
	origin string
	Counts // Hosts is 1
}

func (h *hostRecord) append(b []byte) []byte {
	b = appendText(append(b, version), h.origin)
	return h.Counts.append(b)
}

func (h *hostRecord) decode(b []byte) error {
	c := cursor{b: b}
	c.version()
	*h = hostRecord{origin: string(c.text(MaxURL))}
	h.Counts.decode(&c)
	h.Hosts = 1
	return c.end()
}

// append appends all counts except Hosts.
func (n *Counts) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(n.Seen))
	b = binary.AppendUvarint(b, uint64(n.Queued))
	return binary.AppendUvarint(b, uint64(n.Done))
}

func (n *Counts) decode(c *cursor) {
	n.Seen, n.Queued, n.Done = c.count(), c.count(), c.count()
}

// decodeState returns the opaque state of a host from its value.
func decodeState(b []byte) ([]byte, error) {
	c := cursor{b: b}
	c.version()
	state := clone(c.b)
	c.b = nil
	return state, c.end()
}

// appendText appends text with its length.
func appendText[T string | []byte](b []byte, text T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// A cursor reads a value, which may have another version or be damaged. Only the first
// error counts; after it, all reads return zero.
type cursor struct {
	b   []byte
	err error
}

func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
	c.b = nil
}

var errCut = errors.New("the value ends too early")

// next returns the next bytes, which must not be modified or kept.
func (c *cursor) next(size int) []byte {
	if size > len(c.b) {
		c.fail("%w", errCut)
		return nil
	}
	b := c.b[:size]
	c.b = c.b[size:]
	return b
}

func (c *cursor) byte() byte {
	if b := c.next(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) version() {
	if v := c.byte(); v != version && c.err == nil {
		c.fail("the value has version %d, and this program knows %d", v, version)
	}
}

// uvarint reads a number up to a limit.
func (c *cursor) uvarint(most uint64) uint64 {
	n, size := binary.Uvarint(c.b)
	switch {
	case size <= 0:
		c.fail("%w", errCut)
		return 0
	case n > most:
		c.fail("the number %d: %d is the most", n, most)
		return 0
	}
	c.b = c.b[size:]
	return n
}

func (c *cursor) count() int64 { return int64(c.uvarint(math.MaxInt64)) }

// text reads a text up to a limit in bytes. The text must not be modified or kept.
func (c *cursor) text(most int) []byte { return c.next(int(c.uvarint(uint64(most)))) }

// end returns the first error. Unread bytes are an error too.
func (c *cursor) end() error {
	if c.err == nil && len(c.b) > 0 {
		c.fail("%d bytes too much", len(c.b))
	}
	return c.err
}
