package main

import "github.com/robotsexclusion/robots/internal/language"

// The answers of verbs to people, in all languages; package language documents the
// placeholders in the texts. Values are made safe to show before they are inserted.

// Unknown names, and texts that are not robots.txt.
var (
	textOthersNamed  = language.New("other robots with %[1]s in their names or operators, not meant by it: %[2]s")
	textOr           = language.New(" or ")
	textListed       = language.New("no robot is named %[1]s: 'robots agents' lists them")
	textVerbMeant    = language.New("did you mean '%[1]s'?")
	textOtherPurpose = language.New("%[1]s: not for the purpose %[2]s")
)

// Files that are not robots.txt, and which verb reads them.
var (
	textIsBinary = language.New(
		"%[1]s: this is binary data, such as an image, an archive or a document of an office program: name a file of plain text")
	textIsLog      = language.New("%[1]s: this is an access log: '%[2]s' shows which robots visited")
	textIsErrorLog = language.New(
		"%[1]s: this is the error log of %[2]s, which does not say which robots visited: give the access log, which is usually in the same folder, to 'robots audit'")
	textIsSitemap = language.New(
		"%[1]s: this is a sitemap: '%[2]s' holds its URLs against the rules, and '%[3]s' those of all sitemaps of a site")
)

// Flags that people give a command, which does not have them.
var (
	textAuditTimes = language.New(
		"unknown flag %[1]s: audit reads whole logs; choose the lines first, such as with 'grep 02/Mar/2026 access.log | robots audit -'")
	textAuditTop = language.New(
		"unknown flag %[1]s: audit shows all robots, those with the most violations first; 'robots audit access.log | head -20' shows the first ones")
	textAuditOne = language.New(
		"unknown flag %[1]s: audit shows all robots; 'grep GPTBot access.log | robots audit -' shows one of them, and --incident GPTBot writes a letter about it")
	textAuditRows = language.New(
		"unknown flag %[1]s: 'robots audit --rows rows.jsonl access.log' writes each request, with its robot, URL and status, to a file")
	textCardFile = language.New(
		"unknown flag %[1]s: a report card takes the file as its argument, such as 'robots robots.txt'")
	textBlockAddress = language.New(
		"unknown flag %[1]s: robots.txt names robots, not addresses or countries; a firewall refuses those")
	textAgentsFile = language.New(
		"unknown flag %[1]s: agents is about robots, not about a file; 'robots match --agent ai-train robots.txt /' shows what robots may fetch")
	textCardAI = language.New(
		"unknown flag %[1]s: the report card always says what AI robots may read; 'robots match --agent ai-train robots.txt /' asks about each of them, and 'robots block ai-train' closes the site to them")
)

// The verb page, for a file that is not a page.
var textNoTag = language.New("warning: %[1]s is not HTML: it has no tag, and so says nothing to robots")

// The verb lint, in addition to the texts of package lint.
var (
	textFixed   = language.New("%[1]s: safe fixes were written to the file")
	textUnfixed = language.New(
		"%[1]s: %[2]d ⟨finding remains, because it has/findings remain, because they have⟩ no safe fix")
	textPossible = language.New(
		"; a possible fix is shown for %[1]d: it may change the meaning, so make it yourself if it is right")
)

// The verb minimize, in addition to the texts of cmd/internal/say.
var textLinesStay = language.New(
	"some lines stay because there are too many cases to prove that they change nothing: --limit lets it look at more")

// The verb build, in addition to the texts of package merge.
var (
	textNotThere   = language.New("%[1]s is not there: build it again")
	textNotCurrent = language.New("%[1]s is not what the fragments make: build it again")
)

// The verbs block and allow, in addition to the texts of cmd/internal/inplace and cmd/internal/say.
var (
	textWritten   = language.New("%[1]s is written")
	textDangling  = language.New("%[1]s is a link to %[2]s, where nothing is: make that file, or remove the link")
	textOnlyShown = language.New("%[1]s would change: --check writes nothing")
	textNotAsked  = language.New(
		"%[1]s is not written, because there is no terminal to ask at: --yes writes without asking")
	textSearchFlag = language.New(
		"%[1]s is not written, because --yes does not close search engines: add --search-engines if you mean them")
	textDeclined  = language.New("%[1]s is not written")
	textAsk       = language.New("Write this to %[1]s? [y/N]")
	textAskSearch = language.New("To close search engines, type \"%[1]s\":")
)

// The verb testweb, in addition to the texts of cmd/internal/robottest.
var textRobotEnded = language.New("the robot ended by itself: %[1]s")
