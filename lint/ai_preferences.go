package lint

import (
	"maps"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
)

var aiPreferences = &Check{
	Name:     "ai-preferences",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		if p.alien != robotsText {
			return
		}
		found := make(places)
		for _, g := range p.named() {
			usages, signals := g.ContentUsages(), g.ContentSignals()
			if len(usages)+len(signals) == 0 {
				continue
			}
			for _, u := range usages {
				p.usedWords(found, u)
			}
			for _, s := range signals {
				p.signalledWords(found, s)
			}
			p.disagreeing(found, usages, signals)
			p.unheard(found, g, usages, signals)
		}
		p.tell(found)
	},
}

// Unknown words of a field: words of earlier drafts (draft-ietf-aipref-vocab-01 to -04), and
// words of the other field.
var (
	droppedWords = []string{"bots", "ai-output", "train-genai", "ai-use", "all", "tdm", "genai", "inference"}
	otherSignals = map[string]string{"train-ai": "ai-train", "ai-output": "ai-input", "train-genai": "ai-train"}
)

func (p *pass) usedWords(found places, u robots.ContentUsage) {
	for _, word := range slices.Sorted(maps.Keys(u.Preferences)) {
		switch {
		case found[u.Line] != nil:
			return
		case word == "ai-train":
			found[u.Line] = func(l *line) { p.report(l.value(), textOtherField, word, "Content-Signal", "train-ai") }
		case slices.Contains(droppedWords, word):
			found[u.Line] = func(l *line) { p.report(l.value(), textDroppedWord, word) }
		case (word == "train-ai" || word == "search") && u.Preferences[word] == robots.Unknown:
			found[u.Line] = func(l *line) { p.report(l.value(), textNeitherWord, word) }
		}
	}
}

func (p *pass) signalledWords(found places, s robots.ContentSignal) {
	for member := range strings.SplitSeq(s.Value, ",") {
		word, _, _ := strings.Cut(member, "=")
		word = strings.ToLower(strings.TrimSpace(word))
		if right := otherSignals[word]; right != "" && found[s.Line] == nil {
			found[s.Line] = func(l *line) { p.report(l.value(), textOtherField, word, "Content-Usage", right) }
		}
	}
}

// maxCompared is the maximum number of preferences of a kind that are compared.
const maxCompared = 100

// disagreeing finds records of one group with opposite preferences about the whole site.
func (p *pass) disagreeing(found places, usages []robots.ContentUsage, signals []robots.ContentSignal) {
	for _, u := range usages[:min(len(usages), maxCompared)] {
		if u.Path != "/" {
			continue
		}
		for _, s := range signals[:min(len(signals), maxCompared)] {
			for word, signal := range map[string]robots.Preference{"train-ai": s.AITrain, "search": s.Search} {
				usage := u.Preferences[word]
				if usage == robots.Unknown || signal == robots.Unknown || usage == signal {
					continue
				}
				first, last := min(u.Line, s.Line), max(u.Line, s.Line)
				if found[last] == nil {
					found[last] = func(l *line) {
						d := p.report(l.all(), textDisagree, first)
						d.Related = []Related{p.related(first, textOpposite)}
					}
				}
			}
		}
	}
}

// unheard finds preferences about training that contradict the groups of robots which train
// models.
func (p *pass) unheard(found places, g robotGroup, usages []robots.ContentUsage, signals []robots.ContentSignal) {
	training, number := robots.Unknown, 0
	for _, s := range signals {
		if s.AITrain != robots.Unknown {
			training, number = s.AITrain, s.Line
		}
	}
	for _, u := range usages {
		if v := u.Preferences["train-ai"]; v != robots.Unknown && u.Path == "/" {
			training, number = v, u.Line
		}
	}
	if number == 0 || found[number] != nil || !slices.Contains(g.names, "*") {
		return
	}
	var names []string
	for _, other := range p.named() {
		if slices.Contains(other.names, "*") {
			continue
		}
		_, closed := closing(other.Group)
		hears := len(other.ContentUsages())+len(other.ContentSignals()) > 0
		if training == robots.Refused && (closed || hears) || training == robots.Permitted && !closed {
			continue
		}
		for _, name := range other.names {
			if a := p.options.Robots.Named(name); a.Purposes.Has(agent.AITrain) && len(names) < maxNamesShown {
				names = append(names, a.Token)
			}
		}
	}
	if len(names) == 0 {
		return
	}
	message := textUnheard
	if training == robots.Permitted {
		message = textPermittedButClosed
	}
	found[number] = func(l *line) { p.report(l.all(), message, strings.Join(names, ", ")).Severity = Info }
}

var (
	textOtherField = language.New(
		"%[1]s is a word of %[2]s; here it is %[3]s",
		"%[1]s es una palabra de %[2]s; aquí es %[3]s",
		"%[1]s은(는) %[2]s에서 쓰는 단어입니다. 여기서는 %[3]s(으)로 씁니다",
		"%[1]s — слово поля %[2]s; здесь пишут %[3]s",
	)
	textDroppedWord = language.New(
		"%[1]s was dropped from the vocabulary, which has train-ai and search only (draft-ietf-aipref-vocab)",
		"%[1]s se retiró del vocabulario, que ahora solo tiene train-ai y search (draft-ietf-aipref-vocab)",
		"%[1]s은(는) 어휘에서 빠졌습니다. 지금은 train-ai와 search만 있습니다(draft-ietf-aipref-vocab)",
		"слово %[1]s исключено из словаря, теперь в нём только train-ai и search (draft-ietf-aipref-vocab)",
	)
	textNeitherWord = language.New(
		"%[1]s is neither y nor n, so nothing is said",
		"el valor de %[1]s no es ni y ni n, así que no se dice nada",
		"%[1]s의 값이 y도 n도 아니므로 아무 뜻이 없습니다",
		"значение %[1]s — не y и не n, поэтому ничего не сказано",
	)
	textDisagree = language.New(
		"says the opposite of line %[1]d: who reads both fields takes the refusal, who reads one does as it says",
		"dice lo contrario que la línea %[1]d: quien lee los dos campos se atiene a la negativa; quien lee solo uno, a lo que este dice",
		"%[1]d번째 줄과 반대입니다. 두 필드를 모두 읽는 쪽은 거부를 따르고, 하나만 읽는 쪽은 그 필드를 따릅니다",
		"говорит противоположное строке %[1]d: кто читает оба поля, примет отказ, а кто одно — сделает, как в нём сказано",
	)
	textUnheard = language.New(
		"refuses training, but is not for robots with groups of their own, which may read the site and find no preference there: %[1]s",
		"rechaza el entrenamiento, pero no vale para los robots con grupo propio, que pueden leer el sitio y no encuentran en él ninguna preferencia: %[1]s",
		"학습을 거부하지만, 자체 그룹이 있는 로봇에는 적용되지 않습니다. 이들은 사이트를 읽을 수 있고 그 그룹에는 아무 설정이 없습니다: %[1]s",
		"запрещает обучение, но не относится к роботам с собственными группами, которым сайт открыт и в группах которых об этом ничего не сказано: %[1]s",
	)
	textPermittedButClosed = language.New(
		"permits training, while the site is closed to robots that gather texts for it: %[1]s",
		"permite el entrenamiento, pero el sitio está cerrado a robots que reúnen textos para ello: %[1]s",
		"학습을 허용하지만, 학습용 텍스트를 수집하는 로봇에게는 사이트가 차단되어 있습니다: %[1]s",
		"разрешает обучение, но сайт закрыт для роботов, которые собирают для него тексты: %[1]s",
	)
)
