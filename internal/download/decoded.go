package download

import (
	"io"
	"net/http"
)

// Decoded returns a reader of a body whose content encodings are undone, as those of
// [Exchange.Body] are. It is for bodies that were kept as [Exchange.Sent] has them,
// such as those in an archive: h is the header of the answer. What is read before an
// error is right as far as it goes. So many bytes are read at most; where there are
// more the reader returns an error too. Decoding takes up to 16 MiB of memory until the
// reader is closed. The error of Decoded itself is that of an encoding that is not
// known, or is broken from the start.
func Decoded(h http.Header, sent io.Reader, most int64) (io.ReadCloser, error) {
	list, err := codings(h)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return &decoded{Reader: &limited{sent, most}}, nil
	}
	d, err := newDecoder(sent, list, most)
	if err != nil {
		d.release()
		return nil, err
	}
	return &decoded{d, d}, nil
}

// A decoded is a body that is decoded, and its decoder, or nil.
type decoded struct {
	io.Reader
	decoder *decoder
}

// Close implements [io.Closer].
func (d *decoded) Close() error {
	if d.decoder != nil {
		d.decoder.release()
	}
	d.Reader, d.decoder = eof{}, nil
	return nil
}

// An eof is at its end.
type eof struct{}

// Read implements [io.Reader].
func (eof) Read([]byte) (int, error) { return 0, io.EOF }
