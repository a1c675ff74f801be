package agent

import (
	"iter"
	"strings"

	"github.com/robotsexclusion/robots/agent/internal/robotlist"
)

// Purpose is why a robot reads pages. It is a set: a robot with two purposes has both, joined by
// "|". The zero Purpose is unknown.
type Purpose uint32

// The purposes.
const (
	Search      Purpose = 1 << iota // to find pages by their words
	AITrain                         // to train models
	AISearch                        // to answer questions from pages, as search does for people
	AIUser                          // because a person asked an assistant that reads pages
	forPreview                      // to show a link with its title and picture
	forAds                          // to place or to check advertisements
	forSEO                          // to tell owners of sites how they are found, and by whom
	forMonitor                      // to see whether a site is there, and how fast
	forArchive                      // to keep pages as they were
	forResearch                     // to study the web
	forFeed                         // to read feeds and podcasts
	forSecurity                     // to find holes and harm
	forShopping                     // to compare offers
	forSocial                       // because people of a social network point to the page
	forTool                         // whatever the person wants who runs it, or who has set it up
	forOther                        // something else
)

// ParsePurpose returns the purpose with the given name, such as "ai-train", in letters of any case;
// ok is false if there is none.
func ParsePurpose(name string) (p Purpose, ok bool) {
	for i, known := range robotlist.Purposes {
		if equalFold(name, known) {
			return 1 << i, true
		}
	}
	return 0, false
}

// Purposes returns all purposes, one by one, in the order of their constants.
func Purposes() iter.Seq[Purpose] { return (Purpose(1)<<len(robotlist.Purposes) - 1).each() }

// Has reports whether p has any of the purposes of q.
func (p Purpose) Has(q Purpose) bool { return p&q != 0 }

// Each returns the purposes of p, one by one.
func (p Purpose) each() iter.Seq[Purpose] {
	return func(yield func(Purpose) bool) {
		for i := range robotlist.Purposes {
			if one := Purpose(1) << i; p.Has(one) && !yield(one) {
				return
			}
		}
	}
}

// names returns the names of the purposes of p.
func (p Purpose) names() []string {
	names := []string{} // an empty set is a list in JSON too
	for i, name := range robotlist.Purposes {
		if p.Has(1 << i) {
			names = append(names, name)
		}
	}
	return names
}

// String returns the names of the purposes of p with commas between them, such
// as "search, ai-search".
func (p Purpose) String() string { return strings.Join(p.names(), ", ") }
