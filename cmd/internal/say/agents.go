package say

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

var (
	textObeysNotAll   = language.New("obeys robots.txt, but not *", "obedece robots.txt, pero no *", "robots.txt를 따르지만 *는 따르지 않음", "подчиняется robots.txt, но не *")
	textObeysRobots   = language.New("obeys robots.txt", "obedece robots.txt", "robots.txt를 따름", "подчиняется robots.txt")
	textObeysPartly   = language.New("obeys robots.txt in part", "obedece robots.txt en parte", "robots.txt를 일부 따름", "подчиняется robots.txt отчасти")
	textIgnoresRobots = language.New("ignores robots.txt", "no hace caso de robots.txt", "robots.txt를 무시함", "не обращает внимания на robots.txt")
	textOnlyName      = language.New("only a name in robots.txt", "solo un nombre en robots.txt", "robots.txt에서 쓰는 이름일 뿐임", "только имя в robots.txt")
	textNoName        = language.New("no name", "sin nombre", "이름 없음", "без имени")
	textPolicyOnly    = language.New(
		"only a name in robots.txt: it says what another robot may do with what it fetches",
		"solo un nombre en robots.txt: dice qué puede hacer otro robot con lo que obtiene",
		"robots.txt에서 쓰는 이름일 뿐임: 다른 로봇이 가져온 내용을 어떻게 써도 되는지 알림",
		"только имя в robots.txt: оно говорит, что другой робот может делать с тем, что получил")
	textBrowserHeader = language.New(
		"only a name in robots.txt: the robot sends the header of a browser",
		"solo un nombre en robots.txt: el robot envía la cabecera de un navegador",
		"robots.txt에서 쓰는 이름일 뿐임: 로봇은 브라우저의 헤더를 보냄",
		"только имя в robots.txt: робот посылает заголовок браузера")
	textKindBy     = language.New("%[1]s, by %[2]s", "%[1]s, por %[2]s", "%[1]s, 근거: %[2]s", "%[1]s, признак: %[2]s")
	textNotInTable = language.New("no: the table does not have it", "no: no está en la tabla", "아니요: 표에 없음", "нет: его нет в таблице")
	textButNotAll  = language.New("%[1]s, but not *", "%[1]s, pero no *", "%[1]s, 단 *는 제외", "%[1]s, но не *")
)

// Agents writes a row for each robot.
func (p *Printer) Agents(agents []agent.Agent) {
	t := p.table()
	for _, a := range agents {
		t.Add([]columns.Cell{columns.Bold(printable.Text(a.Token)), columns.Text(a.Operator), columns.Text(a.Purposes.String()), columns.Text(p.howFar(a))})
	}
	t.Flush()
}

// howFar returns in a few words how far a robot obeys robots.txt.
func (p *Printer) howFar(a agent.Agent) string {
	switch a.Obedience() {
	case agent.Obeys:
		if !a.Everyone() {
			return p.in(textObeysNotAll)
		}
		return p.in(textObeysRobots)
	case agent.Partly:
		return p.in(textObeysPartly)
	case agent.Ignores:
		return p.in(textIgnoresRobots)
	}
	if a.PolicyOnly() {
		return p.in(textOnlyName)
	}
	return ""
}

var (
	textTitleName     = language.New("name", "nombre", "이름", "имя")
	textTitleKind     = language.New("kind", "clase", "종류", "вид")
	textTitleKnown    = language.New("known", "conocido", "알려짐", "известен")
	textTitleOperator = language.New("operator", "operador", "운영자", "оператор")
	textTitlePurposes = language.New("purposes", "fines", "목적", "цели")
	textTitleGroups   = language.New("groups", "grupos", "그룹", "группы")
	textTitleRobots   = language.New("robots.txt", "robots.txt", "robots.txt", "robots.txt")
	textTitleDelay    = language.New("crawl-delay", "crawl-delay", "crawl-delay", "crawl-delay")
	textTitleMeta     = language.New("META names", "nombres META", "META 이름", "имена META")
	textTitleRanges   = language.New("ranges", "rangos", "주소 범위", "диапазоны")
	textTitleDNS      = language.New("DNS", "DNS", "DNS 이름", "имена DNS")
	textTitleDocs     = language.New("documented", "documentación", "문서", "описание")
	textTitleSource   = language.New("source code", "código fuente", "소스 코드", "исходный код")
	textTitleChecked  = language.New("checked", "comprobado", "확인일", "проверено")
)

// titleWidth is the width, in columns, of the titles in the description of an agent, for each
// language.
var titleWidth = [...]int{language.English: 11, language.Spanish: 14, language.Korean: 11, language.Russian: 12}

// Agent writes all that is known of a robot, or of the sender of a header.
func (p *Printer) Agent(a agent.Agent) {
	line := func(title language.Text, text string) {
		if text != "" {
			of := p.in(title)
			fmt.Fprintf(p.W, "    %s%s  %s\n", of, strings.Repeat(" ", max(titleWidth[p.Language]-language.Width(of), 0)), text)
		}
	}
	name := printable.Shown(a.Token)
	if a.Token == "" {
		name = p.in(textNoName)
	}
	fmt.Fprintln(p.W, name)
	if a.Name != a.Token {
		line(textTitleName, a.Name)
	}
	line(textTitleKind, p.kind(a))
	if !a.Known() {
		line(textTitleKnown, p.in(textNotInTable))
	}
	line(textTitleOperator, a.Operator)
	line(textTitlePurposes, a.Purposes.String())
	r := agent.Subject{Tokens: a.Tokens(), Alone: !a.Everyone()}
	if len(r.Tokens) > 0 {
		groups := printable.Text(strings.Join(r.Obeys(), p.in(textThen)))
		if r.Alone {
			groups = p.in(textButNotAll, groups)
		}
		line(textTitleGroups, groups)
	}
	if a.Known() {
		line(textTitleRobots, oneOf(p.Language, obedienceTexts, a.Obedience()))
		line(textTitleDelay, oneOf(p.Language, delayTexts, a.CrawlDelay()))
		line(textTitleMeta, strings.Join(append([]string{"robots"}, a.Meta()...), ", "))
		recipe := a.Recipe()
		line(textTitleRanges, strings.Join(recipe.Ranges, " "))
		line(textTitleDNS, strings.Join(recipe.DNS, " "))
		line(textTitleDocs, a.Docs())
		line(textTitleSource, a.Source())
		line(textTitleChecked, a.Checked())
	}
}

// kind returns the kind of the sender of a header, with the evidence.
func (p *Printer) kind(a agent.Agent) string {
	kind := oneOf(p.Language, kindTexts, a.Kind)
	switch {
	case a.PolicyOnly() && a.Purposes.Has(agent.AIUser):
		return p.in(textBrowserHeader)
	case a.PolicyOnly():
		return p.in(textPolicyOnly)
	case a.Reason.String() != "listed" && a.Word != "":
		return p.in(textKindBy, kind, why(p.Language, a))
	}
	return kind
}

var (
	kindTexts = map[agent.Kind]language.Text{
		agent.Unknown: language.New("unknown", "desconocida", "알 수 없음", "неизвестен"),
		agent.Browser: language.New("browser", "navegador", "브라우저", "браузер"),
		agent.App:     language.New("app", "aplicación", "앱", "приложение"),
		agent.Robot:   language.New("robot", "robot", "로봇", "робот"),
		agent.Program: language.New("program", "programa", "프로그램", "программа"),
	}
	obedienceTexts = map[agent.Obedience]language.Text{
		agent.Unsaid:  language.New("unknown", "no se sabe", "알 수 없음", "неизвестно"),
		agent.Obeys:   language.New("yes", "sí", "예", "да"),
		agent.Partly:  language.New("partly", "en parte", "일부", "отчасти"),
		agent.Ignores: language.New("no", "no", "아니요", "нет"),
	}
	delayTexts = map[agent.Delay]language.Text{
		agent.DelayIgnored: language.New("ignored", "ignorado", "무시함", "не учитывается"),
		agent.DelayPause:   language.New("seconds between two requests", "segundos entre dos peticiones", "두 요청 사이의 초", "секунды между двумя запросами"),
		agent.DelayRate:    language.New("seconds in which it makes one request at most", "segundos en los que hace una petición como máximo", "최대 한 번 요청하는 기간(초)", "секунды, за которые он делает не больше одного запроса"),
	}
	whyTexts = map[string]language.Text{
		"address":      language.New("it gives the address %[1]s", "da la dirección %[1]s", "주소 %[1]s⟨을/를⟩ 밝힘", "указан адрес %[1]s"),
		"robot-word":   language.New("the word %[1]s", "la palabra %[1]s", "낱말 %[1]s", "слово %[1]s"),
		"playing":      language.New("it plays a browser, but has the name %[1]s", "se hace pasar por un navegador, pero tiene el nombre %[1]s", "브라우저로 가장하지만 이름이 %[1]s임", "выдаёт себя за браузер, но имеет имя %[1]s"),
		"tool-word":    language.New("the tool %[1]s", "la herramienta %[1]s", "도구 %[1]s", "инструмент %[1]s"),
		"browser-word": language.New("the browser's word %[1]s", "la palabra de navegador %[1]s", "브라우저의 낱말 %[1]s", "слово браузера %[1]s"),
		"device-word":  language.New("the device's word %[1]s", "la palabra de dispositivo %[1]s", "기기의 낱말 %[1]s", "слово устройства %[1]s"),
		"app-word":     language.New("the program for people %[1]s", "el programa para personas %[1]s", "사람이 쓰는 프로그램 %[1]s", "программа для людей %[1]s"),
		"other-word":   language.New("the name %[1]s, and no browser", "el nombre %[1]s, y ningún navegador", "브라우저가 아닌 이름 %[1]s", "имя %[1]s, и это не браузер"),
	}
)

// oneOf returns the text for a value, or its name if there is no text.
func oneOf[V interface {
	comparable
	fmt.Stringer
}](l language.Language, texts map[V]language.Text, v V) string {
	if text, ok := texts[v]; ok {
		return text.In(l)
	}
	return v.String()
}

// why returns the evidence for the kind of a program.
func why(l language.Language, a agent.Agent) string {
	if text, ok := whyTexts[a.Reason.String()]; ok {
		return text.In(l, `"`+printable.Text(a.Word)+`"`)
	}
	return a.Why()
}
