package lsp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// Limits of the memory that a client can make the server use.
const (
	maxDocument = 4 << 20         // bytes of a text that is checked
	maxMessage  = 8 * maxDocument // bytes of a message: JSON may need six bytes for one
	maxHeader   = 8 << 10         // bytes of a message's header
)

// skippedMethod is the method of the notification that replaces a message which was too large
// to be read.
const skippedMethod = "robots/skipped"

// A wire sends and receives messages in the framing of the base protocol: a header with the
// length in bytes, an empty line, JSON. It implements the Channel of package jrpc2. The
// package's own Channel would allocate any announced length.
type wire struct {
	out    io.Writer
	frames chan []byte
	err    error // why there are no more frames; set before frames is closed
	closed chan struct{}
	once   sync.Once
}

func newWire(in io.Reader, out io.Writer) *wire {
	w := &wire{out: out, frames: make(chan []byte), closed: make(chan struct{})}
	go w.read(bufio.NewReaderSize(in, maxHeader))
	return w
}

// read reads messages until the input ends or the wire is closed. It is a goroutine of its own
// because a read from standard input cannot be interrupted.
func (w *wire) read(in *bufio.Reader) {
	defer close(w.frames)
	for {
		frame, err := readFrame(in)
		if err != nil {
			w.err = err
			return
		}
		select {
		case w.frames <- frame:
		case <-w.closed:
			w.err = io.EOF
			return
		}
	}
}

// Recv returns the next message.
func (w *wire) Recv() ([]byte, error) {
	select {
	case frame, ok := <-w.frames:
		if !ok {
			return nil, w.err
		}
		return frame, nil
	case <-w.closed:
		return nil, io.EOF
	}
}

// Send writes a message. It also works after Close, so that pending requests are answered.
func (w *wire) Send(message []byte) error {
	b := make([]byte, 0, len(message)+40)
	b = append(b, "Content-Length: "...)
	b = strconv.AppendInt(b, int64(len(message)), 10)
	b = append(b, "\r\n\r\n"...)
	_, err := w.out.Write(append(b, message...))
	return err
}

// Close ends Recv.
func (w *wire) Close() error {
	w.once.Do(func() { close(w.closed) })
	return nil
}

// readFrame reads one message. For a message larger than maxMessage it returns a notification
// instead. The error is io.EOF if the input ends before a message.
func readFrame(in *bufio.Reader) ([]byte, error) {
	size, err := readHeader(in)
	if err != nil {
		return nil, err
	}
	if size > maxMessage {
		if _, err := io.CopyN(io.Discard, in, size); err != nil {
			return nil, unexpected(err)
		}
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":{"bytes":%d}}`, skippedMethod, size), nil
	}
	// The client may announce a length and then send nothing.
	var b bytes.Buffer
	b.Grow(int(min(size, 64<<10)))
	if _, err := io.CopyN(&b, in, size); err != nil {
		return nil, unexpected(err)
	}
	return b.Bytes(), nil
}

// readHeader reads the header of a message, and returns the length of the content.
func readHeader(in *bufio.Reader) (size int64, err error) {
	size = -1
	for read := 0; ; {
		line, err := in.ReadSlice('\n')
		switch read += len(line); {
		case err == io.EOF && read == 0:
			return 0, io.EOF
		case errors.Is(err, bufio.ErrBufferFull) || read > maxHeader:
			return 0, fmt.Errorf("the header of a message is longer than %d bytes", maxHeader)
		case err != nil:
			return 0, unexpected(err)
		}
		field := strings.TrimRight(string(line), "\r\n")
		if field == "" {
			break
		}
		name, value, ok := strings.Cut(field, ":")
		value = strings.TrimSpace(value)
		switch {
		case !ok:
			return 0, fmt.Errorf("the header of a message has the line %q, which is not \"name: value\"",
				clipped(field))
		case strings.EqualFold(name, "Content-Length"):
			length, err := strconv.ParseUint(value, 10, 63)
			if err != nil {
				return 0, fmt.Errorf("the Content-Length of a message is %q, which is not a number of bytes",
					clipped(value))
			}
			size = int64(length)
		case strings.EqualFold(name, "Content-Type"):
			_, charset, named := strings.Cut(strings.ToLower(value), "charset=")
			charset, _, _ = strings.Cut(charset, ";")
			if charset = strings.Trim(charset, `" `); named && charset != "utf-8" && charset != "utf8" {
				return 0, fmt.Errorf("the charset of a message is %q, and must be utf-8", clipped(charset))
			}
		}
	}
	if size < 0 {
		return 0, errors.New("the header of a message has no Content-Length")
	}
	return size, nil
}

func clipped(s string) string { return s[:min(len(s), 80)] }

// unexpected returns the error for input that ends within a message.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
