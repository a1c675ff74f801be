package main

import (
	"bufio"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/inquire"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/records"
)

// jsonResults writes one JSON object, with each result on a line of its own:
//
//	{"file": …, "dialect": …, "results": […], "records": …}
//
// If the policy is from an origin, there is no "file".
type jsonResults struct {
	w        *bufio.Writer
	file     string
	dialects []robots.Dialect

	begun   bool
	results int
	line    []byte
	list    *records.List
}

func (w *jsonResults) result(r *inquire.Result) error {
	w.begin()
	b := w.line[:0]
	if w.results > 0 {
		b = append(b, ',')
	}
	w.results++
	w.line = r.AppendJSON(append(b, "\n  "...))
	_, err := w.w.Write(w.line)
	return err
}

// begin writes the start of the object, once.
func (w *jsonResults) begin() {
	if w.begun {
		return
	}
	w.begun = true
	b := append(w.line[:0], '{')
	if w.file != "" {
		b = append(b, `"file": `...)
		b = printable.AppendJSON(b, w.file)
		b = append(b, ", "...)
	}
	if len(w.dialects) > 1 {
		b = append(b, `"dialects": `...)
		b = printable.AppendJSON(b, w.dialects)
	} else {
		b = append(b, `"dialect": `...)
		b = printable.AppendJSON(b, w.dialects[0])
	}
	w.line = append(b, `, "results": [`...)
	w.w.Write(printable.JSON(w.line)) // the writer keeps an error until Flush
}

func (w *jsonResults) records(list *records.List) error {
	w.list = list
	return nil
}

// end completes the object. After an error that ended the work, the object has a member
// "error".
func (w *jsonResults) end(err error) error {
	w.begin()
	b := w.line[:0]
	if w.results > 0 {
		b = append(b, '\n')
	}
	b = append(b, ']')
	if w.list != nil {
		b = append(b, `, "records": `...)
		b = printable.AppendJSON(b, w.list)
	}
	if err != nil {
		b = append(b, `, "error": `...)
		b = printable.AppendJSON(b, err.Error())
	}
	_, err = w.w.Write(printable.JSON(append(b, "}\n"...)))
	return err
}
