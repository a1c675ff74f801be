package corpus

// Site precedes the short paths in URLs: otherwise a path that starts with "//" would be
// parsed as a host.
const Site = "http://h"

// ShortPaths returns all paths of up to seven bytes over a small alphabet, the shortest
// first: for the slow twins of questions about all paths.
func ShortPaths() (all []string) {
	level := []string{"/"}
	for len(level[0]) <= 7 {
		all = append(all, level...)
		var next []string
		for _, path := range level {
			for _, c := range "ab/" {
				next = append(next, path+string(c))
			}
		}
		level = next
	}
	return all
}
