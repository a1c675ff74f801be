package auditreport

import (
	"regexp"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// reasonText returns in a language why a line could not be read. The reason is that of accesslog,
// in English, perhaps behind the name of a format. A reason that is in no list stays in English.
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
	if m := nameless.FindStringSubmatch(reason); m != nil {
		return textNameless.In(l, m[1])
	}
	if m := errorLog.FindStringSubmatch(reason); m != nil {
		return textErrorLog.In(l, m[1])
	}
	if m := badField.FindStringSubmatch(reason); m != nil {
		return m[1] + textBadField.In(l, m[2]+m[3])
	}
	return reason
}

// The reasons that name a field. The field keeps its name in the log, or in English.
var (
	noField  = regexp.MustCompile(`^(.*: )?no .* is where (.+) should be$`)
	nameless = regexp.MustCompile(`^the line is of (.+), whose log has no User-Agent; let the server log it$`)
	errorLog = regexp.MustCompile(
		`^the line is of the error log of (.+); give the access log, which is usually in the same folder$`)
	badField = regexp.MustCompile(`^(.*: )?a (?:field that should be the (.+) is not|member that should have the (.+) has not)$`)
)

var (
	textNoField  = language.New("no valid value is where %[1]s should be")
	textNameless = language.New("the line is of %[1]s, whose log has no User-Agent; let the server log it")
	textErrorLog = language.New(
		"the line is of the error log of %[1]s; give the access log, which is usually in the same folder")
	textBadField = language.New("the value of a field is not valid: %[1]s")

	reasonTexts = map[string]language.Text{
		"there is no date and time":                                   language.New("there is no date and time"),
		"the line is not a JSON object":                               language.New("the line is not a JSON object"),
		"the line is not a whole JSON object":                         language.New("the line is not a whole JSON object"),
		"no member of the object has a target or a path of a request": language.New("no member of the object has a target or a path of a request"),
		"the line is longer than the maximum":                         language.New("the line is longer than the maximum"),
		"the line is in no known format; name its format":             language.New("the line is in no known format; name its format"),
		"the line begins otherwise":                                   language.New("the line begins otherwise"),
		"there is more text after the last field":                     language.New("there is more text after the last field"),
		"the line has fewer fields than the log names":                language.New("the line has fewer fields than the log names"),
		"the line has fewer fields than #Fields names":                language.New("the line has fewer fields than #Fields names"),
		"the line has more fields than #Fields names":                 language.New("the line has more fields than #Fields names"),
	}
)
