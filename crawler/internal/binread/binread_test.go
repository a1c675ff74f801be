package binread

import (
	"encoding/binary"
	"testing"
	"time"
)

func TestReader(t *testing.T) {
	at := time.UnixMilli(1_800_000_000_123).UTC()
	b := []byte{7}
	b = binary.AppendUvarint(b, 300)
	b = binary.LittleEndian.AppendUint64(b, 1<<63)
	b = append(binary.AppendUvarint(b, 3), "abc"...)
	b = binary.AppendUvarint(b, uint64(time.Hour))
	b = binary.AppendUvarint(b, uint64(at.UnixMilli()))
	b = binary.AppendUvarint(b, 0)
	read := func(b []byte) (ok bool) {
		r := Reader{Rest: b}
		same := r.Byte() == 7 && r.Number() == 300 && r.Fixed() == 1<<63 && r.Text() == "abc" &&
			r.Duration() == time.Hour && r.Time().Equal(at) && r.Time().IsZero()
		return same && !r.Wrong && len(r.Rest) == 0
	}
	if !read(b) {
		t.Error("what was written is not read")
	}
	for n := range b {
		if read(b[:n]) {
			t.Errorf("%d octets are enough", n)
		}
	}
	for _, wrong := range [][]byte{binary.AppendUvarint(nil, 1<<63), binary.AppendUvarint(nil, 1<<62)} {
		d, at := Reader{Rest: wrong}, Reader{Rest: wrong}
		if d.Duration(); wrong[0] == 0x80 && len(wrong) == 10 && !d.Wrong {
			t.Error("a duration is negative")
		}
		if at.Time(); !at.Wrong {
			t.Error("a time is beyond all years")
		}
	}
}
