package notify_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor/notify"
)

func ExampleWebhook() {
	chat := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Println(string(body))
	}))
	defer chat.Close()

	receiver := &notify.Webhook{URL: chat.URL, Form: "mattermost"}
	err := receiver.Send(context.Background(),
		&monitor.Message{ID: "1", Events: []monitor.Event{{ID: "1", Origin: "https://example.com",
			Updates: []monitor.Update{
				{Step: monitor.Begun, Finding: monitor.Finding{Kind: monitor.ClosedSite, Severity: monitor.Critical,
					Patterns: []string{"Disallow: /"}}},
			}}}})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"text":"```\nhttps://example.com: critical: closed-site\nnew: the whole site is closed to all robots: Disallow: /\n```"}
}
