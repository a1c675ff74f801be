package auditreport

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// mostSuspects is the maximum number of suspects in the text.
const mostSuspects = 10

// suspects writes the clients that behave like robots and do not say so.
func (p *Printer) suspects(suspects []audit.Suspect) {
	if len(suspects) == 0 {
		return
	}
	p.title(textSuspects)
	p.paragraph(p.in(textSuspicion))
	for _, s := range suspects[:min(mostSuspects, len(suspects))] {
		t := p.table()
		t.Add([]columns.Cell{columns.Bold(suspectName(p.Language, &s))})
		t.Flush()
		fmt.Fprintf(p.W, "  %s\n", p.in(textSuspectRequests, int(s.Requests), period(s.First, s.Last)))
		for _, e := range s.Evidence {
			fmt.Fprintf(p.W, "  %s%s\n", evidence(p.Language, &e), evidencePlace(e.Lines))
		}
		if s.Address != "" && s.UserAgent != "" {
			fmt.Fprintf(p.W, "  %s\n", clip(s.UserAgent, mostExample))
		}
	}
	p.more(len(suspects)-mostSuspects, textMoreSuspects)
}

// suspectName returns the address of a suspect, or its header and at how many addresses it is used.
func suspectName(l language.Language, s *audit.Suspect) string {
	if s.Address != "" {
		return printable.Text(s.Address)
	}
	return textHeaderAt.In(l, s.Addresses, clip(s.UserAgent, mostExample))
}

// evidence returns a reason for a suspicion in words.
func evidence(l language.Language, e *audit.Evidence) string {
	figure := func(name string) int { return int(e.Figures[name]) }
	switch e.Kind {
	case "no-styles":
		return textNoStyles.In(l, figure("pages"), figure("assets"))
	case "no-referrer":
		return textNoReferrer.In(l, figure("requests"))
	case "robots-txt":
		return textReadsRobots.In(l, figure("requests"))
	case "regular":
		return textRegular.In(l, figure("gaps"), duration(l, e.Figures["median"]))
	case "sequential":
		return textSequential.In(l, figure("numbers"))
	case "rapid":
		return textRapid.In(l, figure("peak"))
	case "all-hours":
		return textAllHours.In(l, figure("hours"))
	case "many-addresses":
		return textManyAddresses.In(l, figure("addresses"))
	}
	return printable.Text(e.Kind)
}

// evidencePlace returns where the logs show a reason, as in " (access.log:7, 9)".
func evidencePlace(lines []audit.Line) string {
	if len(lines) == 0 {
		return ""
	}
	return " (" + places(lines) + ")"
}

// places returns where lines stand, as in "access.log:7, 9; other.log:2".
func places(lines []audit.Line) string {
	var b strings.Builder
	last := ""
	for _, line := range lines {
		switch {
		case b.Len() > 0 && line.Log == last:
			fmt.Fprintf(&b, ", %d", line.Line)
		case b.Len() > 0:
			fmt.Fprintf(&b, "; %s:%d", printable.Text(line.Log), line.Line)
		default:
			fmt.Fprintf(&b, "%s:%d", printable.Text(line.Log), line.Line)
		}
		last = line.Log
	}
	return b.String()
}

var (
	textSuspects = language.New("Suspects", "Sospechosos", "의심되는 클라이언트", "Подозреваемые")

	textSuspicion = language.New(
		"These clients do not call themselves robots, and behave like robots. That is a suspicion and no proof.",
		"Estos clientes no se llaman robots, y se comportan como robots. Es una sospecha, no una prueba.",
		"이 클라이언트들은 로봇이라고 밝히지 않지만 로봇처럼 행동합니다. 의심일 뿐 증거는 아닙니다.",
		"Эти клиенты не называют себя роботами, но ведут себя как роботы. Это подозрение, а не доказательство.")
	textSuspectRequests = language.New(
		"%[1]d ⟨request/requests⟩, %[2]s UTC",
		"%[1]d ⟨petición/peticiones⟩, %[2]s UTC",
		"요청 %[1]d개, %[2]s UTC",
		"запросов: %[1]d, %[2]s UTC")
	textHeaderAt = language.New(
		"%[1]d addresses with the header %[2]s",
		"%[1]d direcciones con la cabecera %[2]s",
		"주소 %[1]d개의 헤더 %[2]s",
		"адресов: %[1]d, с заголовком %[2]s")
	textMoreSuspects = language.New(
		"%[1]d further ⟨suspect/suspects⟩: --json lists all",
		"%[1]d ⟨sospechoso/sospechosos⟩ más: --json los enumera todos",
		"그 밖에 의심되는 클라이언트 %[1]d개: --json으로 모두 볼 수 있음",
		"ещё подозреваемых: %[1]d; --json показывает всех")

	textNoStyles = language.New(
		"pages without their styles and images: pages %[1]d, files of pages %[2]d",
		"páginas sin sus estilos e imágenes: páginas %[1]d, ficheros de páginas %[2]d",
		"스타일과 이미지 없이 페이지만 요청: 페이지 %[1]d개, 페이지의 파일 %[2]d개",
		"страницы без стилей и картинок: страниц %[1]d, файлов страниц %[2]d")
	textNoReferrer = language.New(
		"no Referer in any request for a document: requests %[1]d",
		"ningún Referer en peticiones de documentos: peticiones %[1]d",
		"문서 요청에 Referer가 전혀 없음: 요청 %[1]d개",
		"ни одного Referer в запросах документов: запросов %[1]d")
	textReadsRobots = language.New(
		"requests for /robots.txt: %[1]d",
		"peticiones de /robots.txt: %[1]d",
		"/robots.txt 요청: %[1]d개",
		"запросов /robots.txt: %[1]d")
	textRegular = language.New(
		"nearly equal gaps between requests: gaps %[1]d, median %[2]s",
		"intervalos casi iguales entre peticiones: intervalos %[1]d, mediana %[2]s",
		"요청 간격이 거의 같음: 간격 %[1]d개, 중앙값 %[2]s",
		"почти равные промежутки между запросами: промежутков %[1]d, медиана %[2]s")
	textSequential = language.New(
		"paths in the order of the numbers in them: paths %[1]d",
		"rutas en el orden de sus números: rutas %[1]d",
		"경로를 번호 순서대로 요청: 경로 %[1]d개",
		"пути по порядку номеров: путей %[1]d")
	textRapid = language.New(
		"documents in one minute: up to %[1]d",
		"documentos en un minuto: hasta %[1]d",
		"1분에 문서 최대 %[1]d개",
		"документов за одну минуту: до %[1]d")
	textAllHours = language.New(
		"hours of a day with requests: %[1]d",
		"horas de un día con peticiones: %[1]d",
		"하루 중 요청이 있는 시간: %[1]d시간",
		"часов суток с запросами: %[1]d")
	textManyAddresses = language.New(
		"addresses that use the header so: %[1]d",
		"direcciones que usan así la cabecera: %[1]d",
		"헤더를 이렇게 쓰는 주소: %[1]d개",
		"адресов, так использующих заголовок: %[1]d")
)
