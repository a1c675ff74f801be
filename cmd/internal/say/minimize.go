package say

import (
	"fmt"
	"io"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
)

var (
	textNote   = language.New("note: %[1]s")
	textEnough = language.New("%[1]d of %[2]d bytes are enough")
	textShift  = language.New(
		"%[1]s answers otherwise to %[2]s: %[3]s was %[4]s; now it is %[5]s; --keep %[6]s keeps its answers")
	textShiftsUndecided = language.New(
		"whether readers beside RFC 9309 and Google answer otherwise could not be decided for all of them: --limit lets it look at more")
	textReaderAbout = language.New("%[1]s (%[2]s)")
	textNoWildcards = language.New("programs that know neither wildcards nor Allow")
	textFirstMatch  = language.New("programs that take the first rule that matches, such as Python's urllib.robotparser")
)

// about has the programs that read as the documents of the nineties, by the name of the reader.
var about = map[string]language.Text{
	"koster1994": textNoWildcards,
	"koster1996": textFirstMatch,
	"kollar1996": textNoWildcards,
}

// Note returns a text as a note.
func Note(l language.Language, text string) string { return textNote.In(l, text) }

// LeftOut writes the lines that a file does not need, and why, and the sizes of both texts in
// bytes. The reasons are in the language that Minimize had.
func LeftOut(w io.Writer, l language.Language, m *proof.Minimized, size int) {
	for _, line := range m.LeftOut {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(w, textEnough.In(l, len(m.Text), size))
}

// Shifts writes a note for each reader whose answers change.
func Shifts(w io.Writer, l language.Language, m *proof.Minimized) {
	for _, s := range m.Shifts {
		reader := s.Reader.Name
		if text, ok := about[reader]; ok {
			reader = textReaderAbout.In(l, reader, text.In(l))
		}
		fmt.Fprintln(w, Note(l, textShift.In(l, reader, printable.Shown(s.Agent), printable.Shown(s.Witness),
			Match(l, s.Before), Match(l, s.After), s.Reader.Name)))
	}
	if m.ShiftsUndecided {
		fmt.Fprintln(w, Note(l, textShiftsUndecided.In(l)))
	}
}
