package survey

import (
	"bufio"
	"fmt"

	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Writer writes reports, as [Text] or as [JSON].
type Writer interface {
	// Report writes a report.
	Report(*Report) error
	// End is called last, with the error that ended the work, or nil.
	End(s *Survey, err error) error
}

// Text writes a line for each report, and a summary if there are many.
type Text struct {
	W     *bufio.Writer
	Color bool
	Many  bool // several origins
	Named bool // with the content for the robots, also if there are many origins
	Lines bool // everything on one line
}

// Report implements [Writer].
func (w *Text) Report(r *Report) error {
	t := columns.Table{W: w.W, Color: w.Color}
	state, text := r.state(), r.text()
	var beneath []string
	switch {
	case w.Lines:
		text += r.inline()
	case w.Named || !w.Many:
		beneath = r.beneath()
	}
	if w.Many {
		state.Text = fmt.Sprintf("%-11s", state.Text) // as wide as the widest
	}
	t.Add([]columns.Cell{state, columns.Text(text)}, beneath...)
	return t.Flush()
}

// End implements [Writer].
func (w *Text) End(s *Survey, _ error) error {
	if s.total < 2 {
		return nil
	}
	w.W.WriteByte('\n')
	return s.Summary().Write(w.W)
}

// JSON writes one object, {"results": [], "summary": {}}, with each result
// on a line of its own.
type JSON struct {
	W       *bufio.Writer
	results int
}

// Report implements [Writer].
func (w *JSON) Report(r *Report) error {
	sep := ","
	if w.results++; w.results == 1 {
		sep = `{"results": [`
	}
	w.W.WriteString(sep + "\n  ")
	_, err := w.W.Write(printable.JSON(printable.AppendJSON(nil, r)))
	return err
}

// End implements [Writer].
func (w *JSON) End(s *Survey, err error) error {
	if w.results == 0 {
		w.W.WriteString(`{"results": [`)
	}
	b := printable.AppendJSON([]byte("\n], \"summary\": "), s.Summary())
	if err != nil {
		b = printable.AppendJSON(append(b, `, "error": `...), err.Error())
	}
	_, err = w.W.Write(printable.JSON(append(b, "}\n"...)))
	return err
}
