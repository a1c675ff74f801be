// Package answers answers the questions of package server/api about whole texts of robots.txt: for
// the service, for the page in the browser, and for the package for JavaScript, so that all of them
// give the same answers.
package answers

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/robotname"
	"github.com/robotsexclusion/robots/lint"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/proof/pathset"
	"github.com/robotsexclusion/robots/server/api"
)

// Limits of questions.
const (
	MaxText   = 500 << 10 // bytes of a robots.txt, as much as RFC 9309 (section 2.5) asks robots to read
	MaxAgents = 100
	maxClaims = 1000
)

// An Error describes a mistake in a question. Its text may have text of strangers.
type Error struct {
	// Status is the status code of HTTP for the mistake: 400 if a member of the question is
	// invalid, such as an unknown robot in agents, and 422 if a claim cannot be read, or names an
	// unknown robot.
	Status int
	Detail string
}

// Error returns the detail.
func (e *Error) Error() string { return e.Detail }

func wrong(status int, format string, args ...any) error {
	return &Error{status, fmt.Sprintf(format, args...)}
}

// LintOptions returns the options of a question. It does not look at the text.
func LintOptions(q *api.LintQuestion, known *agent.Table) (lint.Options, error) {
	o := lint.Options{Enable: q.Enable, Disable: q.Disable, Language: q.Language, Robots: known}
	var ok bool
	if o.Profile, ok = lint.ParseProfile(q.Profile); q.Profile != "" && !ok {
		return o, wrong(http.StatusBadRequest, "there is no profile %s", printable.Quoted(q.Profile, 100))
	}
	for _, name := range slices.Concat(q.Enable, q.Disable) {
		if lint.Find(name) == nil {
			return o, wrong(http.StatusBadRequest, "there is no check %s", printable.Quoted(name, 100))
		}
	}
	return o, nil
}

// Diff answers with the JSON of an [api.Difference]. Agents are names of robots as
// [agent.Table.Resolve] takes them; none are all robots that a text names, and all others. An
// unknown name is an error unless unknown is set.
func Diff(before, after *robots.Policy, agents []string, unknown bool, known *agent.Table) ([]byte, error) {
	o := proof.Options{Robots: known}
	if len(agents) > 0 {
		var err error
		if o.Agents, err = tokensOf(agents, unknown, known, before, after); err != nil {
			return nil, err
		}
	}
	change, err := proof.Diff(before, after, o)
	return proven(change, err)
}

// tokensOf returns the product tokens of the robots that texts name, each once. Names in the
// policies are known.
func tokensOf(texts []string, unknown bool, known *agent.Table, policies ...*robots.Policy) (tokens []string,
	err error) {
	if err := robotname.CheckSize(texts, MaxAgents); err != nil {
		return nil, wrong(http.StatusBadRequest, "%v", err)
	}
	names := &robotname.Names{Table: known, Language: language.English}
	addNames(names, policies...)
	found, err := names.Resolve(texts)
	nobody, isUnknown := errors.AsType[*robotname.UnknownError](err)
	switch {
	case isUnknown && !unknown:
		return nil, wrong(http.StatusBadRequest, "%s", robotname.InJSON(nobody))
	case err != nil && !isUnknown:
		return nil, wrong(http.StatusBadRequest, "%v", err)
	}
	for _, s := range found {
		if strings.Contains(s.Name, ">") {
			return nil, wrong(http.StatusBadRequest, "%s has several names of one robot: give one of them",
				printable.Shown(s.Name))
		}
		if !slices.Contains(tokens, s.Tokens[0]) {
			tokens = append(tokens, s.Tokens[0])
		}
	}
	return tokens, nil
}

// addNames adds the names of robots in texts of robots.txt.
func addNames(names *robotname.Names, policies ...*robots.Policy) {
	for _, p := range policies {
		for _, g := range p.Groups() {
			names.Add(g.Agents()...)
		}
	}
}

// Prove answers with the JSON of [api.Proofs]. An unknown name of a robot is an error unless
// unknown is set.
func Prove(p *robots.Policy, text string, unknown bool, known *agent.Table) ([]byte, error) {
	claims, err := proof.ParseClaims(text)
	switch {
	case err != nil:
		return nil, wrong(http.StatusUnprocessableEntity, "%v", err)
	case len(claims) == 0:
		return nil, wrong(http.StatusUnprocessableEntity,
			"there is no claim: write one a line, such as 'all may fetch /ads.txt'")
	case len(claims) > maxClaims:
		return nil, wrong(http.StatusUnprocessableEntity, "%d claims are given, more than %d", len(claims), maxClaims)
	}
	if !unknown {
		if err := checkNames(p, claims, known); err != nil {
			return nil, err
		}
	}
	proofs, err := proof.Prove(p, claims, proof.Options{Robots: known})
	return proven(map[string]any{"claims": proofs}, err)
}

// checkNames refuses claims with an unknown name.
func checkNames(p *robots.Policy, claims []proof.Claim, known *agent.Table) error {
	names := robotname.WithPurposes(known, language.English)
	names.Add("all")
	addNames(names, p)
	for _, c := range claims {
		if err := names.Check(fmt.Sprintf("claims:%d", c.Line), c.Robots()...); err != nil {
			return wrong(http.StatusUnprocessableEntity, "%s", robotname.InJSON(err))
		}
	}
	return nil
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
	b = printable.AppendText(bytes.TrimSuffix(b, []byte("}\n")), small.Text)
	return append(b, "}\n"...), nil
}

// proven returns the JSON of an answer of package proof, as the command prints it. The JSON says
// itself that something is undecided.
func proven(answer any, err error) ([]byte, error) {
	if err != nil && !errors.Is(err, pathset.ErrUndecided) {
		return nil, err
	}
	return printable.JSON(append(printable.AppendJSON(nil, answer), '\n')), nil
}
