package say

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
)

var (
	textMarkdownTitle = language.New("What this change of robots.txt means", "Qué significa este cambio de robots.txt", "이 robots.txt 변경의 의미", "Что означает это изменение robots.txt")
	textNotDecided    = language.New("Not everything could be decided, for %[1]s.", "No se pudo decidir todo, para %[1]s.", "%[1]s: 일부를 판정하지 못했습니다.", "Не всё удалось решить, для %[1]s.")
	textAllSame       = language.New("Every robot gets the same answer for every path.", "Todos los robots reciben la misma respuesta para cualquier ruta.", "모든 로봇이 모든 경로에 대해 같은 답을 얻습니다.", "Каждый робот получает тот же ответ для любого пути.")
	textPatterns      = language.New(
		"%[1]d ⟨pattern/patterns⟩ closed, %[2]d ⟨pattern/patterns⟩ opened.",
		"%[1]d ⟨patrón cerrado/patrones cerrados⟩, %[2]d ⟨patrón abierto/patrones abiertos⟩.",
		"차단된 패턴 %[1]d개, 허용된 패턴 %[2]d개.",
		"Закрыто: %[1]d ⟨шаблон/шаблона/шаблонов⟩, открыто: %[2]d ⟨шаблон/шаблона/шаблонов⟩.")
	textMarkdownHead = language.New("| | robots | paths | for example | decided by |", "| | robots | rutas | por ejemplo | decide |", "| | 로봇 | 경로 | 예 | 결정하는 규칙 |", "| | роботы | пути | например | решает |")
	textMoreInDiff   = language.New("and more; `robots diff` tells all.", "y más; `robots diff` lo muestra todo.", "그 밖에도 있습니다. `robots diff`로 모두 볼 수 있습니다.", "и другие; все показывает `robots diff`.")
	textRecords      = language.New("Records beside the rules:", "Registros además de las reglas:", "규칙 이외의 레코드:", "Записи помимо правил:")
)

// Markdown writes a difference as Markdown, for the comment of a pull request: a row for each
// pattern, up to 100.
func (p *Printer) Markdown(d *proof.Difference) {
	closed, opened := 0, 0
	changes := join(d.Changes)
	for _, j := range changes {
		if j.opened {
			opened += len(j.regions)
		} else {
			closed += len(j.regions)
		}
	}
	fmt.Fprintf(p.W, "### %s\n\n", p.in(textMarkdownTitle))
	switch {
	case len(d.Undecided) > 0:
		fmt.Fprintf(p.W, "%s\n\n", p.in(textNotDecided, code(strings.Join(d.Undecided, ", "))))
	case len(d.Changes) == 0:
		fmt.Fprintf(p.W, "%s\n\n", p.in(textAllSame))
	}
	if len(d.Changes) > 0 {
		fmt.Fprintf(p.W, "%s\n\n%s\n|---|---|---|---|---|\n", p.in(textPatterns, closed, opened), p.in(textMarkdownHead))
		p.markdownRows(changes)
	}
	if len(d.Records) > 0 {
		fmt.Fprintf(p.W, "\n%s\n\n", p.in(textRecords))
		for _, c := range d.Records {
			fmt.Fprintf(p.W, "- %s\n", code(p.recordChange(c)))
		}
	}
}

// markdownRows writes the rows of the table.
func (p *Printer) markdownRows(changes []*joinedChange) {
	rows := 0
	for _, j := range changes {
		direction := textClosed
		if j.opened {
			direction = textOpened
		}
		for i, r := range j.regions {
			if rows++; rows > 2*mostRegions {
				fmt.Fprintf(p.W, "\n%s\n", p.in(textMoreInDiff))
				return
			}
			fmt.Fprintf(p.W, "| %s | %s | %s | %s | %s |\n", p.in(direction), code(p.title(j)), code(pattern(r)), code(r.Witness), p.deciding(j, i))
		}
	}
}

// deciding returns the lines that decide about a region now, each with its robots unless the
// line decides for all.
func (p *Printer) deciding(j *joinedChange, region int) string {
	texts, agents := j.texts(region, func(a answer) string {
		if a.after.Reason != robots.DecidingRule {
			return p.in(textNoRule)
		}
		return p.in(textLineSays, a.after.Rule.Line, code(a.after.Rule.String()))
	})
	var all []string
	for i, text := range texts {
		if i == mostAnswers {
			all = append(all, p.in(textAndMore, len(texts)-i))
			break
		}
		if len(agents) > 0 {
			text += " (" + code(p.names(agents[text], 3)) + ")"
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// code returns s as code of Markdown that may stand in a table.
func code(s string) string {
	return "`" + strings.NewReplacer("|", `\|`, "`", "ˋ").Replace(printable.Clipped(s, 200)) + "`"
}
