package fetch

import (
	"bufio"
	"compress/flate"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
)

// maxCodings is how many content codings a body may have, one over the other.
const maxCodings = 2

// ContentCodings returns the content codings of a body, in lower case and in the order in
// which they were applied, as Content-Encoding lists them (RFC 9110, section 8.4). Only
// names of IANA's registry are codings: "identity" is none, and names that nobody has
// registered, such as "none" or "utf-8", stand there by mistake, and browsers ignore them.
// They are in odd: a body with one may be in a form that nobody knows. It is an error if
// there are more than two codings.
func ContentCodings(h http.Header) (codings, odd []string, err error) {
	for _, value := range h.Values("Content-Encoding") {
		for name := range strings.SplitSeq(value, ",") {
			switch name = strings.ToLower(strings.Trim(name, " \t")); name {
			case "", "identity":
			case "gzip", "x-gzip", "deflate", "br", "zstd",
				"aes128gcm", "compress", "x-compress", "dcb", "dcz", "exi", "pack200-gzip":
				codings = append(codings, name)
			default:
				odd = append(odd, name)
			}
			if len(codings) > maxCodings {
				return nil, nil, fmt.Errorf("the body has more than %d content encodings: %s", maxCodings, printable.Quoted(value, 60))
			}
		}
	}
	return codings, odd, nil
}

// decoded returns a reader that undoes codings, the last one first. Only those are undone
// that the standard library knows. Each layer reads at most so many bytes of the one
// outside of it.
func decoded(body io.Reader, codings []string, most int64) (io.Reader, error) {
	for i := range codings {
		packed := bufio.NewReader(io.LimitReader(body, most))
		switch coding := codings[len(codings)-1-i]; coding {
		case "gzip", "x-gzip":
			body = &gunzip{packed: packed}
		case "deflate":
			body = &inflate{packed: packed}
		default:
			return nil, fmt.Errorf("the body comes in encoding %s: only gzip was asked for", printable.Quoted(coding, 60))
		}
	}
	return body, nil
}

// An inflate reads what HTTP calls deflate: the zlib format (RFC 9110, section 8.4.1.2), or
// DEFLATE without it, as some servers send.
type inflate struct {
	packed *bufio.Reader
	text   io.Reader
}

func (d *inflate) Read(p []byte) (int, error) {
	if d.text == nil {
		head, err := d.packed.Peek(2)
		switch {
		case len(head) == 0:
			return 0, err // io.EOF for no bytes at all, which is an empty text
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
