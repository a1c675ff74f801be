package lint

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/nearest"
)

// A Check finds one kind of mistake. A Check is immutable and safe for concurrent use.
type Check struct {
	Name     string    // as in Options and in the file: lower-case words joined by hyphens
	Severity Severity  // of its diagnostics; the most severe if it varies
	Profiles []Profile // that have it; not to be modified

	run func(*pass)
}

// in reports whether a profile has the check.
func (c *Check) in(p Profile) bool { return slices.Contains(c.Profiles, p) }

// Find returns the check with a name, or nil if there is none.
func Find(name string) *Check {
	for _, c := range Checks() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Nearest returns the name of the check with the spelling closest to name, or "" if none is
// close.
func Nearest(name string) string {
	var names []string
	for _, c := range Checks() {
		names = append(names, c.Name)
	}
	near, _ := nearest.Of(name, names)
	return near
}

// A Profile is a selection of checks.
type Profile string

// The profiles.
const (
	Recommended Profile = "recommended" // mistakes, and very likely mistakes
	Strict      Profile = "strict"      // also untidy or unportable lines
	SEO         Profile = "seo"         // for sites that want to be found by search engines
	Historic    Profile = "historic"    // differences for robots written after the documents of 1994 and 1996
)

var profiles = []Profile{Recommended, Strict, SEO, Historic}

// ParseProfile returns the profile with a name, ignoring case. ok is false if there is none.
func ParseProfile(name string) (p Profile, ok bool) {
	p = Profile(strings.ToLower(name))
	return p, slices.Contains(profiles, p)
}

// The profiles that most checks are in.
var (
	everywhere = []Profile{Recommended, Strict, SEO}
	usually    = []Profile{Recommended, Strict}
	strictly   = []Profile{Strict}
)
