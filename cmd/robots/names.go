package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/proof"
)

// A nameList has the names of robots that a question may use: those of a table, those in
// files, and others, such as purposes.
type nameList struct {
	table  *agent.Table // the table of this program, if nil
	others []string
	lang   language.Language // the language of "did you mean" questions
}

// addFile adds the names of robots in a robots.txt.
func (l *nameList) addFile(p *robots.Policy) {
	for _, g := range p.Groups() {
		l.others = append(l.others, g.Agents()...)
	}
}

// has reports whether a name is known.
func (l *nameList) has(name string) bool {
	return l.table.Named(name).Known() || slices.ContainsFunc(l.others, func(other string) bool { return strings.EqualFold(other, name) })
}

// nearest returns a question that proposes a known name close to this one, or "".
func (l *nameList) nearest(name string) string {
	near := l.table.Nearest(name, l.others...)
	if near == "" {
		return ""
	}
	return textDidYouMean.In(l.lang, shown(near))
}

// askBack writes a line for each unknown name that is close to a known one, and asks whether
// the known one was meant.
func (l *nameList) askBack(w io.Writer, names []string) {
	for i, name := range names {
		if question := l.nearest(name); question != "" && !slices.Contains(names[:i], name) {
			fmt.Fprintf(w, "robots: %s\n", textNobodyBy.In(l.lang, shown(name), question))
		}
	}
}

// refuse returns an error for an unknown name, with a hint what to do.
func (l *nameList) refuse(where, name string) error {
	if l.has(name) {
		return nil
	}
	question := l.nearest(name)
	if strings.EqualFold(name, "everyone") || strings.EqualFold(name, "everybody") || strings.EqualFold(name, "anyone") {
		question = textDidYouMean.In(l.lang, "all")
		if !slices.Contains(l.others, "all") {
			question = textDidYouMean.In(l.lang, `"*"`)
		}
	}
	if question != "" {
		question = " " + question
	}
	return errors.New(textNoSuchName.In(l.lang, shown(where), shown(name), question))
}

// refuseClaims returns an error if claims have unknown names.
func (l *nameList) refuseClaims(file string, claims []proof.Claim) error {
	l.others = append(l.others, "all")
	for _, c := range claims {
		for _, name := range c.Robots() {
			if err := l.refuse(fmt.Sprintf("%s:%d", called(file), c.Line), name); err != nil {
				return err
			}
		}
	}
	return nil
}

// namesOfAll returns a list with the names of a table, and the names that stand for several
// robots.
func namesOfAll(table *agent.Table, l language.Language) *nameList {
	return &nameList{table: table, others: append(purposeNames(), "*"), lang: l}
}
