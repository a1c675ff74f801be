package monitor_test

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// look looks at https://a.example, which serves a robots.txt to everybody, and returns the
// findings.
func look(t *testing.T, text string, s monitor.Site) []monitor.Finding {
	t.Helper()
	s.URL = "https://a.example"
	looker := &monitor.Looker{Transport: answers(func(*http.Request) (int, string, string, error) {
		return 200, "",
			text, nil
	})}
	o, err := looker.Look(t.Context(), s)
	fatal.If(t, err)
	return o.Findings
}

func TestClaims(t *testing.T) {
	claims, err := proof.ParseClaims("Googlebot may fetch /products/\n* may not fetch /admin/\n")
	fatal.If(t, err)
	site := monitor.Site{Claims: claims}
	if f := look(t, "User-agent: *\nDisallow: /admin/\n", site); len(f) > 0 {
		t.Errorf("both claims hold, and the findings are %+v", f)
	}
	f := look(t, "User-agent: *\nDisallow: /admin\nAllow: /admin/help\n", site)
	if len(f) != 1 || f[0].Kind != monitor.Claim || f[0].Severity != monitor.Critical ||
		f[0].Subject != "* may not fetch /admin/" || !strings.HasPrefix(f[0].Witness, "/admin/help") {
		t.Errorf("an opened path has the findings %+v", f)
	}
	// While a site fails, robots use copies: nothing can be said about claims.
	looker := &monitor.Looker{Transport: answers(func(*http.Request) (int, string, string, error) {
		return 500, "", "",
			nil
	})}
	site.URL = "https://a.example"
	if o, err := looker.Look(t.Context(), site); err != nil || brief(o.Findings) != "unreachable warning" {
		t.Errorf("a failing site has %+v, %v", o, err)
	}
}

func TestExpect(t *testing.T) {
	expect := func(text string) monitor.Site {
		return monitor.Site{Expect: func(context.Context) (*robots.Policy, error) {
			return robots.ParseString(text),
				nil
		}}
	}
	for _, test := range []struct{ name, want, served, finding string }{
		{"the same text", "User-agent: *\nDisallow: /x\n", "User-agent: *\nDisallow: /x\n", ""},
		{"the same meaning", "User-agent: *\nDisallow: /x\n", "# ours\nuser-agent: *\r\ndisallow: /x*\r\n", ""},
		{"a group that an edge adds", "User-agent: *\nDisallow: /x\n",
			"User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /x\n", "unexpected warning"},
		{"a record that an edge adds", "User-agent: *\nDisallow: /x\n",
			"User-agent: *\nContent-Signal: ai-train=no\nDisallow: /x\n", "unexpected warning"},
	} {
		if got := brief(look(t, test.served, expect(test.want))); got != test.finding {
			t.Errorf("%s: got %q, want %q", test.name, got, test.finding)
		}
	}
	f := look(t, "User-agent: GPTBot\nDisallow: /\n", expect(""))
	if want := []monitor.Finding{{Kind: monitor.Unexpected, Severity: monitor.Warning, Robots: []string{"GPTBot"},
		Patterns: []string{"Disallow: /"}, Witness: "/"}}; !reflect.DeepEqual(f, want) {
		t.Errorf("got %+v, want %+v", f, want)
	}
	for text, kind := range map[string]string{wide("User-agent: *\nDisallow: /\n"): "utf-16",
		"Disalow: /\n": "unusable"} {
		f := look(t, "User-agent: *\nDisallow: /x\n", expect(text))
		if len(f) != 1 || f[0].String() != "the expected robots.txt cannot be read: its text is "+kind {
			t.Errorf("an expected text that is %s: got %v", kind, f)
		}
	}
	unread := monitor.Site{Expect: func(context.Context) (*robots.Policy, error) {
		return nil,
			errors.New("no such file")
	}}
	if got := brief(look(t, "# everything", unread)); got != "unread warning" {
		t.Errorf("an expected file that cannot be read: got %q", got)
	}
}

func TestVantage(t *testing.T) {
	const text = "User-agent: *\nDisallow: /x\n"
	for _, test := range []struct {
		name   string
		status int
		other  string
		want   string
	}{
		{"the same text", 200, text, ""},
		{"the same meaning", 200, "# for you\n" + text, ""},
		{"other rules", 200, "User-agent: *\nDisallow: /\n", "vantage warning"},
		{"blocked", 403, "", "vantage warning"},
		{"failing", 503, "", "vantage warning"},
		{"a page", 200, "<!doctype html><html></html>", "vantage warning"},
	} {
		looker := &monitor.Looker{UserAgent: "Watch/1",
			Transport: answers(func(r *http.Request) (int, string, string, error) {
				if r.Header.Get("User-Agent") == "Watch/1" {
					return 200, "", text, nil
				}
				return test.status, "", test.other, nil
			})}
		o, err := looker.Look(t.Context(), monitor.Site{URL: "https://a.example", As: []string{"GPTBot/1.2"}})
		if err != nil || brief(o.Findings) != test.want || len(o.Findings) > 0 &&
			o.Findings[0].Subject != "GPTBot/1.2" {
			t.Errorf("%s: got %+v, %v, want %q", test.name, o.Findings, err, test.want)
		}
	}
	if _, err := new(monitor.Looker).Look(t.Context(), monitor.Site{URL: "http://127.0.0.1",
		As: []string{"a\nb"}}); err != nil {
		t.Errorf("no header is sent to a site that fails: %v", err)
	}
	looker := &monitor.Looker{Transport: answers(func(*http.Request) (int, string, string, error) {
		return 200, "",
			text, nil
	})}
	if _, err := looker.Look(t.Context(), monitor.Site{URL: "https://a.example", As: []string{"a\nb"}}); err == nil {
		t.Error("a header with a line end is not an error")
	}
}

func TestPages(t *testing.T) {
	looker := &monitor.Looker{Transport: answers(func(r *http.Request) (int, string, string, error) {
		html := func(head string) (int, string, string, error) {
			return 200, "Content-Type: text/html", "<!doctype html><html><head>" + head + "</head></html>", nil
		}
		switch r.URL.Path {
		case "/open":
			return html("")
		case "/closed":
			return html(`<meta name="googlebot" content="noindex">`)
		case "/all":
			return html(`<meta name="robots" content="noindex, nofollow">`)
		case "/moved":
			return 301, "Location: /open", "", nil
		case "/broken":
			return 0, "", "", errors.New("broken pipe")
		}
		return 404, "", "", nil
	})}
	site := monitor.Site{URL: "https://a.example"}
	for _, path := range []string{"/open", "/closed", "/all", "/moved", "/broken", "/gone"} {
		site.Pages = append(site.Pages, site.URL+path)
	}
	o, err := looker.Look(t.Context(), site)
	if err != nil || len(o.Pages) != len(site.Pages) {
		t.Fatalf("got %+v, %v", o, err)
	}
	all := o.Pages[2].NoIndex
	if len(all) < 5 || !reflect.DeepEqual(all, o.Pages[2].NoFollow) {
		t.Errorf("a page that is closed to all has %+v", o.Pages[2])
	}
	for i, want := range []monitor.Page{
		{URL: site.Pages[0], Status: 200},
		{URL: site.Pages[1], Status: 200, NoIndex: []string{"Googlebot"}},
		{URL: site.Pages[2], Status: 200, NoIndex: all, NoFollow: all},
		{URL: site.Pages[3], Status: 200, Final: site.Pages[0]},
		{URL: site.Pages[4], Cause: "broken pipe"},
		{URL: site.Pages[5], Status: 404},
	} {
		if !reflect.DeepEqual(o.Pages[i], want) {
			t.Errorf("got %+v, want %+v", o.Pages[i], want)
		}
	}
}
