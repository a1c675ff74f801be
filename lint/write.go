package lint

import (
	"fmt"
	"io"
	"slices"
)

// formats are the names of the forms in which a [Writer] writes.
var formats = []string{
	"text",       // for people: each place with its line, and a mark below it
	"json",       // one object a file, each on a line
	"sarif",      // the Static Analysis Results Interchange Format 2.1.0
	"github",     // workflow commands of GitHub Actions, which show as annotations
	"checkstyle", // the XML of Checkstyle, which many build servers read
	"junit",      // the XML of JUnit, which nearly all of them read: each check is a test
	"markdown",   // a table a file, for the summary of a build or a comment; at most 500 findings
}

// Formats returns the names of the forms in which a [Writer] writes: text for people, json with one
// object a file, sarif (SARIF 2.1.0), github with workflow commands of GitHub Actions, the XML of
// checkstyle and of junit, and markdown with at most 500 findings.
func Formats() []string { return slices.Clone(formats) }

// A File is a report with the name of its subject, such as a path.
type File struct {
	Name string
	*Report
}

// A Writer writes reports. The zero Writer writes text without colours.
type Writer struct {
	Format string // one of [Formats]; "" is text
	Color  bool   // in text: for a terminal that shows colours
}

// Write writes the reports of some files as one document.
func (wr Writer) Write(w io.Writer, files ...File) error {
	switch wr.Format {
	case "text", "":
		return writeText(w, files, wr.Color)
	case "json":
		return writeJSON(w, files)
	case "sarif":
		return writeSARIF(w, files)
	case "github":
		return writeGitHub(w, files)
	case "checkstyle":
		return writeCheckstyle(w, files)
	case "junit":
		return writeJUnit(w, files)
	case "markdown":
		return writeMarkdown(w, files)
	}
	return fmt.Errorf("write diagnostics: there is no format %q", wr.Format)
}
