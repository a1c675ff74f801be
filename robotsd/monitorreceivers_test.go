package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// startMailServer is a server of SMTP that takes each message, without TLS. It returns its address,
// and the messages.
func startMailServer(t *testing.T) (address string, messages func() []string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	t.Cleanup(func() { l.Close() })
	var mu sync.Mutex
	var all []string
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				takeMail(conn, func(text string) {
					mu.Lock()
					defer mu.Unlock()
					all = append(all, text)
				})
			}()
		}
	}()
	return l.Addr().String(), func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), all...)
	}
}

// takeMail speaks SMTP until the client quits. It gives keep the envelope and the text of each
// message, before the client hears that the message is taken.
func takeMail(conn net.Conn, keep func(text string)) {
	var text strings.Builder
	fmt.Fprint(conn, "220 mail.example ESMTP\r\n")
	inText := false
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		line := lines.Text()
		switch {
		case inText && line == ".":
			inText = false
			keep(text.String())
			text.Reset()
			fmt.Fprint(conn, "250 taken\r\n")
		case inText:
			text.WriteString(line + "\n")
		case line == "DATA":
			inText = true
			fmt.Fprint(conn, "354 go on\r\n")
		case line == "QUIT":
			fmt.Fprint(conn, "221 bye\r\n")
			return
		default:
			if strings.HasPrefix(line, "MAIL") || strings.HasPrefix(line, "RCPT") {
				text.WriteString(line + "\n")
			}
			fmt.Fprint(conn, "250 mail.example\r\n")
		}
	}
}

// TestMonitorReceivers runs the command with mail, a chat and quiet hours: what is not critical
// waits for the end of the hours.
func TestMonitorReceivers(t *testing.T) {
	t.Parallel()
	site, serve := changingSite(t, "User-agent: *\nDisallow: /admin/\n")
	var mu sync.Mutex
	chats := make(map[string][]string)
	chat := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		chats[r.URL.Path] = append(chats[r.URL.Path], string(body))
	}))
	defer chat.Close()
	mails, messages := startMailServer(t)
	dir := t.TempDir()
	now := time.Now().UTC()
	quiet := now.Add(-2*time.Hour).Format("15:04") + "-" + now.Add(2*time.Hour).Format("15:04")
	config := put(t, filepath.Join(dir, "monitor.conf"), fmt.Sprintf(`%s
mail ops@example.com server=%s from="Robots <robots@example.com>" plain=true lang=es
slack %s/slack
mattermost %[3]s/quiet quiet=%s zone=UTC
`, site, mails, chat.URL, quiet))
	args := []string{"--once", "--config", config, "--dir", filepath.Join(dir, "state")}
	monitored(t, args...) // what is normal

	serve("User-agent: *\nDisallow: /admin/\n\nUser-agent: ExampleBot\nDisallow: /shop/\n")
	if out, status := monitored(t, args...); status != 1 {
		t.Fatalf("a change: status %d\n%s", status, out)
	}
	mu.Lock()
	if n := len(chats["/slack"]); n != 1 || !strings.Contains(chats["/slack"][0], "ExampleBot") {
		t.Errorf("the chat has %q", chats["/slack"])
	}
	if n := len(chats["/quiet"]); n != 0 {
		t.Errorf("a notice was sent in quiet hours: %q", chats["/quiet"])
	}
	mu.Unlock()
	if got := messages(); len(got) != 1 || !strings.Contains(got[0], "RCPT TO:<ops@example.com>") ||
		!strings.Contains(got[0], "ExampleBot") || !strings.Contains(got[0], "cerrado") {
		t.Errorf("the mail is %q", got)
	}

	serve("User-agent: *\nDisallow: /\n")
	if out, status := monitored(t, args...); status != 1 {
		t.Fatalf("a critical change: status %d\n%s", status, out)
	}
	mu.Lock()
	if n := len(chats["/quiet"]); n != 1 || !strings.Contains(chats["/quiet"][0], "Disallow: /") {
		t.Errorf("in quiet hours the chat has %q, want the critical event alone", chats["/quiet"])
	}
	mu.Unlock()

	// The hours are over, and what waited is sent.
	read := readFile(t, config)
	put(t, config, strings.Replace(string(read), "quiet="+quiet, "quiet="+now.Add(3*time.Hour).Format("15:04")+"-"+
		now.Add(4*time.Hour).Format("15:04"), 1))
	monitored(t, args...)
	mu.Lock()
	if n := len(chats["/quiet"]); n != 2 || !strings.Contains(chats["/quiet"][1], "ExampleBot") {
		t.Errorf("after quiet hours the chat has %q", chats["/quiet"])
	}
	mu.Unlock()
}

// TestMonitorGrouped closes all sites at once, and opens them: each receiver gets one message for
// each, also if it was down.
func TestMonitorGrouped(t *testing.T) {
	t.Parallel()
	const live, closed = "User-agent: *\nDisallow: /admin/\n", "User-agent: *\nDisallow: /\n"
	var text atomic.Value
	text.Store(live)
	var mu sync.Mutex
	var chats []string
	var hooks [][]monitor.Event
	down := true
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.URL.Path == "/chat" {
			body, _ := io.ReadAll(r.Body)
			chats = append(chats, string(body))
			return
		}
		if down {
			down = false
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		events, err := eventsOf(r.Body)
		if err != nil {
			t.Error(err)
		}
		hooks = append(hooks, events)
	}))
	defer receiver.Close()
	mails, messages := startMailServer(t)
	dir := t.TempDir()
	lines := fmt.Sprintf("webhook %s/hook\nmattermost %[1]s/chat\nfeed feed.atom\nmail ops@example.com server=%s from=robots@example.com plain=true\n", receiver.URL, mails)
	const n = 25
	for i := range n {
		lines += startSite(t, i, func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, text.Load().(string))
		}) + "\n"
	}
	args := []string{"--once", "--config", put(t, filepath.Join(dir, "monitor.conf"), lines), "--dir",
		filepath.Join(dir, "state")}
	var out string
	for _, now := range []string{live, closed, live} {
		text.Store(now)
		out, _ = monitored(t, args...)
	}
	if strings.Count(out, ": over: the whole site is closed") != n || strings.Contains(out, "nothing to report") {
		t.Errorf("the last run does not say that all is over:\n%s", out)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(hooks) != 2 || len(hooks[0]) != n || len(hooks[1]) != n || hooks[0][0].Lead().Step != monitor.Begun ||
		hooks[1][0].Lead().Step != monitor.Ended {
		t.Errorf("the webhook got %d messages: %v", len(hooks), hooks)
	}
	if len(chats) != 2 || !strings.Contains(chats[0], "25 sites: critical: closed-site") ||
		!strings.Contains(chats[0], "and 5 more sites: the output of robots monitor has all of them") {
		t.Errorf("the chat got %q", chats)
	}
	if got := messages(); len(got) != 2 || !strings.Contains(got[1], "Subject: 25 sites: over: closed-site") ||
		!strings.Contains(got[1], "over: the whole site is closed") {
		t.Errorf("the mails are %q", got)
	}
	if feed, err := os.ReadFile(filepath.Join(dir, "feed.atom")); err != nil ||
		strings.Count(string(feed), "<entry>") != 2 {
		t.Errorf("the feed is %s, %v", feed, err)
	}
}

// TestMonitorGit compares a site with the file of the last commit of a repository.
func TestMonitorGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	const rules = "User-agent: *\nDisallow: /admin/\n"
	site, serve := changingSite(t, rules)
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com",
			"-c", "commit.gpgsign=false"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	put(t, filepath.Join(dir, "robots.txt"), rules)
	git("add", "robots.txt")
	git("commit", "-q", "-m", "rules")
	put(t, filepath.Join(dir, "robots.txt"), "User-agent: *\nDisallow: /\n") // not in a commit, so not expected
	config := put(t, filepath.Join(dir, "monitor.conf"), site+" expect=git:robots.txt\n")
	if out, status := monitored(t, "--once", "--config", config); status != 0 {
		t.Errorf("the site serves the file of the commit: status %d\n%s", status, out)
	}
	serve(rules + "\nUser-agent: GPTBot\nDisallow: /\n")
	if out, status := monitored(t, "--once", "--config", config); status != 1 ||
		!strings.Contains(out, "other rules than expected for GPTBot") {
		t.Errorf("an edge adds a group: status %d\n%s", status, out)
	}
	git("commit", "-q", "-a", "-m", "closed")
	if out, status := monitored(t, "--once", "--config", config); status != 1 ||
		!strings.Contains(out, "other rules than expected for *") {
		t.Errorf("a commit that is not deployed: status %d\n%s", status, out)
	}
}
