package lsp

import "github.com/robotsexclusion/robots"

// A fieldText is the description of a field, for a hover and a completion.
type fieldText struct {
	meaning string // meaning of a record with the field
	readers string // robots that read the field
}

// fieldTexts has the texts of fields by name. For other fields, a hover says that no robot is
// known to read them.
var fieldTexts = map[string]fieldText{
	"User-agent": {"Starts a group: the rules after it are for the robot of this name, or for all (*) that no group names.",
		"all robots that obey robots.txt (RFC 9309, section 2.2.1)"},
	"Disallow": {"Closes the paths that its pattern matches. An empty pattern closes nothing.",
		"all robots that obey robots.txt (RFC 9309, section 2.2.2)"},
	"Allow": {"Opens the paths that its pattern matches, against shorter Disallow rules.",
		"all robots that obey robots.txt (RFC 9309, section 2.2.2)"},
	"Sitemap": {"Has the address of a sitemap. It holds for the whole file, wherever it stands.",
		"all large search engines (sitemaps.org)"},
	"Crawl-delay": {"Asks the robots of its group for a pause between two requests, in seconds.",
		"Bing, for a window in which it makes one request, and some others; Google and Yandex ignore it"},
	"Content-Usage": {"Says which uses of the content are welcome: train-ai and search, with y or n, after a path if it is not for all.",
		"nobody has to yet: it is a draft of the IETF (draft-ietf-aipref-attach)"},
	"Content-Signal": {"Says which uses of the content are welcome: search, ai-input and ai-train, with yes or no, and use.",
		"robots that follow contentsignals.org"},
	"License": {"Has the address of the terms under which content may be used. One in a group hides those of the file.",
		"robots that follow RSL 1.0"},
	"Request-rate": {"Asks for no more than so many documents in a time (s, m or h), and if it says so in a part of the day (UTC).",
		"Seznam"},
	"Visit-time": {"Asks to visit in a part of the day only (UTC).",
		"hardly anybody: the extended standard of 1996"},
	"Clean-param": {"Names parameters of the query that do not change the page, and the paths for which that is so. It holds for the whole file.",
		"Yandex"},
	"Host": {"Names the main mirror of the site.",
		"nobody any more: Yandex did until 2018. A redirect, or rel=canonical, says it today"},
	"Noindex": {"Was to keep pages out of an index.",
		"nobody any more: it was never standard, and Google stopped in 2019. A META tag or X-Robots-Tag says it, on pages that robots may fetch"},
	"Nofollow": {"Was to keep robots from following links.",
		"nobody any more: Google stopped in 2019. A META tag or X-Robots-Tag says it"},
	"Noarchive": {"Was to keep copies out of caches.",
		"nobody any more: Google stopped in 2019. A META tag or X-Robots-Tag says it"},
	"Cache-delay": {"Was to ask for a pause between requests for a cache, in seconds.",
		"hardly anybody"},
	"Robot-version": {"Says to which version of the extended standard of 1996 a group is written.",
		"hardly anybody"},
	"Comment": {"Is a text for the person who runs a robot.",
		"hardly anybody: the extended standard of 1996"},
}

// completed has the fields that are offered: the others should not be used.
func completed() (fields []robots.Field) {
	for _, f := range robots.Fields() {
		if f.Read {
			fields = append(fields, f)
		}
	}
	return fields
}

// form returns a line with a field, as an example.
func form(f robots.Field) string { return f.Name + ": " + f.Example }
