package lsp

import (
	"strconv"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots"
)

// A tokenType is the type of a semantic token, an index into tokenTypes.
type tokenType uint32

const (
	tokenKeyword  tokenType = iota // a known field
	tokenVariable                  // an unknown field
	tokenRobot                     // a product token
	tokenEveryone                  // the robot *
	tokenString                    // a part of a value
	tokenNumber                    // a number, or an escape in a path
	tokenOperator                  // * and $ in a path
	tokenComment                   // a comment, or a line that robots skip
)

// tokenTypes and tokenModifiers are the legend of the tokens. All names are predefined by the
// protocol, so that every theme has colours for them.
var (
	tokenTypes     = [...]string{"keyword", "variable", "type", "enumMember", "string", "number", "operator", "comment"}
	tokenModifiers = [...]string{"deprecated", "defaultLibrary"}
)

// The modifiers of tokens, as bits.
const (
	modifierObsolete uint32 = 1 << iota // a field that no robot reads today
	modifierKnown                       // a product token of a known robot
)

// maxTokens is the maximum number of tokens of a document. A file of 500 KiB, the most that robots
// read, has a fifth of that at most, unless almost all its bytes are wildcards.
const maxTokens = 200_000

// A semanticTokens is the answer to a request for tokens (SemanticTokens): five numbers for each
// token. The first two are relative to the token before.
type semanticTokens struct {
	ResultID string   `json:"resultId,omitempty"`
	Data     []uint32 `json:"data"`
}

// rangeTokens returns the tokens of the lines of a range.
func rangeTokens(d *document, _ *client, p rangeParams) (any, error) {
	return semanticTokens{Data: tokensOf(d, p.Range.Start.Line, p.Range.End.Line)}, nil
}

// tokensOf returns the tokens of the lines from first to last.
func tokensOf(d *document, first, last int) []uint32 {
	w := tokenWriter{document: d, at: cursor{text: d.text}, data: []uint32{}}
	for number, l := range d.policy().Lines() {
		if number-1 > last || len(w.data) >= 5*maxTokens {
			break
		}
		if number-1 >= first {
			w.line(l)
		}
	}
	return w.data
}

// A tokenWriter encodes the tokens of a document, which it gets in their order.
type tokenWriter struct {
	*document
	at   cursor
	last position // the start of the last token
	data []uint32
}

// token adds a token of the bytes from start to end.
func (w *tokenWriter) token(start, end int, t tokenType, modifiers uint32) {
	if start >= end || len(w.data) >= 5*maxTokens {
		return
	}
	from := w.at.position(start)
	to := w.at.position(end)
	character := from.Character
	if from.Line == w.last.Line {
		character -= w.last.Character
	}
	w.data = append(w.data, uint32(from.Line-w.last.Line), uint32(character), uint32(to.Character-from.Character),
		uint32(t), modifiers)
	w.last = from
}

// line adds the tokens of a line.
func (w *tokenWriter) line(l robots.Line) {
	line, start := bodyOf(l)
	trimmed := strings.TrimLeft(line, " \t")
	start += len(line) - len(trimmed)
	line = strings.TrimRight(trimmed, " \t")
	switch l.Kind {
	case robots.Blank:
		return
	case robots.Comment, robots.Malformed:
		w.token(start, start+len(line), tokenComment, 0)
		return
	}
	field, known := robots.FieldNamed(l.Field)
	switch {
	case !known:
		w.token(start, start+len(l.Field), tokenVariable, 0)
	case field.Obsolete:
		w.token(start, start+len(l.Field), tokenKeyword, modifierObsolete)
	default:
		w.token(start, start+len(l.Field), tokenKeyword, 0)
	}
	from, to := valueOf(l)
	switch {
	case l.Kind == robots.UserAgent:
		w.agent(l, from, to)
	case l.Kind != robots.Other:
		w.path(l.Value, from)
	case !known:
	case numeric(field):
		w.numbers(l.Value, from)
	default:
		w.token(from, to, tokenString, 0)
	}
	if comment := strings.IndexByte(line[min(to-start, len(line)):], '#'); comment >= 0 {
		w.token(to+comment, start+len(line), tokenComment, 0)
	}
}

// agent adds the tokens of the value of a user-agent line.
func (w *tokenWriter) agent(l robots.Line, from, to int) {
	token := tokenOf(l)
	end := from + len(token)
	switch {
	case token == "*":
		w.token(from, end, tokenEveryone, 0)
	case w.options.Robots.Named(token).Known():
		w.token(from, end, tokenRobot, modifierKnown)
	default:
		w.token(from, end, tokenRobot, 0)
	}
	w.token(end, to, tokenString, 0)
}

// path adds the tokens of the value of a rule, which starts at an offset. An invalid escape has no
// token.
func (w *tokenWriter) path(value string, offset int) {
	for i := 0; i < len(value); {
		end, t := i+1, tokenOperator
		switch c := value[i]; {
		case c == '*', c == '$' && end == len(value):
		case c == '%':
			if i+2 < len(value) && hexadecimal(value[i+1]) && hexadecimal(value[i+2]) {
				w.token(offset+i, offset+i+3, tokenNumber, 0)
				end += 2
			}
			i = end
			continue
		default:
			for t = tokenString; end < len(value) && value[end] != '*' && value[end] != '%' &&
				(value[end] != '$' || end+1 < len(value)); end++ {
			}
		}
		w.token(offset+i, offset+end, t, 0)
		i = end
	}
}

func hexadecimal(c byte) bool { return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func digit(c byte) bool { return '0' <= c && c <= '9' }

// numeric reports whether the values of a field are numbers, with units.
func numeric(f robots.Field) bool { return f.Example != "" && digit(f.Example[0]) }

// numbers adds the tokens of a value with numbers, which starts at an offset.
func (w *tokenWriter) numbers(value string, offset int) {
	for len(value) > 0 {
		n, t := strings.IndexFunc(value, func(c rune) bool { return c < 0x80 && digit(byte(c)) }), tokenString
		if n == 0 {
			n, t = digits(value), tokenNumber
		}
		if n < 0 {
			n = len(value)
		}
		w.token(offset, offset+n, t, 0)
		value, offset = value[n:], offset+n
	}
}

// digits returns the length of the number at the start of s.
func digits(s string) int {
	n := 0
	for n < len(s) && digit(s[n]) {
		n++
	}
	if n+1 < len(s) && s[n] == '.' && digit(s[n+1]) {
		for n++; n < len(s) && digit(s[n]); n++ {
		}
	}
	return n
}

// allTokens returns the tokens of the whole document.
func allTokens(d *document, _ *client, _ documentParams) (any, error) {
	data := tokensOf(d, 0, d.text.lines())
	return semanticTokens{d.sent.replace(d, data), data}, nil
}

// sentTokens are the last tokens that a client has got of a file. All versions of the document
// share them. A nil *sentTokens keeps none.
type sentTokens struct {
	mu   sync.Mutex
	id   string
	data []uint32
}

// replace keeps the tokens of a version, and returns their ID.
func (s *sentTokens) replace(d *document, data []uint32) (id string) {
	if s == nil {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id, s.data = strconv.Itoa(d.serial), data
	return s.id
}

// get returns the tokens with an ID, if they are the last ones.
func (s *sentTokens) get(id string) ([]uint32, bool) {
	if s == nil {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.data, s.id == id
}

// A semanticTokensDelta is the answer with the difference from the tokens before
// (SemanticTokensDelta).
type semanticTokensDelta struct {
	ResultID string       `json:"resultId"`
	Edits    []tokensEdit `json:"edits"`
}

// A tokensEdit replaces numbers (SemanticTokensEdit).
type tokensEdit struct {
	Start  int      `json:"start"`
	Delete int      `json:"deleteCount"`
	Data   []uint32 `json:"data"`
}

// deltaParams are those of textDocument/semanticTokens/full/delta.
type deltaParams struct {
	documentParams
	Previous string `json:"previousResultId"`
}

// changedTokens returns the difference from the last tokens of the client, or all tokens if the
// client has others.
func changedTokens(d *document, c *client, p deltaParams) (any, error) {
	before, ok := d.sent.get(p.Previous)
	if !ok {
		return allTokens(d, c, p.documentParams)
	}
	data := tokensOf(d, 0, d.text.lines())
	return semanticTokensDelta{d.sent.replace(d, data), tokenEdits(before, data)}, nil
}

// tokenEdits returns the edit that turns numbers into others: positions are relative, so one change
// of the text changes the numbers in one place.
func tokenEdits(before, after []uint32) []tokensEdit {
	start := 0
	for start < min(len(before), len(after)) && before[start] == after[start] {
		start++
	}
	same := 0
	for same < min(len(before), len(after))-start && before[len(before)-1-same] == after[len(after)-1-same] {
		same++
	}
	if start == len(before) && start == len(after) {
		return []tokensEdit{}
	}
	return []tokensEdit{{start, len(before) - start - same, after[start : len(after)-same]}}
}
