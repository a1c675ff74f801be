package pace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/octets"
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
		b = binary.AppendUvarint(b, uint64(max(ms, 0)))
	}
	b = binary.AppendUvarint(b, uint64(h.took))
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
	b = binary.AppendUvarint(b, uint64(a.delay))
	return binary.AppendUvarint(b, uint64(a.line))
}

func appendWindow(b []byte, w robots.Window) []byte {
	b = binary.AppendUvarint(b, uint64(w.From))
	return binary.AppendUvarint(b, uint64(w.To))
}

// UnmarshalBinary implements [encoding.BinaryUnmarshaler] for what
// [Host.AppendBinary] wrote.
func (h *Host) UnmarshalBinary(data []byte) error {
	if len(data) == 0 || data[0] != version {
		return fmt.Errorf("pace: a host is not in version %d of its form: it was written by another version of this program", version)
	}
	r := reader{octets.Reader{Rest: data[1:]}}
	*h = Host{ended: r.Time(), blocked: r.Time(), struck: r.Time(), took: r.Duration(), why: Reason(r.Octet())}
	h.strikes = int(r.Number() & 0xffff)
	h.delay = r.asked()
	for range r.count() {
		this := rate{asked: r.asked()}
		if r.Octet() != 0 {
			w := r.window()
			this.window = &w
		}
		h.rates = append(h.rates, this)
	}
	for range r.count() {
		h.visits = append(h.visits, r.window())
	}
	if r.Wrong || len(r.Rest) > 0 {
		*h = Host{}
		return errors.New("pace: a host is not what was written: the file is damaged")
	}
	return nil
}

// A reader reads the binary form of a host.
type reader struct{ octets.Reader }

// count returns the number of records, which is never large.
func (r *reader) count() int {
	n := r.Number()
	if n > mostRecords {
		r.Fail()
		return 0
	}
	return int(n)
}

func (r *reader) asked() asked { return asked{r.Duration(), int(r.Number() & 0x7fffffff)} }

func (r *reader) window() robots.Window { return robots.Window{From: r.Duration(), To: r.Duration()} }
