//go:build unix

package userfile_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// TestOpenPipe opens and reads a named pipe that has no writer, one that has a silent one, and one
// that has a text.
func TestOpenPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	fatal.If(t, syscall.Mkfifo(name, 0o600))
	ended := errors.New("ended")
	ctx, cancel := context.WithCancel(t.Context())
	in := userfile.Until(ctx, strings.NewReader(""), ended)
	opened := make(chan error)
	go func() {
		_, err := userfile.ReadAtMost(name, in, 100, "long")
		opened <- err
	}()
	cancel()
	if err := <-opened; err == nil || !strings.Contains(err.Error(), "ended") {
		t.Errorf("without a writer: %v", err)
	}
	w, err := os.OpenFile(name, os.O_RDWR, 0) // for reading too, so that it does not wait
	fatal.If(t, err)
	defer w.Close()
	ctx, cancel = context.WithCancel(t.Context())
	in = userfile.Until(ctx, strings.NewReader(""), ended)
	r, err := userfile.Open(name, in)
	fatal.If(t, err)
	defer r.Close()
	io.WriteString(w, "text")
	b := make([]byte, 10)
	if n, err := r.Read(b); string(b[:n]) != "text" || err != nil {
		t.Errorf("got %q, %v", b[:n], err)
	}
	cancel()
	if _, err := r.Read(b); !errors.Is(err, ended) {
		t.Errorf("with a silent writer: %v", err)
	}
}
