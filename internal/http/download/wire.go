package download

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// A wire reads the answer of a server from an HTTP/1.1 connection, within the limits on
// its head and on time. The wire sets the connection's deadline.
type wire struct {
	*bufio.Reader // reads from the wire itself

	conn net.Conn
	ctx  context.Context // of the exchange; its end stops all waiting

	// The wire records the bytes of the head.
	inHead     bool
	head       []byte
	maxHead    int
	headWithin time.Duration
	failed     error // why reading the head failed

	first time.Time // time of the first byte

	// Then the wire checks the rate.
	came   int64 // bytes in the current window
	least  int64 // lowest number of bytes in a window
	window time.Duration
}

// wireBuffer is the size of the buffer of a wire, in bytes. Only active exchanges have
// one.
const wireBuffer = 16 << 10

var wires = sync.Pool{New: func() any {
	w := &wire{head: make([]byte, 0, wireBuffer)}
	w.Reader = bufio.NewReaderSize(nil, wireBuffer)
	return w
}}

// newWire returns a wire at the start of a head.
func newWire(ctx context.Context, conn net.Conn, maxHead int, headWithin time.Duration) *wire {
	w := wires.Get().(*wire)
	*w = wire{Reader: w.Reader, head: w.head[:0], ctx: ctx, conn: conn, inHead: true, maxHead: maxHead,
		headWithin: headWithin}
	w.Reader.Reset(source{w})
	w.deadline(headWithin)
	return w
}

// release returns the buffer to the pool.
func (w *wire) release() {
	w.Reader.Reset(nil)
	head := w.head
	if cap(head) > 4*wireBuffer {
		head = make([]byte, 0, wireBuffer)
	}
	*w = wire{Reader: w.Reader, head: head}
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

// consumed returns the number of bytes of the head that were read and parsed.
func (w *wire) consumed() int { return len(w.head) - w.Buffered() }

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
	n, err := s.read(p)
	if s.inHead && n == 0 {
		s.failed = unexpected(err)
	}
	return n, err
}

func (s source) read(p []byte) (int, error) {
	w := s.wire
	if w.inHead {
		// The buffer may hold the beginning of the body too.
		room := w.maxHead + wireBuffer - len(w.head)
		if room <= 0 {
			return 0, headTooLarge(w.maxHead)
		}
		p = p[:min(len(p), room)]
	}
	for {
		n, err := w.conn.Read(p)
		if n > 0 {
			w.came += int64(n)
			if w.inHead {
				if len(w.head) == 0 {
					w.first = time.Now()
				}
				w.head = append(w.head, p[:n]...)
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
