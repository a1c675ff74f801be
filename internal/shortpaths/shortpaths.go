// Package shortpaths helps tests that try all short paths: the slow twin of questions
// about all paths.
package shortpaths

// Site precedes the paths in URLs: otherwise a path that starts with "//" would be
// parsed as a host.
const Site = "http://h"

// Paths returns all paths of up to seven bytes over a small alphabet, the shortest
// first.
func Paths() (all []string) {
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
