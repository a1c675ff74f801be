package lint

import (
	"strings"
	"sync"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/nearest"
)

var unknownAgent = &Check{
	Name:     "unknown-agent",
	Severity: Info,
	Profiles: usually,
	run: func(p *pass) {
		asked := make(map[string]string)
		p.lines(func(l *line) {
			v := l.Value
			if v == "" || v == "*" || len(v) > maxAgentName || p.namesIn(v) != nil || strings.ContainsAny(v, "*/:()") {
				return
			}
			near, ok := asked[v]
			if !ok && len(asked) < maxRobots {
				near = p.nearestAgent(v)
				asked[v] = near
			}
			if near != "" {
				p.report(l.value(), textUnknownAgent, near)
			}
		}, robots.UserAgent)
	},
}

// maxAgentName is how long a name may be that is compared with known ones.
const maxAgentName = 60

// An agentToken is the name of a robot, and the same in the form of plainName.
type agentToken struct{ plain, token string }

// agentTokens returns the names of the robots that are known.
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

// nearestAgent returns the known robot that a name is a misspelling of, or "".
// It is one where nothing but blanks, dots, "-" and "_" differ, or else one letter
// of nine or more, or two of fourteen: the names of robots are short and alike.
func (p *pass) nearestAgent(name string) string {
	if p.options.Robots.Named(name).Known() || p.options.Robots.Named(strings.Fields(name)[0]).Known() {
		return ""
	}
	plain := plainName(name)
	if otherNames[plain] {
		return ""
	}
	i := strings.LastIndexAny(name, "-_")
	variant := i > 0 && len(name)-i <= shortName && p.knows(name[:i]) // as "SemrushBot-BM" of SemrushBot
	best, near := 3, ""
	for _, of := range p.agentTokens() {
		other := of.plain
		most := min(best-1, 2)
		switch {
		case len(other) < 9 || variant:
			most = min(most, 0)
		case len(other) < 14:
			most = min(most, 1)
		}
		if d := len(plain) - len(other); d > most || -d > most || most < 0 {
			continue
		}
		if d := nearest.Distance(plain, other); d <= most {
			best, near = d, of.token
		}
	}
	return near
}

// firstWord returns what stands before the first blank of a value. Only SP and TAB
// are blanks: a name may be nothing but a no-break space.
func firstWord(value string) string {
	if i := strings.IndexAny(value, " \t"); i >= 0 {
		return value[:i]
	}
	return value
}

// otherNames are robots that package agent does not know, and that are spelt much
// like others.
var otherNames = map[string]bool{"yodaobot": true, "deeptrawl": true, "echobot": true, "echobotbot": true}

var agentMarks = strings.NewReplacer("-", "", "_", "", " ", "", ".", "")

func plainName(name string) string { return agentMarks.Replace(strings.ToLower(name)) }

var textUnknownAgent = language.New(
	"no robot is known by this name; \"%[1]s\" is spelt much like it",
	"no se conoce ningún robot con este nombre; «%[1]s» se escribe de forma muy parecida",
	"이 이름으로 알려진 로봇이 없습니다. \"%[1]s\"와(과) 철자가 매우 비슷합니다",
	"робот с таким именем неизвестен; очень похоже пишется «%[1]s»",
)
