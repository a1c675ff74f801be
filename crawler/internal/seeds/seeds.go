// Package seeds extracts the seed URLs of a crawl from common sources: lists, texts,
// pages, and archives of mailing lists.
//
//	for url, err := range seeds.Read("2003-May.txt.gz", file) {
//		if err != nil {
//			log.Print(err)
//			continue
//		}
//		fmt.Println(url)
//	}
//
// [Read] detects the format of a file; [List], [Text], [HTML] and [Mail] read a known
// format. Each reads only as far as its caller iterates, in bounded memory, and accepts
// any input: input that it does not understand has no URLs. Most repetitions of a URL
// are left out.
//
// URLs are returned as written, so that they can be found in the source; https:// is
// added to one without a scheme. A URL begins
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

// maxURL limits the length of a URL, in bytes. No server accepts a longer one.
const maxURL = 8 << 10

// ReadAll returns the URLs that [Read] finds in a file. Any error of Read ends ReadAll.
func ReadAll(name string, r io.Reader) (urls []string, err error) {
	for url, err := range Read(name, r) {
		if err != nil {
			return nil, err
		}
		urls = append(urls, url)
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
func Read(name string, r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		in, err := unpack(r)
		if err == nil {
			head, _ := in.Peek(look)
			for url, err := range as(Detect(name, head), in) {
				if !yield(url, named(name, err)) {
					return
				}
			}
			return
		}
		yield("", named(name, err))
	}
}

// as returns the URLs of a file of a known format.
func as(f Format, r io.Reader) iter.Seq2[string, error] {
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
	yield   func(string, error) bool
	stopped bool // the caller has stopped the iteration
	line    int  // the current line
	mail    bool // the source is mail
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
func collect(read func(*collector) error) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		c := &collector{yield: yield, line: 1}
		if err := read(c); err != nil && !c.stopped {
			yield("", err)
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
		c.stopped = !c.yield(string(url), nil)
	}
}

// scheme is added to URLs without one.
const scheme = "https://"

// bad yields the error of a line.
func (c *collector) bad(err error) {
	if !c.stopped {
		c.stopped = !c.yield("", fmt.Errorf("line %d: %w", c.line, err))
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
