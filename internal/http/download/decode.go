package download

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/robotsexclusion/robots/internal/http/httpfield"
)

const (
	// maxWindow limits the window of Zstandard, in bytes (RFC 9659), because the window
	// is in memory. The format limits the window of Brotli to 16 MiB (RFC 7932, section
	// 9.1), and those of the others to 32 KiB.
	maxWindow = 8 << 20

	// freely is the decoded size, in bytes, below which the ratio of a body is not
	// limited.
	freely = 1 << 20
)

// codings returns the content encodings of a body in the order in which they were
// applied. It skips values that are not names of encodings, as browsers do: some
// servers write a charset or "none" there.
func codings(h http.Header) (list []string, err error) {
	if len(h["Content-Encoding"]) == 0 {
		return nil, nil
	}
	if list, _, err = httpfield.ContentCodings(h); err != nil {
		return nil, err
	}
	for _, name := range list {
		switch name {
		case "gzip", "x-gzip", "deflate", "br", "zstd":
		default:
			return nil, fmt.Errorf("the body has the content encoding %s, which the request did not ask for", name)
		}
	}
	return list, nil
}

// A decoder undoes the content encodings of a body. Its output, and that of each layer,
// is limited.
type decoder struct {
	io.Reader
	codings []string // for messages
	free    []func() // release the memory of the layers
}

// newDecoder returns a decoder that undoes the encodings, the last one first, up to
// most bytes. Release the decoder even if there is an error.
func newDecoder(src io.Reader, codings []string, most int64) (*decoder, error) {
	d := &decoder{Reader: src, codings: codings}
	for i := range codings {
		layer, free, err := undo(codings[len(codings)-1-i], d.Reader)
		if err == io.EOF {
			d.Reader = strings.NewReader("") // an empty body needs no decoding
			return d, nil
		}
		if err != nil {
			return d, d.broken(err)
		}
		d.free = append(d.free, free)
		d.Reader = &limitedReader{layer, most}
	}
	return d, nil
}

// Read implements [io.Reader]. It turns a panic into an error: the decoders are
// third-party code, some of it translated from C by machine, and one body must not end
// a crawl.
func (d *decoder) Read(p []byte) (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			n, err = 0, d.broken(fmt.Errorf("panic: %v", r))
			d.free = nil // the memory of a decoder that panicked is not used again
		}
	}()
	n, err = d.Reader.Read(p)
	return n, d.broken(err)
}

// broken wraps err with the names of the encodings, unless err is nil, io.EOF or
// errLength.
func (d *decoder) broken(err error) error {
	if err == nil || err == io.EOF || errors.Is(err, errLength) {
		return err
	}
	return fmt.Errorf("undo the content encoding %s: %w", strings.Join(d.codings, ", "), err)
}

// release releases the memory of the layers.
func (d *decoder) release() {
	for _, free := range d.free {
		free()
	}
	d.free = nil
}

// undo returns a reader that undoes one encoding, and a function that frees the
// reader's memory. The error is io.EOF if src is empty.
func undo(coding string, src io.Reader) (r io.Reader, free func(), err error) {
	b := packed.Get().(*bufio.Reader)
	b.Reset(src)
	unbuffer := func() {
		b.Reset(nil)
		packed.Put(b)
	}
	if _, err := b.Peek(1); err != nil {
		unbuffer()
		return nil, nil, err
	}
	switch coding {
	case "br":
		d := brotlis.Get().(*brotli.Reader)
		d.Reset(b)
		return unbrotli{d}, func() {
			d.Reset(nil)
			brotlis.Put(d)
			unbuffer()
		}, nil
	case "zstd":
		d := zstds.Get().(*zstd.Decoder)
		d.Reset(b)
		return d, func() {
			d.Reset(nil)
			zstds.Put(d)
			unbuffer()
		}, nil
	case "deflate":
		d, err := inflate(b)
		if err != nil {
			unbuffer()
		}
		return d, unbuffer, err
	default:
		d := gzips.Get().(*gzip.Reader)
		return &gunzip{packed: b, member: d}, func() {
			gzips.Put(d)
			unbuffer()
		}, nil
	}
}

// A pooled decoder takes some ten KiB.
var (
	packed  = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 4<<10) }}
	gzips   = sync.Pool{New: func() any { return new(gzip.Reader) }}
	brotlis = sync.Pool{New: func() any { return brotli.NewReader(nil) }}
	zstds   = sync.Pool{New: func() any {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			panic(err) // the options are invalid
		}
		return d
	}}
)

// A gunzip reads one or more members of gzip (RFC 1952, section 2.2). It ignores other
// bytes after the members: some servers pad with zeros.
type gunzip struct {
	packed *bufio.Reader
	member *gzip.Reader
	begun  bool // the first member was begun
	in     bool // inside a member
}

// Read implements [io.Reader].
func (g *gunzip) Read(p []byte) (int, error) {
	for {
		if !g.in {
			if magic, _ := g.packed.Peek(2); g.begun && string(magic) != "\x1f\x8b" {
				return 0, io.EOF
			}
			g.begun = true
			if err := g.member.Reset(g.packed); err != nil {
				return 0, unexpected(err)
			}
			g.member.Multistream(false)
			g.in = true
		}
		n, err := g.member.Read(p)
		if err == io.EOF {
			g.in, err = false, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// unexpected turns io.EOF into an error, because io.EOF means success elsewhere.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// inflate returns a reader of what HTTP calls deflate: the zlib format (RFC 9110,
// section 8.4.1.2), or DEFLATE without it, as some servers send.
func inflate(b *bufio.Reader) (io.Reader, error) {
	head, err := b.Peek(2)
	if err == nil && head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(b)
	}
	return flate.NewReader(b), nil
}

// An unbrotli reads Brotli. It ignores bytes after the end.
type unbrotli struct{ *brotli.Reader }

// Read implements [io.Reader].
func (u unbrotli) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	if err != nil && err.Error() == "brotli: excessive input" { // this error has no name
		err = io.EOF
	}
	return n, err
}
