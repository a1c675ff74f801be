package warc

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Record is one record of a file. It is valid until the next call of
// [Reader.Next], and is an [io.Reader] of its block.
type Record struct {
	// Version is the first line of the record, such as "WARC/1.1". It is "ARC/1" or
	// "ARC/2" for a record of ARC, whose header is converted to that of WARC.
	Version string
	Header  Header
	// Offset is the offset of the record in the file, in bytes. For a compressed record,
	// it is the offset of its gzip member.
	Offset int64
	// Size is the number of bytes of the block, according to the header.
	Size int64

	r      *Reader
	rest   int64 // unread bytes of the block
	first  bool  // the first record of its gzip member
	length int64 // length of the record in the file, when known
	done   bool  // read to the end
	err    error // error that ended the record
}

// Type returns the type of the record, in lower case, such as [TypeResponse].
func (r *Record) Type() string { return strings.ToLower(r.Header.Get("WARC-Type")) }

// id returns the record's identifier without its brackets.
func (r *Record) id() string { return bare(r.Header.Get("WARC-Record-ID")) }

// URL returns the target URI of the record, as written, but without the brackets that
// WARC/1.0 required.
func (r *Record) URL() string { return bare(r.Header.Get("WARC-Target-URI")) }

// Time returns the start of the capture, or the zero time if the record has no date.
func (r *Record) Time() time.Time {
	value := r.Header.Get("WARC-Date")
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01", "2006",
		stampLayout} {
		if t, err := time.Parse(layout, value); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// bare removes the brackets around a URI.
func bare(uri string) string {
	if strings.HasPrefix(uri, "<") && strings.HasSuffix(uri, ">") {
		return uri[1 : len(uri)-1]
	}
	return uri
}

// String returns the version, type and URL of the record.
func (r *Record) String() string {
	s := r.Version + " " + printable.Text(r.Type())
	if url := r.URL(); url != "" {
		s += " of " + printable.Clipped(url, 200)
	}
	return s
}

// Read reads the block. If the record is damaged, the error is a [*Damage].
func (r *Record) Read(p []byte) (n int, err error) {
	if r.err != nil {
		return 0, r.err
	}
	if r.rest == 0 || r.done {
		return 0, io.EOF
	}
	if int64(len(p)) > r.rest {
		p = p[:r.rest]
	}
	n, err = r.r.in.Read(p)
	for n == 0 && err == io.EOF && r.r.follow() {
		n, err = r.r.in.Read(p)
	}
	r.rest -= int64(n)
	if err != nil && r.rest > 0 {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return n, r.fail(fmt.Errorf("%d bytes of its block are missing: %w", r.rest, err))
	}
	return n, nil
}

// fail ends the record with an error.
func (r *Record) fail(err error) error {
	r.done = true
	if r.err = r.r.sourceErr(); r.err == nil {
		r.err = &Damage{Offset: r.Offset, Record: r.String(), Err: err}
	}
	return r.err
}

// Length reads the record to its end, and returns its length in the file in bytes,
// compressed if it is: these bytes from Offset on are the record. Length is 0 for a
// record that shares its gzip member with others.
func (r *Record) Length() (int64, error) {
	if r.err != nil || r.done {
		return r.length, r.err
	}
	if r.rest > 0 {
		if _, err := io.CopyBuffer(writeOnly{io.Discard}, readOnly{r}, r.r.scratch()); err != nil {
			return 0, err
		}
	}
	err := r.r.end(r)
	if err != nil {
		return 0, r.fail(err)
	}
	r.done = true
	return r.length, nil
}

// readOnly and writeOnly hide other methods from [io.CopyBuffer], so that the buffer
// is used.
type (
	readOnly  struct{ io.Reader }
	writeOnly struct{ io.Writer }
)

// Capture reads the record to its end, and returns its entry in the index of a file. ok
// is true for responses, revisits and resources. Capture must be called before the block
// is read.
func (r *Record) Capture(file string) (c Capture, ok bool, err error) {
	switch r.Type() {
	case TypeResponse, typeRevisit, typeResource:
		ok = r.URL() != ""
	}
	if ok {
		c = Capture{
			URL: escapedURI(r.URL()), Time: r.Time(), Digest: r.Header.Get("WARC-Payload-Digest"),
			File: file, Offset: r.Offset, ID: r.id(),
		}
		if r.Type() != typeResource && r.rest == r.Size {
			head, _ := r.r.in.Peek(int(min(r.rest, maxHeader))) // Length returns the error
			if end := headEnd(head); end >= 0 {
				head = head[:end]
			}
			c.Status, c.MediaType = statusAndType(head)
		} else {
			c.MediaType, _, _ = strings.Cut(r.Header.Get("Content-Type"), ";")
			c.MediaType = strings.ToLower(strings.TrimSpace(c.MediaType))
		}
		if r.Type() == typeRevisit {
			c.MediaType = mediaRevisit
		}
	}
	c.Length, err = r.Length()
	if err != nil {
		return Capture{}, false, err
	}
	return c, ok, nil
}

// A Damage describes a damaged place of a file, and the loss.
type Damage struct {
	Offset  int64  // of the record, or of its gzip member, in the file
	Record  string // the damaged record, if its header could be read
	Skipped int64  // bytes of the file from Offset to where reading goes on
	Err     error
}

// Error returns the place and the cause of the damage.
func (d *Damage) Error() string {
	what := "the record"
	if d.Record != "" {
		what += " " + d.Record
	}
	s := fmt.Sprintf("offset %d: %s is broken: %v", d.Offset, what, d.Err)
	if d.Skipped > 0 {
		s += fmt.Sprintf("; %d bytes skipped", d.Skipped)
	}
	return s
}

// Unwrap returns the cause of the damage.
func (d *Damage) Unwrap() error { return d.Err }
