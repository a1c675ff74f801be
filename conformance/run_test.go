package conformance

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// sections are four asks in two profiles. All answers are "allowed", and the second one has a
// line.
var sections = []Section{
	{Profile: "rfc9309", Section: "1", Cases: []Case{{
		Name: "text", Robots: "User-agent: *\nAllow: /b\n",
		Asks: []Ask{{Agent: "*", URL: "/a", Allowed: true}, {Agent: "*", URL: "/b", Allowed: true, Line: 2}},
	}}},
	{Profile: "google", Section: "2", Cases: []Case{{
		Name: "octets", RobotsBase64: []byte("\xff"),
		Asks: []Ask{{Agent: "", URL: "/c", Allowed: true}},
	}, {
		Name: "empty", RobotsBase64: []byte{},
		Asks: []Ask{{Agent: "FooBot", URL: "/d", Allowed: true}},
	}}},
}

// TestMain runs more tests in parallel than there are processors: most wait for a timeout.
func TestMain(m *testing.M) {
	flag.Set("test.parallel", "8")
	os.Exit(m.Run())
}

// program returns this test binary as a program that behaves as [TestAct] says.
func program(t *testing.T, act string) *Program {
	t.Helper()
	self, err := os.Executable()
	fatal.If(t, err)
	return &Program{Args: []string{self, "-test.run=^TestAct$", "act", act}, Timeout: 10 * time.Second}
}

// TestAct is not a test: it is the program under test when the binary is started by [program].
func TestAct(t *testing.T) {
	if flag.Arg(0) != "act" {
		return
	}
	act := flag.Arg(1)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	answer := func(n int) { fmt.Printf("{\"id\":%d,\"allowed\":true}\n", n) }
	switch act {
	case "deaf": // and dumb
		time.Sleep(time.Hour)
	case "dead":
		fmt.Fprintln(os.Stderr, "Traceback:\n\tso much\nValueError: no robots today")
		os.Exit(3)
	case "endless-line":
		for {
			os.Stdout.WriteString(strings.Repeat("x", 1<<16))
		}
	case "endless-lines":
		for {
			os.Stdout.WriteString(strings.Repeat("x\n", 1<<15))
		}
	case "late": // reads all questions first, as programs may
		n := 0
		for in.Scan() {
			n++
		}
		for i := range n {
			answer(i + 1)
		}
		os.Exit(0)
	case "mute":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	}
	for n := 1; in.Scan(); n++ {
		switch {
		case n == 2 && act == "die":
			os.Exit(1)
		case n == 2 && act == "hang":
			time.Sleep(time.Hour)
		case n == 2 && act == "garbage":
			fmt.Println("\x1b[2J<html>")
			continue
		case n == 2 && act == "long":
			fmt.Println(strings.Repeat("x", 2<<20))
			continue
		case n == 2 && act == "wrong":
			fmt.Println(`{"id":2,"allowed":false}`)
			continue
		case n == 2 && act == "wrong-line":
			fmt.Println(`{"id":2,"allowed":true,"line":7}`)
			continue
		case n == 2 && act == "wrong-reason":
			fmt.Println(`{"id":2,"allowed":true,"reason":"no-rule"}`)
			continue
		case n == 2 && act == "right-line":
			fmt.Println(`{"id":2,"allowed":true,"line":2,"reason":"rule"}`)
			continue
		case n == 2 && act == "error":
			fmt.Println(`{"id":2,"error":"beyond me"}`)
			continue
		case n == 1 && act == "banner":
			fmt.Println("welcome to robots")
		case act == "chatty":
			fmt.Fprintln(os.Stderr, strings.Repeat("debug ", 20000))
		case n == 4 && act == "more":
			answer(n)
			answer(n + 1)
			continue
		case n == 4 && act == "linger":
			answer(n)
			time.Sleep(time.Hour)
		case n == 4 && act == "unended":
			fmt.Print(`{"id":4,"allowed":true}`)
			os.Exit(0)
		case act == "echo":
			// The whole question, so that a missing text is visible.
			fmt.Printf("{\"id\":%d,\"error\":%q}\n", n, in.Text())
			continue
		}
		answer(n)
	}
	os.Exit(0)
}

func TestRunProgram(t *testing.T) {
	for _, test := range []struct {
		act  string
		want string // parts of the report
	}{
		{"well", "rfc9309 2/2, google 2/2"},
		{"late", "rfc9309 2/2, google 2/2"},
		{"chatty", "rfc9309 2/2, google 2/2"},
		{"unended", "rfc9309 2/2, google 2/2"},
		{"right-line", "rfc9309 2/2, google 2/2"},
		{"wrong-line", "rfc9309 2/2 line rfc9309/1/text /b: want allowed by line 2, got allowed by line 7, google 2/2"},
		{"wrong-reason", "rfc9309 2/2 line rfc9309/1/text /b: want allowed by line 2, got allowed, google 2/2"},
		{"wrong", "rfc9309 1/2 miss rfc9309/1/text /b: want allowed by line 2, got disallowed, google 2/2"},
		{"error", "rfc9309 1/2 (1 errors) miss rfc9309/1/text /b: beyond me, google 2/2"},
		{"garbage", `rfc9309 1/2 (1 errors) miss rfc9309/1/text /b: not an answer: "\x1b[2J<html>"`},
		{"long",
			"rfc9309 1/2 (1 errors) miss rfc9309/1/text /b: not an answer: a line of more than 1048576 bytes, google 2/2"},
		{"banner", "rfc9309 0/2 (2 errors) miss rfc9309/1/text /a: not an answer"},
		{"banner", "miss rfc9309/1/text /b: the answer to another question: id \"1\", not 2"},
		{"more", "rfc9309 2/2, google 2/2; the program answered more lines than it was asked, such as \"{\\\"id\\\":5"},
		{"endless-lines", "rfc9309 0/2 (2 errors)"},
		{"dead",
			"rfc9309 0/2 (2 unanswered) miss rfc9309/1/text /a: the program ended before it answered: exit status 3: ValueError: no robots today"},
		{"die",
			"rfc9309 1/2 (1 unanswered) miss rfc9309/1/text /b: the program ended before it answered: exit status 1, google 0/2 (2 unanswered) miss google/2/octets /c:  miss google/2/empty /d: ; the program ended"},
		{"hang",
			"rfc9309 1/2 (1 unanswered) miss rfc9309/1/text /b: the program gave no answer within 5s and was stopped, google 0/2 (2 unanswered)"},
		{"deaf",
			"rfc9309 0/2 (2 unanswered) miss rfc9309/1/text /a: the program gave no answer within 5s and was stopped"},
		{"mute",
			"rfc9309 0/2 (2 unanswered) miss rfc9309/1/text /a: the program ended before it answered: signal: killed"},
		{"endless-line",
			"rfc9309 0/2 (2 unanswered) miss rfc9309/1/text /a: the program gave no answer within 5s and was stopped"},
		{"linger", "rfc9309 2/2, google 2/2; the program did not end within 5s after its last answer"},
		{"echo",
			`miss rfc9309/1/text /a: {"id":1,"robots":"User-agent: *\nAllow: /b\n","agent":"*","url":"/a","dialect":"rfc9309"}`},
		{"echo",
			`miss google/2/octets /c: {"id":3,"robots_base64":"/w==","agent":"","url":"/c","dialect":"google"} miss google/2/empty /d: {"id":4,"robots":"","agent":"FooBot","url":"/d","dialect":"google"}`},
	} {
		t.Run(test.act, func(t *testing.T) {
			t.Parallel()
			p := program(t, test.act)
			if strings.Contains(test.want, "5s") || test.act == "mute" {
				p.Timeout = 5 * time.Second
			}
			report, err := Run(t.Context(), p, sections)
			fatal.If(t, err)
			if got := describe(report); !strings.Contains(got, test.want) {
				t.Errorf("\ngot  %s\nwant %s", got, test.want)
			}
		})
	}
}

// describe writes a report on one line.
func describe(r Report) string {
	var b strings.Builder
	for i, a := range r.Profiles {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %d/%d", a.Profile, a.Agreed, a.Asks)
		if a.Errors > 0 {
			fmt.Fprintf(&b, " (%d errors)", a.Errors)
		}
		if a.Unanswered > 0 {
			fmt.Fprintf(&b, " (%d unanswered)", a.Unanswered)
		}
		for _, m := range a.Misses {
			if m.Got != nil {
				m.Error = fmt.Sprintf("want %v, got %v", m.Want, *m.Got)
			}
			fmt.Fprintf(&b, " miss %s %s: %s", m.Case, m.URL, m.Error)
		}
		for _, m := range a.WrongLines {
			fmt.Fprintf(&b, " line %s %s: want %v, got %v", m.Case, m.URL, m.Want, *m.Got)
		}
	}
	if r.Trouble != "" {
		fmt.Fprintf(&b, "; %s", r.Trouble)
	}
	return b.String()
}

// A program that does not read must not block Ask, even if the questions exceed the buffer of a
// pipe.
func TestRunDoesNotDeadlock(t *testing.T) {
	many := []Section{{Profile: "rfc9309", Cases: []Case{{Name: "large", Robots: strings.Repeat("# large\n", 1<<16)}}}}
	for range 20 {
		many[0].Cases[0].Asks = append(many[0].Cases[0].Asks, Ask{URL: "/", Allowed: true})
	}
	for _, act := range []string{"deaf", "dead", "well", "late", "endless-lines"} {
		t.Run(act, func(t *testing.T) {
			t.Parallel()
			p := program(t, act)
			if act == "deaf" {
				p.Timeout = 5 * time.Second
			}
			report, err := Run(t.Context(), p, many)
			fatal.If(t, err)
			a := report.Profiles[0]
			if got, want := a.Agreed == 20, act == "well" || act == "late"; got != want ||
				len(a.Misses) != 20-a.Agreed {
				t.Errorf("%d of %d agreed, %d missed", a.Agreed, a.Asks, len(a.Misses))
			}
		})
	}
}

func TestRunNotAsked(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, p := range []*Program{{}, {Args: []string{missing}}} {
		if _, err := Run(t.Context(), p, sections); !errors.Is(err, ErrNotAsked) {
			t.Errorf("%q: error %v, want one that is ErrNotAsked", p.Args, err)
		}
	}
}

func TestRunCanceled(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := Run(ctx, program(t, "deaf"), sections); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that of the context", err)
	}
}
