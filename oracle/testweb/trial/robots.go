//go:build linux

package main

// A robot is a program that is tried, or a library with a small program of ours around it.
//
// Commands run in a shell, in an empty folder. START is the first page of the web, SEEDS a file
// with the first page of each exercise, for robots that stay on one host. FILES has the files of
// folder robots, and node_modules if npm installed them.
type robot struct {
	name     string
	install  string // how to get it
	version  string // a command that prints the version, with other text
	defaults string // the command with nothing set but what makes the robot follow links between hosts
	polite   string // the command with what the documentation offers for politeness; empty if it offers nothing
	slow     bool   // the robot pauses by default, and needs as long as with polite settings
	hasty    bool   // the robot has no settings to pause
	follows  bool   // our program follows the links, and not the robot
	doing    string // which part is the robot's own doing, and which part is ours
	found    string // what the logs show beyond the table, read by hand
}

// command returns the command with some settings, or "".
func (r robot) command(settings string) string {
	if settings == "polite" {
		return r.polite
	}
	return r.defaults
}

const (
	agent   = `TrialBot/1.0 (+https://example.org/robot)`
	contact = `(+https://example.org/robot)`
)

// robots lists the robots in the order of the published table.
var robots = []robot{
	{
		name:     "robots crawl",
		slow:     true,
		install:  "go install ./cmd/robots ./crawler/cmd/robots-crawl",
		version:  `robots version`,
		defaults: `robots crawl --allow-private --scope web --no-index --user-agent '` + agent + `' "$START"`,
		polite: `robots crawl --allow-private --scope web --no-index --delay 2s --per-address 1 --user-agent '` +
			agent + `' "$START"`,
		doing: "--allow-private lets the crawler connect to loopback. The crawler refuses to start without a User-Agent header that has a contact, so the header is no choice of ours.",
	},
	{
		name:     "Scrapy",
		follows:  true,
		install:  "apt-get install python3-scrapy",
		version:  `scrapy version`,
		defaults: `scrapy runspider "$FILES/scrapy_spider.py"`,
		polite: `scrapy runspider "$FILES/scrapy_spider.py" -s ROBOTSTXT_OBEY=True -s DOWNLOAD_DELAY=2 -s RANDOMIZE_DOWNLOAD_DELAY=False` +
			` -s CONCURRENT_REQUESTS_PER_DOMAIN=1 -s AUTOTHROTTLE_ENABLED=True -s DEPTH_LIMIT=5 -s DOWNLOAD_TIMEOUT=60 -s DOWNLOAD_MAXSIZE=5000000 -s USER_AGENT='` + agent + `'`,
		doing: "The spider is ten lines of ours and only yields links. robots.txt, pauses, retries and redirects are Scrapy's. The projects that scrapy startproject makes set ROBOTSTXT_OBEY=True; a spider alone does not.",
		found: "After status code 429 or 503 Scrapy repeats the request after its own pause, whatever Retry-After says. It visits a host that answers robots.txt with a server error.",
	},
	{
		name:     "Colly",
		follows:  true,
		install:  "go build ./testweb/colly",
		version:  `go version -m "$COLLY" | grep gocolly/colly`,
		defaults: `"$COLLY"`,
		polite:   `"$COLLY" polite`,
		doing:    "The program is 40 lines of ours and only visits links. robots.txt, pauses and redirects are Colly's.",
		found:    "Colly sorts the parameters of a query before it asks its rules, so a rule such as /find?q= does not close /find?q=a&page=2.",
	},
	{
		name:     "wget",
		slow:     true,
		install:  "apt-get install wget",
		version:  `wget --version | head -1`,
		defaults: `wget --recursive --span-hosts "$START"`,
		polite: `wget --recursive --span-hosts --wait=2 --tries=2 --timeout=20 --user-agent="Wget/1.21.3 ` + contact +
			`" --header='From: trial@example.org' "$START"`,
		doing: "--random-wait would shorten half of the pauses below --wait and is left out.",
		found: "The start page is taken without robots.txt, because the user names it; robots-first leaves it out. By default, wget asks a host that closes the connection twenty times, which takes minutes.",
	},
	{
		name:     "wget2",
		slow:     true,
		install:  "apt-get install wget2",
		version:  `wget2 --version | head -1`,
		defaults: `wget2 --recursive --span-hosts "$START"`,
		polite:   `wget2 --recursive --span-hosts --wait=2 --max-threads=1 --tries=2 --timeout=20 --user-agent="Wget2/1.99.1 ` + contact + `" --header='From: trial@example.org' "$START"`,
		found:    "If the group for everyone stands before its own, wget2 obeys that group: it keeps out of /for-all/ and visits /for-you/. In joined-groups, where its own group comes first, it obeys the first one. It follows redirects of robots.txt, but visits pages before it has the file. It does not decode &amp;amp; in links.",
	},
	{
		name:     "curl in a loop",
		follows:  true,
		install:  "apt-get install curl",
		version:  `curl --version | head -1`,
		defaults: `"$FILES/curl.sh"`,
		polite: `PAUSE=2 "$FILES/curl.sh" --location --max-redirs 5 --max-time 20 --max-filesize 2000000` +
			` --user-agent "curl/7.88.1 ` + contact + `" --header 'From: trial@example.org'`,
		doing: "curl makes one request and knows no robots.txt. The loop is ours, as it stands in many scripts.",
	},
	{
		name:    "curl and robots match",
		follows: true,
		install: "apt-get install curl; go install ./cmd/robots",
		version: `curl --version | head -1; robots version`,
		polite: `PAUSE=2 MAY="robots match --cache policies --allow-private --agent TrialBot --unknown" "$FILES/curl.sh" --max-time 20 --max-filesize 2000000` +
			` --user-agent "` + agent + `" --header 'From: trial@example.org'`,
		doing: "The same loop, which asks robots match before each request. Redirects are not followed, because the loop could not ask about their targets.",
	},
	{
		name:     "HTTrack",
		slow:     true,
		install:  "apt-get install httrack",
		version:  `httrack --version`,
		defaults: `httrack "$START" --path . '+*' --quiet`,
		polite:   `httrack "$START" --path . '+*' --quiet --depth=6 --robots=2 --sockets=1 --connection-per-second=0.5 --timeout=20 --user-agent "HTTrack/3.49 ` + contact + `" --from trial@example.org`,
		doing:    "The filter '+*' lets it leave the first host.",
		found:    "The log shows GET / of each new host before GET /robots.txt: HTTrack looks at the type of a link before it asks the rules of a new host.",
	},
	{
		name:     "LinkChecker",
		slow:     true,
		install:  "apt-get install linkchecker",
		version:  `linkchecker --version 2>/dev/null | head -1`,
		defaults: `linkchecker --no-warnings --stdin <"$SEEDS"`,
		polite:   `linkchecker --no-warnings --recursion-level 5 --config "$FILES/linkcheckerrc" --stdin <"$SEEDS"`,
		doing:    "It stays on the hosts that it is given: it starts at each exercise.",
	},
	{
		name:     "W3C Link Checker",
		slow:     true,
		install:  "apt-get install w3c-linkchecker",
		version:  `checklink --version 2>&1 | head -1`,
		defaults: `W3C_CHECKLINK_CFG="$FILES/checklink.conf" xargs checklink --recursive <"$SEEDS"`,
		polite:   `W3C_CHECKLINK_CFG="$FILES/checklink.conf" xargs checklink --depth 5 --sleep 2 --timeout 20 <"$SEEDS"`,
		doing:    "It stays on the hosts that it is given: it starts at each exercise. robots.txt and pauses are those of LWP::RobotUA, on which it is built.",
	},
	{
		name:     "Linklint",
		install:  "apt-get install linklint",
		version:  `linklint -version | head -1`,
		defaults: `while read -r url; do host=${url#http://}; linklint -http -host "${host%%/*}" -net /@; done <"$SEEDS"`,
		polite:   `while read -r url; do host=${url#http://}; linklint -http -host "${host%%/*}" -net -delay 2 -timeout 20 -http_header "From: trial@example.org" /@; done <"$SEEDS"`,
		doing:    "It checks one host: the loop over the exercises is ours.",
		found:    "LinkLint-spider asks robots.txt first. LinkLint-checkonly, which checks links to other hosts, did not in an earlier run, which began at the start page too.",
	},
	{
		name:     "Lynx -traversal",
		hasty:    true,
		install:  "apt-get install lynx",
		version:  `lynx -version | head -1`,
		defaults: `n=0; while read -r url; do mkdir $((++n)); (cd $n; TERM=vt100 lynx -traversal -crawl "$url" < <(sleep 9999)); done <"$SEEDS"`,
		polite:   `n=0; while read -r url; do mkdir $((++n)); (cd $n; TERM=vt100 lynx -traversal -crawl -connect_timeout=20 -read_timeout=20 -useragent="Lynx/2.9.0dev.12 ` + contact + `" "$url" < <(sleep 9999)); done <"$SEEDS"`,
		doing:    "It stays on one host: the loop over the exercises is ours. It ends at the first page that it cannot get, so it sees few. It knows no robots.txt and no pauses; its file reject.dat would keep it out of what its user lists there.",
	},
	{
		name:     "ht://Dig",
		install:  "apt-get install htdig",
		version:  `htdig -h | grep -i 'part of'`,
		defaults: `{ cat "$FILES/htdig.default.conf"; echo "start_url: $START"; } >htdig.conf; htdig -i -c htdig.conf`,
		polite:   `{ cat "$FILES/htdig.polite.conf"; echo "start_url: $START"; } >htdig.conf; htdig -i -c htdig.conf`,
	},
	{
		name:     "LWP::RobotUA",
		follows:  true,
		slow:     true,
		install:  "apt-get install libwww-perl",
		version:  `perl -MLWP::RobotUA -e 'print "libwww-perl ", LWP::RobotUA->VERSION'`,
		defaults: `perl "$FILES/robotua.pl"`,
		polite:   `perl "$FILES/robotua.pl" 0.0334`,
		doing:    "The spider is 25 lines of ours and follows links. robots.txt and the pause, by default a minute, are RobotUA's, which also refuses to start without a name and a mail address. With polite settings the pause is two seconds, so that more of the web is seen.",
	},
	{
		name:     "spider (Ruby)",
		install:  "apt-get install ruby-spider",
		version:  `ruby -rspider -e 'puts Spider.version' 2>/dev/null`,
		defaults: `ruby -W0 "$FILES/spider.rb"`,
		polite:   `ruby -W0 "$FILES/spider.rb" 2 "Ruby/1.0 ` + contact + `"`,
		doing:    "The script starts at each exercise and sets a pause; links, redirects and robots.txt are the library's doing. The library looks for the name Ruby in robots.txt, so the header keeps this name.",
		found:    "Without a limit of its own, a loop of redirects ends it with a stack overflow.",
	},
	{
		name:     "mechanize (Python)",
		follows:  true,
		install:  "apt-get install python3-mechanize",
		version:  `/usr/bin/python3 -c 'import mechanize; print("mechanize", ".".join(str(n) for n in mechanize.__version__ if n is not None))'`,
		defaults: `/usr/bin/python3 "$FILES/mechanize_spider.py"`,
		polite:   `/usr/bin/python3 "$FILES/mechanize_spider.py" 2 '` + agent + `'`,
		doing:    "The spider is 30 lines of ours and follows links; the pause between requests is ours too. robots.txt, redirects and the parsing of links are mechanize's.",
		found:    "mechanize takes an empty robots.txt for a ban. It visits no page of the many exercises that have an empty one, and shows few duties of politeness.",
	},
	{
		name:     "Crawlee",
		install:  "npm install @crawlee/cheerio",
		version:  `node -p 'require("@crawlee/cheerio/package.json").version'`,
		defaults: `node "$FILES/crawlee.mjs"`,
		polite:   `node "$FILES/crawlee.mjs" polite`,
		doing:    "The script enqueues links. robots.txt, pauses, retries and the headers of a browser, with which it goes by default, are Crawlee's.",
		found:    "By default, each session has the header of another browser; one header was that of a robot of somebody else, pageburst. With polite settings, pages are requested with the name that is set, and robots.txt is still requested with the headers of browsers.",
	},
	{
		name:     "simplecrawler",
		slow:     true,
		install:  "npm install simplecrawler",
		version:  `node -p 'require("simplecrawler/package.json").version'`,
		defaults: `node "$FILES/simplecrawler.mjs"`,
		polite:   `node "$FILES/simplecrawler.mjs" polite`,
		doing:    "Links are followed by the library itself; our script sets options only.",
	},
	{
		name:     "crawler (npm)",
		follows:  true,
		install:  "npm install crawler",
		version:  `node -p 'JSON.parse(fs.readFileSync(process.env.FILES + "/node_modules/crawler/package.json")).version'`,
		defaults: `node "$FILES/crawler.mjs"`,
		polite:   `node "$FILES/crawler.mjs" polite`,
		doing:    "The script adds each link once. Requests, retries, redirects and pauses are the library's.",
	},
	{
		name:     "website-scraper",
		install:  "npm install website-scraper",
		version:  `node -p 'JSON.parse(fs.readFileSync(process.env.FILES + "/node_modules/website-scraper/package.json")).version'`,
		defaults: `node "$FILES/website-scraper.mjs"`,
		polite:   `node "$FILES/website-scraper.mjs" polite`,
		doing:    "The pause is a plugin of ours, as the documentation shows.",
	},
	{
		name:     "linkinator",
		hasty:    true,
		install:  "npm install linkinator",
		version:  `node -p 'JSON.parse(fs.readFileSync(process.env.FILES + "/node_modules/linkinator/package.json")).version'`,
		defaults: `xargs node "$FILES/node_modules/linkinator/build/src/cli.js" --recurse <"$SEEDS"`,
		polite: `xargs node "$FILES/node_modules/linkinator/build/src/cli.js" --recurse --concurrency 1 --retry --timeout 20000` +
			` --header "User-Agent: ` + agent + `" <"$SEEDS"`,
		doing: "It stays on the hosts that it is given: it starts at each exercise.",
		found: "Its documentation names a browser's header as default; the log shows node.",
	},
	{
		name:     "broken-link-checker",
		install:  "npm install broken-link-checker",
		version:  `node -p 'require("broken-link-checker/package.json").version'`,
		defaults: `node "$FILES/blc.mjs"`,
		polite:   `node "$FILES/blc.mjs" polite`,
		doing:    "It stays on the hosts that it is given: it starts at each exercise.",
		found:    "Pages of the site itself wait for robots.txt. Links to other hosts did not in an earlier run, which began at the start page too: they were checked with HEAD before.",
	},
}
