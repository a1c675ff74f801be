package robottest

import (
	"cmp"
	"context"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A modelRobot is a small robot that keeps all duties, except for its fault. Its pauses move the
// clock of the web, so that a test takes no time.
type modelRobot struct {
	t      *testing.T
	client *http.Client
	clock  *modelClock
	fault  string

	policies map[string]*robots.Policy // by origin
	next     map[string]time.Time      // when a host may be asked again
	seen     map[string]bool
	count    map[string]int    // visits by host
	tags     map[string]string // validators of robots.txt, by URL
}

// A modelClock is a clock that stands still between pauses.
type modelClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *modelClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *modelClock) sleepUntil(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.After(c.now) {
		c.now = t
	}
}

const modelAgent = "ModelBot/1.0 (+https://example.com/bot)"

// testRobot runs a model robot with a fault on a web, and returns the report.
func testRobot(t *testing.T, fault string, proxy bool) *Report {
	t.Helper()
	report, _ := testSelection(t, fault, proxy)
	return report
}

// testSelection runs a model robot with a fault on a web for some duties, and returns the report,
// and the web, which is closed.
func testSelection(t *testing.T, fault string, proxy bool, names ...string) (*Report, *Web) {
	t.Helper()
	virtual := &modelClock{now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
	o := Options{Duties: names}
	o.clock = clock{now: virtual.Now, hold: time.Millisecond, endless: 64 << 20, drop: time.Millisecond, drops: 1e9}
	switch fault {
	case "two at once":
		o.clock.hold = 20 * time.Second // ends with the second request
	case "reads slow pages":
		o.clock.drops = 20
	case "reads endless pages":
		o.clock.endless = 8 << 20
	}
	web, err := Start(context.Background(), o)
	fatal.If(t, err)
	defer web.Close()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	start := web.StartPage()
	if proxy {
		at, _ := url.Parse(web.StartPage())
		transport.Proxy = http.ProxyURL(at)
		start = "http://start.test/"
	}
	r := &modelRobot{
		t: t, clock: virtual, fault: fault,
		client: &http.Client{Transport: transport, Timeout: time.Minute, CheckRedirect: func(*http.Request,
			[]*http.Request) error {
			return http.ErrUseLastResponse
		}},
		policies: make(map[string]*robots.Policy), next: make(map[string]time.Time), seen: make(map[string]bool),
		count: make(map[string]int), tags: make(map[string]string),
	}
	r.crawl(start)
	for slices.ContainsFunc(web.sites, (*site).busy) {
		time.Sleep(time.Millisecond) // the server notices later that the robot has left a page
	}
	virtual.sleepUntil(virtual.Now().Add(time.Minute))
	report, err := web.Report()
	fatal.If(t, err)
	return report, web
}

var (
	href        = regexp.MustCompile(`(?:<a [^>]*href="|<loc>)([^"<]*)`)
	changes     = regexp.MustCompile(`add-to-cart|logout|delete`)
	allowAll    = robots.Parse(nil)
	disallowAll = robots.Parse([]byte("User-agent: *\nDisallow: /\n"))
)

// crawl visits a page and all that it links to, host by host.
func (r *modelRobot) crawl(start string) {
	queue := []string{start}
	for len(queue) > 0 {
		at, _ := url.Parse(queue[0])
		var here, elsewhere []string
		for _, u := range queue {
			if parsed, _ := url.Parse(u); parsed.Host == at.Host {
				here = append(here, u)
			} else {
				elsewhere = append(elsewhere, u)
			}
		}
		for _, link := range r.visitAll(here) {
			if parsed, _ := url.Parse(link); parsed.Host == at.Host {
				elsewhere = append([]string{link}, elsewhere...)
			} else {
				elsewhere = append(elsewhere, link)
			}
		}
		queue = elsewhere
	}
}

// visitAll visits pages of one host, and returns links that are new.
func (r *modelRobot) visitAll(urls []string) (links []string) {
	at, _ := url.Parse(urls[0])
	parallel := r.fault == "two at once" && len(urls) > 1 && r.site(at) == "one-at-a-time"
	var wg sync.WaitGroup
	for _, u := range urls {
		if parallel {
			wg.Go(func() { r.get(u) })
			continue
		}
		links = append(links, r.visit(u, 0)...)
	}
	wg.Wait()
	var unseen []string
	for _, link := range links {
		if !r.seen[link] || r.fault == "asks for gone pages" && strings.HasSuffix(link, "/gone") {
			r.seen[link] = true
			unseen = append(unseen, link)
		}
	}
	return unseen
}

// site returns the name of the exercise at a URL, if it has a name.
func (r *modelRobot) site(u *url.URL) string {
	for i := range exercises {
		if strings.HasPrefix(u.Host, exercises[i].name+".test") {
			return exercises[i].name
		}
	}
	for origin := range r.policies {
		if strings.HasSuffix(origin, "//"+u.Host) && r.next["slow "+u.Host] != (time.Time{}) {
			return "one-at-a-time"
		}
	}
	return ""
}

// visit requests a page, unless it is disallowed, and returns its links.
func (r *modelRobot) visit(u string, hops int) (links []string) {
	at, err := url.Parse(u)
	if err != nil {
		r.t.Error(err)
		return nil
	}
	origin := at.Scheme + "://" + at.Host
	if r.policies[origin] == nil && (r.fault == "asks late" || r.fault == "takes the start page at once" &&
		len(r.policies) == 0) {
		r.get(u)
	}
	policy := r.policy(origin)
	if r.count[at.Host]++; hops == 0 && r.count[at.Host] > map[bool]int{true: 220,
		false: 40}[r.fault == "walks for ever"] {
		return nil
	}
	if !r.allowed(policy, at) || r.fault != "presses buttons" && changes.MatchString(u) {
		return nil
	}
	if len(policy.For("ModelBot").VisitTimes()) > 0 && r.fault != "comes at any time" {
		return nil // the test closes the host now
	}
	if r.fault != "no sitemaps" {
		for _, m := range policy.Sitemaps() {
			links = append(links, m.URL.String())
		}
	}
	r.pause(at.Host, policy)
	tries := 3
	if r.fault == "never gives up" {
		tries = 10
	}
	for range tries {
		answer, body := r.get(u)
		if answer == nil || answer.StatusCode >= 500 {
			if r.fault != "does not slow down" && (answer == nil || answer.Header.Get("Retry-After") == "") {
				r.next[at.Host] = r.clock.Now().Add(5 * time.Second)
			}
			r.retryAfter(at.Host, answer)
			r.pause(at.Host, policy)
			continue
		}
		r.retryAfter(at.Host, answer)
		if to, err := answer.Location(); err == nil {
			if longest := map[bool]int{true: 100, false: 20}[r.fault == "runs in circles"]; hops < longest {
				return r.visit(to.String(), hops+1)
			}
			return nil
		}
		if strings.Contains(body, "<title>one-at-a-time /</title>") {
			r.next["slow "+at.Host] = r.clock.Now()
		}
		if answer.StatusCode == 200 {
			for range map[bool]int{true: 3, false: 0}[r.fault == "pages again"] {
				r.pause(at.Host, policy)
				again, _ := r.get(u)
				r.retryAfter(at.Host, again)
			}
			if r.fault == "sends forms" && strings.Contains(body, "<form") {
				r.send(http.MethodPost, u)
			}
			meta := strings.Contains(body, `content="nofollow"`) && r.fault != "ignores META"
			if meta || answer.Header.Get("X-Robots-Tag") == "nofollow" && r.fault != "ignores X-Robots-Tag" {
				return links
			}
			for _, m := range href.FindAllStringSubmatch(body, -1) {
				if strings.Contains(m[0], `nofollow" href`) && r.fault != "ignores rel" {
					continue
				}
				if to, err := at.Parse(html.UnescapeString(m[1])); err == nil {
					links = append(links, to.String())
				}
			}
		}
		return links
	}
	return nil
}

// pause waits until a host may be asked.
func (r *modelRobot) pause(host string, policy *robots.Policy) {
	r.clock.sleepUntil(r.next[host])
	gap := time.Second
	if r.fault == "no pause" {
		gap = 0
	}
	if delay, ok := policy.For("ModelBot").CrawlDelay(); ok && r.fault != "ignores Crawl-delay" {
		gap = max(gap, delay.Delay)
	}
	for _, rate := range policy.For("ModelBot").RequestRates() {
		if r.fault != "ignores Request-rate" {
			gap = max(gap, rate.Delay())
		}
	}
	r.next[host] = r.clock.Now().Add(gap)
}

func (r *modelRobot) retryAfter(host string, answer *http.Response) {
	if answer == nil {
		return
	}
	value := answer.Header.Get("Retry-After")
	_, err := strconv.Atoi(value)
	if value == "" || err == nil && r.fault == "ignores seconds" || err != nil && r.fault == "ignores dates" {
		return
	}
	if until := r.clock.Now().Add(retryAfter(value, r.clock.Now())); until.After(r.next[host]) {
		r.next[host] = until
	}
}

// policy returns the robots.txt of an origin.
func (r *modelRobot) policy(origin string) *robots.Policy {
	if r.fault == "no robots.txt" {
		return allowAll
	}
	key := origin
	if r.fault == "one file for all ports" {
		u, _ := url.Parse(origin)
		key = u.Hostname()
	}
	p := r.policies[key]
	if p == nil || r.fault == "robots.txt for each page" {
		p = r.readPolicy(origin)
		r.policies[key] = p
	}
	return p
}

func (r *modelRobot) readPolicy(origin string) *robots.Policy {
	u := origin + "/robots.txt"
	r.clock.sleepUntil(r.next[strings.TrimPrefix(origin, "http://")])
	most := 5
	if r.fault == "follows four redirects" {
		most = 4
	}
	for range most + 1 {
		answer, body := r.get(u)
		if answer != nil && answer.StatusCode == http.StatusNotModified {
			return r.policies[origin]
		}
		if answer != nil {
			r.tags[u] = answer.Header.Get("ETag")
		}
		switch {
		case answer == nil && r.fault == "no answer is no rule", answer != nil && answer.StatusCode >= 500 &&
			r.fault == "errors are no rule":
			return allowAll
		case answer == nil || answer.StatusCode >= 500:
			return disallowAll
		case answer.StatusCode >= 400:
			if r.fault == "404 closes" && answer.StatusCode == 404 || r.fault == "403 closes" &&
				answer.StatusCode == 403 {
				return disallowAll
			}
			return allowAll
		case answer.StatusCode == 200:
			return robots.Parse([]byte(r.misread(body)))
		}
		to, err := answer.Location()
		if err != nil || r.fault == "stays on the host" && "http://"+to.Host != origin {
			return allowAll
		}
		u = to.String()
	}
	return allowAll
}

// misread returns what the robot takes a text for.
func (r *modelRobot) misread(text string) string {
	line := func(pattern, by string) string { return regexp.MustCompile("(?m)"+pattern).ReplaceAllString(text, by) }
	switch r.fault {
	case "no groups of its own":
		return line(`(?i)^user-agent: modelbot$`, "User-agent: other")
	case "case matters":
		return line(`^USER-AGENT: mODELbOT$`, "User-agent: other")
	case "first group only":
		at := strings.Index(text, "User-agent: ModelBot\n")
		if at < 0 {
			return text
		}
		return text[:at+1] + strings.ReplaceAll(text[at+1:], "User-agent: ModelBot\n", "User-agent: other\n")
	case "literal wildcards":
		text = line(`(?i)^(disallow: .*)\*`, "$1%2A")
		return line(`(?i)^(disallow: .*)\$$`, "$1%24")
	case "literal escapes":
		return line(`^Disallow: .*[~%é].*$`, "")
	case "keeps the mark":
		return strings.ReplaceAll(text, "\ufeff", "x")
	case "knows no CR":
		return line("\r([^\n])", " $1")
	case "stops at unknown lines":
		text, _, _ = strings.Cut(text, "Noodle")
	case "reads 100 KB":
		text = text[:min(len(text), 100_000)]
	case "HTML closes":
		if strings.HasPrefix(text, "<") {
			return "User-agent: *\nDisallow: /\n"
		}
	}
	return text
}

// allowed returns whether the robot takes a URL for allowed.
func (r *modelRobot) allowed(p *robots.Policy, u *url.URL) bool {
	target := u.EscapedPath()
	if u.RawQuery != "" && r.fault != "no queries" {
		target += "?" + u.RawQuery
	}
	m := p.For("ModelBot").Match(target)
	switch r.fault {
	case "first rule":
		if !strings.Contains(p.String(), "/a/b/") {
			break
		}
		for line := range strings.Lines(p.String()) {
			if one := robots.Parse([]byte("User-agent: *\n" + line)).For("x").Match(target); one.Rule.Line > 0 {
				return one.Allowed
			}
		}
	case "Disallow wins":
		if m.Allowed && strings.Contains(p.String(), "Disallow: "+m.Rule.Pattern+"\n") {
			return false
		}
	}
	return m.Allowed
}

// get makes one request. The answer is nil if there was none.
func (r *modelRobot) get(u string) (*http.Response, string) {
	return r.send(http.MethodGet, u)
}

func (r *modelRobot) send(method, u string) (*http.Response, string) {
	request, err := http.NewRequest(method, u, nil)
	if err != nil {
		r.t.Error(err)
		return nil, ""
	}
	agent := modelAgent
	switch r.fault {
	case "a browser's name":
		agent = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"
	case "no contact":
		agent = "ModelBot/1.0"
	case "contact in From":
		agent = "ModelBot/1.0"
		request.Header.Set("From", "bot@example.com")
	}
	request.Header.Set("User-Agent", agent)
	if tag := r.tags[u]; tag != "" {
		request.Header.Set("If-None-Match", tag)
	}
	answer, err := r.client.Do(request)
	if err != nil {
		return nil, ""
	}
	defer answer.Body.Close()
	longest := int64(1 << 20)
	switch {
	case strings.HasSuffix(u, "/slow") && r.fault != "reads slow pages":
		longest = 3 // as a robot does that has a limit of time
	case r.fault == "reads endless pages":
		longest = 1 << 30
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, longest))
	if err != nil {
		return nil, ""
	}
	return answer, string(body)
}

// faults are the faults of model robots, with the duties that they break, or do not show.
var faults = []struct {
	fault            string
	broken, notShown string
}{
	{fault: ""},
	{fault: "takes the start page at once"}, // which is not a fault
	{fault: "no robots.txt", broken: "robots-first disallow",
		notShown: "origins closed-host own-group token-case joined-groups longest-match allow-on-tie wildcards escapes queries " +
			"byte-order-mark line-ends unknown-lines empty-file missing-file forbidden-file server-error no-answer five-redirects redirect-elsewhere large-file html-file crawl-delay robots-kept request-rate visit-time sitemap"},
	{fault: "asks late", broken: "robots-first",
		notShown: "origins disallow own-group token-case joined-groups longest-match allow-on-tie wildcards escapes queries " +
			"byte-order-mark line-ends unknown-lines empty-file missing-file forbidden-file five-redirects redirect-elsewhere large-file html-file"},
	{fault: "one file for all ports", broken: "origins"},
	{fault: "no groups of its own", broken: "own-group token-case joined-groups"},
	{fault: "case matters", broken: "token-case"},
	{fault: "first group only", broken: "joined-groups"},
	{fault: "first rule", broken: "longest-match"},
	{fault: "Disallow wins", notShown: "allow-on-tie"},
	{fault: "literal wildcards", broken: "wildcards"},
	{fault: "literal escapes", broken: "escapes"},
	{fault: "no queries", broken: "queries"},
	{fault: "keeps the mark", broken: "byte-order-mark"},
	{fault: "knows no CR", broken: "line-ends"},
	{fault: "stops at unknown lines", broken: "unknown-lines"},
	{fault: "404 closes", notShown: "missing-file"},
	{fault: "403 closes", notShown: "forbidden-file"},
	{fault: "errors are no rule", broken: "server-error"},
	{fault: "no answer is no rule", broken: "no-answer"},
	{fault: "follows four redirects", broken: "five-redirects"},
	{fault: "stays on the host", broken: "redirect-elsewhere"},
	{fault: "reads 100 KB", broken: "large-file"},
	{fault: "HTML closes", notShown: "html-file"},
	{fault: "a browser's name", broken: "name contact", notShown: "own-group token-case joined-groups"},
	{fault: "no contact", broken: "contact"},
	{fault: "contact in From"}, // which is not a fault
	{fault: "two at once", broken: "one-at-a-time"},
	{fault: "ignores Crawl-delay", broken: "crawl-delay"},
	{fault: "no pause", broken: "pause", notShown: "visit-time"},
	{fault: "ignores seconds", broken: "retry-after"},
	{fault: "ignores dates", broken: "retry-date"},
	{fault: "robots.txt for each page", broken: "robots-kept"},
	{fault: "pages again", broken: "once"},
	{fault: "runs in circles", broken: "redirect-loop"},
	{fault: "never gives up", broken: "dead-pages cut-pages"},
	{fault: "does not slow down", broken: "slows-down"},
	{fault: "sends forms", broken: "safe-methods"},
	{fault: "walks for ever", broken: "calendar session-ids deeper-paths"},
	{fault: "ignores rel", broken: "link-nofollow"},
	{fault: "ignores META", broken: "page-nofollow"},
	{fault: "ignores X-Robots-Tag", broken: "header-nofollow"},
	{fault: "presses buttons", broken: "side-effects"},
	{fault: "ignores Request-rate", broken: "request-rate"},
	{fault: "comes at any time", broken: "visit-time"},
	{fault: "reads endless pages", broken: "endless-page"},
	{fault: "reads slow pages", broken: "slow-page"},
	{fault: "no sitemaps", notShown: "sitemap"},
	{fault: "asks for gone pages", broken: "gone-page"},
}

// TestFaults has model robots visit the web, each with one fault: they break the duties of their
// faults, and keep all others. Robots that come through the proxy have a part of the faults, or all
// if ROBOTS_CORPUS_ALL is set.
func TestFaults(t *testing.T) {
	for i, test := range faults {
		for _, proxy := range []bool{false, true} {
			if proxy && i%8 != 0 && os.Getenv("ROBOTS_CORPUS_ALL") == "" {
				continue
			}
			t.Run(cmp.Or(test.fault, "none")+map[bool]string{true: ", proxy", false: ", ports"}[proxy],
				func(t *testing.T) {
					t.Parallel()
					checkFault(t, testRobot(t, test.fault, proxy), test.fault, test.broken, test.notShown, proxy)
				})
		}
	}
}

func checkFault(t *testing.T, r *Report, fault, broken, notShown string, proxy bool) {
	t.Helper()
	for _, result := range r.Duties {
		want := Kept
		switch {
		case result.ID == "origins" && proxy, result.ID == "conditional" && fault != "robots.txt for each page":
			want = NotShown
		case slices.Contains(strings.Fields(broken), result.ID):
			want = Broken
		case slices.Contains(strings.Fields(notShown), result.ID):
			want = NotShown
		case broken == "origins":
			if result.Outcome == Broken {
				t.Errorf("%s is broken: %s", result.ID, result.Reason)
			}
			continue
		}
		if result.Outcome != want {
			t.Errorf("%s is %s, want %s: %s", result.ID, result.Outcome, want, result.Reason)
			for _, request := range result.Requests {
				t.Log(request)
			}
		}
	}
}
