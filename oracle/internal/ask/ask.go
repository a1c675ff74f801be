// Package ask is the ask protocol as a program speaks it that answers with a
// robots.txt library: one question a line on standard input, one answer a line
// on standard output, in order, each a JSON object.
//
// A question is
//
//	{"robots": text, "agent": "FooBot", "url": "/x", "dialect": "google", "id": 1}
//
// with "robots_base64" in place of "robots" for a text that is not UTF-8. Left
// out, the text is that of the line before, and the agent is "*". An answer is
// {"id": 1, "allowed": true}, with the "line" that decides where the library
// tells it, or {"id": 1, "error": "…"}, after which the work goes on.
package ask

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

// A Question is whether an agent may fetch a URL under a robots.txt.
type Question struct {
	Robots  string // the text, byte for byte
	Agent   string // "*" where the line names none
	URL     string // absolute, or a path with its query
	Dialect string // empty where the line names none
}

// An Answer is the verdict of a library.
type Answer struct {
	Allowed bool
	Line    int // of the rule that decides, from 1 on; 0 where the library does not tell
}

// An Answerer puts a question to a library. Its error says why there is no
// verdict; a panic is taken for an error.
type Answerer func(Question) (Answer, error)

// Main is the main function of a program that answers with the library of this
// module. Its flag -version prints the module and its version.
func Main(module string, answer Answerer) {
	version := flag.Bool("version", false, "print the module and version of the library")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "answers questions of the ask protocol with %s\n", module)
		flag.PrintDefaults()
	}
	flag.Parse()
	if err := run(*version, flag.Args(), module, answer); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", module, err)
		os.Exit(2)
	}
}

func run(version bool, args []string, module string, answer Answerer) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %q: questions come on standard input", args[0])
	}
	if version {
		return printVersion(os.Stdout, module)
	}
	return Serve(os.Stdin, os.Stdout, answer)
}

// printVersion prints a module and the version of it that is linked in.
func printVersion(w io.Writer, module string) error {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == module {
				_, err := fmt.Fprintln(w, module, dep.Version)
				return err
			}
		}
	}
	return errors.New("the program does not say which version of the module it was built with")
}

// Serve answers the questions of in until its end. Answers are flushed whenever
// it has to wait for the next question.
func Serve(in io.Reader, out io.Writer, answer Answerer) error {
	w := bufio.NewWriter(out)
	r := bufio.NewReader(flusher{in, w})
	answers := json.NewEncoder(w)
	answers.SetEscapeHTML(false)
	s := server{answer: answer}
	for {
		line, err := r.ReadBytes('\n')
		if len(line) > 0 {
			if err := answers.Encode(s.reply(line)); err != nil {
				return fmt.Errorf("write an answer: %w", err)
			}
		}
		if err == io.EOF {
			return w.Flush()
		}
		if err != nil {
			return fmt.Errorf("read questions: %w", err)
		}
	}
}

// A flusher reads from in, and flushes out before it may have to wait for in.
type flusher struct {
	in  io.Reader
	out *bufio.Writer
}

func (f flusher) Read(p []byte) (int, error) {
	if err := f.out.Flush(); err != nil {
		return 0, err
	}
	return f.in.Read(p)
}

// A server answers lines. It keeps the text of the line before.
type server struct {
	answer Answerer
	text   *string // nil where the line before has none that can be read
}

// A reply is an answer line.
type reply struct {
	ID      json.RawMessage `json:"id,omitempty"`
	Allowed *bool           `json:"allowed,omitempty"`
	Line    int             `json:"line,omitempty"`
	Error   string          `json:"error,omitempty"`
}

// reply answers one line.
func (s *server) reply(line []byte) reply {
	q, id, err := s.read(line)
	if err != nil {
		return reply{ID: id, Error: err.Error()}
	}
	a, err := s.ask(q)
	if err != nil {
		return reply{ID: id, Error: err.Error()}
	}
	return reply{ID: id, Allowed: &a.Allowed, Line: a.Line}
}

// ask puts q to the library and makes an error of its panic.
func (s *server) ask(q Question) (a Answer, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return s.answer(q)
}

// read reads a question. Where it cannot tell the text of the line, it forgets
// that of the line before: a line that leaves its text out must not be answered
// by the text of another.
func (s *server) read(line []byte) (q Question, id json.RawMessage, err error) {
	before := s.text
	s.text = nil
	var f struct {
		Robots  *string         `json:"robots"`
		Base64  *string         `json:"robots_base64"`
		Agent   *string         `json:"agent"`
		URL     *string         `json:"url"`
		Dialect string          `json:"dialect"`
		ID      json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(line, &f); err != nil {
		return q, f.ID, fmt.Errorf("the line is not a question: %w", err)
	}
	switch {
	case f.Robots != nil && f.Base64 != nil:
		return q, f.ID, errors.New(`the line has both "robots" and "robots_base64"`)
	case f.Robots != nil:
		s.text = f.Robots
	case f.Base64 != nil:
		data, err := base64.StdEncoding.DecodeString(*f.Base64)
		if err != nil {
			return q, f.ID, fmt.Errorf(`"robots_base64" cannot be read: %w`, err)
		}
		s.text = new(string(data))
	default:
		s.text = before
	}
	switch {
	case s.text == nil:
		return q, f.ID, errors.New(`the line has no "robots", and the line before has none to go by`)
	case f.URL == nil:
		return q, f.ID, errors.New(`the line has no "url"`)
	}
	q = Question{Robots: *s.text, Agent: "*", URL: *f.URL, Dialect: f.Dialect}
	if f.Agent != nil {
		q.Agent = *f.Agent
	}
	return q, f.ID, nil
}
