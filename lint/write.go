package lint

import (
	"fmt"
	"io"
)

// A Format is a way of writing reports.
type Format string

// The formats.
const (
	Text       Format = "text"       // for people: each place with its line, and a mark below it
	JSON       Format = "json"       // one object a file, each on a line
	SARIF      Format = "sarif"      // the Static Analysis Results Interchange Format 2.1.0
	GitHub     Format = "github"     // workflow commands of GitHub Actions, which show as annotations
	Checkstyle Format = "checkstyle" // the XML of Checkstyle, which many build servers read
	JUnit      Format = "junit"      // the XML of JUnit, which nearly all of them read: each check is a test
	Markdown   Format = "markdown"   // a table a file, for the summary of a build or a comment; at most 500 findings
)

var formats = []Format{Text, JSON, SARIF, GitHub, Checkstyle, JUnit, Markdown}

// A File is a report with the name of what it is about, such as a path.
type File struct {
	Name string
	*Report
}

// A Writer writes reports. The zero Writer writes text without colours.
type Writer struct {
	Format Format // "" is Text
	Color  bool   // in text: for a terminal that shows colours
}

// Write writes the reports of some files as one document.
func (wr Writer) Write(w io.Writer, files ...File) error {
	switch wr.Format {
	case Text, "":
		return writeText(w, files, wr.Color)
	case JSON:
		return writeJSON(w, files)
	case SARIF:
		return writeSARIF(w, files)
	case GitHub:
		return writeGitHub(w, files)
	case Checkstyle:
		return writeCheckstyle(w, files)
	case JUnit:
		return writeJUnit(w, files)
	case Markdown:
		return writeMarkdown(w, files)
	}
	return fmt.Errorf("write diagnostics: there is no format %q", wr.Format)
}
