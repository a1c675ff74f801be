package page

import "io"

// ReadLimited is Read with another limit for the length of a tag, or of a text
// in one piece, than 64 KiB.
func ReadLimited(body io.Reader, o Options, limit int) (*Doc, error) { return read(body, o, limit) }

// ReadValue returns the directives of the value of a header or META tag.
func ReadValue(text, robot string) (found []Directive) {
	v := valueReader{text: text, robot: robot, add: func(d Directive) bool {
		found = append(found, d)
		return true
	}}
	v.read()
	return found
}
