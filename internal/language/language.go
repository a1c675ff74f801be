// Package language writes messages in the languages of the founding documents'
// translations: English, Spanish, Korean and Russian.
//
// A [Text] is a message in all of them. Code has its English, which is the key of its
// translations in the files po/es.po, po/ko.po and po/ru.po, as in GNU gettext; a text without a
// translation is shown in English. After you add, remove or change a text or a translation, run
//
//	go generate ./internal/language
//
// It adds new texts to these files without a translation, removes old ones, and writes the
// translations to the folder catalog, which programs embed.
//
// The placeholders of a text are those of package fmt with an index, such as %[1]s. Words that
// depend on an argument follow its placeholder in angle brackets, with slashes between the
// choices:
//
//   - "%[1]d ⟨rule/rules⟩" has the form for one and for all other numbers in English
//     and Spanish.
//   - "%[1]d ⟨правило/правила/правил⟩" has the forms for 1, 2 and 5 in Russian.
//   - "%[1]s⟨을/를⟩" has the particle after a consonant and after a vowel in Korean.
package language

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Language is a language of messages.
type Language uint8

// The languages.
const (
	English Language = iota
	Spanish
	Korean
	Russian
)

var codes = [...]string{"en", "es", "ko", "ru"}

// Codes returns the codes of all languages, in the order of their constants.
func Codes() []string { return slices.Clone(codes[:]) }

// String returns the language's code of ISO 639-1: en, es, ko or ru.
func (l Language) String() string {
	if int(l) < len(codes) {
		return codes[l]
	}
	return "unknown"
}

// Parse returns the language of an environment variable such as LANG: "es",
// "ko_KR.UTF-8", "ru-RU", or a list of them separated by colons. The first known
// one counts. Any other value means English.
func Parse(locale string) Language {
	for part := range strings.SplitSeq(strings.ToLower(locale), ":") {
		if i := strings.IndexAny(part, "_-.@"); i >= 0 {
			part = part[:i]
		}
		if i := slices.Index(codes[:], part); i >= 0 {
			return Language(i)
		}
	}
	return English
}

// A Text is a message in all languages.
type Text struct{ context, english string }

// New returns the text with this English. The English is written out in each call, where
// TestCatalog finds it.
func New(english string) Text { return Text{english: english} }

// InContext is [New] for English that has several translations, such as "new" of a list and of a
// problem. The context says to translators which one is meant.
func InContext(context, english string) Text { return Text{context: context, english: english} }

// In returns the text in a language, or in English if it is not translated. String
// arguments must already be safe to show.
func (t Text) In(l Language, args ...any) string {
	if translated := t.translation(l); translated != "" {
		return Format(l, translated, args...)
	}
	return Format(English, t.english, args...)
}

// translation returns the text in another language than English, without its arguments, or "" if
// there is none.
func (t Text) translation(l Language) string {
	if l == English || int(l) >= len(codes) {
		return ""
	}
	return catalogs[l].find(l, t.key())
}

// key returns what identifies the text among all texts.
func (t Text) key() string {
	if t.context == "" {
		return t.english
	}
	return t.context + "\t" + t.english
}

// Count returns a number in English with the name of the things counted: "1 page", "2 pages".
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// choice matches a placeholder, the text between it and the choices, and the choices.
var choice = regexp.MustCompile(`(%\[(\d+)\][a-z])([^%⟨⟩]*)⟨([^⟩]*)⟩`)

// Format is fmt.Sprintf for a format in a language, and selects the choices by the
// arguments.
func Format(l Language, format string, args ...any) string {
	if strings.Contains(format, "⟨") {
		format = choice.ReplaceAllStringFunc(format, func(found string) string {
			parts := choice.FindStringSubmatch(found)
			n, err := strconv.Atoi(parts[2])
			if err != nil || n < 1 || n > len(args) {
				return found
			}
			return parts[1] + parts[3] + choose(l, strings.Split(parts[4], "/"), args[n-1], parts[3])
		})
	}
	if len(args) == 0 {
		return strings.ReplaceAll(format, "%%", "%")
	}
	for i, arg := range args {
		if n, ok := arg.(Grouped); ok {
			args = slices.Clone(args)
			args[i] = digits(n.In(l))
		}
	}
	return fmt.Sprintf(format, args...)
}

// Grouped is a number that texts show with separators between its thousands.
type Grouped int64

// In returns the digits of a number in a language.
func (n Grouped) In(l Language) string {
	text := strconv.FormatInt(int64(n), 10)
	separator, shortest := ",", 4
	if l == Spanish || l == Russian {
		separator, shortest = "\u00a0", 5
	}
	if len(strings.TrimPrefix(text, "-")) < shortest {
		return text
	}
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + separator + text[i:]
	}
	return text
}

// digits are what a format writes for a number, whatever its verb is.
type digits string

func (d digits) Format(f fmt.State, _ rune) { io.WriteString(f, string(d)) }

// choose returns the choice for an argument, and the text behind it.
func choose(l Language, choices []string, arg any, behind string) string {
	if grouped, ok := arg.(Grouped); ok {
		arg = int(grouped)
	}
	n, isNumber := arg.(int)
	last := len(choices) - 1
	switch {
	case l == Korean:
		return choices[min(particle(choices, fmt.Sprint(arg)+behind), last)]
	case !isNumber:
		return choices[last]
	case l == Russian:
		return choices[min(russianForm(n), last)]
	case n == 1:
		return choices[0]
	}
	return choices[last]
}

// russianForm returns the index of the form of a noun after a number: 1 правило, 2
// правила, 5 правил, and so on to 21 правило.
func russianForm(n int) int {
	n = max(n, -n)
	switch tens := n % 100; {
	case tens >= 11 && tens <= 14:
		return 2
	case n%10 == 1:
		return 0
	case n%10 >= 2 && n%10 <= 4:
		return 1
	}
	return 2
}
