package robots_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func TestCrawlDelay(t *testing.T) {
	for value, want := range map[string]string{
		"10": "10s", "0.5": "500ms", ".5": "500ms", "1.": "1s", "0": "0s", "007": "7s",
		"": "bad", "soon": "bad", "-1": "bad", "1e": "bad", "e3": "bad", "+1": "bad",
		"-1e3": "bad", "1,5": "bad", "0x10": "bad", "10 s": "bad",
		".": "bad", "1.2.3": "bad", "Inf": "bad", "infinity": "bad", "10#x": "10s",
		"1e3": "16m40s", "1.5E1": "15s", "1e-1": "100ms", "3153600000": "876000h0m0s", "1e-999": "0s",
		// More than a robot can wait is not less.
		"3153600001": "876000h0m0s", "9223372036": "876000h0m0s", "9223372037": "876000h0m0s",
		"99999999999": "876000h0m0s", "99999999999.5": "876000h0m0s", "99999999999999999999": "876000h0m0s",
		"1e99": "876000h0m0s", "1e9999": "876000h0m0s", strings.Repeat("9", 400): "876000h0m0s",
	} {
		policy := parse("User-agent: *\nCrawl-delay: " + value + "\nDisallow: /\n")
		got := "bad"
		if d, ok := policy.For("a").CrawlDelay(); ok {
			got = d.Delay.String()
			if d.Line != 2 {
				t.Errorf("%q is on line %d", value, d.Line)
			}
		}
		if bad := len(policy.BadRecords()) > 0; got != want || bad != (want == "bad") {
			t.Errorf("Crawl-delay: %q is %s, reported %t; want %s", value, got, bad, want)
		}
	}
}

func TestCrawlDelayOfGroups(t *testing.T) {
	policy := parse("Crawl-delay: 1\nUser-agent: a\nCrawl-delay: 2\nUser-agent: b\nDisallow: /x\nCrawl-delay: x\n" +
		"User-agent: *\nDisallow: /y\ncrawl-DELAY : 4\nUser-agent: a\nCrawl-delay: 3\n")
	for agent, want := range map[string]time.Duration{"a": 3, "b": 0, "c": 4} {
		if d, _ := policy.For(agent).CrawlDelay(); d.Delay != want*time.Second {
			t.Errorf("%s waits %v, want %d s", agent, d.Delay, want)
		}
	}
	errs := policy.BadRecords()
	if len(errs) != 1 || errs[0].Line != 6 || errs[0].Value != "x" ||
		!strings.Contains(errs[0].Err.Error(), "not a decimal number") {
		t.Errorf("bad records: %v", errs)
	}
	if n := len(policy.Records("Crawl-Delay")); n != 5 {
		t.Errorf("%d records of crawl-delay, want 5", n)
	}
}

// A record is for the closest user-agent lines before it, even if the group of these lines goes on
// after the record.
func TestRecordsBetweenAgents(t *testing.T) {
	policy := parse("User-agent: *\nCrawl-delay: 10\nUser-agent: FooBot\nUser-agent: b\n\n# c\nSitemap: https://h/\nUser-agent: c\nCrawl-delay: 5\n" +
		"Visit-time: 0000-0100\nUser-agent: d\nDisallow: /x\nCrawl-delay: 7\n")
	for agent, want := range map[string]time.Duration{"z": 10, "FooBot": 5, "b": 5, "c": 5, "d": 7} {
		group := policy.For(agent)
		if d, _ := group.CrawlDelay(); d.Delay != want*time.Second {
			t.Errorf("%s waits %v, want %d s", agent, d.Delay, want)
		}
		if group.Allowed("/x") {
			t.Errorf("%s does not share the rules", agent)
		}
		if n := len(group.VisitTimes()); (n > 0) != (want == 5) {
			t.Errorf("%s has %d visit times", agent, n)
		}
	}
	if n := len(policy.Groups()[0].Records("crawl-delay")); n != 3 {
		t.Errorf("the group as written has %d delays, want 3", n)
	}
}

func TestRequestRate(t *testing.T) {
	for value, want := range map[string]string{
		"1/5": "1 in 5s", "10/1m": "10 in 1m0s", "2/3H": "2 in 3h0m0s", "1/10s": "1 in 10s",
		"10/1m 1300-1659":     "10 in 1m0s 1300-1659",
		"100/24h\t 2200-0600": "100 in 24h0m0s 2200-0600",
		"1/5 06:00-08:45":     "1 in 5s 0600-0845",
		"0/5":                 "", "1/0": "", "1": "", "/5": "", "1/": "", "-1/5": "", "1/5d": "",
		"1/5 1300": "", "1/5 2500-2600": "", "1/5 x": "", "1/m": "", "1/1e3": "", "1/-1": "",
		"9999999999/1": "2147483647 in 1s", "1/99999999999": "1 in 876000h0m0s", "1/9999999h": "1 in 876000h0m0s",
		"1/99999999999999999999m": "1 in 876000h0m0s",
	} {
		policy := parse("User-agent: *\nRequest-rate: " + value + "\n")
		got := ""
		for _, r := range policy.For("a").RequestRates() {
			got = fmt.Sprintf("%d in %v", r.Documents, r.Period)
			if r.Window != nil {
				got += " " + r.Window.String()
			}
		}
		if got != want || (len(policy.BadRecords()) > 0) != (want == "") {
			t.Errorf("Request-rate: %q is %q, want %q; bad: %v", value, got, want, policy.BadRecords())
		}
	}
	rate := parse("User-agent: *\nRequest-rate: 10/1m\n").For("a").RequestRates()[0]
	if rate.Delay() != 6*time.Second {
		t.Errorf("ten a minute is one each %v", rate.Delay())
	}
}

func TestVisitTime(t *testing.T) {
	at := func(clock string) time.Time {
		v, err := time.Parse("1504 -0700", clock)
		fatal.If(t, err)
		return v
	}
	for _, test := range []struct {
		value, inside, outside string
	}{
		{"0600-0845", "0600 +0000", "0845 +0000"},
		{"0600 0845", "0700 +0000", "0559 +0000"},
		{"2200-0600", "2300 +0000", "0600 +0000"},
		{"2200-0600", "0000 +0000", "1200 +0000"},
		{"0000-2400", "2359 +0000", ""},
		{"0000-0000", "1200 +0000", ""},
		{"0400-0400", "0400 +0000", ""},
		{"0400-0400", "0359 +0000", ""},
		{"2400-0000", "1200 +0000", ""},
		{"2400-2400", "0000 +0000", ""},
		{"2400-0100", "0030 +0000", "0100 +0000"},
		{"2300-2400", "2359 +0000", "0000 +0000"},
		{"0600-0700", "0730 +0100", "0630 +0100"}, // 0630 and 0530 UTC
	} {
		times := parse("User-agent: *\nVisit-time: " + test.value + "\n").For("a").VisitTimes()
		if len(times) != 1 || !times[0].Window.Contains(at(test.inside)) || test.outside != "" &&
			times[0].Window.Contains(at(test.outside)) {
			t.Errorf("Visit-time: %s is %v, want one with %s and without %s", test.value, times, test.inside,
				test.outside)
		}
	}
	for _, value := range []string{"", "0600", "0600-", "0660-0700", "2401-0100", "6-7", "+600-0700",
		"0600-0845-0900"} {
		policy := parse("User-agent: *\nVisit-time: " + value + "\n")
		if len(policy.For("a").VisitTimes()) > 0 || len(policy.BadRecords()) != 1 {
			t.Errorf("Visit-time: %q is not reported", value)
		}
	}
}

func TestRecordsOfTheFile(t *testing.T) {
	policy := parse("Sitemap: https://h/a.xml\nUser-agent: a\nUser-agent: b\nsitemap: /b.xml\nDisallow: /\n" +
		"SiteMap : http://other/c.xml # c\nHost: https://h:8080/\nHost: h h\nClean-param: ref&sid /shop/*\nClean-param: a b c\nClean-param: a&&b\n" +
		"Sitemap: ftp://h/d.xml\nSitemap: mailto:x\nNoindex: /y\nnonsense\n")
	var got []string
	for _, s := range policy.Sitemaps() {
		got = append(got, fmt.Sprint(s.Line, " ", s.URL))
	}
	if want := "1 https://h/a.xml, 6 http://other/c.xml, 12 ftp://h/d.xml"; strings.Join(got, ", ") != want {
		t.Errorf("sitemaps %q, want %q", got, want)
	}
	if h := policy.Hosts(); len(h) != 1 || h[0].Host != "h:8080" || h[0].Line != 7 {
		t.Errorf("hosts %v", h)
	}
	if c := policy.CleanParams(); len(c) != 1 || strings.Join(c[0].Params, " ") != "ref sid" || c[0].Path != "/shop/*" {
		t.Errorf("clean-params %v", c)
	}
	var lines []string
	for _, e := range policy.BadRecords() {
		lines = append(lines, fmt.Sprint(e.Line))
	}
	if want := "4 8 10 11 13"; strings.Join(lines, " ") != want {
		t.Errorf("bad records on lines %q, want %q", lines, want)
	}
	// No record ends the run of user-agent lines.
	if policy.For("a").Allowed("/") || policy.For("b").Allowed("/") {
		t.Error("a record tore a group apart")
	}
	if n := policy.Records("noindex"); len(n) != 1 || n[0].Value != "/y" {
		t.Errorf("noindex %v", n)
	}
}

// RSL 1.0, section 4.4: a group's own licenses hide the file's.
func TestLicenses(t *testing.T) {
	policy := parse("License: https://h/all.xml\nLicense: relative\nUser-agent: a\nLicense: https://h/a.xml\nLicense: https://h/a2.xml\n" +
		"Disallow: /\nUser-agent: b\nLicense: nothing\nDisallow: /\nUser-agent: *\nDisallow: /\n")
	for agent, want := range map[string]string{"a": "4 5", "b": "1", "c": "1"} {
		var got []string
		for _, l := range policy.For(agent).Licenses() {
			got = append(got, fmt.Sprint(l.Line))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s has licenses of lines %q, want %q", agent, got, want)
		}
	}
}

// draft-ietf-aipref-attach: as for rules, the longest path decides; among equal paths, the refusal.
func TestUsage(t *testing.T) {
	group := parse(`User-agent: *
Content-Usage: train-ai=n, search=y
Content-Usage: /open/ train-ai=y
Content-Usage: /open/ train-ai=n;why="x", search
Content-Usage: /caf%c3%a9 train-ai=y
Content-Usage: /*.pdf$ search=n
Content-Usage: /bad train-ai=
Content-Usage: /string train-ai="n"
Content-Usage: /last train-ai=n, train-ai=y
Content-Usage: /case Train-AI=n
Content-Usage: /alone
`).For("a")
	for _, test := range []struct {
		url, category string
		want          robots.Preference
	}{
		{"/", "train-ai", robots.Refused},
		{"https://h/x?y", "search", robots.Permitted},
		{"/", "other", robots.Unknown},
		{"/open/x", "train-ai", robots.Refused},
		{"/open/x", "search", robots.Unknown}, // the longest path decides, and has a boolean
		{"/café/menu", "train-ai", robots.Permitted},
		{"/a.pdf", "search", robots.Refused},
		{"/a.pdfx", "search", robots.Permitted},
		{"/bad", "train-ai", robots.Refused}, // the answer for "/"
		{"/string", "train-ai", robots.Unknown},
		{"/last", "train-ai", robots.Permitted},
		{"/case", "train-ai", robots.Refused},
		{"/alone", "search", robots.Permitted},
	} {
		if got := group.Usage(test.url, test.category); got != test.want {
			t.Errorf("%s of %s is %v, want %v", test.category, test.url, got, test.want)
		}
	}
}

// RFC 9651, section 4.2: one mistake makes the whole dictionary invalid.
func TestContentUsageSyntax(t *testing.T) {
	good := []string{
		"", "a", "a=y", "a=1", "a=-1.5", `a="x\"y"`, "a=?0", "a=:aGk=:", "a=:aGk:", "a=@1700000000", `a=%"f%c3%bc"`,
		"a=()", "a=(y n 1);p", "a=(  y;q=1  )", "a;p;q=1;r=\"x\", b", "*x=y", "a-b_c.d*=y/z:*", "a=y,\tb=n", "a=y ,b=n",
		"a=*", "a=123456789012.123",
	}
	bad := []string{
		"A=y", "1=y", "a=", "a=y,", ",a", "a=y b=n", "a==y", `a="x`, `a="\x"`, "a=\"\u00e9\"", "a=?2", "a=?", "a=:a b:",
		"a=:x", "a=@1.5", "a=@",
		`a=%"%C3"`, `a=%"%c3"`, `a=%x`, `a=%"x`, "a=(y", "a=(y,n)", "a=(y)n", "a;=1", "a;P", "a=1234567890123456",
		"a=1.", "a=1.2345", "a=1234567890123.1", "a=-", "a=y\x00", "ä=y",
	}
	for want, values := range map[bool][]string{true: good, false: bad} {
		for _, value := range values {
			policy := parse("User-agent: *\nContent-Usage: /x " + value + "\n")
			if value == "" {
				policy = parse("User-agent: *\nContent-Usage:\n")
			}
			if got := len(policy.For("a").ContentUsages()) == 1 && len(policy.BadRecords()) == 0; got != want {
				t.Errorf("Content-Usage: %q parses: %t, want %t: %v", value, got, want, policy.BadRecords())
			}
		}
	}
}

func TestContentSignal(t *testing.T) {
	for value, want := range map[string]string{
		"search=yes, ai-input=no, ai-train=no": "y n n ",
		"Search=YES,use=reference":             "y unknown unknown reference",
		"ai-train=yes, ai-train=no":            "unknown unknown n ",
		"ai-train=no, ai-train=yes":            "unknown unknown n ",
		"new-signal=maybe":                     "unknown unknown unknown ",
		"search":                               "bad", "search=": "bad", "search=maybe": "bad", "use=some": "bad",
		"": "bad", "search=yes;ai-train=no": "bad",
	} {
		policy := parse("User-agent: *\nContent-Signal: " + value + "\n")
		got := "bad"
		for _, s := range policy.For("a").ContentSignals() {
			got = fmt.Sprint(s.Search, " ", s.AIInput, " ", s.AITrain, " ", s.Use)
		}
		if got != want || (len(policy.BadRecords()) > 0) != (want == "bad") {
			t.Errorf("Content-Signal: %q is %q, want %q", value, got, want)
		}
	}
}

func TestOfFile(t *testing.T) {
	for field, want := range map[string]bool{"SITEMAP": true, "Clean-param": true, "host": true, "Crawl-delay": false,
		"License": false, "": false} {
		if got := (robots.Record{Field: field}).OfFile(); got != want {
			t.Errorf("%q holds for the whole file: %t", field, got)
		}
	}
}

// TestFields checks that the engine reads the lines of each field as that field, that the example
// is a valid value, and that the entries of the table do not contradict each other.
func TestFields(t *testing.T) {
	seen := make(map[string]bool)
	for _, f := range robots.Fields() {
		if lower := strings.ToLower(f.Name); seen[lower] {
			t.Errorf("%s: stands in the table twice", f.Name)
		} else {
			seen[lower] = true
		}
		if got, ok := robots.FieldNamed(strings.ToUpper(f.Name)); !ok || got.Name != f.Name {
			t.Errorf("%s: FieldNamed finds %q, %t", f.Name, got.Name, ok)
		}
		policy := parse("User-agent: *\n" + f.Name + ": " + f.Example + "\nDisallow: /x\n")
		for number, line := range policy.Lines() {
			if number == 2 && (line.Kind != f.Kind || line.Value != f.Example) {
				t.Errorf("%s: its example is read as %v with value %q", f.Name, line.Kind, line.Value)
			}
		}
		if errs := policy.BadRecords(); len(errs) > 0 {
			t.Errorf("%s: its example is bad: %v", f.Name, errs[0])
		}
		if f.Check != nil && f.Kind != robots.Other {
			t.Errorf("%s: a rule has a check", f.Name)
		}
		if f.Read && f.Obsolete || f.OfFile && f.OfGroup || f.Pace && !f.OfGroup {
			t.Errorf("%s: contradicts itself: %+v", f.Name, f)
		}
		if f.Read && f.Document == "" {
			t.Errorf("%s: somebody reads it, but no document defines it", f.Name)
		}
	}
	for _, name := range []string{"", "x", "Crawl-delay ", "ho\u017ft"} {
		if f, ok := robots.FieldNamed(name); ok {
			t.Errorf("FieldNamed(%q) is %s", name, f.Name)
		}
	}
	robots.Fields()[0].Name = "changed"
	if f := robots.Fields()[0]; f.Name != "User-agent" {
		t.Errorf("the table is shared: its first field is %s now", f.Name)
	}
}

// The engine needs only a line in the table for a new record.
func TestMadeUpField(t *testing.T) {
	text := "User-agent: a\nMADE-UP: 1\nUser-agent: b\nmade-up: wrong\nDisallow: /x\n"
	bad := errors.New("not 1")
	check := func(value string) error {
		if value != "1" {
			return bad
		}
		return nil
	}
	state := func() string {
		policy := parse(text)
		var wrong []string
		for _, e := range policy.BadRecords() {
			if !errors.Is(e.Err, bad) {
				t.Errorf("bad for another reason: %v", e)
			}
			wrong = append(wrong, fmt.Sprint(e.Line))
		}
		r := policy.Records("made-up")[0]
		return fmt.Sprintf("a %d, b %d, of file %t, bad %s", len(policy.For("a").Records("made-up")),
			len(policy.For("b").Records("made-up")),
			r.OfFile(), strings.Join(wrong, " "))
	}
	for _, tt := range []struct {
		field robots.Field
		want  string
	}{
		{robots.Field{Name: "Other"}, "a 2, b 1, of file false, bad "},
		{robots.Field{Name: "Made-up", OfFile: true}, "a 2, b 1, of file true, bad "},
		{robots.Field{Name: "Made-up", OfGroup: true, Check: check}, "a 1, b 1, of file false, bad 4"},
	} {
		robots.WithField(tt.field, func() {
			if got := state(); got != tt.want {
				t.Errorf("%+v: got %s, want %s", tt.field, got, tt.want)
			}
		})
	}
	if slices.ContainsFunc(robots.Fields(), func(f robots.Field) bool { return f.Name == "Made-up" }) {
		t.Error("the made-up field is still in the table")
	}
}
