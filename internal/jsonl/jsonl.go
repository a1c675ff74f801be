// Package jsonl answers lines with lines: the machine protocols of the module have a JSON object
// a line, in both directions.
package jsonl

import (
	"bufio"
	"context"
	"fmt"
	"io"
)

const (
	// MaxLine is the maximum size, in bytes, of a line; a longer one is skipped.
	MaxLine    = 64 << 20
	inputSize  = 256 << 10 // bytes of one read
	outputSize = 64 << 10  // bytes of buffered answers while there are questions
)

// ErrLongLine is the error for a line that is longer than MaxLine.
var ErrLongLine = fmt.Errorf("the line is longer than %d MiB", MaxLine>>20)

// A WriteError is an error of writing answers.
type WriteError struct{ Err error }

// Error returns the failed action, and why it failed.
func (e *WriteError) Error() string { return fmt.Sprintf("cannot write the answers: %v", e.Err) }

// Unwrap returns the error of the writer.
func (e *WriteError) Unwrap() error { return e.Err }

// Serve answers the lines of in until its end. The function answer appends the answer to a
// line, with its line end, to b. The line is valid until the next call; it includes its line end,
// unless the last line has none. For a line that is too long, answer gets no line and
// [ErrLongLine].
//
// Serve writes the answers when there are many, and before each read, so that a program can ask
// one question at a time over a pipe.
//
// An error of out is a [*WriteError]; errors of in are returned unchanged. When ctx ends, Serve
// returns the cause before the next read of in.
func Serve(ctx context.Context, in io.Reader, out io.Writer, answer func(b, line []byte, err error) []byte) error {
	s := &stream{out: out}
	r := bufio.NewReaderSize(readFunc(func(p []byte) (int, error) {
		if err := s.flush(); err != nil {
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
			line, err = s.readLong(r, line)
		}
		switch {
		case err == nil || err == io.EOF && len(line) > 0:
			s.answers = answer(s.answers, line, nil)
		case err == ErrLongLine:
			s.answers = answer(s.answers, nil, err)
		case err == io.EOF:
			return s.flush()
		default:
			return err
		}
		if len(s.answers) >= outputSize {
			if err := s.flush(); err != nil {
				return err
			}
		}
	}
}

type readFunc func(p []byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

// A stream is the state of one call of Serve.
type stream struct {
	out     io.Writer
	answers []byte // buffered answers
	long    []byte // a line that is longer than one read
}

// flush writes the buffered answers.
func (s *stream) flush() error {
	if len(s.answers) == 0 {
		return nil
	}
	_, err := s.out.Write(s.answers)
	s.answers = s.answers[:0]
	if err != nil {
		return &WriteError{err}
	}
	return nil
}

// readLong reads a line that begins with start. It holds at most MaxLine bytes, and skips a
// longer line.
func (s *stream) readLong(r *bufio.Reader, start []byte) ([]byte, error) {
	s.long = append(s.long[:0], start...)
	for {
		part, err := r.ReadSlice('\n')
		if len(s.long)+len(part) > MaxLine+1 { // plus the line end
			for err == bufio.ErrBufferFull {
				_, err = r.ReadSlice('\n')
			}
			if err == nil || err == io.EOF { // the next read returns io.EOF again
				err = ErrLongLine
			}
			return nil, err
		}
		s.long = append(s.long, part...)
		if err != bufio.ErrBufferFull {
			return s.long, err
		}
	}
}
