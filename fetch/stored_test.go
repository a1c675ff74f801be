package fetch_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestStored compares the files of a Dir with those on existing disks: names of files, of members
// and of states. The names never change, and added members may be missing.
func TestStored(t *testing.T) {
	at := time.Date(2026, 11, 2, 3, 4, 5, 6000, time.UTC)
	text := robots.Parse([]byte("User-agent: *\nDisallow: /x\n"))
	e := &fetch.Entry{
		Origin: "https://a.example", State: fetch.Unreachable, CheckedAt: at, URL: "https://a.example/robots.txt",
		Status: 503, Cause: "busy",
		Redirects: []fetch.Redirect{{URL: "https://a.example/robots.txt", Status: 301}}, FreshUntil: at.Add(time.Hour),
		UnreachableSince: at, Failures: 2,
		File: &fetch.File{
			FetchedAt: at, ConfirmedAt: at, URL: "https://a.example/robots.txt",
			SHA256: "a92d287a72a3f39a55e2848ec6af83163ae1c28172d2e2d89a45a105db0e2540", Size: len(text.String()),
			Cut: true, HTML: true,
			ContentType: "text/plain", ETag: `"1"`, LastModified: "Mon", CacheControl: "no-store", Expires: "0",
			Policy: text,
		},
	}
	stored := map[string]string{
		"history/38/https_a.example-38612c965a9c4c35d713439919804ad9.jsonl": `{"origin":"https://a.example","time":"2026-11-02T03:04:05.000006Z","state":"unreachable","status":503,"cause":"busy","url":"https://a.example/robots.txt",` +
			`"sha256":"a92d287a72a3f39a55e2848ec6af83163ae1c28172d2e2d89a45a105db0e2540","size":27,"cut":true,"unreachable_since":"2026-11-02T03:04:05.000006Z","sum":"2b3186b1a6a02671"}` + "\n",
		"origins/38/https_a.example-38612c965a9c4c35d713439919804ad9.json": `{"origin":"https://a.example","state":"unreachable","checked_at":"2026-11-02T03:04:05.000006Z","redirects":[{"url":"https://a.example/robots.txt","status":301}],` +
			`"url":"https://a.example/robots.txt","status":503,"cause":"busy","fresh_until":"2026-11-02T04:04:05.000006Z","unreachable_since":"2026-11-02T03:04:05.000006Z","failures":2,` +
			`"file":{"fetched_at":"2026-11-02T03:04:05.000006Z","confirmed_at":"2026-11-02T03:04:05.000006Z","url":"https://a.example/robots.txt","sha256":"a92d287a72a3f39a55e2848ec6af83163ae1c28172d2e2d89a45a105db0e2540",` +
			`"size":27,"cut":true,"html":true,"content_type":"text/plain","etag":"\"1\"","last_modified":"Mon","cache_control":"no-store","expires":"0"},"sum":"770ec729c529f08c"}` + "\n",
		"texts/a9/a92d287a72a3f39a55e2848ec6af83163ae1c28172d2e2d89a45a105db0e2540.txt": text.String(),
	}
	dir := scratch(t)
	put(t, dir, e)
	for name, want := range stored {
		data, err := os.ReadFile(filepath.Join(string(dir), filepath.FromSlash(name)))
		if err != nil || string(data) != want {
			t.Errorf("%s: %v: got\n%s\nand Dirs on disks have\n%s", name, err, data, want)
		}
	}

	// Files in the stored form can be read.
	old := scratch(t)
	for name, text := range stored {
		name = filepath.Join(string(old), filepath.FromSlash(name))
		fatal.If(t, os.MkdirAll(filepath.Dir(name), 0o777))
		fatal.If(t, os.WriteFile(name, []byte(text), 0o666))
	}
	got, err := old.Get(t.Context(), e.Origin)
	fatal.If(t, err)
	if got.File.Policy.String() != text.String() {
		t.Errorf("the text is %q", got.File.Policy)
	}
	got.File.Policy = e.File.Policy
	if !reflect.DeepEqual(got, e) {
		t.Errorf("got %+v, want %+v", got, e)
	}
	versions, err := old.History(t.Context(), e.Origin)
	if err != nil || len(versions) == 0 || versions[0].State != fetch.Unreachable || versions[0].Cause != "busy" ||
		!versions[0].From.Equal(at) || versions[0].SHA256 != e.File.SHA256 {
		t.Errorf("the history is %+v, %v", versions, err)
	}

	for state, name := range map[fetch.State]string{fetch.OK: "ok", fetch.Unavailable: "unavailable",
		fetch.Unreachable: "unreachable", fetch.Forbidden: "forbidden"} {
		if string(state) != name {
			t.Errorf("a state is called %q, and %q on disks", state, name)
		}
	}
}
