package robots

import "strings"

// target returns what of a URL is compared with patterns: its path with
// parameters and query, in the dialect's form, and the classes of its octets.
// It starts with "/".
//
// A URL may be absolute, or a path. Every text has a target: the rules are
// those of Google's parser, whose answers for things that are no URL ("foo/bar"
// is a host with a path) are as good as any others, so all dialects share them.
func (r *reading) target(url string) (path string, has classes) {
	start := 0
	if len(url) < 2 || url[0] != '/' || url[1] == '/' {
		start = pathStart(url)
	}
	if start == len(url) {
		return "/", classOf['/']
	}
	path = url[start:]
	has = classesOf(path)
	if has&classHash != 0 {
		path = path[:strings.IndexByte(path, '#')]
		has = classesOf(path)
	}
	if has&r.abnormal != 0 || path[0] != '/' {
		return r.normal(path)
	}
	return path, has
}

// normal is the rare end of target, for a path that must be rewritten. It
// allocates once.
func (r *reading) normal(path string) (string, classes) {
	if r.google {
		// The path is a C string there: it ends at a NUL.
		if i := strings.IndexByte(path, 0); i >= 0 {
			path = path[:i]
		}
	}
	if path[0] != '/' {
		path = r.path.after("/", path)
	} else {
		path = r.path.of(path)
	}
	return path, classesOf(path)
}

// pathStart returns where in url the path begins, or where its parameters or
// query do if it has no path. It returns len(url) where there is none of them.
func pathStart(url string) int {
	i := 0
	if strings.HasPrefix(url, "//") {
		i = 2 // the authority of another host, without a scheme
	}
	schemes := true
	for from := i; i < len(url); i++ {
		switch url[i] {
		case '#':
			return len(url)
		case '?', ';':
			return i
		case '/':
			if schemes && i > from && url[i-1] == ':' && i+1 < len(url) && url[i+1] == '/' {
				schemes = false
				i++ // the authority follows
				continue
			}
			return i
		}
	}
	return len(url)
}
