package auditreport_test

import (
	"bytes"
	"flag"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/rdap"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

var update = flag.Bool("update", false, "write the letters in testdata again")

// incident returns a letter about a robot with everything that a letter may have. Each text by a
// stranger is text.
func incident(text string) *auditreport.Letter {
	r := report(text)
	robot := &r.Robots[0]
	robot.Violations.Verified = audit.Count{Certain: 1}
	robot.Addresses = []audit.Address{
		{Address: "192.0.2.1", Verified: true, Count: audit.Count{Certain: 2}},
		{Address: "2001:db8::7", Count: audit.Count{Informed: 1, Grace: 1}},
	}
	robot.AddressCount = 1234
	robot.LastRead = robot.First
	robot.UserAgents = []string{"Mozilla/5.0 (compatible; " + text +
		"/1.0; +http://bot.example/about.html; bot@example.com)"}
	return &auditreport.Letter{
		Report: r, Robot: robot, Docs: "https://operator.example/robot", Sources: []string{"--git site:public/" + text},
		Notes: []string{"Addresses are cut to their networks."},
		Networks: []rdap.Network{
			{First: netip.MustParseAddr("192.0.2.0"), Last: netip.MustParseAddr("192.0.2.255"), Name: text,
				Abuse: []string{"abuse@example.net"}},
			{First: netip.MustParseAddr("2001:db8::"), Last: netip.MustParseAddr("2001:db8::ffff")},
		},
	}
}

// innocent returns a letter about a robot without a certain violation, which nobody knows.
func innocent() *auditreport.Letter {
	letter := incident("ExampleBot")
	robot := letter.Robot
	robot.Operator, robot.UserAgents = "", []string{"ExampleBot/1.0"}
	robot.Violations = audit.Violations{Rules: []audit.Rule{}}
	robot.Identity, robot.Forged = audit.Identity{Unverifiable: 6}, audit.Forged{}
	robot.Addresses, robot.AddressCount = nil, 0
	robot.RobotsTxt, robot.LastRead = 0, time.Time{}
	robot.Pace.Asked, robot.Pace.Faster, robot.Pace.RequestRate, robot.Pace.VisitTime = nil, 0, nil, nil
	letter.Report.Notes, letter.Notes = nil, nil
	letter.Docs, letter.Sources, letter.Networks = "", nil, nil
	return letter
}

func written(t *testing.T, letter *auditreport.Letter, l language.Language) string {
	t.Helper()
	letter.Language = l
	var b bytes.Buffer
	fatal.If(t, letter.Write(&b))
	return b.String()
}

// TestLetter compares letters in all languages with those in testdata.
func TestLetter(t *testing.T) {
	for _, l := range languages() {
		for name, letter := range map[string]*auditreport.Letter{"incident": incident("ExampleBot"),
			"innocent": innocent()} {
			file := filepath.Join("testdata", name+"."+l.String()+".txt")
			got := written(t, letter, l)
			if *update {
				fatal.If(t, os.WriteFile(file, []byte(got), 0o666))
			}
			want, err := os.ReadFile(file)
			fatal.If(t, err)
			if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
				t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
			}
		}
	}
}

// TestLetterDelayIsRate checks that a letter does not say that a robot kept or did not keep a pause
// if its pauses were not held against Crawl-delay.
func TestLetterDelayIsRate(t *testing.T) {
	letter := incident("ExampleBot")
	for _, l := range languages() {
		letter.DelayIsRate, letter.Robot.Pace.Faster = false, 0
		kept := written(t, letter, l)
		letter.DelayIsRate = true
		rate := written(t, letter, l)
		letter.Robot.Pace.Faster = 9 // is always 0 for such a robot
		if kept == rate || rate != written(t, letter, l) || !strings.Contains(rate, "Request-rate") {
			t.Errorf("%v: got\n%s", l, rate)
		}
	}
	text := strings.ReplaceAll(written(t, letter, language.English), "\n", " ")
	if !strings.Contains(text, "so we did not judge its pauses") || strings.Contains(text, "certainly shorter") {
		t.Errorf("got\n%s", text)
	}
}

// TestLetterIsJust checks that a letter without proof accuses nobody.
func TestLetterIsJust(t *testing.T) {
	const none, accuses = "There is no certain violation of robots.txt.", "certainly did not obey"
	for name, change := range map[string]func(*audit.Robot, *audit.Report){
		"nothing":  func(*audit.Robot, *audit.Report) {},
		"informed": func(r *audit.Robot, _ *audit.Report) { r.Violations.Informed = 3 },
		"grace":    func(r *audit.Robot, _ *audit.Report) { r.Violations.Grace = 3 },
		"forged": func(r *audit.Robot, _ *audit.Report) {
			r.Requests, r.Judged, r.Identity, r.Forged = 0, 0, audit.Identity{Forged: 5}, audit.Forged{Requests: 5,
				Violations: 5}
			r.Pace = audit.Pace{}
		},
		"program":    func(r *audit.Robot, _ *audit.Report) { r.Kind, r.Judged = "program", 0 },
		"not judged": func(r *audit.Robot, _ *audit.Report) { r.Judged = 0 },
	} {
		letter := innocent()
		change(letter.Robot, letter.Report)
		text := strings.ReplaceAll(written(t, letter, language.English), "\n", " ")
		want := none
		if name == "program" || name == "not judged" || name == "forged" {
			want = "so there is no certain violation"
		}
		if !strings.Contains(text, want) || strings.Contains(text, accuses) ||
			strings.Contains(text, "let the robot obey") {
			t.Errorf("%s: the letter accuses:\n%s", name, text)
		}
		if ours := strings.Contains(text,
			"whether these requests and addresses are yours"); ours != (name != "forged") {
			t.Errorf("%s: the letter asks for the identity: %v", name, ours)
		}
		if !strings.Contains(text, "None is known. With --rdap") {
			t.Errorf("%s: the letter names a contact", name)
		}
	}
}

// TestLetterIsSafe checks that strangers cannot write lines of a letter, and that its lines are
// short.
func TestLetterIsSafe(t *testing.T) {
	long := strings.Repeat("x\n Subject: y\r\n.\r\n", corpus.Cases(1<<14, 1<<16))
	for name, text := range map[string]string{"hostile": hostile, "long": long, "wide": strings.Repeat("넓은 글자 ",
		1000)} {
		for _, l := range languages() {
			letter := incident(text)
			letter.Docs, letter.Report.Notes, letter.Notes = text, []string{text}, []string{text}
			got := written(t, letter, l)
			if strings.Contains(got, "⟨") || strings.Contains(got, "%!") {
				t.Errorf("%s, %v: a text is not filled in", name, l)
			}
			for line := range strings.Lines(got) {
				line = strings.TrimSuffix(line, "\n")
				evidence := strings.HasPrefix(line, "    ")
				switch {
				case !printable.IsText(line):
					t.Errorf("%s, %v: not printable: %q", name, l, line)
				case len(line) > 998:
					t.Errorf("%s, %v: a line of %d bytes", name, l, len(line))
				case !evidence && language.Width(line) > 72 && strings.Contains(line, " "):
					t.Errorf("%s, %v: a line of %d columns: %s", name, l, language.Width(line), line)
				case !evidence && (strings.HasPrefix(line, "From ") || strings.HasPrefix(line, ".")):
					t.Errorf("%s, %v: mail programs read the line as another: %s", name, l, line)
				}
			}
			if len(got) > 20_000 {
				t.Errorf("%s, %v: the letter has %d bytes", name, l, len(got))
			}
		}
	}
}

// TestFind finds robots by their tokens, and robots before programs.
func TestFind(t *testing.T) {
	r := &audit.Report{Robots: []audit.Robot{{Token: "x", Kind: "program"}, {Token: "X", Kind: "robot"},
		{Token: "curl", Kind: "program"}}}
	if auditreport.Find(r, "x") != &r.Robots[1] || auditreport.Find(r, "CURL") != &r.Robots[2] ||
		auditreport.Find(r, "y") != nil {
		t.Error("another robot is found")
	}
}

// TestContacts finds the URLs and mail addresses in headers.
func TestContacts(t *testing.T) {
	for header, want := range map[string]string{
		"Bot/1.0 (+http://bot.example/a?b=c; bot@example.com)": "http://bot.example/a?b=c bot@example.com",
		"Bot (https://bot.example/).":                          "https://bot.example/",
		`Bot <a href="https://bot.example/x">`:                 "https://bot.example/x",
		"Bot http://x\x1b[31m/ javascript:alert(1)":            "http://x",
		"Bot/1.0 Mozilla@5":                                    "",
	} {
		letter := innocent()
		letter.Robot.UserAgents = []string{header, header}
		_, got, _ := strings.Cut(written(t, letter, language.English), strings.Repeat("=", 72))
		var contacts []string
		for line := range strings.Lines(got) {
			if contact, ok := strings.CutPrefix(line, "    "); ok {
				contacts = append(contacts, strings.TrimSpace(contact))
			}
		}
		if joined := strings.Join(contacts, " "); joined != want {
			t.Errorf("%q: got %s, want %s", header, joined, want)
		}
	}
}

// TestLetterComparedNothing checks that a letter about requests that were not judged does not say
// that they were compared with robots.txt.
func TestLetterComparedNothing(t *testing.T) {
	letter := innocent()
	for _, l := range languages() {
		judged := written(t, letter, l)
		letter.Robot.Judged = 0
		got := written(t, letter, l)
		letter.Robot.Judged = letter.Robot.Requests
		// The subject names robots.txt too.
		before, now := strings.Split(judged, "\n\n")[2], strings.Split(got, "\n\n")[2]
		if !strings.Contains(before, "robots.txt") || strings.Contains(now, "robots.txt") {
			t.Errorf("%v: got\n%s\nwithout a robots.txt\n%s", l, before, now)
		}
	}
	letter.Robot.Judged = 0
	got := strings.Join(strings.Fields(written(t, letter, language.English)), " ")
	if strings.Contains(got, "compared") || strings.Contains(got, "asked for no pause") ||
		!strings.Contains(got, "00:00:00). All times are in UTC.") {
		t.Errorf("got %s", got)
	}
}

// TestLetterNumbers checks sentences with a number that may be none or one.
func TestLetterNumbers(t *testing.T) {
	letter := incident("ExampleBot")
	for _, test := range []struct {
		refused   int64
		addresses []audit.Address
		want      []string
	}{
		{0, []audit.Address{{Address: "10.0.0.1"}, {Address: "8.8.8.8"}}, []string{
			"The site refused none of the 1,234,567 requests (status 401, 403, 429 or 444).",
			"1 of these addresses belongs to nobody on the Internet: it is private, perhaps",
			"It proves nothing."}},
		{1, []audit.Address{{Address: "10.0.0.1"}, {Address: "10.0.0.2"}}, []string{
			"The site refused 1 of all 1,234,567 requests",
			"2 of these addresses belong to nobody on the Internet: they are private, perhaps",
			"They prove nothing."}},
	} {
		letter.Robot.Refused, letter.Robot.Addresses = test.refused, test.addresses
		got := strings.Join(strings.Fields(written(t, letter, language.English)), " ")
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("got %s\nwant %s", got, want)
			}
		}
	}
}

// TestInformedIsNotCertain checks that all forms say that no request is both certain and informed:
// a robot that read robots.txt a minute before is in the first class only.
func TestInformedIsNotCertain(t *testing.T) {
	words := map[string]string{"en": "Informed: not certain, but ", "es": "no son seguras, pero",
		"ko": "확실하지는 않지만", "ru": "не точно, но"}
	for _, l := range languages() {
		r := report("ExampleBot")
		var text bytes.Buffer
		p := auditreport.Printer{W: &text, Language: l}
		p.Report(r)
		for name, got := range map[string]string{"text": text.String(), "page": textOfPage(t, pageOf(t, r, l)),
			"letter": written(t, incident("ExampleBot"), l)} {
			want := words[l.String()]
			if name == "letter" && l.String() == "es" {
				want = "no es segura, pero" // it speaks of one request
			}
			if !strings.Contains(strings.Join(strings.Fields(got), " "), want) {
				t.Errorf("%v: the %s does not say %q:\n%s", l, name, want, got)
			}
		}
	}
}
