package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/export/internal/layers"
	"github.com/robotsexclusion/robots/export/internal/pathregex"
	"github.com/robotsexclusion/robots/internal/url/reading"
)

// Servers and the programs behind them read a target with repeated slashes, "/./" or an escaped
// slash as another path (package reading). For such targets a syntax uses its expressions for odd
// targets, where a slash matches all of these, so the expressions have all readings at once. A
// target with "/../" may be read as a path that starts at any of its slashes, so only rules that
// disallow count for it.
const (
	slashes = reading.Slash + `(?:` + reading.Dot + `?` + reading.Slash + `)*`

	// onceSlashes is slashes for PCRE. It matches only at the start of a run, and takes the whole
	// run, so a search takes linear time.
	onceSlashes = `(?<!/|/\.|%2[Ff]|%2[Ff]\.|/%2[Ee]|%2[Ff]%2[Ee])` + slashes + `+`

	// climb matches what removes a segment, without what may stand after it.
	climb = reading.Slash + reading.Dot + reading.Dot

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
	end := `(?:` + reading.Slash + `|\?|` + s.End + `)`
	r := &spelling{
		other: start + path + `*(?:` + reading.Slash + `(?:` + reading.Slash + `|` + reading.Dot + reading.Dot +
			`?` + end + `)|%2[Ff])`,
		dots: start + path + `*` + climb + end,
	}
	for i := range r.syntaxes {
		r.syntaxes[i] = s
		r.syntaxes[i].Slash = onceSlashes
		if s.RE2 {
			r.syntaxes[i].Slash = slashes
		}
	}
	if !s.RE2 {
		r.tooMany = start + `(?>` + path + `*?` + climb + `(?=` + reading.Slash + `)){` + fmt.Sprint(maxDots+1) + `}`
	}
	r.syntaxes[0].Root = start + r.syntaxes[0].Slash
	r.syntaxes[1].Root = start + `(?:` + path + `*` + climb + `)?` + r.syntaxes[1].Slash
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
		rules := slices.Clone(layer.Rules)
		for i, r := range rules {
			rules[i] = climbed(r)
		}
		lines, err := p.lines(&s.syntaxes[1], []layers.Layer{{Rules: rules}}, true)
		if err != nil {
			return lists, err
		}
		lists[1] = append(lists[1], lines...)
	}
	return lists, nil
}

// climbed returns a rule for targets with "/../". What the dots leave of a target has only parts up
// to the next "/" in one piece, and may end anywhere, so the rule ends after the first such part.
func climbed(r layers.Rule) layers.Rule {
	r.Anchored = false
	for i, part := range slices.Concat([]string{r.Stem}, r.Segments) {
		query := strings.IndexByte(part, '?')
		end := strings.IndexByte(part[1:], '/') + 2
		switch {
		case query >= 0 && (end < 2 || query < end):
			return r
		case end < 2 || end == len(part):
		case i == 0:
			r.Stem, r.Segments = part[:end], nil
			return r
		default:
			r.Segments = append(slices.Clone(r.Segments[:i-1]), part[:end])
			return r
		}
	}
	return r
}

// The spellings of the servers but nginx, which knows the path that it reads.
var (
	haproxySpelling = spellingOf(haproxySyntax, `^`, `[^?]`)
	varnishSpelling = spellingOf(varnishSyntax, varnishStart, `[^?]`)
	apacheSpelling  = spellingOf(apacheSyntax, apacheStart, `[^? ]`)
	caddySpelling   = spellingOf(caddyServed, `^`, `[^?]`)
)

// spelled returns a spelling, or nil if only exact targets count.
func (p *plan) spelled(s *spelling) *spelling {
	if p.options.Literal {
		return nil
	}
	return s
}
