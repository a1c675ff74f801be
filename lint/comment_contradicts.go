package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var commentContradicts = &Check{
	Name:     "comment-contradicts",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		s := &claims{pass: p}
		p.lines(s.read)
		p.end(s.judge)
	},
}

// claims records the meaning of a comment about a group until it is known that the group has
// one rule.
type claims struct {
	*pass
	said    string // the last comment line before the user-agent lines, or the comment in the rule's line
	comment span
	rule    *line // the only rule so far
	many    bool  // there are more rules
}

// A claim is the statement of a comment about all paths.
type claim uint8

const (
	noClaim claim = iota
	claimsClosed
	claimsOpen
)

func (s *claims) read(l *line) {
	said := ""
	at, commented := l.comment()
	if commented && len(l.body) < maxComment {
		said = l.body[at.from:]
	}
	switch l.Kind {
	case robots.Comment:
		if s.rule != nil {
			s.judge()
		}
		s.said, s.comment = said, at
	case robots.Blank:
		if s.rule == nil {
			s.said = ""
		}
	case robots.UserAgent:
		if s.rule != nil {
			s.judge()
		}
		if said != "" && claimOf(said) != noClaim {
			s.said, s.comment = said, at
		}
	case robots.Allow, robots.Disallow:
		if s.rule != nil {
			s.many = true
			return
		}
		rule := *l
		s.rule = &rule
		if said != "" && claimOf(said) != noClaim {
			s.said, s.comment = said, at
		}
	}
}

// maxComment is the length in bytes from which on the comment of a line is ignored.
const maxComment = 300

// judge reports a comment that contradicts the only rule after it, and resets both.
func (s *claims) judge() {
	if s.rule != nil && !s.many {
		closed := s.rule.Kind == robots.Disallow && (s.rule.Value == "/" || s.rule.Value == "*" || s.rule.Value == "/*")
		open := s.rule.Value == "" || s.rule.Kind == robots.Allow && (s.rule.Value == "/" || s.rule.Value == "*" ||
			s.rule.Value == "/*")
		switch { // a claim takes longer to find than such a rule
		case open && claimOf(s.said) == claimsClosed:
			s.report(s.comment, textSaysClosed, s.rule.Number)
		case closed && claimOf(s.said) == claimsOpen:
			s.report(s.comment, textSaysOpen, s.rule.Number)
		}
	}
	s.said, s.rule, s.many = "", nil, false
}

// Statements about a whole site, in the languages of the messages. Statements with words that
// negate or limit them are ignored.
var (
	closedWords = lazyRegexp(`(?i)\b(block|disallow|deny|ban|forbid|prohibit|exclude|prevent|bloquear|prohibir|denegar)(s|ed|ing)?\b.*\b(all|everything|everyone|entire|whole|todo|todos)\b` +
		`|(запре(тить|щаем|щено)|закры(ть|то)|заблокировать).*\b?(вс[её]м?|весь)|(모두|전체|모든).*(차단|금지)`)
	openWords = lazyRegexp(`(?i)\b(allow|permit|open|permitir)(s|ed|ing)?\b.*\b(all|everything|everyone|entire|whole|full|complete|todo|todos)\b|\bfull access\b` +
		`|(разреши(ть|м)|разрешаем|разрешено|откры(ть|то)).*\b?(вс[её]м?|весь)|(모두|전체|모든).*허용`)
	// A command of a few words, such as "block GPTBot", is about the group below it.
	closedOrder = lazyRegexp(`(?i)^(block|disallow|deny|ban|forbid|prohibit|bloquear|prohibir|denegar|запретить|заблокировать)( \S+){0,4}$|^(\S+ ){1,3}(차단|금지)$`)
	openOrder   = lazyRegexp(`(?i)^(allow|permit|permitir|разрешить)( \S+){0,4}$|^(\S+ ){1,3}허용$`)

	doubtfulWords = lazyRegexp(`(?i)\b(not|no|don'?t|doesn'?t|un|never|except|but|other|others|unless|if|only|to|uncomment|example|default|por defecto|excepto|salvo|otros|demás)\b|\bdis-|кроме|остальн|не |제외|외에|아니|않`)
)

func claimOf(comment string) claim {
	words := strings.Join(strings.Fields(strings.Trim(comment, "#-=*! \t")), " ")
	closed := closedWords().MatchString(comment) || closedOrder().MatchString(words)
	open := openWords().MatchString(comment) || openOrder().MatchString(words)
	if closed == open || doubtfulWords().MatchString(comment) || strings.Contains(comment, ":") {
		return noClaim
	}
	if closed {
		return claimsClosed
	}
	return claimsOpen
}

var (
	textSaysClosed = language.New(
		"the comment says that all is closed, but the rule of line %[1]d leaves all open: an empty Disallow, and \"Allow: /\", close nothing")
	textSaysOpen = language.New("the comment says that all is open, but the rule of line %[1]d closes the whole site")
)
