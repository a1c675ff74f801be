package pathset

import "github.com/robotsexclusion/robots"

// InForm reports whether a path may be an example in a dialect.
func InForm(d robots.Dialect, path string) bool {
	return formOf(d).has(path)
}
