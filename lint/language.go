package lint

import (
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Language is one that messages are written in.
type Language uint8

// The languages.
const (
	English Language = iota
	Spanish
	Korean
	Russian
)

// String returns the language's code of ISO 639-1: en, es, ko or ru.
func (l Language) String() string { return language.Language(l).String() }

// ParseLanguage returns the language that an environment asks for in variables
// such as LANG: "es", "ko_KR.UTF-8", "ru-RU", or a list of them with colons in
// between, of which the first that is known counts. All others are English.
func ParseLanguage(locale string) Language { return Language(language.Parse(locale)) }

// shownOctets is how much of a line's text stands in a message.
const shownOctets = 80

// textIn returns a text in a language. Strings among args, which strangers wrote, are
// made printable.
func textIn(l Language, t language.Text, args ...any) string {
	shown := make([]any, len(args))
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			arg = printable.Clipped(s, shownOctets)
		}
		shown[i] = arg
	}
	return t.In(language.Language(l), shown...)
}
