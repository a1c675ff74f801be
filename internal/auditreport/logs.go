package auditreport

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/robotsexclusion/robots/accesslog"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// logNotes says in a language in which formats logs were read, and what else their lines may mean. Formats of
// one name, such as those of several #Fields lines, count as one.
func logNotes(l language.Language, logs []accesslog.Log) (notes []string) {
	read := make(map[string]int64)
	about := make(map[string]bool) // the notes about single formats
	for _, log := range logs {
		for f, n := range log.Formats {
			if f == nil || n == 0 {
				continue
			}
			name := printable.Text(f.String())
			read[name] += n
			if !f.NamesRobots() {
				about[textNamesNobody.In(l, name)] = true
			}
			if f.Doubt() != "" {
				about[textDoubt.In(l, name, f.Doubt())] = true
			}
		}
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(read)) {
		names = append(names, name+" ("+strconv.FormatInt(read[name], 10)+")")
	}
	if len(names) > 0 {
		notes = append(notes, textFormats.In(l, strings.Join(names, ", ")))
	}
	return append(notes, slices.Sorted(maps.Keys(about))...)
}

var (
	textFormats = language.New(
		"The requests were read in these formats: %[1]s.",
		"Las peticiones se leyeron en estos formatos: %[1]s.",
		"요청을 읽은 형식: %[1]s.",
		"Запросы прочитаны в таких форматах: %[1]s.")
	textNamesNobody = language.New(
		"The format %[1]s has no User-Agent, so that its requests are nobody's.",
		"El formato %[1]s no tiene User-Agent, así que sus peticiones no son de nadie.",
		"%[1]s 형식에는 User-Agent가 없어 누구의 요청인지 알 수 없습니다.",
		"В формате %[1]s нет User-Agent, поэтому его запросы ничьи.")
	textDoubt = language.New(
		"The format %[1]s may be another: %[2]s.",
		"El formato %[1]s puede ser otro: %[2]s.",
		"%[1]s 형식이 아닐 수도 있습니다: %[2]s.",
		"Формат %[1]s может быть и другим: %[2]s.")
)
