package robots_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/robotsexclusion/robots"
)

func parse(text string) *robots.Policy { return robots.Parse([]byte(text)) }

func TestZeroValues(t *testing.T) {
	var policy robots.Policy
	var group robots.Group
	for name, g := range map[string]*robots.Group{
		"group of the zero policy": policy.For("FooBot"),
		"zero group":               &group,
		"group of no name":         parse("User-agent: a\nDisallow: /\n").For(),
		"group of an empty file":   parse("").For("FooBot"),
		"group of nil":             robots.Parse(nil).For("*"),
	} {
		if m := g.Match("/x"); !m.Allowed || m.Reason != robots.NoGroup || m.Rule != (robots.Rule{}) {
			t.Errorf("%s: /x is %v, want allowed without a group", name, m)
		}
		if e := g.Explain("/x"); !e.Match.Allowed || len(e.Candidates) > 0 {
			t.Errorf("%s: Explain says %v", name, e)
		}
		if g.Token() != "" || g.Line() != 0 || len(g.Agents()) > 0 || len(g.Records()) > 0 {
			t.Errorf("%s: Token %q, Line %d, Agents %q, Records %v", name, g.Token(), g.Line(), g.Agents(), g.Records())
		}
		if _, ok := g.CrawlDelay(); ok || g.Usage("/", "search") != robots.Unknown || len(g.Licenses()) > 0 {
			t.Errorf("%s: it has records", name)
		}
	}
	for range policy.Lines() {
		t.Error("the zero policy has a line")
	}
	if len(policy.Groups()) > 0 || len(policy.Sitemaps()) > 0 || policy.Dialect() != robots.RFC9309 {
		t.Error("the zero policy is not empty")
	}
}

// RFC 9309, sections 2.3.1.3 and 2.3.1.4.
func TestNoFile(t *testing.T) {
	for _, test := range []struct {
		policy *robots.Policy
		url    string
		want   string
	}{
		{robots.AllowAll(), "/x", "allowed: there is no robots.txt"},
		{robots.DisallowAll(), "/x", "disallowed: robots.txt is unreachable"},
		{robots.DisallowAll(), "http://h/robots.txt#x", "allowed: /robots.txt itself always is"},
		{robots.DisallowAll().In(robots.Google), "/robots.txt", "disallowed: robots.txt is unreachable"},
	} {
		if got := test.policy.For("FooBot").Match(test.url).String(); got != test.want {
			t.Errorf("%s is %q, want %q", test.url, got, test.want)
		}
	}
}

func TestFor(t *testing.T) {
	policy := parse("User-agent: Googlebot\nUser-agent: b\nDisallow: /1\n\nUser-agent: *\nDisallow: /2\nuser-agent: GOOGLEBOT/2.1 x\nDisallow: /3\n")
	for _, test := range []struct {
		tokens []string
		token  string
		agents string
		line   int
	}{
		{[]string{"Googlebot-Image", "Googlebot"}, "Googlebot", "Googlebot b GOOGLEBOT", 1},
		{[]string{"googlebot/2.1 (+http://h/)"}, "Googlebot", "Googlebot b GOOGLEBOT", 1},
		{[]string{"B"}, "b", "Googlebot b", 1},
		{[]string{"c", ""}, "*", "*", 5},
		{[]string{"*", "b"}, "b", "Googlebot b", 1},
	} {
		g := policy.For(test.tokens...)
		if g.Token() != test.token || strings.Join(g.Agents(), " ") != test.agents || g.Line() != test.line {
			t.Errorf("For(%q) is %q for %q from line %d on, want %q for %q, %d",
				test.tokens, g.Token(), g.Agents(), g.Line(), test.token, test.agents, test.line)
		}
	}
	g := policy.For("Googlebot")
	if g.Allowed("/1") || !g.Allowed("/2") || g.Allowed("/3") {
		t.Error("groups of one agent are not combined")
	}
	groups := policy.Groups()
	if len(groups) != 3 || groups[0].Allowed("/1") || !groups[0].Allowed("/3") || groups[2].Token() != "GOOGLEBOT" {
		t.Errorf("%d groups, not as written", len(groups))
	}
}

// After some searches, a map finds the groups of many agents. The answer must stay the same.
// ForOnly is for a robot that does not obey the group for everyone.
func TestForOnly(t *testing.T) {
	policy := parse("User-agent: *\nDisallow: /\nUser-agent: AdsBot-Google\nDisallow: /ads/\n")
	for _, test := range []struct {
		tokens []string
		url    string
		want   string
	}{
		{[]string{"AdsBot-Google"}, "/ads/x", "disallowed by line 4: Disallow: /ads/"},
		{[]string{"AdsBot-Google"}, "/x", "allowed: no rule of the group matches"},
		{[]string{"AdsBot-Google-Mobile", "AdsBot-Google"}, "/ads/x", "disallowed by line 4: Disallow: /ads/"},
		{[]string{"Mediapartners-Google"}, "/x", "allowed: no group is for this robot"},
		{[]string{"*"}, "/x", "allowed: no group is for this robot"},
		{nil, "/x", "allowed: no group is for this robot"},
	} {
		if got := policy.ForOnly(test.tokens...).Match(test.url).String(); got != test.want {
			t.Errorf("ForOnly(%q): %s is %q, want %q", test.tokens, test.url, got, test.want)
		}
	}
}

func TestForAmongMany(t *testing.T) {
	policy := parse(manyAgents(1000) + "\nUser-agent: BOT7\nDisallow: /y\n")
	for range 3 {
		for i := range 40 {
			if g := policy.For(strings.ToUpper(agentName(i))); g.Token() != agentName(i) ||
				g.Allowed("/y") != (i != 7) {
				t.Fatalf("agent %d has the group of %q", i, g.Token())
			}
		}
		if g := policy.For("nobody"); g.Token() != "*" {
			t.Fatalf("nobody has the group of %q", g.Token())
		}
	}
}

func TestDialectNames(t *testing.T) {
	for _, d := range robots.Dialects() {
		if got, err := robots.ParseDialect(d.String()); err != nil || got != d {
			t.Errorf("%v reads back as %v, %v", d, got, err)
		}
		if got, err := robots.ParseDialect(strings.ToUpper(d.String())); err != nil || got != d {
			t.Errorf("ParseDialect(%q) = %v, %v", strings.ToUpper(d.String()), got, err)
		}
		if p := parse("x").In(d); p.Dialect() != d || p.String() != "x" {
			t.Errorf("In(%v) is %v of %q", d, p.Dialect(), p)
		}
	}
	if _, err := robots.ParseDialect("bing"); err == nil || !strings.Contains(err.Error(), "koster1996") {
		t.Errorf("ParseDialect(bing): %v, want an error that names the dialects", err)
	}
}

// Text of a file must be escaped before it reaches a terminal.
func TestHostileText(t *testing.T) {
	policy := parse("User-agent: *\nDisallow: /\x1b[31m\x00\u202e\xff\"é\u009b\U000e0001\nX-\x07: \x1b]0;x\x07\n")
	match := policy.For("a").Match("/%1b[31m")
	if match = policy.For("a").Match("/\x1b[31m\x00\u202e\xff\"é\u009b\U000e0001"); match.Allowed {
		t.Fatal("the rule does not match its own path")
	}
	if got, want := match.String(),
		`disallowed by line 2: Disallow: /\x1b[31m\x00\u202e\xff"é\u009b\U000e0001`; got != want {
		t.Errorf("the match prints as %q, want %q", got, want)
	}
	if got, want := policy.Records()[0].String(), `X-\a: \x1b]0;x\a`; got != want {
		t.Errorf("the record prints as %q, want %q", got, want)
	}
	data, err := json.Marshal(match)
	var back struct{ Rule string }
	if err != nil || json.Unmarshal(data, &back) != nil ||
		back.Rule != "Disallow: /\x1b[31m\x00\u202e\ufffd\"é\u009b\U000e0001" ||
		slices.ContainsFunc([]rune(string(data)), func(c rune) bool { return !strconv.IsGraphic(c) }) {
		t.Errorf("the match is %s in JSON, %v", data, err)
	}
}

func TestMatchJSON(t *testing.T) {
	group := parse("User-agent: *\nDisallow: /\"x\nAllow: /y&\n").For("a")
	for url, want := range map[string]string{
		`/"x`:         `{"allowed":false,"reason":"rule","line":2,"rule":"Disallow: /\"x"}`,
		"/z":          `{"allowed":true,"reason":"no-rule"}`,
		"/robots.txt": `{"allowed":true,"reason":"robots-file"}`,
	} {
		if got, err := json.Marshal(group.Match(url)); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", url, got, err, want)
		}
	}
	data, err := json.Marshal(group.Explain(`/"x`))
	var back map[string]any
	if err != nil || json.Unmarshal(data, &back) != nil || back["candidates"] == nil {
		t.Errorf("the explanation is %s in JSON, %v", data, err)
	}
}

// A policy and its groups are safe to share, also while indexes are built.
func TestConcurrentUse(t *testing.T) {
	policy := robots.Parse(literals(2000))
	shared := policy.For("FooBot")
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			own := policy.For("FooBot")
			for range 50 {
				if own.Allowed("/products/item-1/") != shared.Allowed("/products/item-1/") {
					t.Error("two groups of one robot disagree")
				}
				policy.For("bot").Explain("/")
			}
		})
	}
	wait.Wait()
}

// TestDialectAnswers checks the exported answers of the dialects against what the dialects do.
func TestDialectAnswers(t *testing.T) {
	paths := map[robots.Dialect]string{
		robots.RFC9309:    "/%3B~%C3%A9",
		robots.Google:     "/%3B%7E\u00e9",
		robots.Koster1994: "/;~\u00e9",
		robots.Koster1996: "/;~\u00e9",
		robots.Kollar1996: "/;~\u00e9",
	}
	for _, d := range robots.Dialects() {
		g := d.Parse([]byte("User-agent: *\nDisallow: /\nDisallow: /ab\n")).For("a")
		if got := g.Match("/ab").Rule.Line == 2; got != d.FirstMatch() {
			t.Errorf("%v: the first rule decides: %t, FirstMatch says %t", d, got, d.FirstMatch())
		}
		if got := g.Match("/robots.txt").Allowed; got != d.AllowsRobotsFile() {
			t.Errorf("%v: robots.txt is allowed: %t, AllowsRobotsFile says %t", d, got, d.AllowsRobotsFile())
		}
		if got := d.Path("/%3B%7E\u00e9"); got != paths[d] {
			t.Errorf("%v: compares %s, want %s", d, got, paths[d])
		}
	}
}

// TestAllowedIsStrict asks Allowed for texts that are not URLs, of policies that allow everything.
func TestAllowedIsStrict(t *testing.T) {
	open := []*robots.Group{new(robots.Group), robots.AllowAll().For(),
		robots.ParseString("User-agent: *\nAllow: /").For("FooBot")}
	for _, g := range open {
		for _, bad := range []string{"", "private/x", "www.example.com/x", " /x", "?q", "//", "//a/x", "mailto:x@y.z",
			`C:\private\x`, "http://", "http://[::1", "ftp://h/x"} {
			if g.Allowed(bad) || robots.CheckURL(bad) == nil {
				t.Errorf("%q, which is not a URL, is allowed", bad)
			}
		}
		for _, good := range []string{"/", "/a", "/a//b", "/?q", "http://h", "https://h/x?y#z", "http://[::1]:80/"} {
			if !g.Allowed(good) {
				t.Errorf("%q is disallowed", good)
			}
		}
	}
	if url := "https://h/private"; robots.ParseString("User-agent: *\nDisallow: /private").For().Allowed(url) {
		t.Errorf("%s is allowed", url)
	}
	if n := testing.AllocsPerRun(10, func() { open[2].Allowed("https://example.com/a") }); n != 0 {
		t.Errorf("Allowed allocates %v times for a URL, want 0", n)
	}
}

func TestCheckURL(t *testing.T) {
	for _, good := range []string{
		"/", "/a", "/a//b", "/a?b#c", "/a b", "/a\nb", "/%", "/é", "/http://x", "/;",
		"http://h", "https://h", "HTTPS://H/", "http://h:8080", "http://h:", "http://h?q", "http://h#f",
		"http://user:pw@h/", "http://a@b@h/",
		"http://[::1]", "http://[2001:db8::1]:80/x", "http://[::ffff:1.2.3.4]/", "http://127.0.0.1/",
		"http://münchen.example/", "http://h/a;b", "http://h//x", "http://xn--a_b.c/",
	} {
		if err := robots.CheckURL(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for bad, want := range map[string]string{
		"":                  `the URL is empty: write a path such as /index.html, or a whole URL`,
		"private/x":         `"private/x" is neither a path nor a URL: write "/private/x" if it is a path, or "https://private/x" if it starts with a host`,
		"www.example.com/x": `"www.example.com/x" is neither a path nor a URL: write "/www.example.com/x" if it is a path, or "https://www.example.com/x" if it starts with a host`,
		"localhost:8080/x":  `"localhost:8080/x" is neither a path nor a URL: write "/localhost:8080/x" if it is a path, or "https://localhost:8080/x" if it starts with a host`,
		" /x":               `" /x" is neither a path nor a URL: write "/ /x" if it is a path, or "https:// /x" if it starts with a host`,
		"?q": `"?q" is neither a path nor a URL: write "/?q" if it is a path, or ` +
			`"https://?q" if it starts with a host`,
		"//":           `"//" starts with two slashes: write "https:" before them if a host follows, or one slash if it is a path`,
		"//private/x":  `"//private/x" starts with two slashes: write "https:" before them if a host follows, or one slash if it is a path`,
		"mailto:x@y.z": `"mailto:x@y.z" has the scheme mailto: robots.txt has rules for http and https URLs only`,
		"ftp://h/x":    `"ftp://h/x" has the scheme ftp: robots.txt has rules for http and https URLs only`,
		`C:\private\x`: `"C:\private\x" has the scheme c: robots.txt has rules for http and https URLs only`,
		"http:":        `"http:" names no host: write http://HOST/PATH`,
		"HTTP:/x":      `"HTTP:/x" names no host: write http://HOST/PATH`,
		"http:80":      `"http:80" names no host: write http://HOST/PATH`,
		"http://":      `"http://" names no host`,
		"http:///x":    `"http:///x" names no host`,
		"http://:80/":  `"http://:80/" names no host`,
		"http://u@/":   `"http://u@/" names no host`,
		"http://[::1": `"http://[::1" has no valid host: an IPv6 address stands in brackets, as ` +
			`in http://[2001:db8::1]/`,
		"http://[]/": `"http://[]/" has no valid host: an IPv6 address stands in brackets, as in ` +
			`http://[2001:db8::1]/`,
		"http://[::1]x/": `"http://[::1]x/" has no valid host: only a port may follow the bracket`,
		"http://h:x/":    `"http://h:x/" has no valid port: "x" is not a number from 1 to 65535`,
		"http://::1/": `"http://::1/" has no valid host: an IPv6 address stands in brackets, as ` +
			`in http://[2001:db8::1]/`,
		"http://h:0/":     `"http://h:0/" has no valid port: "0" is not a number from 1 to 65535`,
		"http://h:65536/": `"http://h:65536/" has no valid port: "65536" is not a number from 1 to 65535`,
		"http://h:%[1]s/": `"http://h:%[1]s/" has no valid port: "%[1]s" is not a number from 1 to 65535`,
		"http://2130706433/": `"http://2130706433/" has no valid host: "2130706433" ends in a number but ` +
			`is not an IPv4 address: write four decimal numbers with dots`,
		"http://a..b/": `"http://a..b/" has no valid host: the text between two dots is empty or ` +
			`has more than 63 bytes, or the name has more than 253`,
		`http://h\private\x`:  `"http://h\private\x" has no valid host: "\\" cannot stand in it`,
		"http://h;p":          `"http://h;p" has no valid host: ";" cannot stand in it`,
		"http://u;v@h/p":      `"http://u;v@h/p" has no valid host: ";" cannot stand in it`,
		"http://my host/x":    `"http://my host/x" has no valid host: " " cannot stand in it`,
		"http://h\x1b[31m/x":  `"http://h\x1b[31m/x" has no valid host: "\x1b" cannot stand in it`,
		"javascript:alert(1)": `"javascript:alert(1)" has the scheme javascript: robots.txt has rules for http and https URLs only`,
	} {
		err := robots.CheckURL(bad)
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", bad, err, want)
		}
	}
	if err := robots.CheckURL(strings.Repeat("x", 1<<20)); err == nil || len(err.Error()) > 1000 {
		t.Error("the message for a long text is long")
	}
	if n := testing.AllocsPerRun(100, func() { robots.CheckURL("https://user@www.example.com:8080/x?y") }); n > 0 {
		t.Errorf("CheckURL allocates %v times", n)
	}
}

// TestNoURLs checks that Match gives the answer of Google's parser for texts that CheckURL refuses.
func TestNoURLs(t *testing.T) {
	for _, test := range []struct {
		dialect robots.Dialect
		rules   string
		url     string
		line    int // the line that disallows it, or 0
	}{
		{robots.Google, "Disallow: /$\n", "example.com", 2},
		{robots.Google, "Disallow: /$\n", "//example.com", 2},
		{robots.Google, "Disallow: /$\n", "", 2},
		{robots.Google, "Disallow: /?q\nDisallow: /;p\n", "?q", 2},
		{robots.Google, "Disallow: /?q\nDisallow: /;p\n", "https://example.com;p", 3},
		{robots.Google, "Disallow: /b\n", "a/b", 2},
		{robots.Google, "Disallow: /b\n", "//a/b", 2},
		{robots.Google, "Disallow: /b\n", "b", 0},
		{robots.Google, "Disallow: /a$\nDisallow: /b\n", "#/b", 0},
		{robots.Google, "Disallow: /?u=http://a/b\nDisallow: /http://a/b\nDisallow: /b\n", "?u=http://a/b", 2},
		{robots.RFC9309, "Disallow: /\n", "//robots.txt/robots.txt", 0},
		{robots.RFC9309, "Disallow: /\n", "ftp://ftp.example.com/robots.txt", 0},
		{robots.RFC9309, "Disallow: https://example.com/x\nDisallow: //example.com/y\n", "//example.com/y", 0},
		{robots.RFC9309, "Disallow: /$\n", "", 2},
		{robots.RFC9309, "Disallow: /?q\n", "?q=1", 2},
		{robots.RFC9309, "Disallow: /path\nDisallow: //host\n", "//host/path", 2},
		{robots.RFC9309, "Disallow: /path\nDisallow: //host\n", "//host", 0},
		{robots.RFC9309, "Disallow: /path\nDisallow: //host\n", "//path/x", 0},
		{robots.RFC9309, "Disallow: /\n", "//example.com/robots.txt", 0},
		{robots.RFC9309, "Disallow: /\n", "//robots.txt", 2},
	} {
		text := "User-agent: *\n" + test.rules
		check(t, test.dialect, text, "FooBot", test.url)
		m := test.dialect.Parse([]byte(text)).For("FooBot").Match(test.url)
		if m.Allowed != (test.line == 0) || m.Rule.Line != test.line {
			t.Errorf("%v: %q under %q: %v, want line %d", test.dialect, test.url, test.rules, m, test.line)
		}
		if robots.CheckURL(test.url) == nil {
			t.Errorf("CheckURL(%q) has no error", test.url)
		}
	}
}

// uriParts splits a URI (RFC 3986, appendix B).
var uriParts = regexp.MustCompile(`(?s)^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$`)

// FuzzCheckURL compares CheckURL with net/url, which recognizes URLs with a host, and the path for
// the comparison with rules with the path and query that the expression of RFC 3986 finds.
func FuzzCheckURL(f *testing.F) {
	for _, s := range []string{"", "/", "//", "/a?b", "private/x", "http://h/x;y?z#f", "https://u:p@[::1]:80?q",
		"http://h;x/y", "mailto:x@y", `C:\x`, "http:/x", "https://a-b.1?", "https://a-b.1#", "https:///", "http://?",
		"http://a_b/", "http://h:80:90/", "h:80/x", "http://%41/", "http://h?a/b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		err := robots.CheckURL(s)
		// A scheme in capital letters takes the slow path.
		if rest, ok := strings.CutPrefix(s, "http"); ok && (robots.CheckURL("HTTP"+rest) == nil) != (err == nil) {
			t.Fatalf("%q depends on the case of its scheme: %v", s, err)
		}
		u, parseErr := url.Parse(s)
		if parseErr != nil {
			return
		}
		isPath := u.Scheme == "" && u.Host == "" && strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "//")
		isWeb := (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
		if err == nil && !isPath && !isWeb {
			t.Fatalf("%q is accepted, and net/url reads %#v", s, u)
		}
		if err != nil {
			return
		}
		parts := uriParts.FindStringSubmatch(s)
		want := parts[5] + parts[6]
		if want == "" || want[0] != '/' {
			want = "/" + want
		}
		if got := robots.RFC9309.Path(s); got != robots.RFC9309.Path("http://h"+want) {
			t.Errorf("%q: rules are compared with %q, and RFC 3986 reads %q", s, got, want)
		}
	})
}

func TestProductToken(t *testing.T) {
	for text, want := range map[string]string{
		"ExampleBot":                       "ExampleBot",
		"ExampleBot/1.0 (+https://a.test)": "ExampleBot",
		"ExampleBot (a; b)":                "ExampleBot",
		"\t ExampleBot\t1":                 "ExampleBot",
		"Example.Bot_2-x/3":                "Example.Bot_2-x",
		"/1.0":                             "",
		" ":                                "",
		"":                                 "",
	} {
		if got := robots.ProductToken(text); got != want {
			t.Errorf("%q begins with the token %q, want %q", text, got, want)
		}
		// A policy finds the same token in the name of a question.
		p := robots.Parse([]byte("User-agent: " + want + "\nDisallow: /\n"))
		if got := p.For(robots.ProductToken(text)).Token(); got != want {
			t.Errorf("%q has the group of %q, want %q", text, got, want)
		}
	}
}

// never has the bytes of US-ASCII that a URL can only have percent-encoded (RFC 3986, section 2),
// without the ends of lines, which no pattern can have.
const never = "\x00\x01\t\v\x1f \"<>\\^`{|}\x7f"

// TestNeverAsTheyAre checks that a byte that a URL can only have percent-encoded means the same raw
// and encoded, in patterns and in URLs, and that both have the same weight.
func TestNeverAsTheyAre(t *testing.T) {
	for _, raw := range strings.Split(never, "") {
		encoded := fmt.Sprintf("%%%02X", raw[0])
		for _, octet := range []string{raw, encoded, strings.ToLower(encoded)} {
			for _, test := range []struct{ pattern, path string }{
				{"/a" + octet + "b", "/a%sb/c"},
				{"/a" + octet + "b*", "/a%sb/c"},
				{"/a" + octet + "b$", "/a%sb"},
				{"/a*" + octet + "b", "/ac%sb?c"},
				{"/a?q=" + octet + "b", "/a?q=%sb"},
			} {
				text := "User-agent: *\nDisallow: " + test.pattern + "\n"
				tie := text + "Allow: " + strings.Replace(test.pattern, octet, encoded, 1) + "\n"
				for _, asked := range []string{raw, encoded, strings.ToLower(encoded)} {
					url := fmt.Sprintf(test.path, asked)
					check(t, robots.RFC9309, text, "FooBot", url)
					if m := robots.Parse([]byte(text)).For("FooBot").Match(url); m.Allowed || m.Rule.Line != 2 {
						t.Errorf("%q: %q is %v, want disallowed by line 2", text, url, m)
					}
					if m := robots.Parse([]byte(tie)).For("FooBot").Match(url); !m.Allowed || m.Rule.Line != 3 {
						t.Errorf("%q: %q is %v, want allowed by line 3", tie, url, m)
					}
				}
			}
		}
	}
}

// TestNeverAmongMany matches paths that need such patterns only after questions about other paths,
// so that the index is a list, a sieve or a table by then.
func TestNeverAmongMany(t *testing.T) {
	for _, n := range []int{1, 20, 200} {
		var text strings.Builder
		text.WriteString("User-agent: *\nAllow: /x*y\n")
		for i := range n {
			fmt.Fprintf(&text, "Disallow: /my file %d<\nDisallow: /plain/%d\nAllow: /my%%20file%%20%d%%3C/open|*\n", i,
				i, i)
		}
		rules := slowChoose("rfc9309", slowGroups("rfc9309", text.String()), "FooBot")
		type answer struct {
			allowed bool
			line    int
		}
		answers := make(map[string]answer) // of the twin, by URL
		compare := func(when string, group *robots.Group, url string) {
			want, ok := answers[url]
			if !ok {
				want.allowed, want.line = slowAsk("rfc9309", rules, url)
				answers[url] = want
			}
			if got := group.Match(url); got.Allowed != want.allowed || got.Rule.Line != want.line {
				t.Errorf("%s: for %q: got %v, want allowed %t by line %d", when, url, got, want.allowed, want.line)
			}
		}
		for _, asks := range []int{0, 5, 40} { // the number of questions before
			group := robots.Parse([]byte(text.String())).For("FooBot")
			for i := range asks {
				compare("before", group, fmt.Sprintf("/plain/%d", i))
			}
			for i := range n {
				for _, url := range []string{"/my%%20file%%20%d%%3c", "/my file %d<x", "/my file %d",
					"/my%%20file %d%%3C/open%%7c", "/my file %d</open|x", "/plain/%d"} {
					compare("after", group, fmt.Sprintf(url, i))
				}
			}
		}
	}
}

// TestMaybeNever checks that the fast test finds such a byte at every place, and mistakes few other
// bytes for one.
func TestMaybeNever(t *testing.T) {
	for c := range 256 {
		for n := 1; n <= 20; n++ {
			for at := range n {
				s := strings.Repeat("z", at) + string([]byte{byte(c)}) + strings.Repeat("/", n-at-1)
				odd := c >= 0x80 || c == '!' || c == '~'
				if got, want := robots.MaybeNever(s), robots.Never(s); got != want && !odd || !got && want {
					t.Fatalf("%q: got %t, want %t", s, got, want)
				}
			}
		}
	}
}

// TestMayRewrite checks that the fast test finds a byte that some dialect rewrites at every place.
func TestMayRewrite(t *testing.T) {
	for c := range 256 {
		for n := 1; n <= 20; n++ {
			for at := range n {
				for _, rest := range []string{"zzz", "7e", "c3"} { // after "%" two encode a byte
					s := strings.Repeat("z", at) + string([]byte{byte(c)}) + rest + strings.Repeat("/", n-at-1)
					for _, d := range robots.Dialects() {
						if robots.Rewritten(d, s) && !robots.MayRewrite(s) {
							t.Fatalf("%v rewrites %q, and the fast test says that none does", d, s)
						}
					}
				}
			}
		}
	}
}

// TestNeverAmongVeryMany does the same for groups with many rules: several questions build the table
// of the first group, and the second group has a net from the start.
func TestNeverAmongVeryMany(t *testing.T) {
	for _, wilds := range []int{0, 300} {
		var text strings.Builder
		text.WriteString("User-agent: *\n")
		for i := range 20000 {
			fmt.Fprintf(&text, "Disallow: /%d/\n", i)
			if i < wilds {
				fmt.Fprintf(&text, "Disallow: /w*/%d<\n", i)
			}
		}
		text.WriteString("Disallow: /a b\nDisallow: /a<b\n")
		group := robots.Parse([]byte(text.String())).For("FooBot")
		for i := range 60 {
			for _, url := range []string{"/a%20b", "/a%3Cb", "/17/x", "/19999/%20", fmt.Sprintf("/wx/%d%%3C", i)} {
				want := strings.HasPrefix(url, "/w") && i >= wilds
				if m := group.Match(url); m.Allowed != want {
					t.Fatalf("%d wilds, question %d: %q is %v", wilds, i, url, m)
				}
			}
		}
	}
}

// named is a policy that names some robots, each with a group of its own.
const named = `User-agent: *
Disallow: /everyone
User-agent: GPTBot
User-agent: CCBot
Disallow: /
User-agent: Googlebot
Disallow: /google
User-agent: Mozilla
User-agent: Chrome
User-agent: TwitterBot
Allow: /
`

// TestForText asks for robots by texts with more than a product token: the commonest mistakes.
func TestForText(t *testing.T) {
	policy := parse(named)
	for text, want := range map[string]string{
		"GPTBot":             "GPTBot",
		"gptbot/1.2":         "GPTBot",
		" GPTBot":            "GPTBot",
		"GPTBot\n":           "GPTBot",
		"\r\n\tGPTBot\v ":    "GPTBot",
		"GPTBot\u00a0":       "GPTBot",
		"\u201cGPTBot\u201d": "GPTBot",
		"\ufeffGPTBot":       "GPTBot",
		"GPTBot\nCCBot":      "GPTBot",
		`"GPTBot"`:           "GPTBot",
		"(GPTBot)":           "GPTBot",
		"GPTBot;":            "GPTBot",
		"* GPTBot":           "GPTBot",
		"GPTBot,CCBot":       "GPTBot",
		"OtherBot, CCBot":    "CCBot",
		"GPTBot/1.2 (+https://openai.com/gptbot)":                                      "GPTBot",
		"User-Agent: GPTBot":                                                           "GPTBot",
		"Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)":             "GPTBot",
		"Mozilla/5.0 (compatible;GPTBot/1.2;+https://openai.com/gptbot)":               "GPTBot",
		"Mozilla/5.0+(compatible;+GPTBot/1.2;++https://openai.com/gptbot)":             "GPTBot",
		"mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2)":   "GPTBot",
		"Mozilla/5.0 (X11) Chrome/41 Safari/537.36 (compatible; Googlebot/2.1; +http)": "Googlebot",
		"SAMSUNG-SGH-E250/1.0 (compatible; Googlebot/2.1)":                             "Googlebot",

		// Nobody whom the policy names.
		"": "*", " \r\n": "*", "*": "*", " *\n": "*",
		"GPTBots":                    "*",
		"Googlebot-Image":            "*",
		"GPTBot2":                    "*",
		"Telegram (like TwitterBot)": "*",
		"OtherBot/1.0 (+https://GPTBot.example/GPTBot; GPTBot@example.com)": "*",

		// The words of browsers are names where they stand alone, or where nothing else does.
		"Mozilla": "Mozilla", "Mozilla/5.0": "Mozilla", "Mozilla/5.0 (OtherBot/1.0)": "Mozilla", "Chrome": "Chrome",
		"OtherBot Chrome/41": "*",
	} {
		got := policy.For(text)
		if token := got.Token(); token != want {
			t.Errorf("%q has the group of %q, want %q", text, token, want)
		}
		if want == "*" {
			want = ""
		}
		if token := policy.ForOnly(text).Token(); token != want {
			t.Errorf("%q alone has the group of %q, want %q", text, token, want)
		}
	}
	if n := testing.AllocsPerRun(10, func() {
		policy.For("Mozilla/5.0 (X11) Chrome/41 Safari/537.36 (compatible; Other/2.1; +http)")
	}); n > 1 {
		t.Errorf("For allocates %v times for a header, want once, for the group", n)
	}
}

// TestForTextOfDialects: a dialect that says what a name is keeps its word.
func TestForTextOfDialects(t *testing.T) {
	for _, test := range []struct {
		dialect    robots.Dialect
		text, want string
	}{
		{robots.Google, " GPTBot", "*"},
		{robots.Google, "GPTBot/1.2", "*"},
		{robots.Koster1994, " GPTBot\r\n", "GPTBot"},
		{robots.Koster1996, "GPTBot\u00a0", "GPTBot"},
		{robots.Kollar1996, "Mozilla/5.0 (compatible; GPTBot/1.2)", "Mozilla"},
		{robots.Koster1994, "Other/5.0 (compatible; GPTBot/1.2)", "*"},
	} {
		if got := test.dialect.Parse([]byte(named)).For(test.text).Token(); got != test.want {
			t.Errorf("%v: %q has the group of %q, want %q", test.dialect, test.text, got, test.want)
		}
	}
}

// FuzzFor compares the groups that texts name with those of the slow twin, in every dialect.
func FuzzFor(f *testing.F) {
	f.Add("GPTBot\nCCBot", "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)")
	f.Add("Mozilla\nCCBot/", "mozilla/5.0 (like CCBot/2, other\x7fbot)")
	f.Add("a,b\nb\n like", "like b,a,b\r\n")
	f.Add("Bot\u00a0x\nBot", "\u2003Bot\u00a0x\ufeff\u200b\u0085\xff")
	f.Add("c++\n(x)", "c++/2 (x)")
	f.Fuzz(func(t *testing.T, names, text string) {
		var file strings.Builder
		file.WriteString("User-agent: *\nDisallow: /everyone\n")
		for i, name := range strings.Split(names, "\n") {
			file.WriteString("User-agent: " + name + "\nDisallow: /" + string(rune('a'+i%26)) + "\n")
		}
		for _, d := range robots.Dialects() {
			group := d.Parse([]byte(file.String())).For(text)
			rules := slowChoose(d.String(), slowGroups(d.String(), file.String()), text)
			for c := 'a'; c <= 'z'; c++ {
				compareSlow(t, file.String(), group, d, rules, text, "/"+string(c))
			}
			compareSlow(t, file.String(), group, d, rules, text, "/everyone")
		}
	})
}
