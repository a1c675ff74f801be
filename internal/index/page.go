package index

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// A Page is what is to be found of a document. URL is required; a page of which
// nothing else is known is found by site: only.
type Page struct {
	URL         string // absolute, in canonical form: it is the name of the page
	Title       string
	Description string   // as META DESCRIPTION has it
	Keywords    []string // as META KEYWORDS has them
	Passages    []Passage
	Language    string // such as "es" or "es-MX"; empty: found out from the passages

	ETag      string // of the response, as it was; kept, not looked at
	Digest    string // of its body, in any form; see [Distinct]
	FetchedAt time.Time

	// Canonical is the URL of the page that stands for this one, as it says
	// itself, or empty. [Index.Put] does not heed it; see [Distinct].
	Canonical string

	// Links are the pages that this one links to. Their texts say what those pages
	// are about, and count for them.
	Links []Link

	// NoIndex tells that the page must not be indexed: [Index.Put] removes it.
	NoIndex bool

	// NoSnippet tells that no text of the page may be shown but its title.
	// Its words are indexed.
	NoSnippet bool

	// MaxSnippet is how many characters a snippet may have. 0 stands for no
	// limit of the page.
	MaxSnippet int
}

// A Passage is a piece of the text of a page.
type Passage struct {
	Construct Construct
	Text      string // white space counts as one blank

	// Joined tells that the passage continues the one before, as what stands
	// in the midst of a sentence does. A phrase may begin in one passage and
	// end in one that is joined to it.
	Joined bool

	// NoSnippet tells that the passage may not be shown. Its words are indexed.
	NoSnippet bool
}

// A Link is a link to another page, with the text that stands for it.
type Link struct {
	URL  string // of a Page: absolute, in the form of [Page.URL]; a fragment does not count
	Text string
}

// A Construct is what a text is in its page.
type Construct uint8

// The constructs. They are stored by number: never renumber, add at the end.
const (
	Text        Construct = 0  // of the body, and nothing of what follows
	Alt         Construct = 1  // what is said instead of a picture
	Strong      Construct = 2  // strong, em, b, i, mark, dfn, th, caption, figcaption, dt
	Keywords    Construct = 3  // META KEYWORDS
	Description Construct = 4  // META DESCRIPTION
	Heading6    Construct = 5  // h6
	Heading5    Construct = 6  // h5
	Heading4    Construct = 7  // h4
	Heading3    Construct = 8  // h3
	Heading2    Construct = 9  // h2
	Heading1    Construct = 10 // h1
	Title       Construct = 11 // title
	Address     Construct = 12 // the path of the URL
)

// constructs has the names of the constructs, and how many times a word in one
// counts.
var constructs = [...]struct {
	name   string
	weight int
}{
	Text:        {"text", 1},
	Alt:         {"picture", 1},
	Strong:      {"emphasis", 2},
	Keywords:    {"keywords", 2},
	Description: {"description", 3},
	Heading6:    {"heading", 3},
	Heading5:    {"heading", 3},
	Heading4:    {"heading", 3},
	Heading3:    {"heading", 3},
	Heading2:    {"heading", 4},
	Heading1:    {"heading", 6},
	Title:       {"title", 10},
	Address:     {"address", 3},
}

// String returns a word for the construct, such as "title". All headings are
// "heading".
func (c Construct) String() string {
	if int(c) < len(constructs) {
		return constructs[c].name
	}
	return "unknown"
}

// NewPage returns the page at a URL, as it says itself what may be done with it:
// what [page.Read] and [Extract] have found, and the decision for the robot that
// indexes it. Each of them may be nil, as for a file that is not HTML.
func NewPage(address string, doc *page.Doc, d *page.Decision, c *Content) *Page {
	p := &Page{URL: address}
	if doc != nil {
		p.Title, p.Description, p.Keywords = doc.Title, doc.Description, doc.Keywords
		named, ok := doc.Canonical()
		if !ok {
			named = doc.Original
		}
		if named != address {
			p.Canonical = named
		}
	}
	if c != nil {
		p.Passages, p.Language = c.Passages, c.Language
		if p.Title == "" {
			p.Title = c.Title
		}
		if d == nil || d.Follow {
			p.Links = resolved(address, c)
		}
	}
	if d != nil {
		p.NoIndex = !d.Index
		p.NoSnippet = !d.Snippet || d.MaxSnippet == 0
		p.MaxSnippet = max(0, d.MaxSnippet)
	}
	return p
}

// resolved returns the links of a page, absolute.
func resolved(page string, c *Content) (links []Link) {
	base, err := url.Parse(page)
	if err != nil {
		return nil
	}
	if u, err := base.Parse(c.Base); c.Base != "" && err == nil && len(c.Base) <= maxHref {
		base = u
	}
	for _, l := range c.Links {
		u, err := base.Parse(l.URL)
		if err != nil {
			continue
		}
		u.Fragment, u.RawFragment = "", ""
		links = append(links, Link{u.String(), l.Text})
	}
	return links
}

// maxURL is how many bytes a URL may have.
const maxURL = 8 << 10

// checkURL returns why a URL cannot be the name of a page, if so.
func checkURL(text string) error {
	switch u, err := url.Parse(text); {
	case text == "":
		return errors.New("the page has no URL")
	case len(text) > maxURL:
		return fmt.Errorf("the URL is longer than %d KiB: %s", maxURL>>10, printable.Clipped(text, 64))
	case err != nil || u.Scheme == "":
		return fmt.Errorf("%s is no absolute URL", printable.Quoted(text, 256))
	}
	return nil
}

// sitesOf returns what site: finds a URL by: its host with and without the port,
// and each domain that the host is in.
func sitesOf(text string) (sites []string) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return nil
	}
	host := strings.ToLower(u.Hostname())
	if u.Port() != "" {
		sites = append(sites, strings.ToLower(u.Host))
	}
	sites = append(sites, host)
	if strings.Trim(host, "0123456789.") == "" || strings.Contains(host, ":") {
		return sites // an address has no domains
	}
	for {
		_, parent, ok := strings.Cut(host, ".")
		if !ok || parent == "" || len(sites) > 16 {
			return sites
		}
		sites, host = append(sites, parent), parent
	}
}
