package printable

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// IsBinary recognises the content of a file that is not a text, such as an image, an archive or a
// document of an office program. One byte in ten of its first 4,096 is a control byte or not
// UTF-8, or it has NUL as well as bytes that are not UTF-8, or it starts as a PDF does. A text in
// UTF-16 is binary by these rules: see [UTF16Order].
func IsBinary(text string) bool {
	const most = 4096
	head := []byte(text[:min(len(text), most)])
	odd, nuls := 0, 0
	for _, c := range head {
		switch {
		case c == 0:
			nuls++
			odd++
		case c < ' ' && c != '\t' && c != '\n' && c != '\r', c == 0x7F:
			odd++
		}
	}
	replaced := bytes.Count(head, []byte("\uFFFD"))
	for i := len(head) - 1; i >= max(len(head)-utf8.UTFMax, 0); i-- {
		if utf8.RuneStart(head[i]) {
			if !utf8.FullRune(head[i:]) {
				head = head[:i] // most cuts a letter
			}
			break
		}
	}
	foreign := replaced > 0 || !utf8.Valid(head)
	return (odd+replaced)*10 > min(len(text), most) || nuls > 0 && foreign || strings.HasPrefix(text, "%PDF-")
}
