package warc

import (
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"hash"
	"net/netip"
	"strconv"
	"time"

	"github.com/klauspost/compress/gzip"
)

// level is the compression level of gzip. It was chosen by BenchmarkLevel: 5 and 6 make
// pages of 10 KB 3 and 4 % smaller than 4 does, and take 14 and 19 % longer. Compared
// with the total cost of fetching a page, more is not worth the time.
const level = 4

// A press turns records into gzip members, one after the other, before their file is
// known. It is reused.
type press struct {
	max          int64 // maximum bytes of a body; 0 means no limit
	sha1, sha256 hash.Hash
	gzip         *gzip.Writer
	sum          [sha256.Size]byte
	header       []byte
	block        []byte // block of a record without a message
	buf          []byte // for reading
	rest         spool  // rest of the current body
	out          spool  // the members
}

func newPress() *press {
	z, err := gzip.NewWriterLevel(nil, level)
	if err != nil {
		panic(err) // invalid level
	}
	return &press{sha1: sha1.New(), sha256: sha256.New(), gzip: z}
}

// reset empties the press.
func (p *press) reset(dir string, memory int, max int64) {
	p.max = max
	p.rest.reset(dir, memory)
	p.out.reset(dir, memory)
}

// discard removes temporary files, and frees memory that other messages may not need.
func (p *press) discard() {
	const keep = 256 << 10
	p.rest.discard()
	p.out.discard()
	for _, b := range []*[]byte{&p.header, &p.block, &p.rest.mem, &p.out.mem} {
		if cap(*b) > keep {
			*b = nil
		}
	}
}

// newID returns a WARC-Record-ID without its brackets: a random UUID (RFC 9562,
// version 4).
func newID() string {
	var u [16]byte
	rand.Read(u[:])
	u[6], u[8] = u[6]&0x0f|0x40, u[8]&0x3f|0x80
	const hex = "0123456789abcdef"
	id := make([]byte, 0, 45)
	id = append(id, "urn:uuid:"...)
	for i, b := range u {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			id = append(id, '-')
		}
		id = append(id, hex[b>>4], hex[b&15])
	}
	return string(id)
}

// begin begins the header of a record.
func (p *press) begin(kind, id string, at time.Time) {
	p.header = append(p.header[:0], "WARC/1.1\r\n"...)
	p.field("WARC-Type", kind)
	p.reference("WARC-Record-ID", id)
	p.header = append(p.header, "WARC-Date: "...)
	p.header = at.AppendFormat(p.header, dateLayout)
	p.header = append(p.header, "\r\n"...)
}

// field adds a field, if it has a value.
func (p *press) field(name, value string) {
	if value != "" {
		p.header = appendField(p.header, name, value)
	}
}

// uri adds a field with a URI, if it is not empty.
func (p *press) uri(name, uri string) {
	if uri != "" {
		p.header = append(p.header, name...)
		p.header = append(p.header, ": "...)
		p.header = append(appendURI(p.header, uri), "\r\n"...)
	}
}

// reference adds a field with the ID of a record, if it is not empty.
func (p *press) reference(name, id string) {
	if id != "" {
		p.header = append(p.header, name...)
		p.header = append(p.header, ": <"...)
		p.header = append(appendURI(p.header, id), ">\r\n"...)
	}
}

// address adds the address of a server in the form of RFC 5952, if it is known.
func (p *press) address(a netip.Addr) {
	if a.IsValid() {
		p.field("WARC-IP-Address", a.Unmap().WithZone("").String())
	}
}

// member ends the header, compresses the record, and returns its offset and length among
// the members so far.
func (p *press) member(contentType string, head, body []byte, rest *spool) (offset, length int64, err error) {
	size := int64(len(head) + len(body))
	if rest != nil {
		size += rest.size
	}
	p.field("Content-Type", contentType)
	p.header = append(p.header, "Content-Length: "...)
	p.header = strconv.AppendInt(p.header, size, 10)
	p.header = append(p.header, "\r\n\r\n"...)
	if len(p.header) > maxHeader {
		return 0, 0,
			fmt.Errorf("the header of the record has %d bytes, and no more than %d can be read back: is its URL that long?", len(p.header), maxHeader)
	}
	offset = p.out.size
	p.gzip.Reset(&p.out)
	for _, part := range [][]byte{p.header, head, body} {
		if _, err := p.gzip.Write(part); err != nil {
			return 0, 0, fmt.Errorf("compress a record: %w", err)
		}
	}
	if rest != nil && rest.size > 0 {
		if err := rest.copyTo(p.gzip); err != nil {
			return 0, 0, fmt.Errorf("compress a record: %w", err)
		}
	}
	_, err = p.gzip.Write([]byte("\r\n\r\n"))
	if err == nil {
		err = p.gzip.Close()
	}
	if err != nil {
		return 0, 0, fmt.Errorf("compress a record: %w", err)
	}
	return offset, p.out.size - offset, nil
}
