package agent

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
)

// Search returns the agents that a text names, and whether it names exactly one: a product token,
// in any case and with or without a version, or a User-Agent header, also of an unknown program.
// Any other text is searched for in the tokens, names and operators of the table, ignoring case,
// where a word begins or ends, unless [Table.Resolve] proposes purposes for it. If none of them has
// it, it may be a common name, as in [Table.Resolve]. Several words that are not
// such a name are a header too, if Lookup knows the kind of program: "Feedbin feed-id:7".
func (t *Table) Search(text string) (found []Agent, exact bool) {
	if a := t.Named(text); a.Known() && !IsHeader(text) {
		return []Agent{a}, true
	}
	if strings.ContainsRune(text, '/') || IsHeader(text) {
		return []Agent{t.Lookup(text)}, true
	}
	if purposesMeant(text) != "" {
		if _, err := t.Resolve(text); err != nil { // "ai" is a part of many names
			return nil, false
		}
	}
	for a := range t.All() {
		if hasWord(a.Token+"\n"+a.Name+"\n"+a.Operator, text) {
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

// hasWord reports whether a text has a part in any case, where a word begins or ends, as "image" in
// "Googlebot-Image" and "bot" in "Googlebot".
func hasWord(text, part string) bool {
	lower, part := strings.ToLower(text), strings.ToLower(part)
	for at := 0; part != ""; at++ {
		i := strings.Index(lower[at:], part)
		if i < 0 {
			return false
		}
		at += i
		if end := at + len(part); isBorder(text, at) || isBorder(text, end) {
			return true
		}
	}
	return false
}

// isBorder reports whether a word begins or ends at a place of a text: there is no letter or digit
// on one side, or a capital begins a word after a small letter.
func isBorder(text string, at int) bool {
	if at <= 0 || at >= len(text) {
		return true
	}
	word := func(c byte) bool { return isLetter(c) || isDigit(c) || c >= 0x80 }
	before, after := text[at-1], text[at]
	if isUpper(before) && isUpper(after) { // in "GPTBot"
		return at+1 < len(text) && isSmall(text[at+1:at+2])
	}
	return !word(before) || !word(after) || isUpper(after)
}
