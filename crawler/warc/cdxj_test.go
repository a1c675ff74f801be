package warc_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/warc"
)

func TestCDXJ(t *testing.T) {
	full := warc.Capture{
		URL: "https://www.example.com/A", Time: time.Date(2026, 1, 31, 23, 59, 58, 0, time.UTC), MediaType: "text/html",
		Status: 200,
		Digest: "sha1:X", File: "a.warc.gz", Offset: 5, Length: 7,
	}
	for _, test := range []struct {
		c    warc.Capture
		want string
	}{
		{full,
			`com,example)/a 20260131235958 {"url":"https://www.example.com/A","mime":"text/html","status":"200","digest":"sha1:X","length":"7","offset":"5","filename":"a.warc.gz"}`},
		{warc.Capture{URL: "dns:example.com", File: "a"},
			`dns:example.com 00010101000000 {"url":"dns:example.com","offset":"0","filename":"a"}`},
		{warc.Capture{URL: "http://a/ \"\n\u202e", MediaType: "a\"\x1b\n"},
			`a)/%20"%e2%80%ae 00010101000000 {"url":"http://a/ \"\n\u202e","mime":"a\"\u001b\n","offset":"0","filename":""}`},
	} {
		got := test.c.String()
		if got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
		key, back, err := warc.ParseCDXJ([]byte(got + "\n"))
		if err != nil || back != test.c || key != warc.SURT(test.c.URL) {
			t.Errorf("%s: got back %q, %+v, %v", got, key, back, err)
		}
	}

	// Lines of other programs.
	for line, want := range map[string]warc.Capture{
		`a)/ 20260131235958 {"url": "https://www.example.com/A", "mime": "text/html", "status": 200, "digest": "sha1:X", "length": 7, "offset": 5, "filename": "a.warc.gz", "robotflags": null, "x": {}}`: full,
		`a)/ 20260131235958 {"status": "-", "length": null, "offset": ""}`: {Time: full.Time},
	} {
		if _, got, err := warc.ParseCDXJ([]byte(line)); err != nil || got != want {
			t.Errorf("%s: got %+v, %v", line, got, err)
		}
	}
	for _, line := range []string{
		"", "a", "a b", "a b {}", "a 2026 {}", "a 20261331235958 {}", "a 20260131235958 ", "a 20260131235958 []",
		"a 20260131235958 {",
		`a 20260131235958 {"offset": "-1"}`, `a 20260131235958 {"length": -1}`, `a 20260131235958 {"length": 1.5}`,
		`a 20260131235958 {"length": []}`, `a 20260131235958 {"url": 1}`,
	} {
		if _, c, err := warc.ParseCDXJ([]byte(line)); err == nil {
			t.Errorf("%q: got %+v and no error", line, c)
		}
	}
}

// FuzzCDXJ checks that each line that can be read survives writing and reading.
func FuzzCDXJ(f *testing.F) {
	f.Add(`com,example)/a 20260131235958 {"url":"https://www.example.com/A","mime":"text/html","status":"200","digest":"sha1:X","length":"7","offset":"5","filename":"a.warc.gz"}`)
	f.Add(`a 20260131235958 {"offset": 1e3}`)
	f.Fuzz(func(t *testing.T, line string) {
		_, c, err := warc.ParseCDXJ([]byte(line))
		if err != nil {
			return
		}
		again := c.String()
		if strings.ContainsAny(again, "\r\n") || !json.Valid([]byte(again[strings.IndexByte(again, '{'):])) {
			t.Errorf("%q is written as %q", line, again)
		}
		if key, back, err := warc.ParseCDXJ([]byte(again)); err != nil || back != c || strings.ContainsAny(key, " \t") {
			t.Errorf("%q is written as %q, which is %q, %+v, %v", line, again, key, back, err)
		}
	})
}
