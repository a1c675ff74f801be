package page

import "github.com/robotsexclusion/robots"

// A Verdict is what a site and a page ask of a robot together: robots.txt, then
// the page's own directives. It is immutable.
type Verdict struct {
	// Fetch, Index and Follow tell whether the robot may fetch the page,
	// index it, and follow its links. A page that may not be fetched is not
	// read, so there is nothing to index or follow; but others may still
	// list its bare address, and no noindex of the page can keep them from
	// it, because it is never seen.
	Fetch, Index, Follow bool

	Match    robots.Match // the verdict of robots.txt
	Decision *Decision    // that of the page; nil where it is not known
}

// Under returns the decision together with the verdict of robots.txt about the
// page's address. The Decision may be nil for a page that was not read.
func (d *Decision) Under(m robots.Match) Verdict {
	v := Verdict{Fetch: m.Allowed, Match: m, Decision: d}
	if m.Allowed && d != nil {
		v.Index, v.Follow = d.Index, d.Follow
	}
	return v
}
