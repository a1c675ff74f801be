package robottest

import (
	"encoding/xml"
	"io"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
)

// The elements of JUnit's XML, in the form that the tools for continuous integration read.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Suites  []junitSuite
	}
	junitSuite struct {
		XMLName  xml.Name `xml:"testsuite"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Skipped  int      `xml:"skipped,attr"`
		Cases    []junitCase
	}
	junitCase struct {
		XMLName xml.Name   `xml:"testcase"`
		Class   string     `xml:"classname,attr"`
		Name    string     `xml:"name,attr"`
		Failure *junitText `xml:"failure"`
		Skipped *junitText `xml:"skipped"`
	}
	junitText struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes a report as JUnit's XML: a suite for each level, in which broken duties have
// failed and those that are not shown are skipped. XML cannot have control characters, so the texts
// of strangers are escaped as in the other forms.
func WriteJUnit(w io.Writer, r *Report) error {
	var all junitSuites
	for level := Basic; level <= Exemplary; level++ {
		suite := junitSuite{Name: "robots testweb " + level.String()}
		for _, result := range r.Duties {
			if result.Level != level {
				continue
			}
			suite.Tests++
			c := junitCase{Class: "testweb." + level.String(), Name: result.ID + ": " + result.Sentence + " (" +
				result.Section + ")"}
			text := &junitText{Message: printable.Text(result.Reason)}
			switch result.Outcome {
			case Broken:
				var lines []string
				for _, request := range result.Requests {
					lines = append(lines, request.String())
				}
				text.Text = strings.Join(lines, "\n")
				c.Failure = text
				suite.Failures++
			case NotShown:
				c.Skipped = text
				suite.Skipped++
			}
			suite.Cases = append(suite.Cases, c)
		}
		if suite.Tests > 0 {
			all.Suites = append(all.Suites, suite)
		}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
