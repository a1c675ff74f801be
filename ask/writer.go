package ask

import (
	"io"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Writer writes results as one JSON object, with each result on a line of its own:
//
//	{"file": …, "dialect": …, "results": […], "records": …, "error": …}
//
// Several dialects are in a member "dialects". The results are written as they come, so that W
// should be buffered. Call End after the last result.
type Writer struct {
	W        io.Writer
	File     string           // the name of the file with the policy, or "" if the object has no "file"
	Dialects []robots.Dialect // of the results, at least one

	begun   bool
	results int
	line    []byte
}

// Add writes a result. The error is that of W.
func (w *Writer) Add(r *Result) error {
	if err := w.begin(); err != nil {
		return err
	}
	b := w.line[:0]
	if w.results > 0 {
		b = append(b, ',')
	}
	w.results++
	w.line = r.AppendJSON(append(b, "\n  "...))
	_, err := w.W.Write(w.line)
	return err
}

// begin writes the start of the object, once.
func (w *Writer) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	b := append(w.line[:0], '{')
	if w.File != "" {
		b = append(b, `"file": `...)
		b = printable.AppendJSON(b, w.File)
		b = append(b, ", "...)
	}
	if len(w.Dialects) > 1 {
		b = append(b, `"dialects": `...)
		b = printable.AppendJSON(b, w.Dialects)
	} else {
		b = append(b, `"dialect": `...)
		b = printable.AppendJSON(b, w.Dialects[0])
	}
	w.line = append(b, `, "results": [`...)
	_, err := w.W.Write(printable.JSON(w.line))
	return err
}

// End completes the object: with "records", unless they are nil, and with the error that ended the
// work, unless it is nil. The error is that of W.
func (w *Writer) End(records any, failed error) error {
	if err := w.begin(); err != nil {
		return err
	}
	b := w.line[:0]
	if w.results > 0 {
		b = append(b, '\n')
	}
	b = append(b, ']')
	if records != nil {
		b = append(b, `, "records": `...)
		b = printable.AppendJSON(b, records)
	}
	if failed != nil {
		b = append(b, `, "error": `...)
		b = printable.AppendJSON(b, failed.Error())
	}
	_, err := w.W.Write(printable.JSON(append(b, "}\n"...)))
	return err
}
