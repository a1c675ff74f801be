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
		var first span // of the names with blanks that match no other robot
		var firstToken string
		blanks := 0
		blank := func(l *line, token string) {
			if blanks++; blanks == 1 {
				first, firstToken = l.value(), token
			}
			if p.options.Profile == Strict {
				p.report(l.value(), textBlankInName, token).Severity = Info
			}
		}
		p.end(func() {
			// Otherwise they are reported once: such a file usually contains a list of robots
			// copied from elsewhere.
			if blanks > 0 && p.options.Profile != Strict {
				p.report(first, textBlanksInNames, firstToken, blanks).Severity = Info
			}
		})
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
			// A name that matches only the intended robot is reported in profile strict.
			tell := func(message language.Text, args ...any) {
				if p.options.Profile == Strict {
					p.report(l.value(), message, args...).Severity = Info
				}
			}
			switch {
			case strings.HasPrefix(v, "*") && token == "*":
				// Everyone, followed by text that is ignored.
			case strings.HasPrefix(v, "*") && google == "*" && strings.Trim(v, "* \t") != "":
				warn(textStarAnd) // such as "* Rex", a list of Kollar's
			case strings.HasPrefix(v, "*") && google == "*":
			case strings.Contains(token, "*") && google == "":
				warn(textStarNoName, token)
			case strings.Contains(token, "*") && p.options.Robots.Named(google).Operator == "Google":
				tell(textStarInName, token, google) // its robot reads the name as intended
			case strings.Contains(token, "*"):
				warn(textStarInName, token, google)
			case strings.ContainsAny(v, "();") || strings.HasPrefix(v, "Mozilla/"):
				if a := p.options.Robots.Lookup(v); strings.EqualFold(a.Token, token) && a.Known() {
					// A version is ignored, probably as intended.
				} else if a.Known() {
					warn(textHeaderOf, token, a.Token)
				} else {
					warn(textHeader, token)
				}
			case strings.ContainsAny(v, " \t") && !strings.Contains(firstWord(v), "/"):
				if p.knows(v) || len(token) <= shortName || !p.knows(token) {
					blank(l, token) // its operator recommends the name, or no other robot matches
				} else {
					warn(textBlankInName, token)
				}
			case strings.Contains(v, "/"):
				// A version is ignored here too.
			case google == "":
				tell(textNoneForGoogle)
			case google != token:
				tell(textCutByGoogle, google)
			}
		}, robots.UserAgent)
	},
}

// nameIn returns the name that a dialect reads in a user-agent line, or "".
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
	textBlanksInNames = language.New(
		"a name ends at the first blank: rfc9309 compares \"%[1]s\"; names with a blank in this file: %[2]d",
		"un nombre termina en el primer espacio: rfc9309 compara «%[1]s»; nombres con un espacio en este archivo: %[2]d",
		"이름은 첫 공백에서 끝납니다. rfc9309는 \"%[1]s\"을(를) 비교합니다. 이 파일에서 공백이 든 이름: %[2]d개",
		"имя заканчивается на первом пробеле: rfc9309 сравнивает «%[1]s»; имён с пробелом в этом файле: %[2]d",
	)
	textStarAnd = language.New(
		"a user-agent line is \"*\" alone or one name: google and the document of 1996 read \"*\" here, and the rules are for all robots; rfc9309 finds neither, and they are for none; write a line for each",
		"una línea User-agent lleva «*» solo o un nombre: google y el documento de 1996 leen aquí «*» y las reglas valen para todos los robots; rfc9309 no encuentra ninguno de los dos y no valen para nadie; escriba una línea para cada uno",
		"User-agent 줄에는 \"*\"만 쓰거나 이름 하나만 씁니다. google과 1996년 문서는 여기서 \"*\"를 읽어 규칙을 모든 로봇에 적용하지만, rfc9309는 둘 다 찾지 못해 어떤 로봇에도 적용하지 않습니다. 줄을 나누어 쓰십시오",
		"в строке User-agent стоит либо одна «*», либо одно имя: google и документ 1996 года читают здесь «*», и правила относятся ко всем роботам; rfc9309 не находит ни того ни другого, и они не относятся ни к кому; напишите отдельные строки",
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
