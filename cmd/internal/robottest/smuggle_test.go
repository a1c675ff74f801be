package robottest

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestSmuggled sends bodies and heads that could be taken for other requests or for other hosts.
// The report counts the requests that the web answered for its hosts, and no others.
func TestSmuggled(t *testing.T) {
	const inner = "GET /private/page HTTP/1.1\r\nHost: disallow.test\r\n\r\n"
	tests := []struct {
		why, text string
		answers   int
		requests  int
		strange   int
	}{
		{"a request in a body", fmt.Sprintf("POST / HTTP/1.1\r\nHost: start.test\r\nContent-Length: %d\r\n\r\n%s",
			len(inner), inner), 1, 1, 0},
		{"a request in a chunk",
			fmt.Sprintf("POST / HTTP/1.1\r\nHost: start.test\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(inner), inner), 1, 1, 0},
		{"a length and chunks",
			fmt.Sprintf("POST / HTTP/1.1\r\nHost: start.test\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(inner), inner), 1, 1, 0},
		{"two lengths",
			fmt.Sprintf("POST / HTTP/1.1\r\nHost: start.test\r\nContent-Length: 0\r\nContent-Length: %d\r\n\r\n%s",
				len(inner), inner), 1, 0, 0},
		{"a chunked encoding that is not the last",
			"POST / HTTP/1.1\r\nHost: start.test\r\nTransfer-Encoding: chunked, x\r\n\r\n" + inner, 1, 0, 0},
		{"white space before a colon", "GET / HTTP/1.1\r\nHost: start.test\r\nHost : disallow.test\r\n\r\n", 1, 0, 0},
		{"two hosts", "GET / HTTP/1.1\r\nHost: start.test\r\nHost: disallow.test\r\n\r\n", 1, 0, 0},
		{"a head of 100 KB", "GET / HTTP/1.1\r\nHost: start.test\r\nX: " + strings.Repeat("x", 100_000) + "\r\n\r\n", 1,
			0, 0},
		{"another host in absolute form", "GET http://example.com/ HTTP/1.1\r\nHost: start.test\r\n\r\n", 1, 0, 1},
		{"a user in absolute form", "GET http://start.test@example.com/ HTTP/1.1\r\nHost: start.test\r\n\r\n", 1, 0, 1},
		{"a tunnel with a request in it",
			"CONNECT start.test:80 HTTP/1.1\r\nHost: start.test\r\nContent-Length: 0\r\n\r\n", 1, 0, 0},
		{"two requests at once", strings.Repeat("GET / HTTP/1.1\r\nHost: start.test\r\n\r\n", 2), 2, 2, 0},
	}
	for _, test := range tests {
		web, err := Start(context.Background(), Options{})
		fatal.If(t, err)
		answers := strings.Count(exchange(t, web, test.text), "HTTP/1.1 ")
		report, err := web.Report()
		web.Close()
		fatal.If(t, err)
		if answers != test.answers || report.Requests != test.requests || web.notes.Strange != test.strange {
			t.Errorf("%s: %d answers, %d requests to the web and %d to other hosts; want %d, %d and %d",
				test.why, answers, report.Requests, web.notes.Strange, test.answers, test.requests, test.strange)
		}
	}
}

// exchange sends a text that may be broken, and returns all answers.
func exchange(t *testing.T, w *Web, text string) string {
	t.Helper()
	c, err := net.Dial("tcp", w.Address())
	fatal.If(t, err)
	defer c.Close()
	_, _ = io.WriteString(c, text) // the server may have closed the connection
	_ = c.(*net.TCPConn).CloseWrite()
	answers, _ := io.ReadAll(c) // or may reset it
	return string(answers)
}

// TestSentAhead checks that a robot is not accused of what it sent before it had an answer.
func TestSentAhead(t *testing.T) {
	for _, test := range []struct {
		why   string
		parts []string // each is sent once the answers to the one before are there
		want  Outcome
	}{
		{"all at once", []string{"/ /first /a /b /c"}, NotShown},
		{"one after the other", []string{"/", "/first", "/a", "/b"}, Broken},
		{"the last ones after the answer", []string{"/ /first", "/a /b"}, Broken},
	} {
		web, err := Start(context.Background(), Options{Duties: []string{"retry-after"}})
		fatal.If(t, err)
		c, err := net.Dial("tcp", web.Address())
		fatal.If(t, err)
		for _, part := range test.parts {
			var text strings.Builder
			paths := strings.Fields(part)
			for _, path := range paths {
				fmt.Fprintf(&text, "GET %s HTTP/1.1\r\nHost: retry-seconds.test\r\n\r\n", path)
			}
			if _, err := io.WriteString(c, text.String()); err != nil {
				t.Fatal(err)
			}
			var answers bytes.Buffer
			for strings.Count(answers.String(), "</html>")+strings.Count(answers.String(),
				"Too Many Requests\n") < len(paths) {
				if _, err := io.CopyN(&answers, c, 1); err != nil {
					t.Fatal(err)
				}
			}
		}
		c.Close()
		report, err := web.Report()
		web.Close()
		fatal.If(t, err)
		if got := report.Duties[0]; got.Outcome != test.want {
			t.Errorf("%s: %s, want %s: %s", test.why, got.Outcome, test.want, got.Reason)
		}
	}
}

// TestSlowClients has clients that send a part of a head or of a body, and wait. The web closes
// their connections.
func TestSlowClients(t *testing.T) {
	o := Options{}
	o.clock = clock{now: time.Now, request: 50 * time.Millisecond}
	web, err := Start(context.Background(), o)
	fatal.If(t, err)
	defer web.Close()
	for _, text := range []string{
		"",
		"GET / HTTP/1.1\r\nHost: start.test\r\nX: ",
		"POST / HTTP/1.1\r\nHost: start.test\r\nContent-Length: 1000\r\n\r\nx",
		"POST / HTTP/1.1\r\nHost: start.test\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\nx",
	} {
		c, err := net.Dial("tcp", web.Address())
		fatal.If(t, err)
		_, _ = io.WriteString(c, text)
		_, _ = io.Copy(io.Discard, c) // until the server closes the connection
		c.Close()
	}
}

// TestInjected has a robot put markup and escapes into a target and a User-Agent. The reports show
// them as text: JUnit has as many cases as the report has duties.
func TestInjected(t *testing.T) {
	web, err := Start(context.Background(), Options{Duties: []string{"disallow", "contact"}})
	fatal.If(t, err)
	defer web.Close()
	const target = "/private/\"/></testcase><testcase/name=\"x\">]]><!--%0a%1b[2J\\n\u202e"
	exchange(t, web, "GET "+target+
		" HTTP/1.1\r\nHost: disallow.test\r\nUser-Agent: \"}]}<failure/>\u2028\u009b2J\r\n\r\n")
	report, err := web.Report()
	fatal.If(t, err)
	checkOutputs(t, report)
	var junit bytes.Buffer
	fatal.If(t, WriteJUnit(&junit, report))
	var read struct {
		Cases []struct {
			Failure string `xml:"failure"`
		} `xml:"testsuite>testcase"`
	}
	fatal.If(t, xml.Unmarshal(junit.Bytes(), &read))
	if len(read.Cases) != 2 || !strings.Contains(read.Cases[0].Failure, "</testcase><testcase/name=") {
		t.Errorf("JUnit has the cases %q", read.Cases)
	}
	if got := string(printable.JSON(printable.AppendJSON(nil, report))); strings.Contains(got, "\u2028") ||
		!strings.Contains(got, "/private/") {
		t.Errorf("JSON: %s", got)
	}
}
