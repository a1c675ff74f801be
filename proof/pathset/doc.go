// Package pathset answers questions about all paths at once: which paths a group
// of robots.txt allows, where two groups differ, whether a path exists that a
// pattern matches and no rule closes.
//
//	before, after := pathset.Allowed(old.For("ExampleBot")), pathset.Allowed(changed.For("ExampleBot"))
//	path, ok, err := before.Minus(after).Example(0)
//	if ok {
//		fmt.Println("now closed, for example", path)
//	}
//
// An answer is proven: an example is in the set, and where there is none, the set
// is empty. Some questions have too many cases; then the error
// wraps [ErrUndecided].
//
// # Sets
//
// A [Set] holds paths in the normal form of a dialect: the result of
// [robots.Dialect.Path]. Sets of several dialects can be joined; the result holds
// paths that are in normal form in all of them.
//
// Sets are descriptions. To make one, and to join two, takes almost no time; the
// work is done when a set is asked for an example. Then all its patterns read one
// path together, byte by byte, every path at once that they cannot tell apart,
// the shortest first. A pattern that cannot match any more is dropped, as is one
// that others overrule, and a path that can no longer come into the set is left.
// So only few patterns are read at a time, even of a file of thousands of rules.
package pathset
