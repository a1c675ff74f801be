package page

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/html/htmltoken"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Diagnostic is a mistake in the directives of a page. See [Options.Lint].
type Diagnostic struct {
	// Line and Column are where the tag begins, from 1 on, the column in bytes. They are 0 for a
	// header.
	Line   int `json:"line"`
	Column int `json:"column"`

	// Severity is "error" if the text does not do what it says, or "warning" if it probably
	// does not, or not for all robots.
	Severity string `json:"severity"`

	Check   string `json:"check"`   // the kind of mistake, such as "unknown-directive"
	Message string `json:"message"` // for people, printable
}

// String returns the diagnostic as compilers write them, such as
// "4:1: error: "noindx" is not a directive: did you mean noindex? [unknown-directive]".
func (d Diagnostic) String() string {
	where := ""
	if d.Line > 0 {
		where = fmt.Sprintf("%d:%d: ", d.Line, d.Column)
	}
	return fmt.Sprintf("%s%s: %s [%s]", where, d.Severity, d.Message, d.Check)
}

// The severities of diagnostics.
const (
	mistake = "error"
	doubt   = "warning"
)

const (
	maxDiagnostics = 1000
	maxLintRobots  = 100 // robots whose contradictions are looked for
)

// report adds a diagnostic, if mistakes are looked for.
func (b *builder) report(at Source, severity, check string, text language.Text, args ...any) {
	switch {
	case !b.options.Lint:
	case len(b.doc.Diagnostics) == maxDiagnostics:
		b.doc.Cut |= CutList
	default:
		message := text.In(b.language, args...)
		if at.Line == 0 {
			message = at.in(b.language) + ": " + message
		}
		b.doc.Diagnostics = append(b.doc.Diagnostics, Diagnostic{at.Line, at.column, severity, check, message})
	}
}

// lintMeta looks at a META tag of a page that is not for robots.
func (b *builder) lintMeta(name, content string, source Source) {
	if !b.options.Lint {
		return
	}
	switch name {
	case "description":
		if i := strings.IndexByte(content, '<'); i >= 0 && i+1 < len(content) &&
			('a' <= content[i+1]|0x20 && content[i+1]|0x20 <= 'z' || content[i+1] == '/') {
			b.report(source, doubt, "description-markup", textMarkup)
		}
	case "url":
		if u, err := url.Parse(trimURL(content)); err != nil || !u.IsAbs() || u.Host == "" {
			b.report(source, mistake, "relative-url", textRelativeURL, quoted(content))
		}
	case "document-state":
		if word := strings.TrimSpace(content); !htmltoken.EqualFold(word, "static") &&
			!htmltoken.EqualFold(word, "dynamic") {
			b.report(source, doubt, "unknown-document-state", textNoState, quoted(content))
		}
	case "robots":
	default:
		meant := meantRobot(name)
		if meant == "" {
			if meant = startingRobot(name, content); meant != "" && !hasDirective(content) {
				meant = ""
			}
		}
		if meant != "" && meant != name {
			b.report(source, mistake, "misspelt-name", textMeantRobot, quoted(name), meant)
		}
	}
}

// metaRobots are the names in META tags for robots: all, and those of large search engines.
var metaRobots = [...]string{"robots", "googlebot", "googlebot-news", "googlebot-image", "googlebot-video",
	"googlebot-mobile", "adsbot-google", "mediapartners-google", "bingbot", "msnbot", "slurp", "teoma", "ia_archiver",
	"yandex", "yandexbot", "yandeximages", "baiduspider", "duckduckbot", "applebot", "seznambot", "petalbot", "yeti"}

// allRobots are names by which people mean all robots, and that no robot reads.
var allRobots = [...]string{"bot", "bots", "all-bots", "allbots", "all-robots", "allrobots", "crawler", "crawlers",
	"spider", "spiders", "searchbot", "searchbots", "search-engine", "search-engines", "searchengine", "searchengines"}

// searchEngines are names of search engines, and those of their robots.
var searchEngines = map[string]string{"bing": "bingbot", "google": "googlebot", "baidu": "baiduspider",
	"duckduckgo": "duckduckbot", "naver": "yeti", "seznam": "seznambot", "petalsearch": "petalbot"}

// ofGoogle are the contents that Google reads under its own name.
var ofGoogle = [...]string{"notranslate", "nositelinkssearchbox", "nopagereadaloud"}

// startingRobot returns the name that people mean by one with another part behind it or a common
// word, where the content has directives: googlebot-smartphone, robots.txt, bots and bing.
func startingRobot(name, content string) (meant string) {
	if slices.Contains(allRobots[:], name) {
		return "robots"
	}
	if name == "google" && slices.Contains(ofGoogle[:], htmltoken.Lower(strings.TrimSpace(content))) {
		return ""
	}
	if robot := searchEngines[name]; robot != "" {
		return robot
	}
	for _, robot := range metaRobots {
		rest, ok := strings.CutPrefix(name, robot)
		if ok && len(robot) > len(meant) && strings.ContainsAny(rest[:min(len(rest), 1)], "-_. :/") {
			meant = robot
		}
	}
	return meant
}

// meantRobot returns the name of metaRobots that a name in lower case is, or probably a misspelling
// of, or nothing.
func meantRobot(name string) (meant string) {
	for _, robot := range metaRobots {
		switch {
		case name == robot:
			return robot
		case meant == "" && near(robot, name):
			meant = robot
		}
	}
	return meant
}

// lintAttributes looks for a META tag to robots whose name or content stands in another attribute
// than robots read.
func (b *builder) lintAttributes(tag []byte, source Source) {
	if !b.options.Lint {
		return
	}
	var had [attributeCount]bool
	named, name, value := "", "", "" // the robot, and the other attributes with its name and with directives
	for r := htmltoken.AttributesOf(tag); ; {
		key, raw, ok := r.Next()
		if !ok {
			break
		}
		decoded, _ := htmltoken.Value(raw, nil)
		text := htmltoken.Lower(strings.TrimSpace(string(decoded)))
		switch i := attributeNamed(key); {
		case i < attributeCount:
			had[i] = true
			if i == nameAttribute {
				named = meantRobot(text)
			}
		case name == "" && meantRobot(text) != "":
			name = string(key)
		case value == "":
			value = string(key)
		}
	}
	switch {
	case !had[nameAttribute] && !had[httpEquivAttribute] && name != "":
		b.report(source, mistake, "misspelt-attribute", textMeantAttribute, quoted(name), "name")
	case named != "" && !had[contentAttribute] && value != "":
		b.report(source, mistake, "misspelt-attribute", textMeantAttribute, quoted(value), "content")
	case named != "" && !had[contentAttribute]:
		b.report(source, mistake, "misspelt-attribute", textNoContent)
	}
}

func quoted(s string) string { return printable.Quoted(s, 60) }

// lint looks for mistakes in the directives of a page that was read.
func (b *builder) lint(unseen []unseenTag) {
	if !b.options.Lint {
		return
	}
	for _, u := range unseen {
		severity := mistake
		if u.in == "comment" || u.in == "script" { // it may be meant so
			severity = doubt
		}
		b.report(u.source, severity, "unseen-tag", textUnseen, u.in)
	}
	var robots []string
	for _, d := range b.doc.Directives {
		switch {
		case d.Err == errSuperseded:
			b.lintSuperseded(d)
		case d.Err != nil:
			b.report(d.Source, mistake, "bad-value", textAsksNothing, d.String(), language.Explain(b.language, d.Err))
		case !d.Known():
			if d.widens {
				b.report(d.Source, doubt, "unknown-directive", textPerhapsRobot, quoted(d.Name))
			} else if d.Name == tdmReservation || d.Name == tdmPolicy {
				b.report(d.Source, mistake, "unknown-directive", textOwnPlace, quoted(d.Name))
			} else if t := nearestTerm(d.Name); t != "" {
				b.report(d.Source, mistake, "unknown-directive", textMisspelt, quoted(d.Name), t)
			} else {
				b.report(d.Source, doubt, "unknown-directive", textUndocumented, quoted(d.Name))
			}
		}
		if len(robots) < maxLintRobots && !slices.Contains(robots, d.Robot) {
			robots = append(robots, d.Robot)
		}
	}
	for _, robot := range robots {
		decision := b.doc.For(robot)
		for _, d := range decision.overruled() {
			if d.Robot != robot || d.term.topics[0] == others {
				continue // the same for each robot
			}
			if by := decision.why(d.term.topics[0]); len(by) > 0 {
				b.report(d.Source, doubt, "contradiction", textOverruled, d.String(), by[0].cited(b.language))
			}
		}
	}
	if _, ok := b.doc.Canonical(); !ok && len(b.doc.Canonicals) > 1 {
		b.report(b.doc.Canonicals[1].Source, mistake, "several-canonicals", textSeveralCanonicals)
	}
	if cut := b.doc.Cut &^ CutLinks; cut != 0 {
		b.report(Source{Line: 1, column: 1}, doubt, "cut", textHiddenByLimits, cut.String())
	}
	slices.SortStableFunc(b.doc.Diagnostics, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// lintSuperseded looks for a META tag that contradicts a header.
func (b *builder) lintSuperseded(header Directive) {
	for _, d := range b.doc.Directives {
		if d.term == tdmTerm && d.Err == nil && d.Value != header.Value {
			b.report(header.Source, doubt, "contradiction", textOverruled, header.String(), d.cited(b.language))
			return
		}
	}
}

// nearestTerm returns the directive that a name is probably a misspelling of, or nothing.
func nearestTerm(name string) string {
	joined := noDashes.Replace(name)
	for _, t := range terms {
		if t.apart {
			continue
		}
		if near(t.name, name) || noDashes.Replace(t.name) == joined {
			return t.name
		}
	}
	return ""
}

var noDashes = strings.NewReplacer("-", "", "_", "")

// near reports whether a word is another one with a letter more, less or wrong, or with
// two letters exchanged. Short words are near too many.
func near(word, other string) bool {
	if len(word) < 5 || len(other) > len(word)+1 || len(other) < len(word)-1 {
		return word == other
	}
	start := 0
	for start < min(len(word), len(other)) && word[start] == other[start] {
		start++
	}
	a, b := word[start:], other[start:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
}

// An unseenTag is a META tag to robots that no robot sees.
type unseenTag struct {
	source Source
	in     string
}

const maxUnseen = 100

// hidden notes a META tag to robots where it does not count.
func (s *scanner) hidden(raw []byte, in string) {
	if s.options.Lint && len(s.unseen) < maxUnseen && htmltoken.ContainsFold(raw, "<meta") &&
		htmltoken.ContainsFold(raw, "robots") {
		offset, line, column := s.z.Position()
		s.unseen = append(s.unseen, unseenTag{Source{Place: atMeta, Line: line, Offset: offset, column: column}, in})
	}
}
