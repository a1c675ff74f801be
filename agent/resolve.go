package agent

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/robotsexclusion/robots/internal/printable"
)

// Resolve returns the robots that a person means by a text. White space and line ends around it do
// not count, and neither does "User-agent:" before it. The text is
//
//   - "*", a robot that the table does not have and no group names;
//   - a product token, perhaps with a version: "Googlebot-Image", "GPTBot/1.2";
//   - a User-Agent header, whose robot [Table.Lookup] finds;
//   - product tokens of one robot joined by ">", the first group that a robots.txt has counts:
//     "NewBot>OldBot". They are taken as they are: the table's fallbacks are not added;
//   - a name that people use: "claude", "bing", "Google AdSense", without a version;
//   - the name of an operator, "OpenAI", for all its robots, unless it is a token too: "Yandex";
//   - a purpose, "ai-train", for all robots with it;
//   - or several of these, with commas or semicolons between them. Each robot is returned once.
//
// A header is one robot, even if the table does not have it. But if the name in it is similar to a
// known name or to a common name, Resolve treats it as an unknown name. A name that stands for
// several robots is in the Called of each. The names of the table have priority. A name that is
// only in others, such as the names in the robots.txt in question, is a product token.
//
// For an unknown name the error is an [*UnknownError], with the name that was probably meant.
// Resolve still returns robots then, with the unknown name as a product token, for programs that
// accept any name. With any other error it returns no robots, because the text names none.
func (t *Table) Resolve(text string, others ...string) ([]Subject, error) {
	r := resolver{Table: t.orBuiltin(), others: others}
	text = bareName(text)
	list := r.list(text)
	switch {
	case r.called(text): // before the commas: "Flipboard, Inc."
	case list == nil && looksLikeHeader(text):
		r.header(text)
	case list == nil:
		list = []string{text}
		fallthrough
	default:
		for _, name := range list {
			switch name = bareName(name); {
			case strings.Trim(name, ",;") == "":
			case looksLikeHeader(name):
				r.header(name)
			default:
				r.name(bareName(strings.Trim(name, ",")))
			}
		}
	}
	if len(r.found) == 0 {
		return nil, errors.New("no robot is named: give a product token such as ExampleBot")
	}
	if r.unknown != nil {
		return r.found, r.unknown
	}
	return r.found, nil
}

// An UnknownError is the error for an unknown name of a robot.
type UnknownError struct {
	Name  string // as given
	Meant string // the name that was probably meant, or several with ", " between them; or ""
}

// Error returns the error with the name that was meant.
func (e *UnknownError) Error() string {
	s := "no robot is named " + printable.Shown(e.Name)
	if e.Meant == "*" {
		s += `: did you mean "*"?`
	} else if e.Meant != "" {
		s += ": did you mean " + printable.Shown(e.Meant) + "?"
	}
	return s
}

// bareName returns a name without what does not belong to it: white space, characters that nobody
// sees, and the field of robots.txt or HTTP before it.
func bareName(text string) string {
	text = strings.TrimFunc(unescaped(text), isUnseen)
	if field, value, ok := strings.Cut(text, ":"); ok && strings.EqualFold(strings.TrimSpace(field), "User-agent") {
		return strings.TrimFunc(value, isUnseen)
	}
	return text
}

// unescaped returns a header without the escapes of a log in which a content delivery network wrote
// all blanks as escapes.
func unescaped(header string) string {
	if !strings.Contains(header, "%20") || strings.ContainsAny(header, " \t") {
		return header
	}
	if plain, err := url.PathUnescape(header); err == nil {
		return plain
	}
	return strings.ReplaceAll(header, "%20", " ")
}

func isUnseen(c rune) bool { return unicode.IsSpace(c) || unicode.In(c, unicode.Cc, unicode.Cf) }

// A resolver finds the robots of one text.
type resolver struct {
	*Table
	others  []string
	found   []Subject
	unknown *UnknownError // of the first name that is not known
}

// add adds a robot, unless it has been found already or has no name.
func (r *resolver) add(s Subject) {
	if len(s.Tokens) == 0 {
		return
	}
	at := slices.IndexFunc(r.found, func(has Subject) bool {
		return strings.EqualFold(has.Name, s.Name) || slices.Equal(has.Tokens, s.Tokens) && has.Alone == s.Alone
	})
	if at < 0 {
		r.found = append(r.found, s)
		return
	}
	has := &r.found[at]
	for _, name := range s.Called {
		if !slices.Contains(has.Called, name) {
			has.Called = append(slices.Clip(has.Called), name)
		}
	}
	has.Common = has.Common || s.Common
}

// header adds the robot of a User-Agent header. It keeps an error if the table does not have the
// robot, and the name is nearly a known one, or one that people use.
func (r *resolver) header(text string) {
	s := r.subjectOf(text)
	s.Name = text
	r.add(s)
	a := s.agent
	if a.Known() || len(s.Tokens) == 0 || a.Kind == Browser || a.Kind == App {
		return
	}
	if names := r.names(); names.listed[plainName(a.Token)] > 0 ||
		r.Nearest(a.Token, slices.Concat(r.others, names.words)...) != "" {
		r.check(a.Token)
	}
}

// name adds the robots of a name without commas.
func (r *resolver) name(name string) {
	switch {
	case name == "*":
		r.add(r.SubjectNamed(name))
	case strings.Contains(name, ">"):
		s := r.Subject(name)
		for _, token := range s.Tokens {
			if token != "*" {
				r.check(token)
			}
		}
		r.add(s)
	case r.called(name):
	default:
		r.check(name)
		r.add(r.SubjectNamed(name))
	}
}

// check keeps the error for a product token that neither the table, its list of tools, nor others
// have.
func (r *resolver) check(token string) {
	bare, _, _ := strings.Cut(token, "/")
	bare = strings.TrimSpace(bare)
	if bare == "" || r.unknown != nil || r.Named(bare).Known() || r.isTool(bare) ||
		slices.ContainsFunc(r.others, func(other string) bool { return strings.EqualFold(other, bare) }) {
		return
	}
	r.unknown = &UnknownError{token, r.meant(bare)}
}

// isTool reports whether a name is that of a library or a tool that has no entry, such as curl.
func (r *resolver) isTool(name string) bool {
	a := r.Lookup(name)
	return a.Reason == byToolWord && equalFold(a.Word, name)
}

// called adds the robots that a name stands for without being their token, and reports whether
// there are any. A token stands for more than its robot only where data/called.txt says so, as
// Yandex does for YandexBot.
func (r *resolver) called(name string) bool {
	plain, names := plainName(name), r.names()
	numbers := names.called[plain]
	token, common := r.Named(name).Known(), names.listed[plain] > 0
	switch {
	case token && !common:
		return false
	case token:
		numbers = numbers[:names.listed[plain]]
		s := r.SubjectNamed(name)
		if len(numbers) > 0 {
			s.Called = []string{name}
		}
		r.add(s)
	case names.tokens[plain]: // "GPT-Bot", which is mistyped, unless it is a full name
		numbers = names.called[strings.ToLower(name)]
	case len(numbers) == 0: // "OpenAI-Bot"
		if stem := nameStem(plain); names.listed[stem] > 0 {
			numbers, common = names.called[stem], true
		}
	}
	for _, number := range numbers {
		s := r.SubjectNamed(r.robots[number].tokens[0])
		s.Called, s.Common = []string{name}, common
		r.add(s)
	}
	return len(numbers) > 0
}

// meant returns the name that was probably meant by one that nobody knows, or "".
func (r *resolver) meant(name string) string {
	if names := purposesMeant(name); names != "" {
		return names
	}
	if tokens := r.meantBy(name); tokens != "" { // "claude/1.0"
		return tokens
	}
	if near := r.Nearest(name, slices.Concat(r.others, r.names().words)...); near != "" {
		return near
	}
	if a := r.Lookup(name); a.Known() {
		return a.Token
	}
	if isHostName(name) { // "openai.com"
		return r.meantBy(name[:strings.LastIndexByte(name, '.')])
	}
	words := strings.Fields(name)
	for _, word := range slices.Backward(words) { // "anthropic claude": what comes last is more exact
		if tokens := r.meantBy(word); tokens != "" {
			return tokens
		}
	}
	return ""
}

// aiPurposes are the names of the purposes of AI.
const aiPurposes = "ai-train, ai-search, ai-user"

// purposesOf returns what to write for a word of people for many robots, which is without "all" and
// the word for robots.
func purposesOf(word string) string {
	switch word {
	case "all", "any", "every", "everyone", "everybody", "everything", "anyone", "anybody":
		return "*"
	case "ai", "llm", "genai", "scraper", "aiscraper":
		return aiPurposes
	case "train", "training", "aitraining", "llmtraining", "model", "aimodel", "modeltraining":
		return "ai-train"
	case "assistant", "aiassistant", "aiagent":
		return "ai-user"
	case "searchengine":
		return "search"
	case "linkpreview":
		return "preview"
	case "advertising":
		return "ads"
	case "socialmedia":
		return "social"
	case "monitoring":
		return "monitor"
	}
	for p := range Purposes() {
		if word == plainName(p.String()) {
			return p.String()
		}
	}
	return ""
}

// purposesMeant returns the purposes, or "*", that a name means in words of people, such as "AI
// bots" and "search engines", with commas between them; or "".
func purposesMeant(name string) string {
	plain := plainName(name)
	for _, word := range []string{plain, strings.TrimPrefix(plain, "all")} {
		for _, word := range []string{word, strings.TrimSuffix(word, "s"), nameStem(strings.TrimSuffix(word, "s"))} {
			if names := purposesOf(word); names != "" {
				return names
			}
		}
	}
	return ""
}

// meantBy returns the product tokens of the first robots that people call by a name, or "".
func (r *resolver) meantBy(name string) string {
	numbers := r.names().called[plainName(name)]
	return r.tokensOf(numbers[:min(len(numbers), 3)])
}

// tokensOf returns the product tokens of robots, with commas between them.
func (r *resolver) tokensOf(numbers []uint16) string {
	var tokens []string
	for _, number := range numbers {
		tokens = append(tokens, r.robots[number].tokens[0])
	}
	return strings.Join(tokens, ", ")
}
