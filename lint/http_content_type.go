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
	textNoType = language.New(
		"the answer has no Content-Type: RFC 9309, section 2.3, asks for text/plain",
		"la respuesta no lleva Content-Type: el RFC 9309, sección 2.3, pide text/plain",
		"응답에 Content-Type이 없습니다. RFC 9309, 2.3절은 text/plain을 요구합니다",
		"в ответе нет Content-Type: RFC 9309, раздел 2.3, требует text/plain",
	)
	textOtherType = language.New(
		"the server sends robots.txt as \"%[1]s\": RFC 9309, section 2.3, asks for text/plain, and some robots read nothing else",
		"el servidor envía robots.txt como «%[1]s»: el RFC 9309, sección 2.3, pide text/plain, y algunos robots no leen otra cosa",
		"서버가 robots.txt를 \"%[1]s\"(으)로 보냅니다. RFC 9309, 2.3절은 text/plain을 요구하며, 다른 형식은 읽지 않는 로봇도 있습니다",
		"сервер отдаёт robots.txt как «%[1]s»: RFC 9309, раздел 2.3, требует text/plain, и некоторые роботы другого не читают",
	)
	textOtherCharset = language.New(
		"the server calls the encoding of robots.txt \"%[1]s\": robots read UTF-8 (RFC 9309, section 2.3), whatever the server says",
		"el servidor declara para robots.txt la codificación «%[1]s»: los robots leen UTF-8 (RFC 9309, sección 2.3), diga lo que diga el servidor",
		"서버가 robots.txt의 인코딩을 \"%[1]s\"(이)라고 알립니다. 서버가 무엇이라고 하든 로봇은 UTF-8로 읽습니다(RFC 9309, 2.3절)",
		"сервер называет кодировку robots.txt «%[1]s»: роботы читают UTF-8 (RFC 9309, раздел 2.3), что бы ни говорил сервер",
	)
)
