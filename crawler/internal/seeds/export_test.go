package seeds

import (
	"fmt"

	"github.com/robotsexclusion/robots/internal/printable"
)

// Where returns the place of the URL, such as "line 7", or "message 3, line 120,
// <20030505.1234@example.com>".
func (f Found) Where() string {
	switch {
	case f.Message == 0:
		return fmt.Sprintf("line %d", f.Line)
	case f.ID == "":
		return fmt.Sprintf("message %d, line %d", f.Message, f.Line)
	}
	return fmt.Sprintf("message %d, line %d, <%s>", f.Message, f.Line, printable.Clipped(f.ID, 100))
}

var formats = [...]string{"text", "list", "html", "mail", "sitemap"}

// String returns "text", "list", "html", "mail" or "sitemap".
func (f Format) String() string {
	if int(f) < len(formats) {
		return formats[f]
	}
	return "unknown"
}

// InLine returns the URLs found in one line.
func InLine(line []byte) (urls []string) {
	f := finder{found: func(url []byte, _ int) { urls = append(urls, string(url)) }}
	f.line(line)
	f.finish(0)
	return urls
}
