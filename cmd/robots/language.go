package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
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

// sayMatch returns a match as a sentence.
func sayMatch(l language.Language, m robots.Match) string {
	if m.Reason == robots.DecidingRule {
		by := textDisallowedBy
		if m.Allowed {
			by = textAllowedBy
		}
		return by.In(l, m.Rule.Line, m.Rule.String())
	}
	verdict := textDisallowed
	if m.Allowed {
		verdict = textAllowed
	}
	return verdict.In(l) + ": " + sayReason(l, m.Reason)
}

// sayReason returns the reason for a match that no rule decides.
func sayReason(l language.Language, r robots.Reason) string {
	if text, ok := reasonTexts[r]; ok {
		return text.In(l)
	}
	return r.String()
}

// sayNames returns names: at most this many, and the number of the others.
func sayNames(l language.Language, names []string, most int) string {
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return textNamesAndMore.In(l, strings.Join(names[:most], ", "), len(names)-most)
}
