package lint

import (
	_ "embed"
	"github.com/robotsexclusion/robots/internal/nearest"
	"slices"
	"strings"
)

// A Check looks for one kind of mistake. It is immutable and safe for
// concurrent use.
type Check struct {
	Name     string    // as in Options and in the file: words in small letters, joined by hyphens
	Severity Severity  // of its diagnostics; where it varies, of the gravest
	Profiles []Profile // that have it; not to be modified

	run func(*pass)
}

// doc returns the documentation of the check in English.
func (c *Check) doc() string {
	_, doc, found := strings.Cut(docText, "\n# Check "+c.Name+"\n")
	if !found {
		return ""
	}
	doc, _, _ = strings.Cut(doc, "\n# ")
	return strings.Trim(doc, "\n") + "\n"
}

// in reports whether a profile has the check.
func (c *Check) in(p Profile) bool { return slices.Contains(c.Profiles, p) }

//go:generate go test -run TestPage -update

//go:embed doc.go
var docSource string

// docText is the package comment without what makes it one.
var docText = func() string {
	comment, _, _ := strings.Cut(strings.ReplaceAll(docSource, "\r\n", "\n"), "\npackage ")
	var b strings.Builder
	for line := range strings.Lines(comment + "\n") {
		b.WriteString(strings.TrimPrefix(strings.TrimPrefix(line, "//"), " "))
	}
	return b.String()
}()

// Find returns the check with this name, or nil if there is none.
func Find(name string) *Check {
	for _, c := range Checks() {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Nearest returns the name of the check that is spelt most like name, or "" if
// none is.
func Nearest(name string) string {
	var names []string
	for _, c := range Checks() {
		names = append(names, c.Name)
	}
	near, _ := nearest.Of(name, names)
	return near
}

// A Profile is a choice of checks.
type Profile string

// The profiles.
const (
	Recommended Profile = "recommended" // what is wrong, or very likely so
	Strict      Profile = "strict"      // also what is only untidy, or not portable
	SEO         Profile = "seo"         // what matters for being found by search engines
	Historic    Profile = "historic"    // what robots written after the documents of 1994 and 1996 read otherwise
)

var profiles = []Profile{Recommended, Strict, SEO, Historic}

// ParseProfile returns the profile of a name in any case; ok is false where there is
// none.
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
