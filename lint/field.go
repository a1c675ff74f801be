package lint

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/nearest"
)

// readFields are the names of the fields that robots read, in their usual spelling, starting
// with those that are in nearly all files.
var readFields = fieldsThat(func(f robots.Field) bool { return f.Read })

// commonFields are the fields of records that are searched for within other records.
var commonFields = readFields[:5]

// paceFields are fields for the time or frequency of requests.
var paceFields = fieldsThat(func(f robots.Field) bool { return f.Pace })

func fieldsThat(are func(robots.Field) bool) (names []string) {
	for _, f := range robots.Fields() {
		if are(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

// knownField returns the usual spelling of a field, by its name in any case. It knows the ACAP
// fields of 2007, too.
func knownField(name string) (field string, ok bool) {
	if f, ok := robots.FieldNamed(name); ok {
		return f.Name, true
	}
	return name, isACAP(name)
}

// isACAP reports whether a field belongs to ACAP.
func isACAP(name string) bool { return len(name) > 5 && strings.EqualFold(name[:5], "ACAP-") }

// A fieldClass is the mistake in the name of a field.
type fieldClass uint8

const (
	fieldKnown      fieldClass = iota
	fieldLookAlike             // its letters look right but are different characters
	fieldMojibake              // preceded by bytes of a wrongly decoded encoding
	fieldTranslated            // a translation of a known name
	fieldMisspelt              // similar to a known name
	fieldNoColon               // a known name without a colon after it
	fieldUnknown
)

// A fieldGuess is the likely intent of the writer of a line.
type fieldGuess struct {
	class fieldClass
	field string // in the usual spelling
	name  span   // the range of the field and its colon, including blanks after it
}

// maxField is the maximum length of a field name that is examined.
const maxField = 60

// meant returns the likely meaning of a line with an unknown field or without a field.
func (l *line) meant() *fieldGuess {
	if !l.guessed {
		l.fieldGuess, l.guessed = l.guess(), true
	}
	return &l.fieldGuess
}

func (l *line) guess() fieldGuess {
	unknown := fieldGuess{class: fieldUnknown}
	if l.Field != "" {
		if f, ok := knownField(l.Field); ok {
			return fieldGuess{class: fieldKnown, field: f}
		}
		if len(l.Field) > maxField {
			return unknown
		}
		at := l.field()
		if name, rest, ok := strings.Cut(l.Field, " "); ok && strings.EqualFold(name, "Sitemap") &&
			strings.HasPrefix(strings.ToLower(strings.TrimLeft(rest, " \t")), "http") {
			// The colon is that of the URL: "Sitemap https://example.com/".
			at.to = blanksAfter(l.body, at.from+len(name))
			return fieldGuess{fieldNoColon, "Sitemap", at}
		}
		at.to = l.value().from
		class, field := classify(l.Field)
		return fieldGuess{class, field, at}
	}
	body := l.body
	if i := strings.IndexByte(body, '#'); i >= 0 {
		body = body[:i]
	}
	return l.withoutColon(body)
}

// classify returns the class of an unknown name, and the intended field.
func classify(name string) (fieldClass, string) {
	plain := strings.TrimSpace(folded(name))
	if f, ok := knownField(plain); ok {
		return fieldLookAlike, f
	}
	if rest, ok := afterMojibake(name); ok {
		if f, ok := knownField(strings.TrimSpace(rest)); ok {
			return fieldMojibake, f
		}
	}
	if f, ok := translations[strings.ToLower(plain)]; ok {
		return fieldTranslated, f
	}
	if f, ok := translations[strings.ToLower(strings.TrimSpace(name))]; ok {
		return fieldTranslated, f
	}
	if f, ok := misspellings[strings.ToLower(plain)]; ok {
		return fieldMisspelt, f
	}
	bare := strings.Trim(plain, " \t-*=+.,;|>\"'`_")
	bare = strings.NewReplacer("_", "-", " ", "-").Replace(bare)
	if f, ok := knownField(bare); ok {
		return fieldMisspelt, f
	}
	if f, ok := nearest.Of(bare, readFields); ok {
		return fieldMisspelt, f
	}
	return fieldUnknown, ""
}

// misspellings has the misspellings that are too different from their name, or too similar to
// another one.
var misspellings = map[string]string{
	"useragent":       "User-agent",
	"agent":           "User-agent",
	"user-agency":     "User-agent",
	"er-agent":        "User-agent",
	"robot":           "User-agent",
	"bot":             "User-agent",
	"site map":        "Sitemap",
	"sitemap-index":   "Sitemap",
	"sitemapindex":    "Sitemap",
	"sitemap index":   "Sitemap",
	"sitemap url":     "Sitemap",
	"sitemap-url":     "Sitemap",
	"sitemapurl":      "Sitemap",
	"sitemap_url":     "Sitemap",
	"image sitemap":   "Sitemap",
	"video sitemap":   "Sitemap",
	"news sitemap":    "Sitemap",
	"deny":            "Disallow",
	"block":           "Disallow",
	"forbid":          "Disallow",
	"not allow":       "Disallow",
	"no-allow":        "Disallow",
	"dis-allow":       "Disallow",
	"permit":          "Allow",
	"delay":           "Crawl-delay",
	"crawldelay":      "Crawl-delay",
	"crawl-rate":      "Crawl-delay",
	"content-signals": "Content-Signal",
	"content-usages":  "Content-Usage",
}

// translations has names of fields as found in translations of the standard.
var translations = map[string]string{
	// Spanish, Portuguese, Italian, French, German
	"agente de usuario": "User-agent", "agente-usuario": "User-agent", "agente": "User-agent",
	"usuario-agente":    "User-agent",
	"agente do usuário": "User-agent", "agente utente": "User-agent", "agent utilisateur": "User-agent",
	"benutzeragent": "User-agent", "benutzer-agent": "User-agent",
	"no permitir": "Disallow", "no permitido": "Disallow", "rechazar": "Disallow", "prohibir": "Disallow",
	"denegar": "Disallow", "desautorizar": "Disallow",
	"não permitir": "Disallow", "proibir": "Disallow", "non consentire": "Disallow", "vietare": "Disallow",
	"interdire": "Disallow", "refuser": "Disallow", "verbieten": "Disallow", "nicht erlauben": "Disallow",
	"permitir": "Allow", "permitido": "Allow", "consentire": "Allow", "autoriser": "Allow", "permettre": "Allow",
	"erlauben": "Allow", "zulassen": "Allow",
	"mapa del sitio": "Sitemap", "mapa do site": "Sitemap", "plan du site": "Sitemap",
	// Russian, Ukrainian
	"юзер-агент": "User-agent", "агент пользователя": "User-agent", "агент-пользователя": "User-agent",
	"пользовательский агент": "User-agent", "робот": "User-agent",
	"запретить": "Disallow", "запрещать": "Disallow", "запрещено": "Disallow", "запрет": "Disallow",
	"заборонити": "Disallow",
	"разрешить":  "Allow", "разрешать": "Allow", "разрешено": "Allow", "дозволити": "Allow",
	"карта сайта": "Sitemap", "карта-сайта": "Sitemap", "хост": "Host",
	// Korean, Japanese, Chinese
	"사용자 에이전트": "User-agent", "사용자-에이전트": "User-agent", "유저 에이전트": "User-agent", "유저-에이전트": "User-agent",
	"금지": "Disallow", "차단": "Disallow", "허용 안 함": "Disallow", "불허": "Disallow", "허용하지 않음": "Disallow", "허용": "Allow",
	"사이트맵":       "Sitemap",
	"ユーザーエージェント": "User-agent", "禁止": "Disallow", "許可": "Allow", "用户代理": "User-agent", "不允许": "Disallow", "允许": "Allow",
	"网站地图": "Sitemap",
}

// withoutColon guesses the meaning of a line without an ASCII colon: a character that looks
// like a colon, or a known name followed by something else or nothing.
func (l *line) withoutColon(body string) fieldGuess {
	unknown := fieldGuess{class: fieldUnknown}
	from := len(body) - len(strings.TrimLeft(body, " \t"))
	head := body[from:min(len(body), from+maxField)]
	for i, c := range head {
		if i == 0 || c < utf8.RuneSelf && c != ';' && c != '=' && c != ' ' && c != '\t' {
			continue
		}
		name := strings.TrimSpace(folded(head[:i]))
		if strings.HasPrefix(strings.ToLower(name), "user") && c == ' ' && strings.EqualFold(name, "user") {
			continue // "User agent"
		}
		f, ok := knownField(name)
		if !ok && strings.EqualFold(name, "User agent") {
			f, ok = "User-agent", true
		}
		if !ok {
			continue
		}
		size := utf8.RuneLen(c)
		switch {
		case folded(string(c)) == ":":
			end := blanksAfter(body, from+i+size)
			return fieldGuess{fieldLookAlike, f, l.span(from, end)}
		case c >= utf8.RuneSelf && !unicode.IsSpace(c):
			continue
		case !slices.Contains(commonFields, f):
			return unknown // an ordinary word
		}
		end := blanksAfter(body, from+i+size)
		if !looksLikeValue(f, strings.TrimRight(body[end:], " \t")) {
			return unknown
		}
		return fieldGuess{fieldNoColon, f, l.span(from, end)}
	}
	return unknown
}

// blanksAfter returns the end of the blanks at byte i.
func blanksAfter(s string, i int) int { return len(s) - len(strings.TrimLeft(s[i:], " \t")) }

// looksLikeValue reports whether a text can be the value of a field: "Allow from all" is not a
// rule.
func looksLikeValue(field, value string) bool {
	switch field {
	case "Allow", "Disallow":
		return value != "" && strings.IndexByte("/*=:", value[0]) >= 0 && !strings.ContainsAny(value, " \t")
	case "Sitemap":
		return strings.Contains(value, "//")
	case "Crawl-delay":
		return value != "" && '0' <= value[0] && value[0] <= '9'
	}
	return value != "" && len(strings.Fields(value)) <= 2 && strings.Trim(value, "\"'") == value
}

// afterMojibake returns the text after a byte order mark or an invisible character that was
// decoded as Windows-1252 and encoded again as UTF-8.
func afterMojibake(s string) (rest string, ok bool) {
	for _, m := range []string{
		"\u00EF\u00BB\u00BF",                       // a byte order mark
		"\u00E2\u0080\u008B", "\u00E2\u20AC\u2039", // a zero width space
		"\u00C2\u00A0", // a no-break space
		"\uFFFD",
	} {
		if rest, ok := strings.CutPrefix(s, m); ok {
			return rest, true
		}
		if rest, ok := strings.CutSuffix(s, m); ok {
			return rest, true
		}
	}
	return s, false
}
