package lint

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var sitemapURL = &Check{
	Name:     "sitemap-url",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if !strings.EqualFold(l.Field, "Sitemap") || l.isTemplate() {
				return
			}
			if l.Value == "" {
				p.report(l.all(), textSitemapEmpty).Severity = Warning
				return
			}
			if from, to := oddCharacter(l.Value); to > 0 {
				c, _ := utf8.DecodeRuneInString(l.Value[from:])
				d := p.report(l.within(from, to), textSitemapInvisible, fmt.Sprintf("U+%04X", c))
				if from > 0 && to < len(l.Value) && isOddBlank(c) {
					d.Severity = Warning // the name may exist nevertheless
				}
				if plain := visible(l.Value); isWeb(plain) {
					d.Fix = &Fix{Title: p.say(textRemoveIt), Safe: true, Edits: []Edit{l.value().edit(plain)}}
				}
				return
			}
			u, err := url.Parse(l.Value)
			switch {
			case strings.ContainsAny(l.Value, " \t"):
				p.report(l.value(), textSitemapBlank)
			case err != nil:
				p.report(l.value(), textSitemapBroken)
			case u.Scheme == "http" || u.Scheme == "https":
				if u.Host == "" {
					p.report(l.value(), textSitemapRelative)
				} else if isReserved(strings.ToLower(u.Hostname())) && !isReserved(hostOf(p.options.Origin)) {
					p.report(l.value(), textSitemapReserved, u.Host)
				}
			case u.Scheme != "" && u.Host != "":
				p.report(l.value(), textSitemapScheme, u.Scheme).Severity = Warning
			default:
				p.report(l.value(), textSitemapRelative)
			}
		}, robots.Other)
	},
}

// privateAddress reports whether a host is an IP address that is not public.
func privateAddress(host string) bool {
	a, err := netip.ParseAddr(host)
	return err == nil && (a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsUnspecified())
}

// isWeb reports whether a value is a URL that search engines fetch.
func isWeb(value string) bool {
	if _, odd := oddCharacter(value); odd > 0 {
		return false
	}
	u, err := url.Parse(value)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" &&
		!strings.ContainsAny(value, " \t")
}

var (
	textSitemapInvisible = language.New(
		"%[1]s in the URL of the sitemap, which is not seen or looks like a blank: it is not the URL that it seems to be")
	textSitemapEmpty    = language.New("there is no URL of a sitemap")
	textSitemapRelative = language.New(
		"a sitemap is given by its whole URL, with scheme and host, such as https://example.com/sitemap.xml")
	textSitemapBlank = language.New(
		"there is a blank in the URL of the sitemap: a sitemap has a line of its own, and a blank of a URL is %%20")
	textSitemapBroken   = language.New("the address of the sitemap is not a URL")
	textSitemapReserved = language.New(
		"no search engine reaches %[1]s, a name or address of one machine or of a private network: write the public host of the site")
	textSitemapScheme = language.New("search engines fetch sitemaps by http and https, not by %[1]s")
)
