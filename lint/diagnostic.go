package lint

import (
	"fmt"
	"slices"
	"strings"
)

// A Severity says how grave a diagnostic is.
type Severity uint8

// The severities, from the least.
const (
	Info    Severity = iota // it could be better
	Warning                 // it likely does not do what was meant, or not everywhere
	Error                   // it certainly does not do what it says
)

var severities = [...]string{"info", "warning", "error"}

// String returns the severity's name in lower case.
func (s Severity) String() string {
	if int(s) < len(severities) {
		return severities[s]
	}
	return "unknown"
}

// ParseSeverity returns the severity of that name; ok is false where there is
// none.
func ParseSeverity(name string) (s Severity, ok bool) {
	i := slices.Index(severities[:], strings.ToLower(name))
	return Severity(max(i, 0)), i >= 0
}

// A Diagnostic is something that a check found in a place of the file. It is
// not to be modified.
type Diagnostic struct {
	// Line is the number of the line, from 1 on. Column is where in it the
	// place starts and EndColumn where it has ended, both in bytes from 1 on,
	// without a byte order mark before the first line. Where both are equal,
	// the place is between two bytes.
	Line, Column, EndColumn int

	Severity Severity
	Check    *Check
	Message  string    // in the language of the options; printable
	Fix      *Fix      // nil if there is none
	Related  []Related // other places that matter
}

// String returns the diagnostic as "line:column: severity: message [check]".
func (d Diagnostic) String() string {
	return fmt.Sprintf("%d:%d: %s: %s [%s]", d.Line, d.Column, d.Severity, d.Message, d.Check.Name)
}

// Related is another line of the file that a diagnostic speaks of.
type Related struct {
	Line    int
	Message string
}
