package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/lint"
	"github.com/robotsexclusion/robots/server/answers"
	"github.com/robotsexclusion/robots/server/api"
)

// lint answers POST /v1/lint.
func (s *Server) lint(route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	var q api.LintQuestion
	return s.analyse(route, w, r, &q, func() ([]byte, error) {
		text, err := givenText("robots", q.Robots, q.RobotsBase64)
		if err != nil {
			return nil, err
		}
		o, err := answers.LintOptions(&q, s.config.Robots)
		if err != nil {
			return nil, err
		}
		return lint.File{Name: "robots.txt", Report: lint.Run(robots.Parse(text), o)}.AppendJSON(nil), nil
	})
}

// diff answers POST /v1/diff.
func (s *Server) diff(route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	var q api.DiffQuestion
	return s.analyse(route, w, r, &q, func() ([]byte, error) {
		before, err := givenText("before", q.Before, q.BeforeBase64)
		if err != nil {
			return nil, err
		}
		after, err := givenText("after", q.After, q.AfterBase64)
		if err != nil {
			return nil, err
		}
		d, err := parseDialect(q.Dialect)
		if err != nil {
			return nil, err
		}
		return answers.Diff(d.Parse(before), d.Parse(after), q.Agents, q.Unknown, s.config.Robots)
	})
}

// prove answers POST /v1/prove.
func (s *Server) prove(route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	var q api.ProveQuestion
	return s.analyse(route, w, r, &q, func() ([]byte, error) {
		text, err := givenText("robots", q.Robots, q.RobotsBase64)
		if err != nil {
			return nil, err
		}
		d, err := parseDialect(q.Dialect)
		if err != nil {
			return nil, err
		}
		return answers.Prove(d.Parse(text), q.Claims, q.Unknown, s.config.Robots)
	})
}

// minimize answers POST /v1/minimize.
func (s *Server) minimize(route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	var q api.MinimizeQuestion
	return s.analyse(route, w, r, &q, func() ([]byte, error) {
		text, err := givenText("robots", q.Robots, q.RobotsBase64)
		if err != nil {
			return nil, err
		}
		return answers.Minimize(robots.Parse(text), s.config.Robots)
	})
}

// givenText returns a text of a question, which is given as a string or as base64, by the name of the
// string.
func givenText(name string, text *string, encoded []byte) ([]byte, error) {
	switch {
	case text != nil && encoded != nil:
		return nil, badBody.problem(fmt.Sprintf("%s and %[1]s_base64 are given: leave one of them out", name))
	case text != nil:
		encoded = []byte(*text)
	case encoded == nil:
		return nil, badBody.problem(fmt.Sprintf("%s is missing: give the text of robots.txt", name))
	}
	if len(encoded) > answers.MaxText {
		return nil, tooLarge.problem(fmt.Sprintf("%s has %d bytes, more than %d", name, len(encoded),
			answers.MaxText))
	}
	return encoded, nil
}

// analyse reads the question of a request, and answers with the JSON, or the picture, that work
// returns. Nothing can interrupt the work: after the time is over, it keeps its place among the
// concurrent ones until it ends.
func (s *Server) analyse(route *boundRoute, w http.ResponseWriter, r *http.Request, question any,
	work func() ([]byte, error)) error {
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
	if err := checkMembers(body); err != nil {
		return err
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
	if route.picture {
		return sendPicture(w, b)
	}
	return writeJSON(w, b)
}

// checkMembers refuses what package json takes: members that are given twice, of which the last
// would count, and members in capitals or with other letters that it takes for ours. It leaves all
// other faults to the decoder.
func checkMembers(body []byte) error {
	d := json.NewDecoder(bytes.NewReader(body))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil
	}
	seen := make(map[string]bool)
	var value json.RawMessage
	for d.More() {
		token, err := d.Token()
		name, ok := token.(string)
		switch {
		case err != nil || !ok:
			return nil
		case seen[name]:
			return badBody.problem(fmt.Sprintf("the body has the member %q twice", name))
		case strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "":
			return badBody.problem(fmt.Sprintf("the body has the unknown member %q: members have small letters", name))
		}
		seen[name] = true
		if d.Decode(&value) != nil {
			return nil
		}
	}
	return nil
}

var errPanic = errors.New("the work panicked")

// work runs a function, with others on half of the processors: the rest is for questions about
// URLs, no matter which texts strangers send.
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
