package auditsites

import (
	"fmt"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit"
)

func TestRenew(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC) }
	file := func(text string) map[string][]audit.Version {
		return map[string][]audit.Version{"": {{ID: "robots.txt", Text: []byte(text)}}}
	}
	versions, changed := Renew(file("a"), file("a"), at(1))
	if changed {
		t.Error("equal versions are a change")
	}
	for hour, text := range []string{"b", "b", "a"} {
		versions, _ = Renew(versions, file(text), at(hour))
	}
	want := "[robots.txt from 0001-01-01 00 a] [robots.txt of 2026-03-01T00:00:00Z from 2026-03-01 00 b] [robots.txt of 2026-03-01T02:00:00Z from 2026-03-01 02 a] "
	if got := shownVersions(versions[""]); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}

	// A commit that was made before it was seen was not served before it was seen.
	git := []audit.Version{{ID: "1", From: at(1), Text: []byte("a")}, {ID: "2", From: at(2), Text: []byte("b")}}
	later := append(git[:2:2], audit.Version{ID: "3", From: at(3), Text: []byte("c")},
		audit.Version{ID: "4", From: at(9), Text: []byte("d")})
	versions, changed = Renew(map[string][]audit.Version{"": git}, map[string][]audit.Version{"": later}, at(5))
	want = "[1 from 2026-03-01 01 a] [2 from 2026-03-01 02 b] [3 from 2026-03-01 05 c] [4 from 2026-03-01 09 d] "
	if got := shownVersions(versions[""]); got != want || !changed {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for i := range 2 * maxRenewed {
		versions, _ = Renew(versions, file(fmt.Sprint(i)), at(10))
	}
	if n := len(versions[""]); n != maxRenewed {
		t.Errorf("there are %d versions, want %d", n, maxRenewed)
	}
	if _, err := audit.New(audit.Options{Sites: versions}); err != nil {
		t.Error(err)
	}
}

// TestRenewHistory reads a history again while robots.txt is fetched now and then: when it was
// fetched last is where the knowledge ends.
func TestRenewHistory(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, 3, 1, hour, 0, 0, 0, time.UTC) }
	version := func(hour int, text string) audit.Version {
		return audit.Version{ID: text, From: at(hour), Text: []byte(text)}
	}
	end := func(hour int) audit.Version { return audit.Version{From: at(hour), State: audit.Unknown} }
	history := func(list ...audit.Version) map[string][]audit.Version {
		return map[string][]audit.Version{"": list}
	}
	before := history(version(1, "a"), end(2))
	for _, test := range []struct {
		name string
		now  map[string][]audit.Version
		seen int
		want string // as before if it is ""
	}{
		{"nothing new", before, 5, ""},
		{"fetched again", history(version(1, "a"), end(6)), 5, "[a from 2026-03-01 01 a] [ from 2026-03-01 06 ] "},
		{"fetched before it was seen", history(version(1, "a"), end(4)), 5,
			"[a from 2026-03-01 01 a] [ from 2026-03-01 04 ] "},
		{"another text", history(version(1, "a"), end(3), version(6, "b"), end(7)), 5,
			"[a from 2026-03-01 01 a] [ from 2026-03-01 03 ] [b from 2026-03-01 06 b] [ from 2026-03-01 07 ] "},
		{"the same text again", history(version(1, "a"), version(3, "b"), version(6, "a"), end(7)), 2,
			"[a from 2026-03-01 01 a] [b from 2026-03-01 03 b] [a from 2026-03-01 06 a] [ from 2026-03-01 07 ] "},
		{"replaced before it was seen", history(version(1, "a"), version(3, "b"), version(4, "c"), end(7)), 5,
			"[a from 2026-03-01 01 a] [c from 2026-03-01 05 c] [ from 2026-03-01 07 ] "},
		{"the beginning was removed", history(version(4, "b"), version(6, "c"), end(7)), 3,
			"[a from 2026-03-01 01 a] [ from 2026-03-01 02 ] [b from 2026-03-01 04 b] [c from 2026-03-01 06 c] [ from 2026-03-01 07 ] "},
	} {
		after, changed := Renew(before, test.now, at(test.seen))
		want := test.want
		if want == "" {
			want = shownVersions(before[""])
		}
		if got := shownVersions(after[""]); got != want || changed != (test.want != "") {
			t.Errorf("%s: changed %t\ngot  %s\nwant %s", test.name, changed, got, want)
		}
		if _, err := audit.New(audit.Options{Sites: after}); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if _, changed := Renew(history(end(1)), history(end(1)), at(5)); changed {
		t.Error("a history of which nothing is known is always new")
	}
}

func shownVersions(list []audit.Version) (s string) {
	for _, v := range list {
		s += fmt.Sprintf("[%s from %s %s] ", v.ID, v.From.Format("2006-01-02 15"), v.Text)
	}
	return s
}
