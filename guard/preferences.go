package guard

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/url/urlcheck"
)

// preferences are the records of a group about uses of the content.
type preferences struct {
	dialect  robots.Dialect
	usages   []usage // the longest patterns first
	tags     []tag
	licenses []string // values of Link
}

// A usage is a record Content-Usage.
type usage struct {
	pattern     robots.Pattern
	preferences map[string]robots.Preference
}

// A tag is a record with a directive for the pages of a path, such as "Noindex: /old/".
type tag struct {
	pattern   robots.Pattern
	directive string // of X-Robots-Tag
}

// tags are the fields of robots.txt that are directives of X-Robots-Tag. Robots read the header
// field, and no longer these records.
var tags = []string{"noindex", "nofollow", "noarchive"}

// preferenceFields are the fields of robots.txt from which preferences come.
var preferenceFields = append([]string{"content-usage", "license"}, tags...)

// newPreferences reads the preferences of a group.
func newPreferences(g *robots.Group) *preferences {
	p := &preferences{dialect: g.Dialect()}
	for _, u := range g.ContentUsages() {
		p.usages = append(p.usages, usage{p.dialect.Pattern(u.Path), u.Preferences})
	}
	slices.SortStableFunc(p.usages, func(a, b usage) int { return cmp.Compare(b.pattern.Bytes, a.pattern.Bytes) })
	for _, directive := range tags {
		for _, r := range g.Records(directive) {
			if r.Value != "" {
				p.tags = append(p.tags, tag{p.dialect.Pattern(r.Value), directive})
			}
		}
	}
	for _, license := range g.Licenses() {
		if link := licenseLink(license.URI.String()); link != "" {
			p.licenses = append(p.licenses, link)
		}
	}
	return p
}

// usage returns the value of the header field Content-Usage for a path in normal form, or "". As
// among rules, the longest pattern decides, and of equally long ones the most restrictive
// preference (draft-ietf-aipref-attach, section 4).
func (p *preferences) usage(path string) string {
	said := make(map[string]robots.Preference)
	longest := -1
	for _, u := range p.usages {
		if u.pattern.Bytes < longest {
			break
		}
		if u.pattern.Matches(path) {
			longest = u.pattern.Bytes
			for category, preference := range u.preferences {
				said[category] = max(said[category], preference) // Refused is the greatest
			}
		}
	}
	var members []string
	for _, category := range slices.Sorted(maps.Keys(said)) {
		if said[category] != robots.Unknown {
			members = append(members, category+"="+said[category].String())
		}
	}
	return strings.Join(members, ", ")
}

// tag returns the value of the header field X-Robots-Tag for a path in normal form, or "".
func (p *preferences) tag(path string) string {
	var directives []string
	for _, t := range p.tags {
		if !slices.Contains(directives, t.directive) && t.pattern.Matches(path) {
			directives = append(directives, t.directive)
		}
	}
	return strings.Join(directives, ", ")
}

// header returns the header fields with the preferences of robots.txt for the target of a request:
// for a robot those of its group, and for clients without one those of the group for everyone.
// /robots.txt and the documents below /.well-known/ have none.
func (g *Guard) header(r *http.Request) http.Header {
	if g.Policy == nil {
		return nil
	}
	policy, err := g.Policy(r)
	target, ok := targetOf(r)
	if err != nil || policy == nil || !ok || exempt(target) {
		return nil
	}
	site := g.sites.of(policy)
	rules := site.rules(r.UserAgent(), g.Robots, g.Paces)
	if rules == nil || rules.agent.Device || rules.group.Token() == "" && !rules.agent.Crawler() {
		rules = site.everyone()
	}
	p := rules.preferences()
	path := p.dialect.Path(urlcheck.OfHost(target))
	h := make(http.Header)
	// A disallowed target has no preferences (draft-ietf-aipref-attach, section 4.1).
	if value := p.usage(path); value != "" && rules.match(target).Allowed {
		h["Content-Usage"] = []string{value}
	}
	if value := cmp.Or(p.tag(path), g.RobotsTag); value != "" {
		h["X-Robots-Tag"] = []string{value}
	}
	if len(p.licenses) > 0 {
		h["Link"] = p.licenses
	}
	if site.varies() {
		h["Vary"] = []string{"User-Agent"}
	}
	return h
}

// addPreferences adds fields to the header of an answer. A field that the answer has already stays
// alone; of Link this holds for links to licenses.
func addPreferences(to, fields http.Header) {
	for name, values := range fields {
		switch {
		case name == "Vary", name == "Link" && !linksLicense(to["Link"]):
			to[name] = slices.Concat(to[name], values)
		case name != "Link" && len(to[name]) == 0:
			to[name] = slices.Clone(values)
		}
	}
}

// linksLicense reports whether a Link field has a link with the relation license (RFC 8288, section
// 3).
func linksLicense(values []string) bool {
	for _, value := range values {
		for value != "" {
			_, rest, ok := strings.Cut(value, ">")
			if !ok {
				break
			}
			var parameters string
			for parameters, value = cutUnquoted(rest, ','); parameters != ""; {
				var parameter string
				parameter, parameters = cutUnquoted(parameters, ';')
				name, relations, _ := strings.Cut(parameter, "=")
				if strings.EqualFold(strings.TrimSpace(name), "rel") &&
					slices.ContainsFunc(strings.Fields(strings.Trim(strings.TrimSpace(relations), `"`)), isLicense) {
					return true
				}
			}
		}
	}
	return false
}

func isLicense(relation string) bool { return strings.EqualFold(relation, "license") }

// cutUnquoted cuts a text at the first separator that is not in a quoted string.
func cutUnquoted(s string, separator byte) (before, after string) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == separator && !quoted:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
