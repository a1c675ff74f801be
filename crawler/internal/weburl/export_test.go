package weburl

import "slices"

// Slow resolves a link without the shortcut for clean links.
func Slow(f *Form, base URL, ref string) (URL, Refusal) {
	if f == nil {
		f = &zeroForm
	}
	out, u, why := f.resolve(nil, &base, ref, marksOf(ref))
	if why == None && len(out) > f.maxLength() {
		why = TooLong
	}
	if why != None {
		return URL{}, why
	}
	u.text = string(out)
	return u, None
}

// DefaultTracking and IsTracking are two forms of one list.
var (
	DefaultTracking = tracking
	IsTracking      = isTracking
)

// Tracking returns the names of the parameters that are dropped by default.
func Tracking() []string { return slices.Clone(tracking) }
