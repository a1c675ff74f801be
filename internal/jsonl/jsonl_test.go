package jsonl

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// Each line is answered in order, also the last one without a line end; the answers before an
// error of the input are written.
func TestServe(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		in   io.Reader
		want string
		err  error
	}{
		{strings.NewReader(""), "", nil},
		{strings.NewReader("a\nb"), "<a><b>", nil},
		{strings.NewReader("a\n\nb\n"), "<a><><b>", nil},
		{iotest.OneByteReader(strings.NewReader("a\nb\n")), "<a><b>", nil},
		{io.MultiReader(strings.NewReader("a\nb\n"), iotest.ErrReader(broken)), "<a><b>", broken},
	} {
		var out strings.Builder
		err := Serve(t.Context(), test.in, &out, func(b, line []byte, err error) []byte {
			if err != nil {
				t.Error(err)
			}
			return append(append(append(b, '<'), strings.TrimSuffix(string(line), "\n")...), '>')
		})
		if out.String() != test.want || err != test.err {
			t.Errorf("got %q, %v, want %q, %v", out.String(), err, test.want, test.err)
		}
	}
}

// An error of the output ends the work.
func TestServeWriteError(t *testing.T) {
	broken := errors.New("broken")
	r, w := io.Pipe()
	r.CloseWithError(broken)
	err := Serve(t.Context(), strings.NewReader("a\n"), w,
		func(b, line []byte, _ error) []byte { return append(b, line...) })
	if e := (*WriteError)(nil); !errors.As(err, &e) || !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
