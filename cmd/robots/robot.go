package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/robotname"
	"github.com/robotsexclusion/robots/proof"
	"github.com/spf13/cobra"
)

// An agentsFlag has the values of --agent, and --unknown. It means the same in all verbs.
type agentsFlag struct {
	texts   []string
	unknown bool // accept names that nobody knows
}

// helpOnAgents is a part of the help of verbs with --agent.
const helpOnAgents = `--agent takes what you call a robot: a product token, such as Googlebot-Image, a
User-Agent header, a common name, such as claude, an operator, such as OpenAI, or a
purpose, such as ai-train, for all robots with it; or several of these, with commas
between them. Repeat it for more. A name that neither 'robots agents' nor the file
knows is an error with the name that you probably meant, since the answer would be
that for everyone; --unknown accepts it.`

// add adds the flags. what says what they are for.
func (f *agentsFlag) add(cmd *cobra.Command, what string) {
	cmd.Flags().StringArrayVarP(&f.texts, "agent", "a", nil, what)
	cmd.Flags().BoolVar(&f.unknown, "unknown", false, "accept names of robots that this program does not know")
	completeNames(cmd, "agent", completePurposes)
}

// given reports whether there is a robot.
func (f *agentsFlag) given() bool { return len(f.texts) > 0 }

// everyone is the robot without a name.
var everyone = agent.Subject{Name: "*", Tokens: []string{"*"}}

// resolve returns the robots, or the robot without a name if none is given. The names in the
// policies are known, and so are those in the table, which may be nil. The robots come with a
// [robotname.UnknownError] too.
func (f *agentsFlag) resolve(table *agent.Table, l language.Language,
	policies ...*robots.Policy) ([]agent.Subject, error) {
	switch {
	case !f.given() && f.unknown:
		return nil, cli.Misusef("--unknown goes with --agent: it takes the names there as they are")
	case !f.given():
		return []agent.Subject{everyone}, nil
	}
	known := &robotname.Names{Table: table, Language: l}
	for _, p := range policies {
		addNames(known, p)
	}
	all, err := known.Resolve(f.texts)
	switch nobody := (*robotname.UnknownError)(nil); {
	case errors.As(err, &nobody) && f.unknown:
		return all, nil
	case errors.As(err, &nobody):
		return all, err
	case err != nil:
		return nil, cli.Misusef("--agent %q names no robot: give a product token such as ExampleBot",
			strings.Join(f.texts, ","))
	}
	return all, nil
}

// tokensOf returns the product tokens of robots, for questions that take one name for a robot.
func tokensOf(all []agent.Subject) (tokens []string, err error) {
	for _, s := range all {
		if strings.Contains(s.Name, ">") {
			return nil, cli.Misusef("--agent %s: this verb does not take several tokens of one robot: "+
				"name them one by one, with commas between them", shown(s.Name))
		}
		tokens = append(tokens, s.Tokens[0])
	}
	return tokens, nil
}

// addNames adds the names of robots in a robots.txt.
func addNames(known *robotname.Names, p *robots.Policy) {
	for _, g := range p.Groups() {
		known.Add(g.Agents()...)
	}
}

// checkClaims refuses unknown names in the claims of a file, or of the command line. Only claims
// have the name "all".
func checkClaims(known *robotname.Names, file string, claims []proof.Claim) error {
	known.Add("all")
	for _, c := range claims {
		where := fmt.Sprintf("%s:%d", file, c.Line)
		if c.Line == 0 {
			where = fmt.Sprintf("--claim %q", c.Text)
		}
		if err := known.Check(where, c.Robots()...); err != nil {
			return err
		}
	}
	return nil
}
