package auditreport

import "github.com/robotsexclusion/robots/internal/language"

// Why nothing was judged.
var (
	textNoRequests = language.New(
		"no line of the logs could be read: the notes say why, and --format names a format")
	textNoRequestsCSV = language.New(
		"no line of the logs could be read: the report without --csv says why, and --format names a format")
	textReportSays  = language.New("nothing could be judged: the report says why")
	textNoUserAgent = language.New(
		"nothing could be judged: the logs do not have the User-Agent of requests; let the server log it, as the format combined does")
	textNoVersions = language.New(
		"nothing could be judged: no robots.txt is given for lines that name no host; name it with --robots, and the host with --site")
	textNoHosts = language.New(
		"nothing could be judged: no robots.txt is given for the hosts of the logs, %[1]s; name it with --robots HOST=FILE")
)

// The head of a report.
var (
	textTitle        = language.New("Audit of access logs against robots.txt")
	textRequestsRead = language.New("%[1]d ⟨request/requests⟩, %[2]s UTC")
	textUnreadable   = language.New("%[1]d ⟨line/lines⟩ of %[2]s could not be read")
	textVisited      = language.New("%[1]d ⟨robot or program/robots and programs⟩ visited")
	textDisobeyed    = language.New(
		"requests in the name of %[1]d ⟨robot/robots⟩ certainly did not obey robots.txt")
	textVerifiedDisobeyed = language.New(
		"%[1]d ⟨robot/robots⟩ certainly did not obey robots.txt, and came from verified addresses")
	textOfThemVerified = language.New("%[1]d of them came from verified addresses")
	textIfInForce      = language.New(
		"if the given robots.txt was in force, requests in the name of %[1]d ⟨robot/robots⟩ did not obey it")
	textNoneCertain = language.New("no certain violation of robots.txt")
	textEmpty       = language.New("the logs have no requests")
	textNoRobot     = language.New("no request of a robot was judged")
)

// The columns of the tables.
var (
	textRobot    = language.New("robot")
	textOperator = language.New("operator")
	textPurposes = language.New("purposes")
	textRequests = language.New("requests")
	textBytes    = language.New("bytes")
	textReads    = language.New("robots.txt read")
	textRefused  = language.InContext("column of requests", "refused")
	textObeys    = language.New("says it obeys")
	textCertain  = language.New("certain")
	textInformed = language.New("informed")
	textGrace    = language.New("grace")
	textForgery  = language.InContext("column of clients and their requests", "forged")
	textIdentity = language.New("identity")
	textPacing   = language.New("pace")
	textHost     = language.New("host")
	textVersion  = language.New("version")
	textState    = language.New("state")
	textInForce  = language.New("in force (UTC)")
	textStatuses = language.New("statuses")
	textPeriod   = language.New("period (UTC)")
	textEvidence = language.New("evidence")
	textDetails  = language.New("details")
	textReason   = language.New("reason")
	textJudged   = language.New("judged")
	textYes      = language.New("yes")
	textNo       = language.New("no")
)

// Cells.
var (
	textVerified       = language.New("verified")
	textForged         = language.New("forged")
	textUnverifiable   = language.New("unverified")
	textDevices        = language.New("devices of people")
	textAndDevices     = language.New("%[1]s, and devices of people: %[2]s")
	textPartlyVerified = language.New("%[1]s %% verified")
	textPace           = language.New("%[1]s apart")
	textPaceAsked      = language.New("%[1]s apart, asked %[2]s")
	textPaceFaster     = language.New("%[1]s apart, asked %[2]s, %[3]s too fast")
	textLineRule       = language.New("line %[1]d: %[2]s")
	textLate           = language.New("later than given, as the logs show")
	textNoName         = language.New("(no name)")
	textNoHost         = language.New("(no host in the log)")
	textNoCases        = language.New("No request that was judged is disallowed.")
	textNoneJudged     = language.New("No request of this robot was judged: see the requests that are not judged, by reason.")
	textNotJudged      = language.New("Programs that do not call themselves robots are not judged.")
	textOtherBots      = language.New("%[1]d further ⟨robot/robots⟩: --json lists all")
	textMoreRules      = language.New("%[1]d further ⟨rule/rules⟩: --json lists all")
)

// The parts of a report.
var (
	textRobots     = language.New("Robots")
	textWorstCases = language.New("Worst cases")
	textByPath     = language.New("Rules that were not obeyed")
	textRule       = language.New("Rule")
	textOfHost     = language.New("%[1]s (%[2]s)")
	textUnjudged   = language.New("Not judged")
	textVersions   = language.New("Versions of robots.txt")
	textHosts      = language.New("Hosts")
	textNotes      = language.New("Notes")
	textMeaning    = language.New(
		"Certain: each version of robots.txt that the robot may have relied on disallows the request. Informed: not certain, but the robot had read a version that disallows it. Grace: the robot may have had an older copy.")
	textCase        = language.New("%[2]s: %[1]d ⟨request/requests⟩ (certain %[3]s, informed %[4]s, grace %[5]s)")
	textWriteLetter = language.New(
		"To write to the operator of a robot, add --incident with the name of the robot: it prints a letter with the evidence.")
	textAddRobots = language.New(
		"To see who obeyed robots.txt, add the file that was served: --robots robots.txt, or its versions: --git REPO:PATH.")
	textAddHosts = language.New(
		"To see who obeyed robots.txt, add the file that each host served: --robots HOST=robots.txt, or its versions: --git HOST=REPO:PATH.")
	textOfVersion     = language.New("version %[1]s, %[2]s UTC")
	textOfHostVersion = language.New("%[1]s, version %[2]s, %[3]s UTC")
)

// Why requests are not judged.
var (
	textUnnamed      = language.New("without a User-Agent in the log")
	textOfPrograms   = language.New("of programs that do not call themselves robots")
	textOfDevices    = language.New("of devices of people, in the name of a robot")
	textOfOwn        = language.New("of software of the site itself, by loop-back")
	textOfForgers    = language.New("of clients that are not the robot they name")
	textWithoutPath  = language.New("without a path")
	textToOtherHosts = language.New("to hosts whose robots.txt is not given")
	textOfOthers     = language.New("of further robots and programs that are in no table")
	textNotEveryone  = language.New("of robots that do not obey *, that fetch pages for persons, or that do not crawl, where only * is for them")
)

// Units of time.
var (
	textSeconds = language.New("%[1]s s")
	textMinutes = language.New("%[1]s min")
	textHours   = language.New("%[1]s h")
	textDays    = language.New("%[1]s d")
)

// States of robots.txt, and charts.
var (
	textServed  = language.New("served")
	textNothing = language.New("none: everything is allowed")
	textUnknown = language.New("unknown: nothing is held against robots")
	textByHour  = language.New("Requests by time")
)
