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
// An answer is proven: an example is in the set, and if there is no example, the set is empty. Some
// questions have too many cases; then the error wraps [ErrUndecided].
//
// # Sets
//
// A [Set] holds paths in the normal form of a dialect: the result of
// [robots.Dialect.Path]. Sets of several dialects can be joined; the result holds
// paths that are in normal form in all of them.
//
// A Set is a description. Making a set or joining two takes almost no time; the search for an
// example does the work. All patterns of the set read one path together, byte by byte, the shortest
// paths first. Paths that the patterns cannot distinguish are one path for the search. It drops a
// pattern that cannot match any more, or that others overrule, and a path that can no longer be in
// the set. So it reads only a few patterns at a time, even for a file with thousands of rules.
package pathset
