package merge

import (
	"fmt"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A sentence is a text with its arguments. String arguments must be safe to show. Sentences and
// names among the arguments are written in the language of the sentence.
type sentence struct {
	text language.Text
	args []any
}

func say(text language.Text, args ...any) sentence { return sentence{text, args} }

// in returns the sentence in a language.
func (s sentence) in(l language.Language) string {
	args := make([]any, len(s.args))
	for i, arg := range s.args {
		switch v := arg.(type) {
		case sentence:
			arg = v.in(l)
		case people:
			arg = v.in(l)
		case fmt.Stringer:
			arg = v.String()
		}
		args[i] = arg
	}
	return s.text.In(l, args...)
}

// People are the names of robots. A sentence shows the first few.
type people []string

func (p people) in(l language.Language) string {
	const most = 4
	if len(p) > most {
		return textNamesAndMore.In(l, p[:most].in(l), len(p)-most)
	}
	names := ""
	for i, name := range p {
		if i > 0 {
			names += ", "
		}
		names += printable.Text(name)
	}
	return names
}

// Of problems.
var (
	textStray     = language.New("%[1]s stands in no group: put a line such as 'User-agent: *' before it")
	textMalformed = language.New(`%[1]s is not of the form "field: value": 'robots lint' shows what may be meant`)
	textNotOwned  = language.New(
		"%[1]s is not a path that can have an owner: name one that starts with / and has no * and no $, such as /shop/")
	textTwoOwners = language.New("%[1]s has two owners: %[2]s names %[3]s: leave one of them out")
	textByName    = language.New("%[1]s closes %[2]s to %[3]s by name, which %[4]s opens: leave one of them out")
	textOwner     = language.New("the owner of %[1]s (%[2]s)")
	textNoPattern = language.New(
		"%[1]s closes %[2]s to everyone, and no pattern takes %[3]s out of it, as %[4]s asks: name the robot in this fragment")
	textNotKept          = language.New("%[1]s closes %[2]s to %[3]s: %[4]s is not kept")
	textNotAllowed       = language.New("%[1]s closes %[2]s to %[3]s, and everyone may fetch it: %[4]s is not kept")
	textConflict         = language.New("%[1]s opens %[2]s to %[3]s, but %[4]s closes it: %[5]s: %[6]s")
	textSayLess          = language.New("make one of them say less")
	textIdle             = language.New("leave the first out, which says nothing by itself")
	textDisagree         = language.New("%[1]s contradicts %[2]s: %[3]s: a robot can obey only one of them")
	textWishesContradict = language.New("%[1]s and %[2]s contradict each other: leave one of them out")
	textOverWish         = language.New(
		"%[1]s opens %[2]s to %[3]s, which %[4]s is to close: close it there, or make the rule say less")
	textOverPart   = language.New("the file would open %[1]s to %[2]s, which %[3]s closes: %[4]s")
	textWouldOpen  = language.New("the file would open %[1]s to %[2]s, which %[3]s is to close")
	textWouldClose = language.New("the file would close %[1]s to %[2]s, which none of its parts closes: %[3]s")
	textAWish      = language.New("a wish")
	textAsGoogle   = language.New(
		"%[1]s, as Google's parser reads it: 'robots lint' shows the lines that it reads otherwise")

	textNamesAndMore = language.New("%[1]s and %[2]d more")
	textAndMore      = language.New("and %[1]d more")
	textUndecided    = language.New("undecided: it takes too many cases to prove what the file says")
)

// Of notes.
var (
	textTooLarge = language.New(
		"the file has %[1]d bytes: robots need not read more than %[2]d (RFC 9309, section 2.5)")
	textNotKnown   = language.New("%[1]s is not a known robot, but the file names it")
	textIgnores    = language.New("%[1]s does not obey robots.txt, as its operator says")
	textBlockedFor = language.New(
		"%[1]s is blocked for %[2]s, and reads pages for %[3]s too: --allow %[1]s leaves it out")
	textDropped = language.New(
		"%[1]s closes nothing to %[2]s, but %[3]s closes %[4]s to everyone, and so to %[2]s: to exempt it, write '# owner: %[5]s' at the head of %[6]s, or use --allow %[2]s=%[5]s")
	textDroppedPattern = language.New(
		"%[1]s closes nothing to %[2]s, but %[3]s closes %[4]s to everyone, and so to %[2]s: to exempt it, name %[2]s in %[5]s")
	textPatternAndMore = language.New("%[1]s (and %[2]d more)")
)

// Of wishes that cannot be read.
var (
	textNobody    = language.New("no robot is named: give a purpose such as ai-train, or a product token such as GPTBot")
	textNoRobot   = language.New("%[1]s is neither a purpose, such as ai-train, nor a product token, such as GPTBot")
	textNotExempt = language.New(
		"the path of %[1]s is not one that robots can be exempt for: write one that starts with / and has no * and no $, such as /map/")
	textNoSlash = language.New("the path of %[1]s does not start with /")
	textBlank   = language.New("the path of %[1]s has a blank or a #: write %%20 or %%23")
)
