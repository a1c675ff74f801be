package lint

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// writeText writes each diagnostic as "file:line:column: severity: message [check]", its line,
// and a mark below the place.
func writeText(w io.Writer, files []File, color bool) error {
	b := bufio.NewWriter(w)
	for _, f := range files {
		name := printable.Text(f.Name)
		lines := sourceOf(f.Report)
		for i := range f.Diagnostics {
			d := &f.Diagnostics[i]
			fmt.Fprintf(b, "%s:%d:%d: %s: %s [%s]\n", name, d.Line, d.Column,
				painted(color, d.Severity, d.Severity.String()), d.Message, d.Check.Name)
			if shown, mark := pointed(lines.line(d.Line), d.Column-1, d.EndColumn-1); shown != "" {
				fmt.Fprintf(b, "    %s\n    %s\n", shown, painted(color, d.Severity, mark))
			}
			for _, r := range d.Related {
				fmt.Fprintf(b, "    %s:%d: %s\n", name, r.Line, r.Message)
			}
			if d.Fix != nil {
				fmt.Fprintf(b, "    %s: %s\n", textIn(f.language(), d.Fix.kind()), d.Fix.Title)
			}
		}
		for _, o := range f.Omitted {
			fmt.Fprintf(b, "%s: %s [%s]\n", name, textIn(f.language(), textOmitted, o.Count), o.Check.Name)
		}
	}
	return b.Flush()
}

var textOmitted = language.New("diagnostics left out here: %[1]d")

// kind returns the label before the title of a fix.
func (f *Fix) kind() language.Text {
	if f.Safe {
		return textSafeFix
	}
	return textFix
}

var (
	textSafeFix = language.New("fix (safe)")
	textFix     = language.New("possible fix")
)

// painted returns s in the colour of a severity.
func painted(color bool, severity Severity, s string) string {
	if !color {
		return s
	}
	codes := [...]string{"36", "33", "31"}
	return "\x1b[" + codes[min(severity, Error)] + "m" + s + "\x1b[0m"
}

// Maximum columns of a terminal line, and the columns before the place.
const (
	shownColumns  = 100
	columnsBefore = 40
)

// pointed returns a line for display on a terminal, with blanks in place of tabs, and a second
// line that marks the bytes from from to to. Of a long line, only the part around the place is
// shown.
func pointed(body string, from, to int) (shown, mark string) {
	if strings.Trim(body, " \t") == "" {
		return "", ""
	}
	from = min(max(from, 0), len(body))
	to = min(max(to, from), len(body))
	var line, below strings.Builder
	first := visibleStart(body, from)
	if first > 0 {
		line.WriteString("…")
		below.WriteString(" ")
	}
	columns := 0
	for i := first; i < len(body); {
		c, size := utf8.DecodeRuneInString(body[i:])
		cell := printable.Text(body[i : i+size])
		if c == '\t' {
			cell = "    "
		}
		wide := language.Width(cell)
		if columns+wide > shownColumns {
			line.WriteString("…")
			break
		}
		columns += wide
		line.WriteString(cell)
		sign := " "
		switch {
		case i <= from && from < i+size:
			sign = "^" + strings.Repeat("~", max(wide-1, 0))
		case from < i && i < to:
			sign = strings.Repeat("~", wide)
		case i < from:
			sign = strings.Repeat(" ", wide)
		default:
			sign = ""
		}
		below.WriteString(sign)
		i += size
	}
	if from == len(body) {
		below.WriteString("^")
	}
	return strings.TrimRight(line.String(), " "), strings.TrimRight(below.String(), " ")
}

// visibleStart returns the index of the first byte of a line that is shown, so that the byte at
// from is visible.
func visibleStart(body string, from int) int {
	columns, i := 0, from
	for i > 0 && columns < columnsBefore {
		c, size := utf8.DecodeLastRuneInString(body[:i])
		if c == '\t' {
			columns += 4
		} else {
			columns += language.Width(printable.Text(body[i-size : i]))
		}
		i -= size
	}
	if language.Width(printable.Clipped(body[:i], 4*columnsBefore)) <= columnsBefore && i <= 2*columnsBefore {
		return 0
	}
	return i
}
