package download

import (
	"io"
	"net/http"
)

// Decoded returns a reader of a body with its content encodings undone, like
// [Exchange.Body]. It is for bodies kept as in [Exchange.Sent], such as those in an
// archive: h is the header of the answer. The bytes read before an error are right. The
// reader returns at most the given number of bytes, and an error if there are more.
// Decoding takes up to 16 MiB of memory until the reader is closed. Decoded itself
// returns an error if an encoding is unknown, or is broken from the start.
func Decoded(h http.Header, sent io.Reader, most int64) (io.ReadCloser, error) {
	list, err := codings(h)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return &decodedBody{Reader: &limitedReader{sent, most}}, nil
	}
	d, err := newDecoder(sent, list, most)
	if err != nil {
		d.release()
		return nil, err
	}
	return &decodedBody{d, d}, nil
}

// A decodedBody is a decoded body with its decoder, or nil.
type decodedBody struct {
	io.Reader
	decoder *decoder
}

// Close implements [io.Closer].
func (d *decodedBody) Close() error {
	if d.decoder != nil {
		d.decoder.release()
	}
	d.Reader, d.decoder = eof{}, nil
	return nil
}

// An eof is an empty reader.
type eof struct{}

// Read implements [io.Reader].
func (eof) Read([]byte) (int, error) { return 0, io.EOF }
