package identify

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Notes say which ranges were used and how old they are, and what could not be verified. They are stored
// in parts of audits: the names of their members and the values of State never change.
type Notes struct {
	Ranges     []Ranges     `json:"ranges,omitempty"`     // sorted
	MaxAsked   int          `json:"max_asked,omitempty"`  // the DNS was asked about so many addresses, and not about others; or 0
	Unanswered []Unanswered `json:"unanswered,omitempty"` // by token
}

// Ranges are those of a range document. The State is read, old or missing.
type Ranges struct {
	Source string `json:"source"`
	State  string `json:"state"`
	Day    string `json:"day,omitempty"` // on which they were fetched, such as 2026-03-01
}

// Unanswered has the addresses, sorted, about which the DNS gave no answer for a robot.
type Unanswered struct {
	Token     string       `json:"token"`
	Addresses []netip.Addr `json:"addresses"`
}

const (
	stateRead    = "read"
	stateOld     = "old"
	stateMissing = "missing"

	maxNamed = 10 // robots with a name in a note
)

// Notes returns the notes about what was identified so far.
func (id *Identifier) Notes() *Notes {
	n := new(Notes)
	for _, m := range *id.methods.Load() {
		for _, d := range m.documents {
			r := Ranges{Source: printable.Text(d.Source), State: stateRead}
			switch {
			case d.Read.IsZero():
				r.State = stateMissing
			case d.Stale:
				r.State = stateOld
			}
			if r.State != stateMissing {
				r.Day = d.Read.Format(time.DateOnly)
			}
			n.Ranges = append(n.Ranges, r)
		}
	}
	id.mu.Lock()
	defer id.mu.Unlock()
	if id.unasked && id.dns {
		n.MaxAsked = id.maxAddresses
	}
	for q, a := range id.answers {
		if a.silent {
			n.Unanswered = append(n.Unanswered, Unanswered{q.token, []netip.Addr{q.client}})
		}
	}
	return JoinNotes(n)
}

// JoinNotes joins the notes of several identifiers, in any order. None, or nil, is as an identifier that
// identified nobody.
func JoinNotes(all ...*Notes) *Notes {
	joined := new(Notes)
	silent := make(map[string][]netip.Addr)
	for _, n := range all {
		if n == nil {
			continue
		}
		joined.Ranges = append(joined.Ranges, n.Ranges...)
		joined.MaxAsked = max(joined.MaxAsked, n.MaxAsked)
		for _, u := range n.Unanswered {
			silent[u.Token] = append(silent[u.Token], u.Addresses...)
		}
	}
	slices.SortFunc(joined.Ranges, func(a, b Ranges) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.Day, b.Day), strings.Compare(a.State, b.State))
	})
	joined.Ranges = slices.Compact(joined.Ranges)
	for _, token := range slices.Sorted(maps.Keys(silent)) {
		addresses := silent[token]
		slices.SortFunc(addresses, netip.Addr.Compare)
		joined.Unanswered = append(joined.Unanswered, Unanswered{token, slices.Compact(addresses)})
	}
	return joined
}

// In returns the notes in a language, safe for a terminal.
func (n *Notes) In(l language.Language) (notes []string) {
	for _, r := range n.Ranges {
		source, day := printable.Text(r.Source), printable.Text(r.Day)
		switch r.State {
		case stateMissing:
			notes = append(notes, textMissing.In(l, source))
		case stateOld:
			notes = append(notes, textOld.In(l, source, day))
		default:
			notes = append(notes, textRead.In(l, source, day))
		}
	}
	if n.MaxAsked > 0 {
		notes = append(notes, textUnasked.In(l, n.MaxAsked))
	}
	if total, robots := n.Silent(); robots != "" {
		notes = append(notes, textUnanswered.In(l, strconv.Itoa(total), robots))
	}
	return notes
}

// Silent returns the number of addresses about which the DNS gave no answer, and the robots that they name, with the
// number for each, safe for a terminal.
func (n *Notes) Silent() (total int, robots string) {
	var names []string
	for _, u := range n.Unanswered {
		total += len(u.Addresses)
		names = append(names, printable.Text(u.Token)+" ("+strconv.Itoa(len(u.Addresses))+")")
	}
	if len(names) > maxNamed {
		names = append(names[:maxNamed], "…")
	}
	return total, strings.Join(names, ", ")
}

var (
	textRead = language.New(
		"The ranges of %[1]s are those of %[2]s.",
		"Los rangos de %[1]s son los del %[2]s.",
		"%[1]s의 주소 범위는 %[2]s의 것입니다.",
		"Диапазоны %[1]s взяты за %[2]s.")
	textOld = language.New(
		"The ranges of %[1]s are those of %[2]s. They are too old to prove that other addresses are forged.",
		"Los rangos de %[1]s son los del %[2]s. Son demasiado antiguos para probar que otras direcciones son falsas.",
		"%[1]s의 주소 범위는 %[2]s의 것입니다. 너무 오래되어 다른 주소가 위조임을 증명하지 못합니다.",
		"Диапазоны %[1]s взяты за %[2]s. Они слишком стары, чтобы доказать, что другие адреса поддельны.")
	textMissing = language.New(
		"The ranges of %[1]s are not in the folder, are unreadable, or are older than 30 days.",
		"Los rangos de %[1]s no están en la carpeta, no se pueden leer o tienen más de 30 días.",
		"%[1]s의 주소 범위가 폴더에 없거나, 읽을 수 없거나, 30일보다 오래되었습니다.",
		"Диапазонов %[1]s нет в папке, или их не прочесть, или они старше 30 дней.")
	textUnasked = language.New(
		"The logs have more than %[1]d addresses of robots. The DNS was not asked about the others, and they may differ from run to run.",
		"Los registros tienen más de %[1]d direcciones de robots. No se preguntó al DNS por las demás, y pueden variar de una ejecución a otra.",
		"로그에 있는 로봇 주소가 %[1]d개보다 많습니다. 나머지는 DNS에 묻지 않았으며, 실행할 때마다 달라질 수 있습니다.",
		"В журналах больше адресов роботов, чем %[1]d. Об остальных DNS не спрашивали, и от запуска к запуску они могут быть разными.")
	textUnanswered = language.New(
		"DNS servers gave no answer about some addresses, so the DNS did not check their requests. Addresses without an answer: %[1]s, in the name of %[2]s. Repeat the audit, or name another server with --dns.",
		"Los servidores DNS no respondieron sobre algunas direcciones, así que el DNS no comprobó sus peticiones. Direcciones sin respuesta: %[1]s, en nombre de %[2]s. Repita la auditoría o indique otro servidor con --dns.",
		"DNS 서버가 일부 주소에 응답하지 않아 그 요청은 DNS로 확인하지 못했습니다. 응답이 없는 주소: %[1]s개, 로봇: %[2]s. 감사를 다시 하거나 --dns로 다른 서버를 지정하십시오.",
		"Серверы DNS не ответили о некоторых адресах, поэтому их запросы по DNS не проверены. Адресов без ответа: %[1]s, от имени %[2]s. Повторите проверку или назовите другой сервер с помощью --dns.")
)
