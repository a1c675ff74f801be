package accesslog

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/mikelolasagasti/xz"
)

// fileOpener returns a function that opens a file, or the standard input for "-".
func fileOpener(name string) func() (io.Reader, func() error, error) {
	return func() (io.Reader, func() error, error) {
		if name == "-" {
			return os.Stdin, func() error { return nil }, nil
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, nil, err
		}
		return f, f.Close, nil
	}
}

// A source gives the bytes of a log.
type source struct {
	io.Reader
	compression string
	// whole says that reads fill the whole buffer. Without it, a read from a pipe returns the
	// available bytes, so that requests are seen as they are made.
	whole bool
	close func()
	done  func() error // closes the source of the bytes
}

// fill reads into b: all of it, or what there is. It returns an error at the end, also
// with the last bytes.
func (s *source) fill(b []byte) (n int, err error) {
	for idle := 0; n < len(b) && err == nil; {
		var m int
		m, err = s.Read(b[n:])
		n += m
		switch {
		case m > 0 && !s.whole:
			return n, err
		case m > 0:
			idle = 0
		case idle == 100 && err == nil:
			err = io.ErrNoProgress
		}
		idle++
	}
	return n, err
}

// maxWindow is the maximum memory for the window of zstd and for the dictionary of xz, in
// bytes. The programs zstd and xz need more only with special options (--ultra -20, --long).
const maxWindow = 64 << 20

// newSource returns the source of a log, which may be compressed: the first bytes say how. A log is
// decompressed ahead of its reading, because that takes longer. The source is never nil.
func newSource(in io.Reader, progress func(bytes int)) (*source, error) {
	s, err := decompress(in, progress)
	if err != nil || s.compression == "" {
		return s, err
	}
	ahead := readAhead(&source{Reader: s.Reader, whole: true})
	release := s.close
	s.Reader, s.close = ahead, func() {
		ahead.close()
		release()
	}
	return s, nil
}

// decompress returns a source that decompresses when it is read.
func decompress(in io.Reader, progress func(bytes int)) (*source, error) {
	var magic [6]byte
	n, err := io.ReadFull(in, magic[:])
	s := &source{whole: true, close: func() {}}
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return s, err
	}
	start := magic[:n]
	whole := io.MultiReader(bytes.NewReader(start), in)
	if progress != nil {
		whole = &counted{whole, progress}
	}
	switch {
	case bytes.HasPrefix(start, []byte{0x1f, 0x8b}):
		s.compression = "gzip"
		s.Reader, err = gzip.NewReader(bufio.NewReaderSize(whole, 64<<10))
	case bytes.HasPrefix(start, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		s.compression = "zstd"
		var z *zstd.Decoder
		z, err = zstd.NewReader(whole, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err == nil {
			s.Reader, s.close = frames{z}, z.Close
		}
	case bytes.HasPrefix(start, []byte("BZh")):
		s.compression = "bzip2"
		s.Reader, err = bzip2.NewReader(whole), nil
	case bytes.HasPrefix(start, []byte{0xfd, '7', 'z', 'X', 'Z', 0}):
		s.compression = "xz"
		s.Reader, err = xz.NewReader(whole, maxWindow)
	default:
		s.Reader, err = whole, nil
		f, ok := in.(*os.File)
		if ok {
			info, err := f.Stat()
			ok = err == nil && info.Mode().IsRegular()
		}
		s.whole = ok
	}
	return s, err
}

// A counted reader says how many bytes were read.
type counted struct {
	io.Reader
	progress func(bytes int)
}

// Read implements [io.Reader].
func (c *counted) Read(p []byte) (n int, err error) {
	n, err = c.Reader.Read(p)
	c.progress(n)
	return n, err
}

// frames are the frames of a Zstandard stream. Errors say which limit a frame exceeds.
type frames struct{ *zstd.Decoder }

// Read implements [io.Reader].
func (f frames) Read(p []byte) (n int, err error) {
	n, err = f.Decoder.Read(p)
	switch err {
	case nil, io.EOF, io.ErrUnexpectedEOF:
	case zstd.ErrWindowSizeExceeded, zstd.ErrDecoderSizeExceeded:
		err = fmt.Errorf("zstd: the window exceeds the limit of %d bytes", maxWindow)
	default:
		err = fmt.Errorf("zstd: %w", err)
	}
	return n, err
}
