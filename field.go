package robots

import "slices"

// A Field is the name at the start of a line of robots.txt: the fields that form groups and rules,
// and the fields of other records. [Fields] returns all fields that this module knows. Files have
// other fields too; no known robot reads their lines.
type Field struct {
	Name     string // as its document spells it, such as "Crawl-delay"
	Kind     Kind   // of its lines: UserAgent, Allow, Disallow, or Other for a record
	Document string // its definition, such as "RFC 9309, section 2.2.1"; "" if none is published
	Example  string // a value, such as "5"

	// Read is set if today's robots read the field. Obsolete is set if robots once read the field,
	// or were meant to, and none does now. Neither is set for proposals.
	Read, Obsolete bool

	// OfFile is set if the field applies to the whole file, wherever its line is. OfGroup is set if
	// the field applies to the user-agent lines just before it, so that a user-agent line after it
	// names other robots.
	OfFile, OfGroup bool

	// Pace is set if the field limits when, or how often, a robot may send requests.
	Pace bool
	// Single is set if a robot can obey only one value of the field: two owners of a file who write
	// different values contradict each other.
	Single bool

	// Check returns an error if a value is invalid, and nil otherwise. Check itself is nil if every
	// value is valid.
	Check func(value string) error
}

// The documents that define several fields.
const (
	docConner = `Conner, "An Extended Standard for Robot Exclusion", 1996`
	docYandex = `Yandex, "Using robots.txt"`
)

// fields is the one list of fields: those that some robot reads come first, in the order in which
// an editor should offer them, beginning with the five that most files have. A new field is one
// line here, and one in checkOf if its value has a syntax; tests of lint, lsp and cmd/internal/say
// then name the texts that the field lacks.
var fields = []Field{
	{Name: "User-agent", Kind: UserAgent, Document: "RFC 9309, section 2.2.1", Example: "Googlebot", Read: true},
	{Name: "Disallow", Kind: Disallow, Document: "RFC 9309, section 2.2.2", Example: "/private/", Read: true},
	{Name: "Allow", Kind: Allow, Document: "RFC 9309, section 2.2.2", Example: "/private/open/", Read: true},
	{Name: "Sitemap", Kind: Other, Document: "sitemaps.org", Example: "https://example.com/sitemap.xml", Read: true,
		OfFile: true},
	{Name: "Crawl-delay", Kind: Other, Document: `Bing, "To crawl or not to crawl", 2012`, Example: "5", Read: true,
		OfGroup: true, Pace: true, Single: true},
	{Name: "Content-Usage", Kind: Other, Document: "draft-ietf-aipref-attach, section 4", Example: "/news/ train-ai=n",
		Read:    true,
		OfGroup: true},
	{Name: "Content-Signal", Kind: Other, Document: "contentsignals.org", Example: "search=yes, ai-train=no",
		Read:    true,
		OfGroup: true, Single: true},
	{Name: "License", Kind: Other, Document: "RSL 1.0, section 4.4", Example: "https://example.com/license.xml",
		Read:    true,
		OfGroup: true}, // outside of groups it applies to the file
	{Name: "Request-rate", Kind: Other, Document: docConner, Example: "10/1m 1300-1659", Read: true,
		OfGroup: true, Pace: true, Single: true},
	{Name: "Visit-time", Kind: Other, Document: docConner, Example: "0600-0845", Read: true,
		OfGroup: true, Pace: true, Single: true},
	{Name: "Clean-param", Kind: Other, Document: docYandex, Example: "ref&sid /shop/", Read: true,
		OfFile: true},

	{Name: "Host", Kind: Other, Document: docYandex, Example: "example.com", Obsolete: true,
		OfFile: true, Single: true},
	{Name: "Noindex", Kind: Other, Example: "/old/", Obsolete: true},
	{Name: "Nofollow", Kind: Other, Example: "/out/", Obsolete: true},
	{Name: "Noarchive", Kind: Other, Example: "/", Obsolete: true},
	{Name: "Cache-delay", Kind: Other, Example: "10", Obsolete: true},
	{Name: "Robot-version", Kind: Other, Document: docConner, Example: "2.0.0", Obsolete: true},
	{Name: "Comment", Kind: Other, Document: docConner, Example: "please visit at night", Obsolete: true},
	{Name: "Revisit-after", Kind: Other, Example: "7 days", Obsolete: true},
	{Name: "Domain", Kind: Other, Example: "example.com", Obsolete: true},
	{Name: "Agentmap", Kind: Other, Example: "https://example.com/agents.json"},
	{Name: "Schemamap", Kind: Other, Example: "https://example.com/schemamap.xml"},
}

// Fields returns all known fields: those that some robot reads come first, beginning with the five
// that most files have.
func Fields() []Field {
	all := slices.Clone(fields)
	for i := range all {
		all[i] = all[i].withCheck()
	}
	return all
}

// FieldNamed returns the field with the given name, in ASCII letters of any case.
func FieldNamed(name string) (f Field, ok bool) {
	if known := fieldNamed(name); known != nil {
		return known.withCheck(), true
	}
	return f, false
}

// fieldNamed is FieldNamed without a copy and without Check. It returns nil for unknown names.
func fieldNamed(name string) *Field {
	for i := range fields {
		if equalFold(fields[i].Name, name) {
			return &fields[i]
		}
	}
	return nil
}

// checkOf returns the check of a field in fields, or nil if every value is valid. It is apart from
// fields, so that a small program that only decides, and uses fields, does not have all parsers.
func checkOf(name string) func(value string) error {
	switch name {
	case "Sitemap":
		return func(v string) error { return fault(parseSitemap(Record{Value: v})) }
	case "Crawl-delay":
		return func(v string) error { return fault(parseCrawlDelay(Record{Value: v})) }
	case "Content-Usage":
		return func(v string) error { return fault(parseContentUsage(Record{Value: v})) }
	case "Content-Signal":
		return func(v string) error { return fault(parseContentSignal(Record{Value: v})) }
	case "License":
		return func(v string) error { return fault(parseLicense(Record{Value: v})) }
	case "Request-rate":
		return func(v string) error { return fault(parseRequestRate(Record{Value: v})) }
	case "Visit-time":
		return func(v string) error { return fault(parseVisitTime(Record{Value: v})) }
	case "Clean-param":
		return func(v string) error { return fault(parseCleanParam(Record{Value: v})) }
	case "Host":
		return func(v string) error { return fault(parseHost(Record{Value: v})) }
	}
	return nil
}

// withCheck returns a field of fields with its check.
func (f Field) withCheck() Field {
	if f.Check == nil { // a test has fields with checks of their own
		f.Check = checkOf(f.Name)
	}
	return f
}

// fault returns the error of a parser.
func fault[T any](_ T, err error) error { return err }
