package lsp

import (
	"iter"
	"strings"

	"github.com/robotsexclusion/robots"
)

// references returns the user-agent lines that belong to the line at the cursor. On a user-agent
// line these are all lines with its product token; on a rule or a record of a group, the
// user-agent lines of its group. The definition of a line is the same: a group is declared by
// its user-agent lines.
func (d *document) references(_ *client, p placeParams) (any, error) {
	found := []location{}
	line, ok := d.line(p.Position.Line)
	if !ok {
		return found, nil
	}
	var lines iter.Seq[agentName]
	switch line.Kind {
	case robots.UserAgent:
		lines = finder{d}.named(tokenOf(line))
	case robots.Allow, robots.Disallow, robots.Other:
		lines = finder{d}.agentsOf(line)
	default:
		return found, nil
	}
	for at := range lines {
		if len(found) == maxSymbols {
			break
		}
		found = append(found, location{d.uri, at.span})
	}
	return found, nil
}

// An agentName is the product token of a user-agent line.
type agentName struct {
	start, end int // offsets in the text
	span       span
}

// A finder finds product tokens in a document.
type finder struct{ *document }

// named returns all user-agent lines with a product token, in any case of letters.
func (d finder) named(token string) iter.Seq[agentName] {
	return d.agentNames(func(l robots.Line) bool {
		return l.Kind == robots.UserAgent && strings.EqualFold(tokenOf(l), token)
	})
}

// agentsOf returns the user-agent lines of the group of a line.
func (d finder) agentsOf(line robots.Line) iter.Seq[agentName] {
	return d.agentNames(func(l robots.Line) bool {
		return l.Kind == robots.UserAgent && line.Group >= 0 && l.Group == line.Group && !ofFile(line)
	})
}

// agentNames returns the product tokens of some lines. Of a line without a product token it
// returns the whole value.
func (d finder) agentNames(wanted func(robots.Line) bool) iter.Seq[agentName] {
	return func(yield func(agentName) bool) {
		at := cursor{text: d.text}
		for _, l := range d.policy().Lines() {
			if !wanted(l) {
				continue
			}
			start, end := valueOf(l)
			if token := tokenOf(l); token != "" {
				end = start + len(token)
			}
			name := agentName{start, end, span{at.position(start), at.position(end)}}
			if !yield(name) {
				return
			}
		}
	}
}
