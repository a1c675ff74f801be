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
		"the server answers %[1]d for robots.txt: robots take the whole site for closed, and search engines drop it if that lasts",
		"el servidor responde %[1]d para robots.txt: los robots dan todo el sitio por cerrado, y los buscadores lo retiran si eso dura",
		"서버가 robots.txt에 %[1]d(으)로 응답합니다. 로봇은 사이트 전체가 막힌 것으로 보며, 오래 계속되면 검색 엔진이 사이트를 뺍니다",
		"на запрос robots.txt сервер отвечает %[1]d: роботы считают весь сайт закрытым, а если это надолго, поисковые системы исключат его",
	)
	textForbidden = language.New(
		"the server answers %[1]d for robots.txt: robots take this as if there were none, and everything is open (RFC 9309, section 2.3.1.3)",
		"el servidor responde %[1]d para robots.txt: los robots lo toman como si no existiera, y todo queda abierto (RFC 9309, sección 2.3.1.3)",
		"서버가 robots.txt에 %[1]d(으)로 응답합니다. 로봇은 파일이 없는 것으로 보므로 모든 것이 열려 있습니다(RFC 9309, 2.3.1.3절)",
		"на запрос robots.txt сервер отвечает %[1]d: для роботов это значит, что файла нет и открыто всё (RFC 9309, раздел 2.3.1.3)",
	)
	textNoFile = language.New(
		"there is no robots.txt, the server answers %[1]d: everything is open",
		"no hay robots.txt, el servidor responde %[1]d: todo está abierto",
		"robots.txt가 없습니다(서버 응답 %[1]d). 모든 것이 열려 있습니다",
		"файла robots.txt нет, сервер отвечает %[1]d: открыто всё",
	)
	textOddStatus = language.New(
		"the server answers %[1]d for robots.txt, where 200 is expected: robots may not read the text",
		"el servidor responde %[1]d para robots.txt, donde se espera 200: puede que los robots no lean el texto",
		"서버가 robots.txt에 200이 아니라 %[1]d(으)로 응답합니다. 로봇이 내용을 읽지 않을 수 있습니다",
		"на запрос robots.txt сервер отвечает %[1]d, а ожидается 200: роботы могут не прочитать текст",
	)
	textLostRedirect = language.New(
		"the redirects of robots.txt lead to no text (%[1]d followed; %[2]s): robots take this as if there were none, and everything is open",
		"las redirecciones de robots.txt no llevan a ningún texto (seguidas: %[1]d; %[2]s): los robots lo toman como si no existiera, y todo queda abierto",
		"robots.txt의 리디렉션이 내용에 이르지 못합니다(따라간 횟수 %[1]d, %[2]s). 로봇은 파일이 없는 것으로 보므로 모든 것이 열려 있습니다",
		"перенаправления robots.txt не приводят к тексту (пройдено: %[1]d; %[2]s): для роботов это значит, что файла нет и открыто всё",
	)
)
