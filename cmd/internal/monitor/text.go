package monitor

import (
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// String returns [Finding.Sentence] in English.
func (f Finding) String() string { return f.Sentence("en") }

// Sentence returns the finding as one line, such as "closed to search engines (Googlebot): Disallow: /shop/, for example
// /shop/a". The line is safe for a terminal; it is not escaped for HTML or Markdown. The language is a code of ISO 639-1
// (en, es, ko or ru), or the value of an environment variable such as LANG. Any other value means English.
func (f Finding) Sentence(languageCode string) string {
	l := language.Parse(languageCode)
	robots, patterns := names(l, f.Robots, 4), names(l, f.Patterns, 4)
	subject, before, after := printable.Clipped(f.Subject, maxShown), printable.Clipped(f.Before, maxShown), printable.Clipped(f.After, maxShown)
	witness, since := printable.Clipped(f.Witness, maxShown), f.Since.UTC().Format(time.RFC3339)
	switch f.Kind {
	case ClosedSite:
		return textClosedSite.In(l, patterns)
	case ClosedSearch:
		return textClosedSearch.In(l, robots, patterns, witness)
	case OpenedSite:
		return textOpenedSite.In(l, patterns)
	case Closed:
		return textClosed.In(l, robots, patterns, witness)
	case Opened:
		return textOpened.In(l, robots, patterns, witness)
	case Undecided:
		return textUndecided.In(l, subject+robots)
	case Records:
		return textRecords.In(l, patterns)
	case Status:
		return textStatus.In(l, after, before)
	case Redirected:
		if f.After == "" {
			return textRedirectsNoLonger.In(l, before)
		}
		return textRedirects.In(l, after)
	case PageChanged:
		return textPage.In(l, subject, after, before)
	case Unreachable:
		text, ok := stageTexts[f.After]
		if !ok {
			text = textFailing
		}
		return text.In(l, since, before)
	case HTML:
		return textHTML.In(l, after)
	case Challenge:
		return textChallenge.In(l, after)
	case UTF16:
		return textUTF16.In(l)
	case Cut:
		return textCut.In(l)
	case Claim:
		return textClaim.In(l, subject, robots, witness)
	case Unexpected:
		if len(f.Robots) == 0 {
			return textUnexpectedRecords.In(l, patterns)
		}
		return textUnexpected.In(l, robots, patterns, witness)
	case Unread:
		return textUnread.In(l, after)
	case Vantage:
		if f.After != "" {
			return textVantageAnswer.In(l, subject, after, before)
		}
		return textVantage.In(l, subject, patterns)
	case Certificate:
		if f.After != "" {
			return textCertificateInvalid.In(l, after)
		}
		return textCertificate.In(l, since)
	}
	return printable.Text(string(f.Kind))
}

// Sentence returns the update as one line, such as "over: closed to GPTBot: …", like [Finding.Sentence].
func (u Update) Sentence(languageCode string) string {
	return u.Step.In(languageCode) + ": " + u.Finding.Sentence(languageCode)
}

// In returns the step as a word or two, such as "over", in a language, which is given as to [Finding.Sentence].
func (s Step) In(languageCode string) string {
	text, ok := stepTexts[s]
	if !ok {
		text = textNoted
	}
	return text.In(language.Parse(languageCode))
}

// In returns the severity as a word in a language, which is given as to [Finding.Sentence].
func (s Severity) In(languageCode string) string {
	text, ok := severityTexts[s]
	if !ok {
		return s.String()
	}
	return text.In(language.Parse(languageCode))
}

// maxShown is the maximum number of bytes of a stranger's text in a sentence.
const maxShown = 200

// names returns the first few strings of a list, joined by commas.
func names(l language.Language, list []string, most int) string {
	var shown []string
	for _, s := range list[:min(most, len(list))] {
		shown = append(shown, printable.Clipped(s, maxShown))
	}
	text := strings.Join(shown, ", ")
	if len(list) > most {
		return textAndMore.In(l, text, len(list)-most)
	}
	return text
}

// What changed.
var (
	textAndMore = language.New(
		"%[1]s and %[2]d more",
		"%[1]s y %[2]d más",
		"%[1]s 외 %[2]d개",
		"%[1]s и ещё %[2]d")
	textClosedSite = language.New(
		"the whole site is closed to all robots: %[1]s",
		"todo el sitio está cerrado para todos los robots: %[1]s",
		"사이트 전체가 모든 로봇에게 차단됨: %[1]s",
		"весь сайт закрыт для всех роботов: %[1]s")
	textClosedSearch = language.New(
		"closed to search engines (%[1]s): %[2]s, for example %[3]s",
		"cerrado para los buscadores (%[1]s): %[2]s, por ejemplo %[3]s",
		"검색 엔진(%[1]s)에게 차단됨: %[2]s, 예: %[3]s",
		"закрыто для поисковых систем (%[1]s): %[2]s, например %[3]s")
	textOpenedSite = language.New(
		"the whole site was closed, and is open to all robots: %[1]s",
		"todo el sitio estaba cerrado y está abierto para todos los robots: %[1]s",
		"차단되어 있던 사이트 전체가 모든 로봇에게 열림: %[1]s",
		"весь сайт был закрыт, а теперь открыт для всех роботов: %[1]s")
	textClosed = language.New(
		"closed to %[1]s: %[2]s, for example %[3]s",
		"cerrado para %[1]s: %[2]s, por ejemplo %[3]s",
		"%[1]s에게 차단됨: %[2]s, 예: %[3]s",
		"закрыто для %[1]s: %[2]s, например %[3]s")
	textOpened = language.New(
		"open to %[1]s: %[2]s, for example %[3]s",
		"abierto para %[1]s: %[2]s, por ejemplo %[3]s",
		"%[1]s에게 열림: %[2]s, 예: %[3]s",
		"открыто для %[1]s: %[2]s, например %[3]s")
	textUndecided = language.New(
		"%[1]s: too many cases to decide",
		"%[1]s: demasiados casos para decidir",
		"%[1]s: 경우가 너무 많아 판정할 수 없음",
		"%[1]s: слишком много случаев, чтобы решить")
	textRecords = language.New(
		"records changed: %[1]s",
		"han cambiado registros: %[1]s",
		"레코드가 바뀜: %[1]s",
		"изменились записи: %[1]s")
	textStatus = language.New(
		"robots.txt answers %[1]s, and answered %[2]s before",
		"robots.txt responde %[1]s, y antes respondía %[2]s",
		"robots.txt의 응답이 %[1]s임. 이전 응답: %[2]s",
		"robots.txt отвечает %[1]s, а раньше отвечал %[2]s")
	textRedirects = language.New(
		"robots.txt redirects to %[1]s",
		"robots.txt redirige a %[1]s",
		"robots.txt가 %[1]s⟨으로/로⟩ 리디렉션됨",
		"robots.txt перенаправляет на %[1]s")
	textRedirectsNoLonger = language.New(
		"robots.txt no longer redirects to %[1]s",
		"robots.txt ya no redirige a %[1]s",
		"robots.txt가 더 이상 %[1]s⟨으로/로⟩ 리디렉션되지 않음",
		"robots.txt больше не перенаправляет на %[1]s")
	textPage = language.New(
		"the page %[1]s says to search engines: %[2]s; before: %[3]s",
		"la página %[1]s dice a los buscadores: %[2]s; antes: %[3]s",
		"%[1]s 페이지가 검색 엔진에 알리는 내용: %[2]s, 이전: %[3]s",
		"страница %[1]s сообщает поисковым системам: %[2]s; раньше: %[3]s")
)

// What is wrong.
var (
	stageTexts = map[string]language.Text{stageCopy: textFailing, stageDay: textFailingDay, stageMonth: textFailingMonth}

	textFailing = language.New(
		"robots.txt has failed since %[1]s (%[2]s): robots use their copies for 24 hours",
		"robots.txt falla desde %[1]s (%[2]s): los robots usan sus copias durante 24 horas",
		"robots.txt가 %[1]s부터 실패함(%[2]s): 로봇은 24시간 동안 사본을 사용함",
		"robots.txt недоступен с %[1]s (%[2]s): 24 часа роботы пользуются своими копиями")
	textFailingDay = language.New(
		"robots.txt has failed since %[1]s (%[2]s): copies have expired, and robots may stop visiting the site",
		"robots.txt falla desde %[1]s (%[2]s): las copias han caducado y los robots pueden dejar de visitar el sitio",
		"robots.txt가 %[1]s부터 실패함(%[2]s): 사본이 만료되어 로봇이 방문을 멈출 수 있음",
		"robots.txt недоступен с %[1]s (%[2]s): копии устарели, роботы могут перестать посещать сайт")
	textFailingMonth = language.New(
		"robots.txt has failed since %[1]s (%[2]s), for more than 30 days: robots may visit everything",
		"robots.txt falla desde %[1]s (%[2]s), hace más de 30 días: los robots pueden visitarlo todo",
		"robots.txt가 %[1]s부터 30일 넘게 실패함(%[2]s): 로봇이 모든 곳을 방문할 수 있음",
		"robots.txt недоступен с %[1]s (%[2]s), более 30 дней: роботам разрешено всё")
	textHTML = language.New(
		"an HTML page is in place of robots.txt (status %[1]s): robots find no rules there",
		"hay una página HTML en lugar de robots.txt (estado %[1]s): los robots no encuentran reglas en ella",
		"robots.txt 자리에 HTML 페이지가 있음(상태 %[1]s): 로봇이 규칙을 찾지 못함",
		"вместо robots.txt HTML-страница (код %[1]s): роботы не найдут в ней правил")
	textChallenge = language.New(
		"a challenge page is in place of robots.txt (%[1]s): robots cannot read the rules",
		"hay una página de verificación en lugar de robots.txt (%[1]s): los robots no pueden leer las reglas",
		"robots.txt 자리에 사람 확인 페이지가 있음(%[1]s): 로봇이 규칙을 읽을 수 없음",
		"вместо robots.txt страница проверки (%[1]s): роботы не могут прочитать правила")
	textUTF16 = language.New(
		"robots.txt is UTF-16: robots expect UTF-8, and find no rules in it",
		"robots.txt está en UTF-16: los robots esperan UTF-8 y no encuentran reglas en él",
		"robots.txt가 UTF-16임: 로봇은 UTF-8을 기대하므로 규칙을 찾지 못함",
		"robots.txt в кодировке UTF-16: роботы ожидают UTF-8 и не найдут в нём правил")
	textCut = language.New(
		"robots.txt is longer than 500 KiB: robots ignore the rest",
		"robots.txt tiene más de 500 KiB: los robots ignoran el resto",
		"robots.txt가 500 KiB보다 큼: 로봇이 나머지를 무시함",
		"robots.txt больше 500 КиБ: остаток роботы не читают")
	textClaim = language.New(
		"a claim does not hold: %[1]s (see %[2]s and %[3]s)",
		"una afirmación no se cumple: %[1]s (véase %[2]s y %[3]s)",
		"주장이 성립하지 않음: %[1]s(%[2]s, %[3]s 참조)",
		"утверждение неверно: %[1]s (см. %[2]s и %[3]s)")
	textUnexpected = language.New(
		"other rules than expected for %[1]s: %[2]s, for example %[3]s",
		"reglas distintas de las esperadas para %[1]s: %[2]s, por ejemplo %[3]s",
		"%[1]s에 대한 규칙이 예상과 다름: %[2]s, 예: %[3]s",
		"правила для %[1]s не те, что ожидались: %[2]s, например %[3]s")
	textUnexpectedRecords = language.New(
		"other records than expected: %[1]s",
		"registros distintos de los esperados: %[1]s",
		"레코드가 예상과 다름: %[1]s",
		"записи не те, что ожидались: %[1]s")
	textUnread = language.New(
		"the expected robots.txt cannot be read: %[1]s",
		"no se puede leer el robots.txt esperado: %[1]s",
		"예상 robots.txt를 읽을 수 없음: %[1]s",
		"не удаётся прочитать ожидаемый robots.txt: %[1]s")
	textVantageAnswer = language.New(
		"another answer for %[1]s: %[2]s in place of %[3]s",
		"otra respuesta para %[1]s: %[2]s en lugar de %[3]s",
		"%[1]s에 대한 응답이 다름: %[3]s 대신 %[2]s",
		"другой ответ для %[1]s: %[2]s вместо %[3]s")
	textVantage = language.New(
		"other rules for %[1]s: %[2]s",
		"otras reglas para %[1]s: %[2]s",
		"%[1]s에 대한 규칙이 다름: %[2]s",
		"другие правила для %[1]s: %[2]s")
	textCertificate = language.New(
		"the certificate ends at %[1]s",
		"el certificado caduca el %[1]s",
		"인증서가 %[1]s에 만료됨",
		"срок действия сертификата истекает %[1]s")
	textCertificateInvalid = language.New(
		"the certificate is not valid: %[1]s",
		"el certificado no es válido: %[1]s",
		"인증서가 유효하지 않음: %[1]s",
		"сертификат недействителен: %[1]s")
)

// Severities and steps.
var (
	severityTexts = map[Severity]language.Text{
		Notice:   language.New("notice", "aviso leve", "알림", "к сведению"),
		Warning:  language.New("warning", "advertencia", "경고", "предупреждение"),
		Critical: language.New("critical", "crítico", "심각", "критично"),
	}
	textNoted = language.New("noted", "anotado", "변경됨", "отмечено")
	stepTexts = map[Step]language.Text{
		Begun:    language.New("new", "nuevo", "새 문제", "новое"),
		Changed:  language.New("changed", "ha cambiado", "바뀜", "изменилось"),
		Ended:    language.New("over", "terminado", "해결됨", "закончилось"),
		Accepted: language.New("normal from now on", "normal a partir de ahora", "이제부터 정상으로 봄", "теперь считается нормой"),
		Flapping: language.New("comes and goes", "va y viene", "반복됨", "то появляется, то исчезает"),
		Noted:    textNoted,
	}
)
