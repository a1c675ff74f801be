package lint

import (
	"encoding/xml"
	"io"

	"github.com/robotsexclusion/robots/internal/printable"
)

type checkstyle struct {
	XMLName xml.Name         `xml:"checkstyle"`
	Version string           `xml:"version,attr"`
	Files   []checkstyleFile `xml:"file"`
}

type checkstyleFile struct {
	Name   string            `xml:"name,attr"`
	Errors []checkstyleError `xml:"error"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr"`
	Column   int    `xml:"column,attr,omitempty"`
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"`
}

// checkstyleSource is the prefix of the names of checks, which distinguishes them from those of
// other tools.
const checkstyleSource = "robots-lint."

// writeCheckstyle writes the XML of Checkstyle. Columns are characters.
func writeCheckstyle(w io.Writer, files []File) error {
	doc := checkstyle{Version: "8.0"}
	for _, f := range files {
		lines := sourceOf(f.Report)
		out := checkstyleFile{Name: printable.Text(f.Name)}
		for i := range f.Diagnostics {
			d := &f.Diagnostics[i]
			column, _ := lines.characters(d)
			out.Errors = append(out.Errors, checkstyleError{d.Line, column, d.Severity.String(), d.Message,
				checkstyleSource + d.Check.Name})
		}
		for _, o := range f.Omitted {
			message := textIn(f.language(), textOmitted, o.Count)
			out.Errors = append(out.Errors, checkstyleError{1, 0, Info.String(), message, checkstyleSource +
				o.Check.Name})
		}
		doc.Files = append(doc.Files, out)
	}
	return writeXML(w, doc)
}
