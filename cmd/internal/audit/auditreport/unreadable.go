package auditreport

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

const (
	mostUnreadable    = 3   // lines with a note
	mostUnreadableLen = 200 // bytes of such a line
)

// UnreadableLines keeps the first lines that could not be read, by the names of the logs and the
// numbers of the lines. The order in which lines are added has no meaning. Its zero value is empty.
// It is safe for concurrent use.
type UnreadableLines struct {
	mu    sync.Mutex
	first []UnreadableLine // in order
}

// An UnreadableLine is a line of a log that could not be read.
type UnreadableLine struct {
	Log    string `json:"log"` // printable
	Line   int    `json:"line"`
	Reason string `json:"reason"` // by accesslog, in English
	Text   []byte `json:"text"`   // its beginning
}

func compareUnreadable(a, b UnreadableLine) int {
	return cmp.Or(strings.Compare(a.Log, b.Log), cmp.Compare(a.Line, b.Line), strings.Compare(a.Reason, b.Reason),
		bytes.Compare(a.Text, b.Text))
}

// Add adds a line, if it is among the first.
func (u *UnreadableLines) Add(e *accesslog.SyntaxError) {
	line := UnreadableLine{Log: printable.Text(e.Log), Line: e.Line}
	u.mu.Lock()
	defer u.mu.Unlock()
	if n := len(u.first); n == mostUnreadable && compareUnreadable(line, u.first[n-1]) > 0 {
		return // its other members make it greater still
	}
	line.Reason, line.Text = e.Reason, beginning(e.Text)
	u.first = firstUnreadable(append(u.first, line))
}

// First returns the lines, in order.
func (u *UnreadableLines) First() []UnreadableLine {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.first)
}

// firstUnreadable returns the first of some lines, in order, each once.
func firstUnreadable(lines []UnreadableLine) []UnreadableLine {
	slices.SortFunc(lines, compareUnreadable)
	lines = slices.CompactFunc(lines, func(a, b UnreadableLine) bool { return compareUnreadable(a, b) == 0 })
	return lines[:min(mostUnreadable, len(lines))]
}

// beginning returns the beginning of a line. It does not end within an address, which Anonymize
// would not recognise.
func beginning(line []byte) []byte {
	if len(line) <= mostUnreadableLen {
		return bytes.Clone(line)
	}
	return append(bytes.TrimRight(bytes.Clone(line[:mostUnreadableLen]), addressBytes), "…"...)
}

// in says in a language which line could not be read, and why.
func (u UnreadableLine) in(l language.Language) string {
	return textUnreadableLine.In(l, printable.Text(u.Log), u.Line, reasonText(l, printable.Text(u.Reason)),
		printable.Text(string(u.Text)))
}

var textUnreadableLine = language.New("%[1]s:%[2]d could not be read: %[3]s: %[4]s")
