package export_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/probe"
)

func write(t testing.TB, server string, p *robots.Policy, o export.Options) *export.Config {
	t.Helper()
	config, err := export.Write(server, p, o)
	fatal.If(t, err)
	return config
}

// policies are small files, each with what may go wrong.
var policies = map[string]string{
	"usual": `User-agent: *
Disallow: /core/
Allow: /core/*.css$
Allow: /core/*.css?
Disallow: /admin/
Disallow: /comment/reply/
Disallow: /*/delete
Disallow: /*?s=

User-agent: Googlebot
User-agent: Googlebot-News
Disallow: /news/*.pdf$
Disallow: /*2F

User-agent: GPTBot
User-agent: ExampleBot
Disallow: /

User-agent: bingbot
Disallow:
`,
	"closed": "User-agent: *\nDisallow: /\nAllow: /$\nAllow: /public\nDisallow: /public/*%c3%a9\nAllow: /.well-known/\n",
	"named":  "User-agent: libwww-perl\nUser-agent: curl\nDisallow: /\n\nUser-agent: Mozilla\nUser-agent: AdsBot-Google\nUser-agent: startmebot\nDisallow: /x\n",
	"open":   "User-agent: *\nAllow: /\n",
	"percent": "User-agent: *\nDisallow: /a%\nDisallow: /b%2\nDisallow: /c%40\nDisallow: /%40\nDisallow: /é/ü\nDisallow: /d%24\nDisallow: /*feed\nDisallow: /*3%A\n" +
		"Allow: /a%20b\nAllow: /*F/\n",
	"hostile": "User-agent: *\nDisallow: /\";}server{return 200;}\nDisallow: /'$uri{}\nDisallow: /a\\\"b\\\nDisallow: /(?:[x\nDisallow: /\\x61)|.*\n" +
		"Disallow: /$request_uri\nDisallow: /\"+%{REQUEST_URI}\nDisallow: /\x00\x01\x7f\nDisallow: /<%= `id` %>\nDisallow: /]]--[[\nDisallow: /{http.request.uri}`\n" +
		"Disallow: /\xff\xfe\n\nUser-agent: \";}x{\nUser-agent: (?i).*\nUser-agent: Evil\"Bot\nUser-agent: x%{HTTP_HOST}bot\nDisallow: /\n",
}

// TestServers asks each server for targets of small policies, all in one server.
func TestServers(t *testing.T) {
	for _, server := range export.Servers() {
		t.Run(server, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			var list []*robots.Policy
			var configs []*export.Config
			var requests []request
			for _, name := range slices.Sorted(maps.Keys(policies)) {
				p := robots.Parse([]byte(policies[name]))
				targets := append(probe.Targets(p, random, 40), "/a%2Fb", "/a%2fb", "/a%20b", "/a%20c", "/b%2F", "/b%2",
					"/c@", "/c%40", "/c%%34%30", "/%2feed", "/%2Ffeed", "/xfeed", "/%feed")
				requests = append(requests, some(requestsOf(len(list), targets, headers))...)
				list = append(list, p)
				configs = append(configs, write(t, server, p, export.Options{Site: name, Literal: true}))
			}
			malformed := start(t, server, configs...).compare(t, list, requests)
			t.Logf("%d requests, of which the server refused %d as malformed", len(requests), malformed)
			if malformed > len(requests)/2 {
				t.Errorf("%s refuses %d of %d requests as malformed", server, malformed, len(requests))
			}
		})
	}
}

// some returns every eleventh request, or all requests with ROBOTS_CORPUS_ALL. The number of
// headers is not a multiple of eleven, so each header is asked about with some targets, and each
// target with some headers.
func some(requests []request) (list []request) {
	for i := 0; i < len(requests); i += corpus.Cases(11, 1) {
		list = append(list, requests[i])
	}
	return list
}

// corpusFiles returns files of the corpus of all kinds: 300 of them for doc/export.md.
func corpusFiles(t *testing.T) []corpus.File {
	switch {
	case whole():
		return corpus.Sample(t, 300)
	case corpus.All():
		return corpus.Sample(t, 150)
	}
	files := corpus.Files(t, "protego-sites")
	return files[:min(len(files), 5)]
}

// every returns every nth file from the first one on.
func every(n, first int, files []corpus.File) (some []corpus.File) {
	for i := first; i < len(files); i += n {
		some = append(some, files[i])
	}
	return some
}

// whole reports whether TestCorpus asks every server for every file: ROBOTS_EXPORT_ALL is set. Some
// servers take minutes to start with the largest files.
func whole() bool { return os.Getenv("ROBOTS_EXPORT_ALL") != "" }

// starts divides files into those for one start of a server. Without whole, each server has a
// fourth of them, so that two servers at least are asked about each file; and files are left out
// with which a server starts slowly. Varnish compiles the largest file in 8 s of processor time.
func starts(t *testing.T, server string, files []corpus.File) (parts [][]corpus.File) {
	const together, large, share = 30, 3 << 20, 4
	slow := slices.Contains([]string{"haproxy", "varnish", "caddy"}, server)
	if corpus.All() && !whole() {
		files = every(share, slices.Index(export.Servers(), server)%share, files)
	}
	var usual []corpus.File
	for _, f := range files {
		switch {
		case !slow || len(f.Data) <= large:
			usual = append(usual, f)
		case whole(), server == "varnish":
			parts = append(parts, []corpus.File{f})
		default:
			t.Logf("%s: left out, because %s starts for a minute: set ROBOTS_EXPORT_ALL to ask it", f.Name, server)
		}
	}
	return append(parts, slices.Collect(slices.Chunk(usual, together))...)
}

var digits = regexp.MustCompile(`[0-9]+`)

// A corpusRun counts what TestCorpus asks of a server.
type corpusRun struct {
	random                             *rand.Rand
	reasons                            map[string]int // of refusals to export
	number, enforced, asked, malformed int
}

// TestCorpus asks each server for targets of real files, many files in one server. Files that the
// server cannot enforce must be refused with a rule or a size.
func TestCorpus(t *testing.T) {
	for _, server := range export.Servers() {
		t.Run(server, func(t *testing.T) {
			run := corpusRun{random: rand.New(rand.NewPCG(3, 4)), reasons: make(map[string]int)}
			for i, files := range starts(t, server, corpusFiles(t)) {
				missing := false
				// The server of a part stops at the end of the subtest, so that the memory of one
				// server is enough.
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					defer func() { missing = t.Skipped() }()
					run.ask(t, server, files)
				})
				if missing {
					t.Skip("the server is not installed")
				}
			}
			t.Logf("%d files, %d requests, of which the server refused %d as malformed; refusals to export: %v",
				run.enforced, run.asked, run.malformed, run.reasons)
		})
	}
}

// ask asks one start of a server about files.
func (c *corpusRun) ask(t *testing.T, server string, files []corpus.File) {
	t.Helper()
	var list []*robots.Policy
	var configs []*export.Config
	var requests []request
	for _, f := range files {
		c.number++
		p := robots.Parse(f.Data)
		config, err := export.Write(server, p, export.Options{Site: fmt.Sprint("s", len(list)), Literal: true})
		if err != nil {
			refusal, ok := errors.AsType[*export.Refusal](err)
			if !ok {
				t.Fatalf("%s: %v", f.Name, err)
			}
			t.Logf("%s: %v", f.Name, err)
			c.reasons[digits.ReplaceAllString(refusal.Reason, "N")]++
			continue
		}
		requests = append(requests, requestsOf(len(list), probe.Targets(p, c.random, 8),
			probe.HeadersFor(p, c.number))...)
		list = append(list, p)
		configs = append(configs, config)
	}
	if len(list) > 0 {
		c.malformed += start(t, server, configs...).compare(t, list, requests)
		c.asked += len(requests)
		c.enforced += len(list)
	}
}

// TestEquivalents checks that other spellings of a disallowed path are refused, unless Literal is
// set.
func TestEquivalents(t *testing.T) {
	p := robots.Parse([]byte("User-agent: *\nDisallow: /private/\nDisallow: /a b/?x=\n" +
		"Allow: /private/open\nDisallow: /*/deep/\n"))
	for _, server := range export.Servers() {
		t.Run(server, func(t *testing.T) {
			s := start(t, server, write(t, server, p, export.Options{Literal: true}),
				write(t, server, p, export.Options{Site: "strict"}))
			for target, spelling := range map[string]bool{
				"//private/x": true, "/a/../private/x": true, "/./private/x": true, "/private%2Fx": true,
				"/private//x": false, "/a%20b//?x=1": true,
				"/%2e/private/x": true, "/a/%2E%2e/private/x": true, "/a//../%70rivate/x": true,
				"/a/b/../../private/x": true, "/x/../private/open/../x": true,
				"/private/open": false, "//private/open": false, "/public": false, "//public": false,
				"/privateer": false, "/a/../public": false,
				"/?u=//private/x": false, "/?u=/../private/": false, "/b//deep//x": true, "//": false,
				"/..a/private": false, "//robots.txt": false,
			} {
				plain := refused(p, request{target, googlebot, 0})
				for site, want := range []bool{plain, plain || spelling} {
					got := s.ask(t, []request{{target, googlebot, site}, {target, chrome, site}})
					if got[0] != 400 && got[0] != 404 && (got[0] == 403) != want {
						t.Errorf("site %d: %s is answered %d, and refusing it is %t", site, target, got[0], want)
					}
					if got[1] >= 500 || got[1] == 403 {
						t.Errorf("site %d: %s to a browser: %d", site, target, got[1])
					}
				}
			}
		})
	}
}

// TestSeveralAgents checks that a robot does not pass by another User-Agent header beside its own.
func TestSeveralAgents(t *testing.T) {
	p := robots.Parse([]byte("User-agent: *\nDisallow: /private/\n"))
	for _, server := range export.Servers() {
		if strings.HasPrefix(server, "nginx") {
			continue // up to 1.22 it knows the first
		}
		t.Run(server, func(t *testing.T) {
			s := start(t, server, write(t, server, p, export.Options{}))
			for _, agents := range [][]string{{"", googlebot}, {chrome, googlebot}, {googlebot, chrome},
				{chrome, chrome, googlebot}, {"curl/8.0", "", googlebot, ""}} {
				header := " " + strings.Join(agents, "\r\nUser-Agent: ") // ask sends no empty one
				if got := s.ask(t, []request{{"/private/x", header, 0}})[0]; got != 403 && got != 400 {
					t.Errorf("%q: %d", agents, got)
				}
			}
			s.checkAnswers(t, []answer{{request{"/private/x", chrome, 0}, 200}, {request{"/private/x", "", 0}, 200}})
		})
	}
}
