package natscache

import (
	"testing"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// stored1 is a value of the bucket as existing buckets have it.
const stored1 = "1\n" +
	`{"origin":"https://a.example","state":"ok","checked_at":"2026-11-02T03:04:05Z","url":"https://a.example/robots.txt","status":200,"fresh_until":"2026-11-03T03:04:05Z",` +
	`"file":{"fetched_at":"2026-11-02T03:04:05Z","confirmed_at":"2026-11-02T03:04:05Z","url":"https://a.example/robots.txt","sha256":"a92d287a72a3f39a55e2848ec6af83163ae1c28172d2e2d89a45a105db0e2540","size":27},"sum":"de1dbd06a5d5c7a5"}` + "\n" +
	"User-agent: *\nDisallow: /x\n"

// TestStored checks that values and keys stay the same: instances of several versions share them.
func TestStored(t *testing.T) {
	e, err := decode([]byte(stored1), "https://a.example", time.Date(2026, 11, 2, 4, 0, 0, 0, time.UTC))
	fatal.If(t, err)
	if e.State != fetch.OK || e.File.Policy.String() != "User-agent: *\nDisallow: /x\n" {
		t.Errorf("got %+v", e)
	}
	if again, err := fetch.EncodeEntry(e); err != nil || string(again) != stored1 {
		t.Errorf("got %q, %v, want %q", again, err, stored1)
	}
	if got, want := keyOf("https://a.example").String(), "38612c965a9c4c35d713439919804ad9"; got != want {
		t.Errorf("got the key %s, want %s", got, want)
	}
	if k, ok := parseKey(keyOf("https://a.example").String()); !ok || k != keyOf("https://a.example") {
		t.Error("the key cannot be read")
	}
	for _, name := range []string{"", probe, "38612c965a9c4c35d713439919804ad", "38612c965a9c4c35d713439919804ad9x",
		"38612c965a9c4c35d713439919804adg"} {
		if k, ok := parseKey(name); ok {
			t.Errorf("%q: got %v", name, k)
		}
	}
}

// TestNewer checks which of two entries is used.
func TestNewer(t *testing.T) {
	now := time.Now()
	file := new(fetch.File)
	at := func(state fetch.State, minutes int, f *fetch.File) *fetch.Entry {
		checked := now.Add(time.Duration(minutes) * time.Minute)
		return &fetch.Entry{State: state, CheckedAt: checked, FreshUntil: checked.Add(time.Hour), File: f}
	}
	old, fresh := at(fetch.OK, -90, file), at(fetch.OK, -30, file)
	gone, failed := at(fetch.Unavailable, -10, nil), at(fetch.Unreachable, -1, nil)
	withFile := at(fetch.Unreachable, -1, file)
	for i, c := range []struct{ one, other, want *fetch.Entry }{
		{nil, nil, nil}, {old, nil, old}, {old, fresh, fresh}, {fresh, gone, gone}, {fresh, failed, fresh},
		{gone, failed, gone},
		{failed, at(fetch.Unreachable, -5, nil), failed}, {at(fetch.Unreachable, -5, nil), withFile, withFile},
	} {
		for _, pair := range [][2]*fetch.Entry{{c.one, c.other}, {c.other, c.one}} {
			if got := newer(pair[0], pair[1], now); got != c.want {
				t.Errorf("%d: got %+v, want %+v", i, got, c.want)
			}
		}
	}
	for _, pair := range [][2]*fetch.Entry{{old, failed}, {failed, old}, {withFile, failed}, {failed, withFile},
		{at(fetch.Unreachable, -9, file), failed}} {
		if got := newer(pair[0], pair[1], now); got.State != fetch.Unreachable || got.File != file {
			t.Errorf("a failure after a text: got %+v", got)
		}
	}
}
