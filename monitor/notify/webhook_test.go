package notify_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/monitor"
	"github.com/robotsexclusion/robots/monitor/notify"
)

// hostile is an event in which strangers wrote all they could.
func hostile() *monitor.Event {
	const bad = "</a> <!channel> <users/all> @everyone [x](https://evil.example) ``` *b* \x1b[2J\r\nBcc: x@evil.example\u202e"
	return &monitor.Event{ID: "ABC-7", Origin: "https://a.example", Time: time.Date(2026, 11, 24, 3, 4, 5, 0, time.UTC), Updates: []monitor.Update{
		{Step: monitor.Begun, Finding: monitor.Finding{Kind: monitor.ClosedSearch, Severity: monitor.Critical, Robots: []string{bad}, Patterns: []string{bad}, Witness: bad}},
		{Step: monitor.Ended, Finding: monitor.Finding{Kind: monitor.Claim, Severity: monitor.Warning, Subject: bad}},
	}}
}

// receive runs a server that answers with a status, and returns its URL and the last request with its body.
func receive(t *testing.T, status int, header, value string) (url string, request func() (*http.Request, string)) {
	t.Helper()
	var last *http.Request
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		last = r
		body, _ = io.ReadAll(r.Body)
		w.Header().Set(header, value)
		w.WriteHeader(status)
		io.WriteString(w, "it is \x1b[2J broken")
	}))
	t.Cleanup(server.Close)
	return server.URL + "/token-of-a-chat", func() (*http.Request, string) { return last, string(body) }
}

func TestWebhook(t *testing.T) {
	url, request := receive(t, 204, "A", "b")
	secret, err := notify.ParseSecret("whsec_" + base64.StdEncoding.EncodeToString([]byte("0123456789abcdef")))
	if err != nil {
		t.Fatal(err)
	}
	if err := (&notify.Webhook{URL: url, Secret: secret}).Send(t.Context(), hostile()); err != nil {
		t.Fatal(err)
	}
	r, body := request()
	if r.Method != "POST" || r.Header.Get("Webhook-Id") != "msg_ABC-7" {
		t.Errorf("got %s %v", r.Method, r.Header)
	}
	mac := hmac.New(sha256.New, secret)
	io.WriteString(mac, "msg_ABC-7."+r.Header.Get("Webhook-Timestamp")+"."+body)
	if got, want := r.Header.Get("Webhook-Signature"), "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)); got != want {
		t.Errorf("the signature is %s, want %s", got, want)
	}
	var message struct {
		Type string
		Data monitor.Event
		Text string
	}
	if err := json.Unmarshal([]byte(body), &message); err != nil {
		t.Fatal(err)
	}
	if message.Type != "robots.event" || message.Data.ID != "ABC-7" || message.Data.Updates[0].Finding.Witness != hostile().Updates[0].Finding.Witness ||
		!strings.HasPrefix(message.Text, "https://a.example: critical: closed-search, claim\nnew: closed to search engines (") || strings.ContainsAny(message.Text, "\x1b\r\u202e") {
		t.Errorf("got %+v", message)
	}
}

func TestWebhookErrors(t *testing.T) {
	for _, test := range []struct {
		status        int
		header, value string
		want          string
		after         time.Duration
	}{
		{500, "A", "b", `500 Internal Server Error: it is \x1b[2J broken`, 0},
		{429, "Retry-After", "120", `429 Too Many Requests: it is \x1b[2J broken`, 2 * time.Minute},
		{307, "Location", "https://evil.example/", `307 Temporary Redirect: it is \x1b[2J broken`, 0},
	} {
		url, _ := receive(t, test.status, test.header, test.value)
		err := (&notify.Webhook{URL: url}).Send(t.Context(), hostile())
		var later interface{ RetryAfter() time.Duration }
		if err == nil || err.Error() != test.want || !errors.As(err, &later) || later.RetryAfter() != test.after {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
	for _, url := range []string{"http://127.0.0.1:1/token-of-a-chat", "http://a b/token-of-a-chat", "nothing:token-of-a-chat"} {
		if err := (&notify.Webhook{URL: url}).Send(t.Context(), hostile()); err == nil || strings.Contains(err.Error(), "token") {
			t.Errorf("the error shows the URL, which is secret: %v", err)
		}
	}
	for _, text := range []string{"", "whsec_", "whsec_AAAA", "whsec_%", "MDEyMzQ1Njc4OWFiY2RlZg=="} {
		if _, err := notify.ParseSecret(text); err == nil {
			t.Errorf("%q is a secret", text)
		}
	}
}

// TestForms checks that what strangers wrote stays text in each chat.
func TestForms(t *testing.T) {
	for _, form := range notify.Forms() {
		url, request := receive(t, 200, "A", "b")
		e := hostile()
		for range 5 {
			e.Updates = append(e.Updates, e.Updates...)
		}
		if err := (&notify.Webhook{URL: url, Form: form}).Send(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		_, body := request()
		var message map[string]any
		if err := json.Unmarshal([]byte(body), &message); err != nil {
			t.Fatal(err)
		}
		text, _ := message["text"].(string)
		content, _ := message["content"].(string)
		for _, fence := range []string{text, content} {
			if strings.ContainsAny(fence, "<>\x1b\r\u202e") || strings.Count(fence, "```")%2 != 0 || strings.Count(fence, "`") > 6 || len([]rune(fence)) > 16_000 {
				t.Errorf("%s: got %q", form, fence)
			}
			if form != "slack" && fence != "" && (!strings.HasPrefix(fence, "```\n") || !strings.HasSuffix(fence, "\n```")) {
				t.Errorf("%s: not all is in a block: %q", form, fence)
			}
		}
		if form == "discord" && (len([]rune(content)) > 2000 || !strings.Contains(body, `"allowed_mentions":{"parse":[]}`)) {
			t.Errorf("discord: %d characters, %s", len([]rune(content)), body)
		}
		if form == "teams" && (strings.Contains(body, `"TextBlock"`) || !strings.Contains(body, `"TextRun"`)) {
			t.Errorf("teams: %s", body)
		}
		if form == "slack" && !strings.Contains(body, `"type":"plain_text"`) {
			t.Errorf("slack: %s", body)
		}
	}
	if err := (&notify.Webhook{URL: "http://127.0.0.1:1", Form: "pager"}).Send(t.Context(), hostile()); err == nil || !strings.Contains(err.Error(), "discord, google-chat") {
		t.Errorf("an unknown form: %v", err)
	}
}
