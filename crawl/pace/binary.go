package pace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/robotsexclusion/robots"
)

// version is the first octet of a host's binary form.
const version = 1

// AppendBinary implements [encoding.BinaryAppender]: what has to survive a restart,
// to the millisecond. A request under way is not noted; see [Host.Resume].
func (h *Host) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, version)
	for _, t := range []time.Time{h.ended, h.blocked, h.struck} {
		ms := int64(0)
		if !t.IsZero() {
			ms = t.UnixMilli() + 1 // rounded up: no pause gets shorter
		}
		b = binary.AppendVarint(b, ms)
	}
	b = binary.AppendVarint(b, int64(h.took))
	b = append(b, byte(h.why))
	b = binary.AppendUvarint(b, uint64(h.strikes))
	b = h.delay.append(b)
	b = binary.AppendUvarint(b, uint64(len(h.rates)))
	for _, r := range h.rates {
		b = r.asked.append(b)
		if r.window == nil {
			b = append(b, 0)
			continue
		}
		b = appendWindow(append(b, 1), *r.window)
	}
	b = binary.AppendUvarint(b, uint64(len(h.visits)))
	for _, w := range h.visits {
		b = appendWindow(b, w)
	}
	return b, nil
}

func (a asked) append(b []byte) []byte {
	b = binary.AppendVarint(b, int64(a.delay))
	return binary.AppendUvarint(b, uint64(a.line))
}

func appendWindow(b []byte, w robots.Window) []byte {
	b = binary.AppendVarint(b, int64(w.From))
	return binary.AppendVarint(b, int64(w.To))
}

// UnmarshalBinary implements [encoding.BinaryUnmarshaler] for what
// [Host.AppendBinary] wrote.
func (h *Host) UnmarshalBinary(data []byte) error {
	if len(data) == 0 || data[0] != version {
		return fmt.Errorf("pace: a host is not in version %d of its form: it was written by another version of this program", version)
	}
	r := reader{data: data[1:]}
	*h = Host{ended: r.time(), blocked: r.time(), struck: r.time(), took: time.Duration(r.varint()), why: Reason(r.octet())}
	h.strikes = int(r.uvarint() & 0xffff)
	h.delay = r.asked()
	for range r.count() {
		this := rate{asked: r.asked()}
		if r.octet() != 0 {
			w := r.window()
			this.window = &w
		}
		h.rates = append(h.rates, this)
	}
	for range r.count() {
		h.visits = append(h.visits, r.window())
	}
	if r.wrong || len(r.data) > 0 {
		*h = Host{}
		return errors.New("pace: a host is not what was written: the file is damaged")
	}
	return nil
}

// A reader reads a binary form. After it came to something wrong, all is zero.
type reader struct {
	data  []byte
	wrong bool
}

func (r *reader) fail() {
	r.wrong, r.data = true, nil
}

func (r *reader) octet() byte {
	if len(r.data) == 0 {
		r.fail()
		return 0
	}
	c := r.data[0]
	r.data = r.data[1:]
	return c
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.data)
	if n <= 0 || v < 0 {
		r.fail()
		return 0
	}
	r.data = r.data[n:]
	return v
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.data = r.data[n:]
	return v
}

// count returns the number of records, which is never large.
func (r *reader) count() int {
	n := r.uvarint()
	if n > mostRecords {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) time() time.Time {
	ms := r.varint()
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func (r *reader) asked() asked {
	return asked{time.Duration(r.varint()), int(r.uvarint() & 0x7fffffff)}
}

func (r *reader) window() robots.Window {
	return robots.Window{From: time.Duration(r.varint()), To: time.Duration(r.varint())}
}
