package crawl_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// wholeKey is the environment variable that enables long tests of a crawl, which take many
// minutes and most of a machine. Its value is the part of the tests to run, such as 1 for the
// whole tests,
//
//	ROBOTS_WILD_ALL=1 go test -timeout 2h -v -run 'TestHosts|TestKilled|TestPages' ./crawl
//
// or 0.1 for a tenth. TestHosts has 10,000 hosts of every kind, TestKilled has 1,000 hosts and a
// process that is killed twenty times, and TestPages has a million pages.
const wholeKey = "ROBOTS_WILD_ALL"

// ofWhole returns a size for a test: the wanted part of the whole size, or the small size.
func ofWhole(t *testing.T, whole, small int) int {
	t.Helper()
	text := os.Getenv(wholeKey)
	if text == "" {
		return small
	}
	part, err := strconv.ParseFloat(text, 64)
	if err != nil || part <= 0 || part > 1 {
		t.Fatalf("%s is %q: it is to be a number above 0, and up to 1 for all of it", wholeKey, text)
	}
	return max(int(float64(whole)*part), small)
}

// isWhole reports whether the long tests are enabled.
func isWhole() bool { return os.Getenv(wholeKey) != "" }

// hurried reports whether servers must answer within seconds: the texts and kinds of a whole web
// have some that never answer.
func hurried() bool { return corpus.All() || isWhole() }

// TestWild crawls a hostile web completely. The web's servers check the crawl.
func TestWild(t *testing.T) {
	t.Parallel()
	o := testweb.Options{Hosts: 16, Pages: 80, Scale: 0.01, Token: "TestBot", TLS: true, Kinds: quickKinds(),
		Texts: quickTexts()}
	if corpus.All() {
		o.Hosts, o.Pages = 300, 3600
	}
	web := startWild(t, o)
	c := newTask(web, t.TempDir())
	c.Hurried = corpus.All()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	summary, err := crawl.NewQuick(*c.crawler()).Run(ctx, web.Seeds()...)
	fatal.If(t, err)
	t.Logf("%+v", summary)
	if !summary.Finished {
		t.Error("it did not finish")
	}
	wantPolite(t, web, wildCheck)
}

// wildCheck are the options of the checker for this crawler.
var wildCheck = testweb.CheckOptions{MinDelay: wildDelay, MaxOpen: wildOpen, Hops: true, Whole: true, Sitemaps: true,
	Slack: 10 * time.Second}

// startWild starts a web, or skips the test if the system has only one loopback address.
func startWild(t *testing.T, o testweb.Options) *testweb.Web {
	t.Helper()
	web, err := testweb.Start(t.Context(), o)
	if errors.Is(err, testweb.ErrLoopback) {
		t.Skip(err)
	}
	fatal.If(t, err)
	t.Cleanup(web.Close)
	return web
}

// wantPolite fails if the servers saw an impolite request.
func wantPolite(t *testing.T, web *testweb.Web, o testweb.CheckOptions) {
	t.Helper()
	counts := make(map[testweb.Offence]int)
	for _, v := range web.Check(o) {
		if counts[v.What]++; counts[v.What] <= 10 {
			t.Error(v)
		}
	}
	t.Logf("%d hosts, %d requests on %d connections, violations: %v", web.Len(), web.Served(), web.Connections(),
		counts)
}

// TestHosts crawls a web with every kind of host and every kind of robots.txt, in a separate
// process.
func TestHosts(t *testing.T) {
	if !isWhole() {
		t.Skip("TestWild does the same with less: set " + wholeKey + " to run this")
	}
	o := testweb.Options{Hosts: ofWhole(t, 10_000, 25), Scale: 0.1, Token: "TestBot", TLS: true, Shut: 3 * time.Minute}
	web := startWild(t, o)
	ch := newTask(web, t.TempDir())
	// After an unreachable robots.txt the first pause is a minute, and the second one is two
	// minutes. Then late hosts serve the file, and the crawl gives up the others.
	ch.Hurried, ch.Workers, ch.Patience = true, 128, 2
	p := ch.start(t)
	curve := p.watch(t, web, ch.Dir)
	err := p.Wait()
	curve.end(t)
	if err != nil || !strings.Contains(p.out.String(), "finished") {
		t.Errorf("%v: %s", err, &p.out)
	}
	t.Logf("%s%.1f s of processors", &p.out, p.cpu().Seconds())
	wantPolite(t, web, wildCheck)
}

// TestCopies crawls hosts with endless pages that differ only in their numbers.
func TestCopies(t *testing.T) {
	t.Parallel()
	web := startWild(t, testweb.Options{Hosts: 8, Token: "TestBot", Kinds: []string{"copies"}, Texts: []string{"none"}})
	if _, err := crawl.NewQuick(*newTask(web, t.TempDir()).crawler()).Run(t.Context(), web.Seeds()...); err != nil {
		t.Fatal(err)
	}
	wantPolite(t, web, wildCheck)
}

// quickTexts returns the robots.txt files of the wild web, without those that take time: files
// that come only with a second request a minute later, files that forbid visits at this time of
// day, and, unless all tests are enabled, files that come slowly.
func quickTexts() (names []string) {
	slow := []string{"late", "too-many", "down", "broken-off", "closed-hours"}
	if !corpus.All() {
		slow = append(slow, "dripping")
	}
	for _, text := range testweb.Texts() {
		if !slices.Contains(slow, text.Name) {
			names = append(names, text.Name)
		}
	}
	return names
}

// quickKinds returns the kinds of hosts of the wild web. Unless all tests are enabled, it leaves
// out the hosts that make a robot wait for its timeouts.
func quickKinds() (names []string) {
	slow := []string{"slow", "dripping", "stalling", "hole"}
	for _, kind := range testweb.Kinds() {
		if corpus.All() || !slices.Contains(slow, kind.Name) {
			names = append(names, kind.Name)
		}
	}
	return names
}
