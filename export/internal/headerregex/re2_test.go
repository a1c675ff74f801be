package headerregex

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// classRE2 returns the class of a header by the expressions for RE2.
func classRE2(t *testing.T, r *RE2, header string) Class {
	t.Helper()
	return classWith(t, r, header, func(at place) (Class, bool) {
		expressions := map[place][]string{near: r.Near, playingAs: {r.Playing}, linked: r.Linked}[at]
		for _, e := range expressions {
			if e == "" { // there are no such names
				continue
			}
			if found := expression(t, e).FindStringSubmatch(header); found != nil {
				return firstClass(t, r.Nearby, found[1])
			}
		}
		return Nobody, false
	})
}

// A place is where a name that shows no robot is found.
type place int

const (
	near      place = iota // before a word that is only a mark
	playingAs              // where browsers have no name
	linked                 // before an address for contact
)

// firstClass returns the class of the first line that matches a text.
func firstClass(t *testing.T, lines []Line, text string) (Class, bool) {
	t.Helper()
	for _, l := range lines {
		if expression(t, l.Expression).MatchString(text) {
			return l.Class, true
		}
	}
	return Nobody, false
}

// classWith returns the class of a header by the expressions for RE2, with a function for names
// that show no robot.
func classWith(t *testing.T, r *RE2, header string, named func(at place) (Class, bool)) Class {
	t.Helper()
	c := classShown(t, r, header, named)
	if c != Unlisted {
		return c
	}
	if expression(t, r.Errand).MatchString(header) && !expression(t, r.Crawl).MatchString(header) {
		return Nobody
	}
	return Everyone
}

// classShown is classWith for all but Unlisted.
func classShown(t *testing.T, r *RE2, header string, named func(at place) (Class, bool)) Class {
	t.Helper()
	match := func(e, text string) []string { return expression(t, e).FindStringSubmatch(text) }
	for _, e := range r.Names {
		if found := match(e, header); found != nil {
			c, ok := firstClass(t, r.Classes, found[1])
			if !ok {
				t.Fatalf("%q has the name %q, which has no class", header, found)
			}
			return c
		}
	}
	listed := slices.ContainsFunc(r.Listed, func(e string) bool { return expression(t, e).MatchString(header) })
	shown := expression(t, r.Shown).MatchString(header)
	stripped := header
	for range 2 {
		if found := match(r.Strip, stripped); found != nil {
			stripped = found[1] + " " + found[2]
		}
	}
	if listed && shown {
		if found := match(r.Marked, stripped); found != nil && match(r.Bare, found[1]) != nil {
			if c, ok := named(near); ok {
				return c
			}
		}
	}
	if c, ok := firstClass(t, r.Marks, header); ok {
		return c
	}
	if shown {
		if c, ok := firstClass(t, r.Parts, stripped); ok {
			return c
		}
	}
	if c, ok := named(playingAs); ok {
		return c
	}
	posing := ""
	if found := match(r.Posing, header); found != nil {
		posing = found[1]
	}
	if c, _ := firstClass(t, r.Posed, posing); c == Everyone {
		return Unlisted
	}
	if c, ok := firstClass(t, r.Rest, header); ok {
		return c
	}
	if c, ok := named(linked); ok {
		return c
	}
	c, _ := firstClass(t, r.Contacts, header)
	return c
}

var compiled = make(map[string]*regexp.Regexp)

func expression(t *testing.T, text string) *regexp.Regexp {
	e := compiled[text]
	if e == nil {
		var err error
		if e, err = regexp.Compile("(?i)" + text); err != nil {
			t.Fatal(err)
		}
		compiled[text] = e
	}
	return e
}

// TestRE2 compares the class of headers with what agent.Lookup says.
func TestRE2(t *testing.T) {
	names := namesOfTable()
	r, err := OfRE2(names, true)
	fatal.If(t, err)
	for header, want := range headersOf(names) {
		if got := classRE2(t, r, header); got != want {
			t.Errorf("%q has class %d, want %d", header, got, want)
		}
		if expression(t, CommonBrowsers).MatchString(header) {
			t.Errorf("%q is a common browser", header)
		}
	}
	for header, want := range map[string]bool{
		"Mozilla/5.0 (Linux; U; Android 4.2.2; es-es; CUBOT GT72E Build/JDQ39) AppleWebKit/534.30": false,
		"CUBOT CUBOT some-bot/1.0": true, "unlike SomeBot": false, "alike, SomeBot": true, "strike Some-Spider": true,
		"with SomeBot/1": false,
	} {
		if got := classRE2(t, r, header) == Everyone; got != want {
			t.Errorf("%q is a robot: %t, want %t", header, got, want)
		}
	}
	chrome := "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36"
	if !expression(t, CommonBrowsers).MatchString(chrome) ||
		expression(t, strings.Join(r.Quick, "|")).MatchString(chrome) {
		t.Error("Chrome is not a common browser")
	}
}
