package lsp

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/robotsexclusion/robots/lint"
)

// source is the source of diagnostics, as clients show it.
const source = "robots"

// pageURL is the documentation of the checks, with a section for each.
const pageURL = "https://github.com/robotsexclusion/robots/blob/main/doc/checks.md#"

// diagnostics returns the diagnostics of a document.
func (d *document) diagnostics(c *client) []diagnostic {
	if d.trouble != noTrouble {
		return []diagnostic{{Severity: severityError, Source: source, Message: d.troubleText()}}
	}
	report := d.report()
	all := make([]diagnostic, len(report.Diagnostics))
	at := cursor{text: d.text}
	for i := range report.Diagnostics {
		all[i] = d.diagnostic(&report.Diagnostics[i], &at, c)
	}
	for _, o := range report.Omitted {
		// The last diagnostic of the check has the number of omitted ones.
		for i, found := range slices.Backward(report.Diagnostics) {
			if found.Check == o.Check {
				all[i].Message += fmt.Sprintf(andMore.in(d.options.Language), o.Count)
				break
			}
		}
	}
	return all
}

// diagnostic converts a diagnostic of lint to the protocol.
func (d *document) diagnostic(found *lint.Diagnostic, at *cursor, c *client) diagnostic {
	start, end := d.place(found)
	out := diagnostic{
		Range:    span{Start: at.position(start)},
		Severity: severityInformation,
		Code:     found.Check.Name,
		Source:   source,
		Message:  found.Message,
	}
	ahead := *at // a copy, so that at stays where the next diagnostic may start
	out.Range.End = ahead.position(end)
	switch found.Severity {
	case lint.Error:
		out.Severity = severityError
	case lint.Warning:
		out.Severity = severityWarning
	}
	if c.descriptions {
		out.Description = &codeDescription{pageURL + found.Check.Name}
	}
	if tag := tags[found.Check.Name]; tag != 0 && slices.Contains(c.tags, tag) {
		out.Tags = []int{tag}
	}
	if c.related {
		for _, r := range found.Related {
			if line := r.Line - 1; line >= 0 && line < d.text.lines() {
				out.Related = append(out.Related, relatedInformation{location{d.uri, d.text.lineSpan(line)}, r.Message})
			}
		}
	}
	if fix := found.Fix; fix != nil && c.data {
		out.Data = &fixData{fix.Title, string(fix.Effect), fix.Safe}
	}
	return out
}

// tags returns the tags of a check: clients fade lines without effect, and strike out obsolete
// ones.
var tags = map[string]int{
	"redundant-rule": tagUnnecessary,
	"obsolete-field": tagDeprecated,
}

// place returns the offsets of a diagnostic.
func (d *document) place(found *lint.Diagnostic) (start, end int) {
	line := min(max(found.Line-1, 0), d.text.lines()-1)
	first, last := d.text.line(line)
	if line == 0 && len(d.text.content) >= len(byteOrderMark) && d.text.content[:len(byteOrderMark)] == byteOrderMark {
		first += len(byteOrderMark)
	}
	start = min(first+max(found.Column-1, 0), last)
	return start, min(max(first+found.EndColumn-1, start), last)
}

// troubleText is the reason why a document is not checked.
func (d *document) troubleText() string {
	if d.trouble == tooLarge {
		return fmt.Sprintf(textTooLarge.in(d.options.Language), maxDocument>>20)
	}
	return textOutOfStep.in(d.options.Language)
}

// pull answers a request for diagnostics.
func (d *document) pull(c *client, p pullParams) (any, error) {
	id := strconv.Itoa(d.serial)
	if p.Previous == id {
		return documentDiagnosticReport{Kind: "unchanged", ResultID: id}, nil
	}
	items := d.diagnostics(c)
	return documentDiagnosticReport{Kind: "full", ResultID: id, Items: &items}, nil
}
