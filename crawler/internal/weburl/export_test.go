package weburl

// Slow resolves a link without the shortcut for clean links.
func Slow(f Form, base URL, ref string) (URL, Refusal) {
	out, u, why := f.resolve(nil, &base, ref, marksOf(ref))
	if why == None && len(out) > MaxLength {
		why = TooLong
	}
	if why != None {
		return URL{}, why
	}
	u.text = string(out)
	return u, None
}
