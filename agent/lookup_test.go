package agent_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// lookups are headers and the expected agents, in the order of the rules of Lookup.
var lookups = []struct {
	header string
	token  string
	kind   agent.Kind
	reason agent.Reason
	word   string
}{
	// 1. Names of the table, as whole words, at any place and in any case.
	{"Googlebot/2.1 (+http://www.google.com/bot.html)", "Googlebot", agent.Robot, agent.Listed, "Googlebot"},
	{"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "bingbot", agent.Robot, agent.Listed,
		"bingbot"},
	{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)", "GPTBot",
		agent.Robot, agent.Listed, "GPTBot"},
	{"GOOGLEBOT", "Googlebot", agent.Robot, agent.Listed, "GOOGLEBOT"},
	{"Googlebot-2.1", "Googlebot", agent.Robot, agent.Listed, "Googlebot-2.1"},
	{"Mozilla/5.0+(compatible;+Googlebot/2.1;++http://www.google.com/bot.html)", "Googlebot", agent.Robot, agent.Listed,
		"Googlebot"},
	{"NotGooglebot/1.0", "NotGooglebot", agent.Robot, agent.RobotWord, "NotGooglebot"},
	{"Googlebotany/1.0", "Googlebotany", agent.Program, agent.OtherWord, "Googlebotany"},
	// The most specific name wins, otherwise the first; tools are last.
	{"Mozilla/5.0 (compatible; Googlebot/2.1) Googlebot-Image/1.0", "Googlebot-Image", agent.Robot, agent.Listed,
		"Googlebot-Image"},
	{"facebookexternalhit/1.1 Facebot/1.0", "facebookexternalhit", agent.Robot, agent.Listed,
		"facebookexternalhit"},
	// A name that shows the device of a person wins over all others.
	{"Twitterbot/1.0 facebookexternalhit/1.1 Facebot Twitterbot/1.0", "facebookexternalhit", agent.Robot,
		agent.Listed, "Facebot Twitterbot"},
	{"Wget/1.21 Googlebot/2.1", "Googlebot", agent.Robot, agent.Listed, "Googlebot"},
	// A word in an address, after a slash, or for another program is not a name.
	{"ExampleBot/1.0 (+https://example.com/Googlebot)", "ExampleBot", agent.Robot, agent.RobotWord, "ExampleBot"},
	{"ExampleBot/Googlebot", "ExampleBot", agent.Robot, agent.RobotWord, "ExampleBot"},
	{"Example/1.0 (compatible with Googlebot)", "Example", agent.Program, agent.OtherWord, "Example"},
	{"Example/1.0 (like Twitterbot)", "Example", agent.Program, agent.OtherWord, "Example"},
	// Parts of words, which other lists find by accident.
	{"Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.0; SLCC1; .NET CLR 2.0.50727)", "Mozilla", agent.Browser,
		agent.BrowserWord, "Mozilla"},
	{"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Code/1.93.0 Chrome/124.0.6367.243 Electron/30.4.0 Safari/537.36", "Code", agent.App, agent.AppWord, "Electron"},

	// Libraries and tools whose own header has their address: the header does not show a robot.
	{"UniversalFeedParser/4.2-pre-314-svn +http://feedparser.org/", "UniversalFeedParser", agent.Program, agent.Listed,
		"UniversalFeedParser"},
	{"fetch libfetch/2.0", "Fetch", agent.Program, agent.Listed, "fetch"},
	{"HTTP_Request2/2.1.1 (http://pear.php.net/package/http_request2) PHP/5.3.2-1ubuntu4.18", "HTTP_Request",
		agent.Program, agent.Listed, "HTTP_Request2"},
	{"HTTP_Request2/@package_version@ (http://pear.php.net/package/http_request2) PHP/5.3.2", "HTTP_Request",
		agent.Program, agent.Listed, "HTTP_Request2"},
	{"Example/@version@ (http://a.example/)", "Example", agent.Robot, agent.Address, "http://a.example/"},
	{"Example/@version (a@b.example)", "Example", agent.Robot, agent.Address, "a@b.example"},
	{"SimplePie/1.3.1 (Feed Parser; http://simplepie.org; Allow like Gecko) Build/20140115031959", "SimplePie",
		agent.Program, agent.Listed, "SimplePie"},
	{"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; Google Web Preview) Chrome/27.0.1453 Safari/537.36", "GoogleWebPreview", agent.Robot, agent.Listed, "Google Web Preview"},
	// The name of the examples of all tutorials is that of a robot.
	{"FooBot/1.0", "FooBot", agent.Robot, agent.RobotWord, "FooBot"},
	{"ExampleBot/1.0 UniversalFeedParser/5.2.1", "ExampleBot", agent.Robot, agent.RobotWord, "ExampleBot"},
	// Programs of persons, and servers that fetch a page for the person that opens the page.
	{"Chef Client/10.18.2 (ruby-1.9.3-p327; ohai-6.16.0; x86_64-linux; +http://opscode.com)", "Chef Client", agent.App,
		agent.AppWord, "Chef Client"},
	{"Mozilla/5.0 (compatible; Google Desktop/5.9.1005.12335; http://desktop.google.com/)", "Google Desktop", agent.App,
		agent.AppWord, "Google Desktop"},
	{"Mozilla/5.0 (Linux; Android 4.2.1; en-us; Nexus 5 Build/JOP40D) AppleWebKit/535.19 (KHTML, like Gecko; googleweblight) Chrome/38.0.1025.166 Mobile Safari/535.19", "googleweblight", agent.App, agent.AppWord, "googleweblight"},
	{"Mozilla/5.0 (Windows; U; Windows NT 5.1; zh-CN; rv:1.9.2.8;baidu Transcoder) Gecko/20100722 Firefox/3.6.8 ( .NET CLR 3.5.30729)", "baidu Transcoder", agent.App, agent.AppWord, "baidu Transcoder"},
	{"Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/32.0.1700.107 Safari/537.36,gzip(gfe) (via docs.google.com/viewer)", "gfe", agent.App, agent.AppWord, "gfe"},

	{"Mozilla/5.0 (compatible; Nmap Scripting Engine; http://nmap.org/book/nse.html)", "Nmap Scripting Engine",
		agent.App, agent.AppWord, "Nmap Scripting Engine"},
	{"masscan/1.0 (https://github.com/robertdavidgraham/masscan)", "masscan", agent.App, agent.AppWord, "masscan"},
	{"ExampleBot/1.0 (masscan; +http://example.com/bot)", "ExampleBot", agent.Robot, agent.RobotWord, "ExampleBot"},
	// Checks of a site by its own servers, and scripts that send the name of the field.
	{"ELB-HealthChecker/2.0", "ELB-HealthChecker", agent.Program, agent.ToolWord, "ELB-HealthChecker"},
	{"kube-probe/1.21", "kube-probe", agent.Program, agent.ToolWord, "kube-probe"},
	{"Unknown User Agent", "User Agent", agent.Program, agent.ToolWord, "User Agent"},
	{"ExampleBot/1.0 (user agent for crawling)", "ExampleBot", agent.Robot, agent.RobotWord, "ExampleBot"},

	// 2. Words that are typical of robots.
	{"ExampleCrawler/1.0", "ExampleCrawler", agent.Robot, agent.RobotWord, "ExampleCrawler"},
	{"example-monitor", "example-monitor", agent.Robot, agent.RobotWord, "example-monitor"},
	{"Example Crawler 2.0", "Example", agent.Robot, agent.RobotWord, "Crawler"},
	{"Mozilla/5.0 (compatible; Example; crawler)", "Example", agent.Robot, agent.RobotWord, "crawler"},
	{"crawler", "crawler", agent.Robot, agent.RobotWord, "crawler"},
	{"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/127.0.0.0 Safari/537.36",
		"HeadlessChrome", agent.Robot, agent.RobotWord, "HeadlessChrome"},
	{"BotRadar/1.0", "BotRadar", agent.Robot, agent.RobotWord, "BotRadar"},
	{"Botswana/1.0", "Botswana", agent.Program, agent.OtherWord, "Botswana"},
	{"ABBOTT/1.0", "ABBOTT", agent.Program, agent.OtherWord, "ABBOTT"},
	// Names of devices are not names of robots.
	{"Mozilla/5.0 (Linux; Android 7.0; M bot 60 Build/NRD90M) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/58.0.3029.83 Mobile Safari/537.36", "Mozilla", agent.Browser, agent.BrowserWord, "Mozilla"},
	{"Mozilla/5.0 (Linux; U; Android 4.2.2; en-us; SPIDER X Build/JDQ39) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30", "Mozilla", agent.Browser, agent.BrowserWord, "Mozilla"},
	{"Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3.170816.012; ExampleBot/1.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/81.0.4044.138 Mobile Safari/537.36", "ExampleBot", agent.Robot, agent.RobotWord, "ExampleBot"},

	// Services that measure and check sites, with the header of a browser and their own name.
	{"Mozilla/5.0 (X11; Linux x86_64; Rigor) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/90.0.4430.1 Safari/537.36",
		"Rigor", agent.Robot, agent.Listed, "Rigor"},
	{"Mozilla/5.0 (Linux; U; Android 4.1.1; en-us; Catchpoint) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30", "Catchpoint", agent.Robot, agent.Listed, "Catchpoint"},
	{"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/110.0.0.0 Safari/537.36 CloudflareObservatory/1.0", "CloudflareObservatory", agent.Robot, agent.Listed, "CloudflareObservatory"},
	{"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/68.0.3440.1 Safari/537.36 CloudflareDiagnostics/1.0", "CloudflareDiagnostics", agent.Robot, agent.Listed, "CloudflareDiagnostics"},
	{"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/121.0.0.0 Safari/537.36; OneTrust;",
		"OneTrust", agent.Robot, agent.Listed, "OneTrust"},
	{"Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 SecurityHeaders", "SecurityHeaders", agent.Robot, agent.Listed, "SecurityHeaders"},
	{"Mozilla/5.0 (X11; Linux x86_64; rv:80.0) Gecko/20100101 Firefox/80.0 UCSBNetworkMeasurement/2024",
		"UCSBNetworkMeasurement", agent.Robot, agent.Listed, "UCSBNetworkMeasurement"},
	{"Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/41.0.2272.1 Safari/537.36 XaxisSemanticsClassifier/1.0", "XaxisSemanticsClassifier", agent.Robot, agent.Listed, "XaxisSemanticsClassifier"},
	{"Mozilla/5.0 (compatible; MSIE or Firefox mutant; not on Windows server;) Daumoa-image/2.0", "Daumoa", agent.Robot,
		agent.Listed, "Daumoa-image"},
	// Assistants that read pages because a person asked them to.
	{"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36; Devin/1.0; +devin.ai", "Devin", agent.Robot, agent.Listed, "Devin"},
	{"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36; Manus-User/1.0", "Manus-User", agent.Robot, agent.Listed, "Manus-User"},
	// A name after the version of another.
	{"Mozilla/5.0 (Windows; U; Windows NT 5.1; de; rv:1.9.2) Firefox/3.6/Nutch-1.8", "Nutch", agent.Robot, agent.Listed,
		"Nutch-1.8"},
	{"Mozilla/5.0libwww-perl/6.05", "libwww", agent.Program, agent.Listed, "libwww-perl"},
	{"Mozilla/5.0compatible; ExampleBot/1.0", "ExampleBot", agent.Robot, agent.RobotWord, "ExampleBot"},
	{"ExampleTool/v1/Googlebot", "ExampleTool", agent.Program, agent.OtherWord, "ExampleTool"},

	// 3. Programs with which people read mail, play and work.
	{"KMail/5.1 (Linux; amd64)", "KMail", agent.App, agent.AppWord, "KMail"},
	{"SamsungEmail/6.0", "SamsungEmail", agent.App, agent.AppWord, "SamsungEmail"},
	{"Liferea/1.8.3 (Linux; en_GB.UTF-8; http://liferea.sf.net/)", "Liferea", agent.App, agent.AppWord, "Liferea"},
	{"Tiny Tiny RSS/1.11 (http://tt-rss.org/)", "Tiny Tiny RSS", agent.App, agent.AppWord, "Tiny Tiny RSS"},
	{"FreshRSS/1.13.0 (Linux; https://freshrss.org)", "FreshRSS", agent.App, agent.AppWord, "FreshRSS"},
	{"Yarr/1.0 (+https://github.com/nkanaev/yarr)", "Yarr", agent.App, agent.AppWord, "Yarr"},
	{"Canto/0.9.8 (+http://codezen.org/canto-ng)", "Canto", agent.App, agent.AppWord, "Canto"},
	{"Mozilla/5.0 (compatible; Nextcloud News)", "Nextcloud News", agent.App, agent.AppWord, "Nextcloud News"},
	{"Mozilla/5.0 (compatible; Miniflux/2.0.1; +https://miniflux.app)", "Miniflux", agent.App, agent.AppWord,
		"Miniflux"},
	{"Mozilla/5.0 (Windows NT 6.1) AppleWebKit/538.1 (KHTML, like Gecko) QuiteRSS/0.18.12 Safari/538.1", "QuiteRSS",
		agent.App, agent.AppWord, "QuiteRSS"},
	{"Feedbin feed-id:1373711 - 142 subscribers", "Feedbin", agent.Robot, agent.Listed, "Feedbin"},
	{"Pegasus Mail/4.8", "Pegasus Mail", agent.App, agent.AppWord, "Pegasus Mail"},
	{"The Bat! 9.3", "The Bat!", agent.App, agent.AppWord, "The Bat!"},
	{"Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.6000; Pro)", "Microsoft Office", agent.App,
		agent.AppWord, "Microsoft Office"},
	{"Mozilla/4.0 (compatible; ms-office; MSOffice 15)", "ms-office", agent.App, agent.AppWord, "ms-office"},
	{"VLC/3.0.20 LibVLC/3.0.20", "VLC", agent.App, agent.AppWord, "VLC"},
	{"MPlayer 1.3-7.2.0", "MPlayer", agent.App, agent.AppWord, "MPlayer"},
	{"QuickTime/7.6 (qtver=7.6;cpu=IA32;os=Mac 10.6.1)", "QuickTime", agent.App, agent.AppWord, "QuickTime"},
	{"XBMC/13.0 (Windows NT 6.1; http://www.xbmc.org)", "XBMC", agent.App, agent.AppWord, "XBMC"},
	{"RMA/1.0 (compatible; RealMedia)", "RMA", agent.App, agent.AppWord, "RMA"},
	{"Example (questions by Email)", "Example", agent.Program, agent.OtherWord, "Example"},
	{"Example/1.0 (Evolution/3.2)", "Example", agent.Program, agent.OtherWord, "Example"},
	{"MailChecker/1.0", "MailChecker", agent.Robot, agent.RobotWord, "MailChecker"},
	{"ExampleMail/1.0 (crawler)", "ExampleMail", agent.Robot, agent.RobotWord, "crawler"},

	// 4. Addresses.
	{"Example/1.0 (+https://example.com/about)", "Example", agent.Robot, agent.Address, "https://example.com/about"},
	{"Mozilla/5.0 (compatible; Example/1.0; +http://example.com)", "Example", agent.Robot, agent.Address,
		"http://example.com"},
	{"Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Example (+www.example.com)", "Example", agent.Robot, agent.Address, "www.example.com"},
	{"Example (webmaster@example.org)", "Example", agent.Robot, agent.Address, "webmaster@example.org"},
	{"Example/1.0 (example.com/about)", "Example", agent.Robot, agent.Address, "example.com"},
	{"https://example.com/", "", agent.Robot, agent.Address, "https://example.com/"},
	{"Mozilla/5.0 (Linux; Android 11; FP4) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/101.0.4951.41 Mobile Safari/537.36 (Ecosia android@101.0.4951.41)", "Ecosia", agent.Browser, agent.BrowserWord, "Ecosia"},

	// 5. Names where browsers have none.
	{"Mozilla/5.0 (compatible; Example/1.0)", "Example", agent.Robot, agent.Playing, "Example"},
	{"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; Example) Chrome/120.0.0.0 Safari/537.36",
		"Example", agent.Robot, agent.Playing, "Example"},
	{"Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; Example)", "Mozilla", agent.Browser, agent.BrowserWord,
		"Mozilla"},
	{"Mozilla/5.0 (compatible; Konqueror/3.5; Linux) KHTML/3.5.8 (like Gecko)", "Konqueror", agent.Browser,
		agent.BrowserWord, "Konqueror"},

	// 6. Browsers by name.
	{"Opera/9.80 (Windows NT 6.1; U; en) Presto/2.12.388 Version/12.18", "Opera", agent.Browser, agent.BrowserWord,
		"Opera"},
	{"Lynx/2.8.8rel.2 libwww-FM/2.14 SSL-MM/1.4.1", "Lynx", agent.Browser, agent.BrowserWord, "Lynx"},
	{"Nokia6230/2.0 (04.44) Profile/MIDP-2.0 Configuration/CLDC-1.1", "Profile", agent.Browser, agent.BrowserWord,
		"Profile"},
	{"Mozilla/4.0 (compatible; AWEB 3.5; AmigaOS)", "AWEB", agent.Browser, agent.BrowserWord, "AWEB"},
	{"Mozilla/5.0 (Example.1; rv:40.0) Gecko/20100101 IceDragon/40.1 Firefox/40.0", "IceDragon", agent.Browser,
		agent.BrowserWord, "IceDragon"},
	{"Nokia300/10.1 CLDC-1.1", "CLDC-1.1", agent.Browser, agent.BrowserWord, "CLDC-1.1"},
	{"ExampleBrowser/1.0", "ExampleBrowser", agent.Browser, agent.BrowserWord, "ExampleBrowser"},

	// 7. Libraries and tools.
	{"Wget/1.21.3", "wget", agent.Program, agent.Listed, "Wget"},
	{"Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.15063; en-US) PowerShell/7.0.0", "PowerShell", agent.Program,
		agent.ToolWord, "PowerShell"},
	{"Go-http-client/2.0", "Go-http-client", agent.Program, agent.ToolWord, "Go-http-client"},
	{"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) wkhtmltopdf Safari/538.1", "wkhtmltopdf",
		agent.Program, agent.ToolWord, "wkhtmltopdf"},
	{"Mozilla/5.0 (Windows NT 10.0; Java/1.8) Gecko/20100101 Firefox/115.0", "Mozilla", agent.Browser,
		agent.BrowserWord, "Mozilla"},

	// 8. Browsers by their form.
	{"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0", "Mozilla", agent.Browser,
		agent.BrowserWord, "Mozilla"},
	{"Mozilla/5.0 (CrKey armv7l 1.6) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/32.0.1700.1 Safari/537.36",
		"Mozilla", agent.Browser, agent.BrowserWord, "Mozilla"},
	{"Mozilla/5.0 (OS/2; OS/2 i386) AppleWebKit/538.1 (KHTML, like Gecko) QtWebEngine/5.15.0 Chrome/120.0.0.1",
		"Mozilla", agent.Browser, agent.BrowserWord, "Mozilla"},
	{"Mozilla/5.0 (Example-Department.2; rv:41.0) Gecko/20100101 Firefox/41.0", "Mozilla", agent.Browser,
		agent.BrowserWord, "Mozilla"},
	{"Mozilla/5.0 (Unknown; Linux) AppleWebKit/538.1 (KHTML, like Gecko) Kobo eReader Safari/538.1", "Mozilla",
		agent.Browser, agent.BrowserWord, "Mozilla"},
	{"Mozilla/5.0 (Example) AppleWebKit/537.36 (KHTML, like Gecko)", "Example", agent.Program, agent.OtherWord,
		"Example"},
	{"Mozilla/5.0", "", agent.Unknown, agent.Nothing, ""},
	{"Mozilla/5.0 (compatible)", "", agent.Unknown, agent.Nothing, ""},

	// 9. Apps.
	{"Example/3.2 CFNetwork/1410.0.3 Darwin/22.6.0", "Example", agent.App, agent.DeviceWord, "CFNetwork"},
	{"NokiaE63/GoBrowser/2.0.1", "NokiaE63", agent.App, agent.DeviceWord, "NokiaE63"},
	{"HTC_One_S/3.16", "HTC_One_S", agent.App, agent.DeviceWord, "HTC_One_S"},
	{"Roku4640X/DVP-7.70", "Roku4640X", agent.App, agent.DeviceWord, "Roku4640X"},
	{"Nokiabot2/1.0", "Nokiabot2", agent.Robot, agent.RobotWord, "Nokiabot2"},
	{"Nokialike/1.0", "Nokialike", agent.Program, agent.OtherWord, "Nokialike"},
	{"Dalvik/2.1.0 (Linux; U; Android 9; SM-G965U Build/PPR1.180610.011)", "", agent.App, agent.DeviceWord, "Dalvik"},

	// Programs on people's devices, whatever else their headers have.
	{"Example/1.0 (+https://pods.example.com/; iPadOS podcast app)", "Example", agent.App, agent.AppWord,
		"podcast app"},
	{"Example (Feed Reader; https://example.com/)", "Example", agent.App, agent.AppWord, "Feed Reader"},
	{"ExampleBot/1.0 (+https://example.com/; podcast app)", "ExampleBot", agent.Robot, agent.RobotWord,
		"ExampleBot"},
	{"Example/2.0 (+https://example.com/; 12 subscribers; feed reader)", "Example", agent.Robot, agent.RobotWord,
		"subscribers"},
	{"ExampleFeeds/31 CFNetwork/1494.0.7 Darwin/23.4.0", "ExampleFeeds", agent.App, agent.DeviceWord, "CFNetwork"},
	{"Googlebot/2.1 CFNetwork/1494.0.7 Darwin/23.4.0", "Googlebot", agent.Robot, agent.Listed, "Googlebot"},
	{"Example/5.1 Android/14 (www.example.com)", "Example", agent.App, agent.DeviceWord, "Android"},
	{"Example/5.1 (Microsoft Windows; +https://example.com/)", "Example", agent.App, agent.DeviceWord, "Windows"},
	{"Example/5.1 (Linux; +https://example.com/)", "Example", agent.Robot, agent.Address, "https://example.com/"},
	{"Example/5.1 (https://example.com/) Mozilla/5.0 (Macintosh)", "Example", agent.Robot, agent.Address,
		"https://example.com/"},
	{"Mozilla/5.0 (Linux; Android 12; X9) AppleWebKit/537.36 (KHTML, like Gecko) Acme/1.0 (+https://example.com/)",
		"Acme", agent.Robot, agent.Address, "https://example.com/"},
	{"Example/iOS 3.4", "Example", agent.App, agent.DeviceWord, "iOS"},
	{"Example/android-2.2", "Example", agent.App, agent.DeviceWord, "android-2.2"},
	{"Example/iosbot", "Example", agent.Program, agent.OtherWord, "Example"},
	{"Example.iOS/3", "Example.iOS", agent.App, agent.DeviceWord, "Example.iOS"},
	{"iPhone99Ultra", "iPhone99Ultra", agent.App, agent.DeviceWord, "iPhone99Ultra"},
	{"AndroidBot/1.0", "AndroidBot", agent.Robot, agent.RobotWord, "AndroidBot"},
	{"Example/4.1 libcurl/8.1 (Android 14)", "Example", agent.App, agent.DeviceWord, "Android"},
	{"curl/8.1 (Windows)", "curl", agent.Program, agent.ToolWord, "curl"},
	{"Mozilla/5.0 (PlayStation 9) AppleWebKit/531.3 (KHTML, like Gecko, HDR8) Example/1.0", "Mozilla", agent.Browser,
		agent.BrowserWord, "Mozilla"},
	{"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko, Example) Chrome/120.0.0.0 Safari/537.36",
		"Example", agent.Robot, agent.Playing, "Example"},
	{"Example;TV-4K;4916bf2fd1;;tpapi;3.2", "Example", agent.App, agent.DeviceWord, "tpapi"},
	{"Mozilla/5.0 (Windows NT 10.0) AppleWebKit/5 (KHTML, like Gecko) Example.io/5.2 Chrome/9 Electron/17.1 Safari",
		"Example.io", agent.App, agent.AppWord, "Electron"},
	{"ExampleReader/1.0 (https://example.com/)", "ExampleReader", agent.Robot, agent.Address, "https://example.com/"},
	{"Mozilla/5.0 (Android 15; Mobile; rv:120.0) Gecko/120 Firefox/120 ExampleReader/35", "Mozilla", agent.Browser,
		agent.BrowserWord, "Mozilla"},
	{"QtWeb Internet Browser/1.7 http://www.example.net", "QtWeb", agent.Browser, agent.BrowserWord, "QtWeb"},

	// 10. Other names, and headers without a name.
	{"Example/1.0", "Example", agent.Program, agent.OtherWord, "Example"},
	{"Mozilla/5.0 Example/1.0", "Example", agent.Program, agent.OtherWord, "Example"},
	{"BW/1.1", "BW", agent.Program, agent.OtherWord, "BW"},
	{"", "", agent.Unknown, agent.Nothing, ""},
	{"-", "", agent.Unknown, agent.Nothing, ""},
	{"5.0 (en-US) x", "", agent.Unknown, agent.Nothing, ""},
}

func TestLookup(t *testing.T) {
	for _, test := range lookups {
		a := agent.Lookup(test.header)
		if a.Token != test.token || a.Kind != test.kind || a.Reason != test.reason || a.Word != test.word {
			t.Errorf("Lookup(%q) = token %q, kind %v, reason %v, word %q, want %q, %v, %v, %q",
				test.header, a.Token, a.Kind, a.Reason, a.Word, test.token, test.kind, test.reason, test.word)
		}
		if known := test.reason == agent.Listed; a.Known() != known {
			t.Errorf("Lookup(%q).Known() = %v, want %v", test.header, a.Known(), known)
		}
		holdLookup(t, test.header)
	}
}

// TestLookupWords looks up names of several words.
func TestLookupWords(t *testing.T) {
	for _, test := range []struct{ header, word string }{
		{"Mozilla/5.0 (compatible; Yahoo! Slurp/3.0; http://help.yahoo.com/help/us/ysearch/slurp)", "Slurp"},
		{"Yahoo Pipes 1.0", "Yahoo Pipes"},
		{"Yahoo+Pipes/1.0", "Yahoo+Pipes"},
		{"yahoo pipes/1.0", "yahoo pipes"},
		{"Yahoo  Pipes/1.0", ""},
		{"Yahoo; Pipes/1.0", ""},
		{"Yahoo/1.0 Pipes/1.0", ""},
		{"Yahoo Pipeslike", ""},
	} {
		a := agent.Lookup(test.header)
		if got := a.Word; a.Known() && got != test.word || !a.Known() && test.word != "" {
			t.Errorf("Lookup(%q) = %v, want the word %q to show it", test.header, a, test.word)
		}
		holdLookup(t, test.header)
	}
}

// TestHostileLookup looks up headers of 256 KiB. The test would not end if the time of Lookup
// were not linear in their length.
func TestHostileLookup(t *testing.T) {
	const size = 1 << 18
	for _, part := range []string{
		"a", "A", "1", ".", "/", "(", ")", ";", " ", "@", "%", "\x00", "\xff", "a.", "a@", "a@a.", "http", "http://",
		"://", "www.",
		"bot", "bo", "Google ", "Google Page Speed ", "Google Page Speed Insights ", "Android;", "Android 7;a;",
		"Mozilla/5.0 ",
		"compatible; ", "(KHTML, like Gecko; ", "like ", "a/", "a1", "-_", "cr", "Yahoo ", "Embedded Web ",
	} {
		for _, header := range []string{
			strings.Repeat(part, size/len(part)),
			strings.Repeat("Google ", 1000) + strings.Repeat(part, size/len(part)),
			strings.Repeat("a", size) + part,
		} {
			a := agent.Lookup(header)
			_ = describe(a)
			_ = a.Tokens()
		}
	}
}

func TestLookupAllocates(t *testing.T) {
	corpus.Unraced(t)
	for _, test := range lookups {
		if n := testing.AllocsPerRun(10, func() { agent.Lookup(test.header).Known() }); n > 0 {
			t.Errorf("Lookup(%q) makes %v allocations", test.header, n)
		}
	}
}
