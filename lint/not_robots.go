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

// NotRobots describes a text that is not robots.txt: an HTML page, UTF-16 or binary data, as
// found by the checks not-robots and utf-16. For the language see [Options]. NotRobots returns
// "" for a robots.txt. A program that answers from a policy should show this warning, because
// such a text allows everything.
func NotRobots(policy *robots.Policy, locale string) string {
	message, ok := alienTexts[alienOf(policy)]
	if !ok {
		return ""
	}
	return textIn(language.Parse(locale), message)
}

var alienTexts = map[alien]language.Text{
	utf16Text:  textUTF16,
	htmlText:   textIsHTML,
	jsonText:   textIsJSON,
	binaryText: textIsBinary,
	otherText:  textIsOther,
}

var (
	textIsHTML = language.New(
		"this is a page of HTML or other XML, not robots.txt: robots find no rules in it and fetch everything; let the server answer 404 where there is no robots.txt",
		"esto es una página HTML u otro XML, no un robots.txt: los robots no encuentran reglas y lo rastrean todo; si no hay robots.txt, el servidor debe responder 404",
		"robots.txt가 아니라 HTML 페이지나 다른 XML 문서입니다. 로봇은 여기서 규칙을 찾지 못하고 모든 것을 수집합니다. robots.txt가 없으면 서버가 404로 응답하게 하십시오",
		"это страница HTML или другой XML, а не robots.txt: роботы не найдут в ней правил и будут обходить всё; если robots.txt нет, пусть сервер отвечает 404",
	)
	textIsJSON = language.New(
		"this is JSON, not robots.txt: robots find no rules in it and fetch everything; let the server answer 404 where there is no robots.txt",
		"esto es JSON, no un robots.txt: los robots no encuentran reglas y lo rastrean todo; si no hay robots.txt, el servidor debe responder 404",
		"robots.txt가 아니라 JSON입니다. 로봇은 여기서 규칙을 찾지 못하고 모든 것을 수집합니다. robots.txt가 없으면 서버가 404로 응답하게 하십시오",
		"это JSON, а не robots.txt: роботы не найдут в нём правил и будут обходить всё; если robots.txt нет, пусть сервер отвечает 404",
	)
	textIsBinary = language.New(
		"this is binary data, such as an image or an archive, not robots.txt: robots find no rules in it and fetch everything",
		"son datos binarios, como una imagen o un archivo comprimido, no un robots.txt: los robots no encuentran reglas y lo rastrean todo",
		"robots.txt가 아니라 이미지나 압축 파일 같은 바이너리 데이터입니다. 로봇은 여기서 규칙을 찾지 못하고 모든 것을 수집합니다",
		"это двоичные данные, например изображение или архив, а не robots.txt: роботы не найдут в них правил и будут обходить всё",
	)
	textIsOther = language.New(
		"no line of this text is a record of robots.txt: it looks like an error page that was served with status 200; let the server answer 404 where there is no robots.txt",
		"ninguna línea de este texto es un registro de robots.txt: parece una página de error servida con el estado 200; si no hay robots.txt, el servidor debe responder 404",
		"이 텍스트에는 robots.txt 레코드가 한 줄도 없습니다. 상태 코드 200으로 보낸 오류 페이지로 보입니다. robots.txt가 없으면 서버가 404로 응답하게 하십시오",
		"ни одна строка этого текста не является записью robots.txt: похоже на страницу ошибки, отданную с кодом 200; если robots.txt нет, пусть сервер отвечает 404",
	)
)
