package seeds

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path"
	"strings"
)

// Format is the way in which a file holds URLs.
type Format uint8

// The formats.
const (
	TextFormat    Format = iota // anywhere in a text: see [Text]
	ListFormat                  // one a line: see [List]
	HTMLFormat                  // in the links of a page: see [HTML]
	MailFormat                  // in an archive of mail, or a message: see [Mail]
	SitemapFormat               // in a sitemap or a feed, for package sitemap
)

// ErrSitemap means that a file is a sitemap or a feed: read it with package sitemap.
var ErrSitemap = errors.New("this is a sitemap or a feed: read it as such")

// byName maps the extension of a name to a format.
var byName = map[string]Format{
	".mbox": MailFormat, ".mbx": MailFormat, ".eml": MailFormat, ".mai": MailFormat,
	".html": HTMLFormat, ".htm": HTMLFormat, ".xhtml": HTMLFormat, ".md": TextFormat, ".csv": TextFormat,
	".tsv": TextFormat,
}

// Detect returns the format of a file by its beginning or, if that is not enough, by
// its name, which may be empty. Pass the first 4 KiB, or the whole file if it is
// shorter. For a file compressed with gzip it returns the format of the contents.
func Detect(name string, head []byte) Format {
	name = strings.ToLower(name)
	if bytes.HasPrefix(head, []byte("\x1f\x8b")) {
		if z, err := gzip.NewReader(bytes.NewReader(head)); err == nil {
			head, _ = io.ReadAll(io.LimitReader(z, look)) // as far as it is intact
		}
	}
	name = strings.TrimSuffix(name, ".gz")
	whole := len(head) < look
	if text, err := io.ReadAll(decoded(bytes.NewReader(head))); err == nil {
		head = text
	}
	begin := bytes.TrimLeft(head, " \t\r\n")
	switch {
	case isMail(begin):
		return MailFormat
	case len(begin) > 0 && begin[0] == '<':
		if f, ok := byTag(begin); ok {
			return f
		}
	}
	if f, ok := byName[path.Ext(name)]; ok {
		return f
	}
	if isList(begin, whole) {
		return ListFormat
	}
	return TextFormat
}

// isMail reports whether a file begins with a message.
func isMail(begin []byte) bool {
	line, after, _ := bytes.Cut(begin, []byte{'\n'})
	if bytes.HasPrefix(line, []byte("From ")) {
		return hasDate(line) || hasField(after)
	}
	// The second field may be unknown, or continue on several lines.
	for fields := 0; hasField(line) || fields > 0 && len(line) > 0 && (line[0] == ' ' || line[0] == '\t'); {
		if line[0] != ' ' && line[0] != '\t' {
			fields++
		}
		if fields == 2 {
			return true
		}
		line, after, _ = bytes.Cut(after, []byte{'\n'})
	}
	return false
}

// byTag detects a format by the first tags.
func byTag(begin []byte) (Format, bool) {
	for _, tag := range bytes.Split(bytes.ToLower(begin), []byte{'<'})[1:] {
		end := 0
		for end < len(tag) && tag[end] > ' ' && tag[end] != '>' && tag[end] != '/' {
			end++
		}
		local := tag[bytes.IndexByte(tag[:end], ':')+1 : end]
		switch name := string(local); {
		case name == "urlset", name == "sitemapindex", name == "rss", name == "feed", name == "rdf":
			return SitemapFormat, true
		case name == "!doctype":
			if fields := bytes.Fields(tag[end:]); len(fields) > 0 && (bytes.HasPrefix(fields[0], []byte("html")) ||
				bytes.HasPrefix(fields[0], []byte("netscape-bookmark"))) {
				return HTMLFormat, true
			}
		case strings.HasPrefix(name, "?"), strings.HasPrefix(name, "!"), name == "":
		case strings.HasPrefix(name, "http"), name == "url": // a URL in angle brackets
			return 0, false
		default:
			return HTMLFormat, elements[name]
		}
	}
	return 0, false
}

// elements lists the elements that pages begin with.
var elements = map[string]bool{
	"html": true, "head": true, "body": true, "title": true, "meta": true, "link": true, "base": true, "script": true,
	"style": true,
	"a":     true, "p": true, "div": true, "h1": true, "h2": true, "h3": true, "ul": true, "ol": true, "dl": true,
	"li": true, "table": true,
	"center": true, "font": true, "br": true, "hr": true, "span": true, "main": true, "article": true, "nav": true,
	"header": true, "frameset": true,
}

// isList reports whether all lines in begin are URLs or comments.
func isList(begin []byte, whole bool) bool {
	n := 0
	for len(begin) > 0 {
		line, after, ended := bytes.Cut(begin, []byte{'\n'})
		if begin = after; !ended && !whole {
			break
		}
		line = bytes.TrimFunc(withoutComment(line), isWhite)
		if len(line) == 0 {
			continue
		}
		if _, err := Address(string(line)); err != nil {
			return false
		}
		n++
	}
	return n > 0
}
