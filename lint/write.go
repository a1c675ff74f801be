package lint

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Format is a way of writing reports.
type Format uint8

// The formats.
const (
	Text       Format = iota // for people: each place with its line, and a mark below it
	JSON                     // one object a file, each on a line
	SARIF                    // the Static Analysis Results Interchange Format 2.1.0
	GitHub                   // workflow commands of GitHub Actions, which show as annotations
	Checkstyle               // the XML of Checkstyle, which many build servers read
	JUnit                    // the XML of JUnit, which nearly all of them read: each check is a test
)

var formats = [...]string{"text", "json", "sarif", "github", "checkstyle", "junit"}

// String returns the format's name in lower case.
func (f Format) String() string {
	if int(f) < len(formats) {
		return formats[f]
	}
	return "unknown"
}

// ParseFormat returns the format of that name; ok is false where there is none.
func ParseFormat(name string) (f Format, ok bool) {
	i := slices.Index(formats[:], strings.ToLower(name))
	return Format(max(i, 0)), i >= 0
}

// A File is a report with the name of what it is about, such as a path.
type File struct {
	Name string
	*Report
}

// A Writer writes reports. The zero Writer writes text without colours.
type Writer struct {
	Format Format
	Color  bool // in text: for a terminal that shows colours
}

// Write writes the reports of some files as one document.
func (wr Writer) Write(w io.Writer, files ...File) error {
	switch wr.Format {
	case Text:
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
	}
	return fmt.Errorf("write diagnostics: no format has the number %d", wr.Format)
}
