// Package lint finds mistakes in robots.txt, and can repair many of them.
//
//	report := lint.Run(robots.Parse(data), lint.Options{})
//	for _, d := range report.Diagnostics {
//		fmt.Println(d) // 3:1: error: no user-agent line stands before this rule [stray-rule]
//	}
//	fixed := report.Fix()
//
// A text that is wrong in every line is still a policy; this package reports its
// mistakes. Each check looks for one kind of mistake.
//
// # Severities
//
// An error certainly does not do what it says: a rule that matches nothing, a field that no robot
// reads. A warning is probably an error, or an error for some robots only. An info is untidy, or
// could be better.
//
// # Profiles
//
//   - recommended: certain and very likely mistakes.
//   - strict: also untidy, unportable and ambiguous lines.
//   - seo: what decides whether search engines find a page.
//   - historic: what robots written for the documents of 1994 and 1996 read differently.
//
// A check may report more in one profile than in another; its documentation says so.
//
// # Fixes
//
// A Fix says what it does to the answers that robots get: it keeps them all, only
// closes or only opens paths, or changes them. A safe fix keeps all answers, or repairs a mistake
// with only one possible meaning. Report.Fix makes safe fixes only. A fix that keeps the answers
// never hides the finding of another check: it waits until that is repaired.
//
// # Comments for lint
//
// A comment silences a check:
//
//	# robots-lint: ignore CHECK reason
//	# robots-lint: ignore-file CHECK reason
//
// The first is for its own line, behind a record; or on a line of its own for the
// next line that is not a comment. The second is for the whole file. Several checks
// are joined by commas. The reason is for people, and must be there.
//
// # Limits
//
// Run takes time linear in the file. It does not look at the lines of a text that is not a
// robots.txt at all. It keeps 100 diagnostics of each check and counts the others, unless
// Options.Limit says otherwise.
//
// # Documentation of the checks
//
// doc/checks.md explains each check, and so does [Check.Doc], which knows other languages too. The
// folder explained has a file for each language.
package lint
