package lint

import (
	"net/url"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var sitemapHost = &Check{
	Name:     "sitemap-host",
	Severity: Info,
	Profiles: everywhere,
	run: func(p *pass) {
		home := hostOf(p.options.Origin)
		if home == "" {
			home = usualHost(p.policy)
		}
		if home == "" {
			return
		}
		p.lines(func(l *line) {
			if !strings.EqualFold(l.Field, "Sitemap") {
				return
			}
			host := hostOf(l.Value)
			if host == "" || host == home || isReserved(host) || isRelated(host, home) && !isTryout(host) {
				return // sitemap-url reports reserved hosts
			}
			if p.options.Origin != "" {
				p.report(l.value(), textOtherHost, host, home)
			} else {
				p.report(l.value(), textOddHost, host, home)
			}
		}, robots.Other)
	},
}

// hostOf returns the host of an http or https URL, in lower case and without "www." and port,
// or "".
func hostOf(rawURL string) string {
	if !isWeb(rawURL) {
		return ""
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

// usualHost returns the host of all sitemaps of a file except one, if the file has three or more
// sitemaps: the exception is likely a slip. Otherwise it returns "".
func usualHost(policy *robots.Policy) string {
	hosts := make(map[string]int)
	n := 0
	for _, s := range policy.Sitemaps() {
		host := hostOf(s.Value)
		if host == "" {
			continue
		}
		n++
		if hosts[host]++; len(hosts) > 2 {
			return ""
		}
	}
	for host, times := range hosts {
		if len(hosts) == 2 && n >= 3 && times == n-1 {
			return host
		}
	}
	return ""
}

// isRelated reports whether two hosts likely have the same owner: their last two labels are
// equal. Many sites have their sitemaps, a blog or help on separate hosts.
func isRelated(a, b string) bool { return lastLabels(a) == lastLabels(b) }

func lastLabels(host string) string {
	i := strings.LastIndexByte(host, '.')
	if i < 0 {
		return host
	}
	return host[strings.LastIndexByte(host[:i], '.')+1:]
}

// isTryout reports whether the name of a host is that of a test site.
func isTryout(host string) bool {
	label, _, _ := strings.Cut(host, ".")
	switch label {
	case "staging", "stage", "dev", "test", "beta", "preprod", "preview", "uat", "qa", "demo":
		return true
	}
	return false
}

// isReserved reports whether a host is not on the public web: this machine, a private network,
// a name reserved for tests (RFC 6761), or one word, such as "undefined"
// of a program that had no host.
func isReserved(host string) bool {
	for _, name := range []string{"localhost", "local", "localdomain", "internal", "test", "invalid"} {
		if host == name || strings.HasSuffix(host, "."+name) {
			return true
		}
	}
	return privateAddress(host) || host != "" && !strings.ContainsAny(strings.TrimRight(host, "."), ".:")
}

var (
	textOtherHost = language.New(
		"the sitemap is on %[1]s, and this file on %[2]s: search engines accept it from here, if it lists pages of this site")
	textOddHost = language.New("this sitemap is on %[1]s, and all others are on %[2]s: is it that of another site?")
)
