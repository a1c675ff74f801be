package lsp

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/lint"
)

// hover explains the line at the cursor, except for blank lines and ordinary comments.
func (d *document) hover(c *client, at placeParams) (any, error) {
	line, ok := d.line(at.Position.Line)
	if !ok {
		return nil, nil
	}
	p, e := new(prose), explainer{d}
	switch line.Kind {
	case robots.UserAgent:
		e.explainAgent(p, line)
	case robots.Allow, robots.Disallow:
		e.explainRule(p, line)
	case robots.Stray:
		e.explainStray(p, line)
	case robots.Other:
		e.explainRecord(p, line)
	case robots.Malformed:
		e.explainMalformed(p, line)
	}
	explainIgnore(p, line)
	if p.plain.Len() == 0 {
		return nil, nil
	}
	cursor := cursor{text: d.text}
	return hover{markupIn(c.markdown, p), d.contents(line, &cursor)}, nil
}

// An explainer writes the explanation of a line.
type explainer struct{ *document }

// explainStray explains why robots ignore a rule outside of a group.
func (d explainer) explainStray(p *prose, line robots.Line) {
	p.say("%s in no group: no robot obeys it.", strong(line.Field))
	p.say("No user-agent line comes before it, so it does not say for whom it is (RFC 9309, section 2.2.2). Write %s above it, for all robots.", code("User-agent: *"))
}

// explainMalformed explains why robots ignore a line.
func (d explainer) explainMalformed(p *prose, line robots.Line) {
	whole, _ := bodyOf(line)
	p.say("%s: no robot reads this line.", strong("Not a record"))
	switch {
	case strings.HasPrefix(strings.TrimLeft(whole, " \t"), ":"):
		p.say("There is no field before the colon.")
	case !strings.Contains(strings.SplitN(whole, "#", 2)[0], ":"):
		p.say("A line is %s, and this one has no colon. It is skipped, and the lines around it count (RFC 9309, section 2.3.1.5).", code("field: value"))
	default:
		p.say("A line is %s. This one is skipped, and the lines around it count (RFC 9309, section 2.3.1.5).",
			code("field: value"))
	}
	d.explainGoogle(p, line)
}

// explainGoogle explains lines that only Google's parser reads.
func (d explainer) explainGoogle(p *prose, line robots.Line) {
	if len(line.Text) > maxShown {
		return
	}
	for number, l := range d.google().Lines() {
		if number > line.Number {
			return
		}
		if number == line.Number && l.Kind != line.Kind && l.Offset == line.Offset {
			switch l.Kind {
			case robots.UserAgent:
				p.say("Google's parser reads it as %s.", code("User-agent: "+l.Value))
			case robots.Allow:
				p.say("Google's parser reads it as %s.", code("Allow: "+l.Value))
			case robots.Disallow:
				p.say("Google's parser reads it as %s.", code("Disallow: "+l.Value))
			case robots.Other:
				p.say("Google's parser reads it as a record of field %s.", code(l.Field))
			}
			return
		}
	}
}

// explainIgnore explains a comment for lint.
func explainIgnore(p *prose, line robots.Line) {
	whole, _ := bodyOf(line)
	_, comment, _ := strings.Cut(whole, "#")
	order, ok := strings.CutPrefix(strings.TrimLeft(comment, "# \t"), ignoreMark)
	words := strings.Fields(order)
	if !ok || len(words) == 0 {
		return
	}
	switch {
	case words[0] == "ignore-file":
		p.say("Silences lint in the whole file:")
	case words[0] == "ignore" && line.Kind == robots.Comment:
		p.say("Silences lint on the next line that is not a comment:")
	case words[0] == "ignore":
		p.say("Silences lint on this line:")
	default:
		p.say("Lint knows %s and %s only.", code("ignore CHECK reason"), code("ignore-file CHECK reason"))
		return
	}
	if len(words) < 2 {
		p.say("No check is named, so this does nothing.")
		return
	}
	for name := range strings.SplitSeq(words[1], ",") {
		if check := lint.Find(name); check != nil {
			p.item("%s: %s", link{name, pageURL + name}, check.Summary(""))
		} else {
			p.item("%s: no check is called so", code(name))
		}
	}
}

// ignoreMark starts comments for lint.
const ignoreMark = "robots-lint:"
