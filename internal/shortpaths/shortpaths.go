// Package shortpaths has what tests need that try all short paths: the slow twin of
// questions about all paths.
package shortpaths

// Site stands before paths when they are asked about: one that starts with "//" is
// else taken for a host.
const Site = "http://h"

// Paths returns all paths of up to seven bytes of a small alphabet, the shortest
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
