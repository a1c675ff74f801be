// Package slowguard is the slow twin of package guard, for tests: it decides in the plainest way,
// and is written from the documentation. Segments of paths are lists, and nothing is remembered.
package slowguard

import (
	"net/url"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/url/reading"
)

// Forms returns all forms that servers may serve for a target, with the target itself.
func Forms(target string) (forms []string) {
	path, query, found := strings.Cut(target, "?")
	if found {
		query = "?" + query
	}
	forms = []string{target}
	if before, _, found := strings.Cut(target, "#"); found {
		forms = append(forms, Forms(before)...)
	}
	path = strings.ReplaceAll(path, "#", "%23")
	for _, way := range reading.All {
		read := path
		if way.Twice {
			read = resolve(strings.Split(read[1:], "/"), way.Merged && !way.Late, false, asItIs)
		}
		if way.Slashes {
			read = strings.ReplaceAll(strings.ReplaceAll(read, "%2f", "/"), "%2F", "/")
		}
		form := resolve(strings.Split(read[1:], "/"), way.Merged && !way.Late, way.Bare, decode)
		if way.Late {
			form = merge(form)
		}
		if way.Bare && way.Slashes && len(form) > 1 && strings.EqualFold(path[max(0, len(path)-3):], "%2f") {
			form = form[:len(form)-1]
		}
		forms = append(forms, form+query)
	}
	return forms
}

// merge returns a path without empty segments before the last one.
func merge(path string) string {
	out := []string{}
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if s != "" || i == 0 || i == len(segments)-1 {
			out = append(out, s)
		}
	}
	return strings.Join(out, "/")
}

func asItIs(segment string) string { return segment }

// resolve returns the path of segments, each written in a way, without those of dots and, if merge
// is set, without empty ones before the last. After last dots there is no slash if bare is set.
func resolve(segments []string, merge, bare bool, write func(string) string) string {
	out := []string{}
	for i, segment := range segments {
		last := i == len(segments)-1
		switch s := decode(segment); {
		case s == "" && merge && !last:
		case s == "." && last && !bare, s == "" && last:
			out = append(out, "")
		case s == ".":
		case s == "..":
			out = out[:max(0, len(out)-1)]
			if last && !bare {
				out = append(out, "")
			}
		default:
			out = append(out, write(segment))
		}
	}
	path := ""
	for _, s := range out {
		path += "/" + s
	}
	if path == "" {
		return "/"
	}
	return path
}

// decode decodes the escapes of a segment but "%2F", and escapes the bytes that have a meaning.
func decode(segment string) string {
	out := ""
	for i := 0; i < len(segment); i++ {
		c := segment[i : i+1]
		if i+3 <= len(segment) {
			if s, err := url.PathUnescape(segment[i : i+3]); c == "%" && err == nil {
				if i += 2; s == "/" {
					out += segment[i-2 : i+1]
					continue
				}
				if c = s; s == "%" {
					c = "%25"
				}
			}
		}
		if len(c) == 1 && (c[0] <= ' ' || c[0] >= 0x7f || strings.Contains("?#\"<>\\^`{|}", c)) {
			c = "%" + strings.ToUpper(string("0123456789abcdef"[c[0]>>4])+string("0123456789abcdef"[c[0]&15]))
		}
		out += c
	}
	return out
}

// Group returns the group that a robot obeys.
func Group(policy *robots.Policy, a agent.Agent) *robots.Group {
	if a.Everyone() && a.Crawler() {
		return policy.For(a.Tokens()...)
	}
	return policy.ForOnly(a.Tokens()...)
}

// Refuses reports whether a guard refuses a target to the robot that a User-Agent header names: the
// target itself, and every form of it.
func Refuses(policy *robots.Policy, header, target string) bool {
	a := agent.Lookup(header)
	if a.Kind != agent.Robot || a.Device {
		return false
	}
	group := Group(policy, a)
	for _, form := range Forms(target) {
		path, _, _ := strings.Cut(form, "?")
		if path == "/robots.txt" || strings.HasPrefix(path, "/.well-known/") {
			continue
		}
		if !group.Allowed("http://example.com" + form) {
			return true
		}
	}
	return false
}
