package engine

import (
	"strings"

	"github.com/robotsexclusion/robots"
)

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

// called has the names that people use for robots, as data/called.txt of package agent has them,
// and the purposes of AI: in lines after the token of the one robot that is meant, or after nothing
// for several. They are in lower case, without blanks, dots, "-" and "_". A test compares them with
// the table.
const called = `:adsbot,ahrefs,aisearch,aitrain,aiuser,amazon,anthropic,apple,aspiegel,baidu,bytedance,claude
:claudeai,cohere,ddg,doubao,duckduckgo,facebook,google,googleads,googleadsbot,gpt,gpt4,gpt5,huawei
:instagram,internetarchive,lechat,llama,meta,metaai,mistral,mistralai,moz,naver,openai
:opensiteexplorer,perplexity,perplexityai,semrush,tiktok,wayback,waybackmachine
008:80legs
Applebot:siri,spotlight
Applebot-Extended:appleai,applebotextend,appleextended,appleintelligence
Bravebot:brave,bravesearch
CCBot:commoncrawl
CloudflareBrowserRenderingCrawler:cloudflarebrowserrendering
DeepSeekBot:deepseek,deepseekai
Google-Extended:bard,gemini,googleai,googlebard,googlebotextended,googleextendedbot,googlegemini
Google-Extended:vertexai
Google-NotebookLM:notebooklmgoogle
Googlebot:googlebotdesktop,googlebotsearch,googlebotsmartphone,googlecrawler,googlerobot
Googlebot:googlesearch,googlespider,googlewebsearch
Googlebot-Image:googlebotimages,googleimage,googleimages,googleimagesearch
Googlebot-News:googlebotnewssearch,googlenews
Googlebot-Video:googlebotvideos,googlevideo,googlevideos
ImagesiftBot:imagesift
LinkedInBot:linkedin
MJ12bot:majestic,majestic12,majesticseo
Mail.RU_Bot:mailru
Mediapartners-Google:adsense,googleadsense,mediapartners
MegaIndex.ru:megaindex
OAI-SearchBot:searchgpt
PetalBot:petalsearch
SeekportBot:seekport
SeznamBot:seznam
Slurp:yahoosearch,yahooslurp
Twitterbot:twitter,xcom,xtwitter
YiyanBot:ernie,yiyan
bingbot:bing,bingchat,bingcopilot,bingrobot,bingsearch,copilot,microsoftcopilot
coccocbot:coccoc
linkdexbot:linkdex
magpie-crawler:brandwatch
msnbot:msn`

// meant returns the robot that people call by a common name, and an error if they call several so.
// A name for which the policy has a group is that of a robot.
func (r Robot) meant(p *robots.Policy) (Robot, error) {
	if len(r.Tokens) != 1 || r.Alone || r.Everyone || len(r.Tokens[0]) > maxCalled {
		return r, nil
	}
	var plain []byte
	for i := range len(r.Tokens[0]) {
		switch c := r.Tokens[0][i]; {
		case 'A' <= c && c <= 'Z':
			plain = append(plain, c|0x20)
		case c > ' ' && c != '-' && c != '_' && c != '.':
			plain = append(plain, c)
		}
	}
	for rest := called; len(plain) > 0 && rest != ""; {
		var line, name string
		line, rest, _ = strings.Cut(rest, "\n")
		token, names, _ := strings.Cut(line, ":")
		for names != "" {
			if name, names, _ = strings.Cut(names, ","); name != string(plain) {
				continue
			}
			switch group := p.For(r.Tokens[0]).Token(); {
			case group != "" && group != "*":
				return r, nil
			case token == "":
				return r, wrong(BadValue, "the name is that of several robots: give them one by one")
			}
			return Robot{Tokens: []string{token}}, nil
		}
	}
	return r, nil
}

const maxCalled = 60 // bytes, with what counts for nothing

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
