package lint

import (
	"maps"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/nearest"
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

// Words of a field that nobody reads in it: words of earlier drafts (draft-ietf-aipref-vocab-01 to
// -04), and words of the other field.
var (
	usageWords   = []string{"train-ai", "search"}
	signalWords  = []string{"ai-train", "search", "ai-input", "use"}
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
		case !slices.Contains(usageWords, word):
			found[u.Line] = func(l *line) { unknownWord(p, l, word, "Content-Usage", usageWords) }
		case u.Preferences[word] == robots.Unknown:
			found[u.Line] = func(l *line) { p.report(l.value(), textNeitherWord, word) }
		}
	}
	_, parameters, _ := strings.Cut(u.Value, ";")
	for parameter := range strings.SplitSeq(parameters, ";") {
		word, _, _ := strings.Cut(parameter, "=")
		word = strings.TrimSpace(word)
		if _, sure := meantWord(word, usageWords); sure && found[u.Line] == nil {
			found[u.Line] = func(l *line) { parameterWord(p, l, word) }
		}
	}
}

// parameterWord reports a word after a semicolon, which in a dictionary begins a parameter.
func parameterWord(p *pass, l *line, word string) {
	d := p.report(l.value(), textParameterWord, word)
	d.Fix = &Fix{Title: p.say(textCommas), Safe: true,
		Edits: []Edit{l.value().edit(strings.ReplaceAll(l.Value, ";", ","))}}
}

func (p *pass) signalledWords(found places, s robots.ContentSignal) {
	for member := range strings.SplitSeq(s.Value, ",") {
		word, _, _ := strings.Cut(member, "=")
		word = strings.ToLower(strings.TrimSpace(word))
		before, last := "", word
		if i := strings.LastIndexAny(word, " \t"); i >= 0 {
			before, last = strings.TrimSpace(word[:i]), word[i+1:]
		}
		_, sure := meantWord(last, signalWords)
		switch right := otherSignals[word]; {
		case found[s.Line] != nil:
			return
		case right != "":
			found[s.Line] = func(l *line) { p.report(l.value(), textOtherField, word, "Content-Usage", right) }
		case before != "" && sure:
			found[s.Line] = func(l *line) { p.report(l.value(), textNoPath, before) }
		case !slices.Contains(signalWords, word):
			found[s.Line] = func(l *line) { unknownWord(p, l, word, "Content-Signal", signalWords) }
		}
	}
}

// plainWord returns a word in lower case, without marks.
func plainWord(word string) string { return wordMarks.Replace(strings.ToLower(word)) }

var wordMarks = strings.NewReplacer("-", "", "_", "", ".", "", " ", "")

// unknownWord reports a word that a field does not have, and the one that was likely meant.
func unknownWord(p *pass, l *line, word, field string, known []string) {
	meant, sure := meantWord(word, known)
	if meant == "" {
		p.report(l.value(), textUnknownWord, word, field).Severity = Info // perhaps of a later version
		return
	}
	d := p.report(l.value(), textMeantWord, word, field, meant)
	// Other checks report other bytes in the word, and the fix would remove them.
	if i := strings.Index(lowerASCII(l.Value), word); i >= 0 && !strings.ContainsFunc(word, isOdd) {
		edit := l.within(i, i+len(word)).edit(meant)
		d.Fix = &Fix{Title: p.say(textWriteWord, meant), Safe: sure, Edits: []Edit{edit}}
	}
}

// isOdd reports whether no misspelling of a word has a character.
func isOdd(c rune) bool { return c <= ' ' || c > '~' }

// meantWord returns the word of a vocabulary that a word likely means, or "": one with a similar
// spelling, or the one about the same use. sure is true if only marks differ.
func meantWord(word string, known []string) (meant string, sure bool) {
	plain := plainWord(word)
	for _, k := range known {
		if plain == plainWord(k) {
			return k, true
		}
	}
	if near, ok := nearest.Of(word, known); ok && len(plain) > shortName {
		return near, false
	}
	for _, use := range []string{"train", "input", "search"} {
		for _, k := range known {
			if strings.Contains(plain, use) && strings.Contains(k, use) {
				return k, false
			}
		}
	}
	return "", false
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
	textOtherField  = language.New("%[1]s is a word of %[2]s; here it is %[3]s")
	textDroppedWord = language.New(
		"%[1]s was dropped from the vocabulary, which has train-ai and search only (draft-ietf-aipref-vocab)")
	textNeitherWord   = language.New("%[1]s is neither y nor n, so nothing is said")
	textParameterWord = language.New(
		"%[1]s stands after a semicolon, where it belongs to the word before it, so no crawler reads it as a preference; put a comma between them")
	textCommas = language.New("write commas for the semicolons")
	textNoPath = language.New(
		"Content-Signal has no paths: %[1]s is read as part of the word after it, and no crawler knows such a word; Content-Usage has paths")
	textMeantWord = language.New(
		"%[1]s is not a word of %[2]s, so no crawler reads it; did you mean %[3]s?")
	textUnknownWord = language.New("no robot is known to read the word %[1]s in %[2]s")
	textWriteWord   = language.New("write %[1]s")
	textDisagree    = language.New(
		"says the opposite of line %[1]d: a crawler that reads both fields obeys the refusal, and one that reads one field obeys that field")
	textUnheard = language.New(
		"refuses training, but is not for robots with groups of their own, which may read the site and find no preference there: %[1]s")
	textPermittedButClosed = language.New(
		"permits training, while the site is closed to robots that gather texts for it: %[1]s")
)
