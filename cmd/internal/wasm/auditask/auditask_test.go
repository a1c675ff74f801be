package auditask_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/cmd/internal/wasm/auditask"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A browser gives logs to an engine.
type browser struct {
	t    *testing.T
	e    *engine.Engine
	logs []io.Reader
}

func newBrowser(t *testing.T) *browser {
	b := &browser{t: t}
	b.e = engine.New(auditask.Questions(func(log int) io.Reader { return b.logs[log] })...)
	return b
}

// ask returns an answer as text, or the error.
func (b *browser) ask(name string, question map[string]any) (string, error) {
	b.t.Helper()
	object, err := json.Marshal(question)
	if err != nil {
		b.t.Fatal(err)
	}
	answer, err := b.e.Ask(name, object)
	if err == nil && !json.Valid(answer) {
		b.t.Errorf("%s: the answer is no JSON: %.200q", name, answer)
	}
	return string(answer), err
}

// audit audits logs, and returns the answer.
func (b *browser) audit(robots string, logs ...string) (string, error) {
	b.t.Helper()
	b.logs = nil
	names := []string{}
	for i, log := range logs {
		b.logs = append(b.logs, strings.NewReader(log))
		names = append(names, fmt.Sprintf("%d.log", i))
	}
	return b.ask("audit", map[string]any{"robots": robots, "logs": names})
}

const closed = "User-agent: *\nDisallow: /\n"

func line(second int, path string) string {
	return fmt.Sprintf("192.0.2.77 - - [02/Mar/2026:02:00:%02d +0000] \"GET %s HTTP/1.1\" 200 5 \"-\" \"Evilbot/1.0 (+http://x.example)\"\n", second, path)
}

// TestParts audits the lines of a log in several logs: the report is the same, but for the names
// and numbers of lines.
func TestParts(t *testing.T) {
	b := newBrowser(t)
	report := func(logs ...string) string {
		t.Helper()
		if _, err := b.audit(closed, logs...); err != nil {
			t.Fatal(err)
		}
		saved, err := b.ask("audit-save", map[string]any{"form": "csv", "hide": true})
		fatal.If(t, err)
		return saved
	}
	one := report(line(1, "/a") + line(2, "/b") + line(3, "/c"))
	if several := report(line(1, "/a")+line(2, "/b"), "", line(3, "/c")); several != one {
		t.Errorf("several logs give %s, and one gives %s", several, one)
	}
	if !strings.Contains(one, "Evilbot") || strings.Contains(one, "192.0.2.77") || !strings.Contains(one, "192.0.2.0") {
		t.Errorf("the report is %s", one)
	}
}

// A failing log gives bytes, and then an error.
type failing struct{ io.Reader }

func (f failing) Read(b []byte) (int, error) {
	n, err := f.Reader.Read(b)
	if err == io.EOF {
		err = errors.New("the file was moved\x1b[31m")
	}
	return n, err
}

// TestFailing audits logs of which one cannot be read to its end: the answer has the failure, and
// counts all lines before it.
func TestFailing(t *testing.T) {
	b := newBrowser(t)
	b.logs = []io.Reader{failing{strings.NewReader(line(1, "/a"))}, strings.NewReader(line(2, "/b"))}
	answer, err := b.ask("audit", map[string]any{"robots": closed, "logs": []string{"\x1b]0;x\a.log", "b.log"}})
	fatal.If(t, err)
	if !strings.Contains(answer, `"requests":2`) || !strings.Contains(answer, "the file was moved") ||
		strings.ContainsAny(answer, "\x1b\a") {
		t.Errorf("got %s", answer)
	}
}

// TestWrong asks wrong questions. Each is an error that a page can show, and the engine answers the
// next one.
func TestWrong(t *testing.T) {
	b := newBrowser(t)
	for _, form := range []string{"json", "letter"} {
		if answer, err := b.ask("audit-save", map[string]any{"form": form}); err == nil {
			t.Errorf("without an audit, a report is saved: %s", answer)
		}
	}
	many := make([]string, 10_001)
	for _, q := range []map[string]any{
		{"logs": []string{}}, {"logs": many}, {"logs": []string{"a"}, "format": "%h %\x1b["}, {"logs": []string{"a"},
			"site": "a b/\x1b"},
		{"logs": []string{"a"}, "unknown": 1}, {"logs": 7},
	} {
		b.logs = []io.Reader{strings.NewReader("")}
		_, err := b.ask("audit", q)
		if wrong := (*engine.Error)(nil); !errors.As(err, &wrong) || wrong.Code != engine.BadValue ||
			bytes.ContainsRune([]byte(wrong.Message), '\x1b') {
			t.Errorf("%.100v: got %v", q, err)
		}
	}
	if _, err := b.audit(closed, line(1, "/a")); err != nil {
		t.Fatal(err)
	}
	for _, q := range []map[string]any{{"form": "xml"}, {"form": "letter", "robot": 1},
		{"form": "letter", "robot": -1}} {
		if answer, err := b.ask("audit-save", q); err == nil {
			t.Errorf("%v: got %s", q, answer)
		}
	}
	letter, err := b.ask("audit-save", map[string]any{"form": "letter", "robot": 0, "language": "ru"})
	if err != nil || !strings.Contains(letter, "192.0.2.77") {
		t.Errorf("got %s, %v", letter, err)
	}
}
