package guardserver

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// records returns what a server records of some requests, hostile ones among them.
func records(t *testing.T) (all []*Record) {
	t.Helper()
	done := make(chan *Record, 100)
	address := start(t, Options{
		Upstream: upstream(t, echo), Record: func(r *Record) { done <- r },
	})
	for _, target := range []string{"/x", "/private/x?a=b", "/%1b%22", "/private/\"}\u202e"} {
		for _, userAgent := range []string{firefox, "GPTBot/1.0", "evil\"}\u202ebot", robot} {
			send(t, http.DefaultClient, address, "GET", target, userAgent, nil)
			all = append(all, <-done)
		}
	}
	return all
}

// TestLog checks that package accesslog reads the log, and what it says.
func TestLog(t *testing.T) {
	all := records(t)
	var log bytes.Buffer
	write := Log(&log, func(err error) { t.Error(err) })
	for _, r := range all {
		write(r)
	}
	if strings.ContainsRune(log.String(), '\u202e') {
		t.Errorf("the log has text of strangers unescaped: %s", &log)
	}
	refused := 0
	scan := new(accesslog.Reader).From("log", bytes.NewReader(log.Bytes()))
	i := 0
	for got, err := range scan.Requests() {
		fatal.If(t, err)
		want := all[i]
		if !got.Time.Equal(want.Begin.UTC()) || !got.Zoned || got.Client.String() != "127.0.0.1" ||
			string(got.Host) != "example.com" ||
			string(got.Target) != want.Request.RequestURI || string(got.UserAgent) != want.Request.UserAgent() ||
			got.Status != want.Status || got.Bytes != want.Size || string(got.Method) != "GET" ||
			string(got.Proto) != "HTTP/1.1" {
			t.Errorf("request %d: got %q at %v", i, got.Text, got.Time)
		}
		if want.Status == http.StatusForbidden {
			refused++
			if want.Decision.Action != guard.Refuse ||
				!bytes.Contains(got.Text, []byte(`"action":"refuse","reason":"rules","robot":"`)) ||
				!bytes.Contains(got.Text, []byte(`"line":2,"rule":"Disallow: /private/"`)) {
				t.Errorf("request %d: got %s", i, got.Text)
			}
		}
		i++
	}
	if i != len(all) || refused != 6 {
		t.Errorf("got %d requests of %d, %d of them refused, want 6", i, len(all), refused)
	}
	if logs := scan.Logs(); logs[0].Format.String() != "robots-guard" {
		t.Errorf("got the format %v", logs[0].Format)
	}
}

// TestLogFails checks that a full disk is one notice, and that the guard goes on.
func TestLogFails(t *testing.T) {
	notices := 0
	write := Log(failing{}, func(error) { notices++ })
	for range 10 {
		write(&Record{Request: httptest.NewRequest("GET", "/", nil)})
	}
	if notices != 1 {
		t.Errorf("got %d notices", notices)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestFigures checks the figures, and that strangers cannot add any.
func TestFigures(t *testing.T) {
	f := NewFigures()
	for _, r := range records(t) {
		f.Add(r)
	}
	for i := range 100 {
		r := &Record{Request: httptest.NewRequest("GET", "/", nil), Status: 200, Begin: time.Now()}
		r.Decision.Robot.Token = fmt.Sprintf("stranger%d", i)
		f.Add(r)
	}
	f.Reloaded(nil)
	f.Reloaded(errors.New("empty"))
	w := httptest.NewRecorder()
	f.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for _, want := range []string{
		`robots_guard_decisions_total{action="refuse",reason="rules"} 6`,
		`robots_guard_robots_total{action="refuse",robot="GPTBot"} 2`,
		`robots_guard_robots_total{action="pass",robot="other"} 104`,
		`robots_guard_answers_total{status="403"} 6`,
		`robots_guard_reloads_total{result="failed"} 1`,
	} {
		if !strings.Contains(w.Body.String(), want+"\n") {
			t.Errorf("the figures lack %s", want)
		}
	}
	if strings.Contains(w.Body.String(), "stranger") {
		t.Error("a stranger adds figures")
	}
	problems, err := promlint.New(w.Body).Lint()
	fatal.If(t, err)
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}
