package pageask

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/proof"
)

// An engineVerdict is the verdict of a search engine whose reading of robots.txt differs from RFC
// 9309.
type engineVerdict struct {
	Engine string       `json:"engine"` // the name of its reader in package proof
	Own    bool         `json:"own"`    // its operator runs the robot, so the verdict is the one that counts
	Match  robots.Match `json:"match"`
	Why    string       `json:"why"` // a word for the difference: see why
}

// engines returns the search engines that read robots.txt in their own way, and the verdicts of the
// engines whose answer differs from RFC 9309. An engine has its own fallbacks for its own robots.
// For a robot of another operator, it reads the group that the robot obeys.
func engines(p *robots.Policy, robot agent.Subject, url string) (asked []string, differ []engineVerdict) {
	asked, differ = []string{}, []engineVerdict{}
	verdict := robot.Group(p.In(robots.RFC9309)).Match(url)
	for _, r := range proof.Readers() {
		if _, err := robots.ParseDialect(r.Name); err == nil {
			continue // the answer has all dialects
		}
		token, own := "", false
		if len(robot.Tokens) > 0 && agent.Named(robot.Tokens[0]).Operator == r.Operator {
			token, own = robot.Tokens[0], true
		} else if token = obeyed(p, robot); token == "" {
			continue
		}
		asked = append(asked, r.Name)
		if m := r.Match(p, token, url); m.Allowed != verdict.Allowed {
			differ = append(differ, engineVerdict{r.Name, own, m, why(p, m)})
		}
	}
	return asked, differ
}

// obeyed returns the name in the file that matches a robot, or "" if it obeys no
// group.
func obeyed(p *robots.Policy, robot agent.Subject) string {
	for _, token := range robot.Obeys() {
		if token == "*" || p.ForOnly(token).Line() != 0 {
			return token
		}
	}
	return ""
}

// why returns a word for the reason of an engine's verdict that RFC 9309 does not give. Only the
// engine of Yandex has such reasons:
//
//   - size: a file of more than 500 KiB has no rules;
//   - names: a line between user-agent lines ends the group before it;
//   - empty: "Disallow:" is "Allow: /";
//   - weight: a rule counts by its letters without "*" and "$".
func why(p *robots.Policy, m robots.Match) string {
	switch {
	case len(p.String()) > maxText:
		return "size"
	case m.Rule.Line == 0:
		return "names"
	}
	if line, ok := lineOf(p, m.Rule.Line); ok && line.Kind == robots.Disallow && strings.TrimSpace(line.Value) == "" {
		return "empty"
	}
	return "weight"
}

// lineOf returns a line of a text by its number.
func lineOf(p *robots.Policy, number int) (robots.Line, bool) {
	for n, line := range p.Lines() {
		if n == number {
			return line, true
		}
	}
	return robots.Line{}, false
}
