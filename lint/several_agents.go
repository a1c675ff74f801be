package lint

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var severalAgents = &Check{
	Name:     "several-agents",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			names := p.namesIn(l.Value)
			if names == nil {
				return
			}
			d := p.report(l.value(), textSeveralAgents)
			d.Fix = &Fix{
				Title:  p.say(textSplitAgents),
				Effect: Changes,
				Safe:   true,
				Edits:  []Edit{l.value().edit(strings.Join(names, l.ending()+l.Field+": "))},
			}
		}, robots.UserAgent)
	},
}

// namesIn returns the names in a list of robots, without their versions. They are separated by
// commas, semicolons or bars, or by blanks if package agent knows each name. It returns nil for
// other values, such as a whole User-Agent header or a name of several words.
func (p *pass) namesIn(value string) []string {
	if strings.ContainsAny(value, "():[]") || len(value) > maxNames {
		return nil
	}
	split := func(c rune) bool { return strings.ContainsRune(",;|", c) }
	listed := strings.ContainsFunc(value, split)
	names := strings.Fields(value)
	if listed {
		names = strings.FieldsFunc(value, split)
	}
	versions, known := 0, 0
	for i, name := range names {
		name = strings.TrimSpace(name)
		bare, version, found := strings.Cut(name, "/")
		if bare = strings.TrimSpace(bare); found {
			if !isVersion(version) || strings.EqualFold(bare, "Mozilla") {
				return nil
			}
			versions++
		}
		if bare == "" || bare != "*" && !startsWithLetter(bare) || strings.Contains(bare, " ") && !p.knows(bare) {
			return nil
		}
		if p.knows(bare) || bare == "*" {
			known++
		}
		names[i] = bare
	}
	switch {
	case len(names) < 2:
		return nil
	case !listed && (versions == 0 && p.knows(value) || !p.isList(names)):
		return nil
	case versions > 0 && versions < len(names) && known == 0, versions > 0 && strings.Contains(value, ";") &&
		known < len(names): // "Tool/1.0;linux"
		return nil
	}
	return names
}

// isVersion reports whether a text after a slash is the version of a robot, such as "2.1" or "v3".
func isVersion(text string) bool {
	text = strings.TrimLeft(strings.TrimSpace(text), "vV")
	return text != "" && '0' <= text[0] && text[0] <= '9' && !strings.ContainsAny(text, " \t/")
}

// maxNames is the maximum length of a list of robots that is examined.
const maxNames = 4096

// knows reports whether the table of the options has a robot with exactly this name.
func (p *pass) knows(name string) bool { return p.options.Robots.Named(name).Known() }

func startsWithLetter(s string) bool { return 'a' <= s[0]|0x20 && s[0]|0x20 <= 'z' }

// shortName is the maximum length of names that may also be common words: "Web Fetch" is one
// robot, although there are robots Web and Fetch.
const shortName = 5

// isList reports whether each of these words is a robot, no word occurs twice, and at least one
// is not a common word: "bot Bot" is not a list, and "Slurp Googlebot" is one.
func (p *pass) isList(names []string) bool {
	var tokens []string
	certain := false
	for _, name := range names {
		if name == "*" {
			certain = true
			continue
		}
		if !p.knows(name) {
			return false
		}
		certain = certain || !isCommonWord(name)
		token := strings.ToLower(p.options.Robots.Named(name).Token)
		if slices.Contains(tokens, token) {
			return false
		}
		tokens = append(tokens, token)
	}
	return certain
}

// isCommonWord reports whether the name of a robot may also be a word in another name. Words
// that end in "bot", such as "CCBot", are usually names.
func isCommonWord(name string) bool {
	return strings.EqualFold(name, "Operator") || // "ChatGPT Operator" is one robot
		len(name) <= shortName && !(len(name) > len("bot")+1 && strings.EqualFold(name[len(name)-3:], "bot"))
}

var (
	textSeveralAgents = language.New(
		"a user-agent line names one robot: of this list robots take at most the first name, and none where a comma follows; write a line for each")
	textSplitAgents = language.New("write a line for each robot; the group is for all of them then")
)
