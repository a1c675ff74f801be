package robots

import (
	"errors"
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/internal/sfv"
)

// A Preference is what a site says about a use of its content.
type Preference uint8

// The preferences.
const (
	Unknown   Preference = iota // the site does not say
	Permitted                   // y, or yes
	Refused                     // n, or no
)

// String returns "y", "n" or "unknown".
func (p Preference) String() string {
	switch p {
	case Permitted:
		return "y"
	case Refused:
		return "n"
	}
	return "unknown"
}

// MarshalText implements [encoding.TextMarshaler] with the preference's name.
func (p Preference) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// A ContentUsage record says which uses of the content under a path are
// welcome (draft-ietf-aipref-attach, section 4).
type ContentUsage struct {
	Record
	Path        string                // a pattern, as of a rule; "/" where none is written
	Preferences map[string]Preference // by category, such as train-ai and search
}

// ContentUsages returns the content-usage records of the group.
func (g *Group) ContentUsages() []ContentUsage {
	return parsed(g.Records("content-usage"), parseContentUsage)
}

// Usage returns the preference of the group for using the content of a URL for a category, such as
// "train-ai" or "search". As among rules, the record with the longest path decides; records with
// equal paths are combined, and Refused wins. The result is meaningful only for a URL that the
// robot may fetch.
func (g *Group) Usage(url, category string) Preference {
	if g.policy == nil {
		return Unknown
	}
	r := g.policy.dialect.spec()
	path := r.pathOf(url)
	best, longest := Unknown, -1
	for _, u := range g.ContentUsages() {
		pat := r.compile(u.Path)
		if pat.Bytes < longest || !pat.Matches(path) {
			continue
		}
		if pat.Bytes > longest {
			best, longest = Unknown, pat.Bytes
		}
		best = max(best, u.Preferences[category]) // Refused is the greatest
	}
	return best
}

func parseContentUsage(r Record) (ContentUsage, error) {
	u := ContentUsage{Record: r, Path: "/"}
	value := r.Value
	if strings.HasPrefix(value, "/") {
		i := strings.IndexAny(value, " \t")
		if i < 0 {
			return u, errors.New("a path without preferences such as train-ai=n after it")
		}
		u.Path, value = value[:i], trim(value[i:])
	}
	d, err := sfv.ParseDictionary(value)
	if err != nil {
		return u, err
	}
	u.Preferences = make(map[string]Preference, len(d.Members))
	for _, m := range d.Members {
		u.Preferences[m.Key] = Unknown
		switch m.Value {
		case sfv.Token("y"):
			u.Preferences[m.Key] = Permitted
		case sfv.Token("n"):
			u.Preferences[m.Key] = Refused
		}
	}
	return u, nil
}

// A ContentSignal record says which uses of the content are welcome
// (contentsignals.org).
type ContentSignal struct {
	Record
	Search, AIInput, AITrain Preference
	Use                      string // immediate, reference or full; "" if not said
}

// ContentSignals returns the content-signal records of the group.
func (g *Group) ContentSignals() []ContentSignal {
	return parsed(g.Records("content-signal"), parseContentSignal)
}

func parseContentSignal(r Record) (ContentSignal, error) {
	s := ContentSignal{Record: r}
	for member := range strings.SplitSeq(r.Value, ",") {
		name, value, ok := strings.Cut(member, "=")
		name, value = lowered(trim(name)), lowered(trim(value))
		if !ok {
			return s, fmt.Errorf("%q is not of the form name=value, such as ai-train=no", trim(member))
		}
		var signal *Preference
		switch name {
		case "search":
			signal = &s.Search
		case "ai-input":
			signal = &s.AIInput
		case "ai-train":
			signal = &s.AITrain
		case "use":
			if value != "immediate" && value != "reference" && value != "full" {
				return s, fmt.Errorf("use=%q is not immediate, reference or full", value)
			}
			s.Use = value
			continue
		default:
			continue // an unknown signal, perhaps of another version
		}
		switch value {
		case "yes":
			*signal = max(*signal, Permitted)
		case "no":
			*signal = Refused
		default:
			return s, fmt.Errorf("%s=%q is not yes or no", name, value)
		}
	}
	return s, nil
}
