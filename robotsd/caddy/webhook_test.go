package robotsguard

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestServedExceptions checks which robots pass a real Caddy by the exceptions of the operator.
func TestServedExceptions(t *testing.T) {
	port := freePort(t)
	load(t, fmt.Sprintf(`http://:%s {
	robots_guard {
		robots %s
		pass_path /private/hook
		pass_address 192.0.2.0/24
		pass_header "X-Token: s3cret of webhooks"
	}
	handle_path /private/* {
		respond "served"
	}
}`, port, write(t, "robots.txt", rules)))
	for _, test := range []struct {
		method, target, field, value string
		want                         int
	}{
		{"GET", "/private/x", "", "", 403},
		{"HEAD", "/private/x", "", "", 403},
		{"POST", "/private/x", "", "", 200},
		{"GET", "/private/hook/x", "", "", 200},
		{"GET", "/private/hook/..%2fx", "", "", 403},
		{"GET", "/private/x", "X-Token", "s3cret of webhooks", 200},
		{"GET", "/private/x", "X-Token", "s3cret", 403},
		{"GET", "/private/x", "X-Forwarded-For", "192.0.2.7", 200},
	} {
		r, err := http.NewRequest(test.method, "http://"+loopback+":"+port+"/", nil)
		fatal.If(t, err)
		r.URL.Opaque = test.target
		r.Header.Set("User-Agent", robot)
		if test.field != "" {
			r.Header.Set(test.field, test.value)
		}
		answer, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		answer.Body.Close()
		if answer.StatusCode != test.want {
			t.Errorf("%+v: got %d", test, answer.StatusCode)
		}
	}
}
