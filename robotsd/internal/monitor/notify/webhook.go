package notify

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/http/httpfield"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// A Webhook sends messages as JSON by HTTP POST, signed as Standard Webhooks asks
// (https://www.standardwebhooks.com). The first form is that of a message with one event, and the
// second that of one with several:
//
//	{"type": "robots.event", "timestamp": …, "data": EVENT, "text": "https://example.com: critical: closed-site\nnew: …"}
//	{"type": "robots.events", "timestamp": …, "data": {"id": …, "time": …, "sites": 37, "events": [EVENT, …]}, "text": "37 sites: …"}
//
// Any 2xx answer says that the receiver has the message. Redirects are not followed. A Webhook is
// safe for concurrent use; do not change it while it is in use.
type Webhook struct {
	URL string

	// Secret signs the requests. Empty means that they have no signature. [ParseSecret] reads a
	// secret as text.
	Secret []byte

	// Form is the form of the message, for chats; "" is the JSON above. [Forms] has all forms.
	Form string

	// Language is that of the text: en, es, ko or ru.
	Language string

	// Client makes the requests. Nil means a client with the transport of [http.DefaultTransport].
	Client *http.Client
}

// ParseSecret reads a secret in the form of Standard Webhooks: "whsec_" and base64.
func ParseSecret(text string) ([]byte, error) {
	encoded, ok := strings.CutPrefix(text, "whsec_")
	secret, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(secret) < 16 {
		return nil,
			errors.New(`the secret is not "whsec_" and at least 16 bytes in base64: make one with: echo whsec_$(openssl rand -base64 32)`)
	}
	return secret, nil
}

// Send implements [monitor.Receiver].
func (w *Webhook) Send(ctx context.Context, m *monitor.Message) error {
	body, err := w.body(m)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		return errors.New("the URL of the webhook is not valid") // the URL has a secret
	}
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	r.Header.Set("User-Agent", "robots-monitor")
	if w.Form == "" {
		w.sign(r, m.ID, body)
	}
	client := http.Client{Transport: http.DefaultTransport}
	if w.Client != nil {
		client = *w.Client
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := client.Do(r)
	if err != nil {
		return withoutURL(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 == 2 {
		io.CopyN(io.Discard, answer.Body, 64<<10) // so that the connection can be used again
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 300))
	return &statusError{answer.StatusCode, printable.Clipped(strings.TrimSpace(string(text)), 200),
		httpfield.RetryAfter(answer.Header, time.Now())}
}

// An envelope is the JSON of a message. The words in Type and the names of members are what
// receivers read: never change one.
type envelope struct {
	Type      string    `json:"type"` // robots.event, or robots.events if Data is a group
	Timestamp time.Time `json:"timestamp"`
	Data      any       `json:"data"` // a *monitor.Event or a *group
	Text      string    `json:"text"`
}

// A group is the JSON of several events.
type group struct {
	ID     string          `json:"id"`
	Time   time.Time       `json:"time"`  // of the last event
	Sites  int             `json:"sites"` // with events
	Events []monitor.Event `json:"events"`
}

// body returns the body of a request.
func (w *Webhook) body(m *monitor.Message) ([]byte, error) {
	t := textOf(m, language.Parse(w.Language))
	if w.Form != "" {
		form, ok := forms[w.Form]
		if !ok {
			return nil, fmt.Errorf("%s is not a form of a webhook: use one of %s", printable.Shown(w.Form),
				strings.Join(Forms(), ", "))
		}
		return json.Marshal(form(t))
	}
	at := latest(m)
	e := envelope{"robots.event", at, &m.Events[0], joined(t.subject, t.all())}
	if len(m.Events) > 1 {
		e.Type, e.Data = "robots.events", &group{m.ID, at, m.Sites(), m.Events}
	}
	return json.Marshal(e)
}

// sign adds the headers of Standard Webhooks.
func (w *Webhook) sign(r *http.Request, id string, body []byte) {
	id = "msg_" + id
	now := strconv.FormatInt(time.Now().Unix(), 10)
	r.Header.Set("Webhook-Id", id)
	r.Header.Set("Webhook-Timestamp", now)
	if len(w.Secret) > 0 {
		mac := hmac.New(sha256.New, w.Secret)
		fmt.Fprintf(mac, "%s.%s.%s", id, now, body)
		r.Header.Set("Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
}

// withoutURL returns an error of a request without its URL, which may be the secret of a chat.
func withoutURL(err error) error {
	if outer, ok := errors.AsType[*url.Error](err); ok {
		return outer.Err
	}
	return err
}

// A statusError is an answer that refuses a message.
type statusError struct {
	status int
	text   string
	after  time.Duration
}

// Error returns the status and the start of the body.
func (e *statusError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("%d %s: %s", e.status, cmp.Or(http.StatusText(e.status),
		"status of no known meaning"), cmp.Or(e.text, "no text")))
}

// RetryAfter returns the time for which the receiver asked.
func (e *statusError) RetryAfter() time.Duration { return e.after }
