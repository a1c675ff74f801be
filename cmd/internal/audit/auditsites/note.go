package auditsites

import (
	"encoding/json"
	"fmt"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Note is a remark about the versions of robots.txt for readers of an audit. Parts of audits
// store notes, so that a joined report says them in any language.
type Note struct {
	Kind string   `json:"kind"`
	Args []string `json:"args"`
}

// The kinds of notes. They are stored: never rename one, and never change the number of its
// arguments.
const (
	noteOnlyHost     = "only-host"
	noteShallow      = "shallow"
	noteEarlyCommits = "early-commits"
	noteNoFile       = "no-file"
	noteDiffer       = "differ"
	noteCutFile      = "cut-file"
	noteHistoryEnds  = "history-ends"
	noteDamaged      = "damaged"
)

// noteTexts has the text of each kind, and the number of its arguments.
var noteTexts = map[string]struct {
	text language.Text
	args int
}{
	noteOnlyHost:     {textOnlyHost, 1},
	noteShallow:      {textShallow, 2},
	noteEarlyCommits: {textEarlyCommits, 2},
	noteNoFile:       {textNoFile, 2},
	noteDiffer:       {textDiffer, 2},
	noteCutFile:      {textCutFile, 1},
	noteHistoryEnds:  {textHistoryEnds, 3},
	noteDamaged:      {textDamaged, 3},
}

// In returns the note in a language, safe for a terminal.
func (n Note) In(l language.Language) string {
	args := make([]any, len(n.Args))
	for i, arg := range n.Args {
		args[i] = printable.Text(arg)
	}
	return noteTexts[n.Kind].text.In(l, args...)
}

// UnmarshalJSON reads a note. It refuses a kind that this program does not know.
func (n *Note) UnmarshalJSON(data []byte) error {
	type note Note // without this method
	var read note
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	if kind, ok := noteTexts[read.Kind]; !ok || len(read.Args) != kind.args {
		return fmt.Errorf("it has a note of the kind %q with %d arguments, which this program does not know", read.Kind,
			len(read.Args))
	}
	*n = Note(read)
	return nil
}
