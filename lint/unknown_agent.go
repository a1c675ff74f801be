package lint

import (
	"slices"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/nearest"
)

var unknownAgent = &Check{
	Name:     "unknown-agent",
	Severity: Warning,
	Profiles: usually,
	run: func(p *pass) {
		asked := make(map[string]func(span))
		p.lines(func(l *line) {
			v := l.Value
			if v == "" || v == "*" || len(v) > maxAgentName || p.namesIn(v) != nil || strings.ContainsAny(v, "*/:()") ||
				p.knows(v) || framed(p, v) != "" {
				return
			}
			if meansEveryone(v) {
				p.report(l.value(), textEveryone, v).Fix = writeEveryone(p, l)
				return
			}
			report, ok := asked[v]
			if !ok && len(asked) < maxRobots {
				report = p.nobodyBy(v)
				asked[v] = report
			}
			if report != nil {
				report(l.value())
			}
		}, robots.UserAgent)
	},
}

// maxAgentName is the maximum length of a name that is compared with known ones.
const maxAgentName = 60

// An agentToken is the name of a robot, as written and in the form of plainName.
type agentToken struct{ plain, token string }

// agentTokens returns the names of the known robots.
func (f *file) agentTokens() []agentToken {
	if f.options.Robots == nil {
		return builtinTokens()
	}
	if f.tokens == nil {
		f.tokens = tokensOf(f.options.Robots)
	}
	return f.tokens
}

var builtinTokens = sync.OnceValue(func() []agentToken { return tokensOf(nil) })

func tokensOf(table *agent.Table) (tokens []agentToken) {
	for a := range table.All() {
		tokens = append(tokens, agentToken{plainName(a.Token), a.Token})
	}
	return tokens
}

// nobodyBy returns what reports a name that no robot goes by, if people call robots so, or it is a
// misspelling of a known one; else nil.
func (p *pass) nobodyBy(name string) func(span) {
	plain := plainName(name)
	if p.knows(firstWord(name)) || otherNames[plain] {
		return nil
	}
	if unnamed[plain] {
		return func(at span) { p.report(at, textUnnamed) }
	}
	if called := calledBy(p.options.Robots, name); len(called) > 0 {
		// Where the file names them as well, nothing is amiss.
		called = slices.DeleteFunc(called[:min(len(called), mostCalled)], func(token string) bool {
			return strings.EqualFold(p.policy.For(token).Token(), token)
		})
		if len(called) == 0 {
			return nil
		}
		return func(at span) { p.report(at, textMisnomer, strings.Join(called, ", "), called[0]) }
	}
	if near := p.nearestAgent(name); near != "" {
		return func(at span) { p.report(at, textUnknownAgent, near) }
	}
	return nil
}

// meansEveryone reports whether a name is a word for all robots.
func meansEveryone(name string) bool { return everyone().MatchString(plainName(name)) }

var everyone = lazyRegexp(`^(any|every)(one|body|thing)$` +
	`|^(all|any|every)(the)?(search)?(engine|web|user)?(robot|bot|crawler|spider|agent|engine)?s?$`)

// writeEveryone returns the fix that writes "*" in a user-agent line. It is not safe: the group has
// reached nobody so far.
func writeEveryone(p *pass, l *line) *Fix {
	return &Fix{Title: p.say(textWriteEveryone), Effect: Changes, Edits: []Edit{l.value().edit("*")}}
}

// mostCalled is the maximum number of robots that a message says a name stands for: those that
// people mean are first.
const mostCalled = 3

// calledBy returns the product tokens of the robots that people call by a name: a common name, or
// that of an operator whose robots are named after it, as MojeekBot is. Names of other operators
// and parts of tokens may be those of other robots: DISCo is not discobot.
func calledBy(table *agent.Table, name string) (tokens []string) {
	all, err := table.Resolve(name)
	if err != nil {
		return nil
	}
	for _, s := range all {
		token, plain := s.Tokens[0], plainName(name)
		if s.Common || len(s.Called) > 0 && plainName(table.Named(token).Operator) == plain &&
			strings.HasPrefix(plainName(token), plain) {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

// nearestAgent returns the known robot that a name likely means, or "". The name is a misspelling
// of a known one: only blanks, dots, "-" and "_" differ, or two neighbouring letters are swapped, or
// there is one wrong letter among six or more letters of its own, besides "bot" and similar parts,
// or two among twelve or more. Names of robots are short and similar: "occ-crawler" is not
// ICC-Crawler, and Wotbot is not Wotbox.
func (p *pass) nearestAgent(name string) string {
	plain := plainName(name)
	i := strings.LastIndexAny(name, "-_")
	variant := i > 0 && len(name)-i <= shortName && p.knows(name[:i]) // such as "SemrushBot-BM" of SemrushBot
	best, near := 3, ""
	for _, of := range p.agentTokens() {
		other := of.plain
		most := slips(plain, other)
		if variant {
			most = 0
		}
		most = min(most, best-1)
		if d := len(plain) - len(other); d > most || -d > most || most < 0 {
			continue
		}
		if d := nearest.Distance(plain, other); d <= most {
			best, near = d, of.token
		}
	}
	return near
}

// slips returns the maximum number of wrong letters in a misspelling of a known name.
func slips(name, known string) int {
	own, ending := len(known), 0
	for _, word := range []string{"crawler", "spider", "robot", "bot"} {
		if rest, ok := strings.CutSuffix(known, word); ok {
			own, ending = len(rest), len(word)
			break
		}
	}
	switch {
	case len(known) >= 6 && name != "" && name[0] == known[0] && sameLetters(name, known):
		return 1 // two letters are swapped, even among few
	case own >= 12:
		return 2
	case own >= 8, own >= 6 && ending > 0:
		return 1
	}
	return 0
}

// sameLetters reports whether two names consist of the same letters.
func sameLetters(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	var counts [256]int
	for i := range len(a) {
		counts[a[i]]++
		counts[b[i]]--
	}
	return counts == [256]int{}
}

// firstWord returns the part of a value before the first blank. Only SP and TAB are blanks: a
// name may consist of a no-break space.
func firstWord(value string) string {
	if i := strings.IndexAny(value, " \t"); i >= 0 {
		return value[:i]
	}
	return value
}

// otherNames are robots that package agent does not know, with names similar to others.
var otherNames = map[string]bool{"yodaobot": true, "deeptrawl": true, "echobot": true, "echobotbot": true,
	"metaspider": true, "mozilla": true}

var agentMarks = strings.NewReplacer("-", "", "_", "", " ", "", ".", "")

func plainName(name string) string { return agentMarks.Replace(strings.ToLower(name)) }

// unnamed are names of companies and their assistants that document no robot, in the form of
// plainName.
var unnamed = map[string]bool{"grok": true, "xai": true}

var (
	textUnknownAgent = language.New(
		"no known robot has this name, so the rules below apply to none; did you mean %[1]s?")
	textMisnomer = language.New(
		"no robot goes by this name, so the rules below do not reach %[1]s: write \"User-agent: %[2]s\"")
	textEveryone = language.New(
		"no robot is called \"%[1]s\", so the rules below apply to none: \"*\" is the name for all robots")
	textWriteEveryone = language.New("write \"*\"; the group is for all robots without a group of their own then")
	textUnnamed       = language.New(
		"no robot goes by this name, and its company documents no robot: the rules below reach none")
)
