package lsp

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A prose is a text for people: paragraphs and lists, in Markdown and in plain text. Text of
// strangers is safe in it: it is either [code] or escaped.
type prose struct{ markdown, plain strings.Builder }

// code is an argument of prose that is shown as written in the file. In Markdown it is a code
// span, in which nothing is markup.
type code string

// strong is an argument of prose that is emphasised.
type strong string

// link is an argument of prose that links to a page. Only our own addresses may be links.
type link struct{ label, address string }

// maxPiece is the maximum length of a shown part of the file.
const maxPiece = 160

// say adds a paragraph. The format is as for [fmt.Sprintf], and itself plain text; string
// arguments are escaped.
func (p *prose) say(format string, args ...any) { p.add("\n\n", format, args) }

// item adds an item of a list.
func (p *prose) item(format string, args ...any) {
	before := "\n"
	if !p.inList() {
		before = "\n\n"
	}
	p.add(before, "- "+format, args)
}

// append appends another text.
func (p *prose) append(q *prose) {
	if p.plain.Len() > 0 && q.plain.Len() > 0 {
		p.markdown.WriteString("\n\n")
		p.plain.WriteString("\n\n")
	}
	p.markdown.WriteString(q.markdown.String())
	p.plain.WriteString(q.plain.String())
}

// inList reports whether the last paragraph is an item.
func (p *prose) inList() bool {
	s := p.plain.String()
	return strings.HasPrefix(s[strings.LastIndexByte(s, '\n')+1:], "- ")
}

func (p *prose) add(before, format string, args []any) {
	marked, plain := make([]any, len(args)), make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case code:
			marked[i], plain[i] = arg.markdown(), printable.Clipped(string(arg), maxPiece)
		case strong:
			marked[i], plain[i] = "**"+escaped(string(arg))+"**", string(arg)
		case link:
			marked[i], plain[i] = "["+escaped(arg.label)+"](<"+arg.address+">)", arg.label+" ("+arg.address+")"
		case []code:
			all, bare := make([]string, len(arg)), make([]string, len(arg))
			for i, c := range arg {
				all[i], bare[i] = c.markdown(), printable.Clipped(string(c), maxPiece)
			}
			marked[i], plain[i] = enumerated(all), enumerated(bare)
		case string:
			marked[i], plain[i] = escaped(arg), printable.Text(arg)
		default:
			marked[i], plain[i] = arg, arg
		}
	}
	if p.plain.Len() > 0 {
		p.markdown.WriteString(before)
		p.plain.WriteString(before)
	}
	fmt.Fprintf(&p.markdown, format, marked...)
	fmt.Fprintf(&p.plain, format, plain...)
}

// markdown returns c as a code span, delimited by more backticks than c contains.
func (c code) markdown() string {
	s := printable.Clipped(string(c), maxPiece)
	if strings.TrimSpace(s) == "" {
		return "(nothing)"
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// escaped escapes Markdown and HTML in a text.
func escaped(s string) string {
	var b strings.Builder
	for _, c := range printable.Text(s) {
		if strings.ContainsRune("\\`*_[]<>&#~|!", c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// enumerated returns a list of words for use in a sentence.
func enumerated(words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

// plural returns a number with a noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
