package export

import (
	"cmp"
	"embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/export/internal/headerregex"
	"github.com/robotsexclusion/robots/internal/url/reading"
)

// luaSource has the parts of the Lua file, which follow its data.
//
//go:embed lua
var luaSource embed.FS

var luaParts = []string{"headers.lua", "rules.lua", "exceptions.lua", "refuse.lua", "pace.lua", "servers.lua"}

// A luaWriter writes the Lua file, which is the same for all servers that run Lua: the data of a
// policy and of package agent as texts, and the program that reads them. A text has no limit,
// unlike the constants of a function in Lua.
type luaWriter struct {
	*plan
	strings.Builder
	groups  []*robots.Group
	numbers map[string]int // of groups, from 1 on, by their lines; 0 if a group allows all paths
}

// writeLuaFile returns the Lua file of a plan.
func writeLuaFile(p *plan) (File, error) {
	w := &luaWriter{plan: p, numbers: make(map[string]int)}
	fmt.Fprintf(w, `-- The rules of a robots.txt, written by "robots export".

-- lighttpd runs this file for each request.
local loaded = lighty and package.loaded["robots-%[1]s"]
if loaded then return loaded.lighttpd(lighty.r) end

local data = { site = "%[1]s", wellKnown = %[2]t, readings = {} }
`, p.site, p.options.WellKnown)
	if !p.options.Literal {
		for i, way := range reading.All {
			fmt.Fprintf(w, "data.readings[%d] = { slashes = %t, merged = %t, late = %t, bare = %t, twice = %t }\n",
				i+1, way.Slashes, way.Merged, way.Late, way.Bare, way.Twice)
		}
	}
	w.robots()
	w.tokens()
	w.words()
	w.rules()
	w.exceptions()
	for _, name := range luaParts {
		text, err := luaSource.ReadFile("lua/" + name)
		if err != nil {
			return File{}, err
		}
		w.Write(text)
	}
	return File{"robots-" + p.site + ".lua", []byte(w.String())}, nil
}

// number returns the number of a group.
func (w *luaWriter) number(g *robots.Group) int {
	key := fmt.Sprint(g.Lines())
	n, ok := w.numbers[key]
	if !ok {
		for rule := range g.Rules() {
			if !rule.Allow {
				w.groups = append(w.groups, g)
				n = len(w.groups)
				break
			}
		}
		w.numbers[key] = n
	}
	return n
}

// robots writes the robots of the table: their kind, the group that they obey, and whether an app
// on a device has their name.
func (w *luaWriter) robots() {
	lists, paces := make(map[string][]string), w.pacesOfNames()
	for name, a := range (*agent.Table)(nil).HeaderNames() {
		own, group, level := w.policy.ForOnly(a.Tokens()...), 0, levelOf(a)
		switch {
		case a.Kind != agent.Robot: // a tool, which passes
		case a.Device: // of a person
			level = headerregex.Device
		case own.Line() > 0:
			group = w.number(own)
		case a.Everyone() && a.Crawler() && w.options.Agents != Named:
			group = w.number(w.policy.For())
		}
		apps := 0
		if !a.Device && agent.Lookup(name+" CFNetwork").Device {
			apps = 1
		}
		key := fmt.Sprintf("%v %d %d %d %d", a.Kind, level, group, paces[name], apps)
		lists[key] = append(lists[key], name)
	}
	w.lists("robots", lists)
}

// tokens writes the groups of robots that are in no table.
func (w *luaWriter) tokens() {
	everyone := 0
	if w.options.Agents == All {
		everyone = w.number(w.policy.For())
	}
	fmt.Fprintf(w, "data.everyone = %d\n", everyone)
	w.paces()
	marks := agent.RobotMarks()
	for _, list := range []struct {
		name  string
		parts []string
	}{{"errands", marks.Errands}, {"crawls", marks.Crawls}} {
		fmt.Fprintf(w, "data.%s = \"%s\"\n", list.name, luaText(strings.Join(list.parts, ",")))
	}
	lists := make(map[string][]string)
	seen := make(map[string]bool)
	for _, g := range w.policy.Groups() {
		for _, token := range g.Agents() {
			folded := strings.ReplaceAll(lowered(token), "+", " ")
			if headerName.MatchString(token) && !seen[folded] {
				seen[folded] = true
				g, pace := w.policy.For(token), 0
				if w.pace != nil {
					pace = 1 + w.pace.number(g, agent.Agent{})
				}
				number := fmt.Sprint(w.number(g), " ", pace)
				lists[number] = append(lists[number], folded)
			}
		}
	}
	w.lists("tokens", lists)
}

// headerName matches the tokens that agent.Lookup can find in a header.
var headerName = regexp.MustCompile(`^(?:[0-9A-Za-z_!%.+-]|[^\x00-\x7f])+$`)

// lowered returns a text with ASCII letters in lower case.
func lowered(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// words writes the words of headers by their classes.
func (w *luaWriter) words() {
	lists := make(map[string][]string)
	for word, classes := range agent.HeaderWords() {
		key := strings.Join(classes, " ")
		lists[key] = append(lists[key], word)
	}
	w.lists("words", lists)
}

// lists writes a text with a line for each list.
func (w *luaWriter) lists(name string, lists map[string][]string) {
	fmt.Fprintf(w, "data.%s = \"\\\n", name)
	for _, key := range slices.Sorted(maps.Keys(lists)) {
		fmt.Fprintf(w, "%s:%s\\\n", key, luaText(strings.Join(lists[key], ",")))
	}
	w.WriteString("\"\n")
}

// rules writes the rules of all groups, the strongest first.
func (w *luaWriter) rules() {
	w.WriteString("data.rules = \"\\\n")
	for _, g := range w.groups {
		w.WriteString("group:\\\n")
		type numbered struct {
			robots.Rule
			pattern robots.Pattern
		}
		var rules []numbered
		for rule, p := range g.Patterns() {
			if text := p.String(); text == "" || text[0] == '/' || text[0] == '*' { // others match no path
				rules = append(rules, numbered{rule, p})
			}
		}
		slices.SortStableFunc(rules, func(a, b numbered) int {
			if a.pattern.Bytes == b.pattern.Bytes && a.Allow != b.Allow {
				if a.Allow {
					return -1
				}
				return 1
			}
			return cmp.Compare(b.pattern.Bytes, a.pattern.Bytes)
		})
		for _, r := range rules {
			verdict := "disallow"
			if r.Allow {
				verdict = "allow"
			}
			fmt.Fprintf(w, "%s %d:%s\\\n", verdict, r.Line, luaText(r.pattern.String()))
		}
	}
	w.WriteString("\"\n\n")
}

// exceptions writes the exceptions of the operator.
func (w *luaWriter) exceptions() {
	fields := ""
	for _, h := range w.passHeaders() {
		fields += h.name + ":" + h.value + "\\\n"
	}
	fmt.Fprintf(w, "data.methods = \"%s\"\ndata.passPaths = \"%s\"\n", strings.Join(w.judgedMethods(), ","),
		strings.Join(w.options.PassPaths, ","))
	fmt.Fprintf(w, "data.passAddresses = \"%s\"\ndata.passHeaders = \"\\\n%s\"\n\n", w.passAddresses(","), fields)
}

// luaText returns a text for a string of Lua between quotes: all bytes but some are written by
// number.
func luaText(text string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			strings.IndexByte(" /_~=&:,;@.*$%!-", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\%03d`, c)
		}
	}
	return b.String()
}
