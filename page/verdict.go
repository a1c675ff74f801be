package page

import "github.com/robotsexclusion/robots"

// A Verdict is the answer of a site and a page for a robot: robots.txt, and then the page's own
// directives. A Verdict is immutable.
type Verdict struct {
	// Fetch, Index and Follow report whether the robot may fetch the page, index it, and follow
	// its links. A page that must not be fetched is not read, so Index and Follow are false.
	// Search engines may still list the bare address of such a page: a noindex in the page
	// cannot prevent this, because it is never seen.
	Fetch, Index, Follow bool

	Match    robots.Match // the verdict of robots.txt
	Decision *Decision    // the decision of the page; nil if unknown
}

// Under combines the decision with the verdict of robots.txt about the page's address. The
// Decision may be nil for a page that was not read.
func (d *Decision) Under(m robots.Match) Verdict {
	v := Verdict{Fetch: m.Allowed, Match: m, Decision: d}
	if m.Allowed && d != nil {
		v.Index, v.Follow = d.Index, d.Follow
	}
	return v
}
