package auditreport

import (
	"regexp"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// reasonText returns in a language why a line could not be read. The reason is that of accesslog, in English,
// perhaps behind the name of a format. A reason that is in no list stays in English.
func reasonText(l language.Language, reason string) string {
	if l == language.English {
		return reason
	}
	for text, translation := range reasonTexts {
		if format, ok := strings.CutSuffix(reason, text); ok && (format == "" || strings.HasSuffix(format, ": ")) {
			return format + translation.In(l)
		}
	}
	if m := noField.FindStringSubmatch(reason); m != nil {
		return m[1] + textNoField.In(l, printable.Text(m[2]))
	}
	if m := badField.FindStringSubmatch(reason); m != nil {
		return m[1] + textBadField.In(l, m[2]+m[3])
	}
	return reason
}

// The reasons that name a field. The field keeps its name in the log, or in English.
var (
	noField  = regexp.MustCompile(`^(.*: )?no .* is where (.+) should be$`)
	badField = regexp.MustCompile(`^(.*: )?a (?:field that should be the (.+) is not|member that should have the (.+) has not)$`)
)

var (
	textNoField = language.New(
		"no valid value is where %[1]s should be",
		"falta el valor de %[1]s, o no es válido",
		"%[1]s 자리에 올바른 값이 없음",
		"на месте %[1]s нет подходящего значения")
	textBadField = language.New(
		"the value of a field is not valid: %[1]s",
		"el valor de un campo no es válido: %[1]s",
		"필드 값이 올바르지 않음: %[1]s",
		"значение поля неверно: %[1]s")

	reasonTexts = map[string]language.Text{
		"there is no date and time": language.New("there is no date and time",
			"no hay fecha ni hora", "날짜와 시각이 없음", "нет даты и времени"),
		"the line is not a JSON object": language.New("the line is not a JSON object",
			"la línea no es un objeto JSON", "행이 JSON 객체가 아님", "строка не является объектом JSON"),
		"the line is not a whole JSON object": language.New("the line is not a whole JSON object",
			"la línea no es un objeto JSON completo", "행이 온전한 JSON 객체가 아님", "строка не является целым объектом JSON"),
		"no member of the object has a target or a path of a request": language.New("no member of the object has a target or a path of a request",
			"ningún miembro del objeto tiene el destino o la ruta de una petición", "객체에 요청의 대상이나 경로가 없음", "в объекте нет ни цели, ни пути запроса"),
		"the line is longer than the maximum": language.New("the line is longer than the maximum",
			"la línea es más larga que el máximo", "행이 최대 길이보다 김", "строка длиннее допустимого"),
		"the line is in no known format; name its format": language.New("the line is in no known format; name its format",
			"la línea no está en ningún formato conocido; indique su formato", "알려진 형식의 행이 아님, 형식을 지정해야 함", "формат строки неизвестен; укажите его"),
		"the line begins otherwise": language.New("the line begins otherwise",
			"la línea empieza de otra manera", "행의 시작이 다름", "строка начинается иначе"),
		"there is more text after the last field": language.New("there is more text after the last field",
			"hay más texto tras el último campo", "마지막 필드 뒤에 텍스트가 더 있음", "после последнего поля есть ещё текст"),
		"the line has fewer fields than the log names": language.New("the line has fewer fields than the log names",
			"la línea tiene menos campos de los que nombra el registro", "행의 필드가 로그에 적힌 것보다 적음", "в строке меньше полей, чем называет журнал"),
		"the line has fewer fields than #Fields names": language.New("the line has fewer fields than #Fields names",
			"la línea tiene menos campos de los que nombra #Fields", "행의 필드가 #Fields보다 적음", "в строке меньше полей, чем называет #Fields"),
		"the line has more fields than #Fields names": language.New("the line has more fields than #Fields names",
			"la línea tiene más campos de los que nombra #Fields", "행의 필드가 #Fields보다 많음", "в строке больше полей, чем называет #Fields"),
	}
)
