package lint

import (
	"mime"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

var httpContentType = &Check{
	Name:     "http-content-type",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		r := p.options.Response
		if r == nil || r.Status != 200 && r.Status != 304 {
			return
		}
		p.end(func() {
			if strings.TrimSpace(r.ContentType) == "" {
				p.report(p.head(), textNoType).Severity = Info
				return
			}
			kind, parameters, err := mime.ParseMediaType(r.ContentType)
			charset := strings.ToLower(parameters["charset"])
			switch {
			case err != nil || kind != "text/plain":
				p.report(p.head(), textOtherType, r.ContentType)
			case charset != "" && charset != "utf-8" && charset != "utf8" && charset != "us-ascii":
				d := p.report(p.head(), textOtherCharset, parameters["charset"])
				if isASCII(p.text) {
					d.Severity = Info // it is the same text in UTF-8
				}
			}
		})
	},
}

var (
	textNoType    = language.New("the answer has no Content-Type: RFC 9309, section 2.3, asks for text/plain")
	textOtherType = language.New(
		"the server sends robots.txt as \"%[1]s\": RFC 9309, section 2.3, asks for text/plain, and some robots read nothing else")
	textOtherCharset = language.New(
		"the server calls the encoding of robots.txt \"%[1]s\": robots read UTF-8 (RFC 9309, section 2.3), whatever the server says")
)
