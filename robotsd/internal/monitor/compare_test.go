package monitor_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// observation returns what a look at a site with a text finds. The text "404" means that there is
// none, and "500" that the site fails.
func observation(text string) *monitor.Observation {
	o := &monitor.Observation{Origin: "https://a.example", File: monitor.File{State: fetch.OK, Status: 200},
		Policy: robots.ParseString(text)}
	switch text {
	case "404":
		o.File = monitor.File{State: fetch.Unavailable, Status: 404}
		o.Policy = robots.AllowAll()
	case "500":
		o.File = monitor.File{State: fetch.Unreachable, Status: 500, UnreachableSince: time.Unix(0, 0)}
		o.Policy = robots.DisallowAll()
		o.Findings = []monitor.Finding{{Kind: monitor.Unreachable, Severity: monitor.Warning}}
	}
	return o
}

// TestCompare has situations that site owners report.
func TestCompare(t *testing.T) {
	const (
		all     = "User-agent: *\n"
		live    = "User-agent: *\nDisallow: /admin/\n"
		staging = "User-agent: *\nDisallow: /\n"
	)
	for _, test := range []struct{ name, before, after, want string }{
		{"the same", live, live, ""},
		{"written differently", live, "# new\nuser-agent: *\nDISALLOW: /admin/*\nDisallow: /admin/x\n", ""},
		{"the file of staging goes live", live, staging, "closed-site critical"},
		{"an exception remains open", live, staging + "Allow: /public/\n", "closed-site critical"},
		{"the live file goes to staging", staging, live, "opened-site critical"},
		{"an empty file in place of that of staging", staging, "", "opened-site critical"},
		{"the home page is closed to search engines", live, live + "Disallow: /$\n", "closed-search critical"},
		{"a folder is closed to everyone", live, live + "Disallow: /shop/\n", "closed-search warning"},
		{"a folder is closed to one search engine", live, live +
			"\nUser-agent: Googlebot\nDisallow: /admin/\nDisallow: /shop/\n", "closed-search warning"},
		{"a search engine is closed out", live, live + "\nUser-agent: bingbot\nDisallow: /\n",
			"closed-search critical"},
		{"a robot that trains models is closed out", live, live + "\nUser-agent: GPTBot\nDisallow: /\n",
			"closed notice"},
		{"a robot that trains models is let in", live + "\nUser-agent: GPTBot\nDisallow: /\n", live, "opened warning"},
		{"a named group that loses what the group for everyone hid", live, live + "\nUser-agent: GPTBot\nAllow: /\n",
			"opened notice"},
		{"all but search engines are closed out", all + "Disallow:\n",
			"User-agent: Googlebot\nUser-agent: bingbot\nUser-agent: DuckDuckBot\nUser-agent: YandexBot\nUser-agent: Baiduspider\nUser-agent: Applebot\nUser-agent: Yeti\nUser-agent: SeznamBot\nDisallow:\n\n" + staging, "closed warning"},
		{"a folder is opened", live, all + "Disallow:\n", "opened notice"},
		{"one opened and one closed", live, all + "Disallow: /shop/\n", "closed-search warning, opened notice"},
		{"a closed site opens a folder", staging, staging + "Allow: /public/\n", "opened notice"},
		{"a closed site closes its open folder", staging + "Allow: /public/\n", staging, "closed-search warning"},
		{"closed by another pattern for everything", live, all + "Disallow: *\n", "closed-site critical"},
		{"closed but for the folder that was closed", live, all + "Disallow: /\nAllow: /admin/\n",
			"closed-site critical, opened notice"},
		{"a record", live, live + "Crawl-delay: 5\n", "records notice"},
		{"a sitemap", live, live + "Sitemap: https://a.example/s.xml\n", "records notice"},
		{"only a comment is left", live, "# under construction\n", "opened warning"},
		{"only a record is left", live, "Sitemap: https://a.example/s.xml\n", "opened warning, records notice"},
		{"robots.txt is gone", live, "404", "status warning"},
		{"robots.txt of staging is gone", staging, "404", "status critical"},
		{"robots.txt appears", "404", live, "closed-search notice, status notice"},
		{"failing", live, "500", "unreachable warning"},
		{"failing when everything was closed", staging, "500", "unreachable warning"},
		{"no longer failing", "500", staging, ""},
	} {
		if got := brief(monitor.Compare(observation(test.before), observation(test.after))); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
	if got := brief(monitor.Compare(nil, observation(staging))); got != "" {
		t.Errorf("nothing changed at the first look, and the findings are %s", got)
	}
}

func TestCompareNames(t *testing.T) {
	got := monitor.Compare(observation("User-agent: *\nDisallow: /admin/\n"),
		observation("User-agent: *\nDisallow: /admin/\nDisallow: /shop/\n"))
	want := []monitor.Finding{{Kind: monitor.ClosedSearch, Severity: monitor.Warning, Robots: []string{"*"},
		Patterns: []string{"Disallow: /shop/"}, Witness: "/shop/"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestCompareAnswers(t *testing.T) {
	before, after := observation(""), observation("")
	after.File.Final = "https://other.example/robots.txt"
	if got := brief(monitor.Compare(before, after)); got != "redirect warning" {
		t.Errorf("a redirect has %s", got)
	}
	if got := brief(monitor.Compare(after, after)); got != "" {
		t.Errorf("the same redirect has %s", got)
	}
}

func TestComparePages(t *testing.T) {
	const url = "https://a.example/"
	ok := monitor.Page{URL: url, Status: 200}
	noindex := monitor.Page{URL: url, Status: 200, NoIndex: []string{"Googlebot"}}
	for _, test := range []struct {
		before, after monitor.Page
		want          string
	}{
		{ok, ok, ""},
		{ok, noindex, "page critical"},
		{noindex, ok, "page warning"},
		{ok, monitor.Page{URL: url, Status: 404}, "page warning"},
		{ok, monitor.Page{URL: url, Status: 200, NoFollow: []string{"Googlebot"}}, "page warning"},
		{ok, monitor.Page{URL: url, Status: 200, Final: "https://b.example/"}, "page warning"},
		{monitor.Page{URL: "https://a.example/new"}, noindex, ""},
	} {
		before, after := observation(""), observation("")
		before.Pages, after.Pages = []monitor.Page{test.before}, []monitor.Page{test.after}
		if got := brief(monitor.Compare(before, after)); got != test.want {
			t.Errorf("%+v, then %+v: got %q, want %q", test.before, test.after, got, test.want)
		}
	}
}

// TestEngines checks that the search engines that Compare asks about are such robots.
func TestEngines(t *testing.T) {
	f := monitor.Compare(observation("User-agent: nobody\nDisallow: /x\n"),
		observation("User-agent: nobody\nDisallow: /x\n\nUser-agent: "+strings.Join(monitor.Engines, "\nUser-agent: ")+
			"\nDisallow: /\n"))
	if len(f) != 1 || !reflect.DeepEqual(f[0].Robots, monitor.Engines) {
		t.Errorf("got %+v", f)
	}
	for _, token := range monitor.Engines {
		if a := agent.Named(token); !a.Known() || !a.Purposes.Has(agent.Search) {
			t.Errorf("%s is not a robot of a search engine", token)
		}
	}
}
