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
)

// varnishSyntax is for req.url. Varnish answers 503 if an expression fails at a request, as long ones
// do in PCRE2, so they are short. One fails too if it takes more than 10,000 steps (pcre2_match_limit), of which a search for what
// follows "*" takes one for each byte.
var varnishSyntax = func() pathregex.Syntax {
	s := targetSyntax(4000)
	s.Once = true
	return s
}()

// The longest targets, in bytes, that are compared if a rule has "*", or with other spellings: longer ones would take more steps than Varnish
// has. For other spellings each slash of a run is a step too, and a search begins again after each "/../".
const (
	varnishLongest       = 9000
	varnishLongestOther  = 4500
	varnishLongestClimbs = 600

	// varnishLongestHeader is the longest User-Agent header in which names are looked for. Clients with longer ones pass.
	varnishLongestHeader = 3000

	// With more than so many expressions for odd targets, the targets are decoded instead.
	varnishMaxOdd = 1000

	// varnishMaxTests is the maximum number of expressions. Varnish takes a hundredth of a second for one, and a minute for all its work.
	varnishMaxTests = 5000

	// varnishLongestDecoded is the longest odd target that is decoded. Each letter takes a copy, and all copies must fit into the workspace.
	varnishLongestDecoded = 300
)

// A varnishWriter writes subroutines. VCL takes strings as they are, without escapes.
type varnishWriter struct {
	*plan
	strings.Builder
	tests int // expressions
}

func writeVarnish(p *plan) (*Config, error) {
	d, err := p.decide(&varnishSyntax, p.spelled(varnishSyntax, `^`, `[^?#]`))
	if err != nil {
		return nil, err
	}
	w := &varnishWriter{plan: p}
	w.printf("# The rules of a robots.txt, written by \"robots export\".\n")
	const refuse = "return (synth(403));"
	if d.rest {
		w.sub("robot", func() {
			for _, l := range d.Other {
				action := refuse
				if l.Class == headerregex.Nobody {
					action = "return;"
				}
				w.test("req.http.User-Agent", "(?i)"+l.Expression, action)
			}
		})
	}
	odd := 0
	for _, lines := range d.groups {
		odd += len(lines[1])
	}
	decodes := odd > varnishMaxOdd
	for _, i := range slices.Sorted(maps.Keys(d.groups)) {
		action := refuse
		if d.rest && i == p.everyone {
			action = "call " + w.name("robot") + "; return;"
		}
		group := fmt.Sprint("g", i)
		exact, served := d.groups[i], d.served[i]
		for n, lines := range [][]line{exact[0], exact[1], served[0], served[1]} {
			if n > 1 && d.spelled == nil {
				break
			}
			if n == 1 && decodes {
				w.sub(group+"o", func() {
					w.longer(varnishLongestDecoded, action)
					w.printf("  set %s = %s;\n  call %s;\n", w.target(), decodedURL(), w.name(group+"f"))
				})
				continue
			}
			target := "req.url"
			if n == 0 && decodes {
				target = w.target()
			}
			w.sub(group+string("fosd"[n]), func() {
				if longest := []int{varnishLongest, varnishLongest, varnishLongestOther, varnishLongestClimbs}[n]; n > 1 || searched(p.groups[i]) {
					w.longer(longest, action)
				}
				for _, l := range lines {
					w.test(target, l.expression, []string{"return;", action}[disallowed(l)])
				}
			})
		}
		w.sub(group, func() {
			if decodes {
				w.printf("  set %s = req.url;\n", w.target())
			}
			w.printf("  if (req.url ~ \"%s\") { call %so; } else { call %[2]sf; }\n", pathregex.Odd, w.name(group))
			if s := d.spelled; s != nil {
				w.longer(varnishLongest, action)
				w.printf("  if (req.url ~ \"%s\") { call %sd; }\n", s.dots, w.name(group))
				w.printf("  elsif (req.url ~ \"%s\") { call %ss; }\n", s.other, w.name(group))
			}
			if decodes {
				w.printf("  unset %s;\n", w.target()) // no backend gets it
			}
		})
	}
	rest := "return;"
	if d.rest {
		rest = "call " + w.name(fmt.Sprint("g", p.everyone)) + "; return;"
	}
	w.sub("class", func() {
		for _, l := range d.Exact {
			action := "return;"
			switch {
			case l.Class == headerregex.Everyone:
				action = rest
			case l.Class >= 0:
				action = "call " + w.name(className(l.Class)) + "; return;"
			}
			w.test("req.http.User-Agent", "(?i)"+l.Expression, action)
		}
		w.printf("  %s\n", rest)
	})
	w.printf("sub robots_%s {\n", p.site)
	for _, e := range d.browsers() {
		w.test("req.http.User-Agent", e, "return;")
	}
	if len(d.groups) > 0 {
		w.test("req.http.User-Agent", fmt.Sprintf("^(?s:.{%d})", varnishLongestHeader+1), "return;")
	}
	for _, l := range d.Quick {
		w.test("req.http.User-Agent", "(?i)"+l.Expression, "call "+w.name("class")+"; return;")
	}
	if len(d.Quick) == 0 {
		w.printf("  call %s;\n", w.name("class"))
	} else {
		w.printf("  %s\n", rest)
	}
	w.printf("}\n")
	if w.tests > varnishMaxTests {
		return nil, &Refusal{Server: p.server, Reason: fmt.Sprintf("its configuration would have %d expressions, more than %d, which Varnish compiles in a minute", w.tests, varnishMaxTests)}
	}
	name := "robots-" + p.site + ".vcl"
	return &Config{
		Files: []File{{name, []byte(w.String())}},
		Includes: []Include{
			{"to the VCL, after the line with its version", []string{fmt.Sprintf("include \"%s\";", path.Join(p.folder("/etc/varnish"), name))}},
			{"to sub vcl_recv, before everything else", []string{fmt.Sprintf("call robots_%s;", p.site)}},
		},
	}, nil
}

// longer writes an action for targets that are longer than so many bytes.
func (w *varnishWriter) longer(than int, action string) {
	w.test("req.url", fmt.Sprintf("^(?s:.{%d})", than+1), action)
}

// target returns the header that has the target without escaped letters.
func (w *varnishWriter) target() string { return "req.http." + w.name("target") }

// decodedURL returns an expression of VCL: the target with its escaped letters, digits and "-._~" decoded. A "%" that starts no escape is a blank
// meanwhile, which no target has, so that decoding makes no new escape.
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

// test writes an action for values that an expression matches.
func (w *varnishWriter) test(value, expression, action string) {
	w.tests++
	w.printf("  if (%s ~ \"%s\") { %s }\n", value, expression, action)
}
