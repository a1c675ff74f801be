package export_test

import (
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
)

// caddySite is the directives of a site with all that runs before a response.
const caddySite = `
	redir /admin/* /moved
	rewrite /comment/* /ok
	try_files {path} /ok
	handle /core/* {
		respond "handled"
	}
	route /x/delete {
		respond "routed"
	}
	handle {
		file_server
	}
	handle_errors {
		rewrite * /refused.html
		file_server
	}`

// TestCaddySites checks that two sites in one Caddy do not share rules, and that the directives and
// pages of a site around the imported file leave no hole.
func TestCaddySites(t *testing.T) {
	p := robots.Parse([]byte(policies["usual"]))
	closed := robots.Parse([]byte(policies["closed"]))
	s := startWith(t, "caddy", caddySite, write(t, "caddy", p, export.Options{}),
		write(t, "caddy", closed, export.Options{Site: "closed"}))
	robot := "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)"
	s.checkAnswers(t, []answer{
		{request{"/admin/x", chrome, 0}, 302}, {request{"/admin/x", robot, 0}, 403},
		{request{"/admin/x", "SomeApp/3.1 (Linux; Phone 7)", 0}, 302},
		{request{"/comment/reply/1", chrome, 0}, 200}, {request{"/comment/reply/1", robot, 0}, 403},
		{request{"/core/x", chrome, 0}, 200}, {request{"/core/x", robot, 0}, 403}, {request{"/core/x.css", robot, 0},
			200},
		{request{"/x/delete", chrome, 0}, 200}, {request{"/x/delete", robot, 0}, 403},
		{request{"/x", robot, 0}, 200}, {request{"/x", robot, 1}, 403}, {request{"/public", robot, 1}, 200},
		{request{"/x", chrome, 1}, 200},
		{request{"/{env.HOME}{robots_site_answer}", robot, 0}, 200}, {request{"http://s0.example/admin/x", robot, 0},
			403}, {request{"http://s1.example?x", robot, 1}, 403},
		{request{"/\xc3\xa9", robot, 0}, 400}, {request{"/\xc3\xa9", chrome, 0}, 200}, {request{"/\xff", googlebot, 0},
			400},
	})
	s.checkPage(t, request{"/admin/x", robot, 0})
}
