package headerregex

import (
	"regexp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/export/internal/pathregex"
)

// A name such as FooLoader does not show a robot. If the header also has a contact address or a
// word such as "crawler", agent.Lookup takes the client for a robot with the nearest name: the
// first word of the header, or else the first word of the last part of the header with a name.
// Expressions find such a name at two places: at the start of a header, and where headers that pose
// as browsers have their first name.

const (
	mozilla = `Mozilla/[0-9.]+ *`

	// posing is the start of a header, up to its first name, that poses as a browser and has
	// neither an address nor a word of robots.
	posing = `Mozilla/[0-9.]+ *(?:\((?:` + systems + `)\) *)?` + posingEngine
	// posingAs is the same, but may have words of robots.
	posingAs  = `Mozilla/[0-9.]+ *(?:\((?:[^()@/.]|\.[0-9]){0,200}+\) *)?` + posingEngine
	posingAs2 = `Mozilla/[0-9.]+ *(?:\((?:[^()@/.]|\.[0-9])*\) *)?` + posingEngine // for RE2

	posingEngine = `(?:AppleWebKit/[0-9.]+ *\(KHTML, like Gecko(?:\) *|[;,] *))?(?:Gecko/[0-9]+ )?` +
		`(?:(?:Version|Chrome|Safari|Firefox)/[0-9.]+ ){0,3}\(?(?:compatible(?:[;,] *| +))?`
	systems = `Windows NT [0-9.]+(?:; Win64; x64|; WOW64)?(?:; rv:[0-9.]+)?|Macintosh; Intel Mac OS X [0-9._]+(?:; rv:[0-9.]+)?|X11; Linux (?:x86_64|i686)(?:; rv:[0-9.]+)?`

	// playing is the start of a header up to a name that stands where browsers have none.
	playing = mozilla + `\(compatible[;,]? *`
	// plays matches the text after such a name if the header has no other words.
	plays = `(?:/[^ ;()]*)?[^0-9A-Za-z\x80-\xff]*[^A-Za-z\x80-\xff]*$`

	part = `;,()[\]\x22|` // the bytes between the parts of a header

	// nearAddress matches the text after a name, up to an address. Its parts are short, because
	// they are tried again from each byte.
	nearAddress = `[^` + part + `]{0,200}(?:[^0-9A-Za-z_!%\x2d\x80-\xff.` + part + `]|[` + part + `][` + part +
		` +0-9.\x2d]{0,20})` +
		`(?:http[A-Za-z]{0,9}://|ftp[A-Za-z]{0,9}://|www\.|[0-9A-Za-z_!%\x2d.]{1,60}+@[0-9A-Za-z_!%\x2d]{1,60}+\.[A-Za-z]|[0-9A-Za-z_!%\x2d.]{1,60}` + topDomain + `(?!\.?` + wordByte + `))`

	// The same addresses for RE2, which needs no limits.
	urls  = `(?:http[A-Za-z]*://|ftp[A-Za-z]*://|www\.|[0-9A-Za-z_!%\x2d.]+@[0-9A-Za-z_!%\x2d]+\.[A-Za-z])`
	hosts = `[0-9A-Za-z_!%\x2d.]+` + topDomain
)

// Nearby reports whether a name that shows no robot is found at the two places, if the header has
// an address for contact.
func Nearby(name string) bool {
	for _, header := range []string{
		name + " (+http://example.com/)", name + "/1.0 (+http://example.com/)",
		name + "/1.0 (Zqx/1.0; +http://example.com/)", // the first word goes before all others
		"Mozilla/5.0 (compatible; " + name + "/1.0; +http://example.com/)",
		"Mozilla/5.0 (compatible; " + name + "; +http://example.com/)",
	} {
		if a := agent.Lookup(header); a.Kind != agent.Robot || a.Known() || !strings.EqualFold(a.Token, name) {
			return false
		}
	}
	return true
}

func isNearby(n Name) bool { return n.Level == Unmarked }

func ofClass(names []Name, c Class) []Name {
	return slices.DeleteFunc(slices.Clone(names), func(n Name) bool { return n.Class != c })
}

// nearby adds the lines for headers that may have one of the names near a mark. They decide like
// those of other, except for the class of the names.
func (w *writer) nearby(marks *agent.Marks) {
	list := w.pick(isNearby)
	if len(list) == 0 {
		return
	}
	lines := &w.lines.Exact
	w.addTexts(&w.lines.Quick, Nobody, texts(list), `^(?:`+outside+`*+|`+posingAs+`)`, after)
	w.add(lines, Everyone, w.pick(func(n Name) bool { return n.Class == Everyone && n.Level > Tool }), find, after+
		found)
	w.addTexts(lines, Nobody, wordsOf("runtime"), find, after+found)
	mark := w.mark(marks)
	const within = `[^0-9A-Za-z_!%\x2d\x80-\xff./?=&#@~*` + part + `]` // outside, within a part
	bare := `(?!` + mark + `)` + inRun + `++`                          // a run without a mark
	word := w.bare(marks)
	for _, c := range classes(list) {
		names := ofClass(list, c)
		w.add(lines, c, names, `^`+outside+`*+`, after+inRun+`*+`+outside+`*+(?:`+bare+outside+`*+)*+`+word)
		w.add(lines, c, names, `^`+posing, after+inRun+`*+(?:`+within+`*+`+bare+`)*+`+outside+`*+`+word)
	}
	rest := Everyone
	if !w.unlistedToo {
		rest = Nobody
	}
	errands := `^` + errand(marks) + strings.TrimPrefix(find, `^`)
	if rest == Everyone {
		w.addTexts(lines, Nobody, marks.Words, errands, after+found)
	}
	w.addTexts(lines, rest, marks.Words, find, after+found)
	if rest == Everyone {
		*lines = append(*lines, Line{errands + w.partly(marks) + found, Nobody})
	}
	*lines = append(*lines, Line{find + w.partly(marks) + found, rest})
	for _, c := range classes(list) {
		w.add(lines, c, ofClass(list, c), `^`+playing, after+plays)
	}
	w.people(lines, marks)
	c := contacts()
	*lines = append(*lines, Line{`^(?!.*(?:` + c[0].Expression + `|` + c[1].Expression + `))(?!` +
		strings.TrimPrefix(c[2].Expression, "^") + `)`, Nobody})
	for _, c := range classes(list) {
		names := ofClass(list, c)
		w.add(lines, c, names, `^`+outside+`*+`, after)
		// No other part of the header has a name before the address.
		w.add(lines, c, names, `^`+posingAs, after+nearAddress)
	}
	if rest == Everyone {
		*lines = append(*lines, Line{`^` + errand(marks), Nobody})
	}
	*lines = append(*lines, Line{`^`, rest})
}

// listedWords returns the words that agent.Lookup takes for no name: those of its list, and
// programs of the table.
func (w *writer) listedWords() (words []string) {
	for text, classes := range agent.HeaderWords() {
		if len(classes) > 0 && !strings.Contains(text, " ") && !slices.ContainsFunc(classes, func(c string) bool {
			return slices.Contains([]string{"robot", "part", "ending", "maker", "inside"}, c)
		}) {
			words = append(words, text)
		}
	}
	for _, n := range w.names {
		if n.Level == Tool && !strings.Contains(n.Text, " ") {
			words = append(words, n.Text)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// poses adds the lines of robots that are named nowhere, and have no mark but a name where browsers
// have none.
func (w *writer) poses(lines *[]Line) {
	before := `^` + playing +
		`(?=[0-9_!%.\x2d]*[A-Za-z][0-9_!%.\x2d]*[A-Za-z])(?![A-Za-z]{2}[_\x2d]?[A-Za-z]{0,2}(?!\.?` + wordByte + `))` +
		`(?!` + wordByte + `*(?:browser|(?-i:Player|Mail|Email|App))` + after + `)`
	// The words are divided by their first letters, because an expression can be too long with all
	// of them.
	for _, letters := range []string{"[a-c]", "[d-l]", "[m-q]", "[^a-q]"} {
		starts, first := `(?=`+letters+`)`, regexp.MustCompile(`^`+letters)
		words := slices.DeleteFunc(w.listedWords(), func(text string) bool { return !first.MatchString(text) })
		e, err := pathregex.Words(words, before+starts+`(?!`, after+`)[0-9A-Za-z_!%\x2d\x80-\xff.]{3,}`+plays, w.limit)
		if err == nil && len(e) == 1 { // otherwise the robots pass
			*lines = append(*lines, Line{e[0], Everyone})
		}
	}
}

// noAddress is that no address starts here.
const noAddress = `(?!www\.|[0-9A-Za-z_!%\x2d\x80-\xff.]++@` + wordByte + `++\.[A-Za-z])`

// mark returns an expression of a word that marks robots, at the start of a run.
func (w *writer) mark(marks *agent.Marks) string {
	words, err := pathregex.Words(marks.Words, "", after, w.limit/2)
	if err != nil && w.err == nil {
		w.err = err
	}
	return own + `(?:` + strings.Join(append(words, w.partly(marks)), "|") + `)`
}

// bare returns an expression of a word that is only a mark, such as "crawler" and "robots".
func (w *writer) bare(marks *agent.Marks) string {
	return `(?:` + strings.Join(w.alternatives(marks), "|") + `)(?-i:[a-z]*+)(?![0-9@]|\.?` + wordByte + `)`
}

// word2 is a word with its version, as the group of an expression, at a place where a name may
// stand.
const word2 = `(` + wordByte2 + `(?:\.?` + wordByte2 + `)*` + version + `)`

// end2 matches the text after a word, up to another expression.
func end2(after string) string {
	return `(?:/[^ ;()]*)?(?:[^0-9A-Za-z_!%\x2d\x{80}-\x{10ffff}.@/]|\.` + nonWord2 + `)` + after
}

// near2 matches the text after a word up to another expression, if no part of the header between
// them has a name.
func near2(other, after string) string {
	return `(?:/[^ ;()]*)?(?:[^0-9A-Za-z_!%\x2d\x{80}-\x{10ffff}.@/` + part + `](?:[^` + part + `]*(?:` + apart2 +
		`|[` + part + `]` + other + `))?|[` + part + `]` + other + `)` + after
}

const (
	outside2 = `[^0-9A-Za-z_!%\x2d\x{80}-\x{10ffff}./?=&#@~*]`
	apart2   = `[^0-9A-Za-z_!%\x2d\x{80}-\x{10ffff}.` + part + `]`
)

// noMailbox ends a word that is not a mailbox.
const noMailbox = `(?:\z|` + noMailbox2 + `|\.\z)`

// partly2 returns an expression of a word with a part that is a mark.
func partly2(marks *agent.Marks) string {
	list := slices.Clone(marks.Parts)
	for _, ending := range marks.Endings {
		last := len(ending) - 1
		list = append(list, ending+`(?:\b|[0-9_])`, ending[:last]+`(?-i:`+ending[last:]+`[A-Z])`)
	}
	return inWord2 + `(?:` + strings.Join(list, "|") + `)(?:\.?` + wordByte2 + `)*`
}

// nearby2 adds what nearby adds. The expressions find any word at one of the two places, and only
// Listed and Nearby have the names. So a header is compared with all names a fixed number of times,
// regardless of their number.
func (w *writer) nearby2(r *RE2, marks *agent.Marks) {
	list := w.pick(isNearby)
	if len(list) == 0 {
		return
	}
	listed, err := pathregex.Words(texts(list), `^(?:`+outside2+`*|`+posingAs2+`)(?:`, `)`+after2, unlimited)
	if err != nil && w.err == nil {
		w.err = err
	}
	r.Listed = listed
	for _, c := range classes(list) {
		w.add(&r.Nearby, c, ofClass(list, c), `^`, version+`$`)
	}
	bare := `(?:` + strings.Join(slices.Concat(marks.Parts, marks.Endings), "|") + `)(?-i:[a-z]*)`
	r.Bare = `^` + bare + `$`
	words, err := pathregex.Words(marks.Words, "", version, unlimited)
	if err != nil && w.err == nil {
		w.err = err
	}
	r.Marked = `^.*?` + before2 + `(` + strings.Join(append(words, partly2(marks)), "|") + `)` + noMailbox
	// Only headers that pose as browsers start with "Mozilla", which is not a name, so the order
	// does not matter.
	r.Near = []string{`^` + posing + word2 + near2(outside2+`*`, bare+noMailbox), `^` + outside2 + `*` + word2 +
		noMailbox}
	r.Playing = `^` + playing + word2 + `(?:/[^ ;()]*)?(?:(?:[^0-9A-Za-z_!%\x2d\x{80}-\x{10ffff}@.]|\.` + nonWord2 +
		`)[^A-Za-z\x{80}-\x{10ffff}]*|\.)?$`
	r.Linked = []string{`^` + posingAs2 + word2 + near2(`[`+part+` +0-9.\x2d]*`, `(?:`+urls+`|`+hosts+noWord2+`)`)}
	for _, contact := range contacts2(`(?:.*[^0-9A-Za-z_!%\x2d\x{80}-\x{10ffff}.])?`, ".*?", "(?:.*"+before2+")?") {
		r.Linked = append(r.Linked, `^`+outside2+`*`+word2+end2(contact))
	}
}
