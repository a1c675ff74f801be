package seeds

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"io"
	"iter"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"strings"
)

const (
	// maxDepth limits the nesting of parts in mail. Deeper parts are not read.
	maxDepth = 10

	// maxBoundary limits the length of a boundary, in bytes: 70 are allowed (RFC 2046,
	// section 5.1.1).
	maxBoundary = 200

	// maxBroken limits the parts with a broken header in a message. The rest of the
	// message is not read.
	maxBroken = 100

	// maxField limits the bytes of a header field that are read.
	maxField = 8 << 10
)

// Mail returns the URLs in an archive of mail, an mbox (RFC 4155) in any of its forms,
// or in a single message: it reads the texts like [Text], and the pages like [HTML].
// Headers and attached files are left out.
//
// Mail may be encoded and have parts, even broken ones: undecodable content is read as
// it is.
func Mail(r io.Reader) iter.Seq2[string, error] {
	return collect(func(c *collector) error {
		c.mail = true
		m := newMbox(r)
		for !c.stopped && m.next() {
			c.message(m, 0)
		}
		return m.err
	})
}

// A header has the relevant fields of a header of mail, or of a part.
type header struct {
	contentType, encoding string
}

// set sets a field of the header.
func (h *header) set(name, value string) {
	value = strings.TrimSpace(value)
	var to *string
	switch strings.ToLower(strings.TrimRight(name, " \t")) {
	case "content-type":
		to = &h.contentType
	case "content-transfer-encoding":
		to = &h.encoding
	}
	if to != nil && *to == "" {
		*to = value
	}
}

// message reads a message with its header.
func (c *collector) message(r io.Reader, depth int) {
	in := c.buffered(r)
	defer c.release(in)
	h, begin := readHeader(in)
	if len(begin) > 0 {
		in = c.buffered(io.MultiReader(bytes.NewReader(begin), in))
		defer c.release(in)
	}
	c.part(h, in, depth)
}

// readHeader reads a header. A line that does not belong to a header ends it too: the
// line is the start of the body, before the data left in the reader.
func readHeader(in *bufio.Reader) (h header, begin []byte) {
	var field []byte
	end := func() {
		if name, value, ok := bytes.Cut(field, []byte{':'}); ok {
			h.set(string(name), string(value))
		}
		field = field[:0]
	}
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		text := bytes.TrimRight(line, "\r\n")
		folded := len(text) > 0 && (text[0] == ' ' || text[0] == '\t')
		if !folded {
			end()
		}
		name, value, isField := bytes.Cut(text, []byte{':'})
		isField = isField && len(name) > 0 && !bytes.ContainsAny(bytes.TrimRight(name, " \t"), " \t") &&
			!bytes.HasPrefix(value, []byte("//"))
		from := bytes.HasPrefix(bytes.TrimLeft(text, ">"), []byte("From ")) // of the mbox that had the message
		switch {
		case len(text) == 0:
			return h, nil
		case !folded && !isField && !from || folded && first:
			return h, bytes.Clone(line)
		case !from:
			field = append(field, text[:min(len(text), maxField-len(field))]...)
		}
		for err == bufio.ErrBufferFull {
			_, err = in.ReadSlice('\n')
		}
		if err != nil {
			end()
			return h, nil
		}
	}
}

// part reads the body of a message or of a part. Errors are ignored: they come from
// malformed mail, or from the source, whose reader records them.
func (c *collector) part(h header, body *bufio.Reader, depth int) {
	kind, params, _ := mime.ParseMediaType(h.contentType)
	if kind == "" {
		kind, _, _ = strings.Cut(strings.ToLower(h.contentType), ";")
		kind = strings.TrimSpace(kind)
	}
	class, _, _ := strings.Cut(kind, "/")
	switch {
	case class == "multipart" && hasBoundary(body, params["boundary"]):
		c.parts(kind, params["boundary"], body, depth)
	case kind == "message/rfc822", kind == "message/global", kind == "message/news":
		if depth < maxDepth {
			c.message(transferred(body, h.encoding), depth+1)
		}
	case kind == "text/html", kind == "application/xhtml+xml":
		text := transferred(body, h.encoding)
		if label := params["charset"]; label != "" {
			text = converted(text, label)
		} else {
			text = decodedHTML(text)
		}
		c.html(text)
	case class == "text", class == "multipart", kind == "", !strings.Contains(kind, "/"):
		flowed := strings.EqualFold(params["format"], "flowed") && strings.EqualFold(params["delsp"], "yes")
		c.text(converted(transferred(body, h.encoding), params["charset"]), flowed)
	}
}

// hasBoundary reports whether a body seems to have parts.
func hasBoundary(body *bufio.Reader, boundary string) bool {
	if boundary == "" || len(boundary) > maxBoundary {
		return false
	}
	begin, _ := body.Peek(body.Size())
	return bytes.Contains(begin, []byte("--"+boundary))
}

// parts reads the parts of a body.
func (c *collector) parts(kind, boundary string, body *bufio.Reader, depth int) {
	if depth >= maxDepth {
		return
	}
	broken := 0
	for parts := multipart.NewReader(body, boundary); !c.stopped; {
		p, err := parts.NextRawPart()
		if err != nil {
			if _, end := body.Peek(1); end != nil || broken == maxBroken {
				return
			}
			broken++ // the header is broken; other parts may follow
			parts = multipart.NewReader(body, boundary)
			continue
		}
		var h header
		for name, values := range p.Header {
			h.set(name, values[0])
		}
		if h.contentType == "" && kind == "multipart/digest" {
			h.contentType = "message/rfc822"
		}
		in := c.buffered(p)
		c.part(h, in, depth+1)
		c.release(in)
	}
}

// transferred decodes the transfer encoding of a body.
func transferred(r *bufio.Reader, encoding string) io.Reader {
	switch strings.ToLower(encoding) {
	case "quoted-printable":
		return &patient{r, quotedprintable.NewReader(r)}
	case "base64":
		return base64.NewDecoder(base64.RawStdEncoding, &sieve{r})
	}
	return r
}

// A patient reader skips invalid quoted-printable, and continues with the next line.
type patient struct {
	in *bufio.Reader
	r  *quotedprintable.Reader
}

// Read implements [io.Reader].
func (p *patient) Read(b []byte) (int, error) {
	for {
		n, err := p.r.Read(b)
		if err == nil || err == io.EOF {
			return n, err
		}
		if _, end := p.in.Peek(1); end != nil {
			return n, end
		}
		p.r = quotedprintable.NewReader(p.in)
		if n > 0 {
			return n, nil
		}
	}
}

// A sieve passes only the bytes of base64.
type sieve struct{ r io.Reader }

// Read implements [io.Reader].
func (s *sieve) Read(b []byte) (int, error) {
	for {
		n, err := s.r.Read(b)
		kept := b[:0]
		for _, c := range b[:n] {
			if isWord(c) || c == '+' || c == '/' {
				kept = append(kept, c)
			}
		}
		if len(kept) > 0 || err != nil || len(b) == 0 {
			return len(kept), err
		}
	}
}
