// Package ask answers the ask protocol: questions about robots.txt as lines of JSON, each
// answered by a line of JSON, in order. Package conformance defines the protocol; the
// command answers it with "robots match --jsonl", and a server for a body of lines:
//
//	answerer := &ask.Server{Policies: new(ask.Policies)}
//	failed, err := answerer.Serve(ctx, request.Body, response)
//
// [Policies] keeps policies by their texts, for questions that come back to the same text.
package ask

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"unsafe"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/conformance"
	"github.com/robotsexclusion/robots/internal/printable"
)

const (
	maxLine    = 64 << 20  // bytes of a question; a longer one is skipped
	inputSize  = 256 << 10 // bytes that are read at once
	outputSize = 64 << 10  // bytes of answers that are held back while there are questions
)

// A Server answers questions of the ask protocol. The zero Server is ready to use. It is
// safe for concurrent use, and is not to be changed while it answers.
type Server struct {
	Dialect  robots.Dialect // of questions that name none
	Policies *Policies      // keeps policies from one call to the next; nil keeps none
}

// A WriteError tells that answers could not be written.
type WriteError struct{ Err error }

// Error returns the act that failed, and why.
func (e *WriteError) Error() string { return fmt.Sprintf("cannot write the answers: %v", e.Err) }

// Unwrap returns the error of the writer.
func (e *WriteError) Unwrap() error { return e.Err }

// Serve answers the lines of in until its end, and returns how many it answered by an
// error: a line that is not a question is one of these, and the next line is answered all
// the same. A question has at most 64 MiB; a call holds one, the text that it gives, and
// the groups of up to 4,096 robots.
//
// Answers are written when there are many, and before each read, so that a program may ask
// one question at a time over a pipe.
//
// An error of out is a [*WriteError]; errors of in are returned as they are. When ctx ends,
// Serve returns the cause before the next read of in. It cannot end a read that waits: to
// do so, close in.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) (failed int, err error) {
	c := &conversation{out: out, dialect: s.Dialect, known: known{policies: s.Policies}}
	err = c.run(ctx, in)
	return c.failed, err
}

// Ask answers questions in order. It implements [conformance.Asker]. The error is the cause
// for which ctx ended; whatever is wrong with a question is in its answer.
func (s *Server) Ask(ctx context.Context, questions []conformance.Question) ([]conformance.Answer, error) {
	k := known{policies: s.Policies}
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
		m := k.group(d, []byte(q.Agent)).Match(q.URL)
		answer.Allowed, answer.Reason, answer.Line = &m.Allowed, m.Reason.String(), m.Rule.Line
		answers = append(answers, answer)
	}
	return answers, nil
}

type readFunc func(p []byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

var errLongLine = fmt.Errorf("the line is longer than %d MiB", maxLine>>20)

// A conversation is one call of Serve.
type conversation struct {
	out     io.Writer
	dialect robots.Dialect

	known    known
	question question // that is being answered
	answers  []byte   // not written yet
	long     []byte   // a line that is longer than one read
	slow     bool     // leave every line to package conformance, in tests
	failed   int      // lines that were answered by an error
}

// run answers the lines of in until its end.
func (c *conversation) run(ctx context.Context, in io.Reader) error {
	r := bufio.NewReaderSize(readFunc(func(p []byte) (int, error) {
		if err := c.flush(); err != nil {
			return 0, err
		}
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		return in.Read(p)
	}), inputSize)
	for {
		line, err := r.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			line, err = c.readLong(r, line)
		}
		switch {
		case err == nil || err == io.EOF && len(line) > 0:
			c.answer(line)
		case err == errLongLine:
			c.known.forget()
			c.fail(nil, err)
		case err == io.EOF:
			return c.flush()
		default:
			return err
		}
		if len(c.answers) >= outputSize {
			if err := c.flush(); err != nil {
				return err
			}
		}
	}
}

// flush writes the answers.
func (c *conversation) flush() error {
	if len(c.answers) == 0 {
		return nil
	}
	_, err := c.out.Write(c.answers)
	c.answers = c.answers[:0]
	if err != nil {
		return &WriteError{err}
	}
	return nil
}

// readLong reads the rest of a line of which start is the first part. It holds
// no more than a line may have, and skips one that has more.
func (c *conversation) readLong(r *bufio.Reader, start []byte) ([]byte, error) {
	c.long = append(c.long[:0], start...)
	for {
		part, err := r.ReadSlice('\n')
		if len(c.long)+len(part) > maxLine+1 { // and its end
			for err == bufio.ErrBufferFull {
				_, err = r.ReadSlice('\n')
			}
			if err == nil || err == io.EOF { // the next read tells the end again
				err = errLongLine
			}
			return nil, err
		}
		c.long = append(c.long, part...)
		if err != bufio.ErrBufferFull {
			return c.long, err
		}
	}
}

// answer appends the answer to a line. What nearly all lines look like is read
// by [question.scan]; the others are left to package conformance.
func (c *conversation) answer(line []byte) {
	q := &c.question
	if c.slow || !q.scan(line, &c.known) || !c.known.take(q) {
		c.answerSlowly(line)
		return
	}
	c.decide(q.id, q.dialect, q.agent, q.url)
}

// answerSlowly appends the answer to any line.
func (c *conversation) answerSlowly(line []byte) {
	q, err := conformance.ParseQuestion(line)
	switch {
	case q.Robots != nil:
		c.known.set([]byte(*q.Robots))
	case q.RobotsBase64 != nil:
		c.known.set(q.RobotsBase64)
	case err != nil && bytes.Contains(line, []byte(`"robots`)):
		// It may have meant another text than the one that is known.
		c.known.forget()
	}
	if err != nil {
		c.fail(q.ID, err)
		return
	}
	c.decide(q.ID, []byte(q.Dialect), []byte(q.Agent), []byte(q.URL))
}

var errNoText = errors.New(`there is no text to go by: the line has no "robots", and the line before has left none`)

// decide appends the answer to a question about the text that is known.
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
	// Nothing keeps the URL: an answer has nothing of it, and an error a copy.
	text := unsafe.String(unsafe.SliceData(url), len(url))
	if err := robots.CheckURL(text); err != nil {
		c.fail(id, err)
		return
	}
	m := c.known.group(d, agent).Match(text)
	c.begin(id)
	c.answers = m.AppendFields(c.answers)
	c.answers = append(c.answers, "}\n"...)
}

// fail appends an answer without a verdict.
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

// parseDialect sets d to the dialect of that name.
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
