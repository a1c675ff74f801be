package describe

import (
	"regexp"
	"strings"
	"time"
)

// A rangeDocument is the document of addresses as Google, Bing and OpenAI publish it
// (draft-illyes-webbotauth-jafar).
type rangeDocument struct {
	CreationTime string        `json:"creationTime"`
	Prefixes     []rangePrefix `json:"prefixes"`
}

type rangePrefix struct {
	IPv4 string `json:"ipv4Prefix,omitempty"`
	IPv6 string `json:"ipv6Prefix,omitempty"`
}

func (d *Description) ranges(now time.Time) rangeDocument {
	document := rangeDocument{CreationTime: now.UTC().Format(time.RFC3339)}
	for _, p := range d.prefixes {
		if p.Addr().Is4() {
			document.Prefixes = append(document.Prefixes, rangePrefix{IPv4: p.String()})
		} else {
			document.Prefixes = append(document.Prefixes, rangePrefix{IPv6: p.String()})
		}
	}
	return document
}

// A card is a signature agent card (draft-meunier-webbotauth-registry-03), as botauth.ParseCard
// reads it.
type card struct {
	ClientID   string     `json:"client_id"`
	ClientName string     `json:"client_name"`
	ClientURI  string     `json:"client_uri"`
	Contacts   []string   `json:"contacts"`
	JWKSURI    string     `json:"jwks_uri"`
	WebBotAuth webBotAuth `json:"web_bot_auth"`
}

type webBotAuth struct {
	UserAgent  string   `json:"expected-user-agent"`
	Token      string   `json:"rfc9309-product-token"`
	Compliance []string `json:"rfc9309-compliance,omitempty"`
	Trigger    string   `json:"trigger,omitempty"`
	IPsURI     string   `json:"ips_uri,omitempty"`
}

func (d *Description) card() card {
	c := card{
		ClientID: d.cardURL(), ClientName: d.Name, ClientURI: d.Page, Contacts: d.Contact, JWKSURI: d.directoryURL(),
		WebBotAuth: webBotAuth{UserAgent: d.UserAgent, Token: d.Token, Trigger: d.Trigger},
	}
	if d.RobotsTxt == "yes" {
		c.WebBotAuth.Compliance = []string{"User-Agent", "Allow", "Disallow"}
		if d.CrawlDelay == "pause" || d.CrawlDelay == "rate" {
			c.WebBotAuth.Compliance = append(c.WebBotAuth.Compliance, "Crawl-delay")
		}
	}
	if len(d.prefixes) > 0 {
		c.WebBotAuth.IPsURI = d.rangesURL()
	}
	return c
}

// A TableDocument is a table of robots, as agent.ParseTable reads it and agent/data/schema.json
// describes it.
type TableDocument struct {
	Sources map[string]tableSource `json:"sources,omitempty"`
	Robots  []TableRobot           `json:"robots"`
}

type tableSource struct {
	Title   string `json:"title"`
	URL     string `json:"url"`
	Date    string `json:"date"`
	Licence string `json:"licence"`
}

// A TableRobot is an entry of a table. Members that nobody knows are left out.
type TableRobot struct {
	Token      string            `json:"token"`
	Name       string            `json:"name,omitempty"`
	Operator   string            `json:"operator,omitempty"`
	Purposes   []string          `json:"purposes,omitempty"`
	Match      []string          `json:"match,omitempty"`
	Fallback   []string          `json:"fallback,omitempty"`
	Everyone   *bool             `json:"everyone,omitempty"`
	RobotsTxt  string            `json:"robots_txt,omitempty"`
	CrawlDelay string            `json:"crawl_delay,omitempty"`
	Verify     *tableVerify      `json:"verify,omitempty"`
	Docs       string            `json:"docs,omitempty"`
	Source     string            `json:"source,omitempty"`
	Checked    string            `json:"checked,omitempty"`
	From       map[string]string `json:"from,omitempty"`
}

type tableVerify struct {
	Ranges []string `json:"ranges,omitempty"`
	DNS    []string `json:"dns,omitempty"`
}

// tableOf returns the table with the robot: all of its facts are from the page, as it was on a day,
// such as 2026-11-29. Without a day, there are no sources.
func (d *Description) tableOf(day string) TableDocument {
	r := TableRobot{
		Token: d.Token, Name: d.Name, Operator: d.Operator, Purposes: d.Purposes, Fallback: d.Fallback,
		Everyone: d.Everyone, RobotsTxt: d.RobotsTxt, CrawlDelay: d.CrawlDelay, Docs: d.Page, Source: d.Source,
	}
	if len(d.prefixes)+len(d.DNS) > 0 {
		r.Verify = &tableVerify{DNS: d.DNS}
		if len(d.prefixes) > 0 {
			r.Verify.Ranges = []string{d.rangesURL()}
		}
	}
	if day == "" {
		return TableDocument{Robots: []TableRobot{r}}
	}
	source := sourceName(d.Token)
	r.Checked, r.From = day[:len("2006-01")], map[string]string{"*": source}
	return TableDocument{
		Sources: map[string]tableSource{source: {d.Operator + ": " + d.Name, d.Page, day, "facts only"}},
		Robots:  []TableRobot{r},
	}
}

// sourceName returns the name of a source for a token: small letters, digits and hyphens.
func sourceName(token string) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			return c
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return '-'
	}, token)
	return strings.Trim(name, "-")
}

// A ListEntry is an entry of the list monperrus/crawler-user-agents.
type ListEntry struct {
	Pattern     string   `json:"pattern"`
	AddedOn     string   `json:"addition_date"`
	URL         string   `json:"url,omitempty"`
	Instances   []string `json:"instances"`
	Description string   `json:"description,omitempty"`
}

// NewListEntry returns an entry for a robot that was found on a day. Its pattern is the token as
// a regular expression, in which the list escapes slashes too, for readers in PHP.
func NewListEntry(token, url string, headers []string, day time.Time, description string) ListEntry {
	return ListEntry{
		Pattern: strings.ReplaceAll(regexp.QuoteMeta(token), "/", `\/`), AddedOn: day.UTC().Format("2006/01/02"),
		URL: url, Instances: headers, Description: description,
	}
}
