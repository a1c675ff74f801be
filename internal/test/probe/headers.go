package probe

import (
	"slices"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// maxNamed is the maximum number of headers of robots that HeadersFor takes from the groups of a
// policy.
const maxNamed = 3

// HeadersFor returns the User-Agent headers for a test of one of many policies: headers of up to
// three robots that its groups name, of one robot of the table that no group names, and of a
// browser. The number of the policy makes another choice for each one, so that the headers of many
// policies show most robots of the table.
func HeadersFor(p *robots.Policy, number int) (headers []string) {
	named := namedBy(p)
	for i := range min(len(named), maxNamed) {
		headers = append(headers, named[(number+i)%len(named)])
	}
	table := tableHeaders()
	for i := range table {
		header := table[(number+i)%len(table)]
		if p.ForOnly(agent.Lookup(header).Tokens()...).Line() == 0 {
			headers = append(headers, header)
			break
		}
	}
	return append(headers, browsers[number%len(browsers)])
}

// namedBy returns headers of the robots that the groups of a policy name, one for each name, in the
// order of the file. A name that no header of a robot shows has none.
func namedBy(p *robots.Policy) (headers []string) {
	for _, g := range p.Groups() {
		for _, token := range g.Agents() {
			if header := headerOf(token); header != "" && !slices.Contains(headers, header) {
				headers = append(headers, header)
			}
		}
	}
	return headers
}

// tableHeaders returns a header of each robot of the table that sends requests. Neighbours in the
// table, which often belong to one operator, are not neighbours in the list.
var tableHeaders = sync.OnceValue(func() (headers []string) {
	const step = 101
	all := slices.Collect(agent.All())
	for i := range step {
		for j := i; j < len(all); j += step {
			if header := headerOf(all[j].Token); header != "" {
				headers = append(headers, header)
			}
		}
	}
	return headers
})

// headerNames returns the names that headers have for the robots of the table, by product token in
// small letters.
var headerNames = sync.OnceValue(func() map[string][]string {
	names := make(map[string][]string)
	for name, a := range (*agent.Table)(nil).HeaderNames() {
		token := strings.ToLower(a.Token)
		names[token] = append(names[token], name)
	}
	return names
})

// headerOf returns a header of the robot with a product token: the header that its operator
// documents, or else one made of a name. It returns "" if no such header shows a robot that obeys
// the token, or if no robot sends the token.
func headerOf(token string) string {
	a := agent.Named(token)
	if a.PolicyOnly() {
		return ""
	}
	names := append([]string{token}, headerNames()[strings.ToLower(a.Token)]...)
	var tried []string
	for _, header := range documented {
		if strings.EqualFold(agent.Lookup(header).Token, token) {
			tried = append(tried, header)
		}
	}
	for _, name := range names {
		tried = append(tried, "Mozilla/5.0 (compatible; "+name+"/1.0; +https://example.com/bot)", name+"/1.0")
	}
	for _, header := range tried {
		shown := agent.Lookup(header)
		obeys := slices.ContainsFunc(shown.Tokens(), func(t string) bool { return strings.EqualFold(t, token) })
		control := strings.ContainsFunc(header, func(c rune) bool { return c < ' ' || c == 0x7F })
		if shown.Kind == agent.Robot && obeys && !control {
			return header
		}
	}
	return ""
}

// browsers are headers of browsers.
var browsers = []string{
	Chrome,
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
	"Mozilla/5.0 (Linux; U; Android 4.2.2; es-es; CUBOT GT72E Build/JDQ39) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30",
	"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
	"Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16",
}

// documented are headers as the operators of robots document them.
var documented = []string{
	Googlebot,
	"Googlebot-Image/1.0",
	"Googlebot-Video/1.0",
	"AdsBot-Google (+http://www.google.com/adsbot.html)",
	"Mediapartners-Google",
	"APIs-Google (+https://developers.google.com/webmasters/APIs-Google.html)",
	"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36",
	"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.2; +https://openai.com/gptbot",
	"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
	"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
	"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
	"Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
	"Mozilla/5.0 (compatible; YandexImages/3.0; +http://yandex.com/bots)",
	"Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
	"Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)",
	"Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
	"Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)",
	"Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)",
	"Mozilla/5.0 (compatible; DotBot/1.2; +https://opensiteexplorer.org/dotbot; help@moz.com)",
	"Mozilla/5.0 (compatible; PetalBot;+https://webmaster.petalsearch.com/site/petalbot)",
	"DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)",
	"facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
	"meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
	"Twitterbot/1.0",
	"Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)",
	"msnbot/2.0b (+http://search.msn.com/msnbot.htm)",
	"ia_archiver (+http://www.alexa.com/site/help/webmasters; crawler@alexa.com)",
	"CCBot/2.0 (https://commoncrawl.org/faq/)",
	"Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)",
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_1) AppleWebKit/600.2.5 (KHTML, like Gecko) Version/8.0.2 Safari/600.2.5 (Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)",
	"LinkedInBot/1.0 (compatible; Mozilla/5.0; Jakarta Commons-HttpClient/3.1 +http://www.linkedin.com)",
	"Pinterestbot/1.0 (+http://www.pinterest.com/bot.html)",
	"rogerbot/1.2 (http://moz.com/help/pro/what-is-rogerbot-, rogerbot-crawler+shiny@moz.com)",
}
