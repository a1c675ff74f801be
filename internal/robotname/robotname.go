// Package robotname says which names of robots a question may use, for the command, the service and
// the engines in browsers.
package robotname

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

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

// Question returns a question that proposes known names in place of this one, or "".
func (l *Names) Question(name string) string {
	_, err := l.Table.Resolve(name, l.others...)
	if nobody := (*agent.UnknownError)(nil); errors.As(err, &nobody) && nobody.Meant != "" {
		return l.question(nobody)
	}
	return ""
}

// question asks whether the names were meant that an error proposes.
func (l *Names) question(nobody *agent.UnknownError) string {
	meant := printable.Shown(nobody.Meant)
	switch {
	case meant == "*" && slices.Contains(l.others, "all"):
		meant = "all"
	case meant == "*":
		meant = `"*"` // which a shell does not replace
	}
	return textDidYouMean.In(l.Language, meant)
}

// An UnknownError has the names that nobody knows, with what to do.
type UnknownError struct {
	Names    []*agent.UnknownError
	Language language.Language
}

// Error returns the notes, with what allows the names. Nothing allows one with a blank, which no
// robots.txt can have.
func (e *UnknownError) Error() string {
	notes := strings.Join(e.Notes(), " ")
	switch {
	case !e.allowed():
		return notes
	case len(e.Names) > 1:
		return textAllowedAll.In(e.Language, notes)
	}
	return textAllowed.In(e.Language, notes)
}

// allowed reports whether a robots.txt can have the names.
func (e *UnknownError) allowed() bool {
	return !slices.ContainsFunc(e.Names, func(name *agent.UnknownError) bool { return hasBlank(name.Name) })
}

func hasBlank(name string) bool { return strings.ContainsFunc(name, unicode.IsSpace) }

// Notes returns a sentence for each name with the name that was probably meant, then one for all
// the others.
func (e *UnknownError) Notes() (notes []string) {
	names := &Names{Language: e.Language}
	var others []string
	for _, name := range e.Names {
		if name.Meant != "" {
			notes = append(notes, textNobodyBy.In(e.Language, printable.Shown(name.Name), names.question(name)))
		} else {
			others = append(others, printable.Shown(name.Name))
		}
	}
	if len(others) > 0 {
		notes = append(notes, textNobody.In(e.Language, strings.Join(others, textOr.In(e.Language))))
	}
	return notes
}

// InJSON returns the text of an error about unknown names for a question in JSON, where a member
// allows them in place of a flag.
func InJSON(err error) string {
	text := err.Error()
	if e := (*UnknownError)(nil); errors.As(err, &e) && !e.allowed() {
		return text
	}
	if at := strings.LastIndex(text, "--unknown"); at >= 0 { // names come before it, in all languages
		text = text[:at] + `"unknown": true` + text[at+len("--unknown"):]
	}
	return text
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
			at := slices.IndexFunc(all, func(has agent.Subject) bool { return strings.EqualFold(has.Name, s.Name) })
			if at < 0 {
				all = append(all, s)
				continue
			}
			for _, name := range s.Called {
				if has := &all[at]; !slices.Contains(has.Called, name) {
					has.Called = append(slices.Clip(has.Called), name)
				}
			}
		}
	}
	if len(unknown.Names) > 0 {
		return all, unknown
	}
	return all, nil
}

// One returns the robot that a text names, with the text as its name unless people only call it so.
// A text that names no robot, such as the header of a browser, gives one without tokens. A text
// that names several robots is an error, unless it is the product token of one of them; so is a
// comma list of none. The robot comes with an [UnknownError] too.
func (l *Names) One(text string) (agent.Subject, error) {
	found, err := l.Resolve([]string{text})
	if len(found) > 1 {
		own := slices.IndexFunc(found, func(s agent.Subject) bool {
			return strings.EqualFold(s.Name, strings.TrimSpace(text))
		})
		if own < 0 {
			return agent.Subject{}, severalError(found)
		}
		found = found[own:]
	}
	switch {
	case len(found) > 0:
		s := found[0]
		if len(s.Called) == 0 || strings.EqualFold(s.Name, strings.TrimSpace(text)) {
			s.Name = text
		}
		return s, err
	case agent.IsHeader(text) || !strings.Contains(text, ","):
		return agent.Subject{Name: text}, nil
	}
	return agent.Subject{}, err
}

// severalError returns an error that names the first of several robots.
func severalError(found []agent.Subject) error {
	var names []string
	for _, s := range found[:min(len(found), 5)] {
		names = append(names, printable.Shown(s.Name))
	}
	list := strings.Join(names, ", ")
	if len(found) > len(names) {
		list += " …"
	}
	return fmt.Errorf("%d robots are named, and the question is about one: name one of %s", len(found), list)
}

// CheckSize returns an error if texts may name more robots than most, by the commas in them, or if
// a name is longer than 1,024 bytes. Finding out who is meant takes time for each name.
func CheckSize(texts []string, most int) error {
	number := 0
	for _, text := range texts {
		for name := range strings.SplitSeq(text, ",") {
			if number++; len(name) > maxName {
				return fmt.Errorf("the name of a robot has %d bytes, more than %d", len(name), maxName)
			}
		}
	}
	if number > most {
		return fmt.Errorf("%d robots are given, more than %d", number, most)
	}
	return nil
}

const maxName = 1 << 10 // bytes

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
		if nobody.Meant != "" {
			question = " " + l.question(nobody)
		}
		text := textNoSuchName
		switch blank := hasBlank(nobody.Name); {
		case blank && question == "":
			text = textNoSuchWords
		case blank:
			text = textOtherWords
		}
		return errors.New(text.In(l.Language, printable.Shown(where), printable.Shown(name), question))
	}
	return nil
}

var (
	textDidYouMean  = language.New("did you mean %[1]s?")
	textNobodyBy    = language.New("no robot is named %[1]s: %[2]s")
	textNobody      = language.New("no known robot is named %[1]s.")
	textAllowed     = language.New("%[1]s --unknown accepts the name")
	textAllowedAll  = language.New("%[1]s --unknown accepts the names")
	textOr          = language.New(" or ")
	textNoSuchWords = language.New("%[1]s: no robot and no purpose is named %[2]s")
	textOtherWords  = language.New("%[1]s: no robot and no purpose is named %[2]s:%[3]s")
	textNoSuchName  = language.New(
		"%[1]s: no robot and no purpose is named %[2]s, and the file does not name it:%[3]s --unknown accepts the name")
)
