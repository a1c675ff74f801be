package warc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// mediaRevisit replaces the media type of a revisit in an index.
const mediaRevisit = "warc/revisit"

// A Capture is an entry of an index: a response, revisit or resource, and its place in
// the archive.
type Capture struct {
	URL       string
	Time      time.Time // in UTC; an index keeps whole seconds only
	MediaType string    // from the server, or warc/revisit
	Status    int       // HTTP status, or 0
	Digest    string    // digest of the payload, with its algorithm
	File      string    // base name
	Offset    int64     // of the record's gzip member in the file, in bytes
	Length    int64     // of the member, in bytes; 0 if the record shares its member

	// ID is the WARC-Record-ID without its brackets. An index does not store it.
	ID string
}

// String returns the capture as a line of an index, without its end.
func (c Capture) String() string { return string(c.appendCDXJ(nil)) }

// appendCDXJ appends the capture as a line of CDXJ without its line end: the URL's key as
// returned by surtKey, the time with 14 digits, and a JSON object, each value of which is
// a string, as pywb writes it. Unknown values are omitted.
func (c Capture) appendCDXJ(b []byte) []byte {
	return c.appendAfter(append(b, surtKey(c.URL)...))
}

// appendAfter appends the line without the key.
func (c Capture) appendAfter(b []byte) []byte {
	b = append(b, ' ')
	b = c.Time.UTC().AppendFormat(b, stampLayout)
	b = append(b, ` {"url":`...)
	b = printable.AppendString(b, c.URL)
	if c.MediaType != "" {
		b = append(b, `,"mime":`...)
		b = printable.AppendString(b, c.MediaType)
	}
	number := func(name string, n int64) {
		b = append(b, `,"`...)
		b = append(b, name...)
		b = append(b, `":"`...)
		b = strconv.AppendInt(b, n, 10)
		b = append(b, '"')
	}
	if c.Status != 0 {
		number("status", int64(c.Status))
	}
	if c.Digest != "" {
		b = append(b, `,"digest":`...)
		b = printable.AppendString(b, c.Digest)
	}
	if c.Length != 0 {
		number("length", c.Length)
	}
	number("offset", c.Offset)
	b = append(b, `,"filename":`...)
	b = printable.AppendString(b, c.File)
	return append(b, '}')
}

// stampLayout is the layout of times in indexes and file names.
const stampLayout = "20060102150405"

// ParseCDXJ parses a line of CDXJ. Values in it may be strings or numbers. Unknown
// members are ignored.
func ParseCDXJ(line []byte) (key string, c Capture, err error) {
	line = bytes.TrimRight(line, "\r\n")
	key, rest, _ := strings.Cut(string(line), " ")
	stamp, object, ok := strings.Cut(rest, " ")
	if !ok {
		return "", c, errors.New("a line of CDXJ is a key, a time and a JSON object, with blanks between")
	}
	if c.Time, err = time.Parse(stampLayout, stamp); err != nil {
		return "", c, fmt.Errorf("the time is not of 14 digits such as 20260131235959: %s", printable.Quoted(stamp, 40))
	}
	var v struct {
		URL, MIME, Digest, Filename string
		Status, Length, Offset      number
	}
	if err := json.Unmarshal([]byte(object), &v); err != nil {
		return "", c, fmt.Errorf("the JSON of a line of CDXJ: %w", err)
	}
	c.URL, c.MediaType, c.Digest, c.File = v.URL, v.MIME, v.Digest, v.Filename
	c.Status, c.Length, c.Offset = int(v.Status), int64(v.Length), int64(v.Offset)
	if c.Offset < 0 || c.Length < 0 {
		return "", c, errors.New("a line of CDXJ has an offset or length below 0")
	}
	return key, c, nil
}

// A number is a JSON number, or a JSON string with a number. Any other string, such as
// "-" for a status, is 0.
type number int64

// UnmarshalJSON implements [json.Unmarshaler].
func (n *number) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseInt(strings.Trim(string(b), `"`), 10, 64)
	if err != nil && b[0] != '"' && string(b) != "null" {
		return fmt.Errorf("%s is not a number", printable.Clipped(string(b), 40))
	}
	*n = 0
	if err == nil {
		*n = number(v)
	}
	return nil
}
