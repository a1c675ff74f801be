package weburl

import "unsafe"

// A Form says what of a URL is left out, and how long it may be. The zero value
// is ready to use, and a nil Form is like it. A Form must not be changed once it
// is in use; then it is safe for concurrent use.
//
// What is left out is not requested either, so a Form is for links. A server may
// send a robot from a URL to the same one with a parameter more, which must then
// be requested as it is: for the targets of redirects take a Form with an empty
// Tracking and with KeepSessions, as Heritrix does.
type Form struct {
	// MaxLength is how long a URL may be, in bytes of its canonical form. Zero
	// is 2,048, which is as far as sitemaps.org goes; more than 4,096 is 4,096.
	MaxLength int

	// Tracking has the names of the parameters that are dropped from the query
	// because they only tell how a visitor came. A name that ends in "*" stands
	// for all that begin with what is before it. Letter case matters. Nil is what
	// [Tracking] returns; an empty list drops none.
	Tracking []string

	// KeepSessions leaves session ids where they are, such as jsessionid and
	// PHPSESSID. By default they are dropped: else each visit to a site that puts
	// them into its links would find all of its pages anew.
	KeepSessions bool

	// Unescape brings percent-encoding into the form of RFC 3986, section 6.2.2:
	// unreserved characters are decoded, so that %7Ejoe is ~joe, and hex digits
	// are in upper case. Such URLs are equivalent, and browsers leave them as they
	// are: there are servers that redirect from the one to the other, which never
	// ends if both are requested as one.
	Unescape bool
}

// The default and the utmost of Form.MaxLength, in bytes. Offsets in a URL have
// 16 bits.
const (
	defaultLength = 2048
	utmostLength  = 4096
)

// maxWritten is how long what is read of a link may be before its canonical form
// is known, in bytes, without the fragment. Dot segments, session ids and what
// else is dropped may make a long link short, but not that much.
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

// AppendResolved appends to dst the canonical form of what ref means in a
// document at base, and returns the extended buffer and the URL; or it returns
// dst as it was and why the link is not visited. Without a base, which is the
// zero URL, ref must be absolute. A base should be of the same Form; for a page
// with a base element it is what that resolves to.
//
// The URL shares the memory of the buffer: it is valid until the bytes that were
// appended are overwritten. [URL.Clone] keeps it. The text of ref is UTF-8; each
// byte that is not counts as U+FFFD. A query is encoded as UTF-8 too, whereas a
// browser takes the charset of the page for that.
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

// Resolve returns what ref means in a document at base, in canonical form. The
// error is an [*Error].
func (f *Form) Resolve(base URL, ref string) (URL, error) {
	_, u, why := f.AppendResolved(nil, base, ref)
	if why != None {
		return URL{}, &Error{ref, why}
	}
	return u, nil
}

// Parse returns the canonical form of an absolute URL. The error is an [*Error].
func (f *Form) Parse(rawURL string) (URL, error) { return f.Resolve(URL{}, rawURL) }
