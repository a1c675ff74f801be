package audit_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// The judgements of single requests, in any order, add up to the report. The two go through the
// requests of a part in different ways.
func TestJudge(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	for range 5 {
		log := randomLog(random, 3000)
		part := readLines(t, newAuditor(t), 1, log)
		report := part.Report()
		random.Shuffle(len(log), func(i, j int) { log[i], log[j] = log[j], log[i] })

		judge := part.Judge()
		counts := map[string]audit.Count{}
		rules := map[string]int64{}
		var unjudged audit.Unjudged
		reader := accesslog.Reader{Formats: []*accesslog.Format{combined(t)}}
		for r, err := range reader.From("log", strings.NewReader(strings.Join(log, "\n"))).Requests() {
			if err != nil {
				continue
			}
			j := judge.Judge(r)
			c := counts[j.Token]
			switch j.Class {
			case audit.Certain:
				c.Certain++
			case audit.Informed:
				c.Informed++
			case audit.InGrace:
				c.Grace++
			}
			counts[j.Token] = c
			if j.Class != audit.Allowed {
				rules[j.Token+j.Version+j.Rule.String()]++
			}
			switch j.Unjudged {
			case "program":
				unjudged.Program++
			case "target":
				unjudged.Target++
			case "everyone":
				unjudged.Everyone++
			}
		}
		if unjudged != report.Unjudged {
			t.Errorf("not judged %+v, the report has %+v", unjudged, report.Unjudged)
		}
		seen := audit.Count{}
		for _, robot := range report.Robots {
			if robot.Kind != agent.Robot.String() {
				continue
			}
			if counts[robot.Token] != robot.Violations.Count {
				t.Errorf("%s: %+v, the report has %+v", robot.Token, counts[robot.Token], robot.Violations.Count)
			}
			seen.Certain += robot.Violations.Certain
			seen.Informed += robot.Violations.Informed
			seen.Grace += robot.Violations.Grace
			for _, rule := range robot.Violations.Rules {
				if n := rules[robot.Token+rule.Version+rule.Rule]; n != rule.Certain+rule.Informed+rule.Grace {
					t.Errorf("%s, %s: %d requests, the report has %+v", robot.Token, rule.Rule, n, rule)
				}
			}
		}
		if seen.Certain == 0 || seen.Informed == 0 || seen.Grace == 0 {
			t.Errorf("the log has too little: %+v", seen)
		}
	}
}

// A server reads the target //host/private/ as a path of its own, which Disallow: /private/ does
// not close.
func TestTwoSlashes(t *testing.T) {
	for target, want := range map[string]int64{
		"//host/private/x":                   0,
		"//private/x":                        0,
		"http://site.example//host/private/": 0,
		"//closed/x":                         1,
		"//":                                 0,
		"/private/x":                         1,
		"http://site.example/private/x":      1,
		"///private/x":                       0,
	} {
		auditor, err := audit.New(audit.Options{Sites: map[string][]audit.Version{
			"": {{ID: "robots.txt", Text: []byte("User-agent: *\nDisallow: /private/\nDisallow: //closed/\n")}},
		}})
		fatal.If(t, err)
		line := `192.0.2.1 - - [10/Nov/2026:10:00:00 +0000] "GET ` + target + ` HTTP/1.1" 200 9 "-" "GPTBot/1.2"` + "\n"
		part, err := auditor.Read(new(accesslog.Reader).From("log", strings.NewReader(line)), 1)
		fatal.If(t, err)
		if robots := part.Report().Robots; len(robots) != 1 || robots[0].Violations.Certain != want {
			t.Errorf("%s: %+v, want %d certain violations", target, robots, want)
		}
	}
}

// Options.Slack below 0 means none: then a robot that read a changed robots.txt a minute before its
// request is informed. A stored part keeps that.
func TestNoSlack(t *testing.T) {
	const log = `192.0.2.1 - - [05/Mar/2026:12:00:00 +0000] "GET /robots.txt HTTP/1.1" 200 30 "-" "GPTBot/1.3"` + "\n" +
		`192.0.2.1 - - [05/Mar/2026:12:01:00 +0000] "GET /private HTTP/1.1" 200 5 "-" "GPTBot/1.3"` + "\n"
	for slack, want := range map[time.Duration]audit.Count{
		0: {Grace: 1}, 2 * time.Minute: {Grace: 1}, -1: {Informed: 1}, -time.Hour: {Informed: 1},
	} {
		a, err := audit.New(audit.Options{Slack: slack, Sites: map[string][]audit.Version{"": {
			{ID: "open", Text: []byte("User-agent: *\nDisallow:\n")},
			{ID: "shut", Text: []byte("User-agent: *\nDisallow: /private\n"),
				From: time.Date(2026, 3, 5, 11, 0, 0, 0, time.UTC)},
		}}})
		fatal.If(t, err)
		part, err := a.Read((&accesslog.Reader{}).From("access.log", strings.NewReader(log)), 1)
		fatal.If(t, err)
		var stored bytes.Buffer
		_, err = part.WriteTo(&stored)
		fatal.If(t, err)
		part, err = audit.ReadPart(&stored, nil)
		fatal.If(t, err)
		if got := part.Report().Robots[0].Violations.Count; got != want {
			t.Errorf("slack %v: %+v, want %+v", slack, got, want)
		}
	}
}

// TestJudgeHost judges a request whose line names no host, by the versions of the host that the
// options name for such lines, as the report does.
func TestJudgeHost(t *testing.T) {
	t.Parallel()
	auditor, err := audit.New(audit.Options{Host: "shop.example.com", Sites: map[string][]audit.Version{
		"shop.example.com": {{ID: "robots.txt", Text: []byte("User-agent: *\nDisallow: /private\n")}},
	}})
	fatal.If(t, err)
	const line = `198.51.100.7 - - [02/Mar/2026:01:00:00 +0000] "GET /private HTTP/1.1" 200 5 "-" "NovelBot/1.0"`
	part := readLines(t, auditor, 1, []string{line})
	if n := part.Report().Robots[0].Violations.Certain; n != 1 {
		t.Fatalf("the report has %d certain violations", n)
	}
	judge := part.Judge()
	for r, err := range new(accesslog.Reader).From("log", strings.NewReader(line)).Requests() {
		fatal.If(t, err)
		if j := judge.Judge(r); j.Class != audit.Certain || j.Rule.Line != 2 {
			t.Errorf("%+v", j)
		}
	}
}
