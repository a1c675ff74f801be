package guard

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
)

// paid are the licenses that robots.txt names for a robot and that cost money. It is empty if
// robots.txt names a free one too, because a robot may choose that one.
func (g *Guard) paid(group *robots.Group) (paid []robots.License) {
	for _, license := range group.Licenses() {
		if !slices.Contains(g.PaidLicenses, license.URI.String()) {
			return nil
		}
		paid = append(paid, license)
	}
	return paid
}

// unlicensed returns the first license that a robot has to pay for before it may send a request; ok
// is false if there is none. The documents of the licenses are free. A request with a license
// passes: the server of the site verifies the license.
func (g *Guard) unlicensed(r *http.Request, rules *rules, target string) (license robots.License, ok bool) {
	paid := rules.paid(g)
	if len(paid) == 0 || hasLicense(r.Header["Authorization"]) {
		return license, false
	}
	for _, license := range paid {
		if strings.EqualFold(license.URI.Host, r.Host) && documentOf(license.URI) == target {
			return license, false
		}
	}
	return paid[0], true
}

// documentOf returns the target of a request for the document of a license.
func documentOf(u *url.URL) string {
	if target := u.RequestURI(); target != "" {
		return target
	}
	return "/"
}

// hasLicense reports whether a request has a license in its field Authorization (RSL 1.0, section
// 6).
func hasLicense(authorization []string) bool {
	return slices.ContainsFunc(authorization, func(value string) bool {
		scheme, token, _ := strings.Cut(value, " ")
		return strings.EqualFold(scheme, "License") && strings.TrimSpace(token) != ""
	})
}

// askForLicense sets the fields of an answer that asks for a license (RSL 1.0, section 6).
func askForLicense(h http.Header, d Decision) {
	h.Set("WWW-Authenticate",
		`License error="invalid_request", error_description="Access to this resource requires a valid license"`)
	if uri, err := url.Parse(d.Record.Value); err == nil {
		if link := licenseLink(uri.String()); link != "" {
			h.Set("Link", link)
		}
	}
}

// licenseLink returns the value of Link for a license, or "" if the URI cannot be in such a field.
func licenseLink(uri string) string {
	if strings.ContainsFunc(uri, notInLink) {
		return ""
	}
	return "<" + uri + `>; rel="license"; type="application/rsl+xml"`
}

// notInLink reports whether a character cannot be in the target of a Link field.
func notInLink(c rune) bool { return c <= ' ' || c >= 0x7f || c == '<' || c == '>' || c == '"' }
