package sitemap

import (
	"bytes"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A reader reads one sitemap: the input, the limits, and the function that gets the
// entries.
type reader struct {
	scanner
	o     Options
	yield func(Entry, error) bool

	count    int  // number of entries, including invalid ones
	tooMany  bool // the limit of entries is reached
	stopped  bool // the caller left the loop
	breached bool // a breach of XML has been reported

	document
}

// read reads all.
func (r *reader) read(in io.Reader) {
	src, err := unpack(in, r.o.MaxSize)
	if err == nil {
		r.src = src
		err = r.readDocument()
	}
	switch {
	case r.stopped:
		return
	case r.tooMany:
		err = fmt.Errorf("it has more than %d entries: %w", r.o.MaxEntries, ErrLimit)
	case r.err != nil && r.err != io.EOF && !r.closed:
		err = r.err
	}
	if err != nil {
		r.fault(r.line, "", err)
	}
}

// readDocument reads a document of any kind.
func (r *reader) readDocument() error {
	head := r.ahead(look)
	head = head[:min(len(head), look)]
	switch {
	case len(head) == 0 && r.err == io.EOF:
		return fmt.Errorf("it is empty: %w", ErrNotSitemap)
	case bytes.IndexByte(head, 0) >= 0:
		return fmt.Errorf("it is neither XML nor text: %w", ErrNotSitemap)
	}
	for _, root := range [...]string{"<urlset", "<sitemapindex"} {
		if bytes.Contains(head, []byte(root)) {
			r.later = true // skip output of a broken program before the document
			return r.readXML()
		}
	}
	if bytes.HasPrefix(trim(head), []byte("<")) {
		return r.readXML()
	}
	return r.readText()
}

// give yields an entry to the caller.
func (r *reader) give(e Entry) {
	if r.more() {
		r.stopped = !r.yield(e, nil)
	}
}

// giveBad reports an invalid entry, with its URL if it has one.
func (r *reader) giveBad(line int, url []byte, err error) {
	if r.more() {
		r.fault(line, string(url[:min(len(url), maxURL)]), err)
	}
}

// more reports whether the limit allows one more entry, and counts it.
func (r *reader) more() bool {
	if r.tooMany = r.count >= r.o.MaxEntries; r.tooMany || r.stopped {
		return false
	}
	r.count++
	return true
}

// fault reports a fault.
func (r *reader) fault(line int, url string, err error) {
	if !r.stopped {
		r.stopped = !r.yield(Entry{}, &Fault{Line: line, URL: url, Err: err})
	}
}

// breach reports the first time that the document is not well-formed.
func (r *reader) breach(format string, names ...[]byte) {
	if r.breached {
		return
	}
	r.breached = true
	args := make([]any, len(names))
	for i, name := range names {
		args[i] = shown(name)
	}
	r.fault(r.line, "", fmt.Errorf("this is not well-formed XML: "+format, args...))
}

// shown returns a name in the form for messages.
func shown(name []byte) string {
	return printable.Clipped(string(name[:min(len(name), 2*maxName)]), maxName)
}

// urlError returns the error of the URL of an entry, or nil.
func urlError(url []byte) error {
	switch {
	case !isURL(url):
		return fmt.Errorf("%s is %w", printable.Quoted(string(url[:min(len(url), maxURL)]), 100), ErrURL)
	case len(url) >= maxURL && utf8.RuneCount(url) >= maxURL:
		return ErrLongURL
	}
	return nil
}

// isURL reports whether a URL is absolute and of http or https.
func isURL(url []byte) bool {
	const scheme = "https://"
	if len(url) < len(scheme) || !bytes.EqualFold(url[:4], []byte(scheme[:4])) {
		return false
	}
	rest := url[4:]
	if rest[0]|0x20 == 's' {
		rest = rest[1:]
	}
	rest, ok := bytes.CutPrefix(rest, []byte("://"))
	return ok && len(rest) > 0 && rest[0] > ' ' && bytes.IndexByte([]byte(`/\?#:`), rest[0]) < 0
}

// trim removes white space: that of XML, and characters that are copied into a URL along
// with it.
func trim(text []byte) []byte {
	return bytes.TrimFunc(text, func(c rune) bool { return unicode.IsSpace(c) || c == '\u200b' || c == '\ufeff' })
}
