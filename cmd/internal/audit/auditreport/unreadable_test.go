package auditreport_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestUnreadableLines adds lines out of order, some of them twice: the first of the first log are
// kept.
func TestUnreadableLines(t *testing.T) {
	var u auditreport.UnreadableLines
	for _, line := range []struct {
		log    string
		number int
	}{{"b.log", 1}, {"a.log", 9}, {"a.log", 4}, {"b.log", 2}, {"a.log", 4}, {"a.log", 7}, {"a.log", 5}, {"a.log", 4}} {
		u.Add(&accesslog.SyntaxError{Log: line.log, Line: line.number, Text: []byte(hostile),
			Reason: "there is no time"})
	}
	notes := (&auditreport.Notes{Unreadable: u.First()}).In(language.English, &audit.Report{}, nil)
	for i, want := range []string{"a.log:4 could not be read: there is no time: =HYPER", "a.log:5 ", "a.log:7 "} {
		if len(notes) != 3 || !strings.HasPrefix(notes[i], want) || !printable.IsText(notes[i]) {
			t.Fatalf("got %q, want %q first in note %d", notes, want, i)
		}
	}
}

// Reasons of accesslog are said in each language, behind the name of the format.
func TestReasons(t *testing.T) {
	texts := []string{
		"what is this", `{"a": 1}`, "{", "[Mon Mar 02 10:11:12 2026] [error] text",
		`192.0.2.1 - - [05/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "ExampleBot" more text`,
		`192.0.2.1 - - [99/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "ExampleBot"`,
	}
	unread := 0
	for _, name := range []string{"combined", "caddy"} {
		format, err := accesslog.ParseFormat(name)
		fatal.If(t, err)
		reader := &accesslog.Reader{Formats: []*accesslog.Format{format}}
		for _, text := range texts {
			for _, err := range reader.From("access.log", strings.NewReader(text+"\n")).Requests() {
				var e *accesslog.SyntaxError
				if !errors.As(err, &e) {
					continue
				}
				var u auditreport.UnreadableLines
				u.Add(e)
				notes := auditreport.Notes{Unreadable: u.First()}
				unread++
				for _, l := range []language.Language{language.Spanish, language.Korean, language.Russian} {
					if note := notes.In(l, &audit.Report{}, nil)[0]; strings.Contains(note, e.Reason) {
						t.Errorf("%s: %q is in English", l, note)
					}
				}
			}
		}
	}
	if unread < 8 {
		t.Errorf("only %d lines were not read", unread)
	}
}
