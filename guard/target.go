package guard

import (
	"net/http"
	"strings"
)

// targetOf returns the path and the query of a request, as the client sent them; ok is false if the
// request has no path.
func targetOf(r *http.Request) (target string, ok bool) {
	target = r.RequestURI
	if target == "" && r.URL != nil {
		target = r.URL.RequestURI() // the request does not come from a server
	}
	switch {
	case target == "" || target == "*" || r.Method == http.MethodConnect && target[0] != '/':
		return "", false
	case target[0] == '/':
		return target, true
	}
	// The absolute form, as clients send it to proxies. Servers take "foo:/x" for one too.
	_, rest, ok := strings.Cut(target, ":")
	if !ok { // the file server of Python takes "x" for "/x"
		return "/" + target, true
	}
	if authority, found := strings.CutPrefix(rest, "//"); found {
		rest = strings.TrimLeftFunc(authority, inAuthority)
	}
	switch {
	case rest == "":
		return "/", true
	case rest[0] == '/':
		return rest, true
	}
	return "/" + rest, rest[0] == '?' || rest[0] == '#'
}

// inAuthority reports whether the authority of a URL may have a character.
func inAuthority(c rune) bool { return c != '/' && c != '?' && c != '#' }

// exempt reports whether a target passes regardless of robots.txt.
func exempt(target string) bool {
	if !strings.HasPrefix(target, "/robots.txt") {
		return strings.HasPrefix(target, "/.well-known/")
	}
	rest := target[len("/robots.txt"):]
	return rest == "" || rest[0] == '?'
}
