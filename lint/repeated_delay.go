package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var repeatedDelay = &Check{
	Name:     "repeated-delay",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		type place struct {
			number int
			value  string
		}
		// A Crawl-delay is for the closest user-agent lines: many authors write several names
		// with a delay each, and no rules.
		var first place
		naming := false
		p.lines(func(l *line) {
			switch l.Kind {
			case robots.UserAgent:
				if !naming {
					first = place{}
				}
				naming = true
			case robots.Allow, robots.Disallow:
				naming = false
			case robots.Other:
				if f, err := checked(l); f.Name != "Crawl-delay" || l.Value == "" || err != nil {
					return
				}
				naming = false
				if first.number == 0 {
					first = place{l.Number, l.Value}
					return
				}
				message := textRepeatedDelay
				if first.value == l.Value {
					message = textSameDelay
				}
				d := p.report(l.all(), message, first.number)
				d.Related = []Related{p.related(first.number, textFirstDelay)}
				if first.value == l.Value {
					d.Severity = Info
				}
			}
		}, robots.UserAgent, robots.Allow, robots.Disallow, robots.Other)
	},
}

var (
	textRepeatedDelay = language.New(
		"the group has another Crawl-delay in line %[1]d: some robots take the first, some the last",
		"el grupo ya tiene otro Crawl-delay en la línea %[1]d: unos robots toman el primero y otros el último",
		"이 그룹에는 %[1]d번째 줄에 다른 Crawl-delay가 있습니다. 첫 값을 쓰는 로봇도 있고 마지막 값을 쓰는 로봇도 있습니다",
		"в группе уже есть другой Crawl-delay, в строке %[1]d: одни роботы берут первый, другие — последний",
	)
	textSameDelay = language.New(
		"the group has the same Crawl-delay in line %[1]d already",
		"el grupo ya tiene el mismo Crawl-delay en la línea %[1]d",
		"이 그룹에는 %[1]d번째 줄에 같은 Crawl-delay가 이미 있습니다",
		"в группе уже есть такой же Crawl-delay, в строке %[1]d",
	)
	textFirstDelay = language.New(
		"the first Crawl-delay",
		"el primer Crawl-delay",
		"첫 Crawl-delay",
		"первый Crawl-delay",
	)
)
