package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/jsonl"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A client may ask one question at a time over a pipe.
func TestPageServeInteractive(t *testing.T) {
	questions, ask := io.Pipe()
	answer, answers := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- new(pager).serve(t.Context(), questions, answers) }()
	r := bufio.NewReader(answer)
	start := "{"
	for i := range 3 {
		// Except for the last question, the start of the next line is in the same write. It
		// must not delay the answer.
		end := "\n{"
		if i == 2 {
			end = ""
		}
		fmt.Fprintf(ask, `%s"id":%d,"html":"<meta name=robots content=noindex>"}%s`, start, i, end)
		if start = ""; i == 2 {
			ask.Close() // the last line may lack a line end
		}
		got, err := r.ReadString('\n')
		if want := fmt.Sprintf(`{"id":%d,"index":false,"follow":true,"directives":{"noindex":true}}`+"\n",
			i); err != nil || got != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestPageServeErrors(t *testing.T) {
	bad := errors.New("broken")
	var out strings.Builder
	in := io.MultiReader(strings.NewReader("{}\n"), iotest.ErrReader(bad))
	if err := new(pager).serve(t.Context(), in, &out); err == nil ||
		err.Error() != "cannot read the questions: broken" {
		t.Errorf("read: %v", err)
	}
	if got, want := out.String(), `{"index":true,"follow":true,"directives":{}}`+"\n"; got != want {
		t.Errorf("before the error: got %q, want %q", got, want)
	}
	closed, w := io.Pipe()
	closed.Close()
	if err := new(pager).serve(t.Context(), strings.NewReader("{}\n"), w); err == nil ||
		!strings.HasPrefix(err.Error(), "cannot write the answers: ") {
		t.Errorf("write: %v", err)
	}
	// A line that is too long gets an error, and the next line gets its answer.
	for _, end := range []string{"", "\n{}"} {
		out.Reset()
		long := io.MultiReader(io.LimitReader(letters{}, jsonl.MaxLine+1<<20), strings.NewReader(end))
		if err := new(pager).serve(t.Context(), long, &out); err != cli.ErrFailed {
			t.Errorf("a long line: %v", err)
		}
		want := `{"error":"the line is longer than 64 MiB"}` + "\n"
		if end != "" {
			want += `{"index":true,"follow":true,"directives":{}}` + "\n"
		}
		if out.String() != want {
			t.Errorf("a long line: got %q, want %q", out.String(), want)
		}
	}
}

// letters is an endless text.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestParseHeaders(t *testing.T) {
	header, err := parseHeaders([]string{"X-Robots-Tag: noindex", "x-robots-tag:a: b ", "Link:", " Spaced : x"})
	fatal.If(t, err)
	for name, want := range map[string]string{"X-Robots-Tag": "noindex|a: b", "Link": "", "Spaced": "x"} {
		if got := strings.Join(header[name], "|"); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for _, line := range []string{"", ":", "noindex", ": noindex", "a: b\nc: d", "a: b\r", "\n: x"} {
		if got, err := parseHeaders([]string{line}); err == nil {
			t.Errorf("%q: got %v, want an error", line, got)
		}
	}
}
