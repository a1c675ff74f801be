package export

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export/internal/headerregex"
	"github.com/robotsexclusion/robots/export/internal/layers"
	"github.com/robotsexclusion/robots/export/internal/pathregex"
	"github.com/robotsexclusion/robots/internal/url/reading"
)

// varnishSyntax is for req.url. Varnish answers 503 if an expression fails at a request, as long
// ones do in PCRE2, so they are short. An expression fails too if it takes more than 10,000 steps
// (pcre2_match_limit). A search for the text after "*" takes a step for each byte.
var varnishSyntax = func() pathregex.Syntax {
	s := targetSyntax(4100)
	s.Root = varnishStart + strings.TrimPrefix(s.Root, "^")
	s.Once = true
	return s
}()

// varnishStart matches the text before the path. Varnish takes "http" and the host off a target,
// but no other scheme.
const varnishStart = `^(?:` + reading.Authority + `)?`

// The longest targets, in bytes, that are compared if a rule has "*", or with other spellings:
// longer ones would take more steps than Varnish has. For other spellings each slash of a run is a
// step too, and a search begins again after each "/../".
const (
	varnishLongest       = 9000
	varnishLongestOther  = 4500
	varnishLongestClimbs = 600

	// varnishLongestExcepted is the longest target that an exception lets pass: each byte is a
	// step.
	varnishLongestExcepted = 1000

	// varnishLongestHeader is the longest User-Agent header in which names are looked for. Clients
	// with longer ones pass.
	varnishLongestHeader = 3000

	// Above this many expressions for odd targets, the targets are decoded instead.
	varnishMaxOdd = 1000

	// varnishMaxTests is the maximum number of expressions. Varnish takes a hundredth of a second
	// for one, and a minute for all its work.
	varnishMaxTests = 5000

	// varnishLongestDecoded is the longest odd target that is decoded. Each letter takes a copy,
	// and all copies must fit into the workspace.
	varnishLongestDecoded = 300
)

// A varnishWriter writes subroutines. VCL takes strings as they are, without escapes.
type varnishWriter struct {
	*plan
	strings.Builder
	decision *decision
	tests    int  // expressions
	decodes  bool // odd targets are decoded, and then compared with the expressions for usual ones
}

// refuse is the action for a target that a policy disallows.
const refuse = "return (synth(403));"

func writeVarnish(p *plan) (*Config, error) {
	d, err := p.decide(&varnishSyntax, p.spelled(varnishSpelling))
	if err != nil {
		return nil, err
	}
	odd := 0
	for _, lines := range d.groups {
		odd += len(lines[1])
	}
	w := &varnishWriter{plan: p, decision: d, decodes: odd > varnishMaxOdd}
	w.printf("# The rules of a robots.txt, written by \"robots export\".\nimport std;\n")
	if addresses := p.passAddresses("\n"); addresses != "" {
		w.printf("acl %s {\n", w.name("pass"))
		for _, a := range p.options.PassAddresses {
			w.printf("  \"%s\"/%d;\n", a.Masked().Addr(), a.Bits())
		}
		w.printf("}\n")
	}
	w.robot()
	for _, i := range slices.Sorted(maps.Keys(d.groups)) {
		w.group(i)
	}
	w.class()
	w.whole()
	if w.tests > varnishMaxTests {
		return nil, &Refusal{Server: p.server,
			Reason: fmt.Sprintf("its configuration would have %d expressions, more than %d, "+
				"which Varnish compiles in a minute", w.tests, varnishMaxTests)}
	}
	name := "robots-" + p.site + ".vcl"
	return &Config{
		Files: []File{{name, []byte(w.String())}},
		Includes: []Include{
			{"to the VCL, after the line with its version",
				[]string{fmt.Sprintf("include \"%s\";", path.Join(p.folder("/etc/varnish"), name))}},
			{"to sub vcl_recv, before everything else", []string{fmt.Sprintf("call robots_%s;", p.site)}},
		},
	}, nil
}

// robot writes the subroutine that refuses clients of the group for everyone if their header is
// that of a robot.
func (w *varnishWriter) robot() {
	if !w.decision.rest {
		return
	}
	w.sub("robot", func() {
		for _, l := range w.decision.Other {
			action := refuse
			if l.Class == headerregex.Nobody {
				action = "return;"
			}
			w.agent(l, action)
		}
	})
}

// group writes the subroutines of a group: first the called ones, and then the one that looks at
// the form of the target and calls them.
func (w *varnishWriter) group(i int) {
	name, action := fmt.Sprint("g", i), refuse
	if w.decision.rest && i == w.everyone {
		action = w.call("robot")
	}
	longest := 0
	if searched(w.groups[i]) {
		longest = varnishLongest
	}
	usual, odd := w.decision.groups[i][0], w.decision.groups[i][1]
	if w.decodes {
		w.targets(name+"f", w.target(), longest, usual, action)
		w.sub(name+"o", func() {
			w.longer(varnishLongestDecoded, action)
			w.printf("  set %s = %s;\n  call %s;\n", w.target(), decodedURL(), w.name(name+"f"))
		})
	} else {
		w.targets(name+"f", "req.url", longest, usual, action)
		w.targets(name+"o", "req.url", longest, odd, action)
	}
	if w.decision.spelled != nil {
		w.targets(name+"s", "req.url", varnishLongestOther, w.decision.served[i][0], action)
		w.targets(name+"d", "req.url", varnishLongestClimbs, w.decision.served[i][1], action)
	}
	w.sub(name, func() { w.form(name, action) })
}

// targets writes a subroutine that takes an action for targets that lines disallow, and, unless
// longest is 0, for targets of more than longest bytes.
func (w *varnishWriter) targets(name, target string, longest int, lines []line, action string) {
	w.sub(name, func() {
		if longest > 0 {
			w.longer(longest, action)
		}
		for _, l := range lines {
			if l.allow {
				w.test(target, l.expression, "return;")
			} else {
				w.test(target, l.expression, action)
			}
		}
	})
}

// form writes the calls of a group's subroutines for the forms that a target can have.
func (w *varnishWriter) form(group, action string) {
	if w.decodes {
		w.printf("  set %s = req.url;\n", w.target())
	}
	w.printf("  if (req.url ~ \"%s\") { call %so; } else { call %[2]sf; }\n", pathregex.Odd, w.name(group))
	if s := w.decision.spelled; s != nil {
		w.longer(varnishLongest, action)
		// The file server of Python takes "x" for "/x", and no robot sends it.
		w.printf("  if (req.url !~ \"^(?:[/*]|%s)\") { %s }\n", reading.Authority, action)
		w.printf("  if (req.url ~ \"%s\") { call %sd; }\n", s.dots, w.name(group))
		w.printf("  elsif (req.url ~ \"%s\") { call %ss; }\n", s.other, w.name(group))
	}
	if w.decodes {
		w.printf("  unset %s;\n", w.target()) // no backend gets it
	}
}

// class writes the subroutine that finds the group of a robot by its header.
func (w *varnishWriter) class() {
	w.sub("class", func() {
		for _, l := range w.decision.Exact {
			action := "return;"
			switch {
			case l.Class == headerregex.Everyone:
				action = w.others()
			case l.Class >= 0:
				action = w.call(className(l.Class))
			}
			w.agent(l, action)
		}
		w.printf("  %s\n", w.others())
	})
}

// others returns the action for clients without a group of their own.
func (w *varnishWriter) others() string {
	if w.decision.rest {
		return w.call(fmt.Sprint("g", w.everyone))
	}
	return "return;"
}

// whole writes the subroutine of the site, which the configuration of the server calls.
func (w *varnishWriter) whole() {
	w.printf("sub robots_%s {\n", w.site)
	if len(w.decision.groups) > 0 {
		w.printf("  std.collect(req.http.User-Agent);\n") // several headers are one
	}
	for _, e := range w.decision.browsers() {
		w.test("req.http.User-Agent", e, "return;")
	}
	if len(w.decision.groups) > 0 {
		w.test("req.http.User-Agent", fmt.Sprintf("^(?s:.{%d})", varnishLongestHeader+1), "return;")
	}
	w.exceptions()
	for _, l := range w.decision.Quick {
		w.agent(l, w.call("class"))
	}
	if len(w.decision.Quick) == 0 {
		w.printf("  call %s;\n", w.name("class"))
	} else {
		w.printf("  %s\n", w.others())
	}
	w.printf("}\n")
}

// exceptions writes the tests of requests that pass.
func (w *varnishWriter) exceptions() {
	if methods := w.judgedMethods(); methods != nil {
		w.printf("  if (req.method !~ \"(?i)^(?:%s)$\") { return; }\n", strings.Join(methods, "|"))
	}
	for _, e := range w.passTargets(`^`, `\z`) {
		w.printf("  if (req.url ~ \"%s\" && req.url !~ \"^(?s:.{%d})\") { return; }\n", e, varnishLongestExcepted+1)
	}
	for _, h := range w.passHeaders() {
		w.printf("  if (req.http.%s == \"%s\") { return; }\n", h.name, h.value)
	}
	if len(w.options.PassAddresses) > 0 {
		w.printf("  if (client.ip ~ %s) { return; }\n", w.name("pass"))
	}
}

// longer writes an action for targets of more than a number of bytes.
func (w *varnishWriter) longer(than int, action string) {
	w.test("req.url", fmt.Sprintf("^(?s:.{%d})", than+1), action)
}

// target returns the header that has the target without escaped letters.
func (w *varnishWriter) target() string { return "req.http." + w.name("target") }

// decodedURL returns an expression of VCL: the target with its escaped letters, digits and "-._~"
// decoded. A "%" that starts no escape is a blank meanwhile, which no target has, so that decoding
// makes no new escape.
func decodedURL() string {
	text := `regsuball(req.url, "%(?![0-9A-Fa-f]{2})", " ")`
	for c := byte(' '); c < 0x7F; c++ {
		if robots.RFC9309.Path(fmt.Sprintf("http://example.com/%%%02X", c)) == "/"+string(c) {
			text = fmt.Sprintf(`regsuball(%s, "(?i)%%%02x", "%c")`, text, c, c)
		}
	}
	return `regsuball(` + text + `, " ", "%")`
}

// searched reports whether a rule of a group has "*" before its end.
func searched(list []layers.Layer) bool {
	return slices.ContainsFunc(list, func(l layers.Layer) bool {
		return slices.ContainsFunc(l.Rules, func(r layers.Rule) bool { return len(r.Segments) > 0 })
	})
}

func (w *varnishWriter) printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// name returns the name of a subroutine of the site.
func (w *varnishWriter) name(of string) string { return "robots_" + w.site + "_" + of }

// sub writes a subroutine.
func (w *varnishWriter) sub(of string, body func()) {
	w.printf("sub %s {\n", w.name(of))
	body()
	w.printf("}\n")
}

// call returns the action that leaves a decision to another subroutine.
func (w *varnishWriter) call(of string) string { return "call " + w.name(of) + "; return;" }

// agent writes an action for the headers of a line.
func (w *varnishWriter) agent(l headerregex.Line, action string) {
	w.test("req.http.User-Agent", "(?i)"+l.Expression, action)
}

// test writes an action for values that an expression matches.
func (w *varnishWriter) test(value, expression, action string) {
	w.tests++
	w.printf("  if (%s ~ \"%s\") { %s }\n", value, expression, action)
}
