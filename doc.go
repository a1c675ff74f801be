// Package robots reads robots.txt files and reports which URLs a robot may fetch, and why. It
// follows RFC 9309, Google's parser, or one of the documents that came before, back to the Standard
// for Robot Exclusion of 1994.
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
// [Parse] never fails: every text is a policy, as RFC 9309, section 2.3.1.5 asks. Lines that Parse
// does not understand have no effect; [Policy.Lines] says how each line was read. The other
// dialects are values of [Dialect], and parse in the same way: Koster1994.Parse(data).
//
// # Deciding
//
// [Policy.For] returns the [Group] of rules for a robot, which answers for any number of URLs. A
// question takes tens of nanoseconds and allocates nothing for a URL in normal form. A [Match]
// names the rule that decided; [Group.Explain] also lists the other rules that matched, and why
// they lost.
//
// # Hostile files
//
// Reading takes time and memory linear in the file. A match takes time linear in the URL for each
// pattern with wildcards that has to be tried, and never backtracks: no robots.txt can make a match
// exponential. The printed form of a [Rule] or [Record] is safe for a terminal.
package robots
