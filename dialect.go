package robots

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/internal/ruleindex/byteclass"
)

// A Dialect is one document's way of reading robots.txt: which lines form a group, which group a
// robot obeys and which rule of the group decides. The same text may mean different things in
// different dialects; [Policy.In] reads a policy again in another one.
//
// The zero Dialect is [RFC9309].
type Dialect uint8

// The dialects, each named after the document or program that it follows.
const (
	// RFC9309 is the Robots Exclusion Protocol of 2022, which today's web
	// follows: groups end at a user-agent line after a rule, "*" and "$" are
	// special in paths, and the rule with the most bytes decides.
	RFC9309 Dialect = iota

	// Google is the behavior of Google's open source parser, byte for byte: RFC 9309 with the
	// parser's leniency (misspelt fields, missing colons) and without decoding percent-encoded
	// bytes.
	Google

	// Koster1994 is "A Standard for Robot Exclusion" of 30 June 1994:
	// records end at blank lines, Disallow is the only rule, paths are plain
	// prefixes.
	Koster1994

	// Koster1996 is draft-koster-robots-00, as taught by "HTTP: The
	// Definitive Guide": the text of 1994 with Allow; the first rule in the
	// file that matches decides.
	Koster1996

	// Kollar1996 is "Robot Exclusion Standard Revisited" by Kollar, Leavitt and Mauldin: the text
	// of 1994 with several agents and several paths on one line.
	Kollar1996
)

// dialectSpec holds a dialect's answers to the questions on which dialects differ. One engine asks
// these questions for all dialects.
type dialectSpec struct {
	name string

	// records is set if a blank line ends a group, which was called a record then.
	records bool
	// lists is set if one line may name several agents or paths.
	lists bool
	// allow is set if Allow is a rule.
	allow bool
	// wildcards is set if "*" and a last "$" are special in paths.
	wildcards bool
	// substring is set if a robot obeys the first group with a name that is a part of the robot's
	// name, instead of all groups with exactly the robot's name.
	substring bool
	// firstMatch is set if the first matching rule of the file decides, instead of the longest.
	firstMatch bool
	// robotsFile is set if /robots.txt itself is always allowed.
	robotsFile bool
	// google is set for the handling of lines and names that only Google's parser has.
	google bool

	// emptyAllow is set if an Allow without a path allows every path. All other rules without a
	// path have no effect.
	emptyAllow bool

	// The forms in which a pattern and the path of a URL are compared. A path needs rewriting only
	// if it has bytes of the classes in abnormal. A pattern with bytes of the classes in odd may
	// need rewriting, or may be more than a stem.
	pattern, path form
	abnormal, odd byteclass.Set
	// encodes are the classes of bytes that the form of a pattern encodes. Parse does not look at
	// all bytes of a stem one by one. A stem with such bytes in the part not looked at matches only
	// paths with a "%", and is normalized when the first such path is asked for.
	encodes byteclass.Set
}

var dialectSpecs = [...]dialectSpec{
	RFC9309: {
		name: "rfc9309", allow: true, wildcards: true, robotsFile: true,
		pattern: encodedPattern, path: encodedPath,
		abnormal: byteclass.Percent | byteclass.Star | byteclass.Dollar | byteclass.High | byteclass.Never,
		encodes:  byteclass.Never,
		odd:      byteclass.Percent | byteclass.Star | byteclass.Dollar | byteclass.High | byteclass.Never,
	},
	Google: {
		name: "google", allow: true, wildcards: true, google: true,
		pattern: givenPattern, path: givenPath, abnormal: byteclass.NUL,
		odd: byteclass.Percent | byteclass.Star | byteclass.Dollar | byteclass.High,
	},
	Koster1994: {
		name: "koster1994", records: true, substring: true, firstMatch: true,
		pattern: decoded, path: decoded, abnormal: byteclass.Percent, odd: byteclass.Percent,
	},
	Koster1996: {
		name: "koster1996", records: true, substring: true, firstMatch: true, allow: true, emptyAllow: true,
		pattern: decoded, path: decoded, abnormal: byteclass.Percent, odd: byteclass.Percent,
	},
	Kollar1996: {
		name: "kollar1996", records: true, substring: true, firstMatch: true, lists: true,
		pattern: decoded, path: decoded, abnormal: byteclass.Percent, odd: byteclass.Percent,
	},
}

// spec returns the answers of d. An unknown value reads as [RFC9309].
func (d Dialect) spec() *dialectSpec {
	if int(d) >= len(dialectSpecs) {
		d = RFC9309
	}
	return &dialectSpecs[d]
}

// FirstMatch reports whether the first matching rule of a group decides, instead of the rule with
// the longest pattern.
func (d Dialect) FirstMatch() bool { return d.spec().firstMatch }

// AllowsRobotsFile reports whether /robots.txt itself is allowed regardless of the rules.
func (d Dialect) AllowsRobotsFile() bool { return d.spec().robotsFile }

// Dialects returns all dialects, the default first.
func Dialects() []Dialect {
	return []Dialect{RFC9309, Google, Koster1994, Koster1996, Kollar1996}
}

// ParseDialect returns the dialect with the given name, as [Dialect.String] returns it, in letters
// of any case.
func ParseDialect(name string) (Dialect, error) {
	names := make([]string, 0, len(dialectSpecs))
	for _, d := range Dialects() {
		if strings.EqualFold(name, d.String()) {
			return d, nil
		}
		names = append(names, d.String())
	}
	return 0, fmt.Errorf("unknown dialect %q: the dialects are %s", name, strings.Join(names, ", "))
}

// String returns the dialect's name in lower case, such as "rfc9309".
func (d Dialect) String() string { return d.spec().name }

// MarshalText implements [encoding.TextMarshaler] with the dialect's name.
func (d Dialect) MarshalText() ([]byte, error) { return []byte(d.String()), nil }
