package agent_test

import (
	"testing"

	"github.com/robotsexclusion/robots/agent"
)

// TestDevice checks which headers are those of programs on the devices of people.
func TestDevice(t *testing.T) {
	for _, test := range []struct {
		header, token string
		device        bool
	}{
		{"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 " +
			"Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0", "facebookexternalhit", true},
		{"Mozilla/5.0+(Macintosh)+facebookexternalhit/1.1+Facebot+Twitterbot/1.0", "facebookexternalhit", true},
		{"facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "facebookexternalhit", false},
		{"Twitterbot/1.0", "Twitterbot", false},
		{"facebookexternalhit/1.1;line-poker/1.0", "facebookexternalhit", true},
		{"Claude-User (claude-code/3.0.1; +https://support.anthropic.com/)", "Claude-User", true},
		{"Mozilla/5.0 (compatible; Claude-User/1.0; +Claude-User@anthropic.com)", "Claude-User", false},
		{"WhatsApp/2.24.1.1 A", "WhatsApp", true},
		{"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36 Aider/0.7 " +
			"+https://aider.chat", "Aider", true},
		{"GPTBot/1.2", "GPTBot", false},
		// A word of an address, or after "like", is not a name.
		{"GPTBot/1.2 (+https://example.com/claude-code)", "GPTBot", false},
		{"GPTBot/1.2 (like claude-code)", "GPTBot", false},
	} {
		if a := agent.Lookup(test.header); a.Device != test.device || a.Token != test.token {
			t.Errorf("Lookup(%q) is %s, device %t, want %s, %t", test.header, a.Token, a.Device, test.token,
				test.device)
		}
	}
}

// TestCrawler checks which robots RFC 9309 is about.
func TestCrawler(t *testing.T) {
	for header, want := range map[string]bool{
		"GPTBot/1.2": true,
		"Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)":                          true,
		"ExampleBot/1.0 (+https://example.com/bot)":                                                   true,
		"ExampleUptimeCrawler/1.0":                                                                    true,
		"Mozilla/5.0 (compatible; ExampleScraper/1.0; price monitor)":                                 true,
		"Mozilla/5.0 (compatible; SemrushBot/7~bl)":                                                   true,
		"Mozilla/5.0 (compatible; magpie-crawler/1.1)":                                                true,
		"Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)":                      false,
		"Mozilla/5.0 (compatible; Let's Encrypt validation server; +https://www.letsencrypt.org)":     false,
		"Amazon-Route53-Health-Check-Service (ref 1; report http://amzn.to/1vsZADi)":                  false,
		"Stripe/1.0 (+https://stripe.com/docs/webhooks)":                                              false,
		"ExampleUptimeBot/1.0 (+https://uptime.example/)":                                             false,
		"check_http/v2.3.3 (monitoring-plugins 2.3.3)":                                                false,
		"ExampleLinkChecker/10.0 (+https://linkchecker.example/)":                                     false,
		"YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html":                    false,
		"Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)":   false,
		"W3C_Validator/1.3 http://validator.w3.org/services":                                          false,
		"WordPress/6.4; https://site.example":                                                         false,
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/49.0 Google Favicon":     false,
		"Mozilla/5.0 (compatible;Cloudflare-Healthchecks/1.0;+https://www.cloudflare.com/; check: 1)": false,
	} {
		if got := agent.Lookup(header).Crawler(); got != want {
			t.Errorf("Lookup(%q).Crawler() = %t", header, got)
		}
	}
	if !agent.Named("NobodyKnowsIt").Crawler() {
		t.Error("a robot of which nothing is known is not a crawler")
	}
}
