package userfile

import (
	"bytes"
	"context"
	"io"
	"os"
)

// Until returns a reader that reads from another one until a context is done. Then reads do not
// wait any more, and the error is ended.
func Until(ctx context.Context, in io.Reader, ended error) io.Reader {
	return &until{ctx: ctx, in: in, ended: ended}
}

type until struct {
	ctx   context.Context
	in    io.Reader
	ended error
	part  []byte       // the last part read
	rest  bytes.Reader // the rest of part, not handed out yet
	err   error        // the error after part
}

// open opens a file. Until a pipe has a writer, or the server of a file system answers, that waits;
// it does not wait any more when the context is done. i may be nil.
func (i *until) open(name string) (*os.File, error) {
	if i == nil {
		return os.Open(name)
	}
	type result struct {
		f   *os.File
		err error
	}
	done := make(chan result, 1)
	go func() {
		f, err := os.Open(name)
		done <- result{f, err}
	}()
	select {
	case r := <-done:
		return r.f, r.err
	case <-i.ctx.Done():
		return nil, i.ended
	}
}

// Read implements [io.Reader].
func (i *until) Read(p []byte) (int, error) {
	if i.rest.Len() == 0 && i.err == nil {
		i.next()
	}
	if n, _ := i.rest.Read(p); n > 0 {
		return n, nil
	}
	return 0, i.err
}

// next reads the next part. It is not called again after a read that it did not wait for.
func (i *until) next() {
	if i.part == nil {
		i.part = make([]byte, 64<<10)
	}
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	go func() {
		n, err := i.in.Read(i.part)
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		i.rest.Reset(i.part[:r.n])
		i.err = r.err
	case <-i.ctx.Done():
		i.err = i.ended
	}
}
