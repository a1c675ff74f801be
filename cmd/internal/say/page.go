package say

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

var (
	textFactPage       = language.New("page")
	textFactDropped    = language.New("dropped")
	textRedirectHeader = language.New(
		"X-Robots-Tag of redirect %[1]d: it is about the URL that redirects, not about this page")
	textFactTitle       = language.New("title")
	textFactDescription = language.New("description")
	textFactKeywords    = language.New("keywords")
	textFactCanonical   = language.New("canonical")
	textFactCopyOf      = language.New("copy of")
	textFactPolicy      = language.New("TDM policy")
	textFactState       = language.New("state")
	textFactCharset     = language.New("charset")
	textFactCut         = language.New("cut")
	textFactNoSnippet   = language.New("no snippet")
	textManyCanonicals  = language.New("none: the page names %[1]d that differ")
	textLimitsHid       = language.New("limits hid a part of the page: %[1]s")
	textSections        = language.New("%[1]d ⟨section/sections⟩ of data-nosnippet")
	textDirectives      = language.New("directives")
	textLinks           = language.New("%[1]d ⟨link/links⟩")
)

// Page writes a page: its facts, its directives, the decision for each robot, and with links
// whether the first robot may follow them.
func (p *Printer) Page(of *ask.Page, robots []agent.Subject, links bool) {
	p.facts(of)
	p.directives(of.Doc)
	fmt.Fprintln(p.W)
	t, code := p.table(), p.Language.String()
	for _, r := range robots {
		d := of.Doc.For(r.PageNames()...)
		t.Add([]columns.Cell{either(d.Index, "index", "noindex"), either(d.Follow, "follow", "nofollow"),
			columns.Text(printable.Shown(r.Name)), columns.Text(d.Sentence(code))})
	}
	t.Flush()
	if !links {
		return
	}
	fmt.Fprintf(p.W, "\n%s\n", p.in(textLinks, len(of.Doc.Links)))
	d := of.Doc.For(robots[0].PageNames()...)
	for _, to := range of.Doc.Links {
		link, why := d.Link(to), ""
		if !link.Follow {
			why = link.Sentence(code)
		}
		t.Add([]columns.Cell{either(link.Follow, "    follow", "    nofollow"), columns.Text(to.Element),
			columns.Text(printable.Shown(to.URL)), columns.Text(why)})
	}
	t.Flush()
}

// either returns the word for yes in green, or that for no in red.
func either(ok bool, yes, no string) columns.Cell {
	if ok {
		return columns.Green(yes)
	}
	return columns.Red(no)
}

// facts writes the facts of the page other than its directives.
func (p *Printer) facts(of *ask.Page) {
	t, doc := p.table(), of.Doc
	fact := func(title language.Text, text string) {
		if text != "" {
			t.Add([]columns.Cell{columns.Bold(p.in(title)), columns.Text(printable.Text(text))})
		}
	}
	if of.Status > 0 {
		fact(textFactPage, of.Sentence(p.Language.String()))
	}
	for _, n := range of.Dropped {
		fact(textFactDropped, p.in(textRedirectHeader, n))
	}
	fact(textFactTitle, doc.Title)
	fact(textFactDescription, doc.Description)
	fact(textFactKeywords, strings.Join(doc.Keywords, ", "))
	if url, ok := doc.Canonical(); ok {
		fact(textFactCanonical, url)
	} else if len(doc.Canonicals) > 1 {
		fact(textFactCanonical, p.in(textManyCanonicals, len(doc.Canonicals)))
	}
	fact(textFactCopyOf, doc.Original)
	fact(textFactPolicy, doc.TDMPolicy)
	if doc.Dynamic {
		fact(textFactState, "dynamic")
	}
	if doc.Charset.Name != "" {
		fact(textFactCharset, doc.Charset.Name+" ("+doc.Charset.Found+")")
	}
	if doc.Cut != 0 {
		fact(textFactCut, p.in(textLimitsHid, doc.Cut.String()))
	}
	if n := len(doc.NoSnippet); n > 0 {
		fact(textFactNoSnippet, p.in(textSections, n))
	}
	t.Flush()
}

// directives writes the directives of the page with their sources.
func (p *Printer) directives(doc *page.Doc) {
	if len(doc.Directives) == 0 {
		return
	}
	fmt.Fprintln(p.W, "\n"+p.in(textDirectives))
	t := p.table()
	for _, d := range doc.Directives {
		source := d.Source.String() // such as "X-Robots-Tag 1"
		if d.Source.Line > 0 {
			source = p.in(textLine, d.Source.Line)
		}
		t.Add([]columns.Cell{columns.Text("    " + source), columns.Text(d.String()),
			columns.Text(d.Note(p.Language.String()))})
	}
	t.Flush()
}
