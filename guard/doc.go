// Package guard makes a site enforce its own robots.txt: robots get what the file allows them, and
// people never notice the guard.
//
//	protect := &guard.Guard{Policy: guard.Fixed(policy)}
//	http.ListenAndServe(":8080", protect.Handler(site))
//
// # Decisions
//
// A request whose User-Agent header names a robot, by package agent, is answered by the group of
// robots.txt that the robot obeys. A disallowed URL is refused with status 403 and a short text
// that names the rule. Browsers, people's other programs, libraries and commands pass, and so does
// an empty header. A robot that calls itself a browser is not recognised. A program on a person's
// device that uses the name of a robot passes too ([agent.Agent.Device]). To robots that do not
// crawl, such as monitors, only groups that name them apply ([agent.Agent.Crawler]).
//
// /robots.txt, with any query, and the paths below /.well-known/ always pass: a robot must be able
// to read the rules, and to find the documents about a site.
//
// Requests with other methods than GET and HEAD pass, and so do the exceptions of the operator:
// see [Guard.Methods] and [Guard.PassPaths].
//
// # Pace
//
// Crawl-delay, Request-rate and Visit-time are enforced with status 429 and Retry-After. The pace
// applies to a robot and not to its addresses, so all clients that name the robot share its pace. A
// robot that keeps the pace is never slowed: a request may be a second and a tenth of the delay
// early, all documents of a period of Request-rate may come at once, and the clock of the robot may
// be wrong by ten minutes. Requests that the guard refuses or slows do not count. Robots whose
// operators say that they ignore Crawl-delay are not slowed.
//
// Several guards of one site can share the pace of its robots with a [Paces]. Guards in one program
// use the same [Guard.Paces]. Guards in several programs use a server between them: [Paces.Share]
// writes the requests that a guard let pass to the server, and [Paces.Learn] reads those of the
// other guards. A guard decides by what it knows, and does not wait for other guards. So a fast
// robot may get one request more from each guard at once, and has to wait longer afterwards. A
// Paces also keeps the pace when robots.txt changes.
//
// # Identity
//
// [Identities] finds out in the background whether a client is the robot that it names, by
// published ranges, DNS and signatures. Forged robots are refused.
//
// # Targets
//
// Robots compare the target of a URL as it is written, and so does the guard. But a server may
// serve the page /private/x to requests for //private/x, /a/../private/x and /private%2Fx too, so a
// target is also refused if robots.txt disallows its path with escapes decoded, dot segments
// removed and slashes merged. [Guard.Literal] compares the written target only. The guard does not
// know about servers that ignore case, read "\" as "/", or cut parameters after ";" off.
package guard
