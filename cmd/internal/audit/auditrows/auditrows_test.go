package auditrows

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A written is what Write wrote, read back.
type written struct {
	report     *audit.Report
	rows       []row
	violations []violation
}

const policy = "User-agent: *\nDisallow: /private\n"

// forger is the address of a forger.
var forger = netip.MustParseAddr("192.0.2.66")

func newPart(t *testing.T, names ...string) (*accesslog.Reader, *audit.Part, []accesslog.Log) {
	t.Helper()
	// The policy was in force from the second day on; before, everything was allowed.
	auditor, err := audit.New(audit.Options{
		Sites: map[string][]audit.Version{"": {
			{ID: "old", State: audit.Nothing},
			{ID: "new", From: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), State: audit.Served, Text: []byte(policy)},
		}},
		Identify: func(_ agent.Agent, client netip.Addr) agent.Result {
			if client == forger {
				return agent.Forged
			}
			return agent.Unverifiable
		},
	})
	fatal.If(t, err)
	combined, err := accesslog.ParseFormat("combined")
	fatal.If(t, err)
	reader := &accesslog.Reader{Formats: []*accesslog.Format{combined}}
	scan := reader.Open(names...)
	part, err := auditor.Read(scan, 2)
	fatal.If(t, err)
	return reader, part, scan.Logs()
}

// writeAll writes the requests of logs with these texts, and reads back what was written.
func writeAll(t *testing.T, hide Hider, texts ...string) written {
	t.Helper()
	var names []string
	for i, text := range texts {
		names = append(names, filepath.Join(t.TempDir(), strconv.Itoa(i)+".log"))
		fatal.If(t, os.WriteFile(names[i], []byte(text), 0o666))
	}
	reader, part, logs := newPart(t, names...)
	var rows, violations bytes.Buffer
	fatal.If(t, Write(t.Context(), reader, logs, part.Judge(), Options{Rows: &rows, Violations: &violations,
		Hide: hide}))
	w := written{report: part.Report()}
	w.rows = readRows(t, rows.String())
	for line := range strings.Lines(violations.String()) {
		var v violation
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		w.violations = append(w.violations, v)
	}
	return w
}

// readRows reads rows back, which have the same members, in the same order.
func readRows(t *testing.T, lines string) (rows []row) {
	t.Helper()
	const members = "log line time host client method target path status bytes user_agent referrer " +
		"robot kind identity class unjudged version rule_line rule"
	for line := range strings.Lines(lines) {
		var r row
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		rows = append(rows, r)
		var names []string
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.Token() // the brace
		for decoder.More() {
			name, _ := decoder.Token()
			names = append(names, name.(string))
			decoder.Token()
		}
		if got := strings.Join(names, " "); got != members {
			t.Errorf("a row has the members %q, want %q", got, members)
		}
	}
	return rows
}

// number returns a number, and 0 for null.
func number(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// said returns a text, and "" for null.
func said(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func logLine(client, day, target, header string) string {
	return client + ` - - [` + day + `/Mar/2026:12:00:00 +0000] "GET ` + target + ` HTTP/1.1" 200 512 "-" "` + header +
		"\"\n"
}

// Each request has a row, and each disallowed one a violation with its line.
func TestWrite(t *testing.T) {
	const bot = "ExampleBot/1.0"
	first := logLine("192.0.2.1", "05", "/private/a", bot) + "what is this\n" + logLine("192.0.2.2", "05", "/open", bot)
	second := logLine("192.0.2.3", "02", "/private/b", bot) + logLine("192.0.2.66", "05", "/private/c", "GPTBot/1.2") +
		logLine("192.0.2.4", "05", "/private/d",
			"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0") +
		logLine("192.0.2.1", "05", "/robots.txt", bot)
	w := writeAll(t, nil, first, second)

	var got []string
	for _, r := range w.rows {
		got = append(got, strings.Join([]string{filepath.Base(r.Log), strconv.Itoa(r.Line), said(r.Path), said(r.Robot),
			said(r.Kind), said(r.Identity),
			said(r.Class), said(r.Unjudged), said(r.Version), strconv.Itoa(number(r.RuleLine)), said(r.Rule)}, "|"))
	}
	want := []string{
		"0.log|1|/private/a|ExampleBot|robot|unverifiable|certain||new|2|Disallow: /private",
		"0.log|3|/open|ExampleBot|robot|unverifiable|allowed|||0|",
		"1.log|1|/private/b|ExampleBot|robot|unverifiable|grace||new|2|Disallow: /private",
		"1.log|2|/private/c|GPTBot|robot|forged||forged|new|2|Disallow: /private",
		"1.log|3|/private/d|||||person||0|",
		"1.log|4|/robots.txt|ExampleBot|robot|unverifiable||robots.txt||0|",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("rows:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	r := w.rows[0]
	if said(r.Client) != "192.0.2.1" || number(r.Status) != 200 || r.Bytes == nil || *r.Bytes != 512 ||
		said(r.UserAgent) != bot || said(r.Method) != "GET" ||
		!r.Time.Equal(time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC)) || r.Referrer != nil || r.Host != nil {
		t.Errorf("the first row is %+v", r)
	}

	got = nil
	for _, v := range w.violations {
		got = append(got, strings.Join([]string{filepath.Base(v.Log), strconv.Itoa(v.Line), v.Client, v.Token, v.Class,
			v.Version, v.Rule, v.Text}, "|"))
	}
	want = []string{
		"0.log|1|192.0.2.1|ExampleBot|certain|new|Disallow: /private|" + strings.Split(first, "\n")[0],
		"1.log|1|192.0.2.3|ExampleBot|grace|new|Disallow: /private|" + strings.Split(second, "\n")[0],
		"1.log|2|192.0.2.66|GPTBot|forged|new|Disallow: /private|" + strings.Split(second, "\n")[1],
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("violations:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A log without requests gives a file without rows.
func TestWriteEmpty(t *testing.T) {
	for _, texts := range [][]string{{""}, {"\n\n"}, {"what is this\n"}, nil} {
		w := writeAll(t, nil, texts...)
		if len(w.rows) != 0 || len(w.violations) != 0 {
			t.Errorf("%q: %d rows, %d violations", texts, len(w.rows), len(w.violations))
		}
	}
}

// Whatever bytes a stranger writes, texts are UTF-8, and lines of JSON have no control characters.
func TestWriteHostile(t *testing.T) {
	targets := []string{`/private/\xFF\xFE`, "/private/\xff\xc0\xaf", "/private/\x1b[31m\x00",
		"/private/\u202e\u0085\u2028", `/private/%00'\";--`, "/private/é"}
	log := ""
	for _, target := range targets {
		log += logLine("192.0.2.1", "05", target, "Examp\xc3leBot/1.0 \x1b]0;x\x07 =cmd()")
	}
	w := writeAll(t, nil, log)
	if len(w.rows) != len(targets) || len(w.violations) != len(targets) {
		t.Fatalf("%d rows, %d violations, want %d", len(w.rows), len(w.violations), len(targets))
	}
	for i, want := range []string{"/private/%FF%FE", "/private/%FF%C0%AF", "/private/\x1b[31m\x00",
		"/private/\u202e\u0085\u2028", `/private/%00'";--`, "/private/é"} {
		r := w.rows[i]
		if said(r.Path) != want {
			t.Errorf("%q: the path is %q, want %q", targets[i], said(r.Path), want)
		}
		if said(r.UserAgent) != `Examp\xC3leBot/1.0 `+"\x1b]0;x\x07 =cmd()" {
			t.Errorf("the User-Agent is %q", said(r.UserAgent))
		}
		for _, s := range []string{r.Log, said(r.Target), said(r.Path), said(r.UserAgent), said(r.Robot),
			said(r.Rule)} {
			if !utf8.ValidString(s) {
				t.Errorf("%q is not UTF-8", s)
			}
		}
	}
	name := filepath.Join(t.TempDir(), "access.log")
	fatal.If(t, os.WriteFile(name, []byte(log), 0o666))
	reader, part, logs := newPart(t, name)
	var rows, violations bytes.Buffer
	fatal.If(t, Write(t.Context(), reader, logs, part.Judge(),
		Options{Rows: &rows, Violations: &violations}))
	for _, c := range rows.String() + violations.String() {
		if c < ' ' && c != '\n' || c == 0x7F || c == 0x85 || c == 0x202E || c == 0x2028 || c == utf8.RuneError {
			t.Errorf("there is %U in %q", c, rows.String()+violations.String())
		}
	}
}

// TestEscaped compares escaped with a plain reading of its comment.
func TestEscaped(t *testing.T) {
	for in, want := range map[string][2]string{
		"":                 {"", ""},
		"a\xffb":           {`a\xFFb`, "a%FFb"},
		"\xe2\x82":         {`\xE2\x82`, "%E2%82"},
		"\xed\xa0\x80":     {`\xED\xA0\x80`, "%ED%A0%80"},
		"\uFFFD€":          {"\uFFFD€", "\uFFFD€"},
		"\xf4\x90\x80\x80": {`\xF4\x90\x80\x80`, "%F4%90%80%80"},
	} {
		if got := [2]string{text([]byte(in)), urlText([]byte(in))}; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

type hider struct{}

func (hider) Address(netip.Addr) string { return "hidden" }
func (hider) Text(s string) string      { return strings.ReplaceAll(s, "192.0.2.1", "hidden") }

// Hidden addresses are in no column and no line.
func TestWriteHidden(t *testing.T) {
	w := writeAll(t, hider{}, logLine("192.0.2.1", "05", "http://192.0.2.1/private?for=192.0.2.1",
		"192.0.2.1ExampleBot/1.0 (192.0.2.1)"))
	if len(w.rows) != 1 || len(w.violations) != 1 {
		t.Fatalf("%d rows, %d violations", len(w.rows), len(w.violations))
	}
	r, v := w.rows[0], w.violations[0]
	for _, s := range []string{said(r.Client), said(r.Host), said(r.Robot), v.Token, said(r.Target), said(r.Path),
		said(r.UserAgent), v.Client, v.Text} {
		if !strings.Contains(s, "hidden") || strings.Contains(s, "192.0.2.1") {
			t.Errorf("%q has the address", s)
		}
	}
}

// Lines that were added since the first reading are left out, and other changes are an error.
func TestWriteChanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "access.log")
	line := logLine("192.0.2.1", "05", "/private/a", "ExampleBot/1.0")
	put := func(text string) {
		fatal.If(t, os.WriteFile(name, []byte(text), 0o666))
	}
	put(line + line)
	reader, part, logs := newPart(t, name)
	put(line + line + line)
	var b bytes.Buffer
	fatal.If(t, Write(t.Context(), reader, logs, part.Judge(), Options{Rows: &b}))
	if rows := readRows(t, b.String()); len(rows) != 2 {
		t.Errorf("%d rows, want the 2 of the first reading", len(rows))
	}
	put(line)
	if err := Write(t.Context(), reader, logs, part.Judge(), Options{Rows: &b}); err == nil ||
		!strings.Contains(err.Error(), "has changed between its two readings: it had 2 requests, and has 1") {
		t.Errorf("a shorter log: %v", err)
	}
	fatal.If(t, os.Remove(name))
	if err := Write(t.Context(), reader, logs, part.Judge(), Options{Rows: &b}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a log that is gone: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	put(line + line)
	if err := Write(ctx, reader, logs, part.Judge(), Options{Rows: &b}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context has ended: %v", err)
	}
}

// A failing disk is an error of every output.
func TestWriteFull(t *testing.T) {
	name := filepath.Join(t.TempDir(), "access.log")
	fatal.If(t, os.WriteFile(name, []byte(logLine("192.0.2.1", "05", "/private/a", "ExampleBot/1.0")),
		0o666))
	reader, part, logs := newPart(t, name)
	for _, o := range []Options{{Rows: full{}}, {Violations: full{}}} {
		if err := Write(t.Context(), reader, logs, part.Judge(), o); !errors.Is(err, errFull) {
			t.Errorf("got %v", err)
		}
	}
}

type full struct{}

var errFull = errors.New("no space")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestCheckLogs checks which logs can be read twice.
func TestCheckLogs(t *testing.T) {
	regular := filepath.Join(t.TempDir(), "access.log")
	fatal.If(t, os.WriteFile(regular, nil, 0o666))
	if err := CheckLogs([]string{regular, regular + ".missing"}); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"-", t.TempDir(), os.DevNull} {
		if err := CheckLogs([]string{regular, name}); err == nil ||
			!strings.Contains(err.Error(), "cannot be read twice") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
