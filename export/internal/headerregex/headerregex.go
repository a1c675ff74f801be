// Package headerregex writes names of robots as regular expressions of PCRE that find the names in
// User-Agent headers, as agent.Lookup does. All expressions ignore the case of letters.
package headerregex

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/export/internal/pathregex"
)

// A Class is the rules that a robot obeys: a number of the caller, or one of the constants.
type Class int

// The classes that are not numbers of the caller.
const (
	Nobody   Class = -1 - iota // not a robot, or no rules
	Everyone                   // the rules for everyone
	// Unlisted is of RE2: Nobody if RE2.Errand matches the header and RE2.Crawl does not; or else
	// Everyone.
	Unlisted
)

// A Name is a name in headers.
type Name struct {
	Text  string
	Class Class
	Level int // of several names the one with the highest level wins, then the first
}

// The highest and the lowest levels. A robot of the table has the number of its product tokens.
const (
	Device   = 99 // a program on the device of a person, of class Nobody
	Unmarked = -2 // a name that shows no robot, for which Nearby holds
	Tool     = -1 // a program that is not a robot, of class Everyone
	Unknown  = 0  // a robot that is not in the table
)

// A Line is an expression and the class of the headers that it matches. Of several lines, the first
// that matches decides.
type Line struct {
	Expression string
	Class      Class
}

// Lines is the lines of three questions, each asked only if the one before leaves the class open.
type Lines struct {
	Quick []Line // is there a name with rules of its own, or none? The class is Nobody
	Exact []Line // asked if Quick matches
	Other []Line // Everyone or Nobody
}

// errand returns an expression that looks from the start of a header for a robot that does not
// crawl. If the robot is in no table, and robots.txt does not name it, it passes.
func errand(marks *agent.Marks) string {
	return `(?=.*(?:` + anyOf(marks.Errands) + `))(?!.*(?:` + anyOf(marks.Crawls) + `))`
}

// anyOf returns an expression of texts without operators.
func anyOf(texts []string) string {
	return strings.NewReplacer(" ", `\x20`, "'", `\x27`, "-", `\x2d`).Replace(strings.Join(texts, "|"))
}

const (
	wordByte = `[0-9A-Za-z_!%\x2d\x80-\xff]`
	// inRun and outside divide a header into runs. A name is only at the start of a run: later
	// bytes of a run cannot precede a name, because they end a part of a name, a version or an
	// address.
	inRun   = `[0-9A-Za-z_!%\x2d\x80-\xff./?=&#@~*]`
	outside = `[^0-9A-Za-z_!%\x2d\x80-\xff./?=&#@~*]`

	// own is that no word before a name makes the name that of another program.
	own = `(?<!like )(?<!with )(?<!following )`
	// after matches the text after a name: perhaps a version, and no part of the name or of a
	// mailbox.
	after = `(?:[_\x2d]*[0-9.]*[0-9])?(?!@|\.?` + wordByte + `)`
	// lonely matches the text after the name of a tool that gives an address, and no name of a
	// robot.
	lonely = `(?:/[^ ]*)?` + address
	// address matches the text after the name of a tool: its address, with words before and after
	// it that are not names.
	address = `(?:` + filler + `)*[^0-9A-Za-z]*(?:[A-Za-z]+://|www\.|[^ @]+@)[^ ]*(?:` + filler + `)*$`
	// filler is such words, as HTTP_Request2 and SimplePie send them.
	filler = `[^0-9A-Za-z]+(?:PHP|Build|Feed Parser|Allow like Gecko)(?:/[^ ]*)?`

	// find begins an expression for the start of one of the runs, and found ends it. The expression
	// skips the other runs, and does not end at the end of the header. It is tried only once, at
	// the start of the header, and never backtracks. So it takes a fraction of the time of an
	// expression that is tried at each byte.
	find  = `^` + outside + `*+(?:(?!` + own
	found = `)` + inRun + `++` + outside + `*+)*+` + inRun
)

// Of returns the lines for names. Robots that are in no table, and are not named, are recognized
// only if unlisted is set. No expression is longer than limit.
func Of(names []Name, unlisted bool, limit int) (*Lines, error) {
	w := writer{names: names, limit: limit, unlistedToo: unlisted}
	marks := agent.RobotMarks()
	rules := func(n Name) bool { return n.Class != Everyone && n.Level > Unmarked }
	if w.pick(rules) != nil {
		w.add(&w.lines.Quick, Nobody, w.pick(rules), find, after+found)
		for level := w.highest(); level >= Unknown; level-- {
			w.exact(level)
		}
	}
	w.nearby(&marks)
	w.other(&marks)
	return &w.lines, w.err
}

// Keys returns expressions of the headers with one of the names of robots, whose only group, which
// capture is, is the name with the words after it.
func Keys(names []Name, capture string, limit int) ([]string, error) {
	w := writer{names: names, limit: limit}
	var lines []Line
	robots := func(n Name) bool { return n.Level > Tool }
	w.add(&lines, Nobody, w.pick(robots), find, after+strings.TrimSuffix(found, inRun)+capture)
	var list []string
	for _, l := range lines {
		list = append(list, l.Expression)
	}
	return list, w.err
}

type writer struct {
	names       []Name
	limit       int
	unlistedToo bool // robots that are in no table, and are not named, have the class Everyone
	lines       Lines
	err         error // the first
}

// pick returns the names for which all conditions hold.
func (w *writer) pick(conditions ...func(Name) bool) (some []Name) {
	for _, n := range w.names {
		if !slices.ContainsFunc(conditions, func(holds func(Name) bool) bool { return !holds(n) }) {
			some = append(some, n)
		}
	}
	return some
}

func (w *writer) highest() (level int) {
	for _, n := range w.names {
		level = max(level, n.Level)
	}
	return level
}

// classes returns the classes of names, sorted.
func classes(names []Name) (list []Class) {
	for _, n := range names {
		list = append(list, n.Class)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// add adds the lines of names with a class.
func (w *writer) add(to *[]Line, c Class, names []Name, before, after string) {
	w.addTexts(to, c, texts(names), before, after)
}

func (w *writer) addTexts(to *[]Line, c Class, texts []string, before, after string) {
	expressions, err := pathregex.Words(texts, before, after, w.limit)
	if err != nil && w.err == nil {
		w.err = err
	}
	for _, e := range expressions {
		*to = append(*to, Line{e, c})
	}
}

func texts(names []Name) (list []string) {
	for _, n := range names {
		list = append(list, n.Text)
	}
	return list
}

// exact adds the lines of a level. The first name of the header decides, so the names of a class
// count only before those of all other classes that have rules of their own.
func (w *writer) exact(level int) {
	here := func(n Name) bool { return n.Level == level }
	rules := w.pick(here, func(n Name) bool { return n.Class != Everyone })
	others := w.pick(here, func(n Name) bool { return n.Class == Everyone })
	w.before(Everyone, others, rules)
	for _, c := range classes(rules) {
		is := func(n Name) bool { return n.Class == c }
		w.before(c, slices.DeleteFunc(slices.Clone(rules), func(n Name) bool { return !is(n) }),
			slices.DeleteFunc(slices.Clone(rules), is))
	}
}

// before adds the lines of names before which none of the rivals stands. It ignores the rivals if
// they do not fit into an expression.
func (w *writer) before(c Class, names, rivals []Name) {
	if len(rivals) > 0 {
		e, err := pathregex.Words(texts(rivals), `(?!`+own, after+`)`, w.limit/2)
		if err == nil && len(e) == 1 {
			w.add(&w.lines.Exact, c, names, `^`+outside+`*+(?:`+e[0]+inRun+`++`+outside+`++)*?`+own, after)
			return
		}
	}
	w.add(&w.lines.Exact, c, names, find, after+found)
}

// other adds the lines for headers without names that have rules of their own.
func (w *writer) other(marks *agent.Marks) {
	lines := &w.lines.Other
	for _, e := range browsers {
		*lines = append(*lines, Line{e, Nobody})
	}
	listed := func(n Name) bool { return n.Class == Everyone && n.Level > Tool }
	w.add(lines, Everyone, w.pick(listed), find, after+found)
	if w.unlistedToo {
		w.addTexts(lines, Nobody, wordsOf("runtime"), find, after+found)
		*lines = append(*lines, Line{`^` + errand(marks), Nobody})
		w.addTexts(lines, Everyone, marks.Words, find, after+found)
		w.parts(lines, marks)
		w.poses(lines)
		w.people(lines, marks)
		*lines = append(*lines, contacts()...)
	}
}

const (
	topDomain = `\.(?:com|net|org|io|ai|info|eu|de|fr|ru)`
	domain    = topDomain + `(?!\.?` + wordByte + `)` // the end of a name of a host

	// contact matches the part that every contact address has.
	contact = `(?:://|@|(?<=www)\.|` + topDomain + `)`
)

// people adds the lines for headers without an address for contact, and for those of programs that
// may give one.
func (w *writer) people(lines *[]Line, marks *agent.Marks) {
	// Most other headers have no address, so none of the lines below counts for them.
	*lines = append(*lines, Line{`^[^:.@]*+(?:(?!` + contact + `)[:.@][^:.@]*+)*+$`, Nobody})
	w.addTexts(lines, Nobody, marks.Apps, find, after+found)
	w.addTexts(lines, Nobody, wordsOf("client"), `^`+outside+`*+`, after)
	*lines = append(*lines, Line{`[0-9A-Za-z_!%\x2d\x80-\xff.](?-i:Player|Mail|Email|App)` + after, Nobody})
	const unposing = `^(?!.*mozilla)`
	w.addTexts(lines, Nobody, wordsOf("device", "desktop"), unposing+strings.TrimPrefix(find, "^"), after+found)
	*lines = append(*lines,
		Line{unposing + outside + `*+(?:` + firstDevice + `|.*?` + versionSystem + `(?![A-Za-z]))`, Nobody})
	w.add(lines, Nobody, w.pick(func(n Name) bool { return n.Level == Tool }), `^`, after+lonely)
}

// wordsOf returns the words by which agent.Lookup reads headers, of any of the classes.
func wordsOf(classes ...string) (words []string) {
	for text, its := range agent.HeaderWords() {
		if slices.ContainsFunc(its, func(c string) bool { return slices.Contains(classes, c) }) {
			words = append(words, text)
		}
	}
	return words
}

// versionSystem matches the name of a system where others have a version, as in "Foo/iOS".
const versionSystem = `/(?:android|ios|iphone|ipad|macos)`

// firstDevice matches the first word of a header that is the name of a device or has a part of one.
var firstDevice = `(?:` + strings.Join(wordsOf("maker"), "|") + `)` + wordByte + `|[0-9A-Za-z_!%\x2d\x80-\xff.]*?(?:` +
	strings.ReplaceAll(strings.Join(wordsOf("inside"), "|"), ".", `\.`) + `)`

// contacts returns the lines of addresses for contact.
func contacts() []Line {
	return []Line{
		{`(?:^|[^0-9A-Za-z_!%\x2d\x80-\xff.])(?:http[A-Za-z]*://|ftp[A-Za-z]*://|www\.)`, Everyone},
		{wordByte + `@` + wordByte + `+\.[A-Za-z]`, Everyone},
		{find + wordByte + `(?:(?!` + domain + `)(?:` + wordByte + `|\.(?=` + wordByte + `)))++` + domain + found,
			Everyone},
	}
}

// parts adds the lines for words with parts that are marks.
func (w *writer) parts(lines *[]Line, marks *agent.Marks) {
	*lines = append(*lines, Line{find + w.partly(marks) + found, Everyone})
}

// partly returns an expression of the start of a word with a part that is a mark, up to the part.
func (w *writer) partly(marks *agent.Marks) string {
	start := noAddress
	if e, err := pathregex.Words(w.notMarks(marks), "", after, w.limit/2); err == nil && len(e) == 1 {
		start += `(?!` + e[0] + `)`
	}
	// Most bytes of a word do not start a part.
	others := ""
	for c := 'a'; c <= 'z'; c++ {
		if !slices.ContainsFunc(slices.Concat(marks.Parts, marks.Endings),
			func(part string) bool { return strings.HasPrefix(part, string(c)) }) {
			others += string(c)
		}
	}
	start += `(?:[` + others + `0-9_!%\x2d\x80-\xff]++|(?!` + strings.Join(w.alternatives(marks), "|") + `)(?:` +
		wordByte + `|\.(?=` + wordByte + `)))*+`
	return start + `(?=` + wordByte + `)` // the word goes on, with a part
}

// alternatives returns expressions of the parts of words that are marks.
func (w *writer) alternatives(marks *agent.Marks) []string {
	parts, err := pathregex.Words(marks.Parts, "", "", w.limit/4)
	if err != nil {
		w.err = err
	}
	endings, err := pathregex.Words(marks.Endings, "", `(?:(?![A-Za-z])|(?-i:(?<![A-Z])(?=[A-Z])))`, w.limit/4)
	if err != nil {
		w.err = err
	}
	return slices.Concat(parts, endings)
}

// notMarks returns the words that have a part of a mark, and are none.
func (w *writer) notMarks(marks *agent.Marks) []string {
	not := slices.Concat(marks.Others, marks.Apps)
	for _, n := range w.names {
		if n.Level == Tool {
			not = append(not, strings.Fields(n.Text)...)
		}
	}
	return slices.DeleteFunc(not, func(text string) bool {
		return strings.Contains(text, " ") || !slices.ContainsFunc(slices.Concat(marks.Parts, marks.Endings),
			func(part string) bool { return strings.Contains(text, part) })
	})
}

// browsers matches whole headers of common browsers, so that no other line is tried for most
// people.
var browsers = []string{
	`^Mozilla/5\.0 \((?:Windows NT [0-9.]+(?:; Win64; x64|; WOW64)?(?:; rv:[0-9.]+)?` +
		`|Macintosh; Intel Mac OS X [0-9._]+(?:; rv:[0-9.]+)?` +
		`|X11; (?:Ubuntu; |Fedora; )?Linux (?:x86_64|i686)(?:; rv:[0-9.]+)?` +
		`|X11; CrOS [a-z0-9_]+ [0-9.]+` +
		`|Android [0-9.]+; (?:Mobile|Tablet); rv:[0-9.]+` +
		`|Linux; (?:U; )?Android [0-9.]+(?:; [A-Za-z]{2}[_\x2d][A-Za-z]{2})?(?:; [0-9A-Za-z _/.()+\x2d]{1,80}?)?(?:; wv)?` +
		`|(?:iPhone|iPad|iPod touch|iPod)(?:; U)?; CPU (?:iPhone )?OS [0-9_]+ like Mac OS X(?:; [A-Za-z]{2}[_\x2d][A-Za-z]{2})?)\) ` +
		`(?:Gecko/[0-9.]+ Firefox/[0-9.]+|AppleWebKit/[0-9.]+ \(KHTML, like Gecko\)` +
		`(?: (?:Version|Chrome|Mobile|Safari|Edge?|EdgA|EdgiOS|OPR|CriOS|FxiOS|SamsungBrowser|Vivaldi|YaBrowser)/[0-9A-Za-z.]+| Mobile)*)$`,
}
