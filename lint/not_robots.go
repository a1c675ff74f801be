package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var notRobots = &Check{
	Name:     "not-robots",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		if message, ok := alienTexts[p.alien]; ok && p.alien != utf16Text {
			p.report(span{line: 1}, message)
		}
	},
}

// NotRobots describes a text that is not robots.txt: an HTML page, UTF-16, the source of a template
// or binary data, as found by the checks not-robots and utf-16. For the language see [Options]. It
// returns "" for a robots.txt. A program that answers from a policy should show this warning,
// because such a text allows everything.
func NotRobots(policy *robots.Policy, locale string) string {
	message, ok := alienTexts[alienOf(policy)]
	if !ok {
		return ""
	}
	return textIn(language.Parse(locale), message)
}

var alienTexts = map[alien]language.Text{
	utf16Text:    textUTF16,
	htmlText:     textIsHTML,
	templateText: textIsTemplate,
	jsonText:     textIsJSON,
	binaryText:   textIsBinary,
	markdownText: textIsMarkdown,
	otherText:    textIsOther,
}

var (
	textIsHTML = language.New(
		"this is a page of HTML or other XML, not robots.txt: robots find no rules in it and fetch everything; let the server answer 404 where there is no robots.txt")
	textIsJSON = language.New(
		"this is JSON, not robots.txt: robots find no rules in it and fetch everything; let the server answer 404 where there is no robots.txt")
	textIsTemplate = language.New(
		"this is the source of a template, such as of Liquid, Jinja or PHP, not the robots.txt that it makes: robots find no rules in it and fetch everything; let the server run it")
	textIsBinary = language.New(
		"this is binary data, such as an image or an archive, not robots.txt: robots find no rules in it and fetch everything")
	textIsMarkdown = language.New(
		"this is Markdown, such as llms.txt, not robots.txt: robots find no rules in it and fetch everything")
	textIsOther = language.New(
		"no line of this text is a record of robots.txt: it looks like an error page that was served with status 200; let the server answer 404 where there is no robots.txt")
)
