// Package proof answers questions about robots.txt for all paths at once: what a
// change of the file changes, and for which robots.
//
//	d := proof.Diff(before, after, proof.Options{})
//	for _, c := range d.Changes {
//		fmt.Println(c) // GPTBot: closed: /archive/*, for example /archive/a
//	}
//
// What it says is proven (see package pathset): each change comes with a witness,
// a path with another answer before than after, and where there is no change, no
// path has one. What takes too many cases is said to be undecided.
package proof
