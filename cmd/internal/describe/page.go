package describe

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

//go:embed page.html
var pageText string

// pageTemplate is the page: html/template escapes all that is in it.
var pageTemplate = template.Must(template.New("page").Parse(pageText))

// A pageData is what the template shows.
type pageData struct {
	Language, Title, Name string
	About                 []string // paragraphs
	Facts                 []pageFact
	Close                 pagePart
	Verify                pagePart
	Contact               pagePart
}

// A pageFact is a row of the page: a text, and a link if it has a URL.
type pageFact struct{ Label, Text, URL string }

// A pagePart is a part of the page with a title.
type pagePart struct {
	Title string
	Texts []string   // paragraphs before the blocks
	Files []pageFile // parts of robots.txt
	Facts []pageFact
}

// A pageFile is a text of robots.txt with what it does.
type pageFile struct{ Label, Text string }

func (d *Description) pageHTML(o Options) ([]byte, error) {
	in := func(t language.Text, args ...any) string { return t.In(o.Language, args...) }
	p := pageData{Language: o.Language.String(), Name: d.Name, Title: in(textTitle, d.Name, d.Operator)}
	for paragraph := range strings.SplitSeq(d.About, "\n\n") {
		p.About = append(p.About, oneLine(paragraph))
	}
	p.Facts = []pageFact{
		{in(textRunBy), d.Operator, ""}, {in(textHeader), d.UserAgent, ""},
		{in(textReadsFor), strings.Join(d.Purposes, ", "), ""},
	}
	if d.Source != "" {
		p.Facts = append(p.Facts, pageFact{in(textSourceCode), d.Source, d.Source})
	}
	p.Close, p.Verify = d.closePart(in), d.verifyPart(in, o)
	p.Contact.Title = in(textContact)
	for _, contact := range d.Contact {
		p.Contact.Facts = append(p.Contact.Facts, pageFact{"", strings.TrimPrefix(contact, "mailto:"), contact})
	}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, p)
	return b.Bytes(), err
}

// closePart says by which names the robot obeys robots.txt, and how to close a site to it.
func (d *Description) closePart(in func(language.Text, ...any) string) (p pagePart) {
	p.Title = in(textToClose)
	switch d.RobotsTxt {
	case "no":
		p.Texts = []string{in(textObeysNot, d.Token)}
		return p
	case "partly":
		p.Texts = []string{in(textObeysPartly, d.Token)}
	default:
		p.Texts = []string{in(textObeys, d.Token)}
	}
	a := d.table.Named(d.Token)
	names := strings.Join(a.Tokens(), ", ")
	if a.Everyone() {
		p.Texts = append(p.Texts, in(textNames, names+", *"))
	} else {
		p.Texts = append(p.Texts, in(textNames, names), in(textNotEveryone))
	}
	p.Files = []pageFile{
		{in(textCloseAll), "User-agent: " + d.Token + "\nDisallow: /\n"},
		{in(textCloseFolder), "User-agent: " + d.Token + "\nDisallow: /private/\n"},
	}
	switch d.CrawlDelay {
	case "pause":
		p.Files = append(p.Files, pageFile{in(textSlowPause), "User-agent: " + d.Token + "\nCrawl-delay: 10\n"})
	case "rate":
		p.Files = append(p.Files, pageFile{in(textSlowRate), "User-agent: " + d.Token + "\nCrawl-delay: 10\n"})
	case "no":
		p.Texts = append(p.Texts, in(textSlowNot))
	}
	return p
}

// verifyPart says how to tell the requests of the robot from those of others.
func (d *Description) verifyPart(in func(language.Text, ...any) string, o Options) (p pagePart) {
	p.Title = in(textToVerify)
	if len(d.prefixes) > 0 {
		p.Facts = append(p.Facts, pageFact{in(textByRanges), d.rangesURL(), d.rangesURL()})
	}
	if len(d.DNS) > 0 {
		p.Facts = append(p.Facts, pageFact{in(textByDNS), strings.Join(d.DNS, ", "), ""})
	}
	if len(o.Keys) > 0 {
		p.Facts = append(p.Facts, pageFact{in(textByKeys), d.directoryURL(), d.directoryURL()},
			pageFact{in(textByCard), d.cardURL(), d.cardURL()})
	}
	if len(p.Facts) == 0 {
		p.Texts = []string{in(textByNothing)}
	} else {
		p.Texts = []string{in(textAnybody)}
	}
	return p
}

var (
	textTitle      = language.New("%[1]s, a robot of %[2]s")
	textRunBy      = language.New("Operator")
	textHeader     = language.New("User-Agent header")
	textReadsFor   = language.New("Reads pages for")
	textSourceCode = language.New("Source code")

	textToClose     = language.New("How to close a site to it")
	textObeys       = language.New("%[1]s obeys robots.txt (RFC 9309).")
	textObeysPartly = language.New(
		"%[1]s obeys only a part of robots.txt (RFC 9309). Ask the operator which part.")
	textObeysNot = language.New(
		"%[1]s does not obey robots.txt. To close a site to it, refuse its requests, or write to the operator.")
	textNames       = language.New("It goes by the group for the first of these names that robots.txt has: %[1]s.")
	textNotEveryone = language.New("It does not go by the group for *, so a group must name it.")
	textCloseAll    = language.New("To close a whole site, add these lines to robots.txt:")
	textCloseFolder = language.New("To close a folder only:")
	textSlowPause   = language.New("To slow it down, name the seconds between two of its requests:")
	textSlowRate    = language.New("To slow it down, name the seconds in which it makes at most one request:")
	textSlowNot     = language.New("It ignores Crawl-delay.")

	textToVerify  = language.New("How to verify it")
	textAnybody   = language.New("Anybody can send this header. The requests of the robot itself can be verified by:")
	textByRanges  = language.New("Its addresses")
	textByDNS     = language.New("The name of its address, which is below this domain and leads back to the address")
	textByKeys    = language.New("Its signatures, with the keys of this directory (Web Bot Auth)")
	textByCard    = language.New("Its card (signature agent card)")
	textByNothing = language.New("Its requests cannot be verified: anybody can send this header.")

	textContact = language.New("Contact")
)
