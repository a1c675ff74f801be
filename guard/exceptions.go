package guard

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"maps"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"sync"

	"github.com/robotsexclusion/robots/internal/exception"
)

// exceptions are the exceptions of a guard, ready for use.
type exceptions struct {
	once    sync.Once
	paths   []pathException
	headers []headerException
}

type pathException struct {
	path    string
	targets *regexp.Regexp
}

// A headerException has the hash of a value, so that the time of a comparison says nothing about
// the value.
type headerException struct {
	name string
	sum  [sha256.Size]byte
}

// prepare compiles the exceptions. A path that CheckPath refuses is none.
func (e *exceptions) prepare(g *Guard) {
	for _, path := range g.PassPaths {
		if exception.CheckPath(path) == nil {
			targets := regexp.MustCompile(exception.PathExpression(`^`, path, `\z`, true))
			e.paths = append(e.paths, pathException{path, targets})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(g.PassHeaders)) {
		for _, value := range g.PassHeaders[name] {
			if value != "" {
				sum := sha256.Sum256([]byte(value))
				e.headers = append(e.headers, headerException{http.CanonicalHeaderKey(name), sum})
			}
		}
	}
}

// exception returns the exception of the operator that covers a request, such as "path /webhook",
// or "". The text has no value of a header.
func (g *Guard) exception(r *http.Request) string {
	if len(g.PassPaths)+len(g.PassHeaders) > 0 {
		g.exceptions.once.Do(func() { g.exceptions.prepare(g) })
	}
	target, _ := targetOf(r)
	for _, p := range g.exceptions.paths {
		if p.targets.MatchString(target) {
			return "path " + p.path
		}
	}
	for _, h := range g.exceptions.headers {
		for _, value := range r.Header[h.name] {
			if sum := sha256.Sum256([]byte(value)); subtle.ConstantTimeCompare(sum[:], h.sum[:]) == 1 {
				return "header " + h.name
			}
		}
	}
	if len(g.PassAddresses) > 0 {
		client := g.client(r)
		holds := func(p netip.Prefix) bool { return p.Contains(client) }
		if i := slices.IndexFunc(g.PassAddresses, holds); i >= 0 {
			return "address " + g.PassAddresses[i].String()
		}
	}
	return ""
}

// safeException is exception or freeMethod, without an exception after a panic.
func (g *Guard) safeException(r *http.Request) (name string) {
	defer func() {
		if recover() != nil {
			name = ""
		}
	}()
	return cmp.Or(g.exception(r), g.freeMethod(r))
}

// freeMethod returns the method of a request as an exception, or "" if the method is enforced. A
// method that strangers can make up is "method other".
func (g *Guard) freeMethod(r *http.Request) string {
	if exception.Enforced(g.Methods, r.Method) {
		return ""
	}
	switch r.Method {
	case http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodConnect,
		http.MethodOptions, http.MethodTrace:
		return "method " + r.Method
	}
	return "method other"
}
