package httpfield_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/http/httpfield"
	"github.com/robotsexclusion/robots/internal/printable"
)

// hostile are values that no field may have, or that a careless parser misreads. None may pass
// unchanged into a request or a stored entry.
var hostile = []string{
	"\x00", "\r\nSet-Cookie: a=b", "\n", "\x1b[2J", "\x7f", "\x80\xff", "\u202e", "\u009b2J", "é",
	`"`, `"\`, `"\"`, `""""`, ",", ",,", ";", "=", " ", "\t", "\v", "\u00a0", "\u2028",
	strings.Repeat("9", 1000), strings.Repeat(",", 1000), strings.Repeat(`"`, 1001), strings.Repeat("gzip,", 1000),
}

// RFC 9110, section 8.8.3: an entity tag is an opaque string in double quotes, in which neither
// escapes nor the whitespace of section 5.6.3 are allowed.
func TestEntityTag(t *testing.T) {
	for tag, want := range map[string]bool{
		`"1"`:          true,
		`""`:           true,
		`W/"1"`:        true,
		`W/""`:         true,
		`"!#$%&'()*+"`: true,
		`"a,b"`:        true,
		`"\"`:          true, // a backslash is an ordinary character here
		`"W/"`:         true,

		``:                                     false,
		`"`:                                    false,
		`1`:                                    false,
		`'1'`:                                  false,
		`"1`:                                   false,
		`1"`:                                   false,
		`W/`:                                   false,
		`W/"`:                                  false,
		`w/"1"`:                                false, // the prefix is case-sensitive
		`W/W/"1"`:                              false,
		`"1"x`:                                 false,
		`"1", "2"`:                             false,
		`"a b"`:                                false,
		"\"a\tb\"":                             false,
		`"\""`:                                 false,
		`"é"`:                                  false, // obs-text: allowed, but not printable in every place
		`"` + strings.Repeat("a", 1<<10) + `"`: false,
	} {
		checkTag(t, tag, want)
	}
	harmless := []string{",", ",,", ";", "=", strings.Repeat("9", 1000), strings.Repeat(",", 1000)}
	for _, value := range hostile {
		checkTag(t, value, value == `"\"`)
		checkTag(t, `"`+value+`"`, slices.Contains(harmless, value))
	}
}

func checkTag(t *testing.T, tag string, want bool) {
	t.Helper()
	got := httpfield.EntityTag(http.Header{"Etag": {tag}})
	if got != "" && got != tag || (got != "") != want {
		t.Errorf("ETag %q: got %q, want it accepted: %t", tag, got, want)
	}
}

// RFC 9110, section 5.6.7: a recipient must accept the three forms of dates.
func TestLastModified(t *testing.T) {
	for date, want := range map[string]bool{
		"Sun, 06 Nov 1994 08:49:37 GMT":            true,
		"Sunday, 06-Nov-94 08:49:37 GMT":           true,
		"Sun Nov  6 08:49:37 1994":                 true,
		"Sun, 06 Nov 1994 08:49:37 GMT\x1b[2J":     false,
		"Sun, 06 Nov 1994 08:49:37 GMT, Mon, 07":   false,
		"Sun, 31 Feb 1994 08:49:37 GMT":            false,
		"1994-11-06T08:49:37Z":                     false,
		"0":                                        false,
		"":                                         false,
		"Sun, 06 Nov 1994 08:49:37 GMT\r\nX: true": false,
	} {
		got := httpfield.LastModified(http.Header{"Last-Modified": {date}})
		if got != "" && got != date || (got != "") != want {
			t.Errorf("Last-Modified %q: got %q, want it accepted: %t", date, got, want)
		}
	}
	for _, value := range hostile {
		if got := httpfield.LastModified(http.Header{"Last-Modified": {value}}); got != "" {
			t.Errorf("Last-Modified %q: got %q", value, got)
		}
	}
}

// RFC 9110, section 5.6.1: a list may be in one field or in several, its elements are separated by
// commas with optional whitespace (section 5.6.3: spaces and tabs), and empty elements are ignored.
func TestContentCodings(t *testing.T) {
	for _, test := range []struct {
		fields       []string
		codings, odd string // separated by spaces
		fails        bool
	}{
		{nil, "", "", false},
		{[]string{""}, "", "", false},
		{[]string{"gzip"}, "gzip", "", false},
		{[]string{"GZip"}, "gzip", "", false},
		{[]string{"identity"}, "", "", false},
		{[]string{"deflate, gzip"}, "deflate gzip", "", false},
		{[]string{"deflate", "gzip"}, "deflate gzip", "", false},
		{[]string{" \tdeflate\t , \t, ,gzip,"}, "deflate gzip", "", false},
		{[]string{",,,,"}, "", "", false},
		{[]string{"gzip, identity, gzip"}, "gzip gzip", "", false},
		{[]string{"utf-8"}, "", "utf-8", false},
		{[]string{"none", "gzip"}, "gzip", "none", false},
		{[]string{"gzip;q=1"}, "", "gzip;q=1", false}, // a coding has no parameters
		{[]string{`"gzip"`}, "", `"gzip"`, false},     // and is a token, not a quoted string
		{[]string{"gzip gzip"}, "", "gzip gzip", false},
		{[]string{"gzip\x00"}, "", "gzip\x00", false},
		{[]string{"gzip\u00a0"}, "", "gzip\u00a0", false}, // not whitespace of section 5.6.3
		{[]string{"gzip\v"}, "", "gzip\v", false},
		{[]string{"gzip, gzip, gzip"}, "", "", true},
		{[]string{"gzip, gzip", "br"}, "", "", true},
	} {
		codings, odd, err := httpfield.ContentCodings(http.Header{"Content-Encoding": test.fields})
		if strings.Join(codings, " ") != test.codings || strings.Join(odd, " ") != test.odd ||
			(err != nil) != test.fails {
			t.Errorf("Content-Encoding %q: got %q, %q, %v, want %q, %q, an error: %t", test.fields, codings, odd, err,
				test.codings, test.odd, test.fails)
		}
	}
	known := []string{"gzip", "x-gzip", "deflate", "br", "zstd", "aes128gcm", "compress", "x-compress", "dcb", "dcz",
		"exi", "pack200-gzip"}
	for _, value := range hostile {
		codings, _, err := httpfield.ContentCodings(http.Header{"Content-Encoding": {value, value}})
		if len(codings) > 2 || slices.ContainsFunc(codings, func(c string) bool { return !slices.Contains(known, c) }) {
			t.Errorf("Content-Encoding %q twice: got %q", value, codings)
		}
		if err != nil && (!printable.IsText(err.Error()) || len(err.Error()) > 300) {
			t.Errorf("Content-Encoding %q: the error is %q", value, err)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(1994, 11, 6, 8, 49, 37, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"":                               0,
		"0":                              0,
		"120":                            2 * time.Minute,
		" \t120\t ":                      2 * time.Minute,
		"86400":                          24 * time.Hour,
		"86401":                          24 * time.Hour,
		"99999999999999999999999999999":  24 * time.Hour,
		"-1":                             0,
		"+1":                             0,
		"1.5":                            0,
		"1e3":                            0,
		"0x10":                           0,
		"१":                              0,
		"120, 240":                       0,
		"Sun, 06 Nov 1994 08:50:37 GMT":  time.Minute,
		"Sunday, 06-Nov-94 08:50:37 GMT": time.Minute,
		"Sun Nov  6 08:50:37 1994":       time.Minute,
		"Sun, 06 Nov 1994 08:48:37 GMT":  0, // in the past
		"Fri, 31 Dec 9999 23:59:59 GMT":  24 * time.Hour,
		"tomorrow":                       0,
	} {
		if got := httpfield.RetryAfter(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("Retry-After %q: got %v, want %v", value, got, want)
		}
	}
	for date, want := range map[string]time.Duration{ // of the server's clock
		now.Add(-time.Minute).Format(http.TimeFormat): 90 * time.Second,
		now.Add(time.Minute).Format(http.TimeFormat):  30 * time.Second,
		"yesterday": 30 * time.Second,
	} {
		h := http.Header{"Retry-After": {now.Add(30 * time.Second).Format(http.TimeFormat)}, "Date": {date}}
		if got := httpfield.RetryAfter(h, now); got != want {
			t.Errorf("Retry-After in 30 s with the Date %q: got %v, want %v", date, got, want)
		}
	}
	for _, value := range hostile {
		if got := httpfield.RetryAfter(http.Header{"Retry-After": {value}}, now); got != 0 && got != 24*time.Hour {
			t.Errorf("Retry-After %q: got %v", value, got)
		}
	}
}

// RFC 9111, section 1.2.2: delta-seconds are digits, and a large value becomes 2^31 or the like.
func TestSeconds(t *testing.T) {
	const largest = (1<<31 - 1) * time.Second
	for s, want := range map[string]time.Duration{
		"0": 0, "1": time.Second, "007": 7 * time.Second, "2147483646": largest - time.Second, "2147483647": largest,
		"2147483648":              largest,
		strings.Repeat("9", 1000): largest, strings.Repeat("0", 1000) + "1": time.Second,
	} {
		if got, ok := httpfield.Seconds(s); !ok || got != want {
			t.Errorf("%q: got %v, %t, want %v", s, got, ok, want)
		}
	}
	for _, s := range append([]string{"", "-1", "+1", " 1", "1 ", "1.0", "1,000", "0x1", "1s", "１", "१"}, hostile...) {
		if got, ok := httpfield.Seconds(s); ok && s != strings.Repeat("9", 1000) {
			t.Errorf("%q: got %v, want no number", s, got)
		}
	}
}

// The directives of RFC 9111, section 5.2.2 are a list of RFC 9110, section 5.6.1, whose arguments
// are tokens (section 5.6.2) or quoted strings (section 5.6.4).
func TestParseCacheControl(t *testing.T) {
	for _, test := range []struct {
		values []string
		want   string
	}{
		{nil, ""},
		{[]string{""}, ""},
		{[]string{"no-store"}, "no-store"},
		{[]string{"NO-STORE"}, "no-store"},
		{[]string{"no-cache, no-store"}, "no-store, no-cache"},
		{[]string{"no-cache", "no-store"}, "no-store, no-cache"},
		{[]string{", \t,no-store ,,"}, "no-store"},
		{[]string{"public, must-revalidate, s-maxage=1"}, ""},
		{[]string{"max-age=60"}, "max-age=60"},
		{[]string{`max-age="60"`}, "max-age=60"},
		{[]string{"max-age = 60"}, "max-age=60"},
		{[]string{"max-age=60, max-age=30"}, "max-age=30"},
		{[]string{"max-age=60", "max-age=90"}, "max-age=60"},
		{[]string{"max-age"}, "max-age=0"},
		{[]string{"max-age=-1"}, "max-age=0"},
		{[]string{"max-age=x"}, "max-age=0"},
		{[]string{"max-age=60x"}, "max-age=0"},
		{[]string{`max-age="6\0"`}, "max-age=0"}, // a number needs no escapes
		{[]string{`max-age="60`}, "max-age=0"},
		{[]string{"max-age=99999999999999999999"}, "max-age=2147483647"},
		{[]string{`no-cache="set-cookie, no-store", max-age=60`}, "no-cache, max-age=60"},
		{[]string{`x="a, no-store"`}, ""},
		{[]string{`x="a\", no-store"`}, ""},
		{[]string{`x="a\\", no-store`}, "no-store"},
		{[]string{`x="a`, "no-store"}, "no-store"}, // an open string ends with its field
		{[]string{`x="a, no-store`}, ""},
		{[]string{"no-store\x00"}, ""},
		{[]string{"no-storeé"}, ""},
		{[]string{"no-store;"}, ""},
		{[]string{"no-store=1"}, "no-store"},
		{[]string{"xno-store"}, ""},
	} {
		if got := httpfield.ParseCacheControl(test.values).String(); got != test.want {
			t.Errorf("Cache-Control %q: got %q, want %q", test.values, got, test.want)
		}
	}
	for _, value := range hostile {
		got := httpfield.ParseCacheControl([]string{value, "max-age=5"}).String()
		if got != "max-age=5" {
			t.Errorf("Cache-Control %q and max-age=5: got %q", value, got)
		}
	}
}

// The String of directives has the same directives.
func FuzzParseCacheControl(f *testing.F) {
	f.Add(`no-cache="a, b", max-age="60", no-store`)
	f.Add("max-age=5, max-age = 3,, no-cache")
	for _, value := range hostile {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		c := httpfield.ParseCacheControl([]string{value})
		if again := httpfield.ParseCacheControl([]string{c.String()}); again != c {
			t.Errorf("%q is %q, which is read as %q", value, c, again)
		}
	})
}

func TestLifetime(t *testing.T) {
	const date, unstated, most = "Sun, 06 Nov 1994 08:49:37 GMT", time.Hour, 24 * time.Hour
	received := time.Date(1994, 11, 6, 8, 49, 37, 0, time.UTC)
	for _, test := range []struct {
		header http.Header
		onWay  time.Duration
		want   time.Duration
	}{
		{http.Header{}, 0, unstated},
		{http.Header{}, time.Hour, unstated},
		{http.Header{"Cache-Control": {"max-age=60"}}, 0, time.Minute},
		{http.Header{"Cache-Control": {"max-age=60"}}, time.Second, 59 * time.Second},
		{http.Header{"Cache-Control": {"max-age=60"}, "Age": {"20"}}, 0, 40 * time.Second},
		{http.Header{"Cache-Control": {"max-age=60"}, "Age": {"-20"}}, 0, time.Minute},
		{http.Header{"Cache-Control": {"max-age=60"}, "Age": {"99999999999999999999"}}, 0, 0},
		{http.Header{"Cache-Control": {"max-age=60"}, "Expires": {"0"}}, 0, time.Minute}, // max-age comes first
		{http.Header{"Cache-Control": {"max-age=99999999"}}, 0, most},
		{http.Header{"Cache-Control": {"no-store, max-age=60"}}, 0, 0},
		{http.Header{"Expires": {"Sun, 06 Nov 1994 08:50:37 GMT"}}, 0, time.Minute},
		{http.Header{"Expires": {"Sun, 06 Nov 1994 08:50:37 GMT"}, "Date": {"Sun, 06 Nov 1994 08:50:07 GMT"}}, 0,
			30 * time.Second},
		{http.Header{"Expires": {"Sun, 06 Nov 1994 08:50:37 GMT"}, "Date": {"\x00"}}, 0, time.Minute},
		{http.Header{"Expires": {date}}, 0, 0},
		{http.Header{"Expires": {"0"}}, 0, 0},
		{http.Header{"Expires": {"-1"}}, 0, 0},
		{http.Header{"Expires": {""}}, 0, 0},
		{http.Header{"Expires": {"Fri, 31 Dec 9999 23:59:59 GMT"}}, 0, most},
		{http.Header{"Expires": {"Fri, 31 Dec 9999 23:59:59 GMT", date}}, 0, 0},
		{http.Header{"Date": {"Sat, 01 Jan 1994 00:00:00 GMT"}}, 0, unstated}, // a date alone is not an age
	} {
		if got := httpfield.Lifetime(test.header, received, test.onWay, unstated, most); got != test.want {
			t.Errorf("%v: got %v, want %v", test.header, got, test.want)
		}
	}
	for _, value := range hostile {
		h := http.Header{"Age": {value}, "Date": {value}, "Expires": {value}}
		if got := httpfield.Lifetime(h, received, 0, unstated, most); got != 0 {
			t.Errorf("Expires %q: got %v", value, got)
		}
	}
}
