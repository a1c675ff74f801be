package say

import (
	"fmt"
	"io"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
)

var (
	textNote   = language.New("note: %[1]s", "nota: %[1]s", "참고: %[1]s", "примечание: %[1]s")
	textEnough = language.New(
		"%[1]d of %[2]d bytes are enough",
		"bastan %[1]d de %[2]d bytes",
		"%[2]d바이트 중 %[1]d바이트로 충분함",
		"достаточно %[1]d из %[2]d ⟨байта/байт/байт⟩")
	textShift = language.New(
		"%[1]s answers otherwise: %[2]s: %[3]s was %[4]s; is %[5]s: --keep %[6]s keeps its answers",
		"%[1]s responde de otro modo: %[2]s: %[3]s: antes: %[4]s; ahora: %[5]s: --keep %[6]s conserva sus respuestas",
		"%[1]s: 답이 달라짐: %[2]s: %[3]s: 이전: %[4]s; 이후: %[5]s: --keep %[6]s⟨을/를⟩ 쓰면 이전 답을 유지함",
		"%[1]s отвечает иначе: %[2]s: %[3]s: было: %[4]s; стало: %[5]s: --keep %[6]s сохраняет прежние ответы")
	textShiftsUndecided = language.New(
		"whether readers beside RFC 9309 and Google answer otherwise could not be decided for all of them: --limit lets it look at more",
		"no se pudo decidir para todos los lectores aparte de RFC 9309 y Google si responden de otro modo: --limit permite examinar más",
		"RFC 9309와 Google 외에 답이 달라지는지 판정하지 못한 해석 방식이 있음: --limit으로 더 살펴볼 수 있음",
		"не для всех способов чтения, кроме RFC 9309 и Google, удалось решить, изменятся ли ответы: --limit позволяет просмотреть больше")
	textReaderAbout = language.New("%[1]s (%[2]s)", "%[1]s (%[2]s)", "%[1]s(%[2]s)", "%[1]s (%[2]s)")
	textNoWildcards = language.New(
		"programs that know no wildcards and no Allow",
		"programas que no conocen comodines ni Allow",
		"와일드카드와 Allow를 모르는 프로그램",
		"программы, которые не знают ни подстановочных знаков, ни Allow")
	textFirstMatch = language.New(
		"programs that take the first rule that matches, such as Python's urllib.robotparser",
		"programas que toman la primera regla que coincide, como urllib.robotparser de Python",
		"처음 일치하는 규칙을 적용하는 프로그램, 예: Python의 urllib.robotparser",
		"программы, которые берут первое подходящее правило, например urllib.robotparser из Python")
)

// about has the programs that read as the documents of the nineties, by the name of the reader.
var about = map[string]language.Text{
	"koster1994": textNoWildcards,
	"koster1996": textFirstMatch,
	"kollar1996": textNoWildcards,
}

// Note returns a text as a note.
func Note(l language.Language, text string) string { return textNote.In(l, text) }

// LeftOut writes the lines that a file does not need, and why, and the sizes of both texts in bytes.
// The reasons are in the language that Minimize had.
func LeftOut(w io.Writer, l language.Language, m *proof.Minimized, size int) {
	for _, line := range m.LeftOut {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintln(w, textEnough.In(l, len(m.Text), size))
}

// Shifts writes a note for each reader whose answers change.
func Shifts(w io.Writer, l language.Language, m *proof.Minimized) {
	for _, s := range m.Shifts {
		reader := s.Reader.Name
		if text, ok := about[reader]; ok {
			reader = textReaderAbout.In(l, reader, text.In(l))
		}
		fmt.Fprintln(w, Note(l, textShift.In(l, reader, printable.Shown(s.Agent), printable.Shown(s.Witness), Match(l, s.Before), Match(l, s.After), s.Reader.Name)))
	}
	if m.ShiftsUndecided {
		fmt.Fprintln(w, Note(l, textShiftsUndecided.In(l)))
	}
}
