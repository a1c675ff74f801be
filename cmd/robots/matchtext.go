package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/robotsexclusion/robots/inquire"
	"github.com/robotsexclusion/robots/internal/inforce"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/records"
	"github.com/robotsexclusion/robots/internal/say"
)

// textResults writes a row for each result. It also shows people the outcome of fetching each
// policy, on standard error, so that a program that reads the answers finds nothing else among
// them.
type textResults struct {
	say.Results
	answers *bufio.Writer // Results writes to it
	people  io.Writer
	last    string // the origin of the last policy
}

func (w *textResults) result(r *inquire.Result) error {
	if r.Source != nil && r.Source.Origin != w.last {
		w.last = r.Source.Origin
		if err := w.flush(); err != nil {
			return err
		}
		fmt.Fprintln(w.people, saySource(w.Language, r.Source))
	}
	return w.Add(r)
}

// flush writes the answers, because a terminal shows both.
func (w *textResults) flush() error {
	if err := w.Flush(); err != nil {
		return err
	}
	return w.answers.Flush()
}

func (w *textResults) records(list *records.List) error {
	if err := w.Flush(); err != nil {
		return err
	}
	return list.Write(w.Table(), w.Language)
}

func (w *textResults) end(err error) error {
	if err != nil {
		return w.Flush()
	}
	return w.End()
}

// saySource returns the source of an origin's policy as a sentence.
func saySource(l language.Language, s *inquire.Source) string {
	if p, ok := s.Version.(*inforce.Version); ok {
		return sayVersion(l, p)
	}
	return say.Fetched(l, s.Fetched)
}
