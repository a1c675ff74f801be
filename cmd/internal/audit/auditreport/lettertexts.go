package auditreport

import "github.com/robotsexclusion/robots/internal/language"

// The head of a letter.
var (
	letterSubject    = language.New("Subject: %[1]s and our robots.txt")
	letterTo         = language.New("To the operator of %[1]s")
	letterToOperator = language.New("To %[2]s, the operator of %[1]s")
	letterIntro      = language.New(
		"The access logs of our site have %[1]d ⟨request/requests⟩ with the name %[2]s in the User-Agent header (%[3]s). We compared each request with the robots.txt that was in force at its time. All times are in UTC.")
	letterIntroNotJudged = language.New(
		"The access logs of our site have %[1]d ⟨request/requests⟩ with the name %[2]s in the User-Agent header (%[3]s). All times are in UTC.")
	letterIntroAlways = language.New(
		"The access logs of our site have %[1]d ⟨request/requests⟩ with the name %[2]s in the User-Agent header (%[3]s). We compared them with one robots.txt, which we take to have been in force all the time. All times are in UTC.")
)

// What the robot did.
var (
	letterDeeds       = language.New("What happened")
	letterCertain     = language.New("%[1]d ⟨request/requests⟩ certainly did not obey robots.txt (%[2]s).")
	letterNoneCertain = language.New(
		"There is no certain violation of robots.txt. This letter accuses nobody, and only asks.")
	letterNotJudged = language.New(
		"We could not judge these requests by robots.txt, so there is no certain violation. This letter accuses nobody, and only asks.")
	letterUncertain = language.New(
		"Other disallowed requests, which are not certain violations: %[1]s informed, %[2]s in grace.")
	letterNoneDisallowed = language.New("We found no request that robots.txt disallowed at its time.")
	letterRefused        = language.New("The site refused %[1]s of all %[2]s requests (status 401, 403, 429 or 444).")
	letterRefusedNone    = language.New(
		"The site refused none of the %[1]s requests (status 401, 403, 429 or 444).")
	letterLastRead = language.New(
		"The last of these requests for robots.txt with status 200 or 304 was at %[1]s.")
	letterNeverAsked = language.New("None of these requests was for robots.txt.")
	letterObeysNot   = language.New(
		"The documents of the operator say that the robot does not always follow robots.txt.")
)

// What the words mean.
var (
	letterMeanings     = language.New("What the words mean")
	letterMeansCertain = language.New(
		"Certain: each version of robots.txt that the robot may have relied on disallows the request.")
	letterMeansInformed = language.New(
		"Informed: not certain, but the last robots.txt that the robot had read at the same address disallows the request. Other robots at that address would look the same.")
	letterMeansGrace = language.New(
		"In grace: the robot may have had an older copy of robots.txt, or none, which allows the request.")
	letterMeansRFC = language.New(
		"RFC 9309, section 2.4, says that robots SHOULD NOT use a copy for more than 24 hours; this is a recommendation, from which good reasons may excuse.")
)

// The rules.
var (
	letterRulesTitle = language.New("The rules, and a line of the log for each")
	letterRule       = language.New(
		"%[1]d. %[2]d ⟨request/requests⟩: certain %[3]s (%[6]s), informed %[4]s, grace %[5]s.")
	letterRuleDoubtful = language.New(
		"%[1]d. %[2]d ⟨request/requests⟩, none of them certain: informed %[3]s, grace %[4]s (%[5]s).")
	letterAlways       = language.New("version %[1]s, taken to be in force at all times")
	letterVersionNames = language.New(
		"A version is called by the name of its file, by its commit in git, or by the SHA-256 of its text.")
	letterSources = language.New("We know the versions from:")
)

// Addresses, identity and pace.
var (
	letterAddresses  = language.New("Addresses")
	letterFrom       = language.New("The disallowed requests came from %[1]d ⟨address/addresses⟩.")
	letterMost       = language.New("These are the %[1]s with the most violations:")
	letterAddress    = language.New("%[1]s: requests %[2]s, certain %[3]s")
	letterHeaders    = language.New("User-Agent headers")
	letterHeadersAre = language.New("Headers of the requests, up to five:")
	letterIdentity   = language.New("Identity")
	letterVerified   = language.New(
		"The addresses are verified: they are the operator's by its published ranges or the DNS.")
	letterPartlyVerified = language.New(
		"%[1]s of %[2]s requests are from addresses verified as the operator's by its published ranges or the DNS, among them %[3]s of %[4]s certain violations. We cannot verify the others: anybody can send this header.")
	letterUnverifiable = language.New("We cannot verify that these requests are yours: anybody can send this header.")
	letterNobodys      = language.New(
		"%[1]d of these addresses ⟨belongs to nobody on the Internet: it is private, perhaps that of a proxy before our server, or reserved, for instance for documents. It proves nothing/belong to nobody on the Internet: they are private, perhaps those of a proxy before our server, or reserved, for instance for documents. They prove nothing⟩.")
	letterDevices = language.New(
		"%[1]s requests with this name came from devices of people, as their headers say: a phone that shows a link, or an assistant that reads where its user is. They are not held against you.")
	letterForged = language.New(
		"%[1]d ⟨request/requests⟩ with the name %[2]s came from addresses that are not the operator's. They are forged, are in no other number of this letter, and are not held against you.")
	letterPace   = language.New("Pace")
	letterMedian = language.New(
		"The median gap between two requests was %[1]s, and the most requests in a minute were %[2]s.")
	letterPaceNotAsked  = language.New("robots.txt asked for no pause between requests.")
	letterPaceNotJudged = language.New(
		"We did not judge the pace by robots.txt: the times of the logs state no zone, or the robot's documents say that it ignores Crawl-delay.")
	letterRate = language.New(
		"robots.txt asked for no more requests than %[1]s (Request-rate). Requests that were certainly too many: %[2]s.")
	letterVisits = language.New(
		"robots.txt asked for visits at %[1]s UTC (Visit-time). Requests that were certainly at another time: %[2]s.")
	letterPaceMeans = language.New(
		"RFC 9309 has no rule for the pace of robots. These lines of robots.txt are a request of ours, and ignoring them does not violate the standard.")
	letterDelayIsRate = language.New(
		"robots.txt asked for a pause of %[1]s (Crawl-delay). The robot's documents say that it reads Crawl-delay as a time in which it makes at most one request, so we did not judge its pauses.")
	letterPaceKept = language.New("robots.txt asked for a pause of %[1]s. No pause was certainly shorter than asked.")
	letterFaster   = language.New(
		"robots.txt asked for a pause of %[1]s. Pauses that were certainly shorter than asked: %[2]s.")
)

// What the letter asks.
var (
	letterAsk         = language.New("What we ask")
	letterAskIdentity = language.New("Please tell us whether these requests and addresses are yours.")
	letterAskObey     = language.New(
		"If the requests are yours, please let the robot obey robots.txt, and tell us the cause.")
	letterAskCheck = language.New(
		"If the requests are yours, please check how soon the robot follows a change of robots.txt.")
	letterAskErrors = language.New(
		"If something in this letter is wrong, please tell us. We can send more lines of the logs.")
)

// Where the letter goes.
var (
	letterContacts       = language.New("For the sender, not a part of the letter: where it may go.")
	letterDocs           = language.New("The page on which the operator documents the robot:")
	letterHeaderContacts = language.New("Addresses in the User-Agent header, in which anybody can write anything:")
	letterAbuse          = language.New("Contacts for abuse of the networks of the addresses, by the registries (RDAP):")
	letterNoAbuse        = language.New("none is named")
	letterNoContact      = language.New(
		"None is known. With --rdap the registries are asked for the contacts of the networks that disallowed requests came from.")
)
