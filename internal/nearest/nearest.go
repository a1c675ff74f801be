// Package nearest finds the name that a user may have meant.
package nearest

import "strings"

// Of returns the name of a list with the most similar spelling, in any case, if one is
// close enough: at most a third of its letters differ, and at most three. A difference
// is a letter that is missing, added or changed, or a swap of two letters.
func Of(name string, known []string) (near string, ok bool) {
	name = strings.ToLower(name)
	best := 4
	for _, k := range known {
		most := min(len(k)/3, best-1)
		if d := len(name) - len(k); d > most || -d > most {
			continue
		}
		if d := Distance(name, strings.ToLower(k)); d <= most {
			near, best = k, d
		}
	}
	return near, near != ""
}

// Distance returns the number of differences between two names: the optimal string
// alignment distance of their bytes.
func Distance(a, b string) int {
	var short [3][32]int // avoids an allocation for nearly all names
	before, last, row := short[0][:], short[1][:], short[2][:]
	if len(b) >= len(row) {
		before, last, row = make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	}
	for j := range row {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
