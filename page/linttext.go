package page

import "github.com/robotsexclusion/robots/internal/language"

// The messages of diagnostics.
var (
	textMarkup      = language.New("the description has markup in it, which is shown as it is: write text only")
	textRelativeURL = language.New(
		"%[1]s is not an absolute URL, so no search engine knows the original: write it with https:// and a host")
	textNoState        = language.New("%[1]s is not a state of a document: write STATIC or DYNAMIC")
	textMeantRobot     = language.New("the tag is for a robot called %[1]s: did you mean %[2]s?")
	textMeantAttribute = language.New("robots do not read the attribute %[1]s: write %[2]s=")
	textNoContent      = language.New("the tag has no content=, so it asks nothing")
	textUnseen         = language.New("a META tag to robots stands in a %[1]s, where no robot sees it")
	textAsksNothing    = language.New("%[1]s asks nothing: %[2]s")
	textPerhapsRobot   = language.New(
		"%[1]s is not a directive: if it names a robot, what follows counts for all others too; name that robot before a known directive")
	textOwnPlace          = language.New("%[1]s is not a directive: it has a header and a META tag of its own")
	textMisspelt          = language.New("%[1]s is not a directive: did you mean %[2]s?")
	textUndocumented      = language.New("%[1]s is not a directive that search engines document, so it asks nothing")
	textOverruled         = language.New("%[1]s is overruled by %[2]s")
	textSeveralCanonicals = language.New(
		"the page names several canonical addresses, so none of them counts: leave one")
	textHiddenByLimits = language.New("limits hid a part of the page (%[1]s): robots may miss directives there too")
)
