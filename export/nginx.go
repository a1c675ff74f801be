package export

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/export/internal/headerregex"
	"github.com/robotsexclusion/robots/export/internal/pathregex"
	"github.com/robotsexclusion/robots/internal/url/reading"
)

// nginxSyntax is for $request_uri. nginx takes parameters of 4,095 bytes.
var nginxSyntax = targetSyntax(4000)

// An nginxWriter writes maps, which nginx evaluates only when their variable is asked for. The path
// is asked before the names of most robots, because there are many.
type nginxWriter struct {
	*plan
	strings.Builder
}

func writeNginx(p *plan) (*Config, error) {
	d, err := p.decide(&nginxSyntax, nil)
	if err != nil {
		return nil, err
	}
	w := &nginxWriter{plan: p}
	d.paced = p.pace != nil
	w.printf("# The rules of a robots.txt, written by \"robots export\". Include this file in the http block.\n")
	w.paths(d)
	w.headers(d)
	w.exceptions()
	w.printf("map $host %s { default \"\"; }\n", w.variable("times"))
	slows, err := w.paces(p.pace)
	if err != nil {
		return nil, err
	}
	httpName, serverName := "robots-"+p.site+".http.conf", "robots-"+p.site+".server.conf"
	// An error page is an internal redirect, for which nginx runs the directives of the server
	// block again: only the first time may refuse.
	times := w.variable("times")
	server := fmt.Sprintf(`# Refuses what a robots.txt disallows, written by "robots export". Include this file first in the
# server block: directives before it are not covered.
if (%[1]s) { set %[2]s "${%[3]s}1"; }
if (%[2]s = 1) { return 403; }
%[4]s`, w.variable("refuse"), times, times[1:], slows)
	return &Config{
		Files: []File{{httpName, []byte(w.String())}, {serverName, []byte(server)}},
		Includes: []Include{
			{"to the http block", []string{"include " + path.Join(w.folder("/etc/nginx"), httpName) + ";"}},
			{"to the server block of the site, before everything else",
				[]string{"include " + path.Join(w.folder("/etc/nginx"), serverName) + ";"}},
		},
		Notes: []string{`"pcre_jit on;" in the main context makes the expressions up to six times as fast, and needs memory for each process`},
	}, nil
}

// variable returns the name of a variable of the site.
func (w *nginxWriter) variable(name string) string { return "$robots_" + w.site + "_" + name }

func (w *nginxWriter) printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// paths writes a variable for each group: 1 if it disallows the target.
func (w *nginxWriter) paths(d *decision) {
	w.printf("map $request_uri %s { default f; \"~%s\" o; }\n", w.variable("odd"), pathregex.Odd)
	if !w.options.Literal {
		// Servers behind nginx read these dots in other ways than $uri. With
		// "merge_slashes off" $uri has repeated slashes.
		// To some of them a last "%2F" is not a slash.
		w.printf("map \"$request_uri $uri\" %s { default 0; \"~%s\" 1; \"~%s\" 1; \"~%s\" 2; }\n", w.variable("climbs"),
			`^(?:(?=[^? ]*(?:%2[Ff]|//|#))[^? ]*`+climb+reading.Slash+`|[^? ]*`+reading.Slash+reading.Dot+reading.Dot+
				`?[?# ])`, `(?s)^[^ ]* .*//`, `^[^? ]*%2[Ff][?# ]`)
		w.printf("map $uri %[1]s { default \"\"; \"~(?s)^(?<robots_%[2]s_bare>.+?)/+$\" %[3]s$is_args$args; }\n",
			w.variable("file"), w.site, w.variable("bare"))
	}
	for _, i := range slices.Sorted(maps.Keys(d.groups)) {
		v := w.variable(fmt.Sprint("g", i))
		for n, form := range []string{"f", "o"} {
			w.targets("$request_uri", v+form, d.groups[i][n])
		}
		if w.options.Literal {
			w.printf("map %s %s { f %sf; o %so; }\n", w.variable("odd"), v, v, v)
			continue
		}
		// $uri is decoded, and without ".." and repeated slashes.
		w.targets("$uri$is_args$args", v+"n", d.groups[i][0])
		w.targets(w.variable("file"), v+"b", d.groups[i][0])
		w.printf("map %[1]s %[2]ss { f %[2]sf; o %[2]so; }\n", w.variable("odd"), v)
		w.printf("map %[2]ss %[2]s { 0 %[2]sc; 1 1; }\nmap %[1]s %[2]sc { 0 %[2]sn; 1 1; 2 %[2]sl; }\n"+
			"map %[2]sn %[2]sl { 0 %[2]sb; 1 1; }\n", w.variable("climbs"), v)
	}
}

// targets writes a map of targets: 1 for those that the lines disallow.
func (w *nginxWriter) targets(target, variable string, lines []line) {
	w.printf("map %s %s {\n  default 0;\n", target, variable)
	for _, l := range lines {
		w.printf("  \"~%s\" %d;\n", l.expression, disallowed(l))
	}
	w.printf("}\n")
}

// headers writes the variable that is 1 if the request is refused.
func (w *nginxWriter) headers(d *decision) {
	rest := "0"
	if d.rest {
		w.header("robot", "0", d.Other, func(c headerregex.Class) string {
			if c == headerregex.Everyone {
				return "1"
			}
			return "0"
		})
		rest = w.variable("rest")
		w.printf("map %s %s { default 0; 1 %s; }\n", w.variable(fmt.Sprint("g", w.everyone)), rest, w.variable("robot"))
	}
	asked := rest
	if len(d.Quick) > 0 {
		asked = w.variable("asked")
		w.named(d, rest)
	}
	w.printf("map %s %s { default 0; 1 %s; }\n", w.variable("closed"), w.variable("refuse"), w.variable("judged"))
	w.printf("map $http_user_agent %s {\n  default %s;\n", w.variable("closed"), asked)
	for _, e := range d.browsers() {
		w.printf("  \"~%s\" 0;\n", e)
	}
	w.printf("}\n")
}

// exceptions writes the variable that is 1 if no exception covers the request.
func (w *nginxWriter) exceptions() {
	next := "1"
	if addresses := w.passAddresses(" 0; "); addresses != "" {
		next = w.variable("stranger")
		w.printf("geo %s { default 1; %s 0; }\n", next, addresses)
	}
	for i, h := range w.passHeaders() {
		variable := w.variable(fmt.Sprint("field", i))
		quoted := strings.ReplaceAll(regexp.QuoteMeta(h.value), "-", `\x2d`)
		w.printf("map $http_%s %s { default %s; \"~^%s\\z\" 0; }\n",
			strings.ToLower(strings.ReplaceAll(h.name, "-", "_")), variable, next, quoted)
		next = variable
	}
	if targets := w.passTargets(`^`, `\z`); len(targets) > 0 {
		w.printf("map $request_uri %s {\n  default %s;\n", w.variable("elsewhere"), next)
		for _, e := range targets {
			w.printf("  \"~%s\" 0;\n", e)
		}
		w.printf("}\n")
		next = w.variable("elsewhere")
	}
	judged := w.variable("judged")
	if methods := w.judgedMethods(); methods == nil {
		w.printf("map 1 %s { default %s; }\n", judged, next)
	} else {
		w.printf("map $request_method %s { default 0; %s %s; }\n", judged, strings.Join(methods, " "+next+"; "), next)
	}
}

// maxTogether is the maximum number of groups whose paths are asked before the exact name.
const maxTogether = 4

// named writes the variable of headers that may have a name with rules of its own.
func (w *nginxWriter) named(d *decision, rest string) {
	w.header("named", "0", d.Quick, func(headerregex.Class) string { return "1" })
	w.header("class", "u", d.Exact, className)
	w.printf("map %s %s {\n  default 0;\n  u %s;\n", w.variable("class"), w.variable("exact"), rest)
	if d.rest {
		w.printf("  e %s;\n", w.variable(fmt.Sprint("g", w.everyone)))
	}
	for _, i := range slices.Sorted(maps.Keys(d.groups)) {
		w.printf("  g%d %s;\n", i, w.variable(fmt.Sprint("g", i)))
	}
	w.printf("}\n")
	exact := w.variable("exact")
	if len(d.groups) <= maxTogether {
		// No name matters to a path that all groups allow.
		groups := ""
		for _, i := range slices.Sorted(maps.Keys(d.groups)) {
			groups += w.variable(fmt.Sprint("g", i))
		}
		w.printf("map \"%s\" %s { default %s; \"%s\" 0; }\n", groups, w.variable("any"), exact,
			strings.Repeat("0", len(d.groups)))
		exact = w.variable("any")
	}
	w.printf("map %s %s { 0 %s; 1 %s; }\n", w.variable("named"), w.variable("asked"), rest, exact)
}

// header writes a map of the User-Agent header.
func (w *nginxWriter) header(name, otherwise string, lines []headerregex.Line, value func(headerregex.Class) string) {
	w.printf("map $http_user_agent %s {\n  default %s;\n", w.variable(name), otherwise)
	for _, l := range lines {
		w.printf("  \"~*%s\" %s;\n", l.Expression, value(l.Class))
	}
	w.printf("}\n")
}
