package export_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
)

// TestApacheSites checks that the rules and pages of a site around the included file work.
func TestApacheSites(t *testing.T) {
	p := robots.Parse([]byte(policies["usual"] + "\nUser-agent: YandexBot\nDisallow: /\n"))
	s := startWith(t, "apache", "ErrorDocument 403 /refused.html\nRedirect /admin/ /moved\nRewriteRule ^/comment/ /ok [L]\nRewriteRule ^/x /ok [L]", write(t, "apache", p, export.Options{}))
	robot := "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)"
	for _, test := range []struct {
		request
		status int
	}{
		{request{"/admin/x", chrome, 0}, 302}, {request{"/admin/x", robot, 0}, 403}, {request{"/x", robot, 0}, 403},
		{request{"/comment/reply/1", chrome, 0}, 200}, {request{"/comment/reply/1", headers[12], 0}, 403}, {request{"/x", chrome, 0}, 200},
	} {
		if got := s.ask(t, []request{test.request})[0]; got != test.status {
			t.Errorf("%+v: %d, want %d", test.request, got, test.status)
		}
	}
	if page := s.body(t, request{"/admin/x", robot, 0}); !strings.Contains(page, "our own page") {
		t.Errorf("the answer has not the page of the site: %q", page)
	}
}
