package lint

import (
	"fmt"
	"slices"
	"strings"
)

// A Severity is the severity of a diagnostic.
type Severity uint8

// The severities, in increasing order.
const (
	Info    Severity = iota // it could be better
	Warning                 // it likely does not do what was meant, or does not do it everywhere
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

// ParseSeverity returns the severity with a name. ok is false if there is none.
func ParseSeverity(name string) (s Severity, ok bool) {
	i := slices.Index(severities[:], strings.ToLower(name))
	return Severity(max(i, 0)), i >= 0
}

// A Diagnostic is a finding of a check at a place in the file. Do not modify a Diagnostic.
type Diagnostic struct {
	// Line is the number of the line. Column is the start of the place in the line, and
	// EndColumn the first column after it. Line and columns start at 1, and columns count
	// bytes, without a byte order mark before the first line. If both columns are equal, the
	// place is between two bytes.
	Line, Column, EndColumn int

	Severity Severity
	Check    *Check
	Message  string    // in the language of the options; printable
	Fix      *Fix      // nil if there is none
	Related  []Related // other relevant places
}

// String returns the diagnostic as "line:column: severity: message [check]".
func (d Diagnostic) String() string {
	return fmt.Sprintf("%d:%d: %s: %s [%s]", d.Line, d.Column, d.Severity, d.Message, d.Check.Name)
}

// Related is another line of the file that a diagnostic refers to.
type Related struct {
	Line    int
	Message string
}
