// Package seeds takes URLs, for a crawl to begin with, from what people have: lists,
// texts, pages, and archives of mailing lists.
//
//	for found, err := range seeds.Read("2003-May.txt.gz", file) {
//		if err != nil {
//			log.Print(err)
//			continue
//		}
//		fmt.Println(found.URL, found.Where()) // http://example.com/ message 3, line 120, <20030505.1234@example.com>
//	}
//
// [Read] finds out what a file is; [List], [Text], [HTML] and [Mail] are for who knows.
// Each reads as far as it is asked for, in bounded memory, and takes anything: what it
// does not understand has no URLs. Of one URL that is found again and again most
// repetitions are left out.
//
// A URL is given as it was written, so that it can be found again. It begins with
// http:// or https://, in letters of any case, and has a host. For the rest it is what
// a person takes for a URL: it may have blanks encoded or not, and letters of any script.
package seeds

import (
	"bufio"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Found is a URL and where it stands.
type Found struct {
	// URL is the URL as written, but for the scheme if it had none: that is https then.
	URL string

	// Line is where it stands, from 1 on. In mail, which may be encoded, it is where
	// the message begins.
	Line int

	// Message is the number of the message in its archive, from 1 on, and 0 for what
	// is no mail. ID is its Message-ID without brackets, if it has one.
	Message int
	ID      string
}

// Where returns where the URL stands, such as "line 7", or "message 3, line 120,
// <20030505.1234@example.com>".
func (f Found) Where() string {
	switch {
	case f.Message == 0:
		return fmt.Sprintf("line %d", f.Line)
	case f.ID == "":
		return fmt.Sprintf("message %d, line %d", f.Message, f.Line)
	}
	return fmt.Sprintf("message %d, line %d, <%s>", f.Message, f.Line, printable.Clipped(f.ID, 100))
}

// maxURL is how many bytes a URL has at most. No server takes a longer one.
const maxURL = 8 << 10

// Read returns the URLs of a file, of any [Format], as it is or compressed with gzip.
// The name helps to find out what it is; it may be empty, and nothing is opened. Errors
// begin with it.
//
// An error that is an [ErrNoURL] is of one line of a list, and others follow. Any other
// is the last: the file could not be read on, or it is [ErrSitemap].
func Read(name string, r io.Reader) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		in, err := unpack(r)
		if err == nil {
			head, _ := in.Peek(look)
			for found, err := range as(Detect(name, head), in) {
				if !yield(found, named(name, err)) {
					return
				}
			}
			return
		}
		yield(Found{}, named(name, err))
	}
}

// as returns the URLs of a file whose format is known.
func as(f Format, r io.Reader) iter.Seq2[Found, error] {
	switch f {
	case ListFormat:
		return List(r)
	case HTMLFormat:
		return HTML(r)
	case MailFormat:
		return Mail(r)
	case SitemapFormat:
		return collect(func(*collector) error { return ErrSitemap })
	}
	return Text(r)
}

// named puts the name of a file before an error.
func named(name string, err error) error {
	if err == nil || name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", printable.Text(name), err)
}

// A collector gives what is found to the caller.
type collector struct {
	yield   func(Found, error) bool
	stopped bool  // nobody wants to hear more
	at      Found // where it is
	counts  bool  // lines count: what is read is no mail
	seed    maphash.Seed
	seen    []uint64        // hashes of URLs, each at its place
	idle    []*bufio.Reader // of the size of the window
	tokens  []byte          // the buffer for tokens of HTML
}

// window is how many bytes of a text are in memory, and so the longest line that is
// looked at in one piece.
const window = 64 << 10

// buffered returns a reader of r with a window. It is to be released.
func (c *collector) buffered(r io.Reader) (in *bufio.Reader) {
	if last := len(c.idle) - 1; last >= 0 {
		in, c.idle = c.idle[last], c.idle[:last]
	} else {
		in = bufio.NewReaderSize(nil, window) // of r it could be r itself
	}
	in.Reset(r)
	return in
}

// release takes a reader back that is not used any more.
func (c *collector) release(in *bufio.Reader) {
	in.Reset(nil)
	c.idle = append(c.idle, in)
}

// remembered is how many URLs are known at most, so as not to be given again: a power
// of 2.
const remembered = 1 << 16

// collect returns what read gives to a collector, and then its error.
func collect(read func(*collector) error) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		c := &collector{yield: yield, counts: true, at: Found{Line: 1}}
		if err := read(c); err != nil && !c.stopped {
			yield(Found{}, err)
		}
	}
}

// found gives a URL, if it is not remembered.
func (c *collector) found(url []byte) {
	if c.stopped || len(url) > maxURL {
		return
	}
	if c.seen == nil {
		c.seen, c.seed = make([]uint64, remembered), maphash.MakeSeed()
	}
	h := maphash.Bytes(c.seed, url)
	if slot := &c.seen[h%remembered]; *slot != h {
		*slot = h
		f := c.at
		f.URL = string(url)
		c.stopped = !c.yield(f, nil)
	}
}

// scheme is that of a URL that has none.
const scheme = "https://"

// bad tells what is wrong with a line.
func (c *collector) bad(err error) {
	if !c.stopped {
		c.stopped = !c.yield(Found{}, fmt.Errorf("line %d: %w", c.at.Line, err))
	}
}

// hasScheme returns how long the scheme of a URL of http or https is, with its "://",
// and 0 for what has none.
func hasScheme(url string) int {
	for _, s := range [...]string{"http://", "https://"} {
		if len(url) >= len(s) && strings.EqualFold(url[:len(s)], s) {
			return len(s)
		}
	}
	return 0
}
