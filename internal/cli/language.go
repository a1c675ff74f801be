package cli

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/spf13/cobra"
)

// A LanguageFlag is the flag --lang: the language of answers to people.
type LanguageFlag struct{ code string }

// String returns the code of the language, or "" if the flag is not given.
func (f *LanguageFlag) String() string { return f.code }

// Type returns the name of the value in help.
func (f *LanguageFlag) Type() string { return "language" }

// Set sets the language to one of language.Codes.
func (f *LanguageFlag) Set(code string) error {
	if !slices.Contains(language.Codes(), code) {
		return fmt.Errorf("name one of %s", strings.Join(language.Codes(), ", "))
	}
	f.code = code
	return nil
}

// Add adds the flag to a verb.
func (f *LanguageFlag) Add(cmd *cobra.Command) {
	cmd.Flags().Var(f, "lang", "the `language` of answers to people: "+strings.Join(language.Codes(), ", ")+
		" (default that of the environment)")
	Complete(cmd, "lang", language.Codes())
}

// Language returns the language of the flag, or else of the environment.
func (f *LanguageFlag) Language() language.Language {
	return language.Parse(cmp.Or(f.code, EnvironmentLanguage()))
}

// LanguageOf returns the language of a verb's answers to people: English if the verb has no
// flag --lang.
func LanguageOf(cmd *cobra.Command) language.Language {
	if flag := cmd.Flags().Lookup("lang"); flag != nil {
		if f, ok := flag.Value.(*LanguageFlag); ok {
			return f.Language()
		}
	}
	return language.English
}

// EnvironmentLanguage returns the locale for messages in the environment.
func EnvironmentLanguage() string {
	return cmp.Or(os.Getenv("LANGUAGE"), os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"))
}
