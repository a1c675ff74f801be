package fetch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// encoded1 is an entry in form 1, as it is stored elsewhere.
const encoded1 = "1\n" +
	`{"origin":"http://a.example","state":"ok","checked_at":"2026-11-02T03:04:05Z","url":"http://a.example/robots.txt","status":200,"fresh_until":"2026-11-03T03:04:05Z",` +
	`"file":{"fetched_at":"2026-11-02T03:04:05Z","confirmed_at":"2026-11-02T03:04:05Z","url":"http://a.example/robots.txt","sha256":"a92d287a72a3f39a55e2848ec6af83163ae1c28172d2e2d89a45a105db0e2540","size":27},"sum":"dfea640733b0bf80"}` + "\n" +
	"User-agent: *\nDisallow: /x\n"

// TestEncoded compares the bytes of an entry with those that are stored.
func TestEncoded(t *testing.T) {
	e, err := fetch.DecodeEntry([]byte(encoded1))
	fatal.If(t, err)
	if e.Origin != site || e.State != fetch.OK || e.File.Policy.String() != "User-agent: *\nDisallow: /x\n" {
		t.Errorf("got %+v", e)
	}
	if again, err := fetch.EncodeEntry(e); err != nil || string(again) != encoded1 {
		t.Errorf("got %q, %v, want %q", again, err, encoded1)
	}
	for what, data := range map[string]string{
		"nothing":        "",
		"form":           "2" + encoded1[1:],
		"no line":        "1\n",
		"a changed line": strings.Replace(encoded1, "200", "404", 1),
		"a changed text": strings.Replace(encoded1, "/x", "/y", 1),
		"a cut text":     encoded1[:len(encoded1)-1],
		"more text":      encoded1 + "x",
		"a null":         "1\nnull\n",
	} {
		if e, err := fetch.DecodeEntry([]byte(data)); !errors.Is(err, fetch.ErrCorrupt) || e != nil {
			t.Errorf("%s: got %v, %v", what, e, err)
		}
	}
}

// FuzzDecodeEntry decodes a line of any content, with a valid sum, and any text. A decoded entry
// can be used, and is encoded as bytes that are decoded to the same.
func FuzzDecodeEntry(f *testing.F) {
	_, rest, _ := strings.Cut(encoded1, "\n")
	line, text, _ := strings.Cut(rest, "\n")
	f.Add([]byte(strings.Replace(line, `,"sum":"dfea640733b0bf80"`, "", 1)), []byte(text))
	for _, e := range []*fetch.Entry{unreachable(entry(site, closed, received), received.Add(time.Hour)),
		entry(site, "", received)} {
		object, err := json.Marshal(e)
		fatal.If(f, err)
		var stored []byte
		if e.File != nil {
			stored = []byte(e.File.Policy.String())
		}
		f.Add(object, stored)
	}
	f.Fuzz(func(t *testing.T, object, text []byte) {
		data := slices.Concat([]byte("1\n"), resealed(object), text)
		e, err := fetch.DecodeEntry(data)
		if err != nil {
			if !errors.Is(err, fetch.ErrCorrupt) || !printable.IsText(err.Error()) {
				t.Fatalf("%q", err)
			}
			return
		}
		c := &fetch.Client{Cache: new(fetch.Memory), Transport: nowhere{}}
		c.Cache.Put(t.Context(), e)
		if r, err := c.Policy(t.Context(), e.Origin); err != nil || errors.Is(r.CacheErr, fetch.ErrCorrupt) {
			t.Fatalf("%v, %v", err, r.CacheErr)
		}
		again, err := fetch.EncodeEntry(e)
		fatal.If(t, err)
		same, err := fetch.DecodeEntry(again)
		fatal.If(t, err)
		if last, err := fetch.EncodeEntry(same); err != nil || !bytes.Equal(last, again) {
			t.Fatalf("%v: got %q, want %q", err, last, again)
		}
	})
}

// A leaser is a Memory that notes the calls of the client.
type leaser struct {
	fetch.Memory
	calls []string
	lease func()
}

func (l *leaser) Get(ctx context.Context, origin string) (*fetch.Entry, error) {
	l.calls = append(l.calls, "get")
	return l.Memory.Get(ctx, origin)
}

func (l *leaser) Put(ctx context.Context, e *fetch.Entry) error {
	l.calls = append(l.calls, "put")
	return l.Memory.Put(ctx, e)
}

func (l *leaser) Lease(context.Context, string) func() {
	l.calls = append(l.calls, "lease")
	l.lease()
	return func() { l.calls = append(l.calls, "release") }
}

// TestLeaser checks that a client asks for the lease before it looks into the cache for the last
// time, and gives it back after it has stored the entry, or if there is none.
func TestLeaser(t *testing.T) {
	postponed := &fetch.Client{Transport: roundTrip(func(_ *http.Request) (*http.Response, error) {
		return nil,
			fetch.ErrPostponed
	})}
	for _, c := range []struct {
		client *fetch.Client
		lease  func(l *leaser)
		want   string
	}{
		{&fetch.Client{Transport: nowhere{}}, func(*leaser) {}, "get lease get put release"},
		{&fetch.Client{Transport: nowhere{}},
			func(l *leaser) { l.Memory.Put(t.Context(), entry(site, closed, time.Now())) }, "get lease get release"},
		{postponed, func(*leaser) {}, "get lease get release"},
	} {
		l := new(leaser)
		l.lease = func() { c.lease(l) }
		c.client.Cache = l
		_, err := c.client.Policy(t.Context(), site)
		if got := strings.Join(l.calls, " "); got != c.want || (err != nil) != (c.client == postponed) {
			t.Errorf("got %s, %v, want %s", got, err, c.want)
		}
	}
}
