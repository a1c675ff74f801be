package headerregex

import (
	"regexp"
	"strings"
	"testing"
)

// classRE2 returns the class of a header by the expressions for RE2.
func classRE2(t *testing.T, r *RE2, header string) Class {
	t.Helper()
	match := func(e, text string) []string { return expression(t, e).FindStringSubmatch(text) }
	for _, e := range r.Names {
		if found := match(e, header); found != nil {
			for _, l := range r.Classes {
				if match(l.Expression, found[1]) != nil {
					return l.Class
				}
			}
			t.Fatalf("%q has the name %q, which has no class", header, found)
		}
	}
	stripped := header
	for range 2 {
		if found := match(r.Strip, stripped); found != nil {
			stripped = found[1] + " " + found[2]
		}
	}
	if len(r.Near) > 0 {
		if found := match(r.Marked, stripped); found != nil && match(r.Bare, found[1]) != nil {
			for _, l := range r.Near {
				if match(l.Expression, header) != nil {
					return l.Class
				}
			}
		}
	}
	posing := ""
	if found := match(r.Posing, header); found != nil {
		posing = found[1]
	}
	for i, lines := range [][]Line{r.Marks, r.Parts, r.Playing, r.Posed, r.Rest} {
		for _, l := range lines {
			if match(l.Expression, []string{header, stripped, header, posing, header}[i]) != nil {
				if i != 3 || l.Class == Everyone {
					return l.Class
				}
				break
			}
		}
	}
	return Nobody
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
	if err != nil {
		t.Fatal(err)
	}
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
		"CUBOT CUBOT some-bot/1.0": true, "unlike SomeBot": false, "alike, SomeBot": true, "strike Some-Spider": true, "with SomeBot/1": false,
	} {
		if got := classRE2(t, r, header) == Everyone; got != want {
			t.Errorf("%q is a robot: %t, want %t", header, got, want)
		}
	}
	chrome := "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36"
	if !expression(t, CommonBrowsers).MatchString(chrome) || expression(t, strings.Join(r.Quick, "|")).MatchString(chrome) {
		t.Error("Chrome is no common browser")
	}
}
