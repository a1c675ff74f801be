// Package robotname says which names of robots a question may use, for the command, the service and
// the engines in browsers.
package robotname

import (
	"errors"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Names are the names of robots that a question may use: the names in a table, the names in files,
// and others, such as purposes. An unknown name is mostly mistyped, and an answer about it would be
// wrong for the robot that was meant.
type Names struct {
	Table    *agent.Table // nil is the table of package agent
	Language language.Language
	others   []string
}

// WithPurposes returns the names in a table, and the names for several robots: the purposes, and
// "*".
func WithPurposes(table *agent.Table, l language.Language) *Names {
	list := &Names{Table: table, Language: l}
	for p := range agent.Purposes() {
		list.Add(p.String())
	}
	list.Add("*")
	return list
}

// Add adds names, such as those in a robots.txt.
func (l *Names) Add(names ...string) { l.others = append(l.others, names...) }

// has reports whether a name is known.
func (l *Names) has(name string) bool {
	return l.Table.Named(name).Known() || slices.ContainsFunc(l.others,
		func(other string) bool { return strings.EqualFold(other, name) })
}

// Question returns a question that proposes a known name close to this one, or "".
func (l *Names) Question(name string) string {
	near := l.Table.Nearest(name, l.others...)
	if near == "" {
		return ""
	}
	return textDidYouMean.In(l.Language, printable.Shown(near))
}

// Questions returns a line for each unknown name among product tokens and User-Agent headers that
// is close to a known one, and asks whether the known one was meant. Several tokens may be joined
// by commas. A header is never unknown.
func (l *Names) Questions(agents []string) (lines []string) {
	var tokens []string
	for _, name := range agents {
		if agent.IsHeader(name) {
			continue
		}
		for token := range strings.SplitSeq(name, ",") {
			token, _, _ = strings.Cut(token, "/")
			tokens = append(tokens, strings.TrimSpace(token))
		}
	}
	for i, name := range tokens {
		if question := l.Question(name); question != "" && !slices.Contains(tokens[:i], name) {
			lines = append(lines, textNobodyBy.In(l.Language, printable.Shown(name), question))
		}
	}
	return lines
}

// CheckAgents returns an error with the Questions about product tokens and User-Agent headers, if
// there are any, and says that --unknown allows the names.
func (l *Names) CheckAgents(agents []string) error {
	lines := l.Questions(agents)
	if len(lines) == 0 {
		return nil
	}
	return errors.New(textAllowed.In(l.Language, strings.Join(lines, " ")))
}

// Check returns an error for the first unknown name, with a hint what to do. where says where the
// names were read.
func (l *Names) Check(where string, names ...string) error {
	i := slices.IndexFunc(names, func(name string) bool { return !l.has(name) })
	if i < 0 {
		return nil
	}
	name := names[i]
	question := l.Question(name)
	if strings.EqualFold(name, "everyone") || strings.EqualFold(name, "everybody") ||
		strings.EqualFold(name, "anyone") {
		question = textDidYouMean.In(l.Language, "all")
		if !slices.Contains(l.others, "all") {
			question = textDidYouMean.In(l.Language, `"*"`)
		}
	}
	if question != "" {
		question = " " + question
	}
	return errors.New(textNoSuchName.In(l.Language, printable.Shown(where), printable.Shown(name), question))
}

var (
	textDidYouMean = language.New("did you mean %[1]s?")
	textNobodyBy   = language.New("no robot is named %[1]s: %[2]s")
	textAllowed    = language.New("%[1]s --unknown allows it")
	textNoSuchName = language.New(
		"%[1]s: no robot and no purpose is named %[2]s, and the file does not name it:%[3]s --unknown allows it")
)
