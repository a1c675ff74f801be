package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/say"
	"github.com/spf13/cobra"
)

// A languageFlag is the flag --lang: the language of answers to people.
type languageFlag struct{ code string }

func (f *languageFlag) String() string { return f.code }
func (f *languageFlag) Type() string   { return "language" }

func (f *languageFlag) Set(code string) error {
	if !slices.Contains(language.Codes(), code) {
		return fmt.Errorf("name one of %s", strings.Join(language.Codes(), ", "))
	}
	f.code = code
	return nil
}

// add adds the flag to a verb.
func (f *languageFlag) add(cmd *cobra.Command) {
	cmd.Flags().Var(f, "lang", "the `language` of answers to people: "+strings.Join(language.Codes(), ", ")+" (default that of the environment)")
	complete(cmd, "lang", language.Codes())
}

// languageOf returns the language of a verb's answers to people: English if the verb has no
// flag --lang.
func languageOf(cmd *cobra.Command) language.Language {
	if flag := cmd.Flags().Lookup("lang"); flag != nil {
		if f, ok := flag.Value.(*languageFlag); ok {
			return f.language()
		}
	}
	return language.English
}

// language returns the language of the flag, or else of the environment.
func (f *languageFlag) language() language.Language {
	return language.Parse(cmp.Or(f.code, environmentLanguage()))
}

// printer returns a printer of answers in the language of the flag. It has colours if the output
// of the verb is a terminal.
func (f *languageFlag) printer(w io.Writer, output io.Writer) *say.Printer {
	return &say.Printer{W: w, Color: colored(output), Language: f.language()}
}
