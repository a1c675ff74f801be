package crawl_test

import (
	"bytes"
	"crypto/tls"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestConfigUnchanged runs two crawls and a repair with one Config. Each field that has a
// default is empty, or a pointer that the runs share. None of the runs writes to the Config.
func TestConfigUnchanged(t *testing.T) {
	s := newSite(t, map[string]string{"/": `<a href="/a">a</a> <a href="/b">b</a>`, "/a": "a", "/b": "b"})
	dir := t.TempDir()
	var out bytes.Buffer
	loopback := func() []netip.Prefix { return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }
	build := func() crawl.Config {
		return crawl.Config{
			Dir: dir, UserAgent: "TestBot/1.0 (+https://example.com/bot)", ResultsTo: &out,
			Scope:  crawl.Scope{Include: []string{"/"}, Exclude: []string{"/b"}},
			Pauses: crawl.Pauses{MinDelay: -1, Slowness: -1, AddressGap: -1, AddressBudget: -1},
			Limits: crawl.Limits{Types: []string{"text/html"}}, DialFilter: fetch.DialFilter{Allow: loopback()},
			Own:     loopback(),
			TLS:     &tls.Config{ServerName: "example.com"},
			Archive: &warc.Options{Info: []warc.Field{{Name: "software", Value: "test"}}},
		}
	}
	config := build()
	for i, pages := range []int64{2, 0} {
		summary, err := crawl.New(config).Run(t.Context(), s.URL)
		if err != nil || !summary.Finished || summary.Pages < pages {
			t.Fatalf("run %d: %+v, %v", i+1, summary, err)
		}
		if !reflect.DeepEqual(config, build()) {
			t.Errorf("run %d changed the options to %+v", i+1, config)
		}
	}
	if _, err := crawl.New(config).Repair(t.Context(), crawl.RepairOptions{}); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(config, build()) {
		t.Errorf("a repair changed the options to %+v", config)
	}

	// Repair needs only Dir, and returns the other options.
	config = crawl.Config{Dir: dir}
	repair, err := crawl.New(config).Repair(t.Context(), crawl.RepairOptions{})
	fatal.If(t, err)
	if !reflect.DeepEqual(config, crawl.Config{Dir: dir}) {
		t.Errorf("a repair changed the options to %+v", config)
	}
	if want := build(); repair.Config.UserAgent != want.UserAgent ||
		!reflect.DeepEqual(repair.Config.Scope, want.Scope) {
		t.Errorf("the folder has kept %+v", repair.Config)
	}
}

// TestRunTwice runs one Crawl twice: the second run resumes where the first stopped.
func TestRunTwice(t *testing.T) {
	s := newSite(t, map[string]string{"/": `<a href="/a">a</a>`, "/a": "a"})
	config := newCrawler(t)
	config.Budget.Pages = 1
	c := crawl.New(*config)
	for i, finished := range []bool{false, true} {
		began := time.Now()
		summary, err := c.Run(t.Context(), s.URL)
		if err != nil || summary.Pages != 1 || summary.Finished != finished || summary.Elapsed > time.Since(began) {
			t.Errorf("run %d: %+v, %v", i+1, summary, err)
		}
		if c.Status(1) != nil {
			t.Errorf("after run %d there is a status", i+1)
		}
	}
}
