package export

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/export/internal/headerregex"
	"github.com/robotsexclusion/robots/export/internal/pathregex"
	"github.com/robotsexclusion/robots/internal/url/reading"
)

// apacheSyntax is for THE_REQUEST: the method, the target, which may have a scheme and a host, and
// the protocol, with a blank between them. It is the only variable with the target as it was sent.
var apacheSyntax = pathregex.Syntax{
	Root:  apacheStart + `(?:/|(?![^?# ]))`,
	Any:   `[^# ]*?`,
	End:   `(?:[# ]|\z)`,
	Limit: 8000,
}

// apacheStart matches the text before the path.
const apacheStart = `^\S+ (?:` + reading.Authority + `)?`

// An apacheRule is a RewriteRule that changes no target: if the condition holds, it sets its flags
// and goes to a label. A rule with a label only marks a place.
type apacheRule struct {
	condition, flags, to string // or ""
	label                string
}

// An apacheWriter writes rules of mod_rewrite, which can skip a number of rules.
type apacheWriter struct {
	*plan
	rules []apacheRule
}

func writeApache(p *plan) (*Config, error) {
	d, err := p.decide(&apacheSyntax, p.spelled(apacheSpelling))
	if err != nil {
		return nil, err
	}
	w := &apacheWriter{plan: p}
	// The browsers come first, because most clients are browsers, and each rule takes time.
	for _, e := range d.browsers() {
		w.rule(fmt.Sprintf("%%{HTTP_USER_AGENT} \"%s\"", e), "", "end")
	}
	// The rules run again for the page of an error, which must not be refused.
	w.rule("%{ENV:REDIRECT_STATUS} .", "", "end")
	w.exceptions()
	w.rule("", w.set("class", "u"), "")
	if len(d.Quick) > 0 {
		for _, l := range d.Quick {
			w.rule(agentIs(l), "", "exact")
		}
		w.rule("", "", "classified")
		w.mark("exact")
		for _, l := range d.Exact {
			w.rule(agentIs(l), w.set("class", className(l.Class)), "classified")
		}
		w.mark("classified")
	}
	if len(d.groups) > 0 {
		w.rule(request(pathregex.Odd), w.set("odd", "1"), "")
	}
	for _, i := range slices.Sorted(maps.Keys(d.groups)) {
		w.group(d, i)
	}
	w.mark("end")
	name := "robots-" + p.site + ".conf"
	return &Config{
		Files: []File{{name, []byte(w.text())}},
		Includes: []Include{{"to the VirtualHost of the site, before all other rules of mod_rewrite",
			[]string{"Include " + path.Join(p.folder("/etc/apache2"), name)}}},
		Notes: []string{"Apache httpd needs mod_rewrite: a2enmod rewrite"},
	}, nil
}

// exceptions writes the rules of requests that pass.
func (w *apacheWriter) exceptions() {
	if methods := w.judgedMethods(); methods != nil {
		w.rule(fmt.Sprintf("%%{REQUEST_METHOD} \"!^(?:%s)$\" [NC]", strings.Join(methods, "|")), "", "end")
	}
	for _, e := range w.passTargets(apacheStart, ` |\z`) {
		w.rule(request(e), "", "end")
	}
	for _, h := range w.passHeaders() {
		w.rule(fmt.Sprintf("%%{HTTP:%s} \"=%s\"", h.name, h.value), "", "end")
	}
	for _, a := range w.options.PassAddresses {
		w.rule(fmt.Sprintf("expr \"-R '%s'\"", a.Masked()), "", "end")
	}
}

func (w *apacheWriter) rule(condition, flags, to string) {
	w.rules = append(w.rules, apacheRule{condition: condition, flags: flags, to: to})
}

func (w *apacheWriter) mark(label string) { w.rules = append(w.rules, apacheRule{label: label}) }

// set returns the flag that sets a variable of the site.
func (w *apacheWriter) set(name, value string) string {
	return fmt.Sprintf("E=robots_%s_%s:%s", w.site, name, value)
}

// is returns the condition that a variable of the site matches.
func (w *apacheWriter) is(name, expression string) string {
	return fmt.Sprintf("%%{ENV:robots_%s_%s} %s", w.site, name, expression)
}

func agentIs(l headerregex.Line) string {
	return fmt.Sprintf("%%{HTTP_USER_AGENT} \"%s\" [NC]", l.Expression)
}

func request(expression string) string {
	return fmt.Sprintf("%%{THE_REQUEST} \"%s\"", expression)
}

// group writes the rules for the robots that obey a group.
func (w *apacheWriter) group(d *decision, i int) {
	everyone := d.rest && i == w.everyone
	refuse, odd, next := fmt.Sprint("refuse", i), fmt.Sprint("odd", i), fmt.Sprint("next", i)
	obeys := fmt.Sprintf("!^g%d$", i)
	if everyone {
		obeys = "!^[eu]$"
	}
	w.rule(w.is("class", obeys), "", next)
	w.rule(w.is("odd", "^1$"), "", odd)
	pass := next
	if d.spelled != nil {
		pass = fmt.Sprint("other", i)
	}
	w.targets(d.groups[i][0], refuse, pass)
	w.mark(odd)
	w.targets(d.groups[i][1], refuse, pass)
	if other := d.spelled; other != nil {
		dots := fmt.Sprint("dots", i)
		w.mark(pass)
		w.rule(request(other.dots), "", dots)
		w.rule(request("!"+other.other), "", next)
		w.targets(d.served[i][0], refuse, next)
		w.mark(dots)
		w.targets(d.served[i][1], refuse, next)
	}
	w.mark(refuse)
	if !everyone {
		w.rule("", "F", "")
	} else {
		w.rule(w.is("class", "^e$"), "F", "")
		for _, l := range d.Other {
			if l.Class == headerregex.Nobody {
				w.rule(agentIs(l), "", next)
			} else {
				w.rule(agentIs(l), "F", "")
			}
		}
	}
	w.mark(next)
}

// targets writes the rules that go to one of two labels.
func (w *apacheWriter) targets(lines []line, refuse, pass string) {
	for _, l := range lines {
		w.rule(request(l.expression), "", []string{pass, refuse}[disallowed(l)])
	}
	w.rule("", "", pass)
}

// text returns the rules as directives.
func (w *apacheWriter) text() string {
	places := make(map[string]int) // rules before each label
	n := 0
	for _, r := range w.rules {
		if r.label != "" {
			places[r.label] = n
		} else {
			n++
		}
	}
	var b strings.Builder
	b.WriteString("# The rules of a robots.txt, written by \"robots export\". Include this file first in the VirtualHost.\n" +
		"# The rules skip each other by number: do not change them.\nRewriteEngine On\n")
	n = 0
	for _, r := range w.rules {
		if r.label != "" {
			continue
		}
		n++
		if r.condition != "" {
			fmt.Fprintf(&b, "RewriteCond %s\n", r.condition)
		}
		flags := r.flags
		if skip := places[r.to] - n; r.to != "" && skip > 0 {
			flags = strings.TrimPrefix(fmt.Sprintf("%s,S=%d", flags, skip), ",")
		}
		if flags != "" {
			flags = " [" + flags + "]"
		}
		fmt.Fprintf(&b, "RewriteRule ^ -%s\n", flags)
	}
	return b.String()
}
