package export

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/export/internal/headerregex"
	"github.com/robotsexclusion/robots/export/internal/pathregex"
	"github.com/robotsexclusion/robots/internal/exception"
	"github.com/robotsexclusion/robots/internal/url/reading"
)

// caddySyntax is for the target from its path on, without a fragment. Caddy's expressions are those
// of Go.
var caddySyntax = pathregex.Syntax{Root: `^/`, Any: `.*?`, End: `\z`, Limit: 30000, RE2: true}

// caddyServed is for the target with its "#", which Caddy takes for a byte of the path.
var caddyServed = func() pathregex.Syntax {
	s := caddySyntax
	s.End = `(?:#|\z)`
	return s
}()

// A caddyWriter writes maps, which Caddy evaluates only when their placeholder is asked for, each
// time again. A value that an expression maps to is text; other values may be placeholders.
type caddyWriter struct {
	*plan
	strings.Builder
}

// The answers to a request: the status, or 0 to pass it. Caddy's expressions see characters, not
// bytes, so a target with a raw byte above 127 is malformed to robots with rules.
const (
	caddyRefused   = "403"
	caddyMalformed = "400"
	caddyPasses    = "0"
)

func writeCaddy(p *plan) (*Config, error) {
	lines, err := headerregex.OfRE2(p.names, p.options.Agents == All)
	if err != nil {
		return nil, err
	}
	d := &decision{groups: make(map[int][2][]line), served: make(map[int][2][]line),
		spelled: p.spelled(caddySpelling), rest: p.everyone >= 0 && p.options.Agents != Named}
	for i := range p.groups {
		obeyed := slices.ContainsFunc(p.names, func(n headerregex.Name) bool { return int(n.Class) == i })
		if obeyed || d.rest && i == p.everyone {
			if err := p.addPaths(d, &caddySyntax, d.spelled, i); err != nil {
				return nil, err
			}
		}
	}
	if len(d.groups) == 0 { // no header matters
		lines = &headerregex.RE2{}
	}
	w := &caddyWriter{plan: p}
	w.printf("# The rules of a robots.txt, written by \"robots export\". Import this file in the site.\n")
	w.paths(d)
	w.classes(lines)
	w.answer(d, lines)
	// The variable has the answer, so that the matcher and the error do not ask all questions
	// again.
	strangers := ""
	if addresses := p.passAddresses(" "); addresses != "" {
		strangers = "\tnot remote_ip " + addresses + "\n"
	}
	w.printf("vars robots_%[1]s %[2]s\n@robots_%[1]s {\n\tvars robots_%[1]s %[3]s %[4]s\n%[5]s}\n", p.site,
		w.exceptions(), caddyRefused, caddyMalformed, strangers)
	w.printf("error @robots_%[1]s \"\" {http.vars.robots_%[1]s}\n", p.site)
	name := "robots-" + p.site + ".caddy"
	return &Config{
		Files: []File{{name, []byte(w.String())}},
		Includes: []Include{
			{"to the global options, once, so that refusals come before redir, rewrite and handle",
				[]string{"order error before redir"}},
			{"to the site", []string{"import " + path.Join(p.folder("/etc/caddy"), name)}},
		},
		Notes: []string{"Caddy's expressions take more time than all else that it does for a request: if you build Caddy with modules, robots_guard decides without them"},
	}, nil
}

func (w *caddyWriter) printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// name returns a placeholder of the site.
func (w *caddyWriter) name(of string) string { return "{robots_" + w.site + "_" + of + "}" }

// A caddyValue is a value that a map has for an input.
type caddyValue struct{ input, value string }

const caddyAgent = "{http.request.header.User-Agent}"

// table writes a map from one placeholder to another, with the value for all other inputs.
func (w *caddyWriter) table(from, to, otherwise string, values ...caddyValue) {
	w.printf("map %s %s {\n", from, to)
	for _, v := range values {
		w.printf("\t%s %s\n", v.input, cmp.Or(v.value, `""`))
	}
	w.printf("\tdefault %s\n}\n", cmp.Or(otherwise, `""`))
}

// pattern returns an expression as the input of a map.
func pattern(expression string) string { return "`~" + expression + "`" }

// paths writes a placeholder for each group: the answer to robots that obey the group.
func (w *caddyWriter) paths(d *decision) {
	const start = `^(?:` + reading.Authority + `)?`
	target, whole, kind := w.name("target"), w.name("whole"), w.name("kind")
	w.table("{http.request.orig_uri}", whole, "*", caddyValue{pattern(start + `(/.*)`), "$1"},
		caddyValue{pattern(`^` + reading.Authority + `(.*)`), "/$1"})
	w.table(whole, target, "*", caddyValue{pattern(`^([^#]*)`), "$1"})
	w.table(target, kind, "f", caddyValue{pattern(`[^\x00-\x7f]`), "r"}, caddyValue{pattern(pathregex.Odd), "o"})
	if s := d.spelled; s != nil {
		w.table(whole, w.name("other"), "", caddyValue{pattern(s.dots), "d"}, caddyValue{pattern(s.other), "s"})
	}
	for _, i := range slices.Sorted(maps.Keys(d.groups)) {
		group := fmt.Sprint("g", i)
		values := []caddyValue{{"r", caddyMalformed}}
		for n, form := range []string{"f", "o"} {
			w.table(target, w.name(group+form), caddyPasses, caddyLines(d.groups[i][n])...)
			values = append(values, caddyValue{form, w.name(group + form)})
		}
		if d.spelled == nil {
			w.table(kind, w.name(group), caddyPasses, values...)
			continue
		}
		w.table(kind, w.name(group+"x"), caddyPasses, values...)
		values = []caddyValue{{caddyRefused, caddyRefused}, {caddyMalformed, caddyMalformed}}
		w.table(w.name(group+"x"), w.name(group), w.name(group+"y"), values...)
		values = nil
		for n, form := range []string{"s", "d"} {
			w.table(whole, w.name(group+form), caddyPasses, caddyLines(d.served[i][n])...)
			values = append(values, caddyValue{form, w.name(group + form)})
		}
		w.table(w.name("other"), w.name(group+"y"), caddyPasses, values...)
	}
}

// caddyLines returns the answers for targets that lines match.
func caddyLines(lines []line) (values []caddyValue) {
	for _, l := range lines {
		values = append(values, caddyValue{pattern(l.expression), []string{caddyPasses, caddyRefused}[disallowed(l)]})
	}
	return values
}

// classes writes the placeholder of the class of a header. Names of robots.txt make the expressions
// longer, but not more numerous, and an expression stops where no name continues.
func (w *caddyWriter) classes(lines *headerregex.RE2) {
	w.groups(caddyAgent, "name", lines.Names...)
	if len(lines.Marks) == 0 {
		w.headers(w.name("name"), "class", "", lines.Classes)
		return
	}
	others := "rest" // where no word marks a robot
	if lines.Posing != "" {
		others = "poses"
	}
	if len(lines.Nearby) == 0 {
		w.headers(w.name("name"), "shows", "marks", lines.Classes)
		w.marks(lines, others)
		w.headers(caddyAgent, "rest", "contacts", lines.Rest)
	} else {
		w.headers(w.name("name"), "shows", "near", lines.Classes)
		w.nearby(lines, others)
		w.marks(lines, "playing")
		w.headers(caddyAgent, "rest", "linked", lines.Rest)
	}
	if lines.Posing != "" {
		w.groups(caddyAgent, "posing", lines.Posing)
		w.headers(w.name("posing"), "posed", "", lines.Posed)
		w.table(w.name("posed"), w.name("poses"), w.name("rest"), caddyValue{"e", className(headerregex.Unlisted)})
	}
	w.headers(caddyAgent, "contacts", "", lines.Contacts)
	w.table(caddyAgent, w.name("unlisted"), className(headerregex.Everyone),
		caddyValue{pattern("(?i)" + lines.Crawl), className(headerregex.Everyone)},
		caddyValue{pattern("(?i)" + lines.Errand), className(headerregex.Nobody)})
	w.table(w.name("shows"), w.name("class"), w.name("shows"),
		caddyValue{className(headerregex.Unlisted), w.name("unlisted")})
}

// nearby writes the placeholders of names that show no robot: before all marks, before others, and
// before addresses for contact.
func (w *caddyWriter) nearby(lines *headerregex.RE2, others string) {
	w.matches(caddyAgent, "listed", lines.Listed...)
	w.table(w.name("shown")+w.name("listed"), w.name("near"), w.name("marks"), caddyValue{"11", w.name("word")})
	w.groups(w.name("twice"), "marked", lines.Marked)
	w.matches(w.name("marked"), "bare", lines.Bare)
	w.table(w.name("bare"), w.name("word"), w.name("marks"), caddyValue{"1", w.name("nearby")})
	w.groups(caddyAgent, "nearest", lines.Near...)
	w.headers(w.name("nearest"), "nearby", "marks", lines.Nearby)
	w.groups(caddyAgent, "player", lines.Playing)
	w.headers(w.name("player"), "playing", others, lines.Nearby)
	w.groups(caddyAgent, "link", lines.Linked...)
	w.headers(w.name("link"), "linked", "contacts", lines.Nearby)
}

// marks writes the placeholders of words that mark robots. If there is none, the map next decides.
func (w *caddyWriter) marks(lines *headerregex.RE2, next string) {
	w.headers(caddyAgent, "marks", "parts", lines.Marks)
	w.matches(caddyAgent, "shown", lines.Shown)
	w.table(w.name("shown"), w.name("parts"), w.name(next), caddyValue{"1", w.name("partly")})
	w.headers(w.name("twice"), "partly", next, lines.Parts)
	from := caddyAgent
	for _, to := range []string{"once", "twice"} {
		// The second line is for texts without such a word: a default would ask for the text again.
		w.table(from, w.name(to), "", caddyValue{pattern("(?i)" + lines.Strip), `"$1 $2"`},
			caddyValue{pattern(`(?s)^(.*)$`), "$1"})
		from = w.name(to)
	}
}

// exceptions writes the placeholder of the answer if no exception by method, path or header covers
// the request, and returns it.
func (w *caddyWriter) exceptions() string {
	next := w.name("answer")
	for i, h := range w.passHeaders() {
		field := w.name(fmt.Sprint("field", i))
		w.table("{http.request.header."+h.name+"}", field, next, caddyValue{"`" + h.value + "`", caddyPasses})
		next = field
	}
	var values []caddyValue
	for _, path := range w.options.PassPaths {
		values = append(values, caddyValue{pattern(exception.PathExpression(`^`, path, `\z`, true)), caddyPasses})
	}
	if values != nil {
		w.table(w.name("target"), w.name("elsewhere"), next, values...)
		next = w.name("elsewhere")
	}
	if methods := w.judgedMethods(); methods != nil {
		w.matches("{http.request.method}", "enforced", "^(?:"+strings.Join(methods, "|")+")$")
		w.table(w.name("enforced"), w.name("judged"), caddyPasses, caddyValue{"1", next})
		next = w.name("judged")
	}
	return next
}

// groups writes a map to the group of the first expression that matches, or to nothing.
func (w *caddyWriter) groups(from, to string, expressions ...string) {
	w.expressions(from, to, "", "$1", expressions)
}

// matches writes a map to 1 if an expression matches, and otherwise to 0.
func (w *caddyWriter) matches(from, to string, expressions ...string) {
	w.expressions(from, to, "0", "1", expressions)
}

func (w *caddyWriter) expressions(from, to, otherwise, value string, expressions []string) {
	var values []caddyValue
	for _, e := range expressions {
		values = append(values, caddyValue{pattern("(?i)" + e), value})
	}
	w.table(from, w.name(to), otherwise, values...)
}

// headers writes a map to classes. If no line matches, the map next decides.
func (w *caddyWriter) headers(from, to, next string, lines []headerregex.Line) {
	otherwise := className(headerregex.Nobody)
	if next != "" {
		otherwise = w.name(next)
	}
	var values []caddyValue
	for _, l := range lines {
		values = append(values, caddyValue{pattern("(?i)" + l.Expression), className(l.Class)})
	}
	w.table(from, w.name(to), otherwise, values...)
}

// answer writes the placeholder of the answer. The path is asked before the header, unless the
// header has a name with rules of its own.
func (w *caddyWriter) answer(d *decision, lines *headerregex.RE2) {
	open := func(expressions []string) (values []caddyValue) {
		for _, e := range expressions {
			values = append(values, caddyValue{pattern("(?i)" + e), caddyPasses})
		}
		return values
	}
	rest := caddyPasses
	if d.rest {
		everyone := w.name(fmt.Sprint("g", w.everyone))
		w.table(w.name("class"), w.name("robot"), "n", caddyValue{"e", "e"})
		w.table(caddyAgent, w.name("client"), w.name("robot"), open(headerregex.Browsers())...)
		var values []caddyValue
		for _, answer := range []string{caddyRefused, caddyMalformed} {
			w.table(w.name("client"), w.name("r"+answer), caddyPasses, caddyValue{"e", answer})
			values = append(values, caddyValue{answer, w.name("r" + answer)})
		}
		rest = w.name("everyone")
		w.table(everyone, rest, caddyPasses, values...)
	}
	asked := rest
	if len(lines.Quick)+len(lines.Listed) > 0 {
		var values []caddyValue
		if d.rest {
			values = append(values, caddyValue{"e", w.name(fmt.Sprint("g", w.everyone))})
		}
		for _, i := range slices.Sorted(maps.Keys(d.groups)) {
			values = append(values, caddyValue{fmt.Sprint("g", i), w.name(fmt.Sprint("g", i))})
		}
		w.table(w.name("class"), w.name("exact"), caddyPasses, values...)
		values = nil
		for _, e := range lines.Quick {
			values = append(values, caddyValue{pattern("(?i)" + e), "1"})
		}
		unnamed := "0"
		if len(lines.Listed) > 0 {
			unnamed = w.name("listed")
		}
		w.table(caddyAgent, w.name("named"), unnamed, values...)
		asked = w.name("asked")
		w.table(w.name("named"), asked, rest, caddyValue{"1", w.name("exact")})
	}
	w.table(caddyAgent, w.name("answer"), asked, open(d.browsers())...)
}
