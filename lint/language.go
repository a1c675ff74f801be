package lint

import (
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// language returns the language of the report's messages.
func (r *Report) language() language.Language { return language.Parse(r.options.Language) }

// maxShown is the maximum length of a line's text in a message.
const maxShown = 80

// textIn returns a text in a language. Strings in args, which come from strangers, are escaped.
func textIn(l language.Language, t language.Text, args ...any) string {
	shown := make([]any, len(args))
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			arg = printable.Clipped(s, maxShown)
		}
		shown[i] = arg
	}
	return t.In(l, shown...)
}
