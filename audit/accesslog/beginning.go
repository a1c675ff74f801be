package accesslog

import (
	"bytes"
	"errors"
)

// checkBeginning looks at the beginning of a log, which has at least the first line. It returns the
// size of the byte order mark there, or an error if the log is not plain text. The reader would find
// most lines of an archive, and lose those beside the archive's headers.
func checkBeginning(start []byte) (mark int, err error) {
	const (
		magicAt = 257 // POSIX.1-2017, pax, ustar Interchange Format
		magic   = "ustar"
	)
	switch {
	case bytes.HasPrefix(start, byteOrderMark):
		return len(byteOrderMark), nil
	case bytes.HasPrefix(start, []byte("PK\x03\x04")), bytes.HasPrefix(start, []byte("PK\x05\x06")):
		return 0, errors.New("it is a zip archive: unpack it, and name the logs in it")
	case len(start) > magicAt && bytes.HasPrefix(start[magicAt:], []byte(magic)) &&
		bytes.IndexByte(start[:magicAt], 0) >= 0:
		return 0, errors.New("it is a tar archive: unpack it, and name the logs in it")
	case bytes.HasPrefix(start, []byte{0xff, 0xfe}), bytes.HasPrefix(start, []byte{0xfe, 0xff}):
		return 0, errors.New("it is UTF-16: convert it to UTF-8")
	}
	for _, magic := range []string{"\x89PNG", "\xff\xd8\xff", "GIF8", "RIFF", "%PDF-", "\x7fELF", "\xd0\xcf\x11\xe0"} {
		if bytes.HasPrefix(start, []byte(magic)) {
			return 0, errors.New("it is binary data, such as an image or a document: name a log of plain text")
		}
	}
	return 0, nil
}
