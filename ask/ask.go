// Package ask answers questions about robots.txt in two ways, by what the question gives.
//
// A question that gives a URL needs the robots.txt of its origin. An [Inquirer] fetches that file,
// evaluates it for each robot, and also reads the page if the question asks for that. The JSON of a
// [Result] is what "robots match --json" prints:
//
//	inquirer := ask.New(ask.Config{Client: client})
//	for _, result := range inquirer.Ask(ctx, ask.Question{URL: url, Robots: subjects}) {
//		…
//	}
//
// A question that gives the text of robots.txt needs no network. A [Server] answers such questions
// by the ask protocol, which package conformance defines: a question is a line of JSON, and so is
// its answer, in the same order. The command speaks it with "robots match --jsonl". A server
// answers the lines of a request body like this:
//
//	answerer := &ask.Server{Policies: new(ask.Policies)}
//	failed, err := answerer.Serve(ctx, request.Body, response)
//
// [Policies] caches policies by their texts, for texts that are asked about again.
//
// A program that leaves both to a service uses the client in package server/api instead.
package ask

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unsafe"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/conformance"
	"github.com/robotsexclusion/robots/internal/jsonl"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Server answers questions of the ask protocol. The zero Server is ready to use. A Server is
// safe for concurrent use. Do not change a Server while it answers.
//
// The robot of a question is named by its product token or by its User-Agent header, or by several
// of its names with ">" between them, the most specific first. White space around it does not
// count. The answer is for the group that the operator documents: Googlebot-Image obeys the group
// of Googlebot if it has none of its own. A name that the table of robots does not have is answered
// as it is: a robot may ask about itself. Names with commas between them are several robots, and an
// error.
type Server struct {
	Dialect  robots.Dialect // of questions without a dialect
	Policies *Policies      // caches policies across calls; nil disables the cache
	Robots   *agent.Table   // the table of known robots; nil means the table of package agent
}

// A WriteError says that answers could not be written.
type WriteError struct{ Err error }

// Error returns the failed action and the reason.
func (e *WriteError) Error() string { return fmt.Sprintf("cannot write the answers: %v", e.Err) }

// Unwrap returns the error of the writer.
func (e *WriteError) Unwrap() error { return e.Err }

// Serve answers the lines of in until its end, and returns the number of lines answered with an
// error. A line that is not a question counts as an error, and Serve continues with the next
// line. The maximum size of a question is 64 MiB. A call holds one question, its text, and the
// groups of up to 4,096 robots in memory.
//
// Answers are buffered, and written before each read, so that a program can ask one question at
// a time over a pipe.
//
// An error of out is returned as a [*WriteError]; errors of in are returned unchanged. After
// ctx is done, Serve returns the cause before the next read of in. Serve cannot interrupt a
// blocked read: close in for that.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) (failed int, err error) {
	c := &conversation{out: out, dialect: s.Dialect, known: currentText{policies: s.Policies, table: s.Robots}}
	err = c.run(ctx, in)
	return c.failed, err
}

// Ask answers questions in order. It implements [conformance.Asker]. The error is the cause of
// ctx being done. An error about a question is in the answer to it.
func (s *Server) Ask(ctx context.Context, questions []conformance.Question) ([]conformance.Answer, error) {
	k := currentText{policies: s.Policies, table: s.Robots}
	answers := make([]conformance.Answer, 0, len(questions))
	for i := range questions {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		q := &questions[i]
		answer := conformance.Answer{ID: q.ID}
		d := s.Dialect
		if q.Dialect != "" {
			if err := parseDialect(&d, []byte(q.Dialect)); err != nil {
				answer.Error = err.Error()
				answers = append(answers, answer)
				continue
			}
		}
		if q.Robots != nil {
			k.set([]byte(*q.Robots))
		} else {
			k.set(q.RobotsBase64)
		}
		g, err := k.group(d, []byte(q.Agent))
		if err == nil {
			err = robots.CheckURL(q.URL)
		}
		if err != nil {
			answer.Error = err.Error()
			answers = append(answers, answer)
			continue
		}
		m := g.Match(q.URL)
		answer.Allowed, answer.Reason, answer.Line = &m.Allowed, m.Reason.String(), m.Rule.Line
		answers = append(answers, answer)
	}
	return answers, nil
}

// A conversation is one call of Serve.
type conversation struct {
	out     io.Writer
	dialect robots.Dialect

	known    currentText
	question question // the current question
	answers  []byte   // the buffer for answers
	slow     bool     // leave all lines to package conformance, in tests
	failed   int      // number of lines answered with an error
}

// run answers the lines of in until its end.
func (c *conversation) run(ctx context.Context, in io.Reader) error {
	err := jsonl.Serve(ctx, in, c.out, func(b, line []byte, err error) []byte {
		c.answers = b
		if err != nil {
			c.known.forget()
			c.fail(nil, err)
		} else {
			c.answer(line)
		}
		return c.answers
	})
	if e := (*jsonl.WriteError)(nil); errors.As(err, &e) {
		return &WriteError{e.Err}
	}
	return err
}

// answer appends the answer to a line. [question.scan] reads the common form of a line; package
// conformance reads all others.
func (c *conversation) answer(line []byte) {
	q := &c.question
	if c.slow || !q.scan(line, &c.known) || !c.known.take(q) {
		c.answerSlowly(line)
		return
	}
	c.decide(q.id, q.dialect, q.agent, q.url)
}

// answerSlowly appends the answer to a line of any form.
func (c *conversation) answerSlowly(line []byte) {
	q, err := conformance.ParseQuestion(line)
	switch {
	case q.Robots != nil:
		c.known.set([]byte(*q.Robots))
	case q.RobotsBase64 != nil:
		c.known.set(q.RobotsBase64)
	case err != nil && bytes.Contains(line, []byte(`"robots`)):
		// The line may be about a text other than the known one.
		c.known.forget()
	}
	if err == nil && q.Robots != nil && isFileName(*q.Robots) {
		c.known.forget()
		err = errFileName
	}
	if err != nil {
		c.fail(q.ID, err)
		return
	}
	c.decide(q.ID, []byte(q.Dialect), []byte(q.Agent), []byte(q.URL))
}

var errFileName = errors.New(`"robots" is the text of a robots.txt, and this is the name of a file or a URL`)

// isFileName reports whether a text is the name of a file or a URL instead: as a robots.txt without
// a line of one, it would open everything.
func isFileName(text string) bool {
	if len(text) > 1000 || strings.ContainsAny(text, " \t\r\n") {
		return false
	}
	return strings.HasSuffix(text, ".txt") || strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

var errNoText = errors.New(`there is no text to go by: the line has no "robots", and the line before has left none`)

// decide appends the answer to a question about the known text.
func (c *conversation) decide(id, dialect, agent, url []byte) {
	d := c.dialect
	if len(dialect) > 0 {
		if err := parseDialect(&d, dialect); err != nil {
			c.fail(id, err)
			return
		}
	}
	if !c.known.given {
		c.fail(id, errNoText)
		return
	}
	// The string may share url's memory: answers contain no part of the URL, and errors copy
	// it.
	text := unsafe.String(unsafe.SliceData(url), len(url))
	if err := robots.CheckURL(text); err != nil {
		c.fail(id, err)
		return
	}
	g, err := c.known.group(d, agent)
	if err != nil {
		c.fail(id, err)
		return
	}
	m := g.Match(text)
	c.begin(id)
	c.answers = m.AppendFields(c.answers)
	c.answers = append(c.answers, "}\n"...)
}

// fail appends an answer with an error in place of a verdict.
func (c *conversation) fail(id []byte, err error) {
	c.failed++
	c.begin(id)
	c.answers = append(c.answers, `"error":`...)
	c.answers = printable.AppendJSON(c.answers, err.Error())
	c.answers = append(c.answers, "}\n"...)
}

// begin appends the start of an answer.
func (c *conversation) begin(id []byte) {
	c.answers = append(c.answers, '{')
	if id != nil {
		c.answers = append(c.answers, `"id":`...)
		c.answers = append(c.answers, id...)
		c.answers = append(c.answers, ',')
	}
}

// parseDialect sets d to the dialect with a name.
func parseDialect(d *robots.Dialect, name []byte) (err error) {
	for _, known := range robots.Dialects() {
		if string(name) == known.String() { // without an allocation
			*d = known
			return nil
		}
	}
	*d, err = robots.ParseDialect(string(name))
	return err
}
