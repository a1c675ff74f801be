package lsp

import (
	"maps"
	"strings"

	"github.com/creachadair/jrpc2"
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/lint"
)

// prepareRename returns the product token at the cursor, or null where no product token is.
func (d *document) prepareRename(_ *client, p placeParams) (any, error) {
	token, at := finder{d}.tokenAt(p.Position)
	if token == "" {
		return nil, nil
	}
	return renameRange{at, token}, nil
}

// rename returns edits that change a product token in all its user-agent lines.
func (d *document) rename(c *client, p renameParams) (any, error) {
	if d.trouble != noTrouble {
		return nil, jrpc2.Errorf(requestFailed, "%s", d.troubleText())
	}
	token, _ := finder{d}.tokenAt(p.Position)
	if token == "" {
		return nil, jrpc2.Errorf(requestFailed,
			"no product token is here: put the cursor on the name in a user-agent line")
	}
	if !(finder{d}).isToken(p.NewName) {
		return nil, jrpc2.Errorf(requestFailed,
			"%s is not a product token: it has letters, - and _ only (RFC 9309, section 2.2.1), or is that of a known robot",
			printable.Quoted(p.NewName, maxShown))
	}
	if line := (finder{d}).merged(token, p.NewName); line > 0 {
		return nil, jrpc2.Errorf(requestFailed,
			"the rename would merge two groups, because %s has one at line %d: move the rules by hand",
			printable.Quoted(p.NewName, maxShown), line)
	}
	var edits []lint.Edit
	for name := range (finder{d}).named(token) {
		if d.text.content[name.start:name.end] != p.NewName {
			edits = append(edits, lint.Edit{Start: name.start, End: name.end, New: p.NewName})
		}
	}
	if len(edits) == 0 {
		return nil, nil
	}
	edit, ok := d.edit(c, edits)
	if !ok {
		return nil, jrpc2.Errorf(requestFailed,
			"the edits would contain bytes that are not UTF-8, which cannot be sent")
	}
	return edit, nil
}

// merged returns the first line with the new name of a robot, if a rename would merge groups, or 0.
// Robots combine all groups of a name, so the rules of both names would be joined. Names that stand
// in the same groups have the same rules already.
func (d finder) merged(old, renamed string) (line int) {
	if strings.EqualFold(old, renamed) {
		return 0
	}
	before, after := make(map[int]bool), make(map[int]bool) // groups with each name
	for number, l := range d.policy().Lines() {
		if l.Kind != robots.UserAgent {
			continue
		}
		switch token := tokenOf(l); {
		case strings.EqualFold(token, old):
			before[l.Group] = true
		case strings.EqualFold(token, renamed):
			after[l.Group] = true
			if line == 0 {
				line = number
			}
		}
	}
	if maps.Equal(before, after) {
		return 0
	}
	return line
}

// isToken reports whether a name is a product token: a token of RFC 9309, or the token of a known
// robot, which may have digits.
func (d finder) isToken(name string) bool {
	if strings.Trim(name, tokenLetters) == "" {
		return name != ""
	}
	if tokenOf(robots.Line{Field: "User-agent", Value: name}) != name {
		return false // as a line it would be read otherwise
	}
	known := d.options.Robots.Named(name)
	return known.Known() && strings.EqualFold(known.Token, name)
}

// tokenLetters are the characters of a product token (RFC 9309, section 2.2.1).
const tokenLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"

// tokenAt returns the product token at a position, and its range. Everyone (*) is not a product
// token.
func (d finder) tokenAt(p position) (token string, at span) {
	line, ok := d.line(p.Line)
	if !ok || line.Kind != robots.UserAgent {
		return "", at
	}
	token = tokenOf(line)
	start, _ := valueOf(line)
	at = d.text.span(start, start+len(token))
	if token == "*" || p.before(at.Start) || at.End.before(p) {
		return "", at
	}
	return token, at
}
