package fetch_test

import (
	"math/big"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/httpfield"
)

var received = time.Date(2026, 11, 21, 15, 4, 5, 0, time.UTC)

func TestLifetime(t *testing.T) {
	const day = 24 * time.Hour
	at := func(d time.Duration) string { return received.Add(d).Format(http.TimeFormat) }
	for _, test := range []struct {
		headers []string // name and value in turn
		want    time.Duration
	}{
		{nil, day},
		{[]string{"Cache-Control", ""}, day},
		{[]string{"Cache-Control", "public"}, day},
		{[]string{"Cache-Control", "max-age=60"}, time.Minute},
		{[]string{"Cache-Control", "MAX-AGE=60"}, time.Minute},
		{[]string{"Cache-Control", `max-age="60"`}, time.Minute},
		{[]string{"Cache-Control", "max-age = 60"}, time.Minute}, // not in the grammar, but the meaning is clear
		{[]string{"Cache-Control", " , ,max-age=60, ,"}, time.Minute},
		{[]string{"Cache-Control", "max-age=60, max-age=30"}, 30 * time.Second},
		{[]string{"Cache-Control", "max-age=60", "Cache-Control", "max-age=30"}, 30 * time.Second},
		{[]string{"Cache-Control", "max-age=86401"}, day},
		{[]string{"Cache-Control", "max-age=999999999999999999999999"}, day},
		{[]string{"Cache-Control", "max-age"}, 0},
		{[]string{"Cache-Control", "max-age="}, 0},
		{[]string{"Cache-Control", "max-age=-1"}, 0},
		{[]string{"Cache-Control", "max-age=1.5"}, 0},
		{[]string{"Cache-Control", "max-age=1h"}, 0},
		{[]string{"Cache-Control", "s-maxage=60"}, day},
		{[]string{"Cache-Control", "no-store"}, 0},
		{[]string{"Cache-Control", "max-age=60, no-store"}, 0},
		{[]string{"Cache-Control", "No-Cache, max-age=60"}, 0},
		{[]string{"Cache-Control", `no-cache="set-cookie"`}, 0},
		{[]string{"Cache-Control", "must-revalidate"}, day},
		{[]string{"Cache-Control", `extension="no-store, max-age=1", max-age=60`}, time.Minute},
		{[]string{"Cache-Control", `extension="\", no-store"`}, day},
		{[]string{"Cache-Control", `extension="no-store`}, day},
		{[]string{"Cache-Control", "max-age=60", "Expires", "0"}, time.Minute},
		{[]string{"Cache-Control", "max-age=60", "Age", "20"}, 40 * time.Second},
		{[]string{"Cache-Control", "max-age=60", "Age", "100"}, 0},
		{[]string{"Cache-Control", "max-age=60", "Age", "-100"}, time.Minute},
		{[]string{"Cache-Control", "max-age=60", "Age", "99999999999999999999"}, 0},
		{[]string{"Cache-Control", "max-age=31536000", "Age", "86400"}, day},
		{[]string{"Age", "1000000"}, day}, // from a CDN, without a lifetime from the server
		{[]string{"Expires", at(time.Hour), "Date", at(0)}, time.Hour},
		{[]string{"Expires", at(time.Hour)}, time.Hour},
		{[]string{"Expires", at(time.Hour), "Date", "yesterday"}, time.Hour},
		{[]string{"Expires", at(time.Hour), "Date", at(-time.Hour)}, 2 * time.Hour}, // a slow clock
		{[]string{"Expires", at(-time.Hour), "Date", at(0)}, 0},
		{[]string{"Expires", at(1000 * day), "Date", at(0)}, day},
		{[]string{"Expires", "0"}, 0},
		{[]string{"Expires", ""}, 0},
		{[]string{"Expires", at(time.Hour), "Expires", at(time.Hour)}, 0},
		{[]string{"Expires", "Saturday, 21-Nov-26 16:04:05 GMT"}, time.Hour},
		{[]string{"Expires", "Sat Nov 21 16:04:05 2026"}, time.Hour},
	} {
		h := make(http.Header)
		for i := 0; i < len(test.headers); i += 2 {
			h.Add(test.headers[i], test.headers[i+1])
		}
		if got := fetch.Lifetime(h, received, 0); got != test.want {
			t.Errorf("%q: got %v, want %v", test.headers, got, test.want)
		}
	}
	h := http.Header{"Cache-Control": {"max-age=60"}, "Age": {"10"}}
	check(t, "on the way", fetch.Lifetime(h, received, 20*time.Second), 30*time.Second)
}

func TestRetryAfter(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"":                                 0,
		"0":                                0,
		"120":                              2 * time.Minute,
		" 120 ":                            2 * time.Minute,
		"-1":                               0,
		"1.5":                              0,
		"soon":                             0,
		"86400":                            24 * time.Hour,
		"86401":                            24 * time.Hour,
		"99999999999999999999":             24 * time.Hour,
		"Sat, 21 Nov 2026 15:05:05 GMT":    time.Minute,
		"Saturday, 21-Nov-26 15:05:05 GMT": time.Minute,
		"Sat Nov 21 15:05:05 2026":         time.Minute,
		"Sat, 21 Nov 2026 15:04:04 GMT":    0,
		"Fri, 01 Jan 2100 00:00:00 GMT":    24 * time.Hour,
	} {
		if got := httpfield.RetryAfter(http.Header{"Retry-After": {value}}, received); got != want {
			t.Errorf("%q: got %v, want %v", value, got, want)
		}
	}
}

func TestPause(t *testing.T) {
	for i, want := range []int{1, 2, 4, 8, 16, 32, 64, 128, 240, 240} {
		check(t, "pause", fetch.Pause(i+1), time.Duration(want)*time.Minute)
	}
	check(t, "pause", fetch.Pause(1<<31-1), 4*time.Hour)
}

// These expressions are the twin of parsing Cache-Control: the first splits a value into
// directives, the others match a directive and its number.
var (
	directives = regexp.MustCompile(`(?s)(?:[^,"]|"(?:[^"\\]|\\.)*(?:"|\\?$))+`)
	control    = regexp.MustCompile(`(?is)^[ \t]*(no-store|no-cache|max-age)[ \t]*(?:=(.*))?$`)
	number     = regexp.MustCompile(`^[ \t]*(?:"([0-9]+)"|([0-9]+))[ \t]*$`)
)

// slowSeconds is the twin of reading seconds, with unbounded numbers.
func slowSeconds(digits string) time.Duration {
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		return 0
	}
	if most := big.NewInt(1<<31 - 1); n.Cmp(most) > 0 {
		n = most
	}
	return time.Duration(n.Int64()) * time.Second
}

// slowLifetime is the twin for an answer with Cache-Control and Age only.
func slowLifetime(cacheControl []string, age string) time.Duration {
	fresh := time.Duration(-1)
	for _, value := range cacheControl {
		for _, directive := range directives.FindAllString(value, -1) {
			m := control.FindStringSubmatch(directive)
			if m == nil {
				continue
			}
			if strings.ToLower(m[1]) != "max-age" {
				return 0
			}
			seconds := time.Duration(0)
			if n := number.FindStringSubmatch(m[2]); n != nil {
				seconds = slowSeconds(n[1] + n[2])
			}
			if fresh < 0 || seconds < fresh {
				fresh = seconds
			}
		}
	}
	if fresh < 0 {
		return 24 * time.Hour
	}
	if m := regexp.MustCompile("^[0-9]+$").FindString(age); m != "" {
		fresh -= slowSeconds(m)
	}
	return max(0, min(fresh, 24*time.Hour))
}

func FuzzCacheControl(f *testing.F) {
	f.Add("max-age=60, no-store", "max-age=30", "10")
	f.Add(`x="no-store, max-age=1", max-age="60"`, "", "")
	f.Add(`x="\", no-store`, `"`, "-1")
	f.Add("\tMax-Age = 99999999999999999999 ,,", "no-cache=\"x\"", "99999999999999999999")
	f.Fuzz(func(t *testing.T, one, two, age string) {
		h := http.Header{"Cache-Control": {one, two}, "Age": {age}}
		got, want := fetch.Lifetime(h, received, 0), slowLifetime([]string{one, two}, age)
		if got != want {
			t.Errorf("%q, %q, age %q: got %v, want %v", one, two, age, got, want)
		}
	})
}

// slowRetryAfter is the twin of reading Retry-After.
func slowRetryAfter(value string) time.Duration {
	value = regexp.MustCompile(`^[ \t]*|[ \t]*$`).ReplaceAllString(value, "")
	wait := time.Duration(0)
	if regexp.MustCompile("^[0-9]+$").MatchString(value) {
		wait = slowSeconds(value)
	} else {
		for _, layout := range []string{"Mon, 02 Jan 2006 15:04:05 GMT", time.RFC850, time.ANSIC} {
			if date, err := time.Parse(layout, value); err == nil {
				wait = date.Sub(received)
				break
			}
		}
	}
	return max(0, min(wait, 24*time.Hour))
}

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"120", " 99999999999999999999", "Sat, 21 Nov 2026 15:05:05 GMT",
		"Sat Nov 21 15:05:05 2026", "-1", "1e3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		got, want := httpfield.RetryAfter(http.Header{"Retry-After": {value}}, received), slowRetryAfter(value)
		if got != want {
			t.Errorf("%q: got %v, want %v", value, got, want)
		}
	})
}
