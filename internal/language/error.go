package language

// A Message is a text with its arguments, to be said in any language.
type Message struct {
	text Text
	args []any
}

// With returns a message with this text. Arguments that are errors are in the language of the
// message.
func (t Text) With(args ...any) Message { return Message{t, args} }

// In returns the message in a language.
func (m Message) In(l Language) string {
	args := make([]any, len(m.args))
	for i, arg := range m.args {
		if err, ok := arg.(error); ok {
			arg = Explain(l, err)
		}
		args[i] = arg
	}
	return m.text.In(l, args...)
}

// An Error is an error with a message in all languages. Its Error method returns the
// English message; [Explain] returns the message in another language.
type Error struct{ Message }

// Err returns an error with this text. Arguments that are errors are wrapped, and are in
// the language of the message.
func (t Text) Err(args ...any) *Error { return &Error{t.With(args...)} }

// Error returns the message in English.
func (e *Error) Error() string { return e.In(English) }

// Unwrap returns the arguments that are errors.
func (e *Error) Unwrap() (errs []error) {
	for _, arg := range e.args {
		if err, ok := arg.(error); ok {
			errs = append(errs, err)
		}
	}
	return errs
}

// Explain returns the message of an error in a language, if the error has one: an [Error],
// or another error with a method In(Language) string. Otherwise it returns err.Error().
// Explain does not look into errors that wrap such an error.
func Explain(l Language, err error) string {
	if e, ok := err.(interface{ In(Language) string }); ok {
		return e.In(l)
	}
	return err.Error()
}
