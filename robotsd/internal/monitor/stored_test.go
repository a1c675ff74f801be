package monitor_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// TestStored compares what is stored with what is on existing disks, and what receivers read: names
// of members, words and numbers. They never change, and added members may be missing.
func TestStored(t *testing.T) {
	at := time.Date(2026, 11, 2, 3, 4, 5, 0, time.UTC)
	finding := monitor.Finding{
		Kind: monitor.ClosedSearch, Severity: monitor.Critical, Subject: "s", Robots: []string{"*"},
		Patterns: []string{"Disallow: /"}, Witness: "/x",
		Before: "b", After: "a", Since: at,
	}
	o := hashed(texts["live"], 1)
	o.Time, o.Findings = at, []monitor.Finding{finding}
	o.File = monitor.File{
		State: "ok", Status: 200, Cause: "c", Final: "f", SHA256: o.File.SHA256, Size: 9, HTML: true, Cut: true,
		Challenge: "h", Unusable: monitor.Cut, UnreachableSince: at, NotBefore: at, CertificateEnds: at,
	}
	o.NotBefore, o.Skipped = at, []string{"k"}
	o.Pages = []monitor.Page{{URL: "u", Final: "f", Status: 200, Cause: "c", NoIndex: []string{"n"},
		NoFollow: []string{"m"}}}
	for _, test := range []struct {
		name  string
		value any
		want  string
	}{
		{"an observation", o,
			`{"origin":"https://a.example","time":"2026-11-02T03:04:05Z","file":{"state":"ok","status":200,"cause":"c","final":"f","sha256":"0101010101010101010101010101010101010101010101010101010101010101",` +
				`"size":9,"html":true,"cut":true,"challenge":"h","unusable":"cut","unreachable_since":"2026-11-02T03:04:05Z","not_before":"2026-11-02T03:04:05Z","certificate_ends":"2026-11-02T03:04:05Z"},` +
				`"pages":[{"url":"u","final":"f","status":200,"cause":"c","noindex":["n"],"nofollow":["m"]}],"not_before":"2026-11-02T03:04:05Z","skipped":["k"],"findings":[{"kind":"closed-search","severity":"critical","subject":"s","robots":["*"],` +
				`"patterns":["Disallow: /"],"witness":"/x","before":"b","after":"a","since":"2026-11-02T03:04:05Z"}]}`},
		{"an event", monitor.Event{ID: "x-1", Origin: "o", Time: at,
			Updates: []monitor.Update{{Step: monitor.Begun, Began: at, Finding: monitor.Finding{Kind: monitor.HTML,
				Severity: monitor.Warning}}}},
			`{"id":"x-1","origin":"o","time":"2026-11-02T03:04:05Z","updates":[{"step":"begun","began":"2026-11-02T03:04:05Z","finding":{"kind":"html","severity":"warning"}}]}`},
		{"incidents", monitor.States(at),
			`[{"state":1,"finding":{"kind":"a","severity":"notice"},"began":"2026-11-02T03:04:05Z","moved":"0001-01-01T00:00:00Z"},` +
				`{"state":2,"finding":{"kind":"a","severity":"notice"},"began":"2026-11-02T03:04:05Z","moved":"2026-11-02T03:04:05Z","begins":["2026-11-02T03:04:05Z"]},` +
				`{"state":3,"finding":{"kind":"a","severity":"notice"},"began":"2026-11-02T03:04:05Z","moved":"2026-11-02T03:04:05Z","absent":true,"begins":["2026-11-02T03:04:05Z"]},` +
				`{"state":4,"finding":{"kind":"a","severity":"notice"},"began":"2026-11-02T03:04:05Z","moved":"2026-11-02T03:04:05Z","begins":["2026-11-02T03:04:05Z"]}]`},
		{"kinds", []monitor.Kind{monitor.ClosedSite, monitor.ClosedSearch, monitor.OpenedSite, monitor.Closed,
			monitor.Opened, monitor.Undecided, monitor.Records, monitor.Status, monitor.Redirected,
			monitor.PageChanged, monitor.Unreachable, monitor.HTML, monitor.Challenge, monitor.Cut, monitor.Claim,
			monitor.Unexpected, monitor.Unread, monitor.Vantage, monitor.Certificate, monitor.UTF16, monitor.Empty,
			monitor.Unusable, monitor.Mistake, monitor.BadSitemap},
			`["closed-site","closed-search","opened-site","closed","opened","undecided","records","status","redirect","page","unreachable","html","challenge","cut","claim","unexpected","unread","vantage","certificate","utf-16","empty","unusable","mistake","sitemap"]`},
		{"steps", []monitor.Step{monitor.Begun, monitor.Changed, monitor.Ended, monitor.Accepted, monitor.Flapping,
			monitor.Noted}, `["begun","changed","ended","accepted","flapping","noted"]`},
		{"severities", fmt.Sprintf("%d %d %d", monitor.Notice, monitor.Warning, monitor.Critical), `"1 2 3"`},
	} {
		got, err := json.Marshal(test.value)
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %v: got\n%s\nand disks have\n%s", test.name, err, got, test.want)
		}
	}
}

// TestStoredJournal reads a journal of an existing disk.
func TestStoredJournal(t *testing.T) {
	dir := t.TempDir()
	const stored = `{"version":1,"id":"ABCDEFGHIJKL","next":7,"sum":"c821a334e65e3680"}
{"site":{"origin":"https://a.example","baseline":{"origin":"","time":"0001-01-01T00:00:00Z","file":{"state":"unavailable","status":404}}},"number":7,"event":{"id":"ABCDEFGHIJKL-7","origin":"https://a.example","time":"2026-11-02T03:04:05Z","updates":[{"step":"noted","finding":{"kind":"records","severity":"notice"}}]},"to":["a","b"],"sum":"dfbc0495d810a40f"}
{"number":7,"got":["a"],"sum":"31370ea2543770cd"}
`
	fatal.If(t, os.WriteFile(filepath.Join(dir, "journal.jsonl"), []byte(stored), 0o666))
	j := journal(t, dir, "a", "b")
	defer j.Close()
	s, err := j.State("https://a.example", observation("404"))
	if err != nil || s.Baseline == nil || s.Baseline.File.Status != 404 {
		t.Errorf("the state is %+v, %v", s, err)
	}
	if a, b := deliver(t, j, "a"), deliver(t, j, "b"); a != nil || len(b) != 1 || b[0] != "ABCDEFGHIJKL-7" {
		t.Errorf("a has %q, and b has %q", a, b)
	}
}

// TestStoredMessage reads the journal of a process that was killed when it sent a message, and one
// of a process that had stored that the receiver has it.
func TestStoredMessage(t *testing.T) {
	const stored = `{"version":1,"id":"ABCDEFGHIJKL","next":7,"sum":"c821a334e65e3680"}
{"site":{"origin":"https://a.example","baseline":{"origin":"","time":"0001-01-01T00:00:00Z","file":{"state":"unavailable","status":404}}},"number":7,"event":{"id":"ABCDEFGHIJKL-7","origin":"https://a.example","time":"2026-11-02T03:04:05Z","updates":[{"step":"noted","finding":{"kind":"records","severity":"notice"}}]},"to":["a","b"],"sum":"dfbc0495d810a40f"}
{"site":{"origin":"https://b.example"},"number":8,"event":{"id":"ABCDEFGHIJKL-8","origin":"https://b.example","time":"2026-11-02T03:04:06Z","updates":[{"step":"noted","finding":{"kind":"records","severity":"notice"}}]},"to":["b"],"sum":"35adae410532c98e"}
{"sends":{"to":"b","events":[7,8]},"sum":"9f58152da5bb8d49"}
{"site":{"origin":"https://c.example"},"number":9,"event":{"id":"ABCDEFGHIJKL-9","origin":"https://c.example","time":"2026-11-02T03:04:07Z","updates":[{"step":"noted","finding":{"kind":"records","severity":"notice"}}]},"to":["b"],"sum":"b64400e0a4028760"}
`
	const got = `{"number":7,"got":["b"],"sum":"ea8e77a11feec8fd"}
`
	for text, want := range map[string]string{stored: "group-f03722de1b593b4ba4d50fdc ABCDEFGHIJKL-9", stored +
		got: "ABCDEFGHIJKL-9"} {
		dir := t.TempDir()
		fatal.If(t, os.WriteFile(filepath.Join(dir, "journal.jsonl"), []byte(text), 0o666))
		journal(t, dir, "a", "b").Close() // it is compacted
		j := journal(t, dir, "a", "b")
		defer j.Close()
		var ids []string
		for ok := true; ok; {
			var err error
			if ok, err = j.Deliver("b", func(m *monitor.Message) { ids = append(ids, m.ID) }); err != nil {
				t.Fatal(err)
			}
		}
		if strings.Join(ids, " ") != want {
			t.Errorf("the messages are %q, want %s", ids, want)
		}
	}
}

// TestStoredRecord checks the part and the record of a site that instances share, perhaps of
// several versions.
func TestStoredRecord(t *testing.T) {
	if part, key := monitor.PlaceOf("https://a.example"); fmt.Sprint(part, " ",
		key) != "56 38612c965a9c4c35d713439919804ad9" {
		t.Errorf("the site is at %d %s", part, key)
	}
	at := time.Date(2026, 11, 2, 3, 4, 5, 0, time.UTC)
	r := monitor.Record{Version: 1, Holder: "h", ID: "x", Next: 2, Site: &monitor.Watched{Origin: "https://a.example",
		NotBefore: at, Last: "l"}, Failing: at, Text: []byte("a")}
	r.AddEvent(monitor.Event{ID: "x-1"}, "a")
	const want = `{"version":1,"holder":"h","id":"x","next":2,"site":{"origin":"https://a.example","not_before":"2026-11-02T03:04:05Z","last":"l"},"failing":"2026-11-02T03:04:05Z",` +
		`"events":[{"event":{"id":"x-1","origin":"","time":"0001-01-01T00:00:00Z","updates":null},"to":["a"]}],"text":"YQ=="}`
	if got, err := json.Marshal(&r); err != nil || string(got) != want {
		t.Errorf("got\n%s, want\n%s, %v", got, want, err)
	}
	value, err := r.Encode()
	fatal.If(t, err)
	if got, err := monitor.DecodeRecord(value); err != nil || got.Site.Origin != r.Site.Origin ||
		string(got.Text) != "a" {
		t.Errorf("got %+v, %v", got, err)
	}
	r.Version = 2
	if value, err = r.Encode(); err != nil {
		t.Fatal(err)
	}
	if _, err := monitor.DecodeRecord(value); err == nil {
		t.Error("a record of a later version was read")
	}
}
