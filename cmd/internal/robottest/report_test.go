package robottest

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestLevels compares levels with the outcomes of four duties: a basic one, a polite one, an
// exemplary one, and an exemplary one that is optional.
func TestLevels(t *testing.T) {
	for _, test := range []struct {
		outcomes     [4]Outcome
		level, clean Level
	}{
		{[4]Outcome{Kept, Kept, Kept, NotShown}, Exemplary, Exemplary},
		{[4]Outcome{Kept, Kept, Kept, Broken}, Polite, Polite},
		{[4]Outcome{Kept, Kept, NotShown, Kept}, Polite, Exemplary},
		{[4]Outcome{Kept, NotShown, Kept, Kept}, Basic, Exemplary},
		{[4]Outcome{Kept, NotShown, Broken, Kept}, Basic, Polite},
		{[4]Outcome{NotShown, Kept, Kept, Kept}, None, Exemplary},
		{[4]Outcome{NotShown, Broken, Kept, Kept}, None, Basic},
		{[4]Outcome{Broken, Kept, Kept, Kept}, None, None},
	} {
		r := &Report{Requests: 1}
		for i, outcome := range test.outcomes {
			level := min(Basic+Level(i), Exemplary)
			r.Duties = append(r.Duties, Result{Duty: &Duty{Level: level, Optional: i == 3}, Outcome: outcome})
		}
		r.Level, r.Clean = r.reached(true), r.reached(false)
		if r.Level != test.level || r.Clean != test.clean {
			t.Errorf("%v: the level is %s, clean up to %s; want %s and %s", test.outcomes, r.Level, r.Clean, test.level,
				test.clean)
		}
		if got, want := r.Passes(None, false), test.clean == Exemplary; got != want {
			t.Errorf("%v: passes without a level: %t, want %t", test.outcomes, got, want)
		}
		for level := Basic; level <= Exemplary; level++ {
			if got, want := r.Passes(level, false), test.level >= level; got != want {
				t.Errorf("%v: passes as %s: %t, want %t", test.outcomes, level, got, want)
			}
			if got, want := r.Passes(level, true), test.clean >= level; got != want {
				t.Errorf("%v: passes as %s without proof: %t, want %t", test.outcomes, level, got, want)
			}
		}
	}
	some := &Report{Requests: 1, Selected: true, Duties: []Result{{Duty: &Duty{Level: Polite}, Outcome: NotShown}}}
	for _, test := range []struct {
		required       Level
		untested, want bool
	}{{None, false, true}, {Basic, false, true}, {Polite, false, false}, {Polite, true, true}} {
		if got := some.Passes(test.required, test.untested); got != test.want {
			t.Errorf("one polite duty that is not shown: passes as %s, untested %t: %t", test.required, test.untested,
				got)
		}
	}
	nobody := &Report{Level: None, Clean: Exemplary}
	if nobody.Passes(None, true) || nobody.reached(false) != None {
		t.Error("a test without a robot passes")
	}
}

// TestReasonsInLanguages prints a report on a robot that breaks one duty and shows none else, in
// each language.
func TestReasonsInLanguages(t *testing.T) {
	web, err := Start(t.Context(), Options{Agent: "ModelBot", Duties: []string{"disallow", "pause"}})
	fatal.If(t, err)
	defer web.Close()
	ask(t, web, "GET /private/page HTTP/1.1\r\nHost: disallow.test")
	report, err := web.Report()
	fatal.If(t, err)
	for l, want := range map[language.Language][2]string{
		language.English: {"line 5 of robots.txt disallows it: Disallow: /private/",
			"the robot requested 0 pages of pause.test, and the test needs 10"},
		language.Spanish: {"la línea 5 de robots.txt lo prohíbe: Disallow: /private/",
			"páginas de pause.test que pidió el robot: 0, y hacen falta 10"},
		language.Korean:  {"robots.txt 5행이 금지함: Disallow: /private/", "로봇이 pause.test의 페이지 0개를 요청함: 10개가 필요함"},
		language.Russian: {"строка 5 файла robots.txt это запрещает: Disallow: /private/", "страниц pause.test запрошено: 0, а нужно 10"},
	} {
		var text strings.Builder
		(&Printer{W: &text, Language: l}).Report(report)
		for _, line := range want {
			if !strings.Contains(text.String(), "\n             "+line+"\n") {
				t.Errorf("%v: the report has no line %q:\n%s", l, line, &text)
			}
		}
	}
	if got, want := report.Duties[0].Reason, "line 5 of robots.txt disallows it: Disallow: /private/"; got != want {
		t.Errorf("the JSON says %q, want %q", got, want)
	}
}

// TestNobody reports on a test that no robot came to: lists are empty in JSON, and not null.
func TestNobody(t *testing.T) {
	web, err := Start(t.Context(), Options{Duties: []string{"disallow"}})
	fatal.If(t, err)
	defer web.Close()
	report, err := web.Report()
	fatal.If(t, err)
	data, err := json.Marshal(report)
	fatal.If(t, err)
	if !bytes.Contains(data, []byte(`"tokens":[],"user_agents":[]`)) || bytes.Contains(data, []byte("null")) {
		t.Errorf("got %s", data)
	}
}

// TestFewRequests checks the reasons for a robot that requested the start page and robots.txt of
// another host, as a program that mirrors one site does, and that the tokens of a web without a
// robot are an empty list.
func TestFewRequests(t *testing.T) {
	web, err := Start(t.Context(), Options{})
	fatal.If(t, err)
	defer web.Close()
	check := func(want map[string]string) {
		t.Helper()
		report, err := web.Report()
		fatal.If(t, err)
		for _, d := range report.Duties {
			if reason, ok := want[d.ID]; ok && (d.Outcome != NotShown || d.Reason != reason) {
				t.Errorf("%s: %v, %q; want %q", d.ID, d.Outcome, d.Reason, reason)
			}
		}
		if text := string(printable.AppendJSON(nil, report)); !strings.Contains(text, `"tokens":[`) {
			t.Errorf("the tokens are not a list: %.200s", text)
		}
	}
	check(map[string]string{"robots-first": "the robot requested no page",
		"disallow": "the robot did not visit disallow.test"})
	exchange(t, web, "GET / HTTP/1.1\r\nHost: start.test\r\nUser-Agent: ExampleBot/1.0\r\n\r\n")
	exchange(t, web, "GET /robots.txt HTTP/1.1\r\nHost: disallow.test\r\nUser-Agent: ExampleBot/1.0\r\n\r\n")
	check(map[string]string{"robots-first": "the robot requested no page but the start page",
		"disallow": "the robot requested robots.txt of disallow.test, and no page"})
}
