package lsp

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
)

// A slowText keeps a document as the specification describes it for a client, in the plainest
// form: lines of characters, each with its length.
type slowText struct {
	encoding encoding
	lines    []slowLine
}

type slowLine struct {
	characters []string // bytes that are not UTF-8 one by one
	end        string   // "\n", "\r\n", "\r", or "" of the last line
}

var slowEnds = regexp.MustCompile("\r\n|\n|\r")

func newSlowText(s string, e encoding) *slowText {
	t := &slowText{encoding: e}
	for {
		at := slowEnds.FindStringIndex(s)
		if at == nil {
			t.lines = append(t.lines, slowLine{slowCharacters(s), ""})
			return t
		}
		t.lines = append(t.lines, slowLine{slowCharacters(s[:at[0]]), s[at[0]:at[1]]})
		s = s[at[1]:]
	}
}

func slowCharacters(s string) (all []string) {
	for i, c := range s {
		size := len(string(c))
		if c == '\uFFFD' && !strings.HasPrefix(s[i:], "\uFFFD") {
			size = 1
		}
		all = append(all, s[i:i+size])
	}
	return all
}

// length returns the length of a character in the units of positions.
func (t *slowText) length(character string) int {
	switch t.encoding {
	case utf8Bytes:
		return len(character)
	case utf32Characters:
		return 1
	}
	return len(utf16.Encode([]rune(character)))
}

// offset returns the number of bytes before a position.
func (t *slowText) offset(p position) (n int) {
	for i, line := range t.lines {
		if i == p.Line {
			left := p.Character
			for _, c := range line.characters {
				if left -= t.length(c); left < 0 {
					break
				}
				n += len(c)
			}
			return n
		}
		n += len(strings.Join(line.characters, "") + line.end)
		if p.Line < 0 {
			return 0
		}
	}
	return n
}

// positions returns all positions of the text that are not inside a character, with their
// offsets, in order.
func (t *slowText) positions() (all []position, offsets []int) {
	n := 0
	for i, line := range t.lines {
		character := 0
		all, offsets = append(all, position{i, character}), append(offsets, n)
		for _, c := range line.characters {
			n += len(c)
			character += t.length(c)
			all, offsets = append(all, position{i, character}), append(offsets, n)
		}
		n += len(line.end)
	}
	return all, offsets
}

// slowChange returns a text after one change.
func slowChange(s string, e encoding, c change) string {
	if c.Range == nil {
		return string(c.Text)
	}
	t := newSlowText(s, e)
	start, end := t.offset(c.Range.Start), t.offset(c.Range.End)
	return s[:start] + string(c.Text) + s[max(start, end):]
}

// slowApply applies edits that a server has sent. All their positions refer to the text before.
func slowApply(s string, e encoding, edits []textEdit) string {
	t := newSlowText(s, e)
	for _, edit := range slices.Backward(edits) {
		start, end := t.offset(edit.Range.Start), t.offset(edit.Range.End)
		s = s[:start] + edit.NewText + s[end:]
	}
	return s
}
