package merge

import (
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
)

// A resultJSON is the JSON form of a [File] and of an [Error].
type resultJSON struct {
	Built    bool          `json:"built"`
	Decided  bool          `json:"decided"`
	Current  *bool         `json:"current,omitempty"`
	Text     string        `json:"text,omitempty"`
	Notes    []string      `json:"notes,omitempty"`
	Problems []Problem     `json:"problems,omitempty"`
	Omitted  int           `json:"omitted,omitempty"`
	Claims   []proof.Proof `json:"claims,omitempty"`
}

// MarshalJSON returns an object with "built" and "decided", which are true, "text", and those of
// "current", "notes" and "claims", the proofs, that the file has.
func (f *File) MarshalJSON() ([]byte, error) {
	return printable.AppendJSON(nil, resultJSON{
		Built: true, Decided: true, Current: f.Current, Text: f.Text, Notes: f.Notes, Claims: f.Proofs,
	}), nil
}

// MarshalJSON returns an object with "built", which is false, "decided", the opposite of Undecided,
// and those of "notes", "problems", "omitted" and "claims", the proofs, that the error has.
func (e *Error) MarshalJSON() ([]byte, error) {
	return printable.AppendJSON(nil, resultJSON{
		Decided: !e.Undecided, Notes: e.Notes, Problems: e.Problems, Omitted: e.Omitted, Claims: e.Proofs,
	}), nil
}
