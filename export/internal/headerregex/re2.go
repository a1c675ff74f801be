package headerregex

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/export/internal/pathregex"
)

// RE2 is expressions of RE2, which cannot look around. A header has the class of its first name of
// the highest level. Otherwise the lists decide in their order, each by its first line that
// matches. Otherwise the class is Nobody. All but Classes, Nearby and Posed are asked of the
// header.
type RE2 struct {
	Quick   []string // do names with rules of their own occur, or robots that have none?
	Names   []string // by level, the highest first: the group is the first name
	Classes []Line   // of a name

	Listed []string // does a name that shows no robot stand at one of the two places?
	Nearby []Line   // the classes of these names

	// The first word that marks robots is the group of Marked in the header without words that are
	// not marks. If the word matches Bare, the group of Near is the word that it belongs to,
	// perhaps one of Nearby. The word is asked for only if both Listed and Shown match: otherwise
	// there is none.
	Marked, Bare string
	Near         []string

	Marks []Line // of robots in no table
	Shown string // matches each header that Marked with Bare, or one of Parts, matches
	Strip string // matches a word that is not a mark, such as "cubot": the groups are the text around it
	Parts []Line // asked of the header without such words

	Playing string // the group is a word where browsers have no name, perhaps one of Nearby

	// Posing finds such a name that is named nowhere as its group, or is empty. Posed are lines of
	// the name.
	Posing string
	Posed  []Line
	Rest   []Line // of headers in which an address shows no robot

	Linked   []string // the group is the word that an address for contact belongs to, perhaps one of Nearby
	Contacts []Line   // of addresses for contact

	Errand, Crawl string // see Unlisted
}

const (
	nonWord2   = `[^0-9A-Za-z_!%\x2d\x{80}-\x{10ffff}]`
	wordByte2  = `[0-9A-Za-z_!%\x2d\x{80}-\x{10ffff}]`
	version    = `(?:[_\x2d]*[0-9.]*[0-9])?`
	noWord2    = `(?:\z|[^0-9A-Za-z_!%\x2d\x{80}-\x{10ffff}.]|\.(?:\z|` + nonWord2 + `))`
	noMailbox2 = `[^0-9A-Za-z_!%\x2d\x{80}-\x{10ffff}@.]|\.` + nonWord2
	after2     = version + `(?:\z|` + noMailbox2 + `|\.\z)`
	lonely2    = version + `(?:/[^ ]*|` + noMailbox2 + `)` + address
	inWord2    = `(?:\.?` + wordByte2 + `)*\.?`

	// unposing2 is the start of a header that does not start with Mozilla.
	unposing2 = `(?:[^m]|m[^o]|mo[^z]|moz[^i]|mozi[^l]|mozil[^l]|mozill[^a])`

	// unlimited is the limit of an expression.
	unlimited = 4 << 20
)

// before2 is what before is: a blank counts only if the word before it is none of those.
var before2 = `(?:^|[^0-9A-Za-z_!%\x2d\x{80}-\x{10ffff}./?=&#@~* ]|(?:^|` +
	strings.Join(notAfter([]string{"like", "with", "following"}, ""), "|") + `) )`

// notAfter returns expressions of the end of a text that ends with suffix, but with none of the
// words.
func notAfter(words []string, suffix string) (expressions []string) {
	var letters []string
	for _, w := range words {
		if w == suffix {
			return nil
		}
		if before, ok := strings.CutSuffix(w, suffix); ok && !slices.Contains(letters, before[len(before)-1:]) {
			letters = append(letters, before[len(before)-1:])
		}
	}
	start := `(?:^|[^` + strings.Join(letters, "") + `])`
	if suffix == "" {
		start = `[^` + strings.Join(letters, "") + `]`
	}
	expressions = append(expressions, start+suffix)
	for _, c := range letters {
		expressions = append(expressions, notAfter(words, c+suffix)...)
	}
	return expressions
}

// OfRE2 returns the expressions for names. Robots that are in no table, and are not named, are
// recognized only if unlisted is set.
func OfRE2(names []Name, unlisted bool) (*RE2, error) {
	w := &writer{names: names, limit: unlimited, unlistedToo: unlisted}
	var r RE2
	own := w.pick(func(n Name) bool { return n.Class != Everyone && n.Level > Unmarked })
	r.Quick = w.named(own, `(?:`)
	for level := w.highest(); level >= Unknown; level-- {
		r.Names = append(r.Names, w.named(w.pick(func(n Name) bool { return n.Level == level }), `(`)...)
	}
	robots := w.pick(func(n Name) bool { return n.Level > Tool })
	for _, c := range classes(robots) {
		some := slices.DeleteFunc(slices.Clone(robots), func(n Name) bool { return n.Class != c })
		w.add(&r.Classes, c, some, `^`, `$`)
	}
	marks := agent.RobotMarks()
	w.nearby2(&r, &marks)
	if unlisted || len(r.Nearby) > 0 {
		w.marks2(&r, &marks)
	}
	return &r, w.err
}

// named returns an expression of names in a group that opens with open, or nothing.
func (w *writer) named(names []Name, open string) []string {
	expressions, err := pathregex.Words(texts(names), before2+open, `)`+after2, unlimited)
	if err != nil && w.err == nil {
		w.err = err
	}
	return expressions
}

// marks2 adds the lines for robots that are in no table.
func (w *writer) marks2(r *RE2, marks *agent.Marks) {
	class := Unlisted
	if !w.unlistedToo {
		class = Nobody
	}
	w.addTexts(&r.Marks, Nobody, wordsOf("runtime"), before2, after2)
	r.Errand, r.Crawl = anyOf(marks.Errands), anyOf(marks.Crawls)
	w.addTexts(&r.Marks, class, marks.Words, before2, after2)
	if e, err := pathregex.Words(w.notMarks(marks), `^(.*?`+before2+`)`, `(`+after2+`.*)$`, unlimited); err == nil &&
		len(e) == 1 {
		r.Strip = e[0]
	}
	r.Shown = strings.Join(slices.Concat(marks.Parts, marks.Endings), "|")
	r.Parts = []Line{{before2 + partly2(marks) + noMailbox, class}}
	if w.unlistedToo {
		r.Posing = `^` + playing + `((?:\.?` + wordByte2 + `)*?)` + version + strings.ReplaceAll(plays, `\x80-\xff`,
			`\x{80}-\x{10ffff}`)
		w.addTexts(&r.Posed, Nobody, w.listedWords(), `^`, `$`)
		r.Posed = append(r.Posed,
			Line{`browser$|(?-i:Player|Email|Mail|App)$|` +
				`^[A-Za-z]{2}[_\x2d]?[A-Za-z]{0,2}$|^[^A-Za-z]*[A-Za-z]?[^A-Za-z]*$`,
				Nobody}, Line{`^...`, Everyone})
	}
	w.addTexts(&r.Rest, Nobody, marks.Apps, before2, after2)
	w.addTexts(&r.Rest, Nobody, wordsOf("client"), `^[^0-9A-Za-z]*`, after2)
	r.Rest = append(r.Rest, Line{`[0-9A-Za-z_!%\x2d\x{80}-\x{10ffff}.](?-i:Player|Mail|Email|App)` + after2, Nobody})
	w.addTexts(&r.Rest, Nobody, wordsOf("device", "desktop"), `^(?:[^0-9A-Za-z]*|[0-9A-Za-z]{1,6}[^0-9A-Za-z]+|`+
		unposing2+`.*`+before2+`)`, after2)
	device := strings.ReplaceAll(firstDevice, `\x80-\xff`, `\x{80}-\x{10ffff}`)
	r.Rest = append(r.Rest, Line{`^[^0-9A-Za-z]*(?:` + device + `)|^` +
		unposing2 + `.*` + versionSystem + `(?:[^A-Za-z]|\z)`, Nobody})
	w.add(&r.Rest, Nobody, w.pick(func(n Name) bool { return n.Level == Tool }), `^`, lonely2)
	for _, e := range contacts2(`(?:^|[^0-9A-Za-z_!%\x2d\x{80}-\x{10ffff}.])`, "", before2) {
		r.Contacts = append(r.Contacts, Line{e, class})
	}
}

// contacts2 returns expressions of addresses for contact: of URLs, mailboxes and hosts, each after
// an expression.
func contacts2(beforeURL, beforeMailbox, beforeHost string) []string {
	return []string{
		beforeURL + `(?:http[A-Za-z]*://|ftp[A-Za-z]*://|www\.)`,
		beforeMailbox + wordByte2 + `@` + wordByte2 + `+\.[A-Za-z]`,
		beforeHost + wordByte2 + `(?:\.?` + wordByte2 + `)+\.(?:com|net|org|io|ai|info|eu|de|fr|ru)` + noWord2,
	}
}

// Browsers are expressions of whole headers of common browsers.
func Browsers() []string { return browsers }

// CommonBrowsers matches whole headers of common browsers in which no text is free, so that they
// have no names of robots. It is an expression of PCRE and RE2.
const CommonBrowsers = `^Mozilla/5\.0 \((?:Windows NT [0-9.]+; Win64; x64|Macintosh; Intel Mac OS X [0-9._]+|X11; Linux x86_64|Linux; Android 10; K` +
	`|(?:iPhone|iPad); CPU (?:iPhone )?OS [0-9_]+ like Mac OS X)\) ` +
	`AppleWebKit/[0-9.]+ \(KHTML, like Gecko\)(?: (?:Version|Chrome|Mobile|Safari|Edg|CriOS)/[0-9A-F.]+| Mobile)*$` +
	`|^Mozilla/5\.0 \((?:Windows NT [0-9.]+; Win64; x64|Macintosh; Intel Mac OS X [0-9._]+|X11; Linux x86_64|Android [0-9]+; Mobile); rv:[0-9.]+\) Gecko/[0-9.]+ Firefox/[0-9.]+$`
