package crawl

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawl/pace"
	"github.com/robotsexclusion/robots/crawl/result"
)

// trapped returns a host that has given endless lists and a calendar.
func trapped(t testing.TB) *host {
	h := &host{origin: "https://example.com", barren: 70, repeats: 3}
	h.pace.Begin(time.UnixMilli(1e12))
	h.pace.End(new(pace.Manners), time.UnixMilli(1e12+5000), pace.Outcome{Status: 429})
	h.counts.pages, h.counts.octets = 12, 34567
	h.counts.reasons[result.Trap] = 5
	for i := range 200 {
		h.endless.refuses(parse(t, fmt.Sprintf("https://example.com/list?a%d=1", i)))
		h.endless.refuses(parse(t, fmt.Sprintf("https://example.com/filter?by=%d&by=2", i)))
		h.endless.refuses(parse(t, fmt.Sprintf("https://example.com/few?a%d=1", i%10)))
		u := parse(t, fmt.Sprintf("https://example.com/days/%d/%02d", 1990+i/12, 1+i%12))
		if !h.endless.refuses(u) {
			h.endless.visited(u)
		}
	}
	return h
}

// TestStateKept has a host forget what it only suspects, and nothing else.
func TestStateKept(t *testing.T) {
	h := trapped(t)
	kept := h.appendState(nil)
	if len(kept) > 1000 {
		t.Errorf("the state has %d octets", len(kept))
	}
	var again host
	if err := again.read(kept); err != nil {
		t.Fatal(err)
	}
	if again.barren != h.barren || again.repeats != h.repeats || again.counts != h.counts {
		t.Errorf("got %d, %d and %+v, want %d, %d and %+v", again.barren, again.repeats, again.counts, h.barren, h.repeats, h.counts)
	}
	for url, want := range map[string]bool{
		"https://example.com/list?a1=2":            false, // asked for like this before
		"https://example.com/list?a1=2&b=3":        true,
		"https://example.com/filter?by=201&by=2":   true,
		"https://example.com/filter?by=201":        false,
		"https://example.com/few?new=1":            false,
		"https://example.com/days/2001/01":         true,
		"https://example.com/nights/2001/01":       false,
		"https://example.com/articles?a=1&a=2&a=3": false,
	} {
		for _, h := range []*host{h, &again} {
			if got := h.endless.refuses(parse(t, url)); got != want {
				t.Errorf("%s: refused is %v, want %v (kept: %v)", url, got, want, h == &again)
			}
		}
	}
}

// FuzzState reads states that may be anything, and what it can read it reads again the
// same, but for times, which are rounded up.
func FuzzState(f *testing.F) {
	f.Add(trapped(f).appendState(nil))
	f.Add(new(host).appendState(nil))
	f.Add([]byte{stateVersion})
	f.Fuzz(func(t *testing.T, state []byte) {
		var h, again host
		if h.read(state) != nil {
			return
		}
		if err := again.read(h.appendState(nil)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(h.endless.appendBinary(nil), again.endless.appendBinary(nil)) || h.counts != again.counts ||
			h.barren != again.barren || h.repeats != again.repeats {
			t.Errorf("%x became %+v, and then %+v", state, h, again)
		}
	})
}
