package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/robotnames"
	"github.com/robotsexclusion/robots/lint"
	"github.com/robotsexclusion/robots/pathset"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/server/api"
)

// Limits of questions about whole texts.
const (
	maxText   = 500 << 10 // bytes of a robots.txt, as much as RFC 9309 (section 2.5) asks robots to read
	maxClaims = 1000
)

// lint answers POST /v1/lint.
func (s *Server) lint(route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	var q api.LintQuestion
	return s.analyse(route, w, r, &q, func() ([]byte, error) {
		text, err := textOf("robots", q.Robots, q.RobotsBase64)
		if err != nil {
			return nil, err
		}
		o := lint.Options{Enable: q.Enable, Disable: q.Disable, Language: q.Language, Robots: s.config.Robots}
		var ok bool
		if o.Profile, ok = lint.ParseProfile(q.Profile); q.Profile != "" && !ok {
			return nil, badBody.problem(fmt.Sprintf("there is no profile %s", printable.Quoted(q.Profile, 100)))
		}
		for _, name := range slices.Concat(q.Enable, q.Disable) {
			if lint.Find(name) == nil {
				return nil, badBody.problem(fmt.Sprintf("there is no check %s", printable.Quoted(name, 100)))
			}
		}
		var b bytes.Buffer
		file := lint.File{Name: "robots.txt", Report: lint.Run(robots.Parse(text), o)}
		err = lint.Writer{Format: lint.JSON}.Write(&b, file)
		return b.Bytes(), err
	})
}

// diff answers POST /v1/diff.
func (s *Server) diff(route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	var q api.DiffQuestion
	return s.analyse(route, w, r, &q, func() ([]byte, error) {
		before, err := textOf("before", q.Before, q.BeforeBase64)
		if err != nil {
			return nil, err
		}
		after, err := textOf("after", q.After, q.AfterBase64)
		if err != nil {
			return nil, err
		}
		if len(q.Agents) > maxAgents {
			return nil, badBody.problem(fmt.Sprintf("%d robots are given, more than %d", len(q.Agents), maxAgents))
		}
		d, err := parseDialect(q.Dialect)
		if err != nil {
			return nil, err
		}
		change, err := proof.Diff(d.Parse(before), d.Parse(after), proof.Options{Agents: q.Agents, Robots: s.config.Robots})
		return proven(change, err)
	})
}

// prove answers POST /v1/prove.
func (s *Server) prove(route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	var q api.ProveQuestion
	return s.analyse(route, w, r, &q, func() ([]byte, error) {
		text, err := textOf("robots", q.Robots, q.RobotsBase64)
		if err != nil {
			return nil, err
		}
		d, err := parseDialect(q.Dialect)
		if err != nil {
			return nil, err
		}
		claims, err := proof.ParseClaims(q.Claims)
		switch {
		case err != nil:
			return nil, badClaim.problem(err.Error())
		case len(claims) == 0:
			return nil, badClaim.problem("there is no claim: write one a line, such as 'all may fetch /ads.txt'")
		case len(claims) > maxClaims:
			return nil, badClaim.problem(fmt.Sprintf("%d claims are given, more than %d", len(claims), maxClaims))
		}
		policy := d.Parse(text)
		if !q.Unknown {
			names := robotnames.WithPurposes(s.config.Robots, language.English)
			names.AddFile(policy)
			if err := names.CheckClaims("claims", claims); err != nil {
				// The message is for the command, where a flag allows such names.
				return nil, badClaim.problem(strings.Replace(err.Error(), "--unknown allows it", `"unknown": true allows it`, 1))
			}
		}
		proofs, err := proof.Prove(policy, claims, proof.Options{Robots: s.config.Robots})
		return proven(map[string]any{"claims": proofs}, err)
	})
}

// minimize answers POST /v1/minimize.
func (s *Server) minimize(route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	var q api.MinimizeQuestion
	return s.analyse(route, w, r, &q, func() ([]byte, error) {
		text, err := textOf("robots", q.Robots, q.RobotsBase64)
		if err != nil {
			return nil, err
		}
		others := slices.DeleteFunc(proof.Readers(), func(r proof.Reader) bool { return r.Name == "rfc9309" || r.Name == "google" })
		small, err := proof.Minimize(robots.Parse(text), proof.Options{Robots: s.config.Robots, Noted: others})
		b, err := proven(small, err)
		if err != nil {
			return nil, err
		}
		b = appendText(bytes.TrimSuffix(b, []byte("}\n")), small.Text)
		return append(b, "}\n"...), nil
	})
}

// appendText appends the member of a text.
func appendText(b []byte, text string) []byte {
	if utf8.ValidString(text) {
		return printable.AppendString(append(b, `,"text":`...), text)
	}
	return printable.AppendJSON(append(b, `,"text_base64":`...), []byte(text))
}

// proven returns the JSON of an answer of package proof, as the command prints it. The JSON says itself
// that something is undecided.
func proven(answer any, err error) ([]byte, error) {
	if err != nil && !errors.Is(err, pathset.ErrUndecided) {
		return nil, err
	}
	return printable.JSON(append(printable.AppendJSON(nil, answer), '\n')), nil
}

// textOf returns a text of a question, which is given as a string or as base64.
func textOf(name string, text *string, encoded []byte) ([]byte, error) {
	switch {
	case text != nil && encoded != nil:
		return nil, badBody.problem(fmt.Sprintf("%s and %[1]s_base64 are given: leave one of them out", name))
	case text != nil:
		encoded = []byte(*text)
	case encoded == nil:
		return nil, badBody.problem(fmt.Sprintf("%s is missing: give the text of robots.txt", name))
	}
	if len(encoded) > maxText {
		return nil, tooLarge.problem(fmt.Sprintf("%s has %d bytes, more than %d", name, len(encoded), maxText))
	}
	return encoded, nil
}

// analyse reads the question of a request, and answers with the JSON that work returns. Nothing can
// interrupt the work: after the time is over, it keeps its place among the concurrent ones until it
// ends.
func (s *Server) analyse(route *boundRoute, w http.ResponseWriter, r *http.Request, question any, work func() ([]byte, error)) error {
	if err := route.read(r); err != nil {
		return err
	}
	leave, err := s.enterBody(w, r)
	if err != nil {
		return err
	}
	defer leave()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.Header().Set("Connection", "close") // or net/http waits for the rest of the body
		return explainBody(err, s.config.MaxBody)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(question); err != nil {
		return badBody.problem(fmt.Sprintf("the body is not the object that the route reads: %v", err))
	}
	if _, err := decoder.Token(); err != io.EOF {
		return badBody.problem("the body has more than one JSON value")
	}
	b, err := s.work(r.Context(), work)
	if err != nil {
		return err
	}
	w.Header()["Cache-Control"] = noStore
	return writeJSON(w, b)
}

var errPanic = errors.New("the work panicked")

// work runs a function, with others on half of the processors: the rest is for questions about URLs,
// whatever texts strangers send.
func (s *Server) work(ctx context.Context, work func() ([]byte, error)) ([]byte, error) {
	select {
	case s.processors <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	type result struct {
		b   []byte
		err error
	}
	done := make(chan result, 1)
	go func() {
		got := result{err: errPanic}
		defer func() {
			recover() // a fault in the work must not end the service
			done <- got
			<-s.processors
		}()
		got.b, got.err = work()
	}()
	select {
	case got := <-done:
		return got.b, got.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
