package seeds

import "bytes"

// A flow finds URLs in lines of mail whose paragraphs may continue on the next line
// (RFC 3676: format=flowed with delsp=yes).
type flow struct {
	finder
	softened bool // lines may continue

	begun  []byte // the continued lines so far, without the blanks at their ends
	quoted int    // their number of leading >
}

// take finds the URLs in the next line.
func (f *flow) take(line []byte) {
	if !f.softened {
		f.line(line)
		return
	}
	quoted := 0
	for quoted < len(line) && line[quoted] == '>' {
		quoted++
	}
	text := bytes.TrimPrefix(line[quoted:], []byte(" ")) // space-stuffing (section 4.4)
	if quoted != f.quoted || len(f.begun)+len(text) > window {
		f.end()
	}
	f.quoted = quoted
	if cut, soft := bytes.CutSuffix(text, []byte(" ")); soft && !bytes.Equal(text, []byte("-- ")) {
		f.begun = append(f.begun, cut...)
		return
	}
	if len(f.begun) > 0 {
		text = append(f.begun, text...)
		f.begun = text[:0]
	}
	f.line(text)
}

// end finds the URLs in the remaining text.
func (f *flow) end() {
	if len(f.begun) > 0 {
		f.line(f.begun)
		f.begun = f.begun[:0]
	}
	f.finish()
}
