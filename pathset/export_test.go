package pathset

import "github.com/robotsexclusion/robots"

// InForm reports whether a path may be an example in a dialect.
func InForm(d robots.Dialect, path string) bool {
	f, s, ok := formOf(d), plain, true
	for i := 0; i < len(path) && ok; i++ {
		s, ok = f.step(s, path[i])
	}
	return ok && f.ends(s)
}
