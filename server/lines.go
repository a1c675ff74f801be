package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/server/api"
)

// maxLine is the maximum size, in bytes, of a question in lines. A text of 500 KiB fits in it,
// unless nearly all of its bytes are escaped.
const maxLine = 2 << 20

// linesQuery has the parameters of POST /v1/match.
type linesQuery struct {
	Dialect string `query:"dialect" doc:"the dialect of questions without one" default:"rfc9309" enum:"rfc9309,google,koster1994,koster1996,kollar1996"`
}

// lines answers POST /v1/match: questions of the ask protocol, by its answers. The answers are sent
// while the questions come, so that neither is held in memory.
func (s *Server) lines(route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	var q linesQuery
	if err := route.read(r, &q.Dialect); err != nil {
		return err
	}
	dialect, err := parseDialect(q.Dialect)
	if err != nil {
		return err
	}
	leave, err := s.enterBody(w, r)
	if err != nil {
		return err
	}
	defer leave()
	control := http.NewResponseController(w)
	control.EnableFullDuplex() // HTTP/2 is always so
	w.Header()["Content-Type"] = mediaLines
	w.Header()["Cache-Control"] = noStore
	out := &flushWriter{w: w, control: control}
	answerer := ask.Server{Dialect: dialect, Policies: &s.policies, Robots: s.config.Robots}
	_, err = answerer.Serve(r.Context(), &lineReader{in: r.Body}, out)
	gone := (*ask.WriteError)(nil)
	if err == nil || errors.As(err, &gone) {
		return nil
	}
	p := explainBody(err, s.config.MaxBody)
	if !out.begun {
		w.Header().Set("Connection", "close") // or net/http waits for the rest of the body
		return p
	}
	// The status is sent already. A last line says why the answers end, and then the connection is
	// closed, so that the client does not take them for complete.
	recordProblem(w, p)
	out.Write(append(printable.AppendJSON(nil, struct {
		Error string `json:"error"`
	}{p.Error()}), '\n'))
	panic(http.ErrAbortHandler)
}

var (
	mediaLines = []string{"application/jsonl"}
	noStore    = []string{"no-store"}
)

// enterBody takes a place for a request with a body, and limits the size of the body. The caller
// calls leave at the end.
func (s *Server) enterBody(w http.ResponseWriter, r *http.Request) (leave func(), err error) {
	client := s.client(r)
	if !s.bodies.take(client) {
		return nil, busy.problem("too many requests have a body: repeat the request later")
	}
	r.Body = http.MaxBytesReader(w, r.Body, s.config.MaxBody)
	return func() { s.bodies.give(client) }, nil
}

// explainBody returns the problem that an error of reading a body is.
func explainBody(err error, maxBody int64) *api.Problem {
	large := (*http.MaxBytesError)(nil)
	switch {
	case errors.As(err, &large):
		return tooLarge.problem(fmt.Sprintf("the body has more than %d bytes: divide it among several requests",
			maxBody))
	case errors.Is(err, errLongLine):
		return tooLarge.problem(fmt.Sprintf("a line has more than %d bytes", maxLine))
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return timedOut.problem("the request was not complete in time: divide it among several requests")
	}
	return badBody.problem("the body cannot be read to its end")
}

// A flushWriter sends each write at once.
type flushWriter struct {
	w       io.Writer
	control *http.ResponseController
	begun   bool // something was written
}

func (f *flushWriter) Write(b []byte) (int, error) {
	f.begun = true
	n, err := f.w.Write(b)
	if err == nil {
		err = f.control.Flush()
		if errors.Is(err, http.ErrNotSupported) {
			err = nil
		}
	}
	return n, err
}

var errLongLine = errors.New("a line is too long")

// A lineReader fails at a line that is longer than maxLine.
type lineReader struct {
	in   io.Reader
	size int // bytes of the current line
}

func (l *lineReader) Read(b []byte) (int, error) {
	n, err := l.in.Read(b)
	for rest := b[:n]; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			l.size += len(rest)
			break
		}
		if l.size+i > maxLine {
			return 0, errLongLine
		}
		l.size, rest = 0, rest[i+1:]
	}
	if l.size > maxLine {
		return 0, errLongLine
	}
	return n, err
}
