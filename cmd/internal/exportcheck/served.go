package exportcheck

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/exception"
	"github.com/robotsexclusion/robots/internal/url/reading"
)

// An expectation is whether a target is refused that servers read as another path, as doc/export.md
// describes it.
type expectation struct {
	must bool // a path that servers read in the target is disallowed
	may  bool // the configuration may refuse the target; true if must is
}

// read returns what to expect of a server for robots that obey a group. It tries each form of the
// target in the plainest way, and shares only the list of readings with the configuration.
func read(server string, g *robots.Group, o export.Options, target string) (e expectation) {
	refuses := func(form string) bool { return !exempt(o, form) && !g.Allowed(origin+form) }
	sent, _, _ := strings.Cut(target, "#")
	path, query, found := strings.Cut(sent, "?")
	if found {
		query = "?" + query
	}
	for _, way := range reading.All {
		e.may = e.may || refuses(served(path, way)+query)
	}
	whole := reading.Reading{Slashes: true, Merged: true}
	// Servers refuse a stray "%", or take it in different ways.
	e.must = refuses(served(path, whole)+query) && !stray.MatchString(path)
	switch server {
	case "lighttpd", "nginx-lua", "haproxy-lua", "apache-lua": // they compute the forms above
		e.must = e.may && !stray.MatchString(path)
	case "nginx":
		// The path that nginx has decoded is compared as text, so an escaped "?" or "#" counts as
		// the byte. Dots after an escaped or an empty segment are refused.
		decoded := resolve(decode(path, true), true, false)
		e.must = e.must && !strings.ContainsAny(decoded, "%?#")
		e.may = e.may || refuses(decoded+query) || dots.MatchString(path) && ambiguous.MatchString(path) ||
			lastDots.MatchString(path)
	default:
		// In an expression, a "/" of a rule matches a run of slashes, also in the query if the rule
		// has "*" before the slash.
		e.may = e.may || refuses(collapse(path)+query) || refuses(collapse(sent)) || climbs(server, g, sent, path)
		if server == "caddy" { // and "//" of a rule for any run of two and more
			e.may = e.may || !disallowing(g, collapse).Allowed(origin+collapse(sent))
		}
	}
	return e
}

// served returns the path that servers read in a path in one way.
func served(path string, way reading.Reading) string {
	if way.Twice {
		path = resolve(path, way.Merged && !way.Late, false)
	}
	// A robots.txt would read these bytes as an escape, a query or a fragment.
	escapes := []string{"%", "%25", "?", "%3F", "#", "%23"}
	if !way.Slashes {
		escapes = append([]string{"%2F", "%2F", "%2f", "%2F"}, escapes...)
	}
	noSlash := way.Bare && way.Slashes && lastSlash.MatchString(path)
	path = resolve(decode(path, way.Slashes), way.Merged && !way.Late, way.Bare)
	if noSlash && path != "/" {
		path = path[:len(path)-1]
	}
	if way.Late {
		path = resolve(path, true, false)
	}
	return strings.NewReplacer(escapes...).Replace(path)
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

// decode decodes the escapes of a path, and "%2F" if slashes is set. A "%" that starts none stays.
func decode(path string, slashes bool) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		s, err := url.PathUnescape(path[i:min(i+3, len(path))])
		if path[i] == '%' && err == nil && (slashes || s != "/") {
			b.WriteString(s)
			i += 2
			continue
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

// resolve returns a path without "." and "..", and with single slashes if they are merged. Last
// dots leave no slash if bare is set.
func resolve(path string, merged, bare bool) string {
	out := []string{""}
	segments := strings.Split(path, "/")[1:]
	for i, segment := range segments {
		last := i == len(segments)-1
		switch s := decode(segment, false); {
		case s == "..":
			out = out[:max(1, len(out)-1)]
		case s == "" && (last || !merged), s != "" && s != ".":
			out = append(out, segment)
			continue
		}
		if last && (!bare || decode(segment, false) == "") {
			out = append(out, "")
		}
	}
	if len(out) == 1 {
		return "/"
	}
	return strings.Join(out, "/")
}

var (
	dots  = regexp.MustCompile(`(?i)(?:/|%2F)(?:\.|%2E){2}(?:/|%2F|$)`)
	climb = regexp.MustCompile(`(?i)(?:/|%2F)(?:\.|%2E){2}(?:/|%2F)`)
	stray = regexp.MustCompile(`%(?:[^0-9A-Fa-f]|$|[0-9A-Fa-f](?:[^0-9A-Fa-f]|$))`)
	// ambiguous matches what servers before dots read in different ways.
	// wholePart matches the part of a pattern that targets with "/.." have in one piece.
	wholePart = regexp.MustCompile(`^/?(?:[^/?*$]+|/?\*/?)*/?(?:\?[^$]*)?`)

	lastSlash = regexp.MustCompile(`%2[Ff]$`)
	lastDots  = regexp.MustCompile(`(?i)(?:/|%2F)(?:\.|%2E){1,2}$`)
	ambiguous = regexp.MustCompile(`(?i)%2F|//`)
	passed    = regexp.MustCompile(`(?i)(?:/|%2F)(?:(?:\.|%2E)?(?:/|%2F))*`)
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
	change := func(pattern string) string {
		pattern = wholePart.FindString(pattern)
		if server == "caddy" {
			pattern = collapse(pattern)
		}
		return pattern
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
