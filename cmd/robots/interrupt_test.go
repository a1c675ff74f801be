package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/spf13/cobra"
)

// After an interrupt, reads of standard input do not wait.
func TestInputUntil(t *testing.T) {
	in, other := io.Pipe()
	defer other.Close()
	ctx, cancel := context.WithCancel(t.Context())
	r := &inputUntil{ctx: ctx, in: in}
	go io.WriteString(other, "abc")
	part := make([]byte, 2)
	for _, want := range []string{"ab", "c"} {
		if n, err := r.Read(part); string(part[:n]) != want || err != nil {
			t.Errorf("got %q, %v, want %q", part[:n], err, want)
		}
	}
	go cancel()
	for range 2 {
		if n, err := r.Read(part); n != 0 || !errors.Is(err, errInterrupted) {
			t.Errorf("after the end: got %d octets, %v, want %v", n, err, errInterrupted)
		}
	}
}

// Before an interrupt, an inputUntil reads like any other reader.
func TestInputUntilReads(t *testing.T) {
	text := strings.Repeat("0123456789", 20_000)
	if err := iotest.TestReader(&inputUntil{ctx: t.Context(), in: strings.NewReader(text)}, []byte(text)); err != nil {
		t.Error(err)
	}
	broken := errors.New("broken")
	r := &inputUntil{ctx: t.Context(), in: io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken))}
	if got, err := io.ReadAll(r); string(got) != "abc" || err != broken {
		t.Errorf("got %q, %v, want %q, %v", got, err, "abc", broken)
	}
}

func TestInterruptible(t *testing.T) {
	cmd := new(cobra.Command)
	cmd.SetContext(t.Context())
	cmd.SetIn(strings.NewReader("text"))
	ctx, stop := interruptible(cmd)
	if got, err := io.ReadAll(cmd.InOrStdin()); string(got) != "text" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	stop()
	if ctx.Err() == nil {
		t.Error("the context goes on after stop")
	}
}
