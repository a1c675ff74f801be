package say

import (
	"fmt"
	"io"

	"github.com/robotsexclusion/robots/cmd/internal/inforce"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// History writes the history of an origin, in English.
func History(w io.Writer, h *inforce.History) {
	fmt.Fprintln(w, h.Origin)
	for _, v := range h.Versions {
		fmt.Fprintf(w, "    %s\n", v)
	}
	if len(h.Versions) == 0 {
		fmt.Fprintf(w, "    nothing is kept of it in %s\n", printable.Text(h.Folder))
	}
}

// Versions writes the versions in force at a moment, or why they are not known, in English.
func Versions(w io.Writer, of *inforce.Versions) {
	fmt.Fprintln(w, of.Origin)
	for _, v := range of.Versions {
		fmt.Fprintf(w, "    %s", v)
		if !v.Until.IsZero() {
			fmt.Fprintf(w, ", until %s", inforce.Clock(v.Until))
		}
		fmt.Fprintln(w)
	}
	if !of.UnseenSince.IsZero() {
		fmt.Fprintf(w, "    %s\n", Unseen(language.English, of.UnseenSince))
	}
	if of.Error != "" {
		fmt.Fprintf(w, "    %s\n", printable.Text(of.Error))
	}
}
