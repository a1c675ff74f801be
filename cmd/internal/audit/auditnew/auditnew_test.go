package auditnew

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const policy = "User-agent: *\nDisallow: /private/\n"

// found returns what Find finds in logs, which are judged by the policy.
func found(t *testing.T, table *agent.Table, names ...string) *Report {
	t.Helper()
	o := audit.Options{Robots: table, Host: "shop.example.com", Sites: map[string][]audit.Version{
		"shop.example.com": {{ID: "robots.txt", State: audit.Served, Text: []byte(policy)}},
	}}
	auditor, err := audit.New(o)
	fatal.If(t, err)
	reader := new(accesslog.Reader)
	scan := reader.Open(names...)
	part, err := auditor.Read(scan, 2)
	fatal.If(t, err)
	r, err := Find(t.Context(), reader, scan.Logs(), part, o)
	fatal.If(t, err)
	return r
}

// texts returns a report as text in all languages, and as JSON.
func texts(r *Report) (all []string) {
	for _, code := range language.Codes() {
		var b strings.Builder
		p := Printer{W: &b, Language: language.Parse(code)}
		p.Report(r)
		all = append(all, b.String())
	}
	return append(all, string(printable.JSON(printable.AppendJSON(nil, r))))
}

// A logWriter writes a log in the format combined.
type logWriter struct{ strings.Builder }

// visits writes n requests, six hours apart, from addresses in turn, for paths in turn.
func (l *logWriter) visits(n int, addresses, paths []string, header string) {
	l.visitsFrom(n, addresses, paths, header, "-")
}

func (l *logWriter) visitsFrom(n int, addresses, paths []string, header, referrer string) {
	at := time.Date(2026, 3, 2, 1, 0, 0, 0, time.UTC)
	for i := range n {
		fmt.Fprintf(l, "%s - mary [%s] \"GET %s HTTP/1.1\" 200 512 \"%s\" \"%s\"\n", addresses[i%len(addresses)],
			at.Format("02/Jan/2006:15:04:05 -0700"), paths[i%len(paths)], referrer, header)
		at = at.Add(6 * time.Hour)
	}
}

func (l *logWriter) file(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "access.log")
	fatal.If(t, os.WriteFile(name, []byte(l.String()), 0o600))
	return name
}

var pages = []string{"/robots.txt", "/", "/a", "/b?session=secret", "/private/x", "/c"}

// TestFind reads a log with a new robot among known ones, people, tools of the owner, and names
// that may be of either.
func TestFind(t *testing.T) {
	t.Parallel()
	var l logWriter
	const header = "Mozilla/5.0 (compatible; NovelBot/1.0; +https://novel.example/bot)"
	home := []string{"203.0.113.77"}
	l.visits(18, []string{"198.51.100.7", "198.51.100.8", "198.51.100.9"}, pages, header)
	l.visits(1, home, pages[1:], header) // somebody else

	l.visits(40, home, pages, "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)")
	l.visits(40, home, pages, "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
	l.visits(40, home, pages, "curl/8.0")
	l.visits(40, []string{"127.0.0.1", "10.1.2.3", "::1"}, pages, "WarmCrawler/1.0")
	l.visits(40, home, pages, "AcmeUptimeBot/1.0 (+https://acme.example/)")
	l.visits(40, home, pages, "SearchBot/1.0 (+https://www.shop.example.com/bot)")
	l.visits(40, home, pages[:2], "PollBot/1.0 (+https://poll.example/)")
	l.visits(9, home, pages, "RareBot/1.0 (+https://rare.example/)")
	l.visits(40, home, pages, "bot")
	l.visits(40, home, pages, "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; Newsurfer/1.0)")
	l.visits(40, home, []string{"/", "/a", "/style.css"}, "Mozilla/5.0 ToolbarBot/1.0")
	l.visitsFrom(40, home, pages, "Mozilla/5.0 ReferBot/1.0", "https://shop.example.com/")
	var spread []string
	for i := range 20 {
		spread = append(spread, fmt.Sprintf("203.0.%d.5", i))
	}
	l.visits(40, spread, pages, "PocketBot/1.0 (+https://pocket.example/)")

	name := l.file(t)
	r := found(t, nil, name)
	if len(r.Robots) != 1 || r.Robots[0].Token != "NovelBot" {
		t.Fatalf("found %+v", r.Robots)
	}
	want := map[Reason]int{Own: 1, Tool: 1, Site: 1, Single: 1, Sporadic: 1, Nameless: 1, Browser: 3, Spread: 1}
	if !maps.Equal(r.LeftOut, want) {
		t.Errorf("left out %v, want %v", r.LeftOut, want)
	}
	novel := r.Robots[0]
	s := novel.Seen
	if s.Requests != 19 || s.RobotsTxt != 3 || s.Days != 5 || s.Hours != 18 || s.Judged != 16 || s.Certain != 3 ||
		len(s.Rules) != 1 || s.Rules[0] != (Rule{2, "Disallow: /private/", 3}) || s.Pace == nil {
		t.Errorf("seen %+v", s)
	}
	own := Network{netip.MustParsePrefix("198.51.100.0/24"), 18}
	if !slices.Equal(s.Networks, []Network{own}) || s.MoreNetworks != 1 {
		t.Errorf("networks %v and %d more", s.Networks, s.MoreNetworks)
	}
	if !slices.Equal(novel.List.Instances, []string{header}) || novel.List.URL != "https://novel.example/bot" ||
		novel.List.AddedOn != "2026/03/02" || novel.Table.Robots[0].Docs != "https://novel.example/bot" {
		t.Errorf("entries %+v %+v", novel.List, novel.Table)
	}
	for _, text := range texts(r) {
		for _, secret := range []string{"198.51.100.7", "198.51.100.8", "198.51.100.9", "203.0.113", "secret", "mary"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s stands in\n%s", secret, text)
			}
		}
	}

	// Who knows the robot does not find it.
	table, err := agent.ParseTable([]byte(`{"robots": [{"token": "NovelBot"}]}`))
	fatal.If(t, err)
	if r := found(t, table, name); len(r.Robots) > 0 {
		t.Errorf("a robot of --robots-table is new: %+v", r.Robots)
	}
	// A table that replaces that of this program does not make its robots new.
	table, err = agent.ParseTable([]byte(`{"replace": true, "robots": [{"token": "NovelBot"}]}`))
	fatal.If(t, err)
	if r := found(t, table, name); len(r.Robots) > 0 {
		t.Errorf("a robot of the table is new: %+v", r.Robots)
	}
}

// TestEntriesAreRead has the readers of tables read the entry, and checks the lines of evidence: an
// audit reads them again.
func TestEntriesAreRead(t *testing.T) {
	t.Parallel()
	var l logWriter
	l.visits(18, []string{"2001:db8:1:2::9"}, pages, `NovelBot/1.0 \"quoted\" (+http://novel.example/bot)`)
	r := found(t, nil, l.file(t))
	if len(r.Robots) != 1 {
		t.Fatalf("%+v", r)
	}
	novel := r.Robots[0]
	data, err := json.Marshal(novel.Table)
	fatal.If(t, err)
	table, err := agent.ParseTable(data)
	fatal.If(t, err)
	for _, header := range novel.List.Instances {
		if a := table.Lookup(header); !a.Known() || a.Token != "NovelBot" {
			t.Errorf("%s: %+v", header, a)
		}
		if !regexp.MustCompile(novel.List.Pattern).MatchString(header) {
			t.Errorf("%s does not find %s", novel.List.Pattern, header)
		}
	}
	if novel.Table.Robots[0].Docs != "" { // the table takes https only
		t.Errorf("the page %s", novel.Table.Robots[0].Docs)
	}
	if len(novel.Lines) < 3 {
		t.Fatalf("%d lines", len(novel.Lines))
	}
	var text strings.Builder
	for _, line := range novel.Lines {
		if !strings.HasPrefix(line.Text, "2001:db8:1:: - - [") || line.Log != "access.log" {
			t.Errorf("%s: %s", line.Log, line.Text)
		}
		fmt.Fprintln(&text, line.Text)
	}
	again := filepath.Join(t.TempDir(), "again.log")
	fatal.If(t, os.WriteFile(again, []byte(text.String()), 0o600))
	n := 0
	for request, err := range new(accesslog.Reader).Open(again).Requests() {
		fatal.If(t, err)
		if n++; !strings.HasPrefix(string(request.UserAgent), `NovelBot/1.0 "quoted" (`) {
			t.Errorf("the header %q", request.UserAgent)
		}
	}
	if n != len(novel.Lines) {
		t.Errorf("%d of %d lines are read", n, len(novel.Lines))
	}
}

// TestHostile writes what strangers may write to headers and targets: nothing of it reaches a
// terminal, or breaks the JSON.
func TestHostile(t *testing.T) {
	t.Parallel()
	var l logWriter
	l.visits(30, []string{"198.51.100.7"}, []string{"/robots.txt", "/\x1b[2J<script>", "/b\u202e", "/198.51.100.7/c",
		"/" + strings.Repeat("x", 3000)},
		"EvilBot/1.0 \x1b]0;x\x07 \u202e <b>&\u2028 (from 203.0.113.9; +https://evil.example/)")
	l.visits(30, []string{"198.51.100.7"}, pages, "EvilBot/1.0 (+https://evil.example/)")
	l.visits(30, []string{"198.51.100.7"}, pages, "Evil<Bot/1.0 (+https://evil.example/)")
	r := found(t, nil, l.file(t))
	if !slices.ContainsFunc(r.Robots, func(r Robot) bool { return r.Token == "EvilBot" }) {
		t.Fatalf("found %+v, left out %v", r.Robots, r.LeftOut)
	}
	for _, text := range texts(r) {
		if !printable.IsText(strings.ReplaceAll(text, "\n", "")) {
			t.Errorf("not printable: %q", text)
		}
		if strings.Contains(text, "203.0.113.9") || strings.Contains(text, "198.51.100.7") {
			t.Errorf("an address stands in\n%s", text)
		}
	}
	for _, robot := range r.Robots {
		for _, header := range robot.List.Instances {
			if strings.ContainsAny(header, "\x1b\u202e") || strings.Contains(header, "203.0.113") {
				t.Errorf("an instance that was changed: %q", header)
			}
		}
	}
}

// TestVersions checks that a version of four numbers stays, and an address beside it does not.
func TestVersions(t *testing.T) {
	t.Parallel()
	const version, client = "NovelBot/1.0.0.1 (+https://novel.example/bot)", "NovelBot/2.0 (for 203.0.113.9)"
	const odd = "Odd https://novel.example/NovelBot/203.0.113.8"
	var l logWriter
	for _, header := range []string{version, client, odd} {
		l.visits(18, []string{"198.51.100.7"}, pages, header)
	}
	r := found(t, nil, l.file(t))
	if len(r.Robots) != 1 {
		t.Fatalf("%+v", r)
	}
	if got := r.Robots[0].List.Instances; !slices.Equal(got, []string{version}) {
		t.Errorf("instances %q", got)
	}
	for _, text := range texts(r) {
		if regexp.MustCompile(`203[.]0[.]113[.][89]`).MatchString(text) || !strings.Contains(text, version) {
			t.Errorf("an address is shown, or the version is not:\n%s", text)
		}
	}
}

// TestNothingUnseen checks that a log without a policy, address or User-Agent leads to no claim
// about them.
func TestNothingUnseen(t *testing.T) {
	t.Parallel()
	var l logWriter
	l.visits(18, []string{"crawl-7.novel.example"}, pages, "NovelBot/1.0 (+https://novel.example/bot)")
	name := l.file(t)
	auditor, err := audit.New(audit.Options{})
	fatal.If(t, err)
	reader := new(accesslog.Reader)
	scan := reader.Open(name)
	part, err := auditor.Read(scan, 1)
	fatal.If(t, err)
	r, err := Find(t.Context(), reader, scan.Logs(), part, audit.Options{})
	fatal.If(t, err)
	if len(r.Robots) != 1 {
		t.Fatalf("%+v", r)
	}
	if s := r.Robots[0].Seen; s.Judged != 0 || s.Pace != nil || len(s.Networks) != 0 || len(s.Rules) != 0 {
		t.Errorf("%+v", s)
	}
	text := texts(r)[0]
	for _, want := range []string{"whether it obeyed is not known", "the logs do not show its networks"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "crawl-7") { // names have addresses in them
		t.Errorf("the name of a client stands in\n%s", text)
	}
}

// TestManyNames checks that strangers who invent names get no entries, and cost little.
func TestManyNames(t *testing.T) {
	t.Parallel()
	var l logWriter
	for i := range 3000 {
		l.visits(1, []string{"198.51.100.7"}, pages, fmt.Sprintf("Invented%dBot/1.0", i))
	}
	if r := found(t, nil, l.file(t)); len(r.Robots) > 0 || r.LeftOut[Sporadic] != 3000 {
		t.Errorf("%d robots, left out %v", len(r.Robots), r.LeftOut)
	}
}
