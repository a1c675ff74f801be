// Package proof answers questions about robots.txt for all paths at once: what a
// change of the file changes, and for which robots.
//
//	d, err := proof.Diff(before, after, proof.Options{}) // err: there may be more changes
//	for _, c := range d.Changes {
//		fmt.Println(c) // GPTBot: closed: /archive/*, for example /archive/a
//	}
//
// What it says is proven (see package pathset): each change comes with a witness,
// a path with another answer before than after, and where there is no change, no
// path has one.
//
// A question can take too many cases. Then the function returns an error that wraps
// [pathset.ErrUndecided] beside what it found: the findings are proven, but may not be all.
package proof
