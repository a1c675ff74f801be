package language_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/language"
)

func TestParse(t *testing.T) {
	for locale, want := range map[string]language.Language{
		"": language.English, "C": language.English, "es_MX.UTF-8": language.Spanish, "KO-kr": language.Korean,
		"ru_RU@euro": language.Russian, "de:ko:en": language.Korean, "est": language.English, "\x00": language.English,
	} {
		if got := language.Parse(locale); got != want {
			t.Errorf("%q: got %v, want %v", locale, got, want)
		}
	}
}

// TestPlurals checks the forms of nouns after numbers.
func TestPlurals(t *testing.T) {
	texts := []string{"%[1]d ⟨rule/rules⟩", "%[1]d ⟨regla/reglas⟩", "규칙 %[1]d개", "%[1]d ⟨правило/правила/правил⟩"}
	for n, want := range map[int]string{
		0: "0 rules|0 reglas|규칙 0개|0 правил", 1: "1 rule|1 regla|규칙 1개|1 правило",
		2: "2 rules|2 reglas|규칙 2개|2 правила",
		4: "4 rules|4 reglas|규칙 4개|4 правила", 5: "5 rules|5 reglas|규칙 5개|5 правил",
		11: "11 rules|11 reglas|규칙 11개|11 правил",
		12: "12 rules|12 reglas|규칙 12개|12 правил", 14: "14 rules|14 reglas|규칙 14개|14 правил",
		21: "21 rules|21 reglas|규칙 21개|21 правило",
		22: "22 rules|22 reglas|규칙 22개|22 правила", 25: "25 rules|25 reglas|규칙 25개|25 правил",
		111:  "111 rules|111 reglas|규칙 111개|111 правил",
		1001: "1001 rules|1001 reglas|규칙 1001개|1001 правило",
	} {
		var got []string
		for l, text := range texts {
			got = append(got, language.Format(language.Language(l), text, n))
		}
		if joined := strings.Join(got, "|"); joined != want {
			t.Errorf("%d: got %s, want %s", n, joined, want)
		}
	}
}

// TestParticles checks Korean particles after names, numbers and signs.
func TestParticles(t *testing.T) {
	for text, want := range map[string]string{
		"사이트": "사이트를 사이트는 사이트로", "그룹": "그룹을 그룹은 그룹으로", "파일": "파일을 파일은 파일로",
		"Googlebot": "Googlebot을 Googlebot은 Googlebot으로", "Google": "Google을 Google은 Google로",
		"bing":       "bing을 bing은 bing으로",
		"robots.txt": "robots.txt를 robots.txt는 robots.txt로", "test": "test를 test는 test로",
		"b.txt:1": "b.txt:1을 b.txt:1은 b.txt:1로",
		"crawler": "crawler를 crawler는 crawler로", "AI": "AI를 AI는 AI로", "URL": "URL을 URL은 URL로",
		"html": "html을 html은 html로",
		"1":    "1을 1은 1로", "2": "2를 2는 2로", "3": "3을 3은 3으로", "6": "6을 6은 6으로", "10": "10을 10은 10으로",
		"/a/": "/a/를 /a/는 /a/로", "*": "*를 *는 *로", `"그룹"`: `"그룹"을 "그룹"은 "그룹"으로`, "": "를 는 로", "그룹)": "그룹)을 그룹)은 그룹)으로",
		"%d⟨을/를⟩": "%d⟨을/를⟩를 %d⟨을/를⟩는 %d⟨을/를⟩로",
	} {
		got := language.Format(language.Korean, "%[1]s⟨을/를⟩ %[1]s⟨은/는⟩ %[1]s⟨으로/로⟩", text)
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestFormatOdd formats malformed texts.
func TestFormatOdd(t *testing.T) {
	for _, test := range []struct {
		format string
		args   []any
		want   string
	}{
		{"100%%", nil, "100%"},
		{"%[2]d ⟨a/b⟩", []any{1}, "%!d(BADINDEX) ⟨a/b⟩"},
		{"%[1]s ⟨a/b⟩", []any{"x"}, "x b"},
		{"%[1]s ⟨a⟩", []any{"x"}, "x a"},
		{"⟨a/b⟩", nil, "⟨a/b⟩"},
	} {
		if got := language.Format(language.English, test.format, test.args...); got != test.want {
			t.Errorf("%s: got %s, want %s", test.format, got, test.want)
		}
	}
}

// A text without translations is English in all languages.
func TestUntranslated(t *testing.T) {
	text := language.New("%[1]d ⟨pebble/pebbles⟩")
	for l := range language.Language(len(language.Codes()) + 1) {
		if got := text.In(l, 1); got != "1 pebble" {
			t.Errorf("%v: got %s", l, got)
		}
	}
}
