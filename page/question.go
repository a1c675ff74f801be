package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/jsonl"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A question is one line of the machine protocol: see [Serve].
type question struct {
	ID      json.RawMessage // any JSON value, which is repeated in the answer; nil without an ID
	HTML    string          // the page
	Headers []string        // values of X-Robots-Tag headers
	Meta    []Meta          // META tags in addition to those of the page
	// one or more product tokens, separated by commas; empty or *: a robot that the page does not
	// name
	Agent   string
	Now     time.Time // by default the time of the answer
	Reading Reading
}

// parseQuestion parses a line. reading is the default. If the line is invalid, the question
// still has the ID if the ID can be parsed.
func parseQuestion(line []byte, reading Reading) (question, error) {
	q := question{Reading: reading}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(line, &members); err != nil {
		if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
			return q, fmt.Errorf("the line is not a question: a JSON object is expected, not a JSON %s", e.Value)
		}
		return q, fmt.Errorf("the line is not a question: a JSON object is expected: %w", err)
	}
	if members == nil {
		return q, errors.New("the line is not a question: a JSON object is expected, not null")
	}
	if id, ok := members["id"]; ok && utf8.Valid(id) {
		q.ID = id
	}
	if !utf8.Valid(line) {
		return q, errors.New("the line is not UTF-8: convert the page to it")
	}
	var meta [][]string
	for _, m := range []struct {
		name  string
		value any
		want  string
	}{
		{"html", &q.HTML, "a string"},
		{"headers", &q.Headers, "a list of strings"},
		{"meta", &meta, "a list of pairs of strings, such as [[\"robots\", \"noindex\"]]"},
		{"agent", &q.Agent, "a string"},
		{"now", &q.Now, "a time such as \"2026-01-31T12:00:00Z\""},
		{"reading", &q.Reading, "\"restrictive\" or \"1996\""},
	} {
		raw, ok := members[m.name]
		if !ok || string(raw) == "null" {
			continue
		}
		if err := json.Unmarshal(raw, m.value); err != nil {
			return q, fmt.Errorf("the line is not a question: %q is not %s", m.name, m.want)
		}
	}
	for i, pair := range meta {
		if len(pair) != 2 {
			return q,
				fmt.Errorf("the line is not a question: number %d of \"meta\" has %d strings, not a name and a content",
					i+1, len(pair))
		}
		q.Meta = append(q.Meta, Meta{pair[0], pair[1]})
	}
	return q, nil
}

// decide computes the decision.
func (q *question) decide() *Decision {
	doc, _ := Read(strings.NewReader(q.HTML), Options{ // reading a string cannot fail
		Header: http.Header{
			"Content-Type": {"text/html; charset=utf-8"}, // JSON is always UTF-8
			"X-Robots-Tag": q.Headers,
		},
		Meta:    q.Meta,
		MaxSize: -1,
		Reading: q.Reading,
		Now:     q.Now,
	})
	return doc.For(strings.Split(q.Agent, ",")...)
}

// appendAnswer answers a line of the machine protocol, and appends the answer to b, without a line
// end. reading is the reading of questions without one. The error says why the line is not a
// question. The answer contains the error too.
func appendAnswer(b, line []byte, reading Reading) ([]byte, error) {
	q, err := parseQuestion(line, reading)
	b = append(b, '{')
	if q.ID != nil {
		b = append(b, `"id":`...)
		b = append(b, q.ID...)
		b = append(b, ',')
	}
	if err != nil {
		b = append(b, `"error":`...)
		b = printable.AppendString(b, err.Error())
	} else {
		b = q.decide().appendFields(b)
	}
	return append(b, '}'), err
}

// Serve answers questions of the machine protocol of page directives: the lines of in until its
// end, each with a line. It returns the number of lines answered with an error. A line is a
// question about a page and a robot:
//
//	{"html": text, "headers": [value, …], "meta": [[name, content], …], "agent": "Googlebot",
//	 "now": "2026-01-31T12:00:00Z", "reading": "restrictive", "id": 7}
//
// "headers" are values of X-Robots-Tag, "meta" are META tags in addition to those of the page,
// and "agent" is one or more product tokens, separated by commas. All members are optional,
// null is the same as no member, and other members are ignored. An answer looks like
//
//	{"id": 7, "index": false, "follow": true, "directives": {"noindex": true}}
//
// or {"id": 7, "error": text}. reading is the reading of questions without one. Blank lines have no
// answer. The maximum size of a line is 64 MiB. Non-printable characters in answers are escaped.
//
// Answers are buffered, and written before each read, so that a program can ask one question at
// a time over a pipe. After ctx is done, Serve returns the cause before the next read of in. The
// errors of Serve are those of in and out.
func Serve(ctx context.Context, in io.Reader, out io.Writer, reading Reading) (failed int, err error) {
	err = jsonl.Serve(ctx, in, out, func(b, line []byte, err error) []byte {
		if line = bytes.TrimSpace(line); err == nil && len(line) == 0 {
			return b
		}
		start := len(b)
		if err != nil {
			b = append(printable.AppendJSON(append(b, `{"error":`...), err.Error()), '}')
		} else {
			b, err = appendAnswer(b, line, reading)
		}
		if err != nil {
			failed++
		}
		return append(append(b[:start], printable.JSON(b[start:])...), '\n')
	})
	return failed, err
}
