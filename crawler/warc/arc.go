package warc

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// arcHeader reads the line before a record of ARC, the format before WARC: URL, address,
// time, media type and length, separated by blanks; version 2 has five more words before
// the length. The URL may contain blanks. An invalid length is 0.
func (r *Reader) arcHeader(rec *Record) error {
	left := maxHeader
	line, err := r.line(&left)
	if err != nil {
		return err
	}
	words := strings.Split(strings.TrimRight(line, "\r\n"), " ")
	rec.Version = "ARC/1"
	after := 4 // words after the URL
	if n := len(words); n >= 10 && isStamp(words[n-8]) && !isStamp(words[n-3]) {
		rec.Version, after = "ARC/2", 9
	}
	n := len(words) - after
	if n < 1 || !isStamp(words[n+1]) {
		return fmt.Errorf("it begins with %s and not with URL, address, time, media type and length",
			printable.Quoted(line, 80))
	}
	url, address, stamp, media := strings.Join(words[:n], "%20"), words[n], words[n+1], words[n+2]
	if size, err := strconv.ParseUint(words[len(words)-1], 10, 63); err == nil {
		rec.Size = int64(size)
	}
	kind, content := typeResource, media
	switch {
	case strings.HasPrefix(url, "filedesc:"):
		kind = typeWarcinfo
	case strings.HasPrefix(url, "http:"), strings.HasPrefix(url, "https:"):
		kind, content = TypeResponse, "application/http; msgtype=response"
	}
	date := stamp
	if t, err := time.Parse(stampLayout, stamp[:14]); err == nil {
		date = t.Format(time.RFC3339)
	}
	rec.Header = Header{
		{"WARC-Type", kind}, {"WARC-Target-URI", url}, {"WARC-Date", date}, {"WARC-IP-Address", address},
		{"Content-Type", content}, {"Content-Length", strconv.FormatInt(rec.Size, 10)},
	}
	return nil
}

// isStamp reports whether a word may be a time of 14 digits or more.
func isStamp(word string) bool {
	_, err := strconv.ParseUint(word, 10, 64)
	return err == nil && len(word) >= 14
}
