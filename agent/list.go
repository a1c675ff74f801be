package agent

import (
	"slices"
	"strings"
)

// list returns the parts of a text that names several robots: each is a name or a header. It
// returns nil if the text is one name or one header. A text that has the form of a header is a list
// if two of its parts name two robots of the table, or if each is a name, perhaps with a version
// and a comment. Parts are divided by commas and semicolons outside parentheses, or else by blanks
// if there are no parentheses. Semicolons also divide headers, so such names are a list only if one
// of them is known, or none has a version.
func (t *Table) list(text string) []string {
	parts, comma := divided(text)
	if len(parts) < 2 {
		if strings.ContainsAny(text, "(>") || strings.Count(text, "/") < 2 {
			return nil
		}
		parts = strings.Fields(text)
		if !t.several(parts) || t.Lookup(text).Device {
			return nil
		}
		return parts
	}
	switch {
	case !looksLikeHeader(text), t.several(parts):
		return parts
	case slices.ContainsFunc(parts, func(part string) bool { return !t.isEntry(part) }):
		return nil
	case comma, !strings.Contains(text, "/"),
		slices.ContainsFunc(parts, func(part string) bool { return t.Lookup(part).Known() }):
		return parts
	}
	return nil
}

// divided returns the parts of a text between commas and semicolons outside parentheses, without
// white space, and whether one of these is a comma. Parts without text are left out.
func divided(text string) (parts []string, comma bool) {
	depth, start := 0, 0
	end := func(i int) {
		if part := strings.TrimFunc(text[start:i], isUnseen); part != "" {
			parts = append(parts, part)
		}
	}
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth = max(0, depth-1)
		case depth == 0 && (c == ',' || c == ';'):
			end(i)
			start = i + 1
			comma = comma || c == ','
		}
	}
	end(len(text))
	return parts, comma
}

// isEntry reports whether a part of a text is a name, perhaps with a version and a comment. A name
// of several words is one that people use.
func (t *Table) isEntry(part string) bool {
	if at := strings.IndexByte(part, '('); at > 0 && part[at-1] == ' ' && part[len(part)-1] == ')' {
		part = strings.TrimSpace(part[:at])
	}
	name, version, ok := strings.Cut(part, "/")
	if ok && (version == "" || strings.ContainsAny(version, " \t/:")) {
		return false
	}
	return isWord(name) && isName(name, ok) && !equalFold(name, "Mozilla") ||
		!ok && len(t.orBuiltin().names().called[plainName(name)]) > 0
}

// several reports whether texts name two robots of the table, by their headers or their tokens.
func (t *Table) several(parts []string) bool {
	var first *robot
	for _, part := range parts {
		a := t.Lookup(part)
		if a.robot == nil || a.Kind != Robot {
			continue
		}
		if first != nil && a.robot != first {
			return true
		}
		first = a.robot
	}
	return false
}
