package download

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/internal/http/http1"
)

// A wire reads the answer of a server from an HTTP/1.1 connection, within the limits on
// its head and on time. The wire sets the connection's deadline.
type wire struct {
	*bufio.Reader               // reads from the wire itself
	answer        *bufio.Reader // reads a strict head, and the body after it

	conn net.Conn
	ctx  context.Context // of the exchange; its end stops all waiting

	inHead     bool
	head       []byte // the last head, as it came
	maxHead    int
	heads      int // bytes of all heads
	headWithin time.Duration

	first time.Time // time of the first byte

	// Then the wire checks the rate.
	came   int64 // bytes in the current window
	least  int64 // lowest number of bytes in a window
	window time.Duration
}

// wireBuffer is the size of the buffer of a wire, in bytes. Only active exchanges have
// one. The buffer above it holds a usual head.
const wireBuffer, answerBuffer = 16 << 10, 4 << 10

var wires = sync.Pool{New: func() any {
	w := &wire{head: make([]byte, 0, wireBuffer)}
	w.Reader = bufio.NewReaderSize(nil, wireBuffer)
	w.answer = bufio.NewReaderSize(nil, answerBuffer)
	return w
}}

// newWire returns a wire at the start of a head.
func newWire(ctx context.Context, conn net.Conn, maxHead int, headWithin time.Duration) *wire {
	w := wires.Get().(*wire)
	*w = wire{Reader: w.Reader, answer: w.answer, head: w.head[:0], ctx: ctx, conn: conn, inHead: true,
		maxHead: maxHead, headWithin: headWithin}
	w.Reader.Reset(source{w})
	w.deadline(headWithin)
	return w
}

// release returns the buffer to the pool.
func (w *wire) release() {
	w.Reader.Reset(nil)
	w.answer.Reset(nil)
	head := w.head
	if cap(head) > 4*wireBuffer {
		head = make([]byte, 0, wireBuffer)
	}
	*w = wire{Reader: w.Reader, answer: w.answer, head: head}
	wires.Put(w)
}

// deadline sets the connection's deadline. The end of the context may set another one
// at any moment.
func (w *wire) deadline(within time.Duration) {
	w.conn.SetDeadline(time.Now().Add(within))
	if w.ctx.Err() != nil {
		w.conn.SetDeadline(past)
	}
}

// past is a deadline that stops all waiting.
var past = time.Unix(1, 0)

// readHead reads the next head into w.head, and returns it as an answer whose body is to be read.
func (w *wire) readHead() (r *http.Response, err error) {
	w.head, err = http1.ReadHead(w.head[:0], w.Reader, w.maxHead-w.heads)
	w.heads += len(w.head)
	switch {
	case err == http1.ErrTooLarge:
		return nil, headTooLarge(w.maxHead)
	case err != nil:
		return nil, err
	}
	w.answer.Reset(io.MultiReader(bytes.NewReader(http1.Strict(w.head)), w.Reader))
	return http.ReadResponse(w.answer, get)
}

// isEmpty reports whether nothing is left that came after the answer.
func (w *wire) isEmpty() bool { return w.answer.Buffered() == 0 && w.Buffered() == 0 }

// body ends the head. From now on at least this many bytes must come in each window; a
// least below 0 disables the limit.
func (w *wire) body(least int64, window time.Duration) {
	w.inHead = false
	w.least, w.window, w.came = least, window, int64(w.Buffered())
	w.deadline(window)
}

// A source is the reader below the buffer of a wire.
type source struct{ *wire }

// Read implements [io.Reader].
func (s source) Read(p []byte) (int, error) {
	w := s.wire
	for {
		n, err := w.conn.Read(p)
		if n > 0 {
			w.came += int64(n)
			if w.first.IsZero() {
				w.first = time.Now()
			}
			return n, err
		}
		if err == nil {
			return 0, io.ErrNoProgress
		}
		if !isTimeout(err) {
			return 0, err
		}
		if err := w.expired(); err != nil {
			return 0, err
		}
	}
}

// expired returns the error for a deadline that has passed, or starts the next window.
func (w *wire) expired() error {
	switch {
	case w.ctx.Err() != nil:
		return context.Cause(w.ctx)
	case w.inHead:
		return &stop{Timeout, fmt.Sprintf("timeout: no whole head within %v", w.headWithin)}
	case w.came < w.least:
		return tooSlow(w.came, w.window)
	}
	w.came = 0
	w.deadline(w.window)
	return nil
}

func tooSlow(came int64, window time.Duration) error {
	return &stop{TooSlow, fmt.Sprintf("too slow: %d bytes within %v", came, window)}
}

func headTooLarge(most int) error {
	return &stop{HeaderSize, fmt.Sprintf("the head has more than %d bytes: see Client.MaxHeader", most)}
}
