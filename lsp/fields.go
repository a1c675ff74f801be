package lsp

import "strings"

// A field is what is known of a field: for a hover, and for completion.
type field struct {
	name    string // as it is mostly written
	meaning string // what a record of it says
	form    string // what its value looks like
	readers string // who reads it
}

// fields are those that somebody reads or has read, in the order in which they are
// offered.
var fields = []field{
	{"User-agent", "Starts a group: the rules after it are for the robot of this name, or for all (*) that no group names.",
		"User-agent: Googlebot", "all robots that obey robots.txt (RFC 9309, section 2.2.1)"},
	{"Disallow", "Closes the paths that its pattern matches. An empty pattern closes nothing.",
		"Disallow: /private/", "all robots that obey robots.txt (RFC 9309, section 2.2.2)"},
	{"Allow", "Opens the paths that its pattern matches, against shorter Disallow rules.",
		"Allow: /private/open/", "all robots that obey robots.txt (RFC 9309, section 2.2.2)"},
	{"Sitemap", "Has the address of a sitemap. It holds for the whole file, wherever it stands.",
		"Sitemap: https://example.com/sitemap.xml", "all large search engines (sitemaps.org)"},
	{"Crawl-delay", "Asks the robots of its group for a pause between two requests, in seconds.",
		"Crawl-delay: 5", "Bing, for a window in which it makes one request, and some others; Google and Yandex ignore it"},
	{"Content-Usage", "Says which uses of the content are welcome: train-ai and search, with y or n, after a path if it is not for all.",
		"Content-Usage: /news/ train-ai=n", "nobody has to yet: it is a draft of the IETF (draft-ietf-aipref-attach)"},
	{"Content-Signal", "Says which uses of the content are welcome: search, ai-input and ai-train, with yes or no, and use.",
		"Content-Signal: search=yes, ai-train=no", "robots that follow contentsignals.org"},
	{"License", "Has the address of the terms under which content may be used. One in a group hides those of the file.",
		"License: https://example.com/license.xml", "robots that follow RSL 1.0"},
	{"Request-rate", "Asks for no more than so many documents in a time (s, m or h), and if it says so in a part of the day (UTC).",
		"Request-rate: 10/1m 1300-1659", "Seznam"},
	{"Visit-time", "Asks to visit in a part of the day only (UTC).",
		"Visit-time: 0600-0845", "hardly anybody: the extended standard of 1996"},
	{"Clean-param", "Names parameters of the query that do not change the page, and the paths for which that is so. It holds for the whole file.",
		"Clean-param: ref&sid /shop/", "Yandex"},
	{"Host", "Names the main mirror of the site.",
		"Host: example.com", "nobody any more: Yandex did until 2018. A redirect, or rel=canonical, says it today"},
	{"Noindex", "Was to keep pages out of an index.",
		"Noindex: /old/", "nobody any more: it was never standard, and Google stopped in 2019. A META tag or X-Robots-Tag says it, on pages that robots may fetch"},
	{"Nofollow", "Was to keep robots from following links.",
		"Nofollow: /out/", "nobody any more: Google stopped in 2019. A META tag or X-Robots-Tag says it"},
	{"Noarchive", "Was to keep copies out of caches.",
		"Noarchive: /", "nobody any more: Google stopped in 2019. A META tag or X-Robots-Tag says it"},
	{"Cache-delay", "Was to ask for a pause between requests for a cache, in seconds.",
		"Cache-delay: 10", "hardly anybody"},
	{"Robot-version", "Says to which version of the extended standard of 1996 a group is written.",
		"Robot-version: 2.0.0", "hardly anybody"},
	{"Comment", "Is a text for the person who runs a robot.",
		"Comment: please visit at night", "hardly anybody: the extended standard of 1996"},
}

// completed is how many of fields are offered: the others nobody should write.
const completed = 11

// fieldNamed returns the field of a name in letters of any case.
func fieldNamed(name string) (f field, ok bool) {
	for _, f := range fields {
		if strings.EqualFold(f.name, name) {
			return f, true
		}
	}
	return f, false
}
