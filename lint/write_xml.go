package lint

import (
	"encoding/xml"
	"io"
)

// writeXML writes a document of XML 1.0, with the declaration before it and a line
// end after it. Characters that XML cannot hold become U+FFFD.
func writeXML(w io.Writer, doc any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	if err := e.Encode(doc); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
