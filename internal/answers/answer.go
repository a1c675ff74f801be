// Package answers answers the questions of package server/api about whole texts of robots.txt: for
// the service, for the page in the browser, and for the package for JavaScript, so that all of them
// give the same answers. It also says which names of robots a question may use.
package answers

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/lint"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/proof/pathset"
	"github.com/robotsexclusion/robots/server/api"
)

// Limits of questions.
const (
	MaxText   = 500 << 10 // bytes of a robots.txt, as much as RFC 9309 (section 2.5) asks robots to read
	MaxClaims = 1000
	MaxAgents = 100
)

// A Kind is a kind of Error.
type Kind uint8

// The kinds.
const (
	BadQuestion Kind = iota // a member is missing or invalid
	BadClaim
	TooLarge
)

// An Error says what is wrong with a question. Its text may have text of strangers.
type Error struct {
	Kind   Kind
	Detail string
}

// Error returns the detail.
func (e *Error) Error() string { return e.Detail }

func wrong(kind Kind, format string, args ...any) error {
	return &Error{kind, fmt.Sprintf(format, args...)}
}

// Text returns a text of a question, which is given as a string or as base64, by the name of the
// string.
func Text(name string, text *string, encoded []byte) ([]byte, error) {
	switch {
	case text != nil && encoded != nil:
		return nil, wrong(BadQuestion, "%s and %[1]s_base64 are given: leave one of them out", name)
	case text != nil:
		encoded = []byte(*text)
	case encoded == nil:
		return nil, wrong(BadQuestion, "%s is missing: give the text of robots.txt", name)
	}
	if len(encoded) > MaxText {
		return nil, wrong(TooLarge, "%s has %d bytes, more than %d", name, len(encoded), MaxText)
	}
	return encoded, nil
}

// LintOptions returns the options of a question. It does not look at the text.
func LintOptions(q *api.LintQuestion, known *agent.Table) (lint.Options, error) {
	o := lint.Options{Enable: q.Enable, Disable: q.Disable, Language: q.Language, Robots: known}
	var ok bool
	if o.Profile, ok = lint.ParseProfile(q.Profile); q.Profile != "" && !ok {
		return o, wrong(BadQuestion, "there is no profile %s", printable.Quoted(q.Profile, 100))
	}
	for _, name := range slices.Concat(q.Enable, q.Disable) {
		if lint.Find(name) == nil {
			return o, wrong(BadQuestion, "there is no check %s", printable.Quoted(name, 100))
		}
	}
	return o, nil
}

// Lint answers with the JSON of an [api.Report].
func Lint(p *robots.Policy, o lint.Options) []byte {
	return lint.File{Name: "robots.txt", Report: lint.Run(p, o)}.AppendJSON(nil)
}

// Diff answers with the JSON of an [api.Difference]. No agents are all robots that a text names,
// and all others.
func Diff(before, after *robots.Policy, agents []string, known *agent.Table) ([]byte, error) {
	if len(agents) > MaxAgents {
		return nil, wrong(BadQuestion, "%d robots are given, more than %d", len(agents), MaxAgents)
	}
	change, err := proof.Diff(before, after, proof.Options{Agents: agents, Robots: known})
	return proven(change, err)
}

// Prove answers with the JSON of [api.Proofs]. An unknown name of a robot is an error unless
// unknown is set.
func Prove(p *robots.Policy, text string, unknown bool, known *agent.Table) ([]byte, error) {
	claims, err := proof.ParseClaims(text)
	switch {
	case err != nil:
		return nil, wrong(BadClaim, "%v", err)
	case len(claims) == 0:
		return nil, wrong(BadClaim, "there is no claim: write one a line, such as 'all may fetch /ads.txt'")
	case len(claims) > MaxClaims:
		return nil, wrong(BadClaim, "%d claims are given, more than %d", len(claims), MaxClaims)
	}
	if !unknown {
		names := NamesWithPurposes(known, language.English)
		names.AddFile(p)
		if err := names.CheckClaims("claims", claims); err != nil {
			// The message is for the command, where a flag allows such names.
			return nil, wrong(BadClaim, "%s", strings.Replace(err.Error(), "--unknown allows it",
				`"unknown": true allows it`, 1))
		}
	}
	proofs, err := proof.Prove(p, claims, proof.Options{Robots: known})
	return proven(map[string]any{"claims": proofs}, err)
}

// Minimize answers with the JSON of an [api.Minimized].
func Minimize(p *robots.Policy, known *agent.Table) ([]byte, error) {
	others := slices.DeleteFunc(proof.Readers(), func(r proof.Reader) bool {
		return r.Name == "rfc9309" ||
			r.Name == "google"
	})
	small, err := proof.Minimize(p, proof.Options{Robots: known, Noted: others})
	b, err := proven(small, err)
	if err != nil {
		return nil, err
	}
	b = AppendText(bytes.TrimSuffix(b, []byte("}\n")), small.Text)
	return append(b, "}\n"...), nil
}

// AppendText appends a comma and the member "text", or "text_base64" if the text is not UTF-8.
func AppendText(b []byte, text string) []byte {
	if utf8.ValidString(text) {
		return printable.AppendString(append(b, `,"text":`...), text)
	}
	return printable.AppendJSON(append(b, `,"text_base64":`...), []byte(text))
}

// proven returns the JSON of an answer of package proof, as the command prints it. The JSON says
// itself that something is undecided.
func proven(answer any, err error) ([]byte, error) {
	if err != nil && !errors.Is(err, pathset.ErrUndecided) {
		return nil, err
	}
	return printable.JSON(append(printable.AppendJSON(nil, answer), '\n')), nil
}
