package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unsafe"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/conformance"
)

const (
	longestLine = 64 << 20  // bytes of a question; what is longer is skipped
	inputSize   = 256 << 10 // bytes that are read at once
	outputSize  = 64 << 10  // bytes of answers that are held back while there are questions
)

// serve answers the questions of in until its end, as package conformance
// defines the ask protocol. The dialect is that of questions without one.
//
// If a line was answered by an error, serve returns errFailed in the end.
//
// Answers are written when there are many, and before there is anything to wait
// for, so that one may ask one question at a time over a pipe.
func serve(in io.Reader, out io.Writer, dialect robots.Dialect) error {
	s := &server{out: out, dialect: dialect}
	return s.run(in)
}

type readFunc func(p []byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

var errLongLine error = lineTooLong(longestLine)

// A writeError tells that answers could not be written.
type writeError struct{ error }

// A server answers lines.
type server struct {
	out     io.Writer
	dialect robots.Dialect

	asked    asked
	question question // that is being answered
	answers  []byte   // not written yet
	long     []byte   // a line that is longer than what is read at once
	slow     bool     // leave every line to package conformance, in tests
	failed   bool     // a line was answered by an error
}

// run answers the lines of in until its end.
func (s *server) run(in io.Reader) error {
	r := bufio.NewReaderSize(readFunc(func(p []byte) (int, error) {
		if err := s.flush(); err != nil {
			return 0, err
		}
		return in.Read(p)
	}), inputSize)
	for {
		line, err := r.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			line, err = s.readLong(r, line)
		}
		switch {
		case err == nil || err == io.EOF && len(line) > 0:
			s.answer(line)
		case err == errLongLine:
			s.asked.forget()
			s.fail(nil, err)
		case err == io.EOF:
			if err := s.flush(); err != nil {
				return err
			}
			if s.failed {
				return errFailed
			}
			return nil
		case errors.As(err, new(writeError)):
			return err
		default:
			return fmt.Errorf("cannot read standard input: %w", cause(err))
		}
		if len(s.answers) >= outputSize {
			if err := s.flush(); err != nil {
				return err
			}
		}
	}
}

// flush writes the answers.
func (s *server) flush() error {
	if len(s.answers) == 0 {
		return nil
	}
	_, err := s.out.Write(s.answers)
	s.answers = s.answers[:0]
	if err != nil {
		return writeError{fmt.Errorf("cannot write the answers: %w", cause(err))}
	}
	return nil
}

// readLong reads the rest of a line of which start is the first part. It holds
// no more than a line may have, and skips one that has more.
func (s *server) readLong(r *bufio.Reader, start []byte) ([]byte, error) {
	s.long = append(s.long[:0], start...)
	for {
		part, err := r.ReadSlice('\n')
		if len(s.long)+len(part) > longestLine+1 { // and its end
			for err == bufio.ErrBufferFull {
				_, err = r.ReadSlice('\n')
			}
			if err == nil || err == io.EOF { // the next read tells the end again
				err = errLongLine
			}
			return nil, err
		}
		s.long = append(s.long, part...)
		if err != bufio.ErrBufferFull {
			return s.long, err
		}
	}
}

// answer appends the answer to a line. What nearly all lines look like is read
// by [question.scan]; the others are left to package conformance.
func (s *server) answer(line []byte) {
	q := &s.question
	if s.slow || !q.scan(line, &s.asked) || !s.asked.take(q) {
		s.answerSlowly(line)
		return
	}
	s.decide(q.id, q.dialect, q.agent, q.url)
}

// answerSlowly appends the answer to any line.
func (s *server) answerSlowly(line []byte) {
	q, err := conformance.ParseQuestion(line)
	switch {
	case q.Robots != nil:
		s.asked.set([]byte(*q.Robots))
	case q.RobotsBase64 != nil:
		s.asked.set(q.RobotsBase64)
	case err != nil && bytes.Contains(line, []byte(`"robots`)):
		// It may have meant another text than the one that is known.
		s.asked.forget()
	}
	if err != nil {
		s.fail(q.ID, err)
		return
	}
	s.decide(q.ID, []byte(q.Dialect), []byte(q.Agent), []byte(q.URL))
}

var errNoText = errors.New(`there is no text to go by: the line has no "robots", and the line before has left none`)

// decide appends the answer to a question about the text that is known.
func (s *server) decide(id, dialect, agent, url []byte) {
	d := s.dialect
	if len(dialect) > 0 {
		if err := parseDialect(&d, dialect); err != nil {
			s.fail(id, err)
			return
		}
	}
	if !s.asked.known {
		s.fail(id, errNoText)
		return
	}
	// Nothing keeps the URL: an answer has nothing of it, and an error a copy.
	text := unsafe.String(unsafe.SliceData(url), len(url))
	if err := robots.CheckURL(text); err != nil {
		s.fail(id, err)
		return
	}
	m := s.asked.group(d, agent).Match(text)
	s.begin(id)
	s.answers = m.AppendFields(s.answers)
	s.answers = append(s.answers, "}\n"...)
}

// fail appends an answer without a verdict.
func (s *server) fail(id []byte, err error) {
	s.failed = true
	s.begin(id)
	s.answers = append(s.answers, `"error":`...)
	s.answers = appendJSON(s.answers, err.Error())
	s.answers = append(s.answers, "}\n"...)
}

// begin appends the start of an answer.
func (s *server) begin(id []byte) {
	s.answers = append(s.answers, '{')
	if id != nil {
		s.answers = append(s.answers, `"id":`...)
		s.answers = append(s.answers, id...)
		s.answers = append(s.answers, ',')
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
