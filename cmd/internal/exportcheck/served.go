package exportcheck

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/exception"
)

// A reading is whether other spellings of a target are refused, as doc/export.md describes the
// option Equivalents.
type reading struct {
	must bool // the path that servers read in the target is disallowed
	may  bool // the configuration may refuse the target; true if must is
}

// read returns the reading of a target by a server for robots that obey a group. It tries each form
// of the target in the plainest way, and shares no code with the configuration.
func read(server string, g *robots.Group, o export.Options, target string) reading {
	refuses := func(form string) bool { return !exempt(o, form) && !g.Allowed(origin+form) }
	sent, _, _ := strings.Cut(target, "#")
	path, query, found := strings.Cut(sent, "?")
	if found {
		query = "?" + query
	}
	decoded := resolve(decode(path))
	r := reading{may: refuses(escape(decoded) + query)}
	r.must = r.may && !stray.MatchString(path) // servers refuse a stray "%", or take it in different ways
	switch server {
	case "lighttpd", "nginx-lua", "haproxy-lua", "apache-lua": // they compute the form above
	case "nginx":
		// The path that nginx has decoded is compared as text, so an escaped "?" or "#" counts as
		// the byte.
		r.must = r.must && !strings.ContainsAny(decoded, "%?#")
		r.may = r.may || refuses(decoded+query)
	default:
		// In an expression, a "/" of a rule matches a run of slashes, also in the query if the rule
		// has "*" before the slash.
		r.may = r.may || refuses(collapse(path)+query) || refuses(collapse(sent)) || climbs(server, g, sent, path)
		if server == "caddy" { // and "//" of a rule for any run of two and more
			r.may = r.may || !disallowing(g, collapse).Allowed(origin+collapse(sent))
		}
	}
	return r
}

const origin = "http://example.com"

// exempt reports whether the configuration lets a target pass although the policy disallows the
// target.
func exempt(o export.Options, target string) bool {
	path := robots.RFC9309.Path(origin + target)
	return strings.HasPrefix(path, "/robots.txt?") || o.WellKnown && strings.HasPrefix(path, "/.well-known/")
}

// excepted reports whether a target passes by its path.
func excepted(o export.Options, target string) bool {
	return slices.ContainsFunc(o.PassPaths, func(path string) bool {
		matches, err := regexp.MatchString(exception.PathExpression(`^`, path, `\z`, true), target)
		return err == nil && matches
	})
}

// decode decodes the escapes of a path. A "%" that starts none stays.
func decode(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if s, err := url.PathUnescape(path[i:min(i+3, len(path))]); err == nil && path[i] == '%' {
			b.WriteString(s)
			i += 2
			continue
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

// escape escapes the bytes of a decoded path that a robots.txt would read as an escape, a query or
// a fragment.
func escape(path string) string {
	return strings.NewReplacer("%", "%25", "?", "%3F", "#", "%23").Replace(path)
}

// resolve returns a decoded path without "." and "..", and with single slashes.
func resolve(path string) string {
	out := []string{""}
	segments := strings.Split(path, "/")[1:]
	for i, s := range segments {
		switch {
		case s == "..":
			out = out[:max(1, len(out)-1)]
		case s != "" && s != ".":
			out = append(out, s)
			continue
		}
		if i == len(segments)-1 {
			out = append(out, "")
		}
	}
	if len(out) == 1 {
		return "/"
	}
	return strings.Join(out, "/")
}

var (
	dots   = regexp.MustCompile(`(?i)(?:/|%2F)(?:\.|%2E){2}(?:/|%2F|$)`)
	climb  = regexp.MustCompile(`(?i)(?:/|%2F)(?:\.|%2E){2}(?:/|%2F)`)
	stray  = regexp.MustCompile(`%(?:[^0-9A-Fa-f]|$|[0-9A-Fa-f](?:[^0-9A-Fa-f]|$))`)
	passed = regexp.MustCompile(`(?i)(?:/|%2F)(?:(?:\.|%2E)?(?:/|%2F))*`)
)

// collapse replaces each run of slashes, escaped slashes and "/./" by a slash.
func collapse(text string) string { return passed.ReplaceAllString(text, "/") }

// disallowing returns a group with the Disallow rules of a group, with changed patterns.
func disallowing(g *robots.Group, change func(pattern string) string) *robots.Group {
	var text strings.Builder
	text.WriteString("user-agent: *\n")
	for rule := range g.Rules() {
		if !rule.Allow {
			text.WriteString("disallow: " + change(rule.Pattern) + "\n")
		}
	}
	return robots.Parse([]byte(text.String())).For()
}

// climbs reports whether the expressions of a server may refuse a target with "/../". They may if a
// rule disallows its start, or the text after one of the "/../", regardless of Allow rules; with
// PCRE, also if there are more than eight; and in Varnish, if the target is too long to find out.
func climbs(server string, g *robots.Group, sent, path string) bool {
	if !dots.MatchString(path) {
		return false
	}
	if server == "varnish" && len(sent) > 600 { // more than its expressions have steps for
		return true
	}
	change := func(pattern string) string { return pattern }
	if server == "caddy" {
		change = collapse
	}
	closed := disallowing(g, change)
	n := 0
	for from := 0; ; n++ {
		rest := collapse(sent[from:])
		if !closed.Allowed(origin + rest) {
			return true
		}
		at := climb.FindStringIndex(path[from:])
		if at == nil {
			break
		}
		from += at[1] - 1
		if path[from] != '/' { // the end of "%2F"
			from -= 2
		}
	}
	return n > 8 && server != "caddy"
}
