package page

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/robotsexclusion/robots/internal/html/htmltoken"
)

// A Charset is the character encoding of a page.
type Charset struct {
	// Name is the name in the Encoding Standard, such as "utf-8" or "windows-1251". It is empty
	// if no page was read.
	Name string `json:"name"`

	// Found says where the encoding was found: "bom" (byte order mark), "header" (Content-Type),
	// "meta" (META tag), "xml" (XML declaration), "sniffed" (the text is UTF-8, or looks like
	// UTF-16), or "default" (windows-1252, or utf-8 if the text that was read is ASCII). The first
	// of these that applies wins.
	Found string `json:"found"`

	converted bool // the text was converted to UTF-8 before the search for tags
}

// The values of Charset.Found.
const (
	byDefault  = "default"
	bySniffing = "sniffed"
	byMeta     = "meta"
	byHeader   = "header"
	byBOM      = "bom"
	byXML      = "xml"
)

const (
	utf8Name   = "utf-8"
	iso2022JP  = "iso-2022-jp"
	bomUTF8    = "\xef\xbb\xbf"
	bomUTF16BE = "\xfe\xff"
	bomUTF16LE = "\xff\xfe"
)

// likeASCII reports whether the bytes of tags in c are those of ASCII, and never mean anything
// else. This is false only for UTF-16 and ISO-2022-JP.
func (c Charset) likeASCII() bool {
	return c.Name != iso2022JP && !strings.HasPrefix(c.Name, "utf-16")
}

// charsetOfStart returns the encoding of a page according to its first bytes and the
// Content-Type header. META tags are evaluated later, unless they change where the tags are.
func charsetOfStart(start []byte, contentType string) Charset {
	switch {
	case bytes.HasPrefix(start, []byte(bomUTF8)):
		return Charset{Name: utf8Name, Found: byBOM}
	case bytes.HasPrefix(start, []byte(bomUTF16BE)):
		return Charset{Name: "utf-16be", Found: byBOM}
	case bytes.HasPrefix(start, []byte(bomUTF16LE)):
		return Charset{Name: "utf-16le", Found: byBOM}
	}
	zero := bytes.IndexByte(start, 0) >= 0
	if name := charsetOfContent(contentType); name != "" {
		// A page with UTF-16 in its header but no NUL in its first bytes is in another
		// encoding. Decoded as UTF-16, its tags would be unreadable.
		if c := (Charset{Name: name, Found: byHeader}); zero || name == iso2022JP || c.likeASCII() {
			return c
		}
	}
	switch {
	case bytes.HasPrefix(start, []byte("<\x00")):
		return Charset{Name: "utf-16le", Found: bySniffing}
	case bytes.HasPrefix(start, []byte("\x00<")):
		return Charset{Name: "utf-16be", Found: bySniffing}
	}
	if bytes.Contains(start, []byte("-2022-")) && htmltoken.ContainsFold(start, iso2022JP) {
		if _, name, _ := charset.DetermineEncoding(start, ""); name == iso2022JP {
			return Charset{Name: name, Found: byMeta}
		}
		if name := xmlEncoding(start); name == iso2022JP {
			return Charset{Name: name, Found: byXML}
		}
	}
	return Charset{Found: byDefault}
}

// xmlEncoding returns the encoding in the XML declaration at the start of a page, or "" (HTML,
// section 13.2.3.2, "get an XML encoding").
func xmlEncoding(start []byte) string {
	rest, ok := bytes.CutPrefix(start, []byte("<?xml"))
	if !ok {
		return ""
	}
	declaration, _, ok := strings.Cut(string(rest), ">")
	if !ok {
		return ""
	}
	_, value, ok := strings.Cut(declaration, "encoding")
	if !ok {
		return ""
	}
	value, ok = strings.CutPrefix(strings.TrimLeftFunc(value, isBlank), "=")
	if value = strings.TrimLeftFunc(value, isBlank); !ok || value == "" || value[0] != '"' && value[0] != '\'' {
		return ""
	}
	label, _, ok := strings.Cut(value[1:], value[:1])
	if !ok || strings.ContainsFunc(label, isBlank) {
		return ""
	}
	return charsetOfMeta(label)
}

// charsetOfMeta returns the encoding that a META tag declares. An ASCII tag cannot declare
// UTF-16: HTML uses UTF-8 then.
func charsetOfMeta(label string) string {
	name := charsetNamed(label)
	if strings.HasPrefix(name, "utf-16") {
		return utf8Name
	}
	return name
}

// charsetNamed returns the name of the encoding with a label, or "".
func charsetNamed(label string) string {
	_, name := charset.Lookup(label)
	switch name {
	case "replacement": // an empty text would lose directives
		return ""
	case "x-user-defined":
		return "windows-1252"
	}
	return name
}

// charsetOfContent returns the encoding in a content type (HTML, "extracting a character
// encoding from a meta element"), or "".
func charsetOfContent(contentType string) string {
	const white = " \t\n\f\r"
	for s := htmltoken.Lower(contentType); ; {
		_, after, ok := strings.Cut(s, "charset")
		if !ok {
			return ""
		}
		label, ok := strings.CutPrefix(strings.TrimLeft(after, white), "=")
		if !ok {
			s = after
			continue
		}
		label = strings.TrimLeft(label, white)
		if label != "" && (label[0] == '"' || label[0] == '\'') {
			label, _, ok = strings.Cut(label[1:], label[:1])
			if !ok {
				return ""
			}
			return charsetNamed(label)
		}
		if end := strings.IndexAny(label, ";"+white); end >= 0 {
			label = label[:end]
		}
		return charsetNamed(label)
	}
}

// decode converts text to UTF-8.
func (c Charset) decode(text []byte) []byte {
	if c.Name != utf8Name && !c.converted {
		if e, _ := charset.Lookup(c.Name); e != nil {
			if decoded, err := e.NewDecoder().Bytes(text); err == nil {
				return decoded
			}
		}
	}
	return validUTF8(text)
}

// validUTF8 replaces invalid UTF-8 in text by U+FFFD, as browsers do (Encoding Standard,
// section 8.1.1): one U+FFFD for each incomplete character, and one for each byte that begins
// no character.
func validUTF8(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	valid := make([]byte, 0, len(text)+len(text)/8)
	for len(text) > 0 {
		c, n := utf8.DecodeRune(text)
		if c == utf8.RuneError && n == 1 {
			n = brokenLen(text)
		}
		valid = utf8.AppendRune(valid, c)
		text = text[n:]
	}
	return valid
}

// brokenLen returns the number of bytes of the incomplete character at the start of text. Text
// must not begin with a complete character.
func brokenLen(text []byte) int {
	low, high, more := byte(0x80), byte(0xbf), 0
	switch c := text[0]; {
	case 0xc2 <= c && c <= 0xdf:
		more = 1
	case 0xe0 <= c && c <= 0xef:
		more = 2
	case 0xf0 <= c && c <= 0xf4:
		more = 3
	}
	switch text[0] {
	case 0xe0:
		low = 0xa0
	case 0xed:
		high = 0x9f
	case 0xf0:
		low = 0x90
	case 0xf4:
		high = 0x8f
	}
	n := 1
	for ; n <= more && n < len(text) && low <= text[n] && text[n] <= high; n++ {
		low, high = 0x80, 0xbf
	}
	return n
}
