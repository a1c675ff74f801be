package lint

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
)

// writeGitHub writes workflow commands. Columns are characters.
func writeGitHub(w io.Writer, files []File) error {
	b := bufio.NewWriter(w)
	for _, f := range files {
		lines := sourceOf(f.Report)
		for i := range f.Diagnostics {
			d := &f.Diagnostics[i]
			command := [...]string{"notice", "warning", "error"}[min(d.Severity, Error)]
			column, _ := lines.characters(d)
			fmt.Fprintf(b, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", command,
				gitHubProperty.Replace(printable.Text(f.Name)), d.Line, column,
				gitHubProperty.Replace(d.Check.Name), gitHubData.Replace(d.Message))
		}
		for _, o := range f.Omitted {
			fmt.Fprintf(b, "::notice file=%s,title=%s::%s\n", gitHubProperty.Replace(printable.Text(f.Name)),
				gitHubProperty.Replace(o.Check.Name), gitHubData.Replace(textIn(f.language(), textOmitted, o.Count)))
		}
	}
	return b.Flush()
}

// Escapes for characters that messages and properties of workflow commands must not contain.
var (
	gitHubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	gitHubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
