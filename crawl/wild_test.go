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

	"github.com/robotsexclusion/robots/crawl"
	"github.com/robotsexclusion/robots/internal/corpus"
	"github.com/robotsexclusion/robots/internal/testweb"
)

// wholeKey is the variable of the environment that asks for tests of a crawl that take
// many minutes, and most of a machine: its value is how much of them is wanted, such as
// 1 for all of it, which is
//
//	ROBOTS_WILD_ALL=1 go test -timeout 2h -v -run 'TestHosts|TestKilled|TestPages' ./crawl
//
// or 0.1 for a tenth. They are three: TestHosts has 10,000 hosts of every kind,
// TestKilled 1,000 with a process that is killed twenty times, TestPages a million pages.
const wholeKey = "ROBOTS_WILD_ALL"

// ofWhole returns a number of a test: that of a whole one, or as much of it as is wanted, or
// the small one.
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

// isWhole reports whether more is wanted than the small tests.
func isWhole() bool { return os.Getenv(wholeKey) != "" }

// TestWild crawls a hostile web completely, and its servers keep the score.
func TestWild(t *testing.T) {
	t.Parallel()
	o := testweb.Options{Hosts: 25, Pages: 120, Scale: 0.01, Token: "TestBot", TLS: true, Kinds: quickKinds(), Texts: quickTexts()}
	if corpus.All() {
		o.Hosts, o.Pages = 300, 3600
	}
	web := startWild(t, o)
	c := newChild(web, t.TempDir())
	c.Hurried = corpus.All()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	summary, err := crawl.New(*c.crawler()).Run(ctx, web.Seeds()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", summary)
	if !summary.Finished {
		t.Error("it did not finish")
	}
	wantPolite(t, web, wildCheck)
}

// wildCheck is what the checker is told of the crawler.
var wildCheck = testweb.CheckOptions{MinDelay: wildDelay, MaxOpen: wildOpen, Hops: true, Whole: true, Sitemaps: true, Slack: 10 * time.Second}

// startWild starts a web, or skips the test where a system has only one address.
func startWild(t *testing.T, o testweb.Options) *testweb.Web {
	t.Helper()
	web, err := testweb.Start(t.Context(), o)
	if errors.Is(err, testweb.ErrLoopback) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	return web
}

// wantPolite fails if the servers saw what a polite robot would not have done.
func wantPolite(t *testing.T, web *testweb.Web, o testweb.CheckOptions) {
	t.Helper()
	counts := make(map[testweb.Offence]int)
	for _, v := range web.Check(o) {
		if counts[v.What]++; counts[v.What] <= 10 {
			t.Error(v)
		}
	}
	t.Logf("%d hosts, %d requests on %d connections, violations: %v", web.Len(), web.Served(), web.Connections(), counts)
}

// TestHosts crawls a web with every kind of host and every robots.txt that there is, by
// a process of its own.
func TestHosts(t *testing.T) {
	if !isWhole() {
		t.Skip("TestWild does the same with less: set " + wholeKey + " to run this")
	}
	o := testweb.Options{Hosts: ofWhole(t, 10_000, 25), Scale: 0.1, Token: "TestBot", TLS: true, Shut: 3 * time.Minute}
	web := startWild(t, o)
	ch := newChild(web, t.TempDir())
	// The first pause where robots.txt cannot be had is a minute, and the second one two:
	// then hosts give it that are late, and the others are given up.
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

// TestCopies crawls hosts with pages without end that differ in their numbers only.
func TestCopies(t *testing.T) {
	t.Parallel()
	web := startWild(t, testweb.Options{Hosts: 8, Token: "TestBot", Kinds: []string{"copies"}, Texts: []string{"none"}})
	if _, err := crawl.New(*newChild(web, t.TempDir()).crawler()).Run(t.Context(), web.Seeds()...); err != nil {
		t.Fatal(err)
	}
	wantPolite(t, web, wildCheck)
}

// quickTexts are the robots.txt files of the wild web but those that take time: where
// robots.txt comes only when it is asked for again, a minute later, where it is not the
// time of the day for visits, and if not all tests are asked for, where it comes slowly.
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

// quickKinds are the hosts of the wild web but those that take time, unless all tests
// are asked for: where a robot waits until its patience is at an end.
func quickKinds() (names []string) {
	slow := []string{"slow", "dripping", "stalling", "hole"}
	for _, kind := range testweb.Kinds() {
		if corpus.All() || !slices.Contains(slow, kind.Name) {
			names = append(names, kind.Name)
		}
	}
	return names
}
