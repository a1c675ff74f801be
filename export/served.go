package export

import (
	"fmt"

	"github.com/robotsexclusion/robots/export/internal/layers"
	"github.com/robotsexclusion/robots/export/internal/pathregex"
)

// Servers and the programs behind them read a target with repeated slashes, "/./" or an escaped
// slash as another path. For such targets a syntax uses its expressions for odd targets, where a
// slash matches all of these. A target with "/../" may be read as a path that starts at any of its
// slashes, so only rules that disallow count for it.
const (
	anySlash = `(?:/|%2[Ff])`
	anyDot   = `(?:\.|%2[Ee])`
	slashes  = anySlash + `(?:` + anyDot + `?` + anySlash + `)*`

	// onceSlashes is slashes for PCRE. It matches only at the start of a run, and takes the whole
	// run, so a search takes linear time.
	onceSlashes = `(?<!/|/\.|%2[Ff]|%2[Ff]\.|/%2[Ee]|%2[Ff]%2[Ee])` + slashes + `+`

	// maxDots is how many "/../" of a target are tried by PCRE. A target with more is refused.
	maxDots = 8
)

// A spelling is how a server recognizes and compares targets that it reads as another path. Its
// zero value is for the exact target.
type spelling struct {
	other, dots string              // match the targets with another spelling, and those with "/../"
	tooMany     string              // matches the targets with too many "/../"; or ""
	syntaxes    [2]pathregex.Syntax // for targets without dots, and with dots
}

// spellingOf returns how a server with a syntax does so. start matches what stands before the path,
// and one byte is matched by path if it is a byte of the path.
func spellingOf(s pathregex.Syntax, start, path string) *spelling {
	end := `(?:` + anySlash + `|\?|` + s.End + `)`
	r := &spelling{
		other: start + path + `*(?:` + anySlash + anySlash + `|` + anySlash + anyDot + anyDot + `?` + end + `|%2[Ff])`,
		dots:  start + path + `*` + anySlash + anyDot + anyDot + end,
	}
	for i := range r.syntaxes {
		r.syntaxes[i] = s
		r.syntaxes[i].Slash = onceSlashes
		if s.RE2 {
			r.syntaxes[i].Slash = slashes
		}
	}
	if !s.RE2 {
		r.tooMany = start + `(?>` + path + `*?` + anySlash + anyDot + anyDot + `(?=` + anySlash + `)){` +
			fmt.Sprint(maxDots+1) + `}`
	}
	r.syntaxes[0].Root = start + r.syntaxes[0].Slash
	r.syntaxes[1].Root = start + `(?:` + path + `*` + anySlash + anyDot + anyDot + `)?` + r.syntaxes[1].Slash
	return r
}

// servedPaths returns the lines of a group for targets without dots, and with dots.
func (p *plan) servedPaths(s *spelling, group int) (lists [2][]line, err error) {
	if lists[0], err = p.paths(&s.syntaxes[0], group, true); err != nil {
		return lists, err
	}
	if s.tooMany != "" {
		lists[1] = append(lists[1], line{expression: s.tooMany})
	}
	for _, layer := range p.groups[group] {
		if layer.Allow {
			continue
		}
		lines, err := p.lines(&s.syntaxes[1], []layers.Layer{layer}, true)
		if err != nil {
			return lists, err
		}
		lists[1] = append(lists[1], lines...)
	}
	return lists, nil
}

// spelled returns what spellingOf returns if the options ask for it, or nil.
func (p *plan) spelled(s pathregex.Syntax, start, path string) *spelling {
	if !p.options.Equivalents {
		return nil
	}
	return spellingOf(s, start, path)
}
