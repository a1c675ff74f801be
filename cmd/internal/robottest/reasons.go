package robottest

import "github.com/robotsexclusion/robots/internal/language"

// The reasons of verdicts about robots.txt.
var (
	textNoPage    = language.New("the robot requested no page")
	textOnlyStart = language.New("the robot requested no page but the start page")
	textNoRequest = language.New("the robot made no request")
	textNotFirst  = language.New("the first request to a host was not for robots.txt")
	textOtherPort = language.New("the robot asked another port for robots.txt, and not this one")
	textFewPorts  = language.New(
		"the robot did not request pages at two ports or more: hosts with names of their own cannot show this")
	textNoVisit  = language.New("the robot did not visit %[1]s")
	textOnlyFile = language.New("the robot requested robots.txt of %[1]s, and no page")
	textNoToken  = language.New(
		"robots.txt could not name the robot: its product token was not known; name it with --agent")
	textDisallowed          = language.New("line %[1]d of robots.txt disallows it: %[2]s")
	textUnread              = language.New("the robot did not read robots.txt of %[1]s before the first page")
	textAllowedNotRequested = language.New("the robot did not request %[1]s, which is allowed")
	textClosedNow           = language.New("no page of this host may be requested now")
	textNotAsked            = language.New("the robot did not ask %[1]s for robots.txt")
	textSilentAfterFile     = language.New(
		"the robot made no request anywhere in the %[1]s after the answer: it may have been stopped")
	textHostQueued = language.New(
		"the robot may have pages of %[1]s in its queue: it was still busy when the test ended")
	textManyFiles   = language.New("%[1]d ⟨request/requests⟩ for the same robots.txt")
	textFewWithFile = language.New(
		"the robot requested robots.txt of no host together with %[1]d ⟨page/pages⟩ of the host")
	textNotConditional = language.New(
		"the robot did not ask again for a robots.txt with If-None-Match or If-Modified-Since")
)

// The reasons of verdicts about manners.
var (
	textNameless  = language.New("User-Agent names no robot")
	textNoContact = language.New("User-Agent has neither a URL nor a mail address, and there is no From field")
	textTwoAtOnce = language.New("a request began while another to the same host was open")
	textFewSlow   = language.New("the robot requested %[1]d of the slow pages of %[2]s, and the test needs three")
	textShortGap  = language.New("a request began %[1]s after the one before")
	textFewGaps   = language.New(
		"the robot requested %[1]d ⟨page/pages⟩ of %[2]s after it read robots.txt, and the test needs three")
	textRapid        = language.New("%[1]d ⟨request/requests⟩ began within %[2]s")
	textFewInRow     = language.New("the robot requested %[1]d ⟨page/pages⟩ of %[2]s, and the test needs %[3]d")
	textFewerThanTwo = language.New("the robot requested fewer than two pages of %[1]s")
	textTooSoon      = language.New("a request began %[1]s after an answer that asked for %[2]s")
	textSentAtOnce   = language.New(
		"the robot sent its last requests to %[1]s at once, and perhaps before it had the answer with Retry-After")
	textSentBefore503 = language.New(
		"the robot sent its requests to %[1]s at once, and perhaps before it had the first answer 503")
	textSilentAfterRetry = language.New(
		"the robot made no request anywhere after the time that Retry-After asks for: it may have been stopped")
	textAgain            = language.New("the same page was requested again")
	textFewPages         = language.New("the robot fetched fewer than five pages of any host")
	textInLoop           = language.New("%[1]d ⟨request/requests⟩ in a loop of redirects")
	textForDead          = language.New("%[1]d ⟨request/requests⟩ for a page without a good answer")
	textForGone          = language.New("%[1]d ⟨request/requests⟩ for a page that does not exist")
	textNotThatPage      = language.New("the robot did not request the page of %[1]s that this is about")
	textSilentAfterwards = language.New(
		"the robot made no request anywhere afterwards: it may have been stopped, or would have come again")
	textLinkToMissing  = language.New("the robot did not request %[1]s, which links to the missing page too")
	textSoonAfter503   = language.New("%[1]d ⟨request/requests⟩ in the %[2]s after the first answer 503")
	textFewerThanThree = language.New("the robot requested fewer than three pages of %[1]s")
	textSilentAfter503 = language.New(
		"the robot made no request anywhere more than %[1]s later: it may have been stopped")
	textUnsafe = language.New("the method is for changes")
	textNoForm = language.New("the robot did not visit %[1]s, which has a form")
)

// The reasons of verdicts about traps and directives.
var (
	textInTree       = language.New("%[1]d ⟨request/requests⟩ into a tree that has no end")
	textNoTree       = language.New("the robot did not enter the tree of %[1]s")
	textStillWalking = language.New(
		"the robot was still walking in the tree when the test ended, after %[1]d ⟨request/requests⟩")
	textBait        = language.New("only a link that robots should not follow leads there")
	textMaybeQueued = language.New(
		"the robot may have the links of the page in its queue: it was still busy when the test ended")
	textTryQueued = language.New(
		"the robot may have such a request in its queue: it was still busy when the test ended")
	textNotRequestedOf = language.New("the robot did not request %[1]s of %[2]s")
	textWaited         = language.New("the robot waited for the end")
	textNotLeft        = language.New("the robot did not request the page of %[1]s, or had not left it when the test ended")
	textNoSitemap      = language.New("the robot did not request the page that only the sitemap of %[1]s has")
	textNotAllKept     = language.New("the robot made more requests to a host than the report keeps")
)
