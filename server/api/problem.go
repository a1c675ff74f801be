package api

import (
	"fmt"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Problem is an error as problem details (RFC 9457). The media type is application/problem+json.
type Problem struct {
	Type   string `json:"type" doc:"a URI that identifies the kind of problem, and leads to its description"`
	Title  string `json:"title" doc:"the kind of problem, in words"`
	Status int    `json:"status" doc:"the HTTP status"`
	Detail string `json:"detail,omitempty" doc:"what is wrong with this request, and what to do"`
}

// Error returns the title, the status and the detail. It is safe for a terminal.
func (p *Problem) Error() string {
	text := fmt.Sprintf("%s (%d)", printable.Text(p.Title), p.Status)
	if p.Detail != "" {
		text += ": " + printable.Text(p.Detail)
	}
	return text
}
