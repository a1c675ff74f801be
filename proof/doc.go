// Package proof answers questions about robots.txt for all paths at once: what a
// change of the file changes, and for which robots.
//
//	d, err := proof.Diff(before, after, proof.Options{}) // err: there may be more changes
//	for _, c := range d.Changes {
//		fmt.Println(c) // GPTBot: closed: /archive/*, for example /archive/a
//	}
//
// The answers are proven (see package pathset). Each change comes with a witness:
// a path whose answer changed. Without a change, no path has a different answer.
//
// A question can take too many cases. Then the function returns an error that wraps
// [pathset.ErrUndecided], and its findings so far: these are proven, but may be incomplete.
package proof
