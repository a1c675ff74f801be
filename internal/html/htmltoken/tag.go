package htmltoken

import "bytes"

// A tagState is the state of the tokenizer in a tag.
type tagState uint8

const (
	inName         tagState = iota // in the name of the tag
	beforeName                     // before the name of an attribute
	inAttribute                    // in the name of an attribute
	afterName                      // in white space after the name of an attribute
	beforeValue                    // before the value of an attribute
	inDoubleQuotes                 // in a value with quotes
	inSingleQuotes
	inValue // in a value without quotes
)

// states has, for each state, the start of an attribute that leads to the state.
var states = [...]string{"", " ", " x", " x ", " x=", ` x="x`, ` x='x`, " x=x"}

// longestName is the maximum length of the name of a tag, with the bytes before it, that
// shorten keeps. All names of known elements are shorter.
const longestName = 16

// wholeTag reads to the end of a tag whose name begins at pos. It returns false if the page
// ends first.
func (z *Tokenizer) wholeTag() bool {
	z.tag, z.nameEnd = inName, 0
	for !z.endOfTag() {
		if z.pos == len(z.buf) && !z.fill() {
			return false
		}
		if z.pos == z.start+z.limit-1 {
			z.shorten()
		}
	}
	return true
}

// endOfTag moves to the end of the tag and returns true. If buf or the limit ends first,
// endOfTag moves there and returns false.
func (z *Tokenizer) endOfTag() bool {
	b := z.buf[:min(len(z.buf), z.start+z.limit-1)]
	i, state := z.pos, z.tag
	for i < len(b) {
		switch state {
		case inName:
			for i < len(b) && !endsTagName[b[i]] {
				i++
			}
			if i == len(b) {
				break
			}
			z.nameEnd = i - z.start
			i++
			if b[i-1] == '>' {
				z.pos, z.closed = i, false
				return true
			}
			state = beforeName
		case beforeName:
			switch c := b[i]; {
			case c == '>':
				z.pos, z.closed = i+1, b[i-1] == '/'
				return true
			case c != '/' && !isWhite[c]:
				state = inAttribute
			}
			i++
		case inAttribute:
			for i < len(b) && !endsName[b[i]] {
				i++
			}
			if i == len(b) {
				break
			}
			state = afterName
			if b[i] == '=' {
				state = beforeValue
				i++
			}
		case afterName:
			switch c := b[i]; {
			case c == '=':
				state = beforeValue
				i++
			case isWhite[c]:
				i++
			case c == '>' || c == '/':
				state = beforeName
			default:
				state = inAttribute
				i++
			}
		case beforeValue:
			switch c := b[i]; {
			case c == '"':
				state = inDoubleQuotes
				i++
			case c == '\'':
				state = inSingleQuotes
				i++
			case isWhite[c]:
				i++
			case c == '>':
				state = beforeName
			default:
				state = inValue
			}
		case inDoubleQuotes, inSingleQuotes:
			quote := byte('"')
			if state == inSingleQuotes {
				quote = '\''
			}
			n := bytes.IndexByte(b[i:], quote)
			if n < 0 {
				i = len(b)
				break
			}
			i += n + 1
			state = beforeName
		case inValue:
			for i < len(b) && b[i] != '>' && !isWhite[b[i]] {
				i++
			}
			if i == len(b) {
				break
			}
			if b[i] == '>' { // a slash before it is a part of the value
				z.pos, z.closed = i+1, false
				return true
			}
			state = beforeName
		}
	}
	z.pos, z.tag = i, state
	return false
}

// shorten drops all of the tag but its name, if the name may matter. After the name it puts
// bytes that lead to the current state, so that the last attributes of a long tag are found.
func (z *Tokenizer) shorten() {
	z.shortened = true
	z.count(z.pos)
	var array [longestName + len(` x="x`)]byte
	prefix := array[:0]
	if z.tag == inName || z.nameEnd > longestName {
		prefix = append(prefix, z.buf[z.start], z.buf[z.start+1], 'x')
	} else {
		prefix = append(prefix, z.buf[z.start:z.start+z.nameEnd]...)
	}
	if z.tag != inName {
		z.nameEnd = len(prefix)
	}
	prefix = append(prefix, states[z.tag]...)
	if z.tag == beforeName && z.buf[z.pos-1] == '/' {
		prefix = append(prefix, '/') // the slash may close the tag
	}
	z.start = z.pos - len(prefix)
	copy(z.buf[z.start:], prefix)
}
