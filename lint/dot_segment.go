package lint

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var dotSegment = &Check{
	Name:     "dot-segment",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		p.rules(func(l *line) {
			if classOf(l.Value) != valueFine {
				return
			}
			if from, to := dotSegmentOf(l.Value); to > 0 {
				p.report(l.within(from, to), textDotSegment, l.Value[from:to])
			}
		})
	},
}

// dotSegmentOf returns the place of the first dot segment of a pattern (RFC 3986, section 3.3), with
// the slash before it: the segment ends with a slash, or with the path. An escaped dot is a dot (URL
// Standard, section 4.1). to is 0 if there is none. "/." and "/.." at the end of a pattern are the
// start of names such as "/.git" and "/..x", but not before a "$".
func dotSegmentOf(pattern string) (from, to int) {
	path, _, _ := strings.Cut(pattern, "?")
	for at := 0; ; {
		i := strings.IndexByte(path[at:], '/')
		if i < 0 {
			return 0, 0
		}
		from = at + i
		at = from + 1
		segment, rest, slash := strings.Cut(path[at:], "/")
		dollar := !slash && len(path) == len(pattern) && strings.HasSuffix(segment, "$")
		switch strings.ReplaceAll(strings.ToLower(strings.TrimSuffix(segment, "$")), "%2e", ".") {
		case ".", "..":
			if slash {
				return from, len(path) - len(rest)
			}
			if dollar {
				return from, len(path) - 1
			}
		}
	}
}

var textDotSegment = language.New(
	"browsers and most robots resolve %[1]s in a URL before they ask for it, and rules are compared with the URL as it stands: the pattern hardly matches anything")
