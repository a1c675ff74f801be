package auditreport

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots/accesslog"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

const (
	mostUnreadable    = 3   // lines with a note
	mostUnreadableLen = 200 // bytes of such a line
)

// UnreadableLines keeps the first lines that could not be read, in the order of the logs. Its zero
// value is empty. It is safe for concurrent use.
type UnreadableLines struct {
	Logs []string // the names of the logs, in order

	mu    sync.Mutex
	first []unreadableLine
}

type unreadableLine struct {
	log, number int
	name        string
	text        string
	reason      string
}

// Add adds a line, if it is among the first.
func (u *UnreadableLines) Add(e *accesslog.SyntaxError) {
	line := unreadableLine{log: slices.Index(u.Logs, e.Log), number: e.Line}
	before := func(a, b unreadableLine) int {
		return cmp.Or(cmp.Compare(a.log, b.log), cmp.Compare(a.number, b.number))
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	i, _ := slices.BinarySearchFunc(u.first, line, before)
	if i >= mostUnreadable {
		return
	}
	line.name, line.text, line.reason = e.Log, beginning(e.Text), e.Reason
	u.first = slices.Insert(u.first, i, line)
	u.first = u.first[:min(mostUnreadable, len(u.first))]
}

// beginning returns the beginning of a line. It does not end within an address, which Anonymize would
// not recognise.
func beginning(line []byte) string {
	if len(line) <= mostUnreadableLen {
		return string(line)
	}
	return strings.TrimRight(string(line[:mostUnreadableLen]), addressBytes) + "…"
}

// Notes says in a language which lines could not be read, and why.
func (u *UnreadableLines) Notes(l language.Language) (notes []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, line := range u.first {
		notes = append(notes, textUnreadableLine.In(l, printable.Text(line.name), line.number, reasonText(l, line.reason), printable.Text(line.text)))
	}
	return notes
}

var textUnreadableLine = language.New(
	"%[1]s:%[2]d could not be read: %[3]s: %[4]s",
	"%[1]s:%[2]d no se pudo leer: %[3]s: %[4]s",
	"%[1]s:%[2]d⟨을/를⟩ 읽지 못함: %[3]s: %[4]s",
	"%[1]s:%[2]d не удалось прочесть: %[3]s: %[4]s")
