package pace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/crawler/internal/binread"
)

// The first byte of a host's binary form. Version 1 has no address at its end.
const (
	version  = 2
	version1 = 1
)

// unsureBit is set in the reason of a host that is unsure. It is stored: never change it.
const unsureBit Reason = 0x80

// AppendBinary implements [encoding.BinaryAppender]: the state that must survive a
// restart, to the millisecond. An open request is not included; see [Host.Resume].
func (h *Host) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, version)
	for _, t := range []time.Time{h.ended, h.blocked, h.struck} {
		ms := int64(0)
		if !t.IsZero() {
			ms = t.UnixMilli() + 1 // rounded up, so that no pause gets shorter
		}
		b = binary.AppendUvarint(b, uint64(max(ms, 0)))
	}
	b = binary.AppendUvarint(b, uint64(h.took))
	why := h.why
	if h.unsure {
		why |= unsureBit
	}
	b = append(b, byte(why))
	b = binary.AppendUvarint(b, uint64(h.strikes))
	b = h.delay.append(b)
	b = binary.AppendUvarint(b, uint64(len(h.rates)))
	for _, r := range h.rates {
		b = r.pause.append(b)
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
	addr := h.place.addr.AsSlice()
	b = binary.AppendUvarint(b, uint64(len(addr)))
	b = append(b, addr...)
	if len(addr) > 0 {
		b = binary.AppendUvarint(b, uint64(max(h.place.since.UnixMilli()+1, 0)))
		b = binary.AppendUvarint(b, uint64(h.place.count))
	}
	return b, nil
}

// readPlace reads the place of the last request.
func (r *reader) readPlace() (p place) {
	text := r.Bytes()
	if len(text) == 0 {
		return p
	}
	addr, ok := netip.AddrFromSlice(text)
	if p = (place{addr, r.Time(), int(r.Number() & 0x7fffffff)}); !ok {
		r.Fail()
	}
	return p
}

func (a pause) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(a.delay))
	return binary.AppendUvarint(b, uint64(a.line))
}

func appendWindow(b []byte, w robots.Window) []byte {
	b = binary.AppendUvarint(b, uint64(w.From))
	return binary.AppendUvarint(b, uint64(w.To))
}

// UnmarshalBinary implements [encoding.BinaryUnmarshaler] for the form that
// [Host.AppendBinary] writes.
func (h *Host) UnmarshalBinary(data []byte) error {
	if len(data) == 0 || data[0] != version && data[0] != version1 {
		return fmt.Errorf("pace: a host is not in version %d of its form: it was written by another version of this program", version)
	}
	r := reader{binread.Reader{Rest: data[1:]}}
	*h = Host{ended: r.Time(), blocked: r.Time(), struck: r.Time(), took: r.Duration(), why: Reason(r.Byte())}
	h.strikes = int(r.Number() & 0xffff)
	h.why, h.unsure = h.why&^unsureBit, h.why&unsureBit != 0
	h.delay = r.pause()
	for range r.count() {
		this := rate{pause: r.pause()}
		if r.Byte() != 0 {
			w := r.window()
			this.window = &w
		}
		h.rates = append(h.rates, this)
	}
	for range r.count() {
		h.visits = append(h.visits, r.window())
	}
	if data[0] != version1 {
		h.place = r.readPlace()
	}
	if r.Wrong || len(r.Rest) > 0 {
		*h = Host{}
		return errors.New("pace: a host is not what was written: the file is damaged")
	}
	return nil
}

// A reader reads the binary form of a host.
type reader struct{ binread.Reader }

// count returns the number of records, which is small.
func (r *reader) count() int {
	n := r.Number()
	if n > maxRecords {
		r.Fail()
		return 0
	}
	return int(n)
}

func (r *reader) pause() pause { return pause{r.Duration(), int(r.Number() & 0x7fffffff)} }

func (r *reader) window() robots.Window { return robots.Window{From: r.Duration(), To: r.Duration()} }
