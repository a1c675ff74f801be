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

// logNotes says in a language in which formats logs were read, and what else their lines may mean.
func logNotes(l language.Language, logs []accesslog.Log) (notes []string) {
	read := make(map[*accesslog.Format]int64)
	for _, log := range logs {
		for f, n := range log.Formats {
			if f != nil {
				read[f] += n
			}
		}
	}
	formats := slices.SortedFunc(maps.Keys(read), func(f, g *accesslog.Format) int { return strings.Compare(f.String(), g.String()) })
	var names []string
	for _, f := range formats {
		if read[f] > 0 {
			names = append(names, printable.Text(f.String())+" ("+strconv.FormatInt(read[f], 10)+")")
		}
	}
	if len(names) > 0 {
		notes = append(notes, textFormats.In(l, strings.Join(names, ", ")))
	}
	for _, f := range formats {
		if read[f] == 0 {
			continue
		}
		if !f.NamesRobots() {
			notes = append(notes, textNamesNobody.In(l, printable.Text(f.String())))
		}
		if f.Doubt() != "" {
			notes = append(notes, textDoubt.In(l, printable.Text(f.String()), f.Doubt()))
		}
	}
	return notes
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
