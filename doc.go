// Package robots reads robots.txt files and reports which URLs a robot may fetch, and why. It
// follows RFC 9309, Google's parser, or an earlier document, back to the Standard for Robot
// Exclusion of 1994.
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
// # First steps
//
// Programs mostly begin with one of these examples:
//
//   - May a robot fetch a URL? [robots]
//   - Which line decides, and why do others lose? [explain]
//   - Which group does the robot with a User-Agent header obey? [agent.Group]
//   - Fetch robots.txt as RFC 9309 says: [fetch]
//   - Keep fetched files in a cache of your own: [fetch.Cache]
//   - Let any http.Client obey robots.txt: [fetch.Transport]
//   - May a page be indexed, and its links followed? [page]
//   - Crawl a site politely: [crawl.Crawl]
//   - Find mistakes: [lint]
//   - Which paths does a change close and open? [proof.Diff]
//   - Prove a claim for all URLs: [proof.Prove]
//   - Whose robot is this? [agent.Lookup]
//   - Does an IP address belong to the robot? [agent.Verifier.Verify]
//   - Which robots in an access log obeyed? [audit]
//   - Enforce robots.txt in a Go server: [guard]
//
// # Reading
//
// [Parse] never fails: every text is a policy, as RFC 9309, section 2.3.1.5 requires. Lines that
// Parse does not understand have no effect; [Policy.Lines] shows how each line was read. The other
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
//
// [robots]: https://pkg.go.dev/github.com/robotsexclusion/robots#example-package
// [explain]: https://pkg.go.dev/github.com/robotsexclusion/robots#example-Group.Explain
// [agent.Group]: https://pkg.go.dev/github.com/robotsexclusion/robots/agent#example-Group
// [fetch]: https://pkg.go.dev/github.com/robotsexclusion/robots/fetch#example-package
// [fetch.Cache]: https://pkg.go.dev/github.com/robotsexclusion/robots/fetch#example-Cache
// [fetch.Transport]: https://pkg.go.dev/github.com/robotsexclusion/robots/fetch#example-Transport
// [page]: https://pkg.go.dev/github.com/robotsexclusion/robots/page#example-package
// [crawl.Crawl]: https://pkg.go.dev/github.com/robotsexclusion/robots/crawler/crawl#example-Crawl
// [lint]: https://pkg.go.dev/github.com/robotsexclusion/robots/lint#example-package
// [proof.Diff]: https://pkg.go.dev/github.com/robotsexclusion/robots/proof#example-Diff
// [proof.Prove]: https://pkg.go.dev/github.com/robotsexclusion/robots/proof#example-Prove
// [agent.Lookup]: https://pkg.go.dev/github.com/robotsexclusion/robots/agent#example-Lookup
// [agent.Verifier.Verify]: https://pkg.go.dev/github.com/robotsexclusion/robots/agent#example-Verifier.Verify
// [audit]: https://pkg.go.dev/github.com/robotsexclusion/robots/audit#example-package
// [guard]: https://pkg.go.dev/github.com/robotsexclusion/robots/guard#example-package
package robots
