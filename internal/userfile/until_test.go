package userfile

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

var errEnded = errors.New("ended")

// After the end, reads do not wait.
func TestUntil(t *testing.T) {
	in, other := io.Pipe()
	defer other.Close()
	ctx, cancel := context.WithCancel(t.Context())
	r := Until(ctx, in, errEnded)
	go io.WriteString(other, "abc")
	part := make([]byte, 2)
	for _, want := range []string{"ab", "c"} {
		if n, err := r.Read(part); string(part[:n]) != want || err != nil {
			t.Errorf("got %q, %v, want %q", part[:n], err, want)
		}
	}
	go cancel()
	for range 2 {
		if n, err := r.Read(part); n != 0 || !errors.Is(err, errEnded) {
			t.Errorf("after the end: got %d bytes, %v, want %v", n, err, errEnded)
		}
	}
}

// Before the end, the reader of Until reads like any other reader.
func TestUntilReads(t *testing.T) {
	text := strings.Repeat("0123456789", 20_000)
	if err := iotest.TestReader(Until(t.Context(), strings.NewReader(text), errEnded), []byte(text)); err != nil {
		t.Error(err)
	}
	broken := errors.New("broken")
	r := Until(t.Context(), io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)), errEnded)
	if got, err := io.ReadAll(r); string(got) != "abc" || err != broken {
		t.Errorf("got %q, %v, want %q, %v", got, err, "abc", broken)
	}
}
