package lint

import (
	"regexp"
	"sync"
)

// lazyRegexp returns a function that compiles a regular expression when it is first called. A
// program that imports this package starts faster if it does not compile all of them.
func lazyRegexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
