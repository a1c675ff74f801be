// Package binread reads binary data that may be damaged: numbers, texts and times in
// sequence, as encoding/binary's Append functions write them.
package binread

import (
	"encoding/binary"
	"time"
)

// A Reader reads binary data. After an error Rest is empty, all methods return zero
// values, and Wrong is set: check it once at the end.
type Reader struct {
	Rest  []byte // unread data
	Wrong bool
}

// Fail marks the data as damaged.
func (r *Reader) Fail() { r.Wrong, r.Rest = true, nil }

// Byte returns the next byte.
func (r *Reader) Byte() byte {
	if len(r.Rest) == 0 {
		r.Fail()
		return 0
	}
	c := r.Rest[0]
	r.Rest = r.Rest[1:]
	return c
}

// Number returns a number written by [binary.AppendUvarint].
func (r *Reader) Number() uint64 {
	v, n := binary.Uvarint(r.Rest)
	if n <= 0 {
		r.Fail()
		return 0
	}
	r.Rest = r.Rest[n:]
	return v
}

// Fixed returns a number of eight bytes in little-endian order.
func (r *Reader) Fixed() uint64 {
	if len(r.Rest) < 8 {
		r.Fail()
		return 0
	}
	v := binary.LittleEndian.Uint64(r.Rest)
	r.Rest = r.Rest[8:]
	return v
}

// Text returns a text with its length before it.
func (r *Reader) Text() string { return string(r.Bytes()) }

// Bytes is Text without a copy: it returns a part of the data.
func (r *Reader) Bytes() []byte {
	n := r.Number()
	if n > uint64(len(r.Rest)) {
		r.Fail()
		return nil
	}
	text := r.Rest[:n]
	r.Rest = r.Rest[n:]
	return text
}

// Duration returns a duration in nanoseconds. It is never negative.
func (r *Reader) Duration() time.Duration {
	n := r.Number()
	if n > 1<<63-1 {
		r.Fail()
		return 0
	}
	return time.Duration(n)
}

// Time returns a time in milliseconds since 1970, or the zero time for 0.
func (r *Reader) Time() time.Time {
	ms := r.Number()
	if ms == 0 {
		return time.Time{}
	}
	if ms > 1<<48 {
		r.Fail()
		return time.Time{}
	}
	return time.UnixMilli(int64(ms)).UTC()
}
