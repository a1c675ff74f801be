package fetch

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/robotsexclusion/robots"
)

// encodedForm is the first line of an encoded entry. Stored: never renumber.
const encodedForm = "1"

// EncodeEntry returns an entry with its text as bytes, for a [Cache] that is not a folder. The form
// is numbered, and later versions of this package read it:
//
//	1                               the number of the form
//	{"origin":…,"sum":"9b74c989…"}  the line that a [Dir] has in the folder origins
//	User-agent: *                   the text, if the entry has a File
//	…
func EncodeEntry(e *Entry) ([]byte, error) {
	line, err := seal(e)
	if err != nil {
		return nil, fmt.Errorf("fetch: cannot encode the entry for %s: %w", e.Origin, err)
	}
	data := append([]byte(encodedForm+"\n"), line...)
	if e.File != nil {
		data = append(data, e.File.Policy.String()...)
	}
	return data, nil
}

// DecodeEntry reads an entry that [EncodeEntry] has written. It checks the sum of the line, the
// SHA-256 of the text, and each member, as a [Client] does. The error wraps [ErrCorrupt]. The
// caller compares the origin with the one that it asked for.
func DecodeEntry(data []byte) (*Entry, error) {
	e, err := decodeEntry(data)
	if err != nil {
		return nil, fmt.Errorf("fetch: the entry is %w: %w", ErrCorrupt, err)
	}
	return e, nil
}

func decodeEntry(data []byte) (*Entry, error) {
	form, rest, _ := bytes.Cut(data, []byte("\n"))
	if string(form) != encodedForm {
		return nil, errors.New("it has another form")
	}
	line, text, ok := bytes.Cut(rest, []byte("\n"))
	if !ok || len(line) > maxEntry || len(text) > maxText {
		return nil, errors.New("its parts have wrong sizes")
	}
	e := new(Entry)
	if err := unseal(line, e); err != nil {
		return nil, err
	}
	if origin, err := Origin(e.Origin); err != nil || origin != e.Origin {
		return nil, errors.New("it is about no origin")
	}
	if e.File == nil && len(text) > 0 {
		return nil, errors.New("it has a text, but no file")
	}
	if f := e.File; f != nil {
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != f.SHA256 || len(text) != f.Size {
			return nil, errors.New("its text has another SHA-256 or size")
		}
		f.Policy = robots.Parse(text)
	}
	if err := e.check(e.Origin); err != nil {
		return nil, err
	}
	return e, nil
}
