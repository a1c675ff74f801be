package export_test

import (
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
)

// TestApacheSites checks that the rules and pages of a site around the included file work.
func TestApacheSites(t *testing.T) {
	p := robots.Parse([]byte(policies["usual"] + "\nUser-agent: YandexBot\nDisallow: /\n"))
	s := startWith(t, "apache",
		"ErrorDocument 403 /refused.html\nRedirect /admin/ /moved\nRewriteRule ^/comment/ /ok [L]\nRewriteRule ^/x /ok [L]", write(t, "apache", p, export.Options{}))
	robot := "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)"
	s.checkAnswers(t, []answer{
		{request{"/admin/x", chrome, 0}, 302}, {request{"/admin/x", robot, 0}, 403}, {request{"/x", robot, 0}, 403},
		{request{"/comment/reply/1", chrome, 0}, 200}, {request{"/comment/reply/1", headers[12], 0}, 403},
		{request{"/x", chrome, 0}, 200},
	})
	s.checkPage(t, request{"/admin/x", robot, 0})
}
