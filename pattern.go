package robots

import "strings"

// A pattern is the path of a rule, taken apart for matching. A path matches if
// it starts with the stem and the segments follow, each after the one before,
// with any octets between them.
type pattern struct {
	stem     string // the octets before the first "*"
	segments string // what follows that "*", with "*" between them
	wild     bool   // there is a "*" that means something
	anchored bool   // the path must end where the pattern does

	octets int // of the normal form as written: the weight of the rule
}

// compile takes the value of a rule apart. It shares the memory of value where
// that is in normal form.
func (r *reading) compile(value string) pattern {
	text := r.pattern.of(value)
	p := pattern{octets: len(text)}
	if !r.wildcards {
		p.stem = text
		return p
	}
	if n := len(text) - 1; n >= 0 && text[n] == '$' {
		p.anchored = true
		text = text[:n]
	}
	// A "*" at the end lets anything follow, as a pattern without "$" does.
	if n := len(text); n > 0 && text[n-1] == '*' {
		p.anchored = false
		text = strings.TrimRight(text, "*")
	}
	p.stem, p.segments, p.wild = strings.Cut(text, "*")
	if strings.HasPrefix(p.segments, "*") || strings.Contains(p.segments, "**") {
		p.segments = squeeze(p.segments)
	}
	return p
}

// indexFile returns the second pattern that an Allow rule for an index file has
// in dialect Google: a directory may be fetched if its index file may.
func (r *reading) indexFile(allow bool, value string) (second pattern, ok bool) {
	if !r.google || !allow {
		return pattern{}, false
	}
	text := r.pattern.of(value)
	i := strings.LastIndexByte(text, '/')
	if i < 0 || !strings.HasPrefix(text[i:], "/index.htm") {
		return pattern{}, false
	}
	return r.compile(text[:i+1] + "$"), true
}

// squeeze makes one "*" of each run of them, and none of a run at the start.
// A file of nothing but "*" costs no more to match than one of them.
func squeeze(segments string) string {
	b := make([]byte, 0, len(segments))
	for i := 0; i < len(segments); i++ {
		if c := segments[i]; c != '*' || len(b) > 0 && b[len(b)-1] != '*' {
			b = append(b, c)
		}
	}
	return string(b)
}

// plain reports whether the stem is all there is: the pattern matches what
// starts with it.
func (p *pattern) plain() bool { return !p.wild && !p.anchored }

// matches reports whether path matches. It takes time linear in the path for
// each segment at most, and never goes back.
func (p *pattern) matches(path string) bool {
	return strings.HasPrefix(path, p.stem) && follows(path[len(p.stem):], p.segments, p.wild, p.anchored)
}

// follows reports whether rest, a path after the stem of a pattern, matches
// what follows the stem. The leftmost place for each segment is as good as any
// other, since what comes between does not matter; the last one is at the end
// where the pattern is anchored.
func follows(rest, segments string, wild, anchored bool) bool {
	if !wild {
		return !anchored || rest == ""
	}
	for {
		segment, others, more := strings.Cut(segments, "*")
		if !more && anchored {
			return strings.HasSuffix(rest, segment)
		}
		i := strings.Index(rest, segment)
		if i < 0 {
			return false
		}
		if !more {
			return true
		}
		rest, segments = rest[i+len(segment):], others
	}
}
