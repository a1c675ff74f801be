package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/inquire"
	"github.com/robotsexclusion/robots/internal/columns"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A pageShown is the output of page for one page.
type pageShown struct {
	got    *inquire.Page
	robots []agent.Subject
	links  bool
}

// write writes the page for people.
func (s *pageShown) write(w *bufio.Writer, l language.Language, color bool) {
	doc := s.got.Doc
	facts := &columns.Table{W: w, Color: color}
	fact := func(title language.Text, text string) {
		if text != "" {
			facts.Add([]columns.Cell{columns.Bold(title.In(l)), columns.Text(printable.Text(text))})
		}
	}
	if s.got.Status > 0 {
		fact(textFactPage, s.got.Sentence(l.String()))
	}
	for _, n := range s.got.Dropped {
		fact(textFactDropped, textRedirectHeader.In(l, n))
	}
	fact(textFactTitle, doc.Title)
	fact(textFactDescription, doc.Description)
	fact(textFactKeywords, strings.Join(doc.Keywords, ", "))
	if url, ok := doc.Canonical(); ok {
		fact(textFactCanonical, url)
	} else if len(doc.Canonicals) > 1 {
		fact(textFactCanonical, textManyCanonicals.In(l, len(doc.Canonicals)))
	}
	fact(textFactCopyOf, doc.Original)
	fact(textFactPolicy, doc.TDMPolicy)
	if doc.Dynamic {
		fact(textFactState, "dynamic")
	}
	if doc.Charset.Name != "" {
		fact(textFactCharset, doc.Charset.String())
	}
	if doc.Cut != 0 {
		fact(textFactCut, textLimitsHid.In(l, doc.Cut.String()))
	}
	if n := len(doc.NoSnippet); n > 0 {
		fact(textFactNoSnippet, textSections.In(l, n))
	}
	facts.Flush()

	if len(doc.Directives) > 0 {
		fmt.Fprintln(w, "\n"+textDirectives.In(l))
		t := &columns.Table{W: w, Color: color}
		for _, d := range doc.Directives {
			t.Add([]columns.Cell{columns.Text("    " + saySource(l, d.Source)), columns.Text(d.String()), columns.Text(d.Note(l.String()))})
		}
		t.Flush()
	}
	fmt.Fprintln(w)
	t := &columns.Table{W: w, Color: color}
	for _, r := range s.robots {
		d := doc.For(r.PageNames()...)
		verdict := columns.Green("index")
		if !d.Index {
			verdict = columns.Red("noindex")
		}
		follow := columns.Green("follow")
		if !d.Follow {
			follow = columns.Red("nofollow")
		}
		t.Add([]columns.Cell{verdict, follow, columns.Text(shown(r.Name)), columns.Text(d.Sentence(l.String()))})
	}
	t.Flush()
	if !s.links {
		return
	}
	fmt.Fprintf(w, "\n%s\n", textLinks.In(l, len(doc.Links)))
	d := doc.For(s.robots[0].PageNames()...)
	for _, of := range doc.Links {
		verdict, link := columns.Green("    follow"), d.Link(of)
		why := ""
		if !link.Follow {
			verdict = columns.Red("    nofollow")
			why = link.Sentence(l.String())
		}
		t.Add([]columns.Cell{verdict, columns.Text(of.Element), columns.Text(shown(of.URL)), columns.Text(why)})
	}
	t.Flush()
}
