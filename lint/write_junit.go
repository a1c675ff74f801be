package lint

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
)

// The parts of JUnit's XML that build servers have in common: those of the schema of Jenkins'
// xUnit plug-in.
type (
	junit struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Failure *junitFailure `xml:"failure,omitempty"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// junitClass is the class of all test cases. It has no dot, because Jenkins splits names at
// dots, including names of files.
const junitClass = "robots-lint"

// writeJUnit writes the XML of JUnit: a test suite for each file, with a test case for each
// check that ran, so that a server sees the same tests in every build and can show new
// failures. The names of test cases contain the file, because servers show only these names and
// treat equal names as one test. A test fails if the check reported a warning or an error; an
// info is only its output. Columns are characters.
func writeJUnit(w io.Writer, files []File) error {
	doc := junit{Name: junitClass}
	for _, f := range files {
		name := printable.Text(f.Name)
		suite := junitSuite{Name: name}
		found := make(map[*Check][]*Diagnostic)
		for i := range f.Diagnostics {
			d := &f.Diagnostics[i]
			found[d.Check] = append(found[d.Check], d)
		}
		omitted := make(map[*Check]int)
		for _, o := range f.Omitted {
			omitted[o.Check] = o.Count
		}
		lines := sourceOf(f.Report)
		for _, c := range Checks() {
			if !f.options.runs(c) {
				continue
			}
			suite.Tests++
			test := junitCase{Name: name + ": " + c.Name, Class: junitClass}
			var b strings.Builder
			var gravest *Diagnostic
			for _, d := range found[c] {
				column, _ := lines.characters(d)
				fmt.Fprintf(&b, "%s:%d:%d: %s: %s\n", name, d.Line, column, d.Severity, d.Message)
				if gravest == nil || d.Severity > gravest.Severity {
					gravest = d
				}
			}
			if n := omitted[c]; n > 0 {
				fmt.Fprintf(&b, "%s: %s\n", name, textIn(f.language(), textOmitted, n))
			}
			if gravest != nil && gravest.Severity > Info {
				suite.Failures++
				test.Failure = &junitFailure{gravest.Severity.String(), gravest.Message, b.String()}
			} else {
				test.Out = b.String()
			}
			suite.Cases = append(suite.Cases, test)
		}
		doc.Tests += suite.Tests
		doc.Failures += suite.Failures
		doc.Suites = append(doc.Suites, suite)
	}
	return writeXML(w, doc)
}
