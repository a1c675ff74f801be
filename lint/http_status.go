package lint

import "github.com/robotsexclusion/robots/internal/language"

var httpStatus = &Check{
	Name:     "http-status",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		r := p.options.Response
		if r == nil {
			return
		}
		p.end(func() {
			switch status := r.Status; {
			case status/100 == 3:
				p.report(p.head(), textLostRedirect, len(r.Redirects), r.Cause)
			case status == 429 || status/100 == 5:
				p.report(p.head(), textServerFails, status)
			case status == 401 || status == 403:
				p.report(p.head(), textForbidden, status).Severity = Warning
			case status/100 == 4:
				p.report(p.head(), textNoFile, status).Severity = Info
			case status != 200 && status != 304:
				p.report(p.head(), textOddStatus, status).Severity = Warning
			}
		})
	},
}

var (
	textServerFails = language.New(
		"the server answers %[1]d for robots.txt: robots take the whole site for closed, and search engines drop it if that lasts")
	textForbidden = language.New(
		"the server answers %[1]d for robots.txt: robots take this as if there were none, and everything is open (RFC 9309, section 2.3.1.3)")
	textNoFile    = language.New("there is no robots.txt, the server answers %[1]d: everything is open")
	textOddStatus = language.New(
		"the server answers %[1]d for robots.txt, where 200 is expected: robots may not read the text")
	textLostRedirect = language.New(
		"the redirects of robots.txt lead to no text (%[1]d followed; %[2]s): robots take this as if there were none, and everything is open")
)
