package lint

import (
	"encoding/json"
	"io"

	"github.com/robotsexclusion/robots/internal/printable"
)

// jsonFile is the JSON object of a file.
type jsonFile struct {
	File        string           `json:"file"`
	Diagnostics []jsonDiagnostic `json:"diagnostics"`
	Omitted     map[string]int   `json:"omitted,omitempty"` // by check, beyond the limit
}

// A jsonDiagnostic is a diagnostic; columns are bytes, starting at 1.
type jsonDiagnostic struct {
	Line      int           `json:"line"`
	Column    int           `json:"column"`
	EndColumn int           `json:"end_column"`
	Severity  string        `json:"severity"`
	Check     string        `json:"check"`
	Message   string        `json:"message"`
	Related   []jsonRelated `json:"related,omitempty"`
	Fix       *jsonFix      `json:"fix"`
}

type jsonRelated struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// A jsonFix is a fix; its edits count bytes of the file.
type jsonFix struct {
	Title  string     `json:"title"`
	Safe   bool       `json:"safe"`
	Effect Effect     `json:"effect"`
	Edits  []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// writeJSON writes an object for each file, each on its own line. It omits fixes with bytes
// that are not UTF-8, because JSON cannot represent them.
func writeJSON(w io.Writer, files []File) error {
	for _, f := range files {
		if _, err := w.Write(f.AppendJSON(nil)); err != nil {
			return err
		}
	}
	return nil
}

// AppendJSON appends the object of the file that a [Writer] writes in the form json, with a line
// end. A program that needs no other format is smaller with it.
func (f File) AppendJSON(b []byte) []byte {
	object, _ := json.Marshal(jsonOf(f)) // its types always have a JSON form
	return append(append(b, printable.JSON(object)...), '\n')
}

func jsonOf(f File) jsonFile {
	out := jsonFile{File: f.Name, Diagnostics: []jsonDiagnostic{}}
	for i := range f.Diagnostics {
		d := &f.Diagnostics[i]
		j := jsonDiagnostic{Line: d.Line, Column: d.Column, EndColumn: d.EndColumn,
			Severity: d.Severity.String(), Check: d.Check.Name, Message: d.Message}
		for _, r := range d.Related {
			j.Related = append(j.Related, jsonRelated(r))
		}
		if fix := d.Fix; fix != nil && fix.isText() {
			j.Fix = &jsonFix{Title: fix.Title, Safe: fix.Safe, Effect: fix.Effect, Edits: []jsonEdit{}}
			for _, e := range fix.Edits {
				j.Fix.Edits = append(j.Fix.Edits, jsonEdit(e))
			}
		}
		out.Diagnostics = append(out.Diagnostics, j)
	}
	for _, o := range f.Omitted {
		if out.Omitted == nil {
			out.Omitted = make(map[string]int)
		}
		out.Omitted[o.Check.Name] = o.Count
	}
	return out
}
