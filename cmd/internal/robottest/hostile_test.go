package robottest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestHostile has a robot send what no robot should send. The web goes on, keeps a limited number
// of requests, says that it does, and shows nothing that a terminal or a reader of XML would obey.
func TestHostile(t *testing.T) {
	var log bytes.Buffer
	web, err := Start(context.Background(), Options{Log: &log})
	fatal.If(t, err)
	defer web.Close()
	for _, head := range []string{
		"\x16\x03\x01\x02\x00\x01",
		"GET",
		"GET / HTTP/9.9",
		"GET \x1b[31m HTTP/1.1\r\nHost: start.test",
		"G\x07T / HTTP/1.1\r\nHost: start.test",
		"GET http:// HTTP/1.1\r\nHost: ",
		"GET * HTTP/1.1\r\nHost: start.test",
		"OPTIONS * HTTP/1.1\r\nHost: start.test",
		"GET http://disallow.test:99999/ HTTP/1.1\r\nHost: disallow.test",
		"GET http://[::1/ HTTP/1.1\r\nHost: start.test",
		"GET //disallow.test/private/ HTTP/1.1\r\nHost: start.test",
		"GET / HTTP/1.1\r\nHost: start.test\r\nX: " + strings.Repeat("x", 1<<20),
		"GET /" + strings.Repeat("%1b", 4000) + " HTTP/1.1\r\nHost: start.test",
		"GET /\u202e\u009b31m HTTP/1.1\r\nHost: disallow.test\r\nUser-Agent: Bad\u009bBot\u202e\"]]> <x> \\",
	} {
		exchange(t, web, head+"\r\nConnection: close\r\n\r\n")
	}
	const requests = maxPages + 100
	c, err := net.Dial("tcp", web.Address())
	fatal.If(t, err)
	defer c.Close()
	answers := bufio.NewReader(c)
	for i := range requests {
		fmt.Fprintf(c, "GET /private/%d HTTP/1.1\r\nHost: disallow.test\r\nUser-Agent: FloodBot/%d\r\n\r\n", i, i)
		answer, err := http.ReadResponse(answers, nil)
		fatal.If(t, err)
		io.Copy(io.Discard, answer.Body)
	}
	report, err := web.Report()
	fatal.If(t, err)
	if n := len(web.byName["disallow.test"].requests); n != maxPages {
		t.Errorf("%d requests are kept, want %d", n, maxPages)
	}
	if want := fmt.Sprintf("requests to disallow.test: it keeps the first %d of a host",
		maxPages); !strings.Contains(strings.Join(report.Notes, "\n"), want) {
		t.Errorf("the notes %q do not say %q", report.Notes, want)
	}
	if len(report.UserAgents) > maxAgents || len(report.Tokens) > maxTokens {
		t.Errorf("%d User-Agent fields and %d tokens are kept, want %d and %d at most", len(report.UserAgents),
			len(report.Tokens), maxAgents, maxTokens)
	}
	checkOutputs(t, report)
	if i := strings.IndexFunc(log.String(), func(c rune) bool { return c != '\n' && (c < ' ' || c > '~') }); i >= 0 {
		t.Errorf("the log has %q", log.String()[i:i+10])
	}
}

// checkOutputs checks that the forms of a report have no control characters.
func checkOutputs(t *testing.T, r *Report) {
	t.Helper()
	var text, junit bytes.Buffer
	(&Printer{W: &text}).Report(r)
	fatal.If(t, WriteJUnit(&junit, r))
	if err := xml.Unmarshal(junit.Bytes(), new(struct {
		XMLName xml.Name `xml:"testsuites"`
	})); err != nil {
		t.Errorf("JUnit: %v", err)
	}
	for name, output := range map[string]string{"text": text.String(), "junit": junit.String(),
		"json": string(printable.JSON(printable.AppendJSON(nil, r)))} {
		for line := range strings.Lines(output) {
			if !printable.IsText(strings.TrimSuffix(line, "\n")) {
				t.Errorf("%s: %q is not printable", name, line)
			}
		}
	}
}

// TestFlood opens more connections than the web has places for: others are closed, and the web goes
// on.
func TestFlood(t *testing.T) {
	web, err := Start(context.Background(), Options{})
	fatal.If(t, err)
	defer web.Close()
	var open []net.Conn
	for range maxConns + 20 {
		c, err := net.Dial("tcp", web.Address())
		if err != nil {
			break // the system has no more
		}
		io.WriteString(c, "GET / HT")
		open = append(open, c)
	}
	all := len(open) == maxConns+20
	for all && web.closed.Load() < 20 {
		time.Sleep(time.Millisecond)
	}
	for _, c := range open {
		c.Close()
	}
	report, err := web.Report()
	fatal.If(t, err)
	if want := []string{fmt.Sprintf("closed 20 connections without an answer: the web serves %d at a time",
		maxConns)}; all && !slices.Equal(report.Notes, want) {
		t.Errorf("the notes are %q, want %q", report.Notes, want)
	}
	for { // until the server has noticed that the others are gone
		answer, err := http.Get(web.StartPage())
		if err == nil {
			answer.Body.Close()
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// TestMoreThanIsKept has robots make more requests than the web keeps. Duties that each request
// shows by itself are judged by all requests, and the first page and the first robots.txt are kept
// in any case.
func TestMoreThanIsKept(t *testing.T) {
	const named, contact = "GoodBot/1.0", "GoodBot/1.0 (+https://example.com/bot)"
	tests := []struct {
		why                          string
		method, agent                string // of the last request
		name, contact, methods, once Outcome
	}{
		{"a good robot", "GET", contact, Kept, Kept, Kept, NotShown},
		{"the last request has no contact", "GET", named, Kept, Broken, Kept, NotShown},
		{"the last request has no name", "GET", "Mozilla/5.0", Broken, Broken, Kept, NotShown},
		{"the last request sends a form", "POST", contact, Kept, Kept, Broken, NotShown},
	}
	for _, test := range tests {
		web, err := Start(t.Context(), Options{})
		fatal.If(t, err)
		visit := func(method, url, agent string) {
			in := httptest.NewRequest(method, url, nil)
			in.Header.Set("User-Agent", agent)
			web.ServeHTTP(httptest.NewRecorder(), in)
		}
		for range maxFiles + 50 {
			visit("GET", "http://side-effects.test/robots.txt", contact)
		}
		visit("GET", "http://side-effects.test/", contact)
		for i := range maxPages + 50 {
			visit("GET", fmt.Sprintf("http://side-effects.test/?%d%s", i, strings.Repeat("x", 2*maxText)), contact)
		}
		visit("GET", "http://pause.test/robots.txt", contact)
		visit(test.method, "http://side-effects.test/", test.agent)
		report, err := web.Report()
		web.Close()
		fatal.If(t, err)
		want := map[string]Outcome{"robots-first": Kept, "name": test.name, "contact": test.contact,
			"safe-methods": test.methods,
			"once":         test.once, "robots-kept": Broken}
		for _, result := range report.Duties {
			if outcome, ok := want[result.ID]; ok && result.Outcome != outcome {
				t.Errorf("%s: %s is %s, want %s: %s", test.why, result.ID, result.Outcome, outcome, result.Reason)
			}
		}
		if want := maxFiles + maxPages + 103; report.Requests != want {
			t.Errorf("%s: the report counts %d requests, want %d", test.why, report.Requests, want)
		}
		for _, r := range web.byName["side-effects.test"].requests {
			if len(r.path) > maxText || len(r.Target) > maxText {
				t.Fatalf("%s: %d bytes of a target are kept", test.why, max(len(r.path), len(r.Target)))
			}
		}
		if test.why != "a good robot" {
			continue
		}
		if newest := report.Duties[0]; newest.Reason != "" ||
			!slices.ContainsFunc(report.Notes, func(note string) bool {
				return strings.HasPrefix(note, "the report only counts 102 requests to side-effects.test")
			}) {
			t.Errorf("the notes are %q", report.Notes)
		}
	}
}
