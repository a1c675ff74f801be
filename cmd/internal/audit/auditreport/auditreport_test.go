package auditreport_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// hostile has control characters, sequences for terminals, HTML, a formula, and text that runs from
// right to left.
const hostile = "=HYPERLINK(\"x\")\x1b[31m\x00\r\n\t</script><script>alert(1)</script><img src=//x onerror=alert(1)>\u202e\u2028\xff'\"&--><!--"

func day(d, hour int) time.Time { return time.Date(2026, 3, d, hour, 0, 0, 0, time.UTC) }

// report returns a report with everything that a report may have. Each text that may come from a
// log, from robots.txt or from the table of robots is text.
func report(text string) *audit.Report {
	asked, median := 10.0, 2.5
	rule := audit.Rule{
		Host: text, Version: text, Line: 3, Rule: "Disallow: /" + text, Everyone: true,
		Count: audit.Count{Certain: 2, Informed: 1, Grace: 1}, Requests: 2,
		Example: audit.Example{Log: text, Line: 17, Text: "192.0.2.1 " + text},
		First:   day(1, 10), Last: day(2, 10),
	}
	robot := audit.Robot{
		Token: text, Kind: "robot", Obeys: "yes", Operator: text, Purposes: []string{text},
		Requests: 1234567, Judged: 1234000, Bytes: 99, RobotsTxt: 1, Refused: 2, First: day(1, 0), Last: day(3, 0),
		Clients:    audit.Clients{Addresses: 5678, Estimated: true},
		Unread:     audit.Unread{Before: 21, Never: 22, Late: 23},
		Identity:   audit.Identity{Verified: 2, Forged: 3, Unverifiable: 1},
		Violations: audit.Violations{Count: rule.Count, Everyone: rule.Count, Rules: []audit.Rule{rule}},
		Forged:     audit.Forged{Requests: 3, Violations: 1},
		Pace: audit.Pace{
			Asked: &asked, Faster: 4, Median: &median, Peak: 9, Judged: 1234000,
			RequestRate: &audit.RequestRate{Asked: "10/1m", Exceeded: 5},
			VisitTime:   &audit.VisitTime{Asked: "0600-0845, 1200-1300", Outside: 6},
		},
	}
	program := audit.Robot{Token: "curl", Kind: "program", Obeys: "unknown", Purposes: []string{}, Requests: 1,
		Clients: audit.Clients{Addresses: 1}, Violations: audit.Violations{Rules: []audit.Rule{}},
		Identity: audit.Identity{Unverifiable: 1}}
	return &audit.Report{
		Lines: 1234600, Requests: 1234599, Unreadable: 1, Unnamed: 7, First: day(1, 0), Last: day(3, 0),
		Hosts: []audit.Host{{Name: text, Requests: 5, Judged: true, RobotsTxt: audit.Answers{Read: 9, OtherSize: 4,
			Nothing: 3, Forbidden: 2, Failed: 1}}, {Name: "", Requests: 3}, {Name: "other " + text, Requests: 2}},
		Robots:   []audit.Robot{robot, program},
		Unjudged: audit.Unjudged{Program: 1, Forged: 2, Target: 3, Host: 4, Others: 5, Everyone: 6},
		Versions: []audit.InForce{{Host: text, ID: text, To: day(2, 0)}, {Host: text, ID: text, From: day(2, 0),
			Late: true}},
		Notes: []string{text},
		Suspects: []audit.Suspect{
			{Address: "192.0.2.9", UserAgent: text, Addresses: 1, UserAgents: 2, Requests: 120, First: day(1, 0),
				Last: day(2, 0), Evidence: []audit.Evidence{
					{Kind: "no-styles", Strong: true, Figures: map[string]float64{"pages": 100, "paths": 90,
						"assets": 1},
						Lines: []audit.Line{{Log: text, Line: 7}}},
					{Kind: text},
				}},
			{UserAgent: text, Addresses: 30, UserAgents: 1, Requests: 90, First: day(1, 0), Last: day(1, 0),
				Evidence: []audit.Evidence{{Kind: "many-addresses", Figures: map[string]float64{"addresses": 30}}}},
		},
		Peaks: []audit.Peak{{Address: text, UserAgent: text, Requests: 1234, Sampled: true, Minute: day(1, 2),
			Lines: []audit.Line{{Log: text, Line: 7}}}},
	}
}

// textOf returns a report as text.
func textOf(r *audit.Report, p auditreport.Printer) string {
	var b bytes.Buffer
	p.W = &b
	p.Report(r)
	return b.String()
}

// languages returns all languages.
func languages() (all []language.Language) {
	for l := range language.Language(len(language.Codes())) {
		all = append(all, l)
	}
	return all
}

// TestTextIsSafe checks that nothing in the text of a report controls a terminal, in any language.
func TestTextIsSafe(t *testing.T) {
	for _, l := range languages() {
		text := textOf(report(hostile), auditreport.Printer{Language: l})
		for line := range strings.Lines(text) {
			if line = strings.TrimSuffix(line, "\n"); !printable.IsText(line) {
				t.Errorf("%v: not printable: %q", l, line)
			}
			if strings.Contains(line, "⟨") || strings.Contains(line, "%!") {
				t.Errorf("%v: a text is not filled in: %s", l, line)
			}
		}
	}
}

// TestWidth checks that the table fits narrow terminals, by leaving out columns.
func TestWidth(t *testing.T) {
	r := report("ExampleBot")
	for _, l := range languages() {
		for _, width := range []int{80, 100, 120} {
			text := textOf(r, auditreport.Printer{Language: l, Width: width})
			head, _, ok := strings.Cut(text[strings.Index(text, "\n\n")+2:], "\n\n")
			if !ok {
				t.Fatalf("%v: no table: %s", l, text)
			}
			for line := range strings.Lines(head) {
				if n := language.Width(strings.TrimSuffix(line, "\n")); n > width {
					t.Errorf("%v: %d columns on a terminal of %d: %s", l, n, width, line)
				}
			}
			if !strings.Contains(head, "curl") {
				t.Errorf("%v: the table lost a row: %s", l, head)
			}
		}
	}
	if wide, narrow := textOf(r, auditreport.Printer{}),
		textOf(r, auditreport.Printer{Width: 80}); !strings.Contains(wide, "asked 10 s") ||
		strings.Contains(narrow, "asked 10 s") {
		t.Errorf("the pace is shown on a terminal of 80 columns, or not in a file:\n%s\n%s", wide, narrow)
	}
}

// TestAddresses checks that all forms say that a number of addresses is an estimate, and that an
// exact one is not.
func TestAddresses(t *testing.T) {
	r := report("ExampleBot")
	for _, text := range []string{textOf(r, auditreport.Printer{}), pageOf(t, r, language.English)} {
		if strings.Count(text, "≈ 5,678") != 1 || strings.Count(text, "≈") != 1 {
			t.Errorf("the estimate is not marked, or not alone: %s", text)
		}
	}
}

// TestReading checks that text and page say how much a robot requested before it read robots.txt,
// and which rules are for everyone, and nothing of this about a robot that was not judged.
func TestReading(t *testing.T) {
	r := report("ExampleBot")
	text, page := textOf(r, auditreport.Printer{}), pageOf(t, r, language.English)
	for _, want := range []string{"before it read robots.txt: 21", "without ever reading it: 22", "23 of them"} {
		if !strings.Contains(text, want) || !strings.Contains(page, want) {
			t.Errorf("text or page lacks %q: %s", want, text)
		}
	}
	if n := strings.Count(text, "closed to all robots"); n != 1 || !strings.Contains(page, "closed to all robots") {
		t.Errorf("text says %d times, and the page says or not, that a rule is for everyone", n)
	}
	r.Robots[0].Unread = audit.Unread{}
	r.Robots[0].Violations.Rules[0].Everyone = false
	text = textOf(r, auditreport.Printer{})
	if strings.Contains(text, "reading it") || strings.Contains(text, "closed to all robots") {
		t.Errorf("nothing is to be said, and yet: %s", text)
	}
}

// TestColor checks that only a terminal gets colours.
func TestColor(t *testing.T) {
	r := report("ExampleBot")
	if text := textOf(r, auditreport.Printer{}); strings.Contains(text, "\x1b") {
		t.Errorf("colours without a terminal: %q", text)
	}
	if text := textOf(r, auditreport.Printer{Color: true}); !strings.Contains(text, "\x1b[31m2\x1b[0m") &&
		!strings.Contains(text, "\x1b[31m      2\x1b[0m") {
		t.Errorf("the certain violations are not red: %q", text)
	}
}

// TestProgramsAreNotJudged checks that a program has no violations, and not none. So has a robot
// whose requests all went to hosts without versions.
func TestProgramsAreNotJudged(t *testing.T) {
	r := report("ExampleBot")
	r.Robots = append(r.Robots, audit.Robot{Token: "elsewherebot", Kind: "robot", Requests: 1,
		Identity: audit.Identity{Unverifiable: 1}})
	addresses := map[string]string{"curl": "1", "elsewherebot": "0"}
	found := 0
	for line := range strings.Lines(textOf(r, auditreport.Printer{})) {
		if strings.HasPrefix(line, "curl") || strings.HasPrefix(line, "elsewherebot") {
			found++
			fields := strings.Fields(line)
			if got, want := fields[1:], []string{"1", "–", "–", "–", "0", addresses[fields[0]],
				"unverified"}; !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
	if found != 2 {
		t.Errorf("%d of 2 rows are in the table", found)
	}
}

// TestNothingJudged checks when a report says nothing about obedience.
func TestNothingJudged(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*audit.Report)
		want   string
	}{
		{"judged", func(*audit.Report) {}, ""},
		{"an empty log", func(r *audit.Report) { *r = audit.Report{} }, ""},
		{"unreadable", func(r *audit.Report) { *r = audit.Report{Lines: 3, Unreadable: 3} }, "no line"},
		{"no User-Agent", func(r *audit.Report) { r.Unnamed = r.Requests }, "User-Agent"},
		{"no host", func(r *audit.Report) { r.Hosts = []audit.Host{{}} }, "lines that name no host"},
		{"other hosts", func(r *audit.Report) { r.Hosts = []audit.Host{{Name: "\x1b.example"}, {}} },
			`\x1b.example, (no host in the log)`},
	} {
		r := report("ExampleBot")
		test.change(r)
		got := auditreport.NothingJudged(language.English, r)
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// TestAnswers checks that a report says if a host may have served something else than its versions.
func TestAnswers(t *testing.T) {
	const want = "ExampleBot: Answers to GET /robots.txt: 15. Of these, another size than the version in force (as compressed ones have): 4; no robots.txt: 3; forbidden: 2; failed: 1."
	r := report("ExampleBot")
	if text := textOf(r, auditreport.Printer{}); !strings.Contains(text, want) {
		t.Errorf("got %s, want %q in it", text, want)
	}
	r.Hosts[0].RobotsTxt = audit.Answers{Read: 9}
	if text := textOf(r, auditreport.Printer{}); strings.Contains(text, "Answers to GET /robots.txt") {
		t.Errorf("nothing is unusual, and yet the report has a note: %s", text)
	}
}

// TestDisobeyed checks that neither forged requests nor those in the period of grace count.
func TestDisobeyed(t *testing.T) {
	r := report("ExampleBot")
	if !auditreport.Disobeyed(r) {
		t.Error("got no violation, want one")
	}
	r.Robots[0].Violations.Certain = 0
	if auditreport.Disobeyed(r) {
		t.Error("got a violation, want none")
	}
}

// TestAnonymize hides addresses of every form, and leaves other numbers.
func TestAnonymize(t *testing.T) {
	for text, want := range map[string]string{
		`192.0.2.77 - - [02/Mar/2026:10:00:00 +0000] "GET /1.2 HTTP/1.1"`: `192.0.2.0 - - [02/Mar/2026:10:00:00 +0000] "GET /1.2 HTTP/1.1"`,
		"192.0.2.77:4711 [2001:db8:17:1::5]:443":                          "192.0.2.0:4711 [2001:db8:17::]:443",
		"::ffff:192.0.2.77, 2001:DB8:17::5":                               "192.0.2.0, 2001:db8:17::",
		`{"ip":"192.0.2.77","q":"?a=192.0.2.78&b=1"}`:                     `{"ip":"192.0.2.0","q":"?a=192.0.2.0&b=1"}`,
		"client 192.0.2.77: 10:00:00.123":                                 "client 192.0.2.0: 10:00:00.123",
		"from 192.0.2.77.":                                                "from 192.0.2.0.",
		"Firefox/128.0 1.2.3 ::":                                          "Firefox/128.0 1.2.3 ::",
		strings.Repeat("x", 4085) + " 192.0.2.77":                         strings.Repeat("x", 4085) + " ",
	} {
		r := report("ExampleBot")
		r.Robots[0].Violations.Rules[0].Example.Text = text
		r.Robots[0].Addresses = []audit.Address{{Address: "192.0.2.77"}, {Address: "2001:db8:17::5"}}
		r.Robots[0].UserAgents = []string{"ExampleBot (192.0.2.77)"}
		hider := auditreport.NewHider("cut")
		auditreport.Anonymize(r, hider)
		notes := auditreport.Notes{Unreadable: []auditreport.UnreadableLine{{Log: "x", Text: []byte(text)}}}
		r.Notes = notes.In(language.English, &audit.Report{}, hider)
		if a := r.Robots[0].Addresses; a[0].Address != "192.0.2.0" || a[1].Address != "2001:db8:17::" ||
			r.Robots[0].UserAgents[0] != "ExampleBot (192.0.2.0)" {
			t.Errorf("got %v, %q", a, r.Robots[0].UserAgents)
		}
		if got := r.Robots[0].Violations.Rules[0].Example.Text; got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
		if len(r.Notes) != 2 || !strings.HasSuffix(r.Notes[0], ": "+want) && len(text) < 4096 {
			t.Errorf("got the notes %q, want %q and one that says how", r.Notes, want)
		}
	}
}

// TestAnonymizeAll plants addresses in each text of a report that strangers wrote: no form of the
// report has them afterwards.
func TestAnonymizeAll(t *testing.T) {
	for _, planted := range []string{"192.0.2.77", "2001:db8:17:1::5", "::ffff:192.0.2.77", "fe80:a:b:c::7%eth0"} {
		for _, how := range auditreport.Anonymities {
			text := `GET /?ip:` + planted + `&for="[` + planted + `]:80, ` + planted + `" ` + url.QueryEscape(planted)
			r := withHours("ExampleBot")
			r.Hosts = append(r.Hosts, audit.Host{Name: planted, Requests: 1})
			for i := range r.Robots {
				robot := &r.Robots[i]
				robot.Token, robot.UserAgents, robot.Addresses = text, []string{text},
					[]audit.Address{{Address: planted}}
				for j := range robot.Violations.Rules {
					robot.Violations.Rules[j].Example.Text = text
				}
			}
			r.Suspects[0].Address, r.Suspects[0].UserAgent = planted, text
			r.Peaks[0].Address, r.Peaks[0].UserAgent = planted, text
			hider := auditreport.NewHider(how)
			auditreport.Anonymize(r, hider)
			notes := auditreport.Notes{Unreadable: []auditreport.UnreadableLine{{Log: "x", Text: []byte(text)}}}
			r.Notes = notes.In(language.English, r, hider)
			object, err := json.Marshal(r)
			fatal.If(t, err)
			forms := map[string]string{"JSON": string(object), "text": textOf(r, auditreport.Printer{}),
				"HTML": pageOf(t, r, language.English)}
			var csv, letter, view strings.Builder
			auditreport.WriteCSV(&csv, r)
			(&auditreport.Letter{Report: r, Robot: &r.Robots[0], Notes: r.Notes}).Write(&letter)
			fatal.If(t, auditreport.WriteView(&view, r, language.English))
			forms["CSV"], forms["letter"], forms["view"] = csv.String(), letter.String(), view.String()
			address, _, _ := strings.Cut(planted, "%")
			for form, text := range forms {
				for _, shown := range []string{address, url.QueryEscape(address), "192.0.2.77"} {
					if i := strings.Index(text, shown); i >= 0 {
						t.Errorf("%s: %s has %s: %s", how, form, shown, text[max(0, i-80):i+len(shown)])
					}
				}
			}
		}
	}
}

// TestAnonymizeSuspects hides the addresses of suspects and peaks, and those in their headers.
func TestAnonymizeSuspects(t *testing.T) {
	r := report("ExampleBot")
	r.Suspects = []audit.Suspect{{Address: "2001:db8:17:1::/64", UserAgent: "x 192.0.2.77"}}
	r.Peaks = []audit.Peak{{Address: "192.0.2.77", UserAgent: "x 192.0.2.77"}}
	auditreport.Anonymize(r, auditreport.NewHider("cut"))
	if s, p := r.Suspects[0], r.Peaks[0]; s.Address != "2001:db8:17::" || s.UserAgent != "x 192.0.2.0" ||
		p.Address != "192.0.2.0" || p.UserAgent != "x 192.0.2.0" {
		t.Errorf("got %+v and %+v", s, p)
	}
}

// TestHash checks that equal addresses of a report have equal hashes, and those of another report
// others.
func TestHash(t *testing.T) {
	hash := func() []string {
		r := report("ExampleBot")
		r.Robots[0].Violations.Rules[0].Example.Text = "192.0.2.7 192.0.2.8 ::ffff:192.0.2.7"
		auditreport.Anonymize(r, auditreport.NewHider("hash"))
		return strings.Fields(r.Robots[0].Violations.Rules[0].Example.Text)
	}
	a, b := hash(), hash()
	if len(a) != 3 || a[0] != a[2] || a[0] == a[1] || a[0] == b[0] {
		t.Errorf("got %q and %q", a, b)
	}
}

// TestPace checks that the pace of a robot that was not judged is not shown as kept.
func TestPace(t *testing.T) {
	change := func(change func(*audit.Pace)) *audit.Report {
		r := report("ExampleBot")
		change(&r.Robots[0].Pace)
		return r
	}
	for _, c := range []struct {
		report    *audit.Report
		text, csv string
	}{
		{change(func(*audit.Pace) {}),
			"2.5 s apart, asked 10 s, 4 too fast; Request-rate 10/1m, 5 too many; Visit-time 0600-0845, 1200-1300, 6 at another time\n", `,10,2.5,1234000,4,10/1m,5,"0600-0845, 1200-1300",6,`},
		{change(func(p *audit.Pace) { p.Faster, p.RequestRate.Exceeded, p.VisitTime = 0, 0, nil }),
			"2.5 s apart, asked 10 s; Request-rate 10/1m\n", `,10,2.5,1234000,0,10/1m,0,,,`},
		{change(func(p *audit.Pace) { p.Judged, p.Faster, p.RequestRate.Exceeded, p.VisitTime = 0, 0, 0, nil }),
			"2.5 s apart, asked 10 s; Request-rate 10/1m; not judged\n", `,10,2.5,0,,10/1m,,,,`},
		{change(func(p *audit.Pace) { p.Asked, p.RequestRate, p.VisitTime = nil, nil, nil }), "2.5 s apart\n",
			`,,2.5,1234000,4,,,,,`},
	} {
		if text := textOf(c.report, auditreport.Printer{}); !strings.Contains(text, c.text) {
			t.Errorf("the text lacks %q:\n%s", c.text, text)
		}
		var b bytes.Buffer
		if err := auditreport.WriteCSV(&b, c.report); err != nil || !strings.Contains(b.String(), c.csv) {
			t.Errorf("the CSV lacks %q: %v\n%s", c.csv, err, b.String())
		}
	}
}
