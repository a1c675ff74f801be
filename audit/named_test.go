package audit_test

import (
	"bytes"
	"maps"
	"net/netip"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A robot that fetches a page because a person asked for the page is held to the groups that name
// the robot, and not to the rules for everyone, unless its operator documents that it obeys them.
// So is one that does not crawl.
func TestForPersons(t *testing.T) {
	log := ""
	for _, name := range []string{"ChatGPT-User", "Perplexity-User", "Embedly", "facebookexternalhit", "Claude-User",
		"Twitterbot", "GPTBot", "Feedbin", "UptimeRobot", "Example-Uptime-Check",
		"Example-Feed-Fetcher", "AhrefsBot", ""} {
		header := name + "/1.0"
		if name == "" {
			header = "Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1; SV1; http://www.example.com)"
		}
		log += `192.0.2.1 - - [05/Mar/2026:12:00:00 +0000] "GET /private HTTP/1.1" 200 512 "-" "` + header + "\"\n"
	}
	for _, test := range []struct {
		group string
		want  map[string]int64
	}{
		{"*", map[string]int64{"Claude-User": 1, "Twitterbot": 1, "GPTBot": 1, "AhrefsBot": 1}},
		{"UptimeRobot", map[string]int64{"UptimeRobot": 1}},
		{"Example-Uptime-Check", map[string]int64{"Example-Uptime-Check": 1}},
		{"Example-Feed-Fetcher", map[string]int64{"Example-Feed-Fetcher": 1}},
		{"ChatGPT-User", map[string]int64{"ChatGPT-User": 1}},
		{"Embedly", map[string]int64{"Embedly": 1}},
	} {
		policy := []byte("User-agent: " + test.group + "\nDisallow: /private\n")
		a, err := audit.New(audit.Options{Sites: map[string][]audit.Version{"": {{ID: "v", State: audit.Served,
			Text: policy}}}})
		fatal.If(t, err)
		part, err := a.Read((&accesslog.Reader{}).From("access.log", strings.NewReader(log)), 1)
		fatal.If(t, err)
		for _, robot := range part.Report().Robots {
			if got := robot.Violations.Certain; got != test.want[robot.Token] {
				t.Errorf("group %s: %q has %d certain violations, want %d", test.group, robot.Token, got,
					test.want[robot.Token])
			}
		}
	}
}

// A program on the device of a person is never forged and never judged, whatever robots.txt says
// and wherever it is, and it stands in the report of the robot whose name it uses.
func TestDevices(t *testing.T) {
	headers := []string{
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) Version/9.0.1 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
		"facebookexternalhit/1.1",
		"Claude-User (claude-code/3.2.1; +https://support.anthropic.com/)",
		"GPTBot/1.0",
	}
	log := ""
	for _, header := range headers {
		log += `192.0.2.1 - - [05/Mar/2026:12:00:00 +0000] "GET /private HTTP/1.1" 200 512 "-" "` + header + "\"\n"
	}
	policy := []byte("User-agent: *\nUser-agent: facebookexternalhit\nDisallow: /private\n")
	options := audit.Options{Sites: map[string][]audit.Version{"": {{ID: "v", State: audit.Served, Text: policy}}},
		Identify: func(agent.Agent, netip.Addr) agent.Result { return agent.Forged }}
	a, err := audit.New(options)
	fatal.If(t, err)
	part, err := a.Read((&accesslog.Reader{}).From("access.log", strings.NewReader(log)), 1)
	fatal.If(t, err)
	r := part.Report()
	if r.Unjudged.Device != 2 || r.Unjudged.Forged != 2 {
		t.Errorf("got %+v, want two requests of devices and two forged ones", r.Unjudged)
	}
	want := map[string]audit.Identity{"facebookexternalhit": {Device: 1, Forged: 1}, "Claude-User": {Device: 1},
		"GPTBot": {Forged: 1}}
	for _, robot := range r.Robots {
		if robot.Identity != want[robot.Token] || robot.Violations.Count != (audit.Count{}) {
			t.Errorf("%s: %+v, %+v, want %+v and no violation", robot.Token, robot.Identity, robot.Violations.Count,
				want[robot.Token])
		}
		if n := robot.Identity.Device; robot.Requests != n || robot.Judged != 0 {
			t.Errorf("%s: %d requests, %d judged", robot.Token, robot.Requests, robot.Judged)
		}
	}
	live := a.Live()
	for request, err := range (&accesslog.Reader{}).From("access.log", strings.NewReader(log)).Requests() {
		fatal.If(t, err)
		j, c := live.Add(request)
		if device := j.Identity == agent.Device; device && (c != nil || j.Unjudged != "device") {
			t.Errorf("%s: %+v waits: %t", request.UserAgent, j, c != nil)
		}
		if k := part.Judge().Judge(request); k.Identity != j.Identity || k.Unjudged != j.Unjudged {
			t.Errorf("%s: %+v, live %+v", request.UserAgent, k, j)
		}
	}
}

// A robot in no table keeps the letters in which it writes its name. Of several spellings the first
// in the order of bytes counts, in whatever order the logs come.
func TestSpelling(t *testing.T) {
	line := func(name string) string {
		return `192.0.2.1 - - [05/Mar/2026:12:00:00 +0000] "GET /x HTTP/1.1" 200 5 "-" "` + name + "/1.0 (+https://bot.example/)\"\n"
	}
	for _, logs := range [][]string{
		{line("exampleBot") + line("ExampleBot")}, {line("ExampleBot") + line("examplebot")},
		{line("exampleBot"), line("ExampleBot")}, {line("ExampleBot"), line("exampleBot")},
	} {
		a, err := audit.New(audit.Options{})
		fatal.If(t, err)
		parts := make([]*audit.Part, len(logs))
		for i, log := range logs {
			parts[i], err = a.Read((&accesslog.Reader{}).From("access.log", strings.NewReader(log)), 1)
			fatal.If(t, err)
		}
		for _, part := range parts[1:] {
			fatal.If(t, parts[0].Join(part))
		}
		if r := parts[0].Report().Robots; len(r) != 1 || r[0].Token != "ExampleBot" || r[0].Requests != 2 {
			t.Errorf("%q: got %+v, want one ExampleBot", logs, r)
		}
	}
}

// A robot whose header has another name than its token obeys the group of that name, if robots.txt
// has one, and counts by that name: also after its part was stored, and with the other robots of
// its token.
func TestOwnNames(t *testing.T) {
	const policy = "User-agent: *\nDisallow: /\n\nUser-agent: coccocbot-web\nUser-agent: GrapeshotCrawler\n" +
		"User-agent: Daum\nAllow: /\n\nUser-agent: Exabot-Images\nDisallow: /\n\nUser-agent: Exabot\nAllow: /\n"
	log := ""
	for _, name := range []string{"coccocbot-web", "COCCOCBOT-WEB", "coccocbot-image", "GrapeshotCrawler", "Daum",
		"Exabot-Images", "Exabot-Thumbnails"} {
		log += `192.0.2.1 - - [05/Mar/2026:12:00:00 +0000] "GET /private HTTP/1.1" 200 512 "-" ` +
			`"Mozilla/5.0 (compatible; ` + name + "/1.0; +https://a.example/)\"\n"
	}
	a, err := audit.New(audit.Options{Sites: map[string][]audit.Version{"": {{ID: "v", State: audit.Served,
		Text: []byte(policy)}}}})
	fatal.If(t, err)
	part, err := a.Read((&accesslog.Reader{}).From("access.log", strings.NewReader(log)), 1)
	fatal.If(t, err)
	var stored bytes.Buffer
	_, err = part.WriteTo(&stored)
	fatal.If(t, err)
	restored, err := audit.ReadPart(&stored, nil)
	fatal.If(t, err)
	want := map[string]int64{"coccocbot-web": 0, "coccocbot": 1, "GrapeshotCrawler": 0, "Daum": 0, "Exabot-Images": 1,
		"Exabot": 0}
	for _, report := range []*audit.Report{part.Report(), restored.Report()} {
		got := make(map[string]int64)
		for _, robot := range report.Robots {
			got[robot.Token] = robot.Violations.Certain
		}
		if !maps.Equal(got, want) {
			t.Errorf("got the violations %v, want %v", got, want)
		}
	}
}
