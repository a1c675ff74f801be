// Package seeds extracts the seed URLs of a crawl from common sources: lists, texts,
// pages, and archives of mailing lists.
//
//	for found, err := range seeds.Read("2003-May.txt.gz", file) {
//		if err != nil {
//			log.Print(err)
//			continue
//		}
//		fmt.Println(found.URL, "in line", found.Line)
//	}
//
// [Read] detects the format of a file; [List], [Text], [HTML] and [Mail] read a known
// format. Each reads only as far as its caller iterates, in bounded memory, and accepts
// any input: input that it does not understand has no URLs. Most repetitions of a URL
// are left out.
//
// URLs are returned as written, so that they can be found in the source. A URL begins
// with http:// or https://, in any case, and has a host. Apart from that it is whatever
// a person would take for a URL: blanks may be encoded or not, and letters may be of
// any script.
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

// A Found is a URL with its place.
type Found struct {
	// URL is the URL as written. If it had no scheme, https:// was added.
	URL string

	// Line is the line of the URL, from 1 on. In mail, which may be encoded, it is the
	// first line of the message.
	Line int

	// Message is the number of the message in its archive, from 1 on, and 0 outside of
	// mail. ID is its Message-ID without brackets, if it has one.
	Message int
	ID      string
}

// maxURL limits the length of a URL, in bytes. No server accepts a longer one.
const maxURL = 8 << 10

// ReadAll returns the URLs that [Read] finds in a file. Any error of Read ends ReadAll.
func ReadAll(name string, r io.Reader) (urls []string, err error) {
	for found, err := range Read(name, r) {
		if err != nil {
			return nil, err
		}
		urls = append(urls, found.URL)
	}
	return urls, nil
}

// Read returns the URLs of a file of any [Format], plain or compressed with gzip. The
// name helps to detect the format; it may be empty, and Read opens nothing. Errors
// begin with the name.
//
// An error that is an [ErrNoURL] concerns one line of a list, and the iteration
// continues. Any other error is the last: the file could not be read any further, or
// the error is [ErrSitemap].
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

// as returns the URLs of a file of a known format.
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

// named prefixes an error with the name of a file.
func named(name string, err error) error {
	if err == nil || name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", printable.Text(name), err)
}

// A collector passes URLs to the caller.
type collector struct {
	yield   func(Found, error) bool
	stopped bool  // the caller has stopped the iteration
	at      Found // the current place
	counts  bool  // lines are counted: the source is not mail
	seed    maphash.Seed
	seen    []uint64        // hashes of URLs, each in its slot
	idle    []*bufio.Reader // readers with buffers of the window size, for reuse
	tokens  []byte          // buffer for HTML tokens
}

// window is the number of bytes of a text in memory, and therefore the longest line
// that is read in one piece.
const window = 64 << 10

// buffered returns a reader of r with a window. The caller must release it.
func (c *collector) buffered(r io.Reader) (in *bufio.Reader) {
	if last := len(c.idle) - 1; last >= 0 {
		in, c.idle = c.idle[last], c.idle[:last]
	} else {
		in = bufio.NewReaderSize(nil, window) // with r, the result could be r itself
	}
	in.Reset(r)
	return in
}

// release returns an unused reader to the collector.
func (c *collector) release(in *bufio.Reader) {
	in.Reset(nil)
	c.idle = append(c.idle, in)
}

// remembered limits the URLs that are remembered to leave out repetitions: a power of
// 2.
const remembered = 1 << 16

// collect returns the URLs that read passes to a collector, and then read's error.
func collect(read func(*collector) error) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		c := &collector{yield: yield, counts: true, at: Found{Line: 1}}
		if err := read(c); err != nil && !c.stopped {
			yield(Found{}, err)
		}
	}
}

// found yields a URL, unless it is remembered.
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

// scheme is added to URLs without one.
const scheme = "https://"

// bad yields the error of a line.
func (c *collector) bad(err error) {
	if !c.stopped {
		c.stopped = !c.yield(Found{}, fmt.Errorf("line %d: %w", c.at.Line, err))
	}
}

// hasScheme returns the length of the scheme of an http or https URL, with its "://",
// and 0 for a URL without one.
func hasScheme(url string) int {
	for _, s := range [...]string{"http://", "https://"} {
		if len(url) >= len(s) && strings.EqualFold(url[:len(s)], s) {
			return len(s)
		}
	}
	return 0
}
