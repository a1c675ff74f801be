package weburl

import "unsafe"

// A Form defines the parts of a URL to drop, and its maximum length. The zero value and
// a nil Form are ready to use. Do not change a Form after its first use; it is then
// safe for concurrent use.
//
// Dropped parts are not requested either, so a Form is for links. A server may redirect
// a robot from a URL to the same URL with one more parameter, and the target must then
// be requested unchanged: for the targets of redirects use a Form with an empty
// Tracking and with KeepSessions, as Heritrix does.
type Form struct {
	// MaxLength limits the canonical form, in bytes. Zero means 2,048, the limit of
	// sitemaps.org; more than 4,096 means 4,096.
	MaxLength int

	// Tracking lists the names of the query parameters to drop because they only say
	// how a visitor came. A name that ends in "*" matches all names with that prefix.
	// Names are case-sensitive. Nil means the list of [Tracking]; an empty list drops
	// nothing.
	Tracking []string

	// KeepSessions keeps session ids, such as jsessionid and PHPSESSID. By default they
	// are dropped: otherwise each visit to a site with session ids in its links would
	// find all of its pages again.
	KeepSessions bool

	// Unescape normalizes percent-encoding as in RFC 3986, section 6.2.2: unreserved
	// characters are decoded, so that %7Ejoe becomes ~joe, and hex digits become upper
	// case. Such URLs are equivalent, but browsers leave them unchanged: some servers
	// redirect from one to the other, which never ends if both are requested as one.
	Unescape bool
}

// The default and maximum of Form.MaxLength, in bytes. Offsets in a URL have 16 bits.
const (
	defaultLength = 2048
	utmostLength  = 4096
)

// maxWritten limits the part of a link that is read before its canonical form is known,
// in bytes, without the fragment. Dropped parts such as dot segments and session ids
// may shorten a link, but not by more than that.
const maxWritten = 4 * utmostLength

func (f *Form) maxLength() int {
	switch {
	case f.MaxLength <= 0:
		return defaultLength
	case f.MaxLength > utmostLength:
		return utmostLength
	}
	return f.MaxLength
}

var zeroForm Form

// AppendResolved appends the canonical form of ref, resolved against base, to dst. It
// returns the extended buffer and the URL, or the unchanged dst and the reason why the
// link is not visited. With the zero URL as base, ref must be absolute. The base should
// have the same Form; for a page with a base element, pass the resolved base element.
//
// The URL shares the memory of the buffer: it is valid until the appended bytes are
// overwritten. [URL.Clone] copies it. The text of ref is UTF-8; each invalid byte
// counts as U+FFFD. The query is encoded as UTF-8 too, whereas a browser uses the
// charset of the page for it.
func (f *Form) AppendResolved(dst []byte, base URL, ref string) ([]byte, URL, Refusal) {
	if f == nil {
		f = &zeroForm
	}
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
	if length > f.maxLength() {
		return dst, URL{}, TooLong
	}
	u.text = unsafe.String(&out[start], length)
	return out, u, None
}

// Resolve returns the canonical form of ref, resolved against base. The error is an
// [*Error].
func (f *Form) Resolve(base URL, ref string) (URL, error) {
	_, u, why := f.AppendResolved(nil, base, ref)
	if why != None {
		return URL{}, &Error{ref, why}
	}
	return u, nil
}

// Parse returns the canonical form of an absolute URL. The error is an [*Error].
func (f *Form) Parse(rawURL string) (URL, error) { return f.Resolve(URL{}, rawURL) }
