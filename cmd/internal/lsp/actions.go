package lsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/lint"
)

// maxRewritten is the maximum size in bytes of a file that is rewritten as a whole, or checked
// again for a code action: the size that robots must read. Each of these takes the time of
// several checks of the file.
const maxRewritten = 512 << 10

// codeActions returns the actions for the diagnostics in a range: their fixes, comments that
// silence them, and all safe fixes of the file.
func (d *document) codeActions(c *client, p codeActionParams) (any, error) {
	actions := []codeAction{}
	if d.trouble != noTrouble {
		return actions, nil
	}
	if wanted(p.Context.Only, kindQuickFix) {
		actions = append(actions, d.quickFixes(c, p.Range)...)
	}
	safe := func(found lint.Diagnostic) bool { return found.Fix != nil && found.Fix.Safe }
	if wanted(p.Context.Only, kindFixAll) && len(d.text.content) <= maxRewritten &&
		slices.ContainsFunc(d.report().Diagnostics, safe) {
		if edit, ok := d.edit(c, difference(d.text.content, d.fixed())); ok {
			actions = append(actions, codeAction{Title: titleFixAll.in(d.options.Language), Kind: kindFixAll,
				Edit: edit})
		}
	}
	return actions, nil
}

// wanted reports whether a client that asks for some kinds of actions, or for all, wants
// actions of a kind.
func wanted(only []string, kind string) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(o string) bool {
		return o == "" || kind == o || strings.HasPrefix(kind, o+".")
	})
}

// edit returns edits of the document in the form of the protocol.
func (d *document) edit(c *client, edits []lint.Edit) (workspaceEdit, bool) {
	list, ok := d.text.textEdits(edits)
	if !ok || len(list) == 0 {
		return workspaceEdit{}, false
	}
	if c.versioned {
		id := documentID{d.uri, &d.version}
		return workspaceEdit{DocumentChanges: []documentEdit{{id, list}}}, true
	}
	return workspaceEdit{Changes: map[string][]textEdit{d.uri: list}}, true
}

// maxSilenced is the maximum number of diagnostics with an action that silences them. A range
// has more only if the whole file is selected.
const maxSilenced = 20

// quickFixes returns the fixes of the diagnostics in a range, and comments that silence them,
// each once: first those for a line, then those for the file.
func (d *document) quickFixes(c *client, in span) []codeAction {
	var fixes, silencers, forFile []codeAction
	at := cursor{text: d.text}
	silenced := make(map[string]int) // for each check, the line for which it was silenced last
	for i := range d.report().Diagnostics {
		found := &d.report().Diagnostics[i]
		if found.Line-1 > in.End.Line {
			break // diagnostics are in the order of their lines
		}
		shown := d.diagnostic(found, &at, c)
		if shown.Range.End.before(in.Start) || in.End.before(shown.Range.Start) {
			continue
		}
		if fix := found.Fix; fix != nil {
			if edit, ok := d.edit(c, fix.Edits); ok {
				fixes = append(fixes, codeAction{
					Title:       fmt.Sprintf("%s (%s)", fix.Title, effects[fix.Effect].in(d.options.Language)),
					Kind:        kindQuickFix,
					Diagnostics: []diagnostic{shown},
					IsPreferred: fix.Safe,
					Edit:        edit,
				})
			}
		}
		name := found.Check.Name
		before, again := silenced[name]
		if again && before == found.Line || len(silencers)+len(forFile) >= maxSilenced || unsilenced[name] {
			continue
		}
		silenced[name] = found.Line
		silencer := func(title wording, comment lint.Edit) codeAction {
			edit, _ := d.edit(c, []lint.Edit{comment})
			return codeAction{Title: fmt.Sprintf(title.in(d.options.Language), name), Kind: kindQuickFix,
				Diagnostics: []diagnostic{shown}, Edit: edit}
		}
		if comment, ok := d.ignoreHere(found); ok {
			silencers = append(silencers, silencer(titleIgnore, comment))
		}
		if !again {
			forFile = append(forFile, silencer(titleIgnoreFile, d.ignoreComment("ignore-file", name, d.top())))
		}
	}
	return slices.Concat(fixes, silencers, forFile)
}

// unsilenced has the checks that no comment should silence: checks of such comments, and checks
// that report files without comments.
var unsilenced = map[string]bool{"bad-ignore": true, "unused-ignore": true, "not-robots": true, "utf-16": true}

// top returns the offset of the first line, after a byte order mark.
func (d *document) top() int {
	if strings.HasPrefix(d.text.content, byteOrderMark) {
		return len(byteOrderMark)
	}
	return 0
}

// ignoreComment returns an edit that inserts a comment for lint as a line.
func (d *document) ignoreComment(order, check string, at int) lint.Edit {
	comment := fmt.Sprintf("# robots-lint: %s %s %s%s", order, check, placeholder.in(d.options.Language),
		d.text.ending())
	return lint.Edit{Start: at, End: at, New: comment}
}

// ignoreHere returns an edit that inserts a comment above the line of a diagnostic to silence
// it. There is no edit for a diagnostic that would stay, because it is about a comment, or is
// about the whole file and only shown at the line. There is none in a very large file either,
// where this takes too long to find out.
func (d *document) ignoreHere(found *lint.Diagnostic) (lint.Edit, bool) {
	line, ok := d.line(found.Line - 1)
	if !ok || line.Kind == robots.Comment || len(d.text.content) > maxRewritten {
		return lint.Edit{}, false
	}
	_, start := bodyOf(line)
	edit := d.ignoreComment("ignore", found.Check.Name, start)
	only := d.options
	only.Disable = nil // otherwise the check would have found nothing
	for _, c := range lint.Checks() {
		if c != found.Check {
			only.Disable = append(only.Disable, c.Name)
		}
	}
	fix := lint.Fix{Edits: []lint.Edit{edit}}
	after := lint.Run(robots.Parse([]byte(fix.Apply(d.text.content))), only)
	return edit, count(after, found.Check) < count(d.report(), found.Check)
}

// count returns the number of diagnostics of a check.
func count(r *lint.Report, check *lint.Check) (n int) {
	for i := range r.Diagnostics {
		if r.Diagnostics[i].Check == check {
			n++
		}
	}
	for _, o := range r.Omitted {
		if o.Check == check {
			n += o.Count
		}
	}
	return n
}
