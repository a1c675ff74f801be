package notify_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor/notify"
)

// hostile is a message in which strangers wrote all they could.
func hostile() *monitor.Message {
	const bad = "</a> <!channel> <users/all> @everyone [x](https://evil.example) ``` *b* \x1b[2J\r\nBcc: x@evil.example\u202e"
	return &monitor.Message{ID: "ABC-7", Events: []monitor.Event{{ID: "ABC-7", Origin: "https://a.example",
		Time: time.Date(2026, 11, 24, 3, 4, 5, 0, time.UTC), Updates: []monitor.Update{
			{Step: monitor.Begun, Finding: monitor.Finding{Kind: monitor.ClosedSearch, Severity: monitor.Critical,
				Robots: []string{bad}, Patterns: []string{bad}, Witness: bad}},
			{Step: monitor.Ended, Finding: monitor.Finding{Kind: monitor.Claim, Severity: monitor.Warning,
				Subject: bad}},
		}}}}
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
	fatal.If(t, err)
	fatal.If(t, (&notify.Webhook{URL: url, Secret: secret}).Send(t.Context(), hostile()))
	r, body := request()
	if r.Method != "POST" || r.Header.Get("Webhook-Id") != "msg_ABC-7" {
		t.Errorf("got %s %v", r.Method, r.Header)
	}
	mac := hmac.New(sha256.New, secret)
	io.WriteString(mac, "msg_ABC-7."+r.Header.Get("Webhook-Timestamp")+"."+body)
	if got, want := r.Header.Get("Webhook-Signature"), "v1,"+
		base64.StdEncoding.EncodeToString(mac.Sum(nil)); got != want {
		t.Errorf("the signature is %s, want %s", got, want)
	}
	var message struct {
		Type string
		Data monitor.Event
		Text string
	}
	fatal.If(t, json.Unmarshal([]byte(body), &message))
	if message.Type != "robots.event" || message.Data.ID != "ABC-7" ||
		message.Data.Updates[0].Finding.Witness != hostile().Events[0].Updates[0].Finding.Witness ||
		!strings.HasPrefix(message.Text,
			"https://a.example: critical: closed-search, claim\nnew: closed to search engines (") ||
		strings.ContainsAny(message.Text, "\x1b\r\u202e") {
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
	for _, url := range []string{"http://127.0.0.1:1/token-of-a-chat", "http://a b/token-of-a-chat",
		"nothing:token-of-a-chat"} {
		if err := (&notify.Webhook{URL: url}).Send(t.Context(), hostile()); err == nil ||
			strings.Contains(err.Error(), "token") {
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
			e.Events[0].Updates = append(e.Events[0].Updates, e.Events[0].Updates...)
		}
		fatal.If(t, (&notify.Webhook{URL: url, Form: form}).Send(t.Context(), e))
		_, body := request()
		var message map[string]any
		fatal.If(t, json.Unmarshal([]byte(body), &message))
		text, _ := message["text"].(string)
		content, _ := message["content"].(string)
		for _, fence := range []string{text, content} {
			if strings.ContainsAny(fence, "<>\x1b\r\u202e") || strings.Count(fence, "```")%2 != 0 ||
				strings.Count(fence, "`") > 6 || len([]rune(fence)) > 16_000 {
				t.Errorf("%s: got %q", form, fence)
			}
			if form != "slack" && fence != "" && (!strings.HasPrefix(fence, "```\n") ||
				!strings.HasSuffix(fence, "\n```")) {
				t.Errorf("%s: not all is in a block: %q", form, fence)
			}
		}
		if form == "discord" && (len([]rune(content)) > 2000 ||
			!strings.Contains(body, `"allowed_mentions":{"parse":[]}`)) {
			t.Errorf("discord: %d characters, %s", len([]rune(content)), body)
		}
		if form == "teams" && (strings.Contains(body, `"TextBlock"`) || !strings.Contains(body, `"TextRun"`)) {
			t.Errorf("teams: %s", body)
		}
		if form == "slack" && !strings.Contains(body, `"type":"plain_text"`) {
			t.Errorf("slack: %s", body)
		}
	}
	if err := (&notify.Webhook{URL: "http://127.0.0.1:1", Form: "pager"}).Send(t.Context(), hostile()); err == nil ||
		!strings.Contains(err.Error(), "discord, google-chat") {
		t.Errorf("an unknown form: %v", err)
	}
}

// many is a message about so many sites, in which strangers wrote all they could.
func many(sites int) *monitor.Message {
	m := &monitor.Message{ID: "group-0123"}
	for i := range sites {
		e := hostile().Events[0]
		e.ID, e.Origin, e.Time = fmt.Sprintf("ABC-%d", i), fmt.Sprintf("https://%d.example", i),
			e.Time.Add(time.Duration(i)*time.Second)
		m.Events = append(m.Events, e)
	}
	return m
}

// TestWebhookGroup checks the JSON of several events. Receivers read it: never change a name.
func TestWebhookGroup(t *testing.T) {
	url, request := receive(t, 200, "A", "b")
	m := &monitor.Message{ID: "group-0123"}
	for i, origin := range []string{"https://a.example", "https://b.example", "https://a.example"} {
		at := time.Date(2026, 11, 24, 3, 4, 5-i, 0, time.UTC)
		m.Events = append(m.Events, monitor.Event{ID: fmt.Sprint("ABC-", i), Origin: origin, Time: at,
			Updates: []monitor.Update{{Step: monitor.Begun, Finding: monitor.Finding{Kind: monitor.Cut,
				Severity: monitor.Warning}}}})
	}
	fatal.If(t, (&notify.Webhook{URL: url}).Send(t.Context(), m))
	const update = `"updates":[{"step":"begun","finding":{"kind":"cut","severity":"warning"}}]}`
	const want = `{"type":"robots.events","timestamp":"2026-11-24T03:04:05Z","data":{"id":"group-0123","time":"2026-11-24T03:04:05Z","sites":2,"events":[` +
		`{"id":"ABC-0","origin":"https://a.example","time":"2026-11-24T03:04:05Z",` + update +
		`,{"id":"ABC-1","origin":"https://b.example","time":"2026-11-24T03:04:04Z",` + update +
		`,{"id":"ABC-2","origin":"https://a.example","time":"2026-11-24T03:04:03Z",` + update + `]},"text":`
	r, body := request()
	if !strings.HasPrefix(body, want) || r.Header.Get("Webhook-Id") != "msg_group-0123" {
		t.Errorf("got %s %s, want %s", r.Header.Get("Webhook-Id"), body, want)
	}
}

// TestGroupTexts checks that the text about many sites says how many they are, also where a chat takes little, and is about all sites
// in each language.
func TestGroupTexts(t *testing.T) {
	for language, want := range map[string]string{"en": "300 sites: ", "es": "300 sitios: ", "ko": "사이트 300곳: ",
		"ru": "сайты (300): "} {
		for _, form := range append(notify.Forms(), "") {
			url, request := receive(t, 200, "A", "b")
			fatal.If(t, (&notify.Webhook{URL: url, Form: form, Language: language}).Send(t.Context(),
				many(300)))
			_, body := request()
			if !strings.Contains(body, want) || !strings.Contains(body, "https://1.example: ") ||
				!strings.Contains(body, "robots monitor") {
				t.Errorf("%s, %s: %s", form, language, body)
			}
			if form == "" {
				continue
			}
			shown := strings.Count(body, ".example: ")
			if shown < 2 || shown > 20 || !strings.Contains(body, fmt.Sprint(300-shown)) {
				t.Errorf("%s, %s: %d sites are shown: %s", form, language, shown, body)
			}
			if len([]rune(body)) > 16_500 {
				t.Errorf("%s, %s: %d characters", form, language, len([]rune(body)))
			}
		}
	}
	name := filepath.Join(t.TempDir(), "feed.xml")
	fatal.If(t, (&notify.Feed{File: name}).Send(t.Context(), many(30)))
	if text, err := os.ReadFile(name); err != nil || strings.Count(string(text), "<entry>") != 1 ||
		!strings.Contains(string(text), "<title>30 sites: critical: ") ||
		!strings.Contains(string(text), "urn:robots-monitor:robots-group-0123<") ||
		!strings.Contains(string(text), "and 10 more sites: ") ||
		!strings.Contains(string(text), "<updated>2026-11-24T03:04:34Z") {
		t.Errorf("the feed is %s, %v", text, err)
	}
}
