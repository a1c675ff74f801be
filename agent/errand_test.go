package agent_test

import (
	"testing"

	"github.com/robotsexclusion/robots/agent"
)

// errandHeaders are headers of monitors, health checks, validations of certificates, webhooks,
// validators, checkers of links, icons, and proxies of mail and pictures, as their makers or the
// logs of sites have them: none of these crawls.
var errandHeaders = []string{
	"Acme Simple Notification Service Agent", "Mozilla/5.0 (compatible; Acme-Certificates-Bridge)",
	"Mozilla/5.0 (compatible; HTML Proofer/5.0.9; +https://github.com/gjtorikian/html-proofer)",
	"HostTracker bot/2.0 (+https://host-tracker.com)", "Cloudflare-SSLDetectorBot/1.0",
	// Monitors.
	"Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
	"Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)",
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/98.0.4758.102 " +
		"Safari/537.36 StatusCake",
	"Mozilla/5.0 (compatible; FreshpingBot/1.0; +https://freshping.io/)",
	"Uptime-Kuma/1.23.11",
	"Checkly/1.0 (https://www.checklyhq.com)",
	"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 " +
		"DatadogSynthetics",
	"Datadog/Synthetics",
	"NewRelicSynthetics/1.0",
	"GrafanaSyntheticMonitoring/0.24 (+https://grafana.com)",
	"Grafana k6/0.49.0",
	"k6/0.49.0 (https://k6.io/)",
	"Zabbix",
	"Zabbix 6.4.11",
	"check_http/v2.3.3 (nagios-plugins 2.3.3)",
	"check_curl/v2.3.5 (monitoring-plugins 2.3.5, libcurl/7.88.1)",
	"Icinga/check_http 2.14",
	"Blackbox Exporter/0.24.0",
	"Blackbox-Exporter/0.25.0",
	"Prometheus/2.48.0",
	"Site24x7",
	"Mozilla/5.0 (compatible; Site24x7; +https://www.site24x7.com)",
	"Better Stack Better Uptime Bot Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)",
	"Better Uptime Bot Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) " +
		"Chrome/99.0.4844.51 Safari/537.36",
	"Mozilla/5.0 (compatible; OhDear/1.1; +https://ohdear.app/checker; uptime)",
	"HetrixTools Uptime Monitoring Bot. https://hetrix.tools/uptime-monitoring-bot.html",
	"Mozilla/5.0 (compatible; HetrixTools/1.0; +https://hetrixtools.com)",
	"NodePing",
	"Mozilla/5.0 (compatible; NodePing/1.0; +https://nodeping.com)",
	"updown.io daemon 2.11",
	"Cronitor/5.0 (https://cronitor.io)", "EasyCron/1.0 (https://www.easycron.com/)",
	"Healthchecks.io/3.0",
	"healthchecks.io",
	"montastic-monitor http://www.montastic.com",
	"Hyperping/1.0 (https://hyperping.io)",
	"Instatus-Monitor/1.0",
	"Dotcom-Monitor",
	"Uptimia/1.0 (+https://www.uptimia.com)",
	"Monit/5.33.0",
	"Munin - http_loadtime",
	"Sensu-Plugin-HTTP/1.0",
	"PRTG Network Monitor (www.paessler.com)",
	"Gatus/1.0",
	"SentryUptimeBot/1.0 (+http://docs.sentry.io/product/alerts/uptime-monitoring/)",
	"Pulsetic.com (https://pulsetic.com)",
	"WatchSumo/1.0 (+https://watchsumo.com)",
	"InternetVista monitor (Mozilla compatible)",
	"Catchpoint/1.0",
	"jetmon/1.0 (Jetpack Site Uptime Monitor by WordPress.com)",
	// Health checks.
	"Amazon-Route53-Health-Check-Service (ref 8b1a7f4c; report http://amzn.to/1vsZADi)",
	"Amazon Route 53 Health Check Service; ref:8b1a7f4c; report http://amzn.to/1vsZADi",
	"ELB-HealthChecker/2.0",
	"GoogleHC/1.0",
	"GoogleStackdriverMonitoring-UptimeChecks(https://cloud.google.com/monitoring)",
	"kube-probe/1.28+",
	"Mozilla/5.0 (compatible;Cloudflare-Healthchecks/1.0;+https://www.cloudflare.com/; healthcheck-id: 8b1a)",
	"Mozilla/5.0 (compatible; Cloudflare-Traffic-Manager/1.0; +https://www.cloudflare.com/traffic-manager/; id: 9)",
	"Azure Traffic Manager Endpoint Monitor",
	"Edge Health Probe",
	"Load Balancer Agent",
	"AlwaysOn",
	"ReadyForRequest/1.0 (AlwaysOn)",
	"Varnish/fastly (healthcheck)",
	"Fastly/healthcheck",
	"Consul Health Check",
	"HAProxy/2.8 healthcheck",
	"Envoy/HC",
	"docker-healthcheck",
	// Certificates.
	"Mozilla/5.0 (compatible; Let's Encrypt validation server; +https://www.letsencrypt.org)",
	"ZeroSSL/1.0 (+https://zerossl.com)",
	"ZeroSSL DCV",
	"DigiCert DCV Bot/1.1",
	"Sectigo DCV",
	"COMODO DCV",
	"GlobalSign Domain Validation Bot",
	"acme.zerossl.com/v2/DV90",
	"Entrust Domain Control Validation/1.0",
	"Google Trust Services domain validation",
	"Buypass DV validator",
	// Webhooks.
	"GitHub-Hookshot/044aadd",
	"GitLab/16.7.0",
	"GitLab/16.7.0-ee",
	"Bitbucket-Webhooks/2.0",
	"Stripe/1.0 (+https://stripe.com/docs/webhooks)",
	"PayPal IPN ( https://www.paypal.com/ipn )",
	"PayPal/AUHR-1.0-1",
	"Shopify-Captain-Hook",
	"Shopify-Webhook/1.0",
	"TwilioProxy/1.1",
	"Slack-Webhooks/1.0",
	"Discord-Webhook/1.0 (+https://discord.com)",
	"mailgun/treq-22.8.0",
	"SendGrid Event API",
	"Sendgrid/1.0 (+https://sendgrid.com)",
	"Postmark",
	"Svix-Webhooks/1.24.0 (sender-9YMgn; +https://www.svix.com/http-sender/)",
	"Zapier",
	"IFTTT-Hooks",
	"Mollie.com/1.0 (webhook)",
	"Mollie HTTP client/1.0",
	"Adyen HttpClient 1.0",
	"Square Connect v2",
	"CallRail Webhook (https://www.callrail.com)",
	"hubspot-webhooks",
	// Validators and checkers that a person starts.
	"W3C_Validator/1.3 http://validator.w3.org/services",
	"W3C-checklink/5.0.0 libwww-perl/6.67",
	"Jigsaw/2.3.0 W3C_CSS_Validator_JFouffa/2.0 (See <http://validator.w3.org/services>)",
	"W3C-mobileOK/DDC-1.0 (see http://www.w3.org/2006/07/mobileok-ddc)",
	"Validator.nu/LV http://validator.w3.org/services",
	"Mozilla/5.0 (compatible; LinkChecker/10.4.0; +https://linkchecker.github.io/linkchecker/)",
	"LinkChecker/9.3 (+http://wummel.github.io/linkchecker/)",
	"Xenu Link Sleuth/1.3.8",
	"lychee/0.14.3",
	"FeedValidator/1.3",
	"securityheaders.com",
	"Mozilla/5.0 (compatible; securityheaders.com; +https://securityheaders.com)",
	"SSL Labs (https://www.ssllabs.com/about/assessment.html)",
	"SSL Labs/1.0",
	"Mozilla/5.0 (compatible; Observatory/1.0; +https://observatory.mozilla.org)",
	"MDN HTTP Observatory/1.4",
	"Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 (KHTML, like Gecko) " +
		"Chrome/119.0.0.0 Mobile Safari/537.36 Chrome-Lighthouse",
	"Mozilla/5.0 (compatible; Google-Structured-Data-Testing-Tool " +
		"+https://search.google.com/structured-data/testing-tool)",
	"Mozilla/5.0 (compatible; Google-Site-Verification/1.0)",
	"GTmetrix",
	"WebPageTest.org bot (https://www.webpagetest.org) PTST/231122",
	"Hardenize/1.0 (+https://www.hardenize.com)",
	"Mozilla/5.0 (compatible; INTERNET.NL/1.0; +https://internet.nl/about)",
	// Icons, mail, pictures, prefetch, and the site's own software.
	"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/49.0.2623.75 " +
		"Safari/537.36 Google Favicon",
	"Mozilla/5.0 (compatible; DuckDuckGo-Favicons-Bot/1.0; +http://duckduckgo.com)",
	"Besticon (https://github.com/mat/besticon)",
	"Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
	"YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html",
	"github-camo (8b1a7f4c)",
	"Camo Asset Proxy 2.3.0",
	"Mozilla/5.0 (compatible; Outlook-iOS; ImageProxy/1.0)",
	"Chrome Privacy Preserving Prefetch Proxy",
	"WordPress/6.4.2; https://site.example",
	"WP-Cron/1.0 (https://site.example)",
	"Jetpack by WordPress.com",
	"Photon/1.0",
	"Drupal (+http://drupal.org/)",
	"W3 Total Cache/2.5 (cache warmer)",
	"WP Rocket/Preload",
	"WP-Rocket/3.15 (https://wp-rocket.me)",
	"Matomo/5.0 (site health check)",
}

// crawlHeaders are headers of robots that crawl, some of them with words of errands nearby.
var crawlHeaders = []string{
	"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot",
	"Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
	"Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
	"CCBot/2.0 (https://commoncrawl.org/faq/)",
	"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
	"Googlebot-Image/1.0",
	"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
	"Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
	"Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 " +
		"Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
	"DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)",
	"Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
	"Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)",
	"Mozilla/5.0 (compatible; SiteAuditBot/0.97; +http://www.semrush.com/bot.html)",
	"Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)",
	"Mozilla/5.0 (compatible; DotBot/1.2; +https://opensiteexplorer.org/dotbot; help@moz.com)",
	"Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; " +
		"Bytespider; spider-feedback@bytedance.com)",
	"Mozilla/5.0 (compatible; PetalBot; +https://webmaster.petalsearch.com/site/petalbot)",
	"meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
	"Mozilla/5.0 (compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)",
	"Mozilla/5.0 (compatible; DataForSeoBot/1.0; +https://dataforseo.com/dataforseo-bot)",
	"Mozilla/5.0 (compatible; BLEXBot/1.0; +http://webmeup-crawler.com/)",
	"Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)",
	"Mozilla/5.0 (compatible; SeznamBot/4.0; +http://napoveda.seznam.cz/seznambot-intro/)",
	"Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com/bot)",
	"ExamplePriceBot/2.0 (+https://prices.example/)",
	"ExampleUptimeCrawler/1.0 (+https://uptime.example/)",
	"ExampleMonitorSpider/1.0",
	"Mozilla/5.0 (compatible; ExampleShoppingBot/1.0)",
	"ExampleMappingBot/1.0 (+https://maps.example/)",
	"Mozilla/5.0 (compatible; AcronymBot/1.0)",
	"Screaming Frog SEO Spider/20.1",
	"Mozilla/5.0 (compatible; CheckMarkNetwork/1.0; +https://www.checkmarknetwork.com/spider.html)",
}

// TestErrands checks that rules for everyone bind none of the programs that run errands, and all
// robots that crawl, whether the table has them or only their words tell. A person starts Screaming
// Frog, which is a crawler by its name.
func TestErrands(t *testing.T) {
	for _, header := range errandHeaders {
		if a := agent.Lookup(header); a.Kind == agent.Robot && a.Crawler() {
			t.Errorf("%s: %q, %s, known %t, purposes %q, obeys %s", header, a.Token, a.Reason, a.Known(), a.Purposes,
				a.Obedience())
		}
	}
	for _, header := range crawlHeaders {
		if a := agent.Lookup(header); a.Kind != agent.Robot || !a.Crawler() {
			t.Errorf("%s: %q is a %s, purposes %q", header, a.Token, a.Kind, a.Purposes)
		}
	}
}

// TestFeedServices checks which robots in no table read feeds for people, and that one that crawls
// for feeds does not.
func TestFeedServices(t *testing.T) {
	for header, want := range map[string]bool{
		"NovaReader/1.0 (+https://nova.example/feeds; 12 subscribers)":           true,
		"PocketCasts/1.0 (Pocket Casts Feed Parser; +http://pocketcasts.com/)":   true,
		"Feed Wrangler/1.0 (3 subscribers; feed-id=1; http://feedwrangler.net)":  true,
		"FeedBurner/1.0 (http://www.FeedBurner.com)":                             true,
		"Mozilla/5.0 (compatible; AcmeFeedFetcher/2.0; +https://acme.example/)":  true,
		"AcmeFeedCrawler/2.0 (feed parser; +https://acme.example/)":              false,
		"Mozilla/5.0 (compatible; FeedBot/2.0; +https://acme.example/)":          false,
		"Mozilla/5.0 (compatible; AcmeBot/2.0; +https://acme.example/rss/about)": false,
	} {
		a := agent.Lookup(header)
		if a.Kind != agent.Robot || a.Known() || !a.Crawler() || (a.Purposes == agent.Feed) != want {
			t.Errorf("%s: %q is a %s, purposes %q", header, a.Token, a.Kind, a.Purposes)
		}
	}
}

// TestMediaMonitors checks that robots that watch brands, media or prices are crawlers, and those
// that watch whether a site is there are none.
func TestMediaMonitors(t *testing.T) {
	for header, want := range map[string]bool{
		"YaK/1.0 (https://example.com/)": true, "Kenjin Spider/1.0": true, "ApifyBot/1.0": true,
		"AcmeMediaMonitorBot/2.0 (+https://example.com/)":       true,
		"Acme price monitor bot/2.0 (+https://example.com/bot)": true,
		"AcmeUptimeMonitor/2.0 (+https://example.com/)":         false, "UptimeRobot/2.0": false,
	} {
		if a := agent.Lookup(header); a.Crawler() != want {
			t.Errorf("%s: crawler %v, want %v (%s)", header, !want, want, a.Token)
		}
	}
	for _, header := range []string{
		"Lemmy/0.19.8; +https://social.example", "Misskey/2025.4.3 (https://social.example)",
		"Mozilla/5.0 (compatible; SummalyBot/5.1.0)", "Pleroma 2.6.2; https://social.example <admin@social.example>",
		"Akkoma 3.10.4; https://social.example <>", "Friendica 'Siberian Iris' 2022.03-1452; https://social.example",
		"PeerTube/6.0.0 (+https://social.example)", "(Pixelfed/0.11.9; +https://social.example)",
		"http.rb/5.1.1 (Mastodon/4.2.1; +https://social.example/)",
		"Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
	} {
		if a := agent.Lookup(header); a.Purposes.String() != "preview" || a.Obedience() == agent.Obeys {
			t.Errorf("%s: purposes %s of %s, obeys %s", header, a.Purposes, a.Token, a.Obedience())
		}
	}
}
