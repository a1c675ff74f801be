package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var unknownField = &Check{
	Name:     "unknown-field",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		matter := p.frontMatter()
		p.lines(func(l *line) {
			if l.Number <= matter || l.meant().class != fieldUnknown || l.isBarePath() ||
				isForeignComment(l.body) || l.isTemplate() {
				return
			}
			switch name := strings.ToLower(l.Field); {
			case name == "http", name == "https":
				p.report(l.all(), textBareURL)
			case elsewhere[name] != "":
				p.report(l.field(), textElsewhere, l.Field, elsewhere[name])
			case isProse(l.Field):
				p.report(l.all(), textNotARecord)
			default:
				p.report(l.field(), textUnknownField, l.Field)
			}
		}, robots.Other)
	},
}

// elsewhere says, for fields that robots.txt does not have, where their information belongs.
// The names are in lower case.
var elsewhere = map[string]string{
	// W3C Community Group Report "TDM Reservation Protocol (TDMRep)"
	"tdm-reservation": "/.well-known/tdmrep.json, or the header tdm-reservation",
	"tdm-policy":      "/.well-known/tdmrep.json, or the header tdm-policy",
	"tdm":             "/.well-known/tdmrep.json, or the header tdm-reservation",
	// llmstxt.org; spawning.ai's ai.txt
	"llms": "/llms.txt", "llms-txt": "/llms.txt", "llms.txt": "/llms.txt", "llm": "/llms.txt", "llmstxt": "/llms.txt",
	"llms-full": "/llms-full.txt", "llms-full.txt": "/llms-full.txt",
	"ai": "/ai.txt", "ai-txt": "/ai.txt", "ai.txt": "/ai.txt",
	// RFC 9116; humanstxt.org; IAB Tech Lab
	"contact": "/.well-known/security.txt", "security": "/.well-known/security.txt",
	"security-txt": "/.well-known/security.txt",
	"humans":       "/humans.txt", "humans-txt": "/humans.txt", "humans.txt": "/humans.txt",
	"ads": "/ads.txt", "ads-txt": "/ads.txt", "ads.txt": "/ads.txt",
	// Google, "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications"
	"x-robots-tag": "the header X-Robots-Tag", "robots": "<meta name=\"robots\">, or the header X-Robots-Tag",
	"nosnippet":    "<meta name=\"robots\">, or the header X-Robots-Tag",
	"noimageindex": "<meta name=\"robots\">, or the header X-Robots-Tag",
	"noai":         "<meta name=\"robots\">, or the header X-Robots-Tag",
	"noimageai":    "<meta name=\"robots\">, or the header X-Robots-Tag",
	"canonical":    "<link rel=\"canonical\">",
	"feed":         "<link rel=\"alternate\">", "rss": "<link rel=\"alternate\">", "atom": "<link rel=\"alternate\">",
	"redirect": "the answer of the server, as 301 and Location",
}

// isProse reports whether the text before a colon is not the name of a field, but a part of a
// page or of a sentence.
func isProse(field string) bool {
	return strings.ContainsAny(field, `<>{}"`) || len(strings.Fields(field)) > 3
}

var (
	textUnknownField = language.New("no robot is known to read the field \"%[1]s\": the line has no effect")
	textElsewhere    = language.New("no robot is known to read \"%[1]s\" in robots.txt; programs look for it in %[2]s")
	textBareURL      = language.New(
		"a URL on a line of its own has no effect: if it is a sitemap, write \"Sitemap:\" before it, and else \"#\"")
)
