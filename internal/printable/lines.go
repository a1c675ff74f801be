package printable

import "io"

// Lines writes lines of JSON and escapes everything that is unsafe on a terminal: the
// lines contain URLs and errors that strangers wrote.
type Lines struct{ To io.Writer }

// Write implements [io.Writer] for whole lines.
func (l Lines) Write(line []byte) (int, error) {
	if _, err := l.To.Write(JSON(line)); err != nil {
		return 0, err
	}
	return len(line), nil
}
