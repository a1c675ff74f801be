package lint

import (
	"fmt"
	"slices"
	"strings"

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

var languages = [...]string{"en", "es", "ko", "ru"}

// String returns the language's code of ISO 639-1: en, es, ko or ru.
func (l Language) String() string {
	if int(l) < len(languages) {
		return languages[l]
	}
	return "unknown"
}

// ParseLanguage returns the language that an environment asks for in variables
// such as LANG: "es", "ko_KR.UTF-8", "ru-RU", or a list of them with colons in
// between, of which the first that is known counts. All others are English.
func ParseLanguage(locale string) Language {
	for part := range strings.SplitSeq(strings.ToLower(locale), ":") {
		if i := strings.IndexAny(part, "_-.@"); i >= 0 {
			part = part[:i]
		}
		if i := slices.Index(languages[:], part); i >= 0 {
			return Language(i)
		}
	}
	return English
}

// A text is a message in all languages, in the order of their constants. It is
// written without field names, so that one that lacks a language does not
// compile. Its placeholders are those of package fmt with an index, such as
// %[1]s, the same in all languages; a test holds them together.
type text struct{ english, spanish, korean, russian string }

// shownOctets is how much of a line's text stands in a message.
const shownOctets = 80

// in returns the text in a language. Strings among args, which strangers
// wrote, are made printable.
func (t text) in(l Language, args ...any) string {
	format := t.english
	switch l {
	case Spanish:
		format = t.spanish
	case Korean:
		format = t.korean
	case Russian:
		format = t.russian
	}
	if len(args) == 0 {
		return strings.ReplaceAll(format, "%%", "%")
	}
	shown := make([]any, len(args))
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			arg = printable.Clipped(s, shownOctets)
		}
		shown[i] = arg
	}
	return fmt.Sprintf(format, shown...)
}
