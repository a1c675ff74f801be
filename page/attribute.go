package page

import "github.com/robotsexclusion/robots/internal/html/htmltoken"

// An attribute is one that matters.
type attribute uint8

const (
	nameAttribute attribute = iota
	contentAttribute
	httpEquivAttribute
	charsetAttribute
	hrefAttribute
	srcAttribute
	relAttribute
	xlinkAttribute // xlink:href, which links of SVG may have
	attributeCount // no attribute that matters
)

// attributeNamed returns the attribute with a name in letters of any case.
func attributeNamed(name []byte) attribute {
	switch len(name) {
	case 3:
		switch {
		case htmltoken.EqualFold(name, "rel"):
			return relAttribute
		case htmltoken.EqualFold(name, "src"):
			return srcAttribute
		}
	case 4:
		switch {
		case htmltoken.EqualFold(name, "href"):
			return hrefAttribute
		case htmltoken.EqualFold(name, "name"):
			return nameAttribute
		}
	case 7:
		switch {
		case htmltoken.EqualFold(name, "content"):
			return contentAttribute
		case htmltoken.EqualFold(name, "charset"):
			return charsetAttribute
		}
	case 10:
		switch {
		case htmltoken.EqualFold(name, "http-equiv"):
			return httpEquivAttribute
		case htmltoken.EqualFold(name, "xlink:href"):
			return xlinkAttribute
		}
	}
	return attributeCount
}

// An attributes is those of a tag that matter.
type attributes struct {
	values [attributeCount][]byte
	room   []byte // of values that are not as they are in the page
}

// read reads the attributes of a tag. Of several with one name the first one counts.
func (a *attributes) read(r htmltoken.AttributeReader) {
	var had [attributeCount]bool
	for {
		name, value, ok := r.Next()
		if !ok {
			return
		}
		if i := attributeNamed(name); i < attributeCount && !had[i] {
			had[i] = true
			a.values[i], a.room = htmltoken.Value(value, a.room)
		}
	}
}
