package fetch

import (
	"bufio"
	"compress/flate"
	"compress/zlib"
	"fmt"
	"io"

	"github.com/robotsexclusion/robots/internal/printable"
)

// decoded returns a reader that decodes the codings, the last one first. Only gzip and deflate
// are decoded. Each layer reads at most most bytes of the layer outside it.
func decoded(body io.Reader, codings []string, most int64) (io.Reader, error) {
	for i := range codings {
		packed := bufio.NewReader(io.LimitReader(body, most))
		switch coding := codings[len(codings)-1-i]; coding {
		case "gzip", "x-gzip":
			body = &gunzip{packed: packed}
		case "deflate":
			body = &inflate{packed: packed}
		default:
			return nil, fmt.Errorf("the body comes in encoding %s: only gzip was asked for",
				printable.Quoted(coding, 60))
		}
	}
	return body, nil
}

// An inflate decodes the coding that HTTP calls deflate: the zlib format (RFC 9110, section
// 8.4.1.2), or raw DEFLATE, as some servers send.
type inflate struct {
	packed *bufio.Reader
	text   io.Reader
}

func (d *inflate) Read(p []byte) (int, error) {
	if d.text == nil {
		head, err := d.packed.Peek(2)
		switch {
		case len(head) == 0:
			return 0, err // io.EOF if there are no bytes at all, which is an empty text
		case len(head) == 2 && head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0:
			if d.text, err = zlib.NewReader(d.packed); err != nil {
				return 0, err
			}
		default:
			d.text = flate.NewReader(d.packed)
		}
	}
	return d.text.Read(p)
}
