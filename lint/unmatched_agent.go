package lint

import (
	"strings"
	"unicode"

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
		blanks, asked := 0, 0
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
			case strings.Contains(token, "*"):
				starred(p, l, token, google, asked < maxRobots)
				asked++
			case strings.Contains(v, "*") && !hasLetter(v): // such as "/*"
				warn(textStarNoName, v).Fix = writeEveryone(p, l)
			case framed(p, v) != "":
				name := framed(p, v)
				warn(textFramed, name).Fix = writeName(p, l, name)
			case strings.ContainsAny(v, "();") || strings.HasPrefix(v, "Mozilla/"):
				if a := p.options.Robots.Lookup(v); strings.EqualFold(a.Token, token) && a.Known() {
					// A version is ignored, probably as intended.
				} else if a.Known() {
					warn(textHeaderOf, token, a.Token).Fix = writeName(p, l, a.Token)
				} else {
					warn(textHeader, token)
				}
			case meansEveryone(v): // another check reports it
			case isVersion(strings.TrimPrefix(v, token)):
				tell(textBlankInName, token) // "ExampleBot 1.0" is found as ExampleBot
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

// starred reports a name with a "*" in it. google is the name that Google's parser reads, or "". It
// looks for who is meant if that is not too much work.
func starred(p *pass, l *line, token, google string, look bool) {
	name := strings.TrimRight(strings.Trim(token, "*"), "-_")
	report := func(message language.Text, args ...any) *Diagnostic { return p.report(l.value(), message, args...) }
	if !hasLetter(name) { // such as ".*" and "[*]"
		report(textStarNoName, token).Fix = writeEveryone(p, l)
		return
	}
	known := p.knows(name)
	if !known && look && len(name) <= maxAgentName && !strings.Contains(name, "*") {
		if meansEveryone(name) {
			report(textEveryone, l.Value).Fix = writeEveryone(p, l)
			return
		}
		if unnamed[plainName(name)] {
			report(textUnnamed)
			return
		}
		if called := calledBy(p.options.Robots, name); len(called) > 0 {
			list := strings.Join(called[:min(len(called), mostCalled)], ", ")
			d := report(textStarMisnomer, name, list)
			d.Fix = writeName(p, l, called[0])
			d.Fix.Safe = false // it may stand for more of them
			return
		}
	}
	var d *Diagnostic
	switch asMeant := p.options.Robots.Named(google).Operator == "Google"; { // its robot reads the name so
	case google == "":
		d = report(textStarNoName, token)
	case asMeant && p.options.Profile != Strict:
		return
	default:
		if d = report(textStarInName, token, google); asMeant {
			d.Severity = Info
		}
	}
	switch {
	case known:
		d.Fix = writeName(p, l, name)
	case p.knows(google): // "Googlebot*Image"
		d.Fix = writeName(p, l, google)
	case token != name+"*" && token != name+"-*", genericNames[strings.ToLower(name)],
		nameIn(robots.RFC9309, name) != name:
		// What is meant is not known.
	default:
		if look && len(name) <= maxAgentName {
			if near := p.nearestAgent(name); near != "" {
				d.Fix = writeName(p, l, near)
				d.Fix.Safe = false
				return
			}
		}
		d.Fix = writeName(p, l, name)
	}
}

// framed returns the name in a value that has signs around it which no name has, as in "[GPTBot]",
// "GPTBot:" and "/GPTBot/i", or "". The name is that of a known robot, or signs stand before
// and behind it. Other checks report quotes.
func framed(p *pass, value string) string {
	name := strings.TrimLeftFunc(value, isFrame)
	front := len(value) - len(name)
	rest := ""
	if i := strings.IndexAny(name, "/ \t"); i >= 0 {
		name, rest = name[:i], name[i:]
	}
	whole := name
	name = strings.TrimRightFunc(name, isFrame)
	if name == "" || front == 0 && name == whole || strings.Contains(value, "://") ||
		strings.ContainsAny(rest, " \t") && hasLetter(rest) || strings.ContainsFunc(name, isFrame) {
		return ""
	}
	if behind := name != whole || strings.HasPrefix(rest, "/"); p.knows(name) ||
		front > 0 && behind && startsWithLetter(name) {
		return name
	}
	return ""
}

// hasLetter reports whether a name has a letter or digit.
func hasLetter(name string) bool {
	return strings.ContainsFunc(name, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
}

// isFrame reports whether a character is a sign or a blank that no name has.
func isFrame(c rune) bool {
	switch {
	case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c >= 0x80, strings.ContainsRune("-_.*\"'`", c):
		return false
	}
	return true
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
		"\"*\" is not a wildcard in a name: rfc9309 compares \"%[1]s\", which no robot goes by, and google \"%[2]s\"")
	textStarNoName = language.New(
		"\"*\" is not a wildcard in a name: rfc9309 compares \"%[1]s\", which no robot goes by, and google finds no name here")
	textStarMisnomer = language.New(
		"\"*\" is not a wildcard in a name, and no robot goes by \"%[1]s\": write a line for each that is meant, such as %[2]s")
	textFramed = language.New(
		"a name has no signs around it: by rfc9309 the rules below do not reach %[1]s")
	textWriteName = language.New("write \"%[1]s\"; the group is for this robot then")
	textHeaderOf  = language.New(
		"a User-Agent header is not a name: rfc9309 compares \"%[1]s\" of it; the robot goes by \"%[2]s\"")
	textHeader      = language.New("a User-Agent header is not a name: rfc9309 compares \"%[1]s\" of it")
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
