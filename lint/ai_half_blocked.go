package lint

import (
	"strings"
	"sync"

	"github.com/robotsexclusion/robots/agent"
)

var aiHalfBlocked = &Check{
	Name:     "ai-half-blocked",
	Severity: Info,
	Profiles: everywhere,
	run: func(p *pass) {
		named := make(map[string]int) // lines of groups that close the whole site
		all := make(map[string]bool)
		for _, g := range p.named() {
			rule, closed := closing(g.Group)
			for _, name := range g.names {
				all[strings.ToLower(name)] = true
				if closed {
					named[strings.ToLower(name)] = rule.Line
				}
			}
		}
		if len(named) == 0 {
			return
		}
		messages := make(map[int][][2]string)
		trains := make(map[int][]bool)
		add := func(closed, open []agent.Agent, training bool) {
			line, blocked := 0, ""
			for _, a := range closed {
				if at := named[strings.ToLower(a.Token)]; at != 0 && line == 0 {
					line, blocked = at, a.Token
				}
			}
			if line == 0 {
				return
			}
			var left []string
			for _, a := range open {
				if named[strings.ToLower(a.Token)] != 0 {
					continue
				}
				if _, closed := closing(p.policy.For(a.Tokens()...)); !closed && len(left) < maxNamesShown {
					left = append(left, a.Token)
				}
			}
			if len(left) > 0 {
				messages[line] = append(messages[line], [2]string{blocked, strings.Join(left, ", ")})
				trains[line] = append(trains[line], training)
			}
		}
		for _, o := range aiOperators() {
			add(o.train, o.answer, true)
			add(o.answer, o.train, false)
		}
		found := make(places)
		for number, pairs := range messages {
			found[number] = func(l *line) {
				for i, pair := range pairs {
					message := textTrainingBlocked
					if !trains[number][i] {
						message = textAnswersBlocked
					}
					p.report(l.all(), message, pair[0], pair[1])
				}
			}
		}
		p.tell(found)
	},
}

// An aiOperator has robots that gather texts to train models, and others that
// fetch pages to answer people.
type aiOperator struct{ train, answer []agent.Agent }

var aiOperators = sync.OnceValue(func() (operators []*aiOperator) {
	const answers = agent.AISearch | agent.AIUser
	index := make(map[string]*aiOperator)
	for a := range agent.All(agent.AITrain | answers) {
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
})

var (
	textTrainingBlocked = text{
		"closes the site to %[1]s, which gathers texts to train models, while robots of the same operator that read pages to answer people may read it: %[2]s",
		"cierra el sitio a %[1]s, que reúne textos para entrenar modelos, mientras que robots del mismo operador que leen páginas para responder a personas pueden leerlo: %[2]s",
		"모델 학습용 글을 모으는 %[1]s에게 사이트를 막지만, 사람에게 답하려고 페이지를 읽는 같은 운영자의 로봇은 읽을 수 있습니다: %[2]s",
		"закрывает сайт для %[1]s, который собирает тексты для обучения моделей, но роботам того же оператора, читающим страницы для ответов людям, он открыт: %[2]s",
	}
	textAnswersBlocked = text{
		"closes the site to %[1]s, which reads pages to answer people, while robots of the same operator that gather texts to train models may read it: %[2]s",
		"cierra el sitio a %[1]s, que lee páginas para responder a personas, mientras que robots del mismo operador que reúnen textos para entrenar modelos pueden leerlo: %[2]s",
		"사람에게 답하려고 페이지를 읽는 %[1]s에게 사이트를 막지만, 모델 학습용 글을 모으는 같은 운영자의 로봇은 읽을 수 있습니다: %[2]s",
		"закрывает сайт для %[1]s, который читает страницы для ответов людям, но роботам того же оператора, собирающим тексты для обучения моделей, он открыт: %[2]s",
	}
)
