// Package describe makes what the operator of a robot publishes about it: a page for people, its
// addresses, its keys, a card, and entries for lists of robots. All of it comes from one
// description, a JSON file, and each document is read by the readers of this module before it is
// written.
package describe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/internal/address"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// MaxSize is the maximum size of a description, in bytes.
const MaxSize = 1 << 20

const (
	maxAbout  = 4000 // bytes of the text about the robot
	maxHeader = 512  // bytes of the User-Agent header
)

// A Description is what an operator says of a robot. Members with the name of a member of the table
// of package agent mean the same there: agent/data/schema.json describes them.
type Description struct {
	Token     string   `json:"token"`
	Name      string   `json:"name"` // "" is the token
	Operator  string   `json:"operator"`
	Purposes  []string `json:"purposes"`
	About     string   `json:"about"`      // what the robot does, for people
	UserAgent string   `json:"user_agent"` // the header that it sends
	Page      string   `json:"page"`       // the URL of the page, which ends in "/"
	Contact   []string `json:"contact"`    // URLs, such as mailto:bot@example.com
	RobotsTxt string   `json:"robots_txt"` // yes, partly or no

	Fallback   []string `json:"fallback"`
	Everyone   *bool    `json:"everyone"`
	CrawlDelay string   `json:"crawl_delay"`
	Addresses  []string `json:"addresses"` // prefixes, such as 192.0.2.0/24, and addresses
	DNS        []string `json:"dns"`
	Source     string   `json:"source"`
	Trigger    string   `json:"trigger"` // crawler or fetcher, as the card says it

	page     *url.URL
	prefixes []netip.Prefix
	table    *agent.Table // the robots of package agent, and this one
}

// Parse reads a description and checks it. Errors name the member, and say what to write.
func Parse(data []byte) (*Description, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("the description has %d bytes, more than %d", len(data), MaxSize)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	d := new(Description)
	if err := decoder.Decode(d); err != nil {
		return nil, fmt.Errorf("it is not a description in JSON: %w", cause(err))
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("something follows the description")
	}
	if d.Name == "" {
		d.Name = d.Token
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	return d, nil
}

// cause returns an error of the decoder in words for an author of the file.
func cause(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%q is a %s, which it must not be", wrong.Field, wrong.Value)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends before its last bracket")
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// check checks all members, in the order in which a person writes them.
func (d *Description) check() error {
	for _, text := range []struct {
		member, value, example string
		size                   int
	}{
		{"token", d.Token, "ExampleBot", 100},
		{"name", d.Name, "ExampleBot", 200},
		{"operator", d.Operator, "Example Inc.", 200},
		{"about", d.About, "ExampleBot reads pages for the search of example.com.", maxAbout},
		{"user_agent", d.UserAgent, "ExampleBot/1.0 (+https://bot.example.com/)", maxHeader},
	} {
		switch {
		case strings.TrimSpace(text.value) == "":
			return fmt.Errorf("%q is missing: write it, such as %q", text.member, text.example)
		case len(text.value) > text.size:
			return fmt.Errorf("%q has %d bytes, more than %d", text.member, len(text.value), text.size)
		case !printable.IsText(text.value) && (text.member != "about" || !isProse(text.value)):
			return fmt.Errorf("%q has characters that are not shown as they are: %s", text.member,
				printable.Quoted(text.value, 60))
		}
	}
	if strings.ContainsFunc(d.UserAgent, func(c rune) bool { return c < ' ' || c > '~' }) {
		return errors.New(`"user_agent" has characters that a header cannot have: ASCII only`)
	}
	for _, check := range []func() error{d.checkWords, d.checkPage, d.checkContact, d.checkAddresses, d.checkTable} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// isProse reports whether a text is printable, without regard to its line ends.
func isProse(text string) bool {
	return printable.IsText(strings.NewReplacer("\n", "", "\t", "").Replace(text))
}

// checkWords checks the members that have one of a few values.
func (d *Description) checkWords() error {
	for _, word := range []struct {
		member, value string
		values        []string
	}{
		{"robots_txt", d.RobotsTxt, []string{"yes", "partly", "no"}},
		{"trigger", d.Trigger, []string{"", "crawler", "fetcher"}},
	} {
		if !slices.Contains(word.values, word.value) {
			return fmt.Errorf("%q is %q: write %s", word.member, word.value,
				strings.Join(slices.DeleteFunc(word.values, func(v string) bool { return v == "" }), " or "))
		}
	}
	if len(d.Purposes) == 0 {
		return errors.New(`"purposes" is missing: write for what the robot reads pages, such as ["search"]`)
	}
	return nil
}

// folder is a name of a folder of the page, which is a folder of the output too.
var folder = regexp.MustCompile(`^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$`)

// checkPage checks the URL of the page. Its path names folders of the output, so it must not leave
// them.
func (d *Description) checkPage() (err error) {
	const form = `"page" is %q: write the https URL of a folder, such as https://bot.example.com/ or ` +
		`https://example.com/bot/; the page is index.html there`
	d.page, err = url.Parse(d.Page)
	switch {
	case err != nil, d.page.Scheme != "https", d.page.Hostname() == "", d.page.User != nil,
		d.page.RawQuery != "" || d.page.ForceQuery, d.page.Fragment != "", d.page.RawPath != "",
		!strings.HasSuffix(d.page.Path, "/"), d.Page != d.origin()+d.page.Path:
		return fmt.Errorf(form, d.Page)
	}
	if path := strings.Trim(d.page.Path, "/"); path != "" {
		for name := range strings.SplitSeq(path, "/") {
			if !folder.MatchString(name) {
				return fmt.Errorf(form, d.Page)
			}
		}
	}
	return nil
}

// origin returns the origin of the page: the identity of the robot in signatures.
func (d *Description) origin() string { return d.page.Scheme + "://" + d.page.Host }

// checkContact checks the URLs by which people reach the operator.
func (d *Description) checkContact() error {
	if len(d.Contact) == 0 {
		return errors.New(
			`"contact" is missing: write by which URLs people reach you, such as ["mailto:bot@example.com"]`)
	}
	for _, text := range d.Contact {
		u, err := url.Parse(text)
		ok := err == nil && printable.IsText(text) && !strings.ContainsAny(text, ` "<>`)
		switch {
		case ok && u.Scheme == "https":
			ok = u.Host != ""
		case ok && u.Scheme == "mailto":
			a, err := mail.ParseAddress(u.Opaque)
			ok = err == nil && a.Address == u.Opaque
		default:
			ok = false
		}
		if !ok {
			return fmt.Errorf(
				`"contact" has %q: write a URL such as mailto:bot@example.com or https://example.com/contact`, text)
		}
	}
	return nil
}

// checkAddresses reads the addresses. The reader of range documents decides whether a prefix is too
// short to be of a robot.
func (d *Description) checkAddresses() error {
	for _, text := range d.Addresses {
		p, err := netip.ParsePrefix(text)
		if a, e := netip.ParseAddr(text); e == nil && a.Zone() == "" {
			p, err = netip.PrefixFrom(a, a.BitLen()), nil
		}
		switch {
		case err != nil:
			return fmt.Errorf(`"addresses" has %q: write a prefix such as 192.0.2.0/24 or 2001:db8::/32, or an address`,
				text)
		case p != p.Masked():
			return fmt.Errorf(`"addresses" has %q, which has bits beyond its length: write %s`, text, p.Masked())
		case address.Inside(p.Addr()):
			return fmt.Errorf(
				`"addresses" has %q, which nobody on the Internet has: write the addresses that servers see`, text)
		}
		d.prefixes = append(d.prefixes, p)
	}
	slices.SortFunc(d.prefixes, netip.Prefix.Compare)
	d.prefixes = slices.Compact(d.prefixes)
	if len(d.prefixes) == 0 {
		return nil
	}
	document, err := json.Marshal(d.ranges(time.Time{}))
	if err != nil {
		return err
	}
	for _, p := range d.prefixes {
		found, err := agent.InRanges(document, p.Addr())
		if err != nil {
			return fmt.Errorf(`"addresses": %w`, err)
		}
		if found.Result != agent.Verified {
			return fmt.Errorf(`"addresses": nobody finds %s in the document of them`, p)
		}
	}
	return nil
}

// checkTable reads the entry of the robot as a table, and looks the robot up by its header.
func (d *Description) checkTable() error {
	table, err := json.Marshal(d.tableOf(""))
	if err != nil {
		return err
	}
	if d.table, err = agent.ParseTable(table); err != nil {
		return fmt.Errorf("the robot cannot be listed: %w", err)
	}
	found := d.table.Lookup(d.UserAgent)
	if !found.Known() || found.Token != d.Token {
		return fmt.Errorf(`"user_agent" is taken for a header of %s: write one that has %q as a word of its own`,
			printable.Quoted(found.Token, 60), d.Token)
	}
	return nil
}

// URLs of the documents.
func (d *Description) rangesURL() string    { return d.Page + "ranges.json" }
func (d *Description) cardURL() string      { return d.Page + "card.json" }
func (d *Description) directoryURL() string { return d.origin() + botauth.DirectoryPath }

// Options say what else is written.
type Options struct {
	Keys     []botauth.Key     // that sign the requests of the robot; may be empty
	Language language.Language // of the page
	Now      time.Time         // the time of the documents
}

// A File is a document, below the folder of the output.
type File struct {
	Name string `json:"file"` // with slashes
	URL  string `json:"url"`  // where to serve it, or "" if it is to be sent
	Type string `json:"type"` // its media type
	Data []byte `json:"-"`
}

// The folders of the output.
const (
	serveFolder = "serve" // its content is that of the origin of the page
	sendFolder  = "send"  // for lists of robots
)

// Files returns the documents. Those to serve stand below "serve" as their URLs say, and those to
// send below "send".
func (d *Description) Files(o Options) ([]File, error) {
	page, err := d.pageHTML(o)
	if err != nil {
		return nil, err
	}
	here := serveFolder + d.page.Path
	files := []File{{here + "index.html", d.Page, "text/html; charset=utf-8", page}}
	add := func(name, url, mediaType string, v any) error {
		data, err := marshal(v)
		if err != nil {
			return err
		}
		files = append(files, File{name, url, mediaType, data})
		return nil
	}
	if len(d.prefixes) > 0 {
		if err := add(here+"ranges.json", d.rangesURL(), "application/json", d.ranges(o.Now)); err != nil {
			return nil, err
		}
	}
	if len(o.Keys) > 0 {
		// These are the bytes of robots agents key, whose --headers signs them.
		data, err := json.Marshal(botauth.NewDirectory(o.Keys...))
		if err != nil {
			return nil, err
		}
		files = append(files, File{serveFolder + botauth.DirectoryPath, d.directoryURL(), botauth.DirectoryType,
			append(data, '\n')})
		if err := add(here+"card.json", d.cardURL(), "application/json", d.card()); err != nil {
			return nil, err
		}
	}
	if err := add(sendFolder+"/robots-table.json", "", "application/json",
		d.tableOf(o.Now.UTC().Format(time.DateOnly))); err != nil {
		return nil, err
	}
	listed := []ListEntry{NewListEntry(d.Token, d.Page, []string{d.UserAgent}, o.Now, oneLine(d.About))}
	if err := add(sendFolder+"/crawler-user-agents.json", "", "application/json", listed); err != nil {
		return nil, err
	}
	return files, d.verify(files, o)
}

// oneLine returns a text without line ends.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// marshal returns indented JSON, with a line end and without escapes of "&" and "<", in which all
// characters are printable.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	// A line end between two members is not part of a string.
	var out []byte
	for line := range bytes.Lines(b.Bytes()) {
		out = append(append(out, printable.JSON(bytes.TrimSuffix(line, []byte("\n")))...), '\n')
	}
	return out, nil
}

// verify reads the documents of signatures as a server reads them.
func (d *Description) verify(files []File, o Options) error {
	for _, f := range files {
		switch f.URL {
		case d.directoryURL():
			directory, err := botauth.ParseDirectory(f.Data)
			if err != nil {
				return err
			}
			for _, key := range o.Keys {
				if _, ok := directory.Key(key.ID()); !ok {
					return fmt.Errorf("the directory does not have the key %s", key.ID())
				}
			}
		case d.cardURL():
			if _, err := botauth.ParseCard(f.URL, f.Data); err != nil {
				return err
			}
		}
	}
	return nil
}

// Optional returns the names of the documents that not every run writes: one that is there all the
// same is of an earlier run.
func (d *Description) Optional() []string {
	here := serveFolder + d.page.Path
	return []string{here + "ranges.json", here + "card.json", serveFolder + botauth.DirectoryPath}
}

// SignatureAgent returns the origin of the page, which signed requests name.
func (d *Description) SignatureAgent() string { return d.origin() }
