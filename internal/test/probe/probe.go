// Package probe makes requests for tests that hold a web server, or a guard before it, against a
// policy.
package probe

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/robotsexclusion/robots"
)

// Headers returns User-Agent headers of each kind: of robots, browsers, and programs that are
// neither.
func Headers() []string {
	return []string{
		Googlebot, Chrome, "",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
		"Mozilla/5.0 (Linux; U; Android 4.2.2; es-es; CUBOT GT72E Build/JDQ39) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30",
		"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
		"Googlebot-Image/1.0", "Googlebot-News", "GOOGLEBOT",
		"AdsBot-Google (+http://www.google.com/adsbot.html)",
		"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
		ExampleBot,
		"Mozilla/5.0 (compatible; Googlebot/2.1; startmebot/1.0; +https://start.me/bot)",
		"TelegramBot (like TwitterBot)",
		"curl/8.5.0", "python-requests/2.32.0",
		"W3C-checklink/4.5 [4.160] libwww-perl/5.823",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Exabrowser/2",
	}
}

// Three of the headers: of a browser, a robot of the table, and a robot that is in no table.
const (
	Chrome     = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36"
	Googlebot  = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	ExampleBot = "ExampleBot/1.0 (+https://example.com/bot)"
)

// Targets returns targets near the patterns of a policy, of at most some of them: as written,
// encoded, doubled, cut, with "#", "*" and raw bytes.
func Targets(p *robots.Policy, random *rand.Rand, most int) (targets []string) {
	var patterns []string
	for _, g := range p.Groups() {
		for rule := range g.Rules() {
			patterns = append(patterns, rule.Pattern)
		}
	}
	random.Shuffle(len(patterns), func(i, j int) { patterns[i], patterns[j] = patterns[j], patterns[i] })
	if len(patterns) > most {
		patterns = patterns[:most]
	}
	add := func(target string) {
		target = strings.Map(func(c rune) rune {
			if c <= ' ' || c == 0x7F {
				return -1
			}
			return c
		}, target)
		if len(target) < 4000 {
			targets = append(targets, "/"+strings.TrimPrefix(target, "/"))
		}
	}
	for _, pattern := range patterns {
		text := strings.NewReplacer("*", "x/y", "$", "").Replace(pattern)
		at := random.IntN(len(text) + 1)
		add(text)
		add(pattern)
		add(text + "x")
		add(text + "#f")
		add(text[:at] + "*" + text[at:])
		add(text[:at] + "%2A" + text[at:])
		add(text[:at])
		add("/a" + text + text)
		add(strings.ToUpper(text))
		if at < len(text) {
			add(fmt.Sprintf("%s%%%02X%s", text[:at], text[at], text[at+1:]))
			add(fmt.Sprintf("%s%%%02x%s", text[:at], text[at], text[at+1:]))
		}
		add("/" + strings.ReplaceAll(text[min(1, len(text)):], "/", "//"))
	}
	return append(targets, "/", "/robots.txt", "/robots%2Etxt", "/robots.txt?x", "/.well-known/x", "//x/y", "/%%34%30",
		"/?a=b", "/%c3%a9", "/é")
}

// spellingParts are the parts of the targets of Spelled, which servers read in different ways.
var spellingParts = []string{"/", "//", "/.", "/./", "/..", "/../", "%2f", "%2F", "%2e", "%2E%2e", ".", "x",
	"/x/..", "/x", "/a", "x%2fy", "/x%2fy/..", "/a%2f..", "/b//..", "/b#/..",
	"/..%2f", "/.%2f", "/public", "/private", "/.well-known",
	"/robots.txt", "/%61"}

// Spelled returns a target in which some server may read a path, which begins with "/": with other
// segments before it, dots, escapes, a scheme and a host.
func Spelled(random *rand.Rand, path string) string {
	var b strings.Builder
	switch random.IntN(8) {
	case 0:
		b.WriteString([]string{"http", "https", "HTTPS", "ftp", "x+y-z.1"}[random.IntN(5)] + ":" +
			[]string{"//s0.example", "//s0.example:80", "//S0.EXAMPLE", "", "//"}[random.IntN(5)])
	case 1:
		b.WriteString("/x/..")
	}
	b.WriteByte('/')
	for range random.IntN(6) {
		b.WriteString(spellingParts[random.IntN(len(spellingParts))])
	}
	for i, c := range []byte(path) {
		n := random.IntN(30)
		if strings.Contains(path, "%") {
			n = 2 // an escape stays one
		}
		switch {
		case n == 0 && i > 0:
			fmt.Fprintf(&b, "%%%02x", c)
		case n == 1 && c == '/':
			b.WriteString([]string{"//", "/./", "%2f", "/x/../", "/.%2f"}[random.IntN(5)])
		default:
			b.WriteByte(c)
		}
	}
	if random.IntN(10) == 0 {
		b.WriteString([]string{"?", "?x=/../y", "#x", "?%2f..", "/", "/."}[random.IntN(6)])
	}
	return b.String()
}
