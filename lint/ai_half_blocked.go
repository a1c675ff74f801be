package lint

import (
	"strings"
	"sync"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
)

var aiHalfBlocked = &Check{
	Name:     "ai-half-blocked",
	Severity: Info,
	Profiles: everywhere,
	run: func(p *pass) {
		h := halves{policy: p.policy, closed: make(map[string]int)}
		for _, g := range p.named() {
			rule, closed := closing(g.Group)
			for _, name := range g.names {
				if closed {
					h.closed[strings.ToLower(name)] = rule.Line
				}
			}
		}
		if len(h.closed) == 0 {
			return
		}
		found := make(places)
		tell := func(closed, open []agent.Agent, message language.Text) {
			var names []string
			for _, a := range open[:min(len(open), maxNamesShown)] {
				names = append(names, a.Token)
			}
			number := h.closed[strings.ToLower(closed[0].Token)]
			before := found[number]
			found[number] = func(l *line) {
				if before != nil {
					before(l)
				}
				p.report(l.all(), message, closed[0].Token, strings.Join(names, ", "))
			}
		}
		for _, o := range aiOperatorsOf(p.options.Robots) {
			noTrain, train := h.part(o.train)
			noAnswer, _ := h.part(o.answer)
			switch {
			case len(noTrain) > 0 && len(train) > 0:
				tell(noTrain, train, textTrainsElse)
			case len(noAnswer) > 0 && len(train) > 0:
				tell(noAnswer, train, textAnswersBlocked)
			}
			// Closing training and opening answering is usually intended.
		}
		p.tell(found)
	},
}

// halves splits the robots of an operator.
type halves struct {
	policy *robots.Policy
	closed map[string]int // lines of the rules that close the whole site to robots that the file names
}

// part returns the robots that the file names and closes the whole site to, and the robots that
// may read something according to their operator's documentation, and whether the latter obey
// robots.txt.
func (h *halves) part(all []agent.Agent) (closed, open []agent.Agent) {
	for _, a := range all {
		if h.closed[strings.ToLower(a.Token)] != 0 {
			closed = append(closed, a)
		} else if _, ok := closing(h.policy.For(a.Tokens()...)); !ok && a.Docs() != "" &&
			a.Obedience() != agent.Unsaid {
			open = append(open, a)
		}
	}
	return closed, open
}

// An aiOperator has robots that collect texts to train models, and other robots that fetch
// pages to answer people.
type aiOperator struct{ train, answer []agent.Agent }

// aiOperators has the operators in the table of package agent.
var aiOperators = sync.OnceValue(func() []*aiOperator { return findAIOperators(nil) })

func aiOperatorsOf(table *agent.Table) []*aiOperator {
	if table == nil {
		return aiOperators()
	}
	return findAIOperators(table)
}

func findAIOperators(table *agent.Table) (operators []*aiOperator) {
	const answers = agent.AISearch | agent.AIUser
	index := make(map[string]*aiOperator)
	for a := range table.All(agent.AITrain | answers) {
		train, answer := a.Purposes.Has(agent.AITrain), a.Purposes.Has(answers)
		if a.Operator == "" || train == answer || a.Purposes.Has(agent.Search) || a.Obedience() == agent.Ignores {
			continue
		}
		o := index[a.Operator]
		if o == nil {
			o = &aiOperator{}
			index[a.Operator] = o
			operators = append(operators, o)
		}
		if train {
			o.train = append(o.train, a)
		} else {
			o.answer = append(o.answer, a)
		}
	}
	return operators
}

var (
	textTrainsElse = language.New(
		"closes the site to %[1]s, which gathers texts to train models, while other robots of the same operator that gather them too may read it: %[2]s")
	textAnswersBlocked = language.New(
		"closes the site to %[1]s, which reads pages to answer people, while robots of the same operator that gather texts to train models may read it: %[2]s")
)
