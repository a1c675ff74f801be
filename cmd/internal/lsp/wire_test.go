package lsp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// endless is a reader that never ends.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// Section "Base Protocol", followed and violated.
func TestReadFrame(t *testing.T) {
	tooLong := strings.Repeat("x", 2*maxHeader)
	for _, test := range []struct {
		name, in string
		want     string // messages, each with a blank behind it
		err      string // what comes after them
	}{
		{"nothing", "", "", "EOF"},
		{"one", "Content-Length: 2\r\n\r\n{}", "{} ", "EOF"},
		{"two", "Content-Length: 2\r\n\r\n{}Content-Length: 1\r\n\r\n5", "{} 5 ", "EOF"},
		{"none", "Content-Length: 0\r\n\r\n", " ", "EOF"},
		{"other fields",
			"content-length:3\r\nX: y\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\nabc", "abc ",
			"EOF"},
		{"the old name of UTF-8",
			"Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: 1\r\n\r\na", "a ", "EOF"},
		{"only LF", "Content-Length: 1\n\na", "a ", "EOF"},
		{"no length", "X: y\r\n\r\n{}", "", "the header of a message has no Content-Length"},
		{"a length that is none", "Content-Length: -1\r\n\r\n", "",
			`the Content-Length of a message is "-1", which is not a number of bytes`},
		{"an endless length", "Content-Length: 9223372036854775808\r\n\r\n", "",
			`the Content-Length of a message is "9223372036854775808", which is not a number of bytes`},
		{"no header", "{}\r\n\r\n", "", `the header of a message has the line "{}", which is not "name: value"`},
		{"another charset", "Content-Type: a/b; charset=\"UTF-16\"\r\nContent-Length: 1\r\n\r\na", "",
			`the charset of a message is "utf-16", and must be utf-8`},
		{"a long line", "X: " + tooLong + "\r\n\r\n", "", "the header of a message is longer than 8192 bytes"},
		{"many lines", strings.Repeat("X: y\r\n", maxHeader/6+1) + "\r\n", "",
			"the header of a message is longer than 8192 bytes"},
		{"an end in the header", "Content-Len", "", "unexpected EOF"},
		{"an end behind the header", "Content-Length: 2\r\n\r\n", "", "unexpected EOF"},
		{"an end in the message", "Content-Length: 2\r\n\r\n{", "", "unexpected EOF"},
	} {
		w := newWire(strings.NewReader(test.in), io.Discard)
		var got strings.Builder
		var err error
		for {
			var frame []byte
			if frame, err = w.Recv(); err != nil {
				break
			}
			got.Write(frame)
			got.WriteByte(' ')
		}
		if got.String() != test.want || err.Error() != test.err {
			t.Errorf("%s: got %q, %q, want %q, %q", test.name, got.String(), err, test.want, test.err)
		}
	}
}

// A message that is too large is skipped and not kept in memory; an announced message that does
// not come takes no memory at all.
func TestLargeFrame(t *testing.T) {
	const size = maxMessage + 1
	in := io.MultiReader(strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n", size)),
		io.LimitReader(endless('x'), size),
		strings.NewReader("Content-Length: 2\r\n\r\n{}"), strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\nabc",
			maxMessage)))
	w := newWire(in, io.Discard)
	for _, want := range []string{`{"jsonrpc":"2.0","method":"robots/skipped","params":{"bytes":33554433}}`, "{}"} {
		if got, err := w.Recv(); err != nil || string(got) != want {
			t.Errorf("got %.100q, %v, want %q", got, err, want)
		}
	}
	if _, err := w.Recv(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
}

// A read from a pipe that the client keeps open cannot be ended.
func TestCloseWire(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	wire := newWire(r, io.Discard)
	wire.Close()
	wire.Close()
	if _, err := wire.Recv(); err != io.EOF {
		t.Errorf("got %v, want EOF", err)
	}
}

func TestSend(t *testing.T) {
	var b bytes.Buffer
	w := newWire(strings.NewReader(""), &b)
	w.Close()
	if err := w.Send([]byte(`"é"`)); err != nil || b.String() != "Content-Length: 4\r\n\r\n\"é\"" {
		t.Errorf("got %q, %v", b.String(), err)
	}
}
