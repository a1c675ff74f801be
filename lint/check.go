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

// Doc returns what the documentation says about the check: plain text, with a
// first sentence that says what it finds, an example to avoid and one to prefer,
// why, and the exceptions.
func (c *Check) Doc() string {
	_, doc, found := strings.Cut(docText, "\n# Check "+c.Name+"\n")
	if !found {
		return ""
	}
	doc, _, _ = strings.Cut(doc, "\n# ")
	return strings.Trim(doc, "\n") + "\n"
}

// Summary returns the first paragraph of [Check.Doc] as one line.
func (c *Check) Summary() string {
	first, _, _ := strings.Cut(c.Doc(), "\n\n")
	return strings.Join(strings.Fields(first), " ")
}

// In reports whether a profile has the check.
func (c *Check) In(p Profile) bool { return slices.Contains(c.Profiles, p) }

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
type Profile uint8

// The profiles.
const (
	Recommended Profile = iota // what is wrong, or very likely so
	Strict                     // also what is only untidy, or not portable
	SEO                        // what matters for being found by search engines
	Historic                   // what robots written after the documents of 1994 and 1996 read otherwise
)

var profiles = [...]string{"recommended", "strict", "seo", "historic"}

// String returns the profile's name in lower case.
func (p Profile) String() string {
	if int(p) < len(profiles) {
		return profiles[p]
	}
	return "unknown"
}

// ParseProfile returns the profile of that name; ok is false where there is
// none.
func ParseProfile(name string) (p Profile, ok bool) {
	i := slices.Index(profiles[:], strings.ToLower(name))
	return Profile(max(i, 0)), i >= 0
}

// The profiles that most checks are in.
var (
	everywhere = []Profile{Recommended, Strict, SEO}
	usually    = []Profile{Recommended, Strict}
	strictly   = []Profile{Strict}
)
