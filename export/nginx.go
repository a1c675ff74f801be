package export

import (
	"fmt"
	"path"
	"strings"

	"github.com/robotsexclusion/robots/export/internal/headerregex"
	"github.com/robotsexclusion/robots/export/internal/pathregex"
)

// nginxSyntax is for $request_uri, which is the target as it was sent, from its path on. nginx takes
// parameters of 4,095 bytes.
var nginxSyntax = pathregex.Syntax{
	Root:  `^(?:/|(?![^?#]))`,
	Any:   `[^#]*?`,
	End:   `(?:#|\z)`,
	Limit: 4000,
}

// An nginxWriter writes maps, which nginx evaluates only when their variable is asked for. The path
// is asked before the names of most robots, because there are many.
type nginxWriter struct {
	*plan
	strings.Builder
}

func writeNginx(p *plan) (*Config, error) {
	w := &nginxWriter{plan: p}
	w.printf("# The rules of a robots.txt, written by \"robots export\". Include this file in the http block.\n")
	if err := w.paths(); err != nil {
		return nil, err
	}
	if err := w.headers(); err != nil {
		return nil, err
	}
	w.printf("map $host %s { default \"\"; }\n", w.variable("times"))
	httpName, serverName := "robots-"+p.site+".http.conf", "robots-"+p.site+".server.conf"
	// An error page is an internal redirect, for which nginx runs the directives of the server block
	// again: only the first time may refuse.
	times := w.variable("times")
	server := fmt.Sprintf(`# Refuses what a robots.txt disallows, written by "robots export". Include this file first in the
# server block: directives before it are not covered.
if (%[1]s) { set %[2]s "${%[3]s}1"; }
if (%[2]s = 1) { return 403; }
`, w.variable("refuse"), times, times[1:])
	return &Config{
		Files: []File{{httpName, []byte(w.String())}, {serverName, []byte(server)}},
		Includes: []Include{
			{"to the http block", []string{"include " + path.Join(w.folder("/etc/nginx"), httpName) + ";"}},
			{"to the server block of the site, before everything else", []string{"include " + path.Join(w.folder("/etc/nginx"), serverName) + ";"}},
		},
		Notes: []string{`"pcre_jit on;" in the main context makes the longest expressions up to five times as fast, and needs memory: 40 MB a process for 5,000 rules`},
	}, nil
}

// variable returns the name of a variable of the site.
func (w *nginxWriter) variable(name string) string { return "$robots_" + w.site + "_" + name }

func (w *nginxWriter) printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// paths writes a variable for each group: 1 if it disallows the target.
func (w *nginxWriter) paths() error {
	w.printf("map $request_uri %s { default f; \"~%s\" o; }\n", w.variable("odd"), pathregex.Odd)
	for i := range w.groups {
		for _, odd := range []bool{false, true} {
			lines, err := w.plan.paths(&nginxSyntax, i, odd)
			if err != nil {
				return err
			}
			w.printf("map $request_uri %s {\n  default 0;\n", w.variable(fmt.Sprint("g", i, form(odd))))
			for _, l := range lines {
				w.printf("  \"~%s\" %d;\n", l.expression, disallowed(l))
			}
			w.printf("}\n")
		}
		v := w.variable(fmt.Sprint("g", i))
		w.printf("map %s %s { f %sf; o %so; }\n", w.variable("odd"), v, v, v)
	}
	return nil
}

// form returns the letter of the expressions for usual targets, or for odd ones.
func form(odd bool) string {
	if odd {
		return "o"
	}
	return "f"
}

func disallowed(l line) int {
	if l.allow {
		return 0
	}
	return 1
}

// headers writes the variable that is 1 if the request is refused.
func (w *nginxWriter) headers() error {
	lines, err := headerregex.Of(w.names, w.marks, nginxSyntax.Limit)
	if err != nil {
		return err
	}
	class := func(c headerregex.Class) string {
		switch c {
		case headerregex.Nobody:
			return "n"
		case headerregex.Everyone:
			return "e"
		}
		return fmt.Sprint("g", int(c))
	}
	rest := "0"
	if w.everyone >= 0 && w.options.Agents != Named {
		w.header("robot", "0", lines.Other, func(c headerregex.Class) string {
			if c == headerregex.Everyone {
				return "1"
			}
			return "0"
		})
		rest = w.variable("rest")
		w.printf("map %s %s { default 0; 1 %s; }\n", w.variable(fmt.Sprint("g", w.everyone)), rest, w.variable("robot"))
	}
	if len(lines.Quick) == 0 {
		w.printf("map %s %s { default 0; 1 1; }\n", rest, w.variable("refuse"))
		return nil
	}
	w.header("named", "0", lines.Quick, func(headerregex.Class) string { return "1" })
	w.header("class", "u", lines.Exact, class)
	w.printf("map %s %s {\n  default 0;\n  u %s;\n", w.variable("class"), w.variable("exact"), rest)
	if rest != "0" {
		w.printf("  e %s;\n", w.variable(fmt.Sprint("g", w.everyone)))
	}
	for i := range w.groups {
		w.printf("  g%d %s;\n", i, w.variable(fmt.Sprint("g", i)))
	}
	w.printf("}\nmap %s %s { 0 %s; 1 %s; }\n", w.variable("named"), w.variable("refuse"), rest, w.variable("exact"))
	return nil
}

// header writes a map of the User-Agent header.
func (w *nginxWriter) header(name, otherwise string, lines []headerregex.Line, value func(headerregex.Class) string) {
	w.printf("map $http_user_agent %s {\n  default %s;\n", w.variable(name), otherwise)
	for _, l := range lines {
		w.printf("  \"~*%s\" %s;\n", l.Expression, value(l.Class))
	}
	w.printf("}\n")
}
