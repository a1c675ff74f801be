package auditreport

import (
	"slices"
	"strconv"
	"strings"

	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Format is a format of logs in the notes of a report. Formats of one name, such as those of
// several
// #Fields lines, count as one.
type Format struct {
	Name     string `json:"name"`
	Requests int64  `json:"requests"`
	Nameless bool   `json:"nameless,omitempty"` // its lines have no User-Agent
	Doubt    string `json:"doubt,omitempty"`    // what else its lines may mean, in English
}

// Formats returns the formats in which logs were read, by name.
func Formats(logs []accesslog.Log) (formats []Format) {
	for _, log := range logs {
		for f, n := range log.Formats {
			if f != nil && n > 0 {
				formats = append(formats, Format{printable.Text(f.String()), n, !f.NamesRobots(), f.Doubt()})
			}
		}
	}
	return joinFormats(formats)
}

// joinFormats makes one of the formats of a name.
func joinFormats(formats []Format) (joined []Format) {
	slices.SortFunc(formats, func(a, b Format) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range formats {
		if n := len(joined); n == 0 || joined[n-1].Name != f.Name {
			joined = append(joined, f)
			continue
		}
		same := &joined[len(joined)-1]
		same.Requests += f.Requests
		same.Nameless = same.Nameless || f.Nameless
		same.Doubt = max(same.Doubt, f.Doubt)
	}
	return joined
}

// formatNotes says in a language in which formats logs were read, and what else their lines may
// mean.
func formatNotes(l language.Language, formats []Format) (notes []string) {
	if len(formats) == 0 {
		return nil
	}
	var names, about []string
	for _, f := range formats {
		name := printable.Text(f.Name)
		names = append(names, name+" ("+strconv.FormatInt(f.Requests, 10)+")")
		if f.Nameless {
			about = append(about, textNamesNobody.In(l, name))
		}
		if f.Doubt != "" {
			about = append(about, textDoubt.In(l, name, printable.Text(f.Doubt)))
		}
	}
	slices.Sort(about)
	return append([]string{textFormats.In(l, strings.Join(names, ", "))}, about...)
}

var (
	textFormats     = language.New("The requests were read in these formats: %[1]s.")
	textNamesNobody = language.New("The format %[1]s has no User-Agent header, so the audit cannot say whose requests these are.")
	textDoubt       = language.New("The format %[1]s may be another: %[2]s.")
)
