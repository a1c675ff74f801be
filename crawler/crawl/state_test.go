package crawl

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// trapped returns a host after visits to endless lists and a calendar.
func trapped(t testing.TB) *host {
	h := &host{origin: "https://example.com"}
	for i := range 300 {
		h.yields.note(parse(t, fmt.Sprintf("https://example.com/pages/%d", i)), true, near)
		h.yields.note(parse(t, fmt.Sprintf("https://example.com/few/%d", i%20)), i < 20, near)
	}
	h.yields.site = 77
	h.pace.Begin(time.UnixMilli(1e12))
	h.pace.End(new(pace.Pauses), time.UnixMilli(1e12+5000), pace.Outcome{Status: 429})
	h.counts.pages, h.counts.bytes = 12, 34567
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

// TestStateKept: a stored state loses suspicions about a host, and nothing else.
func TestStateKept(t *testing.T) {
	h := trapped(t)
	kept := h.appendState(nil)
	if len(kept) > 1000 {
		t.Errorf("the state has %d bytes", len(kept))
	}
	var again host
	fatal.If(t, again.read(kept))
	if !bytes.Equal(again.yields.appendBinary(nil), h.yields.appendBinary(nil)) || again.counts != h.counts {
		t.Errorf("got %+v and %+v, want %+v and %+v", again.yields, again.counts, h.yields, h.counts)
	}
	for _, h := range []*host{h, &again} {
		if got := h.yields.closed(parse(t, "https://example.com/pages/300")); got != "/pages/#" {
			t.Errorf("a shape that is closed is %q", got)
		}
		for _, url := range []string{"https://example.com/few/300", "https://example.com/pages/x",
			"https://example.com/"} {
			if got := h.yields.closed(parse(t, url)); got != "" {
				t.Errorf("%s is in the shape %q, which is closed", url, got)
			}
		}
	}
	for url, want := range map[string]bool{
		"https://example.com/list?a1=2":            false, // a URL of this form was requested before
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

// FuzzState reads arbitrary bytes as states. A readable state must be the same when written and
// read again, apart from times, which are rounded up.
func FuzzState(f *testing.F) {
	f.Add(trapped(f).appendState(nil))
	f.Add(new(host).appendState(nil))
	f.Add([]byte{stateVersion})
	f.Fuzz(func(t *testing.T, state []byte) {
		var h, again host
		if h.read(state) != nil {
			return
		}
		fatal.If(t, again.read(h.appendState(nil)))
		if !bytes.Equal(h.endless.appendBinary(nil), again.endless.appendBinary(nil)) || h.counts != again.counts ||
			!bytes.Equal(h.yields.appendBinary(nil), again.yields.appendBinary(nil)) {
			t.Errorf("%x became %+v, and then %+v", state, h, again)
		}
	})
}
