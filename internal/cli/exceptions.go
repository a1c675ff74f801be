package cli

import (
	"github.com/robotsexclusion/robots/internal/exception"
	"github.com/spf13/pflag"
)

// Exceptions has the flags of verbs that enforce robots.txt for the requests that pass.
type Exceptions struct {
	exception.Set
	texts exception.Texts
	flags *pflag.FlagSet
}

// AddFlags adds the flags.
func (e *Exceptions) AddFlags(flags *pflag.FlagSet) {
	e.flags = flags
	flags.StringSliceVar(&e.texts.Methods, "methods", exception.Methods,
		"enforce robots.txt on requests with these `METHODS`, or all; other requests, such as webhooks, pass")
	flags.StringSliceVar(&e.texts.Paths, "pass-path", nil,
		"let robots pass at these `PATHS` and below them, such as /webhook, whatever robots.txt says")
	flags.StringSliceVar(&e.texts.Addresses, "pass-address", nil,
		"let robots pass from these client `ADDRESSES`, such as 192.0.2.0/24")
	flags.StringArrayVar(&e.texts.Headers, "pass-header", nil,
		"let robots pass whose request has this `FIELD`, such as 'X-Token: VALUE' or 'X-Token: @FILE'; may be repeated")
}

// Check reads the flags. One without a value is an error: a variable of a shell may be unset.
func (e *Exceptions) Check() error {
	for _, list := range []struct {
		flag   string
		values []string
	}{{"methods", e.texts.Methods}, {"pass-path", e.texts.Paths}, {"pass-address", e.texts.Addresses}} {
		if e.flags.Changed(list.flag) && len(list.values) == 0 {
			return Misusef("--%s has no value: give one, or leave the flag out", list.flag)
		}
	}
	set, option, err := e.texts.Read()
	if err != nil {
		return Misusef("--%s: %w", option, err)
	}
	e.Set = set
	return nil
}

// Exposed returns what to say if everybody on this machine can read or change a file that
// --pass-header names.
func (e *Exceptions) Exposed() (notices []string) { return e.texts.Exposed() }
