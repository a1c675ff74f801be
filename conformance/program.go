package conformance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A Program is an external program that speaks the ask protocol. No program can make [Program.Ask]
// wait forever, or hold more than one line of its output.
type Program struct {
	Args []string // the name of the program, found as [exec.Command] does, and its arguments

	// Timeout limits the time for an answer, and the time until the program exits after the last
	// one. 0 is ten seconds.
	Timeout time.Duration
}

const (
	defaultTimeout = 10 * time.Second
	longestAnswer  = 1 << 20 // bytes of a line; a longer line is not an answer
	lastWords      = 2 << 10 // bytes of standard error that are kept
)

// Ask implements [Asker]. It starts the program, writes the questions while it reads the answers,
// and stops the program if it hangs.
func (p *Program) Ask(ctx context.Context, questions []Question) ([]Answer, error) {
	if len(p.Args) == 0 {
		return nil, fmt.Errorf("%w: no program is named", ErrNotAsked)
	}
	timeout := p.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()

	cmd := exec.CommandContext(ctx, p.Args[0], p.Args[1:]...)
	cmd.WaitDelay = time.Second // for children that keep standard error open
	words := new(tail)
	cmd.Stderr = words
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotAsked, err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotAsked, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotAsked, err)
	}

	// Both end when the pipes are closed, which Wait does at the latest.
	var running sync.WaitGroup
	running.Go(func() { writeQuestions(stdin, questions) })
	lines := make(chan outputLine)
	running.Go(func() { readLines(ctx, stdout, lines) })

	answers, err := collect(ctx, questions, lines, timeout)
	if err != nil && !errors.Is(err, errEnded) {
		stop()
	}
	late := time.AfterFunc(timeout, stop)
	defer late.Stop()
	// An error of Wait is in the state of the process, or about the pipes.
	_ = cmd.Wait()
	stop()
	running.Wait()
	if errors.Is(err, errEnded) {
		err = fmt.Errorf("%w: %v", err, cmd.ProcessState)
	}
	if err != nil && words.last() != "" {
		err = fmt.Errorf("%w: %s", err, words.last())
	}
	return answers, err
}

// errEnded means that there was no more output.
var errEnded = errors.New("the program ended before it answered")

// collect reads an answer for each question, and checks for the end of the output.
func collect(ctx context.Context, questions []Question, lines <-chan outputLine, timeout time.Duration) ([]Answer,
	error) {
	answers := make([]Answer, 0, len(questions))
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		timer.Reset(timeout)
		select {
		case <-ctx.Done():
			return answers, context.Cause(ctx)
		case <-timer.C:
			if len(answers) == len(questions) {
				return answers, fmt.Errorf("the program did not end within %v after its last answer", timeout)
			}
			return answers, fmt.Errorf("the program gave no answer within %v and was stopped", timeout)
		case line, ok := <-lines:
			switch {
			case !ok && len(answers) == len(questions):
				return answers, nil
			case !ok:
				return answers, errEnded
			case len(answers) == len(questions):
				return answers, fmt.Errorf("the program answered more lines than it was asked, such as %s",
					excerpt(line.text))
			}
			answers = append(answers, line.answer(&questions[len(answers)]))
		}
	}
}

// writeQuestions writes all questions and closes w. It ignores an error: an error means that the
// program has stopped reading, and then answers are missing.
func writeQuestions(w io.WriteCloser, questions []Question) {
	defer w.Close()
	b := bufio.NewWriterSize(w, 64<<10)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	for i := range questions {
		if e.Encode(&questions[i]) != nil {
			return
		}
	}
	b.Flush()
}

// An outputLine is a line that the program wrote.
type outputLine struct {
	text []byte // without its end
	long bool   // the text is only the start
}

// answer reads the line as the answer to q. A line that is not an answer becomes an error of the
// answer.
func (l outputLine) answer(q *Question) Answer {
	if l.long {
		return Answer{Error: fmt.Sprintf("not an answer: a line of more than %d bytes", longestAnswer)}
	}
	a, err := parseAnswer(l.text, q)
	if err != nil {
		return Answer{Error: err.Error()}
	}
	return a
}

// readLines sends the lines of r, and closes lines at the end.
func readLines(ctx context.Context, r io.Reader, lines chan<- outputLine) {
	defer close(lines)
	b := bufio.NewReaderSize(r, 64<<10)
	var line outputLine
	for {
		part, err := b.ReadSlice('\n')
		if room := longestAnswer - len(line.text); len(part) > room {
			part, line.long = part[:room], true
		}
		line.text = append(line.text, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err == nil || len(line.text) > 0 {
			line.text = bytes.TrimRight(line.text, "\r\n")
			select {
			case lines <- line:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
		line = outputLine{}
	}
}

// A tail keeps the last bytes that were written to it.
type tail struct{ kept []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p[max(0, len(p)-lastWords):]...)
	t.kept = t.kept[max(0, len(t.kept)-lastWords):]
	return len(p), nil
}

// last returns the last line that is not empty: in most languages, the important line of a stack
// trace.
func (t *tail) last() string {
	text := strings.TrimSpace(string(t.kept))
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}
