package weburl

import "unsafe"

// A Form says which parts of a URL are dropped.
type Form uint8

const (
	// Links is the form of links: without the query parameters that only say how a visitor
	// came, and without session ids, such as jsessionid and PHPSESSID: otherwise each visit to
	// a site with session ids in its links would find all of its pages again. Dropped parts
	// are not requested either.
	Links Form = iota
	// Exact drops nothing. It is the form of the targets of redirects: a server may redirect
	// a robot from a URL to the same URL with one more parameter, and the target must then be
	// requested unchanged, as Heritrix does.
	Exact
)

// MaxLength limits the canonical form, in bytes: the limit of sitemaps.org. Offsets in a
// URL have 16 bits.
const MaxLength = 2048

// maxWritten limits the part of a link that is read before its canonical form is known,
// in bytes, without the fragment. Dropped parts such as dot segments and session ids
// may shorten a link, but not by more than that.
const maxWritten = 8 * MaxLength

// AppendResolved appends the canonical form of ref, resolved against base, to dst. It
// returns the extended buffer and the URL, or the unchanged dst and the reason why the
// link is not visited. With the zero URL as base, ref must be absolute. The base should
// have the same Form; for a page with a base element, pass the resolved base element.
//
// The URL shares the memory of the buffer: it is valid until the appended bytes are
// overwritten. [URL.Clone] copies it. The text of ref is UTF-8; each invalid byte
// counts as U+FFFD. The query is encoded as UTF-8 too, whereas a browser uses the
// charset of the page for it.
func (f Form) AppendResolved(dst []byte, base URL, ref string) ([]byte, URL, Refusal) {
	start := len(dst)
	has := marksOf(ref)
	out, u, ok := f.clean(dst, &base, ref, has)
	if !ok {
		var why Refusal
		if out, u, why = f.resolve(dst, &base, ref, has); why != None {
			return dst, URL{}, why
		}
	}
	length := len(out) - start
	if length > MaxLength {
		return dst, URL{}, TooLong
	}
	u.text = unsafe.String(&out[start], length)
	return out, u, None
}

// Resolve returns the canonical form of ref, resolved against base. The error is an
// [*Error].
func (f Form) Resolve(base URL, ref string) (URL, error) {
	_, u, why := f.AppendResolved(nil, base, ref)
	if why != None {
		return URL{}, &Error{ref, why}
	}
	return u, nil
}

// Parse returns the canonical form of an absolute URL. The error is an [*Error].
func (f Form) Parse(rawURL string) (URL, error) { return f.Resolve(URL{}, rawURL) }
