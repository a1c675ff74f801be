package agent

import "sync"

// errands are parts of the headers of robots that do not crawl: they watch a site, validate a
// certificate or a page, deliver a message, or show something to a person. The owner of the site or
// another person has set them up, or starts them.
var errands = [...]string{
	"-cron", "besticon", "callback", "certbot", "certificate", "check-", "check/", "check_", "checker", "checklink",
	"checkmk", "cron-", "cronitor", "cronjob", "dcv", "domain control", "downtime", "drupal", "easycron", "favicon",
	"gomezagent", "gtmetrix", "health check", "health_check", "healthcheck", "heartbeat", "hetrixtools", "hookshot",
	"host-tracker", "hosttracker", "huginn", "hyperping", "icinga", "imageproxy", "internet.nl", "jetpack", "k6.io",
	"keepalive", "let's encrypt", "letsencrypt", "lighthouse", "link check", "linkcheck", "linter", "load balancer",
	"load test", "loadbalancer", "loadtest", "mailproxy", "managewp", "mobileok", "monitor", "nagios", "nodeping",
	"notification", "observatory", "pa11y", "pagespeed", "pingback", "pinger", "postback", "prefetch", "preload",
	"probe", "proofer", "pulsetic", "readiness", "security headers", "securityheaders", "sendgrid", "smoke test",
	"speed test", "speedtest", "ssl detector", "ssl labs", "ssldetector", "ssllabs", "statuspage", "synthetic",
	"uptim", "validat", "verification", "verifier", "warmer", "warmup", "watchdog", "watchsumo", "webhook",
	"webpagetest", "wp-rocket", "zabbix", "zerossl",
}

// crawls are parts of the headers of robots that crawl, whatever else they do: those that watch
// brands, media and prices read the sites of others.
var crawls = [...]string{
	"brand monitor", "brand-monitor", "brandmonitor", "crawl", "harvest", "media monitor", "media-monitor",
	"mediamonitor", "news monitor", "newsmonitor", "price monitor", "pricemonitor", "scrap", "spider",
}

// feeds are parts of the headers of services that read the feeds to which people subscribed.
var feeds = [...]string{
	"feed fetcher", "feed parser", "feed reader", "feed-fetcher", "feed-id", "feed-parser", "feed-reader", "feedburner",
	"feedfetcher", "feedreader", "rss reader", "rssreader", "subscriber",
}

// readsFeeds reports whether a header is that of a robot in no table that reads feeds for people.
func readsFeeds(header string) bool {
	return feedParts.in(header, feeds[:]) && !crawlParts.in(header, crawls[:])
}

// isErrand reports whether a header is that of a robot in no table that does not crawl.
func isErrand(header string) bool {
	return errandParts.in(header, errands[:]) && !crawlParts.in(header, crawls[:])
}

// A partList has parts of texts by their first bytes. The first question sorts them, so that the
// import of this package does nothing.
type partList struct {
	sort    sync.Once
	byFirst [256][]string
}

var errandParts, crawlParts, feedParts partList

// in reports whether a text contains any of the parts, in letters of any case. The parts are in
// lower case, and the same each time.
func (l *partList) in(text string, parts []string) bool {
	l.sort.Do(func() {
		for _, part := range parts {
			l.byFirst[part[0]] = append(l.byFirst[part[0]], part)
		}
	})
	for i := range len(text) {
		for _, part := range l.byFirst[lower(text[i])] {
			if len(text)-i >= len(part) && equalLower(text[i:i+len(part)], part) {
				return true
			}
		}
	}
	return false
}

// equalLower reports whether a text is a part of the same length in letters of any case.
func equalLower(text, part string) bool {
	for i := range len(text) {
		if lower(text[i]) != part[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// Crawler reports whether the agent is a crawler in the sense of RFC 9309: whether it chooses by
// itself which pages to read. Robots that watch a site, validate a certificate or a page, deliver a
// message, or do another task that the site's owner or another person set up, are not crawlers.
// Only groups that name them apply to them. For a robot in the table, its purposes decide, unless
// its operator says that it obeys robots.txt; for another robot, the words of the header that
// Lookup read. Robots that watch brands, media or prices are crawlers, and so is an unknown agent.
func (a Agent) Crawler() bool {
	return a.Purposes == 0 || a.Purposes&^(forMonitor|forTool) != 0 || a.Obedience() == Obeys ||
		crawlParts.in(a.Token, crawls[:]) || crawlParts.in(a.Name, crawls[:])
}
