package engine

import "strings"

// obeys has the names by which the table of package agent finds a robot that obeys other groups
// than that of this name and that for everyone: a line for each, with its tokens, and "!" before
// them if the robot does not obey the group for everyone. A test compares them with the table,
// which would double the size of the core engine.
const obeys = `!AdsBot-Google
!AdsBot-Google-Mobile
!AdsBot-Google-Mobile-Apps AdsBot-Google
AhrefsBot.Feeds AhrefsBot
AhrefsBot.FreshPages AhrefsBot
!APIs-Google
Applebot Googlebot
Baiduspider-render Baiduspider
bingbot msnbot
BlueskyPreviewBot Bluesky
ChatGPT-Agent ChatGPT
coccocbot-image coccocbot
coccocbot-web coccocbot
Dataprovider.com dataprovider
Daum Daumoa
Daumoa-image Daumoa
DMBrowser-BV DMBrowser
DuckDuckBot-Https DuckDuckBot
!DuplexWeb-Google
Exabot-Images Exabot
Exabot-Thumbnails Exabot
FAST-WebCrawler fast
Friendly_Crawler FriendlyCrawler
GeedoProductSearch GeedoShopProductFinder
Google-InspectionTool Googlebot
Googlebot-Image Googlebot
Googlebot-News Googlebot
Googlebot-Video Googlebot
GoogleOther-Image GoogleOther
GoogleOther-Video GoogleOther
GoogleStackdriverMonitoring-UptimeChecks GoogleStackdriverMonitoring
GrapeshotCrawler grapeshot
Inoreader inoreader.com
inoreader.com-like inoreader.com
!Mediapartners-Google
!Mediapartners-Googlebot Mediapartners-Google
pingbot Pingdom
Pingdom.com_bot_version_1.4_ Pingdom
PingdomPageSpeed Pingdom
PingdomTMS Pingdom
Pinterestbot Pinterest
PixelFedBot Pixelfed
psbot-image psbot
psbot-page psbot
Qwantbot-news Qwantbot
Screaming Googlebot
Slackbot-LinkExpanding Slackbot
Sogou-Test-Spider Sogou
special_archiver archive.org_bot
Statping-ng Statping
StatusCake_Uptime_Checker StatusCake
TinEye-bot TinEye
YandexBlogs Yandex
YandexBot Yandex
YandexImages Yandex
YandexMedia Yandex
YandexVideo Yandex
Yeti-FeedItemCrawler Yeti
Yeti-Mobile Yeti
Zao-Crawler Zao`

// known returns the robot with the groups that its operator documents, if it is given by one text:
// a product token or a User-Agent header. A text that names several robots, as isList says, is an
// error, also where it is one of many.
func (r Robot) known() (Robot, error) {
	for _, text := range r.Tokens {
		if isList(text) {
			return r, wrong(BadValue, "the text names several robots: give them one by one")
		}
	}
	if len(r.Tokens) != 1 || r.Alone {
		return r, nil
	}
	text := r.Tokens[0]
	for text != "" {
		n := 0
		for n < len(text) && isOfName(text[n]) {
			n++
		}
		if tokens := tokensOf(text[:n]); tokens != "" {
			robot := Robot{Alone: tokens[0] == '!' && !r.Everyone}
			first, second, two := strings.Cut(strings.TrimPrefix(tokens, "!"), " ")
			if robot.Tokens = []string{first}; two {
				robot.Tokens = []string{first, second}
			}
			return robot, nil
		}
		text = text[min(n+1, len(text)):]
	}
	return r, nil
}

// isList reports whether a text has commas outside parentheses, and does not pose as the header of
// a browser; or semicolons, and none of the parentheses and addresses that headers have. That
// suffices without a table: a browser may add "gzip(gfe)" and the like after a comma. Two headers
// of one form after each other are a list too.
func isList(text string) bool {
	const browser = "Mozilla/5.0 ("
	posing, depth, comma, semicolon := strings.HasPrefix(text, browser), 0, false, false
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			comma = comma || depth <= 0
		case ';':
			semicolon = true
		}
	}
	if posing {
		return comma && strings.Contains(text[1:], browser)
	}
	return comma || semicolon && strings.IndexByte(text, '(') < 0 && strings.IndexByte(text, ':') < 0
}

// tokensOf returns the line of obeys for a token, or "".
func tokensOf(token string) string {
	for rest := obeys; token != "" && rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "!"), " ")
		if sameName(first, token) {
			return line
		}
	}
	return ""
}

// sameName reports whether two tokens are equal, in ASCII letters of any case. Package strings has
// tables for all letters, which the core engine has no room for.
func sameName(s, t string) bool {
	if len(s) != len(t) {
		return false
	}
	for i := range len(s) {
		a, b := s[i], t[i]
		if a != b && (a^b != 0x20 || a|0x20 < 'a' || 'z' < a|0x20) {
			return false
		}
	}
	return true
}

// isOfName reports whether c is a byte of a name that may be one of obeys.
func isOfName(c byte) bool {
	return c == '*' || c == '-' || c == '_' || c == '.' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
