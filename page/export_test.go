package page

import (
	"io"
	"time"
)

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

// A Question is one line of the machine protocol.
type Question = question

// ParseQuestion reads a line of the machine protocol.
func ParseQuestion(line []byte, reading Reading) (Question, error) {
	return parseQuestion(line, reading)
}

// AppendAnswer answers a line of the machine protocol.
func AppendAnswer(b, line []byte, reading Reading) ([]byte, error) {
	return appendAnswer(b, line, reading)
}

// IndexAt reports whether the page may be indexed at a time.
func (d *Decision) IndexAt(t time.Time) bool { return d.indexAt(t) }

// Overruled returns the directives for the robot that others overrule.
func (d *Decision) Overruled() []Directive { return d.overruled() }
