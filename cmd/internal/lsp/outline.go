package lsp

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// maxSymbols is the maximum number of rules and records in an outline: no editor shows more.
const maxSymbols = 10_000

// symbols returns the outline: groups with their rules and records, and records outside of
// groups.
func (d *document) symbols(c *client, _ documentParams) (any, error) {
	roots := []documentSymbol{}
	count := 0
	group, open := -1, -1 // the group of the last user-agent line, and its index in roots
	at := cursor{text: d.text}
	for _, l := range d.policy().Lines() {
		if l.Kind == robots.Blank || l.Kind == robots.Comment || l.Kind == robots.Malformed {
			continue
		}
		if count++; count > maxSymbols {
			break
		}
		here := d.contents(l, &at)
		switch {
		case l.Kind == robots.UserAgent && l.Group != group:
			group, open = l.Group, len(roots)
			roots = append(roots, documentSymbol{Name: named(l.Value), Kind: symbolNamespace, Range: here,
				SelectionRange: here})
		case l.Kind == robots.UserAgent:
			of := &roots[open]
			of.Name = printable.Clipped(of.Name+", "+named(l.Value), maxShown)
			of.Range.End = here.End
		default:
			s := documentSymbol{Name: named(l.Field + ": " + l.Value), Kind: symbolKey, Range: here,
				SelectionRange: here}
			if l.Kind == robots.Allow || l.Kind == robots.Disallow {
				s.Kind = symbolProperty
			}
			if l.Group == group && open >= 0 && !ofFile(l) {
				roots[open].Children = append(roots[open].Children, s)
				roots[open].Range.End = here.End
			} else {
				roots = append(roots, s)
			}
		}
	}
	if !c.nested {
		return flat(d.uri, roots), nil
	}
	return roots, nil
}

// ofFile reports whether a line is a record of the whole file.
func ofFile(l robots.Line) bool {
	return l.Kind == robots.Other && robots.Record{Field: l.Field}.OfFile()
}

// named returns a name for display, which must not be empty.
func named(s string) string {
	if s = printable.Clipped(s, maxShown); s == "" {
		return "?"
	}
	return s
}

// flat returns symbols without children.
func flat(uri string, roots []documentSymbol) []symbolInformation {
	list := []symbolInformation{}
	for _, r := range roots {
		list = append(list, symbolInformation{Name: r.Name, Kind: r.Kind, Location: location{uri, r.Range}})
		for _, s := range r.Children {
			list = append(list, symbolInformation{s.Name, s.Kind, location{uri, s.Range}, r.Name})
		}
	}
	return list
}

// contents returns the range of a line without surrounding white space.
func (d *document) contents(l robots.Line, at *cursor) span {
	line, start := bodyOf(l)
	trimmed := strings.TrimLeft(line, " \t")
	start += len(line) - len(trimmed)
	return span{at.position(start), at.position(start + len(strings.TrimRight(trimmed, " \t")))}
}

// folds returns the ranges that an editor may hide: all lines of a group, or of a comment of
// several lines, except the first.
func (d *document) folds(*client, documentParams) (any, error) {
	folds := []foldingRange{}
	fold := func(first, last int, kind string) {
		if first < last && len(folds) < maxSymbols {
			folds = append(folds, foldingRange{first - 1, last - 1, kind})
		}
	}
	group, first, last := -1, 0, 0 // line numbers, starting at 1
	comment := 0                   // first line of a comment, or 0
	end := 0                       // the last line
	for number, l := range d.policy().Lines() {
		end = number
		if l.Kind == robots.Comment {
			if comment == 0 {
				comment = number
			}
		} else if comment > 0 {
			fold(comment, number-1, "comment")
			comment = 0
		}
		if ofFile(l) {
			continue
		}
		if l.Group >= 0 && l.Group != group {
			fold(first, last, "region")
			group, first = l.Group, number
		}
		if l.Group >= 0 {
			last = number
		}
	}
	if comment > 0 {
		fold(comment, end, "comment")
	}
	fold(first, last, "region")
	return folds, nil
}

// highlights returns all user-agent lines with the product token at the cursor.
func (d *document) highlights(_ *client, p placeParams) (any, error) {
	found := []documentHighlight{}
	line, ok := d.line(p.Position.Line)
	if !ok || line.Kind != robots.UserAgent {
		return found, nil
	}
	for name := range (finder{d}).named(tokenOf(line)) {
		if len(found) == maxSymbols {
			break
		}
		found = append(found, documentHighlight{name.span, 1})
	}
	return found, nil
}

// links returns the addresses of sitemaps and licenses.
func (d *document) links(*client, documentParams) (any, error) {
	links := []documentLink{}
	at := cursor{text: d.text}
	for _, l := range d.policy().Lines() {
		if l.Kind != robots.Other || len(links) == maxSymbols || !strings.EqualFold(l.Field, "sitemap") &&
			!strings.EqualFold(l.Field, "license") {
			continue
		}
		target := linked(l)
		if target == "" {
			continue
		}
		start, end := valueOf(l)
		links = append(links, documentLink{span{at.position(start), at.position(end)}, target})
	}
	return links, nil
}

// linked returns the address in a Sitemap or License record, if a browser can open it.
func linked(l robots.Line) string {
	p := alone(l)
	for _, s := range p.Sitemaps() {
		if web := s.URL.Scheme; (web == "http" || web == "https") && s.URL.Host != "" {
			return s.URL.String()
		}
	}
	for _, s := range p.Licenses() {
		if web := s.URI.Scheme; (web == "http" || web == "https") && s.URI.Host != "" {
			return s.URI.String()
		}
	}
	return ""
}

// alone returns a policy with a single record outside of groups.
func alone(l robots.Line) *robots.Policy {
	return robots.Parse([]byte(l.Field + ": " + l.Value + "\n"))
}

// valueOf returns the offsets of the value of a line with a field.
func valueOf(l robots.Line) (start, end int) {
	line, start := bodyOf(l)
	colon := strings.IndexByte(line, ':') + 1
	start += colon + len(line[colon:]) - len(strings.TrimLeft(line[colon:], " \t"))
	return start, start + len(l.Value)
}

// tokenOf returns the product token of a user-agent line, or "".
func tokenOf(l robots.Line) string {
	for _, g := range alone(l).Groups() {
		for _, name := range g.Agents() {
			return name
		}
	}
	return ""
}
