package result

import (
	"testing"
	"time"
)

// storedReasons are the names of the reasons by number, as stored by crawls on disks. Add
// new reasons as lines at the end. Never change another line: existing results would
// change their meaning.
var storedReasons = []string{
	0:  "",
	1:  "disallowed",
	2:  "out-of-scope",
	3:  "excluded",
	4:  "too-deep",
	5:  "host-budget",
	6:  "trap",
	7:  "nofollow",
	8:  "scheme",
	9:  "bad-url",
	10: "too-long",
	11: "redirected",
	12: "redirects",
	13: "not-found",
	14: "client-error",
	15: "server-error",
	16: "unsuitable",
	17: "duplicate",
	18: "near-duplicate",
	19: "refused-address",
	20: "unreachable",
	21: "failed",
	22: "not-modified",
	23: "repetitive",
	24: "broken",
	25: "long-pause",
}

func TestStoredReasons(t *testing.T) {
	if len(storedReasons) != Reasons {
		t.Errorf("%d reasons, %d golden ones: a new one goes to the end of both lists", Reasons, len(storedReasons))
	}
	for number, name := range storedReasons {
		if got := Reason(number).String(); got != name {
			t.Errorf("reason %d is called %q, and %q in crawls on disks", number, got, name)
		}
	}
}

func TestReasons(t *testing.T) {
	seen := make(map[string]bool)
	for r := range Reasons {
		name := Reason(r).String()
		if seen[name] || name == "" && r > 0 || name == "unknown" {
			t.Errorf("reason %d is called %q", r, name)
		}
		seen[name] = true
	}
}

// TestStoredLine fixes the members of a line, and reads lines of other versions.
func TestStoredLine(t *testing.T) {
	yes := true
	l := Line{
		URL: "http://a.test/?a&b", Status: 200, Reason: Duplicate, FetchedAt: time.Date(2026, 11, 2, 3, 4, 5, 6,
			time.UTC), MediaType: "text/html", Octets: 7,
		Address: "192.0.2.1", Truncated: "length,links", Redirect: "http://b.test/", Title: "T\x1b",
		Canonical: "http://c.test/", Index: &yes, Depth: 8,
		Via: "http://d.test/", Archive: "a.warc.gz", Offset: 9, Error: "e", Shape: "/#",
	}
	const want = `{"url":"http://a.test/?a&b","status":200,"reason":"duplicate","fetched_at":"2026-11-02T03:04:05.000000006Z","media_type":"text/html","octets":7,` +
		`"address":"192.0.2.1","truncated":"length,links","redirect":"http://b.test/","title":"T\u001b","canonical":"http://c.test/","index":true,"depth":8,` +
		`"via":"http://d.test/","archive":"a.warc.gz","offset":9,"error":"e","shape":"/#"}`
	text, err := l.Text()
	if err != nil || string(text) != want {
		t.Errorf("a line is\n%s, %v\nand in results on disks\n%s", text, err, want)
	}
	got, err := Parse([]byte(want))
	if again, _ := got.Text(); err != nil || string(again) != want {
		t.Errorf("it is read as %+v, %v", got, err)
	}
	for text, want := range map[string]Reason{
		`{"url":"http://a.test/","depth":0}`:                        None,
		`{"url":"http://a.test/","reason":"not-found"}`:             NotFound,
		`{"url":"http://a.test/","reason":"of-a-later-version"}`:    unknown,
		`{"url":"http://a.test/","reason":"unknown","later":[1,2]}`: unknown,
	} {
		if l, err := Parse([]byte(text)); err != nil || l.Reason != want || l.URL != "http://a.test/" {
			t.Errorf("%s is read as %+v, %v", text, l, err)
		}
	}
	for _, text := range []string{"", "{", "[]", `{"url":1}`, `{"reason":5}`, "null x"} {
		if l, err := Parse([]byte(text)); err == nil || l != (Line{}) {
			t.Errorf("%q is read as %+v, %v", text, l, err)
		}
	}
}
