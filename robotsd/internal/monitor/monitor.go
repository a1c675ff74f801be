// Package monitor watches the robots.txt of live sites, and says by its meaning what changed.
//
// A [Looker] looks at a [Site]: it fetches robots.txt, also with the headers of other robots, reads
// chosen pages, and tries claims. A look gives an [Observation], which is plain data. [Compare]
// holds an observation against an earlier one, and gives a [Finding] for each thing that matters:
// closed to search engines, opened as a whole, an HTML page in place of robots.txt. Rules are
// compared by package proof, so a file that is only written differently gives no finding.
//
//	looker := &monitor.Looker{UserAgent: "ExampleWatch/1.0 (+https://example.com/watch)"}
//	now, err := looker.Look(ctx, monitor.Site{URL: "https://example.com"})
//	if err != nil {
//		return err
//	}
//	for _, f := range monitor.Compare(before, now) {
//		fmt.Println(f)
//	}
//
// A [Monitor] looks at many sites in intervals, and sends each finding as an [Event] to receivers
// when it begins, when it changes and when it ends. What a kill must not lose is in a folder.
package monitor

import (
	"context"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/proof"
)

// A Site is an origin that is watched. A Site is not modified.
type Site struct {
	URL string // absolute; the site is its origin

	// Every is the interval between the looks of a [Monitor]; 0 means 10 minutes.
	Every time.Duration

	// Expect returns the robots.txt that the site should serve, such as the file in a repository.
	// Nil means that nothing is expected.
	Expect func(context.Context) (*robots.Policy, error)

	// Claims must hold of the robots.txt in force.
	Claims []proof.Claim

	// As has User-Agent headers with which robots.txt is fetched too: some sites serve another file
	// to some robots.
	As []string

	// Pages are absolute URLs of pages whose directives to search engines are watched.
	Pages []string

	// CertificateDays is the number of days before its end at which a certificate is reported; 0
	// means 14, and a negative number means never.
	CertificateDays int
}

// An Observation is what a look at a site found. It is plain data: its JSON is stored. An
// Observation is not modified.
type Observation struct {
	Origin string    `json:"origin"`
	Time   time.Time `json:"time"` // when the look began

	File  File   `json:"file"`            // as the Looker's own header gets it
	Pages []Page `json:"pages,omitempty"` // in the order of Site.Pages

	// Sitemaps are the sitemaps of robots.txt that were requested, in its order.
	Sitemaps []Sitemap `json:"-"`
	resting  []string  // the URLs of the others

	// NotBefore is the time before which the site asks for no request, by Retry-After of an answer
	// 429 or 503 to any request of the look. Nothing was requested after that answer: Skipped has
	// the headers of Site.As and the URLs of Site.Pages that were left out. The next look of a
	// [Monitor] begins with those.
	NotBefore time.Time `json:"not_before,omitzero"`
	Skipped   []string  `json:"skipped,omitempty"`
	last      string    // the header or the URL of that answer; "" if it was the first

	// Findings are what is wrong with the site, whatever was before.
	Findings []Finding `json:"findings,omitempty"`

	// Policy is the policy in force. Its text is not part of the JSON: File has the hash.
	Policy *robots.Policy `json:"-"`
}

// A Page is what a page says to search engines. NoIndex and NoFollow are product tokens.
type Page struct {
	URL      string   `json:"url"`
	Final    string   `json:"final,omitempty"`  // after redirects, if another URL
	Status   int      `json:"status,omitempty"` // 0 without an answer
	Cause    string   `json:"cause,omitempty"`  // why the page could not be read
	NoIndex  []string `json:"noindex,omitempty"`
	NoFollow []string `json:"nofollow,omitempty"`
}

// A File is the answer to a request for robots.txt.
type File struct {
	State     fetch.State `json:"state"`
	Status    int         `json:"status,omitempty"` // 0 without an answer; a confirmed text has 200
	Cause     string      `json:"cause,omitempty"`  // why State is not OK
	Final     string      `json:"final,omitempty"`  // the requested URL after redirects, if there were any
	SHA256    string      `json:"sha256,omitempty"` // of the text, in hex
	Size      int         `json:"size,omitempty"`   // of the text in bytes
	HTML      bool        `json:"html,omitempty"`
	Cut       bool        `json:"cut,omitempty"`
	Challenge string      `json:"challenge,omitempty"` // the sign of a challenge page
	Unusable  Kind        `json:"unusable,omitempty"`  // why the text is not a robots.txt, or not all of it

	UnreachableSince time.Time `json:"unreachable_since,omitzero"` // the first of the failures without a success
	// after 429 or 503: the server asks for no request before (Retry-After)
	NotBefore       time.Time `json:"not_before,omitzero"`
	CertificateEnds time.Time `json:"certificate_ends,omitzero"` // the first end in the chain of the origin
}
