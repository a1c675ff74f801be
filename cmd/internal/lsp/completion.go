package lsp

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/lint"
)

// completion returns the completions at the cursor: fields at the start of a line, names of
// robots and of uses after their fields, and names of checks in a comment for lint.
func (d *document) completion(c *client, at placeParams) (any, error) {
	list := completionList{Items: []completionItem{}}
	if d.trouble != noTrouble || at.Position.Line < 0 || at.Position.Line >= d.text.lines() {
		return list, nil
	}
	start, end := d.text.line(at.Position.Line)
	if start == 0 {
		start = d.top()
	}
	cursor := max(d.text.offset(at.Position), start)
	p := place{document: d, client: c, line: d.text.content[start:end], start: start, at: cursor - start}
	list.Items = append(list.Items, p.items()...)
	list.IsIncomplete = p.filtered
	return list, nil
}

// A place is a place of completion.
type place struct {
	*document
	*client
	line  string // without its line end
	start int    // offset of the line
	at    int    // bytes of the line before the cursor

	filtered bool // items are left out, so that the client must ask again when the text changes
}

func (p *place) items() []completionItem {
	before := p.line[:p.at]
	if i := strings.IndexByte(before, '#'); i >= 0 {
		return p.forComment(i + 1)
	}
	field, _, ok := strings.Cut(before, ":")
	if !ok {
		return p.forField()
	}
	switch strings.ToLower(strings.TrimSpace(field)) {
	case "user-agent":
		return p.robots(len(field) + 1)
	case "content-signal":
		return p.preferences(len(field)+1, ",", signals)
	case "content-usage":
		return p.preferences(len(field)+1, ", \t", usages)
	}
	return nil
}

// item returns an item that replaces the bytes of the line from from to to, which contain the
// cursor, by a text.
func (p *place) item(label, text string, from, to, kind int) completionItem {
	return completionItem{Label: label, Kind: kind, FilterText: label,
		Edit: textEdit{p.text.span(p.start+from, p.start+to), text}}
}

// documented returns a documentation.
func (p *place) documented(say func(*prose)) *markup {
	text := new(prose)
	say(text)
	m := markupIn(p.markdownItems, text)
	return &m
}

// word returns the start and the end of the word at the cursor. The word starts at or after a
// given byte, and any of some bytes ends it.
func (p *place) word(from int, ends string) (start, end int) {
	start = max(from, strings.LastIndexAny(p.line[:p.at], ends)+1)
	end = len(p.line)
	if i := strings.IndexAny(p.line[p.at:], ends); i >= 0 {
		end = p.at + i
	}
	return start, end
}

// forField returns the fields.
func (p *place) forField() (items []completionItem) {
	from := len(p.line) - len(strings.TrimLeft(p.line, " \t"))
	from = min(from, p.at)
	_, to := p.word(from, ":# \t")
	rest := strings.TrimLeft(p.line[to:], " \t")
	for i, f := range completed() {
		text := f.Name + ": "
		if strings.HasPrefix(rest, ":") {
			text = f.Name // the line has its colon already
		}
		item := p.item(f.Name, text, from, to, kindKeyword)
		item.SortText = fmt.Sprintf("%02d", i)
		item.Detail = form(f)
		if about, ok := fieldTexts[f.Name]; ok {
			item.Documentation = p.documented(func(t *prose) {
				t.say("%s", about.meaning)
				t.say("Who reads it: %s.", about.readers)
			})
		}
		items = append(items, item)
	}
	return items
}

// robots returns the names of robots that have the letters before the cursor, in order. All robots
// come first, and robots that the file already names last.
func (p *place) robots(from int) (items []completionItem) {
	from, to := p.value(from)
	named := make(map[string]bool)
	for _, g := range p.policy().Groups() {
		for _, name := range g.Agents() {
			named[strings.ToLower(name)] = true
		}
	}
	delete(named, strings.ToLower(p.line[from:to])) // the name in this line does not count
	typed := strings.ToLower(p.line[from:p.at])
	p.filtered = typed != ""
	if hasLetters("*", typed) {
		everyone := p.item("*", "*", from, to, kindValue)
		everyone.SortText = "0"
		everyone.Detail = "all robots that no other group names"
		items = append(items, everyone)
	}
	for a := range p.options.Robots.All() {
		if !hasLetters(strings.ToLower(a.Token), typed) {
			continue
		}
		item := p.item(a.Token, a.Token, from, to, kindValue)
		item.SortText = "1" + strings.ToLower(a.Token)
		if named[strings.ToLower(a.Token)] {
			item.SortText = "2" + strings.ToLower(a.Token)
		}
		item.Detail = strings.TrimSuffix(strings.TrimPrefix(a.Operator+": "+a.Purposes.String(), ": "), ": ")
		items = append(items, item)
	}
	return items
}

// hasLetters reports whether a name has the letters in order, perhaps with others between them.
// Clients select items in the same way.
func hasLetters(name, letters string) bool {
	for _, letter := range letters {
		_, rest, ok := strings.Cut(name, string(letter))
		if !ok {
			return false
		}
		name = rest
	}
	return true
}

// value returns the start and the end of the value after a colon, without white space and
// comment. The cursor is inside.
func (p *place) value(from int) (start, end int) {
	end = len(p.line)
	if i := strings.IndexByte(p.line[p.at:], '#'); i >= 0 {
		end = p.at + i
	}
	end = max(p.at, from+len(strings.TrimRight(p.line[from:end], " \t")))
	return min(p.at, end-len(strings.TrimLeft(p.line[from:end], " \t"))), end
}

// A use is a key of a list of preferences, with its values.
type use struct {
	key, meaning string
	values       []string
}

var signals = []use{
	{"search", "to find pages by their words, and to show links and short excerpts", []string{"yes", "no"}},
	{"ai-input", "to answer questions from pages", []string{"yes", "no"}},
	{"ai-train", "to train models", []string{"yes", "no"}},
	{"use", "how much of a page may be used", []string{"immediate", "reference", "full"}},
}

var usages = []use{
	{"train-ai", "to train models", []string{"y", "n"}},
	{"search", "to find pages, and to show where they are", []string{"y", "n"}},
}

// preferences returns the keys of a list, or the values of the key before the cursor.
func (p *place) preferences(from int, separators string, uses []use) (items []completionItem) {
	start, end := p.word(from, separators+"=#")
	if start > from && p.line[start-1] == '=' {
		keyStart := max(from, strings.LastIndexAny(p.line[:start-1], separators)+1)
		key := strings.TrimSpace(p.line[keyStart : start-1])
		for _, u := range uses {
			if u.key == key {
				for _, value := range u.values {
					items = append(items, p.item(value, value, start,
						max(p.at, start+len(strings.TrimRight(p.line[start:end], " \t"))), kindValue))
				}
			}
		}
		return items
	}
	start = min(p.at, start+len(p.line[start:end])-len(strings.TrimLeft(p.line[start:end], " \t")))
	end = max(p.at, start+len(strings.TrimRight(p.line[start:end], " \t")))
	written := strings.HasPrefix(p.line[end:], "=")
	for i, u := range uses {
		text := u.key + "="
		if written {
			text = u.key
		}
		item := p.item(u.key, text, start, end, kindProperty)
		item.SortText = fmt.Sprint(i)
		item.Detail = u.meaning
		items = append(items, item)
	}
	return items
}

// forComment returns completions for a comment for lint, which starts after its "#": the
// command, and after the command the names of checks.
func (p *place) forComment(from int) (items []completionItem) {
	from += len(p.line[from:]) - len(strings.TrimLeft(p.line[from:], "# \t"))
	from = min(from, p.at)
	order := p.line[from:p.at]
	rest, ours := strings.CutPrefix(order, ignoreMark)
	if !ours {
		if !strings.HasPrefix(ignoreMark, order) {
			return nil
		}
		for _, o := range []string{"ignore", "ignore-file"} {
			items = append(items, p.item(ignoreMark+" "+o, ignoreMark+" "+o+" ", from, p.at, kindKeyword))
		}
		return items
	}
	words := strings.Fields(rest)
	if r, _ := utf8.DecodeLastRuneInString(rest); r == ' ' || r == '\t' || rest == "" {
		words = append(words, "")
	}
	start, end := p.word(from, ":, \t")
	switch {
	case len(words) == 1:
		for _, o := range []string{"ignore", "ignore-file"} {
			text := o + " "
			if rest == "" {
				text = " " + text
			}
			items = append(items, p.item(o, text, start, end, kindKeyword))
		}
	case len(words) == 2 && (words[0] == "ignore" || words[0] == "ignore-file"):
		here := p.found(words[0] == "ignore-file")
		for i, check := range lint.Checks() {
			item := p.item(check.Name, check.Name, start, end, kindValue)
			item.Detail = check.Severity.String()
			item.SortText = fmt.Sprintf("2%03d", i)
			if slices.Contains(here, check.Name) {
				item.SortText = fmt.Sprintf("1%03d", i)
			}
			item.Documentation = p.documented(func(t *prose) { t.say("%s", check.Summary("")) })
			items = append(items, item)
		}
	}
	return items
}

// found returns the checks with findings that a comment on this line would silence.
func (p *place) found(inFile bool) (names []string) {
	number := p.text.position(p.start).Line + 1
	target := number
	for n, l := range p.policy().Lines() {
		if n >= number && l.Kind != robots.Comment {
			target = n
			break
		}
	}
	for _, d := range p.report().Diagnostics {
		if inFile || d.Line == target {
			names = append(names, d.Check.Name)
		}
	}
	return names
}
