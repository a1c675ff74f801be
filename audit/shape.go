package audit

import "bytes"

// appendShape appends the shape of a User-Agent header: the header with 0 for each number of a
// version. Headers of the same shape name the same robot, and most new headers have the shape of
// another.
//
// A number of a version is digits and dots after a letter or a digit and a slash: package agent
// reads no name there.
func appendShape(shape, header []byte) []byte {
	for {
		slash := bytes.IndexByte(header, '/')
		if slash < 0 {
			return append(shape, header...)
		}
		numbered := slash > 0 && isAlphanumeric(header[slash-1])
		shape = append(shape, header[:slash+1]...)
		header = header[slash+1:]
		if numbered && len(header) > 0 && isDigit(header[0]) {
			shape = append(shape, '0')
			for len(header) > 0 && (isDigit(header[0]) || header[0] == '.') {
				header = header[1:]
			}
		}
	}
}

func isAlphanumeric(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
