package identify

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Notes say which ranges were used and how old they are, and what could not be verified. They are stored
// in parts of audits: the names of their members and the values of State never change.
type Notes struct {
	Ranges   []Ranges `json:"ranges,omitempty"`    // sorted
	MaxAsked int      `json:"max_asked,omitempty"` // the DNS was asked about so many addresses, and not about others; or 0
}

// Ranges are those of a range document. The State is read, old or missing.
type Ranges struct {
	Source string `json:"source"`
	State  string `json:"state"`
	Day    string `json:"day,omitempty"` // on which they were fetched, such as 2026-03-01
}

const (
	stateRead    = "read"
	stateOld     = "old"
	stateMissing = "missing"
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
	return JoinNotes(n)
}

// JoinNotes joins the notes of several identifiers, in any order. None, or nil, is as an identifier that
// identified nobody.
func JoinNotes(all ...*Notes) *Notes {
	joined := new(Notes)
	for _, n := range all {
		if n == nil {
			continue
		}
		joined.Ranges = append(joined.Ranges, n.Ranges...)
		joined.MaxAsked = max(joined.MaxAsked, n.MaxAsked)
	}
	slices.SortFunc(joined.Ranges, func(a, b Ranges) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.Day, b.Day), strings.Compare(a.State, b.State))
	})
	joined.Ranges = slices.Compact(joined.Ranges)
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
	return notes
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
)
