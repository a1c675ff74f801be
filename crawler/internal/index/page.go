package index

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// A Page is the searchable data of a document. URL is required; a page with only a URL
// is found by site: only.
type Page struct {
	URL         string // absolute, in canonical form: it identifies the page
	Title       string
	Description string   // from META DESCRIPTION
	Keywords    []string // from META KEYWORDS
	Passages    []Passage
	Language    string // such as "es" or "es-MX"; empty: detected from the passages

	ETag      string // of the response, unchanged; stored but not used
	Digest    string // of the body, in any form; see [Distinct]
	FetchedAt time.Time

	// Canonical is the URL that the page declares as its canonical one, or empty.
	// [Index.Put] ignores it; see [Distinct].
	Canonical string

	// Links are the links of this page to others. Their texts describe the targets, and
	// count for the targets.
	Links []Link

	// NoIndex means that the page must not be indexed: [Index.Put] removes it.
	NoIndex bool

	// NoSnippet means that results may show no text of the page but its title. Its
	// words are indexed.
	NoSnippet bool

	// MaxSnippet limits the length of a snippet, in characters. 0 means that the page
	// sets no limit.
	MaxSnippet int
}

// A Passage is a piece of the text of a page.
type Passage struct {
	Construct Construct
	Text      string // any white space counts as one blank

	// Joined reports that the passage continues the one before, for example within a
	// sentence. A phrase may span joined passages.
	Joined bool

	// NoSnippet means that the passage may not be shown. Its words are indexed.
	NoSnippet bool
}

// A Link is a link to another page, with its text.
type Link struct {
	URL  string // absolute, in the form of [Page.URL]; a fragment is ignored
	Text string
}

// A Construct is the role of a text in its page.
type Construct uint8

// The constructs. They are stored by number: never renumber, add at the end.
const (
	Text        Construct = 0  // text of the body without another construct
	Alt         Construct = 1  // alternative text of a picture
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

// constructs has the names of the constructs, and the weight of a word in each.
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

// String returns a word for the construct, such as "title". For every heading it
// returns "heading".
func (c Construct) String() string {
	if int(c) < len(constructs) {
		return constructs[c].name
	}
	return "unknown"
}

// Read returns the page of a text and the decision for the robot that indexes it, which has
// the names robots. The options have the URL of the text and its header.
func Read(address string, text []byte, o page.Options, src Source, robots ...string) (*Page, *page.Decision, error) {
	var in io.Reader
	if !src.Plain {
		in = bytes.NewReader(text)
	}
	doc, err := page.Read(in, o)
	if err != nil {
		return nil, nil, err
	}
	if !src.Plain {
		src.Charset = doc.Charset.Name
	}
	c, d := Extract(text, src), doc.For(robots...)
	p := &Page{
		URL: address, Title: cmp.Or(doc.Title, c.Title), Description: doc.Description, Keywords: doc.Keywords,
		Passages: c.Passages, Language: c.Language,
		NoIndex: !d.Index, NoSnippet: !d.Snippet || d.MaxSnippet == 0, MaxSnippet: max(0, d.MaxSnippet),
	}
	named, ok := doc.Canonical()
	if !ok {
		named = doc.Original
	}
	if named != address {
		p.Canonical = named
	}
	if d.Follow {
		p.Links = resolved(address, c)
	}
	sum := sha256.Sum256(text)
	p.Digest = "sha256:" + hex.EncodeToString(sum[:])
	return p, d, nil
}

// resolved returns the links of a page as absolute URLs.
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

const (
	maxURL   = 8 << 10 // bytes
	maxSites = 18      // a host and its parent domains
)

// checkURL returns an error if a URL cannot identify a page.
func checkURL(text string) error {
	switch u, err := url.Parse(text); {
	case text == "":
		return errors.New("the page has no URL")
	case len(text) > maxURL:
		return fmt.Errorf("the URL is longer than %d KiB: %s", maxURL>>10, printable.Clipped(text, 64))
	case err != nil || u.Scheme == "":
		return fmt.Errorf("%s is not an absolute URL", printable.Quoted(text, 256))
	}
	return nil
}

// sitesOf returns the terms for site: searches of a URL: its host with and without the
// port, and each parent domain of the host.
func sitesOf(text string) (sites []string) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return nil
	}
	host := strings.ToLower(u.Hostname())
	sites = []string{host}
	if u.Port() != "" {
		sites = append(sites, strings.ToLower(u.Host))
	}
	if strings.Trim(host, "0123456789.") == "" || strings.Contains(host, ":") {
		return sites // an IP address has no parent domains
	}
	for len(sites) < maxSites {
		if _, host, _ = strings.Cut(host, "."); host == "" {
			break
		}
		sites = append(sites, host)
	}
	return sites
}
