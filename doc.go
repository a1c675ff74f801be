// Package robots reads robots.txt files and tells which URLs a robot may
// fetch, and why: after RFC 9309, after Google's parser, and after the
// documents that came before, back to the Standard for Robot Exclusion of 1994.
//
//	policy := robots.Parse(data)
//	group := policy.For("ExampleBot")
//	if !group.Allowed("https://example.com/private/x") {
//		fmt.Println(group.Match("/private/x"))
//	}
//
// prints
//
//	disallowed by line 3: Disallow: /private/
//
// # Reading
//
// [Parse] never fails: every text is a policy, as RFC 9309, section 2.3.1.5
// asks. What was not understood asks nothing; [Policy.Lines] tells what each
// line is. The other dialects are values of [Dialect], and parse in the same
// way: Koster1994.Parse(data).
//
// # Deciding
//
// [Policy.For] returns the [Group] of rules for a robot, which answers for any
// number of URLs. Asking takes tens of nanoseconds and allocates nothing for a
// URL in normal form. A [Match] says which rule decided; [Group.Explain] also
// which others matched, and why they lost.
//
// # Hostile files
//
// Reading takes time and memory linear in the file. A match takes time linear
// in the URL for each pattern with wildcards that has to be tried, and nothing
// ever goes back: there is no text of robots.txt that makes it exponential.
// What a [Rule] or [Record] prints as is safe for a terminal.
package robots
