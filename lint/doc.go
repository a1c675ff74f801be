// Package lint finds mistakes in robots.txt, and can repair many of them.
//
//	report := lint.Run(robots.Parse(data), lint.Options{})
//	for _, d := range report.Diagnostics {
//		fmt.Println(d) // 3:1: error: no user-agent line stands before this rule [stray-rule]
//	}
//	fixed := report.Fix()
//
// A text that is wrong in every line is still a policy; this package reports its
// mistakes. Each check looks for one kind of mistake, and has a
// section below.
//
// # Severities
//
// An error is something that certainly does not do what it says: a rule that matches
// nothing, a field that nobody reads. A warning is likely one, or is one for some
// robots only. An info is untidy, or could be better.
//
// # Profiles
//
// Recommended has what is wrong, or very likely so; strict also what is untidy, not
// portable, or mostly meant; seo what matters for being found; and historic what robots
// written after the documents of 1994 and 1996 read otherwise. A check may tell more in
// one profile than in another, as its section says.
//
// # Fixes
//
// A Fix says what it does to the answers that robots get: it keeps them all, only
// closes or only opens paths, or changes them. Safe fixes are those that keep all
// answers, or that put right what can have been meant in no other way. Report.Fix
// makes safe fixes only. No fix that keeps the answers takes away what another check
// found: such a fix waits until that is repaired.
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
// Run takes time linear in the file, and looks at no line of a text that is no
// robots.txt at all. Of each check 100 diagnostics are kept, and the others counted,
// unless Options.Limit says otherwise.
//
// # Check not-robots
//
// The text is no robots.txt: a page of HTML, other XML, JSON, binary data, or a
// text without a single record.
//
// Avoid:
//
//	<!doctype html>
//	<title>Not Found</title>
//
// Prefer:
//
//	User-agent: *
//	Disallow: /private/
//
// Why: A server that answers every unknown path with a page, and status 200,
// does so for /robots.txt too. Robots find no rules in it, so nothing is
// closed, and some report errors. Where there is no robots.txt, the answer 404
// says so.
//
// Exceptions: a text with at least one group, or with comments about robots, is
// taken for robots.txt, whatever else is in it; then each line that is wrong is
// reported.
//
// # Check utf-16
//
// The file is encoded in UTF-16.
//
// Avoid:
//
//	U.s.e.r.-.a.g.e.n.t.:. .*.
//
// Prefer:
//
//	User-agent: *
//
// Why: RFC 9309, section 2.3, asks for UTF-8. In UTF-16 every second byte is
// NUL, and no robot finds a field that it knows. Some editors of Windows call
// UTF-16 "Unicode".
//
// Exceptions: none.
//
// # Check not-utf8
//
// There are bytes in the file that are not UTF-8.
//
// Avoid:
//
//	Disallow: /caf\xe9
//
// Prefer:
//
//	Disallow: /caf%C3%A9
//
// Why: Robots compare the bytes of a pattern with those of a URL, which is
// mostly UTF-8 in percent-encoding. A path in an old encoding such as ISO
// 8859-1 or Windows-1251 matches nothing then.
//
// Exceptions: in a comment it is an info, as no robot reads it. URLs of a site may
// really have an old encoding, so it is a warning; such a site should write them
// percent-encoded.
//
// # Check byte-order-mark
//
// The file starts with a byte order mark.
//
// Avoid:
//
//	\ufeffUser-agent: *
//
// Prefer:
//
//	User-agent: *
//
// Why: RFC 9309 does not speak of it. Google and many others skip the mark;
// those that do not take it for a part of the first field, and lose that line,
// which is mostly a user-agent line.
//
// Exceptions: none.
//
// # Check mojibake
//
// A byte order mark, or another invisible character, stands before a record and
// was read in a wrong encoding.
//
// Avoid:
//
//	ï»¿User-agent: *
//
// Prefer:
//
//	User-agent: *
//
// Why: Where a program reads UTF-8 as Windows-1252 and writes it again as
// UTF-8, a byte order mark becomes three letters that no robot skips. The
// user-agent line is lost, and with it the rules below it stand in no group.
//
// Exceptions: where no record stands behind it, it does no harm, and is an info.
//
// # Check nul-octet
//
// There is a NUL byte in a line.
//
// Avoid:
//
//	Disallow: /private\x00/
//
// Prefer:
//
//	Disallow: /private/
//
// Why: Google's parser ends the line there; others take it for a part of the
// path, which matches nothing. It comes from broken disks and programs.
//
// Exceptions: none.
//
// # Check control-octet
//
// There is a control byte in a line that is not TAB.
//
// Avoid:
//
//	Disallow: /private\x07
//
// Prefer:
//
//	Disallow: /private
//
// Why: No URL has control bytes as they are. A pattern with one matches nothing, or
// what has it percent-encoded, which is hardly what was meant.
//
// Exceptions: in a comment it is an info, and so is the end-of-file byte of
// DOS on a line of its own.
//
// # Check invisible-character
//
// A pattern has a character that is not seen, or one that looks like a blank,
// or a line has nothing else.
//
// Avoid:
//
//	Disallow: /members\u200b
//
// Prefer:
//
//	Disallow: /members
//
// Why: Zero-width spaces, marks of direction and no-break spaces come with text
// that was copied from web pages and word processors. Robots take them for a
// part of the path, so that nothing matches, and nobody sees why.
//
// Exceptions: joiners between letters of scripts that need them, as in Persian,
// are right. Within a path a no-break space is a warning, as some URLs do have one;
// so is what may be half of a letter that was read in a wrong encoding.
//
// # Check look-alike
//
// A field, or the name of a robot, has characters that look like others.
//
// Avoid:
//
//	User-agent: Perplexity\u2011User
//
// Prefer:
//
//	User-agent: Perplexity-User
//
// Why: A Cyrillic а, a full-width colon, or the no-break hyphen of a word
// processor looks right and is not: robots do not know the field, and no robot
// has the name.
//
// Exceptions: none.
//
// # Check too-large
//
// The file is larger than 500 KiB.
//
// Avoid:
//
//	a rule for each of twenty thousand pages
//
// Prefer:
//
//	Disallow: /archive/
//
// Why: RFC 9309, section 2.5, asks robots to read 500 KiB at least, and Google
// reads no more: what comes after is lost. Yandex takes a file that is larger
// for an empty one.
//
// Exceptions: where only comments are beyond the limit, it is a warning.
//
// # Check large
//
// The file is larger than some robots accept.
//
// Avoid:
//
//	a rule for each of two thousand pages
//
// Prefer:
//
//	Disallow: /archive/
//
// Why: Before RFC 9309 there was no common limit. Baidu's validator accepts 48
// KiB, Yandex 2,048 rules, and some crawlers read less.
//
// Exceptions: none.
//
// # Check long-line
//
// A line is longer than Google reads.
//
// Avoid:
//
//	Disallow: /a, seventeen thousand times over
//
// Prefer:
//
//	Disallow: /aaaa
//
// Why: Google's parser uses 16,663 bytes of a line and drops the rest. A
// pattern that is cut closes more than it says.
//
// Exceptions: comments.
//
// # Check long-value
//
// A value is longer than some robots accept.
//
// Avoid:
//
//	Clean-param: utm_source&utm_medium&..., six hundred characters long
//
// Prefer:
//
//	Clean-param: utm_source&utm_medium
//	Clean-param: fbclid&gclid
//
// Why: RFC 9309 has no limit, but robots have: Yandex refuses a rule of more than
// 1,024 characters, and a Clean-param of more than 500; Baidu's validator refuses
// paths of more than 250.
//
// Exceptions: what only Baidu refuses is an info.
//
// # Check cr-line-ends
//
// Lines end with CR alone.
//
// Avoid:
//
//	User-agent: *\rDisallow: /private/\r
//
// Prefer:
//
//	User-agent: *
//	Disallow: /private/
//
// Why: The documents since 1994 allow CR, CRLF and LF. Many programs know only
// the last two, and read a file of CR as one line.
//
// Exceptions: where only blank lines and comments follow, nothing is lost, and it is
// an info.
//
// # Check mixed-line-ends
//
// Lines end in different ways.
//
// Avoid:
//
//	User-agent: *\r\nDisallow: /private/\n
//
// Prefer:
//
//	User-agent: *\nDisallow: /private/\n
//
// Why: It does no harm to robots, but shows that parts of the file come from
// different places, and makes differences that nobody sees.
//
// Exceptions: none.
//
// # Check no-final-line-end
//
// The last line has no end.
//
// Avoid:
//
//	Sitemap: https://example.com/sitemap.xml(end of the file)
//
// Prefer:
//
//	Sitemap: https://example.com/sitemap.xml\n
//
// Why: Content delivery networks, plug-ins and scripts append to robots.txt.
// Without a line end their first line becomes a part of the last one.
//
// Exceptions: none.
//
// # Check unknown-field
//
// No robot is known to read a field.
//
// Avoid:
//
//	Pages: /private/
//
// Prefer:
//
//	Disallow: /private/
//
// Why: RFC 9309, section 2.2.4, lets robots read other records, and ignore
// those that they do not know. Such a line does nothing, whatever it says. A
// URL on a line of its own is read as a field http or https.
//
// What is read elsewhere, as TDM-Reservation or llms.txt, is reported with its place.
//
// Exceptions: a field of a new standard may be missing here; silence it with a
// comment.
//
// # Check misspelt-field
//
// A field is spelt nearly like one that robots know.
//
// Avoid:
//
//	Dissallow: /private/
//
// Prefer:
//
//	Disallow: /private/
//
// Why: Most robots do not know it, and the line is lost. Google's parser
// guesses some misspellings, so that the file has two meanings.
//
// Exceptions: none.
//
// # Check translated-field
//
// A field is a translation of one that robots know.
//
// Avoid:
//
//	Запретить: /private/
//
// Prefer:
//
//	Disallow: /private/
//
// Why: Translations of the standard translate its examples too. The names of
// fields are English in every language.
//
// Exceptions: none.
//
// # Check obsolete-field
//
// A field is one that nobody reads any more.
//
// Avoid:
//
//	Noindex: /old/
//
// Prefer:
//
//	X-Robots-Tag: noindex (in the answers for /old/)
//
// Why: Noindex in robots.txt was never a standard, and Google reads it no more
// since September 2019; pages stay in the index that their owners think are
// out. Host was Yandex's until 2018. The ACAP fields of 2007 were never read by
// large robots.
//
// Exceptions: for all but Noindex, Nofollow and Noarchive it is an info, as
// the line does no harm.
//
// # Check field-case
//
// A field is written in an unusual mix of letters.
//
// Avoid:
//
//	dIsallow: /private/
//
// Prefer:
//
//	Disallow: /private/
//
// Why: Robots read fields in letters of any case. People who search for a word,
// and simple scripts, do not.
//
// Exceptions: names in small letters, in capitals, and with a capital after each
// hyphen, are usual.
//
// # Check missing-colon
//
// There is no colon after a field.
//
// Avoid:
//
//	Disallow /private/
//
// Prefer:
//
//	Disallow: /private/
//
// Why: RFC 9309 asks for a colon, and the line is lost. Google's parser accepts
// lines of two words without one.
//
// Exceptions: none.
//
// # Check missing-field
//
// A path stands on a line without a field.
//
// Avoid:
//
//	/search-results
//
// Prefer:
//
//	Disallow: /search-results
//
// Why: Such a line says nothing. It is what is left of a line that was broken
// in two, or of a list that was pasted.
//
// Exceptions: none.
//
// # Check foreign-comment
//
// A comment is written as in another language.
//
// Avoid:
//
//	// keep robots out
//
// Prefer:
//
//	# keep robots out
//
// Why: Only "#" starts a comment. Other marks make a line that no robot
// understands, and one with a colon may become a record.
//
// Exceptions: none.
//
// # Check not-a-record
//
// A line is neither a record nor a comment.
//
// Avoid:
//
//	robots.txt of Example Inc.
//
// Prefer:
//
//	# robots.txt of Example Inc.
//
// Why: Robots skip what they do not understand. Mostly it was meant as a
// comment, or is a message of a program that failed.
//
// Exceptions: lines for which another check has a better word.
//
// # Check two-records
//
// There is another record within the value of a record.
//
// Avoid:
//
//	User-agent: * Disallow: /
//
// Prefer:
//
//	User-agent: *
//	Disallow: /
//
// Why: A record ends with its line, and what stands behind it is a part of its
// value: the rule is lost, and the name of the robot may be none that it has. Some
// translations of the standard have lost the line ends of its examples.
//
// Exceptions: none.
//
// # Check stray-rule
//
// A rule stands in no group.
//
// Avoid:
//
//	Disallow: /private/
//
// Prefer:
//
//	User-agent: *
//	Disallow: /private/
//
// Why: RFC 9309, section 2.2: a rule belongs to the user-agent lines before it,
// and robots ignore one that has none.
//
// Exceptions: all such rules are reported once, with the line that was to start their
// group, if there is one. A Disallow without a path asks nothing anyway, and is an info.
//
// # Check empty-agent
//
// A user-agent line names no robot.
//
// Avoid:
//
//	User-agent:
//	Disallow: /private/
//
// Prefer:
//
//	User-agent: *
//	Disallow: /private/
//
// Why: No robot has an empty name, so nobody obeys the group.
//
// Exceptions: none. A name of nothing but characters that are not seen is empty too.
//
// # Check blank-after-agent
//
// A blank line stands between a user-agent line and the first rule of its group.
//
// Avoid:
//
//	User-agent: *
//
//	Disallow: /private/
//
// Prefer:
//
//	User-agent: *
//	Disallow: /private/
//
// Why: In the standard of 1994 a blank line ends a record, and some robots still read
// so: Python's urllib.robotparser forgets the group, so that nothing is closed, and
// Yandex's list of errors says that the rules have no user-agent line.
//
// Exceptions: a line with nothing but a comment is not blank. RFC 9309 and Google skip
// blank lines.
//
// # Check several-agents
//
// A user-agent line names several robots.
//
// Avoid:
//
//	User-agent: GPTBot, CCBot
//
// Prefer:
//
//	User-agent: GPTBot
//	User-agent: CCBot
//
// Why: A line has one product token (RFC 9309, section 2.2.1), which ends at
// the first blank. With a comma behind it, it is no robot's name; and those
// behind the first are lost. In the Robot Exclusion Standard Revisited of 1996
// a line had a list, which nobody reads.
//
// Exceptions: a name of several words that one robot has, and a whole
// User-Agent header, are not a list.
//
// # Check pattern-start
//
// A pattern starts with neither "/" nor "*".
//
// Avoid:
//
//	Disallow: private/
//
// Prefer:
//
//	Disallow: /private/
//
// Why: Patterns are compared with paths from their first byte (RFC 9309,
// section 2.2.2), and all paths start with "/".
//
// Exceptions: none.
//
// # Check url-as-rule
//
// A rule has a whole URL.
//
// Avoid:
//
//	Disallow: https://example.com/private/
//
// Prefer:
//
//	Disallow: /private/
//
// Why: A pattern is compared with the path only. The file is for the host, the
// scheme and the port that it lies on; other hosts have their own.
//
// Exceptions: none. A URL of a whole site is mostly of another one, so that there is
// no fix for it.
//
// # Check quoted-value
//
// A value is in quotes.
//
// Avoid:
//
//	Disallow: "/private/"
//
// Prefer:
//
//	Disallow: /private/
//
// Why: There are no quotes in robots.txt: they are bytes of the value, and
// nothing matches.
//
// Exceptions: quotes within a path.
//
// # Check several-paths
//
// A rule has several paths.
//
// Avoid:
//
//	Disallow: /cgi-bin/ /tmp/
//	Disallow: /cgi-bin/;/tmp/
//
// Prefer:
//
//	Disallow: /cgi-bin/
//	Disallow: /tmp/
//
// Why: A rule has one pattern, and the blanks, semicolons or commas are a part of it.
// In the Robot Exclusion Standard Revisited of 1996 a line had a list, which nobody
// reads. A URL may have semicolons and commas, so where these stand between the paths
// the finding is a warning and the fix is not safe.
//
// Exceptions: none.
//
// # Check translated-path
//
// There are blanks after the slashes of a pattern.
//
// Avoid:
//
//	Disallow: / foo / map /
//
// Prefer:
//
//	Disallow: /foo/map/
//
// Why: Programs that translate put blanks around slashes, and translate the
// names between them too. The paths of the site have no blanks there, so nothing
// matches.
//
// Exceptions: none.
//
// # Check blank-in-path
//
// There is a blank within a pattern.
//
// Avoid:
//
//	Disallow: /my files/
//
// Prefer:
//
//	Disallow: /my%20files/
//
// Why: URLs have %20 where a name has a blank. Many robots read the blank of a
// pattern as %20, but Google's parser does not: there the rule matches nothing. What
// was meant as a comment needs "#" before it.
//
// Exceptions: none.
//
// # Check hash-in-path
//
// A "#" cuts off a part of a pattern.
//
// Avoid:
//
//	Disallow: /#!/private/
//
// Prefer:
//
//	Disallow: /private/
//
// Why: "#" starts a comment wherever it stands, so that the example closes the
// whole site. Robots never send the fragment of a URL, so that no rule can be
// about one.
//
// Exceptions: it is an error only where what is left is "/" and what is cut
// looks like a fragment, and an info where nothing is cut or a blank follows. A
// comment with a blank before it is fine.
//
// # Check backslash
//
// There is a backslash in a pattern.
//
// Avoid:
//
//	Disallow: /docs\old
//
// Prefer:
//
//	Disallow: /docs/old
//
// Why: A backslash escapes nothing in robots.txt, and browsers and robots turn
// it into "/" in a URL, or into %5C in a query.
//
// Exceptions: what looks like a regular expression is reported as one.
//
// # Check regular-expression
//
// A pattern looks like a regular expression.
//
// Avoid:
//
//	Disallow: /blog/[0-9]+/.*
//
// Prefer:
//
//	Disallow: /blog/
//
// Why: robots.txt knows two signs: "*" is any number of any bytes, and "$" at
// the end is the end of the path. All else stands for itself.
//
// Exceptions: ".*" behind a name, as in /index.*, is a dot and a wildcard, and
// is right. What may be a path as well, as /x.*y and /a+b, is an info.
//
// # Check misplaced-dollar
//
// A "$" stands before the end of a pattern.
//
// Avoid:
//
//	Disallow: /*.pdf$/
//
// Prefer:
//
//	Disallow: /*.pdf$
//
// Why: Only as the last byte it stands for the end of the path. Elsewhere it
// is a dollar sign, which few URLs have.
//
// Exceptions: names that start with it, as in /$FILE/ and /$*.
//
// # Check idle-wildcard
//
// A "*" at the end of a pattern does nothing.
//
// Avoid:
//
//	Disallow: /private/*
//
// Prefer:
//
//	Disallow: /private/
//
// Why: A pattern without "$" matches all paths that start with it. The wildcard
// makes it one byte longer, and the longest pattern decides: so it can win
// where it was not meant to.
//
// Exceptions: "/*" and "*" for all paths are common, and fine.
//
// # Check double-wildcard
//
// There are several "*" in a row.
//
// Avoid:
//
//	Disallow: /files/**/old
//
// Prefer:
//
//	Disallow: /files/*/old
//
// Why: Other languages have "**" for folders within folders. In robots.txt "*"
// matches slashes too, and a second one makes the pattern longer, so that it
// may win over others.
//
// Exceptions: none.
//
// # Check stray-percent
//
// A "%" has no two hexadecimal digits after it.
//
// Avoid:
//
//	Disallow: /100%/
//
// Prefer:
//
//	Disallow: /100%25/
//
// Why: In a URL a percent sign itself is %25. One that encodes nothing is
// compared as it is, with URLs that do not have it.
//
// Exceptions: before "*" or the end, where it stands for whatever is encoded.
//
// # Check double-encoded
//
// Bytes are percent-encoded twice.
//
// Avoid:
//
//	Disallow: /la%2520casa
//
// Prefer:
//
//	Disallow: /la%20casa
//
// Why: %25 is a percent sign, so that %2520 matches only a URL that has %2520
// itself. It comes from programs that encode what is encoded already.
//
// Exceptions: URLs that have other URLs in their query do have such bytes. After
// "*", as in /*%2525, it is meant.
//
// # Check encoded-delimiter
//
// A pattern has an encoded "/", "?", "=" or "&".
//
// Avoid:
//
//	Disallow: /search%3Fq%3D
//
// Prefer:
//
//	Disallow: /search?q=
//
// Why: Reserved characters and their encoded forms are different to robots (RFC
// 9309, section 2.2.2; RFC 3986, section 2.2). The pattern closes URLs that
// have them encoded, and not the others.
//
// Exceptions: within a query they must be encoded.
//
// # Check raw-non-ascii
//
// A pattern has characters outside US-ASCII.
//
// Avoid:
//
//	Disallow: /café
//
// Prefer:
//
//	Disallow: /caf%C3%A9
//
// Why: RFC 9309, section 2.2.2, has robots encode them before they compare.
// Older ones do not, and URLs are encoded.
//
// Exceptions: a pattern with a character that is not seen is left to
// invisible-character, as it would be harder to see when it is encoded.
//
// # Check case-differs
//
// Two patterns of a group differ in the case of letters only.
//
// Avoid:
//
//	Disallow: /Search
//	Disallow: /search
//
// Prefer:
//
//	Disallow: /search
//
// Why: Paths are case-sensitive. Where the server is not, there are more
// spellings than a file can list, and it is better to redirect to one; where it
// is, one of the two is mostly a slip.
//
// Exceptions: the digits of percent-encoding, which robots compare in any case.
//
// # Check empty-allow
//
// An Allow has no path.
//
// Avoid:
//
//	Allow:
//
// Prefer:
//
//	Allow: /
//
// Why: An empty Disallow is the old way to close nothing. An empty Allow is not
// its opposite: it asks nothing.
//
// Exceptions: none.
//
// # Check comment-contradicts
//
// A comment says the opposite of the rule below it.
//
// Avoid:
//
//	# block all robots
//	User-agent: *
//	Disallow:
//
// Prefer:
//
//	# block all robots
//	User-agent: *
//	Disallow: /
//
// Why: An empty Disallow looks like "disallow everything" and is the reverse,
// and a Disallow of "/" that was meant to open a site hides it. A comment shows
// what the writer wanted.
//
// Exceptions: the check reads only short, plain comments on groups of one rule,
// in English, Spanish, Korean and Russian.
//
// # Check sitemap-url
//
// The URL of a sitemap is not whole, or not one that search engines fetch.
//
// Avoid:
//
//	Sitemap: /sitemap.xml
//
// Prefer:
//
//	Sitemap: https://example.com/sitemap.xml
//
// Why: sitemaps.org asks for the full URL, as the sitemap may lie on another
// host. Robots do not guess the rest. A character that is not seen, as comes with
// copied text, makes another URL of it, or none.
//
// Exceptions: none. A host of this machine or of a private network is an error too.
//
// # Check duplicate-sitemap
//
// A sitemap is given twice.
//
// Avoid:
//
//	Sitemap: https://example.com/sitemap.xml
//	Sitemap: https://example.com/sitemap.xml
//
// Prefer:
//
//	Sitemap: https://example.com/sitemap.xml
//
// Why: It does no harm. Often it stands in several groups because its writer
// thought that it belongs to a group; it is for the whole file.
//
// Exceptions: none.
//
// # Check sitemap-host
//
// A sitemap is on another host than the file, or than all other sitemaps.
//
// Avoid:
//
//	Sitemap: https://example.com/a.xml
//	Sitemap: https://example.com/b.xml
//	Sitemap: https://staging.example.com/c.xml
//
// Prefer:
//
//	Sitemap: https://example.com/a.xml
//	Sitemap: https://example.com/b.xml
//	Sitemap: https://example.com/c.xml
//
// Why: Search engines take a sitemap from another host only for pages of the site
// whose robots.txt names it. Often the line comes from another site, or from the one
// where this site was tried out.
//
// Exceptions: hosts of the same domain, unless their name says that a site is tried
// out there. Where it is not known where the file is served, only a single sitemap that
// is apart from two or more others is reported.
//
// # Check bad-record
//
// The value of a record is not of the form that its field asks for.
//
// Avoid:
//
//	Crawl-delay: 10 seconds
//
// Prefer:
//
//	Crawl-delay: 10
//
// Why: Most records have a form, and robots drop a value that they cannot read.
//
// Exceptions: sitemap-url looks at sitemaps. For Host and Clean-param it is a
// warning; an "&" before the parameters, which Yandex has on sites of its own, is an
// info.
//
// # Check ignored-crawl-delay
//
// A Crawl-delay is in a group for a robot that does not read it.
//
// Avoid:
//
//	User-agent: Googlebot
//	Crawl-delay: 10
//
// Prefer:
//
//	User-agent: Googlebot
//	Allow: /
//
// Why: Google's robots and others set their own pace, and say so. The line does
// nothing, while its writer thinks that the server is spared.
//
// Exceptions: the group for all robots, where others read it.
//
// # Check repeated-delay
//
// A group has several Crawl-delay records.
//
// Avoid:
//
//	User-agent: *
//	Crawl-delay: 1
//	Disallow: /private/
//	Crawl-delay: 10
//
// Prefer:
//
//	User-agent: *
//	Crawl-delay: 10
//	Disallow: /private/
//
// Why: No document says which of them counts: some robots take the first, some the
// last, this library the longest. Yandex's list of errors had it.
//
// Exceptions: the same value twice is an info. What robots cannot read is left to
// bad-record.
//
// # Check absurd-pace
//
// A pause between requests, or a time of the day, leaves a robot next to nothing.
//
// Avoid:
//
//	Crawl-delay: 86400
//
// Prefer:
//
//	Crawl-delay: 10
//
// Why: A robot that obeys a pause of a day fetches one page a day, and never learns
// what is new; most read a longer pause than they like as a shorter one, or not at
// all. Often milliseconds or a time to live were meant.
//
// Exceptions: from one hour on it is a warning, and above five minutes an info.
//
// # Check bad-ignore
//
// A comment for lint is not of the right form.
//
// Avoid:
//
//	# robots-lint: ignore blank-in-pat
//
// Prefer:
//
//	# robots-lint: ignore blank-in-path the old CMS asks for such names
//
// Why: A comment that silences nothing hides that the check still fires, and
// one without a reason will be removed, or kept for ever, for none.
//
// Exceptions: none.
//
// # Check unused-ignore
//
// A comment for lint silences a check that finds nothing.
//
// Avoid:
//
//	Disallow: /fine/ # robots-lint: ignore blank-in-path old names
//
// Prefer:
//
//	Disallow: /fine/
//
// Why: What it was for is gone, and the comment will silence what comes next.
//
// Exceptions: checks that do not run in this profile are not looked at.
//
// # Check site-closed
//
// The whole site is closed to everyone, or to a search engine.
//
// Avoid:
//
//	User-agent: *
//	Disallow: /
//
// Prefer:
//
//	User-agent: *
//	Disallow: /private/
//
// Why: Nothing of the site is found any more. The line often comes along when a
// site that was tried out in secret is put in its place.
//
// Exceptions: sites that are not to be found. Where a search engine has a group
// of its own that lets it in, it is an info. Large search engines other than those
// of Googlebot and bingbot are reported in profile seo only, as an info.
//
// # Check merged-group
//
// A user-agent line joins the group above it, because what stands between them
// ends no group.
//
// Avoid:
//
//	User-agent: *
//	Crawl-delay: 10
//
//	User-agent: ExampleBot
//	Disallow: /
//
// Prefer:
//
//	User-agent: *
//	Crawl-delay: 10
//	Disallow:
//
//	User-agent: ExampleBot
//	Disallow: /
//
// Why: Only a rule ends the user-agent lines of a group (RFC 9309, section 2.2).
// A blank line, a Crawl-delay, a Sitemap or an unknown field does not: all of the
// site above is closed to everyone. After the document of 1994 a blank line ends
// the group.
//
// Exceptions: groups that close nothing. Where there is but a blank line, it may
// be meant, and is an info, unless the robot above it loses the whole site.
//
// # Check lost-everyone
//
// A group has few rules, and its robots lose all that are for everyone.
//
// Avoid:
//
//	User-agent: *
//	Disallow: /private/
//
//	User-agent: ExampleBot
//	Crawl-delay: 10
//
// Prefer:
//
//	User-agent: *
//	Disallow: /private/
//
//	User-agent: ExampleBot
//	Crawl-delay: 10
//	Disallow: /private/
//
// Why: A robot obeys the group that names it and no other (RFC 9309, section
// 2.2.1). The group for everyone is not added to it.
//
// Exceptions: groups of more than two rules, or that repeat one of the others; and
// all groups where the whole site is closed to everyone. Where the group says that
// all is open, by "Allow: /" or an empty Disallow, it is meant, and an info.
//
// # Check redundant-rule
//
// A rule never decides, or says what others say.
//
// Avoid:
//
//	User-agent: *
//	Disallow: /a/
//	Disallow: /a/b/
//
// Prefer:
//
//	User-agent: *
//	Disallow: /a/
//
// Why: A reader of the file takes the rule for one that does something, and changes
// the wrong one. That all robots get the same answers without it is proven, in
// RFC 9309 and in dialect Google. Other readers may answer otherwise, such as programs
// that take the first rule that matches: "robots minimize" names them.
//
// Exceptions: files of more than 2,000 user-agent lines and rules are not looked at.
// A rule that matches nothing, as it starts with neither "/" nor "*", is left to
// pattern-start, since it was meant for something; so is every line that a warning or
// an error of another check is about or refers to.
//
// # Check contradicting-rules
//
// A group allows and disallows the same pattern.
//
// Avoid:
//
//	User-agent: *
//	Disallow: /news/
//	Allow: /news/
//
// Prefer:
//
//	User-agent: *
//	Allow: /news/
//
// Why: One of the two does nothing, and which one depends on the robot: Allow wins
// after RFC 9309, or the pattern that a wildcard at its end makes longer; the first
// line after the draft of 1996; and the standard of 1994 has no Allow.
//
// Exceptions: none.
//
// # Check unmatched-agent
//
// A user-agent line has a name that no robot goes by, or not in this form.
//
// Avoid:
//
//	User-agent: Googlebot*
//	User-agent: Mozilla/5.0 (compatible; bingbot/2.0)
//	User-agent: Example Bot
//
// Prefer:
//
//	User-agent: Googlebot
//	User-agent: bingbot
//	User-agent: ExampleBot
//
// Why: A name is one word of letters, "-" and "_" (RFC 9309, section 2.2.1). It is
// compared as it is, and what follows a blank or a slash is dropped; so is, by
// robots built on Google's parser, all from the first other character on.
//
// Exceptions: a version after the name is dropped, as its author can have meant. What
// hits no robot but the one that was meant is reported in profile strict only, as an info:
// a "*" after the name of a robot of Google, whose parser drops it; digits, which many
// names have. A blank in a name whose first word is no robot's is an info, and outside
// strict reported once for the file.
//
// # Check unknown-agent
//
// The name of a robot is nobody's, but nearly that of a known one, or what people call
// one that goes by another name.
//
// Avoid:
//
//	User-agent: Goglebot
//
// Prefer:
//
//	User-agent: Googlebot
//
// Why: The robot that was meant obeys the group for everyone instead.
//
// Exceptions: names that are like no other; there are robots that nobody has heard of.
// So are short additions to a known name, as in SemrushBot-XY, and names that differ
// in two letters of few, as occ-crawler and ICC-Crawler.
//
// # Check broad-name
//
// A group is for a word that many names of robots contain.
//
// Avoid:
//
//	User-agent: bot
//	Disallow: /
//
// Prefer:
//
//	User-agent: *
//	Disallow: /
//
// Why: The standard of 1994 recommends that a robot obeys a group whose name is a part
// of its own: there "bot" is for Googlebot, bingbot and some hundred others. RFC 9309
// and Google compare whole names: there it is for no robot, since none has this name.
//
// Exceptions: in profile historic, every name is reported that other known names
// contain, as an info.
//
// # Check duplicate-group
//
// A robot has several groups.
//
// Avoid:
//
//	User-agent: *
//	Disallow: /a/
//
//	User-agent: *
//	Disallow: /b/
//
// Prefer:
//
//	User-agent: *
//	Disallow: /a/
//	Disallow: /b/
//
// Why: RFC 9309, section 2.2.1 combines the groups; older parsers obey the first,
// some the last.
//
// Exceptions: where the groups have the same rules it is reported in profile strict only.
//
// # Check no-disallow
//
// A group has no Disallow.
//
// Avoid:
//
//	User-agent: ExampleBot
//	Allow: /
//
// Prefer:
//
//	User-agent: ExampleBot
//	Disallow:
//
// Why: The standard of 1994 has no Allow, and asks for at least one Disallow in each
// record; a reader of that time may drop a record without one, so that the robot obeys
// the group for everyone.
//
// Exceptions: it is in profile historic only, as no robot of today does so.
//
// # Check ai-half-blocked
//
// The site is closed to one robot of an operator that trains models, and open to
// another.
//
// Avoid:
//
//	User-agent: anthropic-ai
//	Disallow: /
//
// Prefer:
//
//	User-agent: anthropic-ai
//	User-agent: ClaudeBot
//	Disallow: /
//
// Why: The robots of one operator go by several names, of which some are not used
// any more, and each has its own group. To name one of them does not close the
// site to the operator. So it is where the robot that answers people is closed out,
// and the one that trains models is not.
//
// Exceptions: the reverse of the latter is no finding: answers bring readers, and
// training does not. Robots that are for searching as well, and open ones that their
// operator does not document, are not looked at.
//
// # Check closed-resources
//
// Styles or scripts are closed to search engines.
//
// Avoid:
//
//	User-agent: *
//	Disallow: /assets/
//
// Prefer:
//
//	User-agent: *
//	Disallow: /assets/
//	Allow: /assets/*.css$
//	Allow: /assets/*.js$
//
// Why: A search engine that draws a page as a browser does, as Googlebot and
// bingbot do, sees it without what it may not fetch, and may find nothing on it.
//
// Exceptions: single files, and directories whose name is all that speaks for it, are
// reported in profiles strict and seo, as an info.
//
// # Check closed-sitemap
//
// A sitemap is closed by the rules of the same file.
//
// Avoid:
//
//	User-agent: *
//	Disallow: /files/
//	Sitemap: https://example.com/files/sitemap.xml
//
// Prefer:
//
//	User-agent: *
//	Disallow: /files/
//	Allow: /files/sitemap.xml
//	Sitemap: https://example.com/files/sitemap.xml
//
// Why: A robot that fetches sitemaps as it does pages may not read it.
//
// Exceptions: sitemaps of another host have other rules, which are not known here.
// Where the rule closes all that no other rule opens, the sitemap mostly lies
// elsewhere, and it is an info. Where the whole site is closed, see site-closed.
//
// # Check ai-preferences
//
// What the file says about AI uses contradicts itself, or is in words that nobody
// reads.
//
// Avoid:
//
//	User-agent: *
//	Content-Usage: train-ai=y
//	Content-Signal: ai-train=no
//	Disallow: /private/
//
// Prefer:
//
//	User-agent: *
//	Content-Usage: train-ai=n
//	Content-Signal: ai-train=no
//	Disallow: /private/
//
// Why: There are two vocabularies, and earlier drafts had more words. A preference
// is for the robots of its group only: one that has its own group does not see it.
//
// Exceptions: preferences for a part of the site are not compared.
//
// # Check secret-path
//
// A rule names a place that strangers look for.
//
// Avoid:
//
//	User-agent: *
//	Disallow: /backup/db.sql
//
// Prefer:
//
//	User-agent: *
//	Disallow: /b
//
// Why: Anybody can read robots.txt, and attackers read it first. RFC
// 9309, section 3 says that it keeps nobody out. Keep what is secret behind a
// password, and unnamed.
//
// Exceptions: places that every site of a common program has, such as /wp-admin/.
//
// # Check closed-well-known
//
// A file that others need is closed to everyone, or robots.txt itself.
//
// Avoid:
//
//	User-agent: *
//	Disallow: /*.txt$
//
// Prefer:
//
//	User-agent: *
//	Disallow: /*.txt$
//	Allow: /ads.txt
//	Allow: /security.txt
//
// Why: Buyers of advertisements read ads.txt, and finders of a hole read
// security.txt. Robots.txt is always allowed (RFC 9309, section 2.2.2).
//
// Exceptions: a rule that names the file means it. Where the whole site is closed, or
// all that no other rule opens, see site-closed. Of robots.txt itself it is an info; so
// it is, in profiles strict and seo only, of files that bring no money.
//
// # Check portability
//
// Another engine gives other answers: Google's parser, or the robots of Google, Bing,
// Yandex or Apple.
//
// Avoid:
//
//	User-agent: *
//	Disallow: /private/*.html
//	Allow: /private/a
//
// Prefer:
//
//	User-agent: *
//	Disallow: /private/
//
// Why: Engines have rules of their own, as far as they are published: Yandex weighs
// patterns without their wildcards. For each engine a path is named that is open only
// there, and one that is closed only there, as far as a short search finds them.
//
// Exceptions: an engine is asked only about its own robots, and those that the file does
// not name. Files of more than 2,000 user-agent lines and rules are not looked at. See
// old-portability for the documents of the nineties.
//
// # Check old-portability
//
// A robot that follows the documents of 1994 or 1996 gives other answers.
//
// Avoid:
//
//	User-agent: *
//	Disallow: /private/
//	Allow: /private/open
//
// Prefer:
//
//	User-agent: *
//	Allow: /private/open
//	Disallow: /private/
//
// Why: The standard of 1994 knows neither Allow nor wildcards, and after the draft of
// 1996 the first rule that matches decides, not the longest. Simple robots, and
// libraries such as Python's urllib.robotparser, are still like that.
//
// Exceptions: it is in profile historic only. Files of more than 2,000 user-agent
// lines and rules are not looked at.
//
// # Check http-status
//
// The server does not answer 200 for robots.txt.
//
// Avoid:
//
//	HTTP/1.1 503 Service Unavailable
//
// Prefer:
//
//	HTTP/1.1 200 OK
//
// Why: Robots take 5xx and 429 for "the whole site is closed", and other 4xx, 401 and
// 403 among them, for "there are no rules" (RFC 9309, sections 2.3.1.3 and 2.3.1.4).
// More than five redirects are like 4xx.
//
// Exceptions: a file that is not there, 404 or 410, is an info. Only what was fetched
// is looked at.
//
// # Check http-redirect
//
// The server redirects the request for robots.txt.
//
// Avoid:
//
//	/robots.txt redirects to https://other.example/robots.txt
//
// Prefer:
//
//	/robots.txt answers with the file
//
// Why: RFC 9309, section 2.3.1.2, asks robots to follow five redirects, to other hosts
// too, and to use what they find there for the first host: so another site makes the
// rules. Some robots follow none.
//
// Exceptions: a redirect to or from "www.", or to https, with the same path, is an
// info.
//
// # Check http-content-type
//
// The server calls robots.txt something else than text in UTF-8.
//
// Avoid:
//
//	Content-Type: text/html
//
// Prefer:
//
//	Content-Type: text/plain; charset=utf-8
//
// Why: RFC 9309, section 2.3, asks for text/plain in UTF-8. Google reads other types
// too; other robots take a page for no robots.txt.
//
// Exceptions: a missing type, and another encoding for a file that is ASCII only, are
// an info.
//
// # Check http-caching
//
// Caches may keep robots.txt for longer than a day.
//
// Avoid:
//
//	Cache-Control: max-age=31536000
//
// Prefer:
//
//	Cache-Control: max-age=3600
//
// Why: RFC 9309, section 2.4, asks robots to use no copy that is older than 24 hours,
// but a cache between the robot and the server answers with the old file as long as it
// may. A rule that was mended is then not seen.
//
// Exceptions: an answer that must not be cached is reported in profile strict, as an info.
//
// # Check unread-sitemap
//
// A sitemap that was to be held against the rules could not be read.
//
// Avoid:
//
//	Sitemap: https://example.com/moved-away.xml
//
// Prefer:
//
//	Sitemap: https://example.com/sitemap.xml
//
// Why: A search engine cannot read it either: it is gone, is no sitemap, or breaks
// off. What it lists is not known, and the other check says nothing about it.
//
// Exceptions: only sitemaps that --sitemaps or Options.Sitemaps asks for are looked
// at, and 100 of them with 200,000 URLs at most.
//
// # Check listed-but-closed
//
// A rule closes pages that a sitemap lists.
//
// Avoid:
//
//	User-agent: *
//	Disallow: /shop/
//	Sitemap: https://example.com/sitemap.xml (which lists /shop/1)
//
// Prefer:
//
//	User-agent: *
//	Disallow: /shop/cart
//	Sitemap: https://example.com/sitemap.xml
//
// Why: A sitemap lists what is to be found, and the rule forbids to look at it. One of
// the two is not meant.
//
// Exceptions: robots to which the whole site is closed are not looked at. For robots
// that are not of a search engine it is an info.
package lint
