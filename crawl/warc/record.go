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
	// Version is what the record begins with, such as "WARC/1.1". It is "ARC/1" or
	// "ARC/2" for a record of ARC, whose header is made to be as in WARC.
	Version string
	Header  Header
	// Offset is where the record begins in the file; or, if it is compressed, where the
	// gzip member begins in which it is. In bytes.
	Offset int64
	// Size is how many bytes the block has, as the header says.
	Size int64

	r      *Reader
	rest   int64 // bytes of the block that are not read yet
	first  bool  // in its gzip member
	length int64 // of the record in the file, when it is known
	done   bool  // it has been read to its end
	err    error // that ended it
}

// Type returns the type of the record, in lower case, such as [TypeResponse].
func (r *Record) Type() string { return strings.ToLower(r.Header.Get("WARC-Type")) }

// ID returns the record's identifier without its brackets.
func (r *Record) ID() string { return bare(r.Header.Get("WARC-Record-ID")) }

// URL returns what the record is about, as written, but for brackets around it, which
// WARC/1.0 asked for.
func (r *Record) URL() string { return bare(r.Header.Get("WARC-Target-URI")) }

// Time returns when the capture began, or the zero time if the record does not say.
func (r *Record) Time() time.Time {
	value := r.Header.Get("WARC-Date")
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01", "2006", stampLayout} {
		if t, err := time.Parse(layout, value); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// bare removes brackets around a URI.
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

// Read reads the block. Where the record is broken, the error is a [*Damage].
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
// compressed if it is: from Offset on, so much has to be read to have the record. It
// is 0 for a record that shares its gzip member with others.
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

// Capture reads the record to its end, and returns its entry in the index of a file.
// It reports whether there is one: for responses, revisits and resources. It is to be
// called before the block is read.
func (r *Record) Capture(file string) (c Capture, ok bool, err error) {
	switch r.Type() {
	case TypeResponse, TypeRevisit, typeResource:
		ok = r.URL() != ""
	}
	if ok {
		c = Capture{
			URL: escapedURI(r.URL()), Time: r.Time(), Digest: r.Header.Get("WARC-Payload-Digest"),
			File: file, Offset: r.Offset, ID: r.ID(),
		}
		if r.Type() != typeResource && r.rest == r.Size {
			head, _ := r.r.in.Peek(int(min(r.rest, maxHeader))) // of an error, Length tells
			if end := headEnd(head); end >= 0 {
				head = head[:end]
			}
			c.Status, c.MediaType = statusAndType(head)
		} else {
			c.MediaType, _, _ = strings.Cut(r.Header.Get("Content-Type"), ";")
			c.MediaType = strings.ToLower(strings.TrimSpace(c.MediaType))
		}
		if r.Type() == TypeRevisit {
			c.MediaType = mediaRevisit
		}
	}
	c.Length, err = r.Length()
	if err != nil {
		return Capture{}, false, err
	}
	return c, ok, nil
}

// A Damage tells of a place where a file is broken, and what was lost with it.
type Damage struct {
	Offset  int64  // of the record, or of its gzip member, in the file
	Record  string // that is broken, as far as its header could be read
	Skipped int64  // bytes of the file from Offset to where reading goes on
	Err     error
}

// Error returns where the file is broken, and how.
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

// Unwrap returns what is wrong.
func (d *Damage) Unwrap() error { return d.Err }
