package guard

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const closed, opened = "User-agent: *\nDisallow: /\n", "User-agent: *\nDisallow:\n"

// TestFile checks which writes change the policy in force.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "robots.txt")
	s := File(path)
	if _, err := s.Policy(nil); err == nil {
		t.Error("a source that was not read has a policy")
	}
	if err := s.Reload(t.Context()); err == nil {
		t.Error("a missing file was read")
	}
	for _, test := range []struct {
		text, want string // want is empty while no policy is in force
		err        string
	}{
		// The first text has to be one as well, or a restart after a bad write opens the site.
		{"", "", "the text is empty"},
		{"\xef\xbb\xbf\n \n", "", "the text is empty"},
		{"<!DOCTYPE html>\n<title>\x1b[2J</title>", "", `line 1 is "<!DOCTYPE html>"`},
		{"\x00\x00\x00\x00", "", "the text is not a robots.txt"},
		{strings.Repeat("#", maxFile+1), "", "is larger than"},
		{closed, closed, ""},
		{"", closed, "the text is empty"},
		{"<html>\n<body>not found</body>\n", closed, `no line names robots, and line 1 is "<html>"`},
		{"#main { color: red }\n<p>\x1b[2J" + strings.Repeat("x", 100), closed, `line 2 is "<p>\x1b[2J` +
			strings.Repeat("x", 33) + `"…`},
		{strings.Repeat("#", maxFile+1), closed, "is larger than"},
		{opened, opened, ""},
		{"# nothing\n", "# nothing\n", ""},
		{"Sitemap: https://example.com/map\n", "Sitemap: https://example.com/map\n", ""},
	} {
		fatal.If(t, os.WriteFile(path, []byte(test.text), 0o666))
		err := s.Reload(t.Context())
		if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%.30q: got the error %v, want %q", test.text, err, test.err)
		}
		if p, err := s.Policy(nil); (err == nil) != (test.want != "") || err == nil && p.String() != test.want {
			t.Errorf("%.30q: got the policy %.30q, %v, want %q", test.text, p, err, test.want)
		}
	}
	before, _ := s.Policy(nil)
	if err := s.Reload(t.Context()); err != nil {
		t.Error(err)
	}
	if after, _ := s.Policy(nil); before != after {
		t.Error("an unchanged file has another policy")
	}
	os.Remove(path)
	os.Mkdir(path, 0o777)
	if err := s.Reload(t.Context()); err == nil {
		t.Error("a folder was read")
	}
	if after, _ := s.Policy(nil); before != after {
		t.Error("a file that vanished changes the policy")
	}
}

// TestWatch checks that a source reads a changed file, and reports errors once.
func TestWatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "robots.txt")
	write := func(text string) {
		fatal.If(t, os.WriteFile(path+".new", []byte(text), 0o666))
		fatal.If(t, os.Rename(path+".new", path))
	}
	write(closed)
	s := File(path)
	s.every = time.Millisecond
	fatal.If(t, s.Reload(t.Context()))
	ctx, stop := context.WithCancel(t.Context())
	reports, ended := make(chan error), make(chan bool)
	go func() {
		s.Watch(ctx, func(err error) { reports <- err })
		close(ended)
	}()
	write(opened)
	if err := <-reports; err != nil {
		t.Errorf("got %v", err)
	}
	if p, _ := s.Policy(nil); p.String() != opened {
		t.Errorf("got the policy %q", p)
	}
	write("")
	if err := <-reports; err == nil {
		t.Error("an empty file is not reported")
	}
	os.Remove(path)
	for err := range reports { // the file may be reported as empty before
		if os.IsNotExist(err) {
			break
		}
	}
	write(closed)
	for err := range reports {
		if err == nil {
			break
		}
	}
	if p, _ := s.Policy(nil); p.String() != closed {
		t.Errorf("got the policy %q", p)
	}
	stop()
	<-ended
}

// TestUpstream checks that a failing upstream changes nothing.
func TestUpstream(t *testing.T) {
	var status atomic.Int64
	var body atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" || r.UserAgent() != "test" {
			t.Errorf("a request for %s by %q", r.URL, r.UserAgent())
		}
		w.WriteHeader(int(status.Load()))
		w.Write([]byte(body.Load().(string)))
	}))
	defer server.Close()
	s := Upstream(server.URL, "test", nil)
	for _, test := range []struct {
		status     int64
		body, want string
		fails      bool
	}{
		{503, "", "", true},
		{200, "<html>", "", true},
		{200, "", "", true},
		{200, closed, closed, false},
		{500, "", closed, true},
		{429, "", closed, true},
		{200, "<html>", closed, true},
		{404, "none", "# there is no robots.txt: 404\n", false},
		{200, opened, opened, false},
	} {
		status.Store(test.status)
		body.Store(test.body)
		if err := s.Reload(t.Context()); (err != nil) != test.fails {
			t.Errorf("%d %q: got the error %v", test.status, test.body, err)
		}
		if p, err := s.Policy(nil); (err != nil) != (test.want == "") || err == nil && p.String() != test.want {
			t.Errorf("%d %q: got the policy %q, %v, want %q", test.status, test.body, p, err, test.want)
		}
	}
	server.Close()
	if err := s.Reload(t.Context()); err == nil {
		t.Error("got no error from an upstream that is gone")
	}
	if p, _ := s.Policy(nil); p.String() != opened {
		t.Errorf("an upstream that is gone changes the policy to %q", p)
	}
}
