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
	Problems []problemJSON `json:"problems,omitempty"`
	Omitted  int           `json:"omitted,omitempty"`
	Claims   []proof.Proof `json:"claims,omitempty"`
}

// A problemJSON is the JSON form of a [Problem].
type problemJSON struct {
	File    string        `json:"file,omitempty"`
	Line    int           `json:"line,omitempty"`
	Message string        `json:"message"`
	Agents  []string      `json:"agents,omitempty"`
	Witness string        `json:"witness,omitempty"`
	Other   *positionJSON `json:"other,omitempty"`
}

type positionJSON struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

func (p *Problem) json() problemJSON {
	o := problemJSON{File: p.Fragment, Line: p.Line, Message: p.Message, Agents: p.Agents, Witness: p.Witness}
	if p.OtherFragment != "" {
		o.Other = &positionJSON{p.OtherFragment, p.OtherLine}
	}
	return o
}

// MarshalJSON returns an object with "built" and "decided", which are true, "text", and those of
// "current", "notes" and "claims", the proofs, that the file has.
func (f *File) MarshalJSON() ([]byte, error) {
	return printable.AppendJSON(nil, resultJSON{
		Built: true, Decided: true, Current: f.Current, Text: f.Text, Notes: f.Notes, Claims: f.Proofs,
	}), nil
}

// MarshalJSON returns an object with "built", which is false, "decided", the opposite of Undecided,
// and those of "notes", "problems", "omitted" and "claims", the proofs, that the error has. A
// problem has "message", and those of "file", "line", "agents", "witness" and "other".
func (e *Error) MarshalJSON() ([]byte, error) {
	var problems []problemJSON
	for i := range e.Problems {
		problems = append(problems, e.Problems[i].json())
	}
	return printable.AppendJSON(nil, resultJSON{
		Decided: !e.Undecided, Notes: e.Notes, Problems: problems, Omitted: e.Omitted, Claims: e.Proofs,
	}), nil
}
