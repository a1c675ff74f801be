package agent

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
)

// Search returns the agents that a text names, and whether it names exactly one: a product token,
// in any case and with or without a version, or a User-Agent header, also of an unknown program.
// Any other text is searched for in the tokens, names and operators of the table, ignoring case; if
// none of them has it, it may be a common name, as in [Table.Resolve]. Several words that are no
// such name are a header too, if Lookup knows the kind of program: "Feedbin feed-id:7".
func (t *Table) Search(text string) (found []Agent, exact bool) {
	if a := t.Named(text); a.Known() && !IsHeader(text) {
		return []Agent{a}, true
	}
	if strings.ContainsRune(text, '/') || IsHeader(text) {
		return []Agent{t.Lookup(text)}, true
	}
	lower := strings.ToLower(text)
	for a := range t.All() {
		if strings.Contains(strings.ToLower(a.Token+"\n"+a.Name+"\n"+a.Operator), lower) {
			found = append(found, a)
		}
	}
	if len(found) == 0 {
		all, _ := t.Resolve(text)
		for _, s := range all {
			if s.agent.Known() {
				found = append(found, s.agent)
			}
		}
	}
	if len(found) == 0 && strings.Contains(strings.TrimSpace(text), " ") {
		if a := t.Lookup(text); a.Known() || a.Kind != Program && a.Kind != Unknown {
			return []Agent{a}, true
		}
	}
	return found, false
}

// AppendJSON appends an object with "version", that of the table, and "agents", one on each line.
// Non-printable characters are escaped.
func (t *Table) AppendJSON(b []byte, agents []Agent) []byte {
	b = printable.AppendJSON(append(b, `{"version": `...), t.Version())
	b = append(b, `, "agents": [`...)
	for i, a := range agents {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, "\n  "...), printable.JSON(printable.AppendJSON(nil, a))...)
	}
	if len(agents) > 0 {
		b = append(b, '\n')
	}
	return append(b, "]}\n"...)
}
