package conformance

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// A Question is one line of the ask protocol. It asks whether an agent may fetch a URL under a
// robots.txt.
//
// The ask protocol runs the vectors against a program in any language. The program reads questions
// from standard input, one JSON object in UTF-8 a line, until the end of the input, and writes one
// [Answer] a line to standard output, in the order of the questions. It may read ahead, but must
// answer the questions that it has read before it waits for another: the other side may be waiting
// for the answer.
//
// A question may look like this, on one line:
//
//	{"id": 7, "robots": "User-agent: *\nDisallow: /x\n", "agent": "FooBot", "url": "/x/y", "dialect": "rfc9309"}
//
// All members but "url" may be left out; null is the same as left out, and unknown members are
// ignored. If a member occurs twice, the last one counts.
type Question struct {
	// ID is any JSON value. The answer repeats it, byte for byte.
	ID json.RawMessage `json:"id,omitempty"`

	// Robots is the text of robots.txt. If both it and RobotsBase64 are left out, the text of the
	// line before is used. After a line that cannot be read and may have been meant to give a text,
	// there is no text: a question must not be answered with the text of another.
	Robots *string `json:"robots,omitempty"`

	// RobotsBase64 is the text in place of Robots, if the text is not UTF-8: base64 as in RFC 4648,
	// section 4, with padding. An empty text is written as Robots.
	RobotsBase64 []byte `json:"robots_base64,omitempty"`

	// Agent is the robot's name for itself; the default is "*", which is any robot that no group
	// names. A program may also take a User-Agent header, and know the groups that a robot falls
	// back to; it answers a name with commas, which are several robots, with an error.
	Agent string `json:"agent"`

	// URL is absolute, or a path with its query.
	URL string `json:"url"`

	// Dialect is the way of reading robots.txt, by the name of a profile. If it is left out or
	// empty, the program uses its default. Programs that know only one dialect may ignore it.
	Dialect string `json:"dialect,omitempty"`
}

// An Answer is the line that answers a [Question]:
//
//	{"id": 7, "allowed": false, "reason": "rule", "line": 2, "rule": "Disallow: /x"}
//
// or, without a verdict,
//
//	{"id": 7, "error": "the line has no \"url\""}
//
// after which the program continues. A line that is not a question gets an answer too, with its
// "id" if that can be read.
type Answer struct {
	ID      json.RawMessage `json:"id,omitempty"` // of the question, if it has one
	Allowed *bool           `json:"allowed,omitempty"`

	// Reason is optional: "rule", "no-rule", "no-group", "robots-file", "unavailable" or
	// "unreachable".
	Reason string `json:"reason,omitempty"`

	// Line and Rule are optional if a rule decides: the number of its line, from 1 on, and its
	// text.
	Line int    `json:"line,omitempty"`
	Rule string `json:"rule,omitempty"`

	Error string `json:"error,omitempty"` // why there is no verdict
}

// ParseQuestion reads a line of the ask protocol, for Go programs that answer. If it returns an
// error, the question has the parts that could be read: the ID for the answer, and the text for the
// questions after it.
func ParseQuestion(line []byte) (Question, error) {
	q := Question{Agent: "*"}
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
	if id := members["id"]; utf8.Valid(id) {
		q.ID = id
	}
	if !utf8.Valid(line) {
		// Decoding would replace the invalid bytes with others.
		return q,
			errors.New(`the line is not UTF-8: give a text of other bytes as "robots_base64", and percent-encode those of a URL`)
	}
	var robots, encoded, agent, url, dialect *string
	for _, m := range []struct {
		name  string
		value **string
	}{{"robots", &robots}, {"robots_base64", &encoded}, {"agent", &agent}, {"url", &url}, {"dialect", &dialect}} {
		raw, ok := members[m.name]
		if !ok {
			continue
		}
		if err := json.Unmarshal(raw, m.value); err != nil {
			return q, fmt.Errorf("the line is not a question: %q is not a string", m.name)
		}
	}
	switch {
	case robots != nil && encoded != nil:
		return q, errors.New(`the line has both "robots" and "robots_base64": give one of them`)
	case encoded != nil:
		text, err := base64.StdEncoding.DecodeString(*encoded)
		if err != nil {
			return q, fmt.Errorf(`"robots_base64" is not base64: %w`, err)
		}
		q.RobotsBase64 = text // not nil, even if empty
	case robots != nil:
		q.Robots = robots
	}
	if agent != nil {
		q.Agent = *agent
	}
	if dialect != nil {
		q.Dialect = *dialect
	}
	if url == nil {
		return q, errors.New(`the line has no "url" to ask about`)
	}
	q.URL = *url
	return q, nil
}

// parseAnswer reads the line that answers q.
func parseAnswer(line []byte, q *Question) (Answer, error) {
	var a Answer
	if err := json.Unmarshal(line, &a); err != nil {
		return a, fmt.Errorf("not an answer: %s: %w", excerpt(line), err)
	}
	if len(a.ID) > 0 && !sameJSON(a.ID, q.ID) {
		return a, fmt.Errorf("the answer to another question: id %s, not %s", excerpt(a.ID), q.ID)
	}
	if a.Allowed == nil && a.Error == "" {
		return a, fmt.Errorf(`not an answer: %s: neither "allowed" nor "error"`, excerpt(line))
	}
	return a, nil
}

// sameJSON reports whether two scalars are the same value, as some languages
// write 7 as 7.0.
func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	switch x.(type) {
	case string, float64:
		return x == y
	}
	return false
}

// excerpt quotes the start of a line.
func excerpt(line []byte) string {
	const most = 60
	if len(line) <= most {
		return fmt.Sprintf("%q", line)
	}
	return fmt.Sprintf("%q…", line[:most])
}
