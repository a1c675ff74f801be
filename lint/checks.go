package lint

import "slices"

// Checks returns all checks, in the order of the documentation: those of bytes
// and the file, of lines, of meaning, and of lint's own comments.
func Checks() []*Check { return slices.Clone(checks) }

// checks is the list of all checks. A new check has a file with its variable and its texts, a
// line here, a section in explained/en.md and a file in testdata; tests fail if one of these is
// missing, and go generate writes doc/checks.md.
var checks = []*Check{
	// Bytes and the file.
	notRobots,
	inUTF16,
	notUTF8,
	byteOrderMarkCheck,
	mojibake,
	nulOctet,
	controlOctet,
	invisibleCharacter,
	lookAlike,
	tooLarge,
	large,
	longLine,
	longValue,
	crLineEnds,
	mixedLineEnds,
	noFinalLineEnd,

	// Lines: whether they are records.
	unknownField,
	misspeltField,
	translatedField,
	obsoleteField,
	fieldCase,
	missingColon,
	missingField,
	foreignComment,
	notARecord,
	templateSource,
	twoRecords,

	// Lines: groups and rules.
	strayRule,
	strayRecord,
	emptyAgent,
	blankAfterAgent,
	severalAgents,
	patternStart,
	htmlInValue,
	urlAsRule,
	quotedValue,
	severalPaths,
	translatedPath,
	blankInPath,
	hashInPath,
	backslash,
	dotSegment,
	regularExpression,
	misplacedDollar,
	idleWildcard,
	doubleWildcard,
	strayPercent,
	doubleEncoded,
	encodedDelimiter,
	rawNonASCII,
	caseDiffers,
	emptyAllow,
	commentContradicts,

	// Lines: other records.
	sitemapURL,
	duplicateSitemap,
	sitemapHost,
	badRecord,
	ignoredCrawlDelay,
	repeatedDelay,
	absurdPace,

	// Meaning: of groups and rules.
	siteClosed,
	mergedGroup,
	lostEveryone,
	beatenRule,
	redundantRule,
	contradictingRules,
	unmatchedAgent,
	unknownAgent,
	broadName,
	duplicateGroup,
	noDisallow,

	// Meaning: of the site.
	aiHalfBlocked,
	closedResources,
	closedSitemap,
	aiPreferences,
	secretPath,
	closedWellKnown,
	portability,
	oldPortability,

	// About the server's answer, and the content of sitemaps, if known.
	httpStatus,
	httpRedirect,
	httpContentType,
	httpCaching,
	unreadSitemap,
	listedButClosed,

	// Lint's own comments. The last one must stay the last.
	badIgnore,
	unusedIgnore,
}
