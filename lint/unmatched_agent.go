package lint

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var unmatchedAgent = &Check{
	Name:     "unmatched-agent",
	Severity: Warning,
	Profiles: usually,
	run: func(p *pass) {
		p.lines(func(l *line) {
			v := l.Value
			if v == "" || v == "*" || len(v) > maxNames || p.namesIn(v) != nil {
				return
			}
			if i, _ := recordIn(v); i >= 0 {
				return
			}
			token, google := nameIn(robots.RFC9309, v), nameIn(robots.Google, v)
			warn := func(message language.Text, args ...any) { p.report(l.value(), message, args...) }
			// What hits no robot but the one that was meant is told in profile strict.
			tell := func(message language.Text, args ...any) {
				if p.options.Profile == Strict {
					p.report(l.value(), message, args...).Severity = Info
				}
			}
			switch {
			case strings.HasPrefix(v, "*") && (token == "*" || google == "*"):
				// Everyone, with something after it that is dropped.
			case strings.Contains(token, "*") && google == "":
				warn(textStarNoName, token)
			case strings.Contains(token, "*") && p.options.Robots.Named(google).Operator == "Google":
				tell(textStarInName, token, google) // its robot reads the name as it is meant
			case strings.Contains(token, "*"):
				warn(textStarInName, token, google)
			case strings.ContainsAny(v, "();") || strings.HasPrefix(v, "Mozilla/"):
				if a := p.options.Robots.Lookup(v); strings.EqualFold(a.Token, token) && a.Known() {
					tell(textVersion, token)
				} else if a.Known() {
					warn(textHeaderOf, token, a.Token)
				} else {
					warn(textHeader, token)
				}
			case strings.ContainsAny(v, " \t") && !strings.Contains(strings.Fields(v)[0], "/"):
				if p.knows(v) || len(token) <= shortName || !p.knows(token) {
					tell(textBlankInName, token) // its operator asks for it, or no other robot is hit
				} else {
					warn(textBlankInName, token)
				}
			case strings.Contains(v, "/"):
				tell(textVersion, token)
			case google == "":
				tell(textNoneForGoogle)
			case google != token:
				tell(textCutByGoogle, google)
			}
		}, robots.UserAgent)
	},
}

// nameIn returns the name that a dialect takes a user-agent line for, or "".
func nameIn(d robots.Dialect, value string) string {
	for _, g := range d.Parse([]byte("User-agent: " + value + "\nDisallow: /")).Groups() {
		for _, name := range g.Agents() {
			return name
		}
	}
	return ""
}

var (
	textStarInName = language.New(
		"\"*\" is no wildcard in a name: rfc9309 compares \"%[1]s\", which no robot goes by, and google \"%[2]s\"",
		"«*» no es un comodín dentro de un nombre: rfc9309 compara «%[1]s», que no es el nombre de ningún robot, y google «%[2]s»",
		"이름 안의 \"*\"는 와일드카드가 아닙니다. rfc9309는 어떤 로봇의 이름도 아닌 \"%[1]s\"을(를), google은 \"%[2]s\"을(를) 비교합니다",
		"«*» в имени — не подстановочный знак: rfc9309 сравнивает «%[1]s», а такого имени нет ни у одного робота, google — «%[2]s»",
	)
	textStarNoName = language.New(
		"\"*\" is no wildcard in a name: rfc9309 compares \"%[1]s\", which no robot goes by, and google finds no name here",
		"«*» no es un comodín dentro de un nombre: rfc9309 compara «%[1]s», que no es el nombre de ningún robot, y google no encuentra aquí ningún nombre",
		"이름 안의 \"*\"는 와일드카드가 아닙니다. rfc9309는 어떤 로봇의 이름도 아닌 \"%[1]s\"을(를) 비교하고, google은 여기서 이름을 찾지 못합니다",
		"«*» в имени — не подстановочный знак: rfc9309 сравнивает «%[1]s», а такого имени нет ни у одного робота, google же не находит здесь имени",
	)
	textHeaderOf = language.New(
		"a User-Agent header is no name: rfc9309 compares \"%[1]s\" of it; the robot goes by \"%[2]s\"",
		"una cabecera User-Agent no es un nombre: rfc9309 compara de ella «%[1]s»; el nombre del robot es «%[2]s»",
		"User-Agent 헤더는 로봇 이름이 아닙니다. rfc9309는 여기서 \"%[1]s\"을(를) 비교하지만 로봇의 이름은 \"%[2]s\"입니다",
		"заголовок User-Agent — это не имя: rfc9309 сравнивает из него «%[1]s», а робота зовут «%[2]s»",
	)
	textHeader = language.New(
		"a User-Agent header is no name: rfc9309 compares \"%[1]s\" of it",
		"una cabecera User-Agent no es un nombre: rfc9309 compara de ella «%[1]s»",
		"User-Agent 헤더는 로봇 이름이 아닙니다. rfc9309는 여기서 \"%[1]s\"을(를) 비교합니다",
		"заголовок User-Agent — это не имя: rfc9309 сравнивает из него «%[1]s»",
	)
	textBlankInName = language.New(
		"a name ends at the first blank: rfc9309 compares \"%[1]s\", the documents of 1994 and 1996 look for the whole text in the robot's name",
		"un nombre termina en el primer espacio: rfc9309 compara «%[1]s»; los documentos de 1994 y 1996 buscan el texto entero en el nombre del robot",
		"이름은 첫 공백에서 끝납니다. rfc9309는 \"%[1]s\"을(를) 비교하고, 1994년과 1996년 문서는 로봇 이름에서 텍스트 전체를 찾습니다",
		"имя заканчивается на первом пробеле: rfc9309 сравнивает «%[1]s», документы 1994 и 1996 годов ищут весь текст в имени робота",
	)
	textVersion = language.New(
		"a version is dropped: this is for all versions of \"%[1]s\", and for none in parsers that compare the whole text",
		"la versión se descarta: esto vale para todas las versiones de «%[1]s», y para ninguna en los analizadores que comparan el texto entero",
		"버전은 무시됩니다. 이 줄은 \"%[1]s\"의 모든 버전에 적용되지만, 텍스트 전체를 비교하는 파서에서는 어떤 버전에도 적용되지 않습니다",
		"версия отбрасывается: строка относится ко всем версиям «%[1]s», а там, где сравнивают весь текст, — ни к одной",
	)
	textNoneForGoogle = language.New(
		"a name has only letters, \"-\" and \"_\": robots built on Google's parser find none here",
		"un nombre solo tiene letras, «-» y «_»: los robots que usan el analizador de Google no encuentran ninguno aquí",
		"이름에는 영문자와 \"-\", \"_\"만 쓸 수 있습니다. Google 파서를 쓰는 로봇은 여기서 이름을 찾지 못합니다",
		"в имени бывают только буквы, «-» и «_»: роботы на основе парсера Google не найдут здесь имени",
	)
	textCutByGoogle = language.New(
		"a name has only letters, \"-\" and \"_\": robots built on Google's parser compare \"%[1]s\"",
		"un nombre solo tiene letras, «-» y «_»: los robots que usan el analizador de Google comparan «%[1]s»",
		"이름에는 영문자와 \"-\", \"_\"만 쓸 수 있습니다. Google 파서를 쓰는 로봇은 \"%[1]s\"을(를) 비교합니다",
		"в имени бывают только буквы, «-» и «_»: роботы на основе парсера Google сравнивают «%[1]s»",
	)
)
