package index

import "strings"

// A Plain is the text of a page for another search engine, cut as an index cuts it.
type Plain struct {
	Title       string
	Description string
	Keywords    string
	Headings    string
	Text        string
	Unshown     string // text that may be searched, but not shown, of any construct except the title
	Language    string
	Sites       []string // the host and its parent domains
}

// Plain returns the text of a page.
func (p *Page) Plain() Plain {
	x := Plain{
		Title:       clipped(oneLine(p.Title), maxTitle),
		Description: clipped(oneLine(p.Description), maxDescription),
		Keywords:    clipped(oneLine(strings.Join(p.Keywords, ", ")), maxKeywords),
		Language:    languageOf(p),
		Sites:       sitesOf(p.URL),
	}
	var headings, text, unshown []string
	if p.NoSnippet {
		unshown = append(unshown, x.Description, x.Keywords)
		x.Description, x.Keywords = "", ""
	}
	size := 0
	for _, passage := range p.Passages {
		if size >= maxText {
			break
		}
		words := clipped(oneLine(passage.Text), maxText-size)
		size += len(words)
		switch {
		case p.NoSnippet || passage.NoSnippet:
			unshown = append(unshown, words)
		case passage.Construct >= Heading6 && passage.Construct <= Heading1:
			headings = append(headings, words)
		default:
			text = append(text, words)
		}
	}
	x.Headings, x.Text, x.Unshown = joined(headings), joined(text), joined(unshown)
	return x
}

// joined joins the texts that are not empty.
func joined(texts []string) string {
	return strings.Join(strings.Fields(strings.Join(texts, " ")), " ")
}
