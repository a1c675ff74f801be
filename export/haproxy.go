package export

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/export/internal/headerregex"
	"github.com/robotsexclusion/robots/export/internal/pathregex"
)

// haproxySyntax is for pathq. A line of a map must fit into a buffer of 16 KiB.
var haproxySyntax = targetSyntax(10000)

// haproxyMalformed refuses requests with several User-Agent headers, of which the other lines
// compare the first, and targets such as "*/../x", which have no path for HAProxy: only a client
// that hides something sends them.
const haproxyMalformed = "http-request deny deny_status 400 if { req.fhdr_cnt(user-agent) gt 1 }\n" +
	"http-request deny deny_status 400 if { url -m beg * } !{ url -m str * }"

// A haproxyWriter writes the expressions to map files, because the parser of the configuration
// reads backslashes, and lines for a frontend, because a frontend includes no files.
type haproxyWriter struct {
	*plan
	files []File
	lines []string
}

func writeHAProxy(p *plan) (*Config, error) {
	d, err := p.decide(&haproxySyntax, p.spelled(haproxySpelling))
	if err != nil {
		return nil, err
	}
	w := &haproxyWriter{plan: p}
	d.paced = p.pace != nil
	if len(d.groups) > 0 {
		w.lines = append(w.lines, strings.Split(haproxyMalformed, "\n")...)
	}
	class, odd, other := w.variable("class"), w.variable("odd"), w.variable("other")
	w.rule("set-var(%s) str(u)", class)
	for _, e := range d.browsers() {
		w.rule("set-var(%s) str(p) if { req.fhdr(user-agent,1) -m reg '%s' }", class, e)
	}
	for _, condition := range w.exceptions() {
		w.rule("set-var(%s) str(p) if %s", class, condition)
	}
	unless := "!{ var(" + class + ") -m str p }"
	if len(d.Quick) > 0 {
		w.rule("set-var(%s) %s if %s { %s -m int 1 }", class, w.headers("class", "map_reg", d.Exact, "u"), unless,
			w.headers("named", "map_reg_int", d.Quick, "0"))
	}
	if len(d.groups) > 0 {
		w.rule("set-var(%s) int(1) if %s { pathq -m reg '%s' }", odd, unless, pathregex.Odd)
	}
	if s := d.spelled; s != nil && len(d.groups) > 0 {
		w.rule("set-var(%s) int(1) if %s { pathq -m reg '%s' }", other, unless, s.other)
		w.rule("set-var(%s) int(2) if %s { pathq -m reg '%s' }", other, unless, s.dots)
	}
	for _, i := range slices.Sorted(maps.Keys(d.groups)) {
		exact, served := d.groups[i], d.served[i]
		for n, lines := range [][]line{exact[0], exact[1], served[0], served[1]} {
			if len(lines) == 0 {
				continue
			}
			test := []string{"!{ var(" + odd + ") -m int 1 }", "{ var(" + odd + ") -m int 1 }", "{ var(" + other +
				") -m int 1 }", "{ var(" + other + ") -m int 2 }"}[n]
			refuse := fmt.Sprintf("%s { pathq,map_reg_int(%s,0) -m int 1 }", test,
				w.paths(fmt.Sprint("g", i, string("fosd"[n])), lines))
			if d.rest && i == p.everyone {
				w.rule("deny deny_status 403 if { var(%s) -m str e } %s", class, refuse)
				w.rule("deny deny_status 403 if { var(%s) -m str u } %s { %s -m int 1 }", class, refuse,
					w.headers("robot", "map_reg_int", d.Other, "0"))
			} else {
				w.rule("deny deny_status 403 if { var(%s) -m str g%d } %s", class, i, refuse)
			}
		}
	}
	section, err := w.paces(p.pace, class)
	if err != nil {
		return nil, err
	}
	w.files = append(w.files, File{"robots-" + p.site + ".cfg", []byte(strings.Join(w.lines, "\n") + "\n")})
	c := &Config{
		Files:    w.files,
		Includes: []Include{{"to the frontend of the site, before its other http-request rules, which the file robots-" + p.site + ".cfg also has", w.lines}},
	}
	if section != nil {
		c.Includes = append(c.Includes, Include{"to the configuration, as a section of its own", section})
	}
	return c, nil
}

// exceptions returns the conditions of requests that pass.
func (w *haproxyWriter) exceptions() (list []string) {
	if methods := w.judgedMethods(); methods != nil {
		list = append(list, "!{ method,upper -m str "+strings.Join(methods, " ")+" }")
	}
	for _, e := range w.passTargets(`^`, `\z`) {
		list = append(list, "{ pathq -m reg '"+e+"' }")
	}
	for i, h := range w.passHeaders() { // the lines are printed, and the value may be a secret
		list = append(list, "{ req.fhdr("+strings.ToLower(h.name)+") -m str -f "+
			w.file(fmt.Sprint("field", i), h.value+"\n")+
			" }")
	}
	if addresses := w.passAddresses(" "); addresses != "" {
		list = append(list, "{ src "+addresses+" }")
	}
	return list
}

func (w *haproxyWriter) variable(name string) string { return "txn.robots_" + w.site + "_" + name }

func (w *haproxyWriter) rule(format string, args ...any) {
	w.lines = append(w.lines, "http-request "+fmt.Sprintf(format, args...))
}

// file adds a map file, once, and returns its path.
func (w *haproxyWriter) file(name, text string) string {
	name = "robots-" + w.site + "." + name + ".map"
	if !slices.ContainsFunc(w.files, func(f File) bool { return f.Name == name }) {
		w.files = append(w.files, File{name, []byte(text)})
	}
	return path.Join(w.folder("/etc/haproxy"), name)
}

// paths adds the map of a group, and returns its path.
func (w *haproxyWriter) paths(name string, lines []line) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%s %d\n", mapKey(l.expression), disallowed(l))
	}
	return w.file(name, b.String())
}

// headers adds a map of the User-Agent header, and returns the expression that asks it.
func (w *haproxyWriter) headers(name, converter string, lines []headerregex.Line, otherwise string) string {
	return w.table(name, converter, otherwise, lines, func(c headerregex.Class) string {
		switch {
		case converter != "map_reg_int":
			return className(c)
		case name == "robot" && c == headerregex.Nobody:
			return "0"
		}
		return "1"
	})
}

// table is headers with values of the caller.
func (w *haproxyWriter) table(name, converter, otherwise string, lines []headerregex.Line,
	value func(headerregex.Class) string) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%s %s\n", mapKey("(?i)"+l.Expression), value(l.Class))
	}
	return fmt.Sprintf("req.fhdr(user-agent,1),%s(%s,%s)", converter, w.file(name, b.String()), otherwise)
}

// mapKey returns an expression as the key of a map file, which ends at a blank.
func mapKey(expression string) string { return strings.ReplaceAll(expression, " ", `\x20`) }
