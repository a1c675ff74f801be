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

// Question returns a question that proposes a known name close to this one, or "".
func (l *Names) Question(name string) string {
	near := l.Table.Nearest(name, l.others...)
	if near == "" {
		return ""
	}
	return textDidYouMean.In(l.Language, printable.Shown(near))
}

// An UnknownError has the names that nobody knows, with what to do.
type UnknownError struct {
	Names    []*agent.UnknownError
	Language language.Language
}

// Error returns the names, each with the name that was probably meant.
func (e *UnknownError) Error() string {
	var lines []string
	for _, name := range e.Names {
		if name.Meant != "" {
			lines = append(lines, textNobodyBy.In(e.Language, printable.Shown(name.Name),
				textDidYouMean.In(e.Language, printable.Shown(name.Meant))))
		} else {
			lines = append(lines, textNobody.In(e.Language, printable.Shown(name.Name)))
		}
	}
	return textAllowed.In(e.Language, strings.Join(lines, " "))
}

// Mistyped reports whether one of the names is nearly a known one.
func (e *UnknownError) Mistyped() bool {
	return slices.ContainsFunc(e.Names, func(name *agent.UnknownError) bool { return name.Meant != "" })
}

// Among reports whether a robots.txt or a page has all the names.
func (e *UnknownError) Among(names []string) bool {
	return !slices.ContainsFunc(e.Names, func(unknown *agent.UnknownError) bool {
		token, _, _ := strings.Cut(unknown.Name, "/")
		return !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, token) })
	})
}

// Resolve returns the robots that texts name, as [agent.Table.Resolve] does, each once. The robots
// are complete with an [UnknownError] too. Any other error is that of the first text that names no
// robot.
func (l *Names) Resolve(texts []string) (all []agent.Subject, err error) {
	unknown := &UnknownError{Language: l.Language}
	for _, text := range texts {
		found, err := l.Table.Resolve(text, l.others...)
		if nobody := (*agent.UnknownError)(nil); errors.As(err, &nobody) {
			has := func(other *agent.UnknownError) bool { return other.Name == nobody.Name }
			if !slices.ContainsFunc(unknown.Names, has) {
				unknown.Names = append(unknown.Names, nobody)
			}
		} else if err != nil {
			return nil, err
		}
		for _, s := range found {
			if !slices.ContainsFunc(all, func(has agent.Subject) bool { return strings.EqualFold(has.Name, s.Name) }) {
				all = append(all, s)
			}
		}
	}
	if len(unknown.Names) > 0 {
		return all, unknown
	}
	return all, nil
}

// Check returns an error for the first unknown name, with a hint what to do. where says where the
// names were read.
func (l *Names) Check(where string, names ...string) error {
	for _, name := range names {
		_, err := l.Table.Resolve(name, l.others...)
		nobody := (*agent.UnknownError)(nil)
		if !errors.As(err, &nobody) {
			continue
		}
		question := ""
		switch {
		case nobody.Meant == "*" && slices.Contains(l.others, "all"):
			question = " " + textDidYouMean.In(l.Language, "all")
		case nobody.Meant == "*":
			question = " " + textDidYouMean.In(l.Language, `"*"`)
		case nobody.Meant != "":
			question = " " + textDidYouMean.In(l.Language, printable.Shown(nobody.Meant))
		}
		return errors.New(textNoSuchName.In(l.Language, printable.Shown(where), printable.Shown(name), question))
	}
	return nil
}

var (
	textDidYouMean = language.New("did you mean %[1]s?")
	textNobodyBy   = language.New("no robot is named %[1]s: %[2]s")
	textNobody     = language.New("no known robot is named %[1]s.")
	textAllowed    = language.New("%[1]s --unknown allows it")
	textNoSuchName = language.New(
		"%[1]s: no robot and no purpose is named %[2]s, and the file does not name it:%[3]s --unknown allows it")
)
