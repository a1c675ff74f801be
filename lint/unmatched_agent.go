package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var unmatchedAgent = &Check{
	Name:     "unmatched-agent",
	Severity: Warning,
	Profiles: usually,
	run: func(p *pass) {
		var first span // of the names with blanks that match no other robot
		var firstToken string
		blanks := 0
		blank := func(l *line, token string) {
			if blanks++; blanks == 1 {
				first, firstToken = l.value(), token
			}
			if p.options.Profile == Strict {
				p.report(l.value(), textBlankInName, token).Severity = Info
			}
		}
		p.end(func() {
			// Otherwise they are reported once: such a file usually contains a list of robots
			// copied from elsewhere.
			if blanks > 0 && p.options.Profile != Strict {
				p.report(first, textBlanksInNames, firstToken, blanks).Severity = Info
			}
		})
		p.lines(func(l *line) {
			v := l.Value
			if v == "" || v == "*" || len(v) > maxNames || p.namesIn(v) != nil {
				return
			}
			if i, _ := recordIn(v); i >= 0 || markupIn(v) {
				return
			}
			token, google := nameIn(robots.RFC9309, v), nameIn(robots.Google, v)
			warn := func(message language.Text, args ...any) *Diagnostic {
				return p.report(l.value(), message, args...)
			}
			// A name that matches only the intended robot is reported in profile strict.
			tell := func(message language.Text, args ...any) *Diagnostic {
				if p.options.Profile != Strict {
					return &p.spare
				}
				d := p.report(l.value(), message, args...)
				d.Severity = Info
				return d
			}
			switch {
			case strings.HasPrefix(v, "*") && token == "*":
				// Everyone, followed by text that is ignored.
			case strings.HasPrefix(v, "*") && google == "*" && strings.Trim(v, "* \t") != "":
				warn(textStarAnd) // such as "* Rex", a list of Kollar's
			case strings.HasPrefix(v, "*") && google == "*":
			case strings.Contains(token, "*") && google == "":
				d := warn(textStarNoName, token)
				if name := strings.Trim(v, "*"); p.knows(name) {
					d.Fix = writeName(p, l, name)
				}
			case strings.Contains(token, "*") && p.options.Robots.Named(google).Operator == "Google":
				// Its robot reads the name as intended.
				tell(textStarInName, token, google).Fix = writeName(p, l, google)
			case strings.Contains(token, "*"):
				warn(textStarInName, token, google).Fix = writeName(p, l, google)
			case strings.ContainsAny(v, "();") || strings.HasPrefix(v, "Mozilla/"):
				if a := p.options.Robots.Lookup(v); strings.EqualFold(a.Token, token) && a.Known() {
					// A version is ignored, probably as intended.
				} else if a.Known() {
					warn(textHeaderOf, token, a.Token).Fix = writeName(p, l, a.Token)
				} else {
					warn(textHeader, token)
				}
			case strings.ContainsAny(v, " \t") && !strings.Contains(firstWord(v), "/"):
				if p.knows(v) || len(token) <= shortName || !p.knows(token) {
					blank(l, token) // its operator recommends the name, or no other robot matches
				} else {
					warn(textBlankInName, token)
				}
			case strings.Contains(v, "/"):
				// A version is ignored here too.
			case google == "":
				tell(textNoneForGoogle)
			case google != token:
				tell(textCutByGoogle, google)
			}
		}, robots.UserAgent)
	},
}

// writeName returns the fix that writes the name of a robot in a user-agent line. It is safe if a
// robot is known that goes by the name.
func writeName(p *pass, l *line, name string) *Fix {
	name = strings.TrimRight(name, "-_")
	edits := []Edit{l.value().edit(name)}
	return &Fix{Title: p.say(textWriteName, name), Effect: Changes, Safe: p.knows(name), Edits: edits}
}

// nameIn returns the name that a dialect reads in a user-agent line, or "".
func nameIn(d robots.Dialect, value string) string {
	for _, g := range d.Parse([]byte("User-agent: " + value + "\nDisallow: /")).Groups() {
		for _, name := range g.Agents() {
			return name
		}
	}
	return ""
}

var (
	textStarInName = language.New(
		"\"*\" is no wildcard in a name: rfc9309 compares \"%[1]s\", which no robot goes by, and google \"%[2]s\"")
	textStarNoName = language.New(
		"\"*\" is no wildcard in a name: rfc9309 compares \"%[1]s\", which no robot goes by, and google finds no name here")
	textWriteName = language.New("write \"%[1]s\"; the group is for this robot then")
	textHeaderOf  = language.New(
		"a User-Agent header is no name: rfc9309 compares \"%[1]s\" of it; the robot goes by \"%[2]s\"")
	textHeader      = language.New("a User-Agent header is no name: rfc9309 compares \"%[1]s\" of it")
	textBlankInName = language.New(
		"a name ends at the first blank: rfc9309 compares \"%[1]s\", the documents of 1994 and 1996 look for the whole text in the robot's name")
	textBlanksInNames = language.New(
		"a name ends at the first blank: rfc9309 compares \"%[1]s\"; names with a blank in this file: %[2]d")
	textStarAnd = language.New(
		"a user-agent line is \"*\" alone or one name: google and the document of 1996 read \"*\" here, and the rules are for all robots; rfc9309 finds neither, and they are for none; write a line for each")
	textNoneForGoogle = language.New(
		"a name has only letters, \"-\" and \"_\": robots built on Google's parser find none here")
	textCutByGoogle = language.New(
		"a name has only letters, \"-\" and \"_\": robots built on Google's parser compare \"%[1]s\"")
)
