package lint

import (
	"encoding/xml"
	"io"
)

// writeXML writes an XML 1.0 document, with its declaration and a final line end. Characters
// that XML cannot represent become U+FFFD.
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
