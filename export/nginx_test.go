package export_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
)

// TestNginxSites checks that two sites in one nginx do not share rules, and that error pages and
// the directives of locations leave no hole.
func TestNginxSites(t *testing.T) {
	p := robots.Parse([]byte(policies["usual"]))
	closed := robots.Parse([]byte(policies["closed"]))
	site := `
    error_page 403 /refused.html;
    location = /refused.html { internal; return 403 "our own page"; }
    location /admin/ { rewrite ^ /moved permanent; }
    location /comment/ { return 301 /elsewhere; }
    location /news/ { try_files /nothing @named; }
    location @named { return 200; }
    location / { return 200; }`
	s := startWith(t, "nginx", site, write(t, "nginx", p, export.Options{}),
		write(t, "nginx", closed, export.Options{Site: "closed"}))
	browser, robot := chrome, "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)"
	s.checkAnswers(t, []answer{
		{request{"/admin/x", browser, 0}, 301}, {request{"/admin/x", robot, 0}, 403},
		{request{"/comment/reply/1", browser, 0}, 301}, {request{"/comment/reply/1", robot, 0}, 403},
		{request{"/news/a.pdf", browser, 0}, 200}, {request{"/news/a.pdf", googlebot, 0}, 403},
		{request{"/news/a.pdf", robot, 0}, 200},
		{request{"/x", robot, 0}, 200}, {request{"/x", robot, 1}, 403}, {request{"/public", robot, 1}, 200},
		{request{"/refused.html", robot, 0}, 404},
	})
	s.checkPage(t, request{"/admin/x", robot, 0})
}

// TestNginxCaptures checks that the named groups of a regular server_name keep their values, as
// doc/export.md says. Those with numbers are lost, because the maps have expressions.
func TestNginxCaptures(t *testing.T) {
	p := robots.Parse([]byte(policies["usual"]))
	s := startWith(t, "nginx",
		`server_name ~^(?<first>.)b\.example$; location / { return 200 "our own page of $first"; }`, write(t, "nginx",
			p, export.Options{}))
	if page := s.body(t, request{"http://ab.example/x", chrome, 0}); !strings.HasSuffix(page, "our own page of a") {
		t.Errorf("the answer does not have the page of the site: %q", page)
	}
	s.checkAnswers(t, []answer{{request{"http://ab.example/admin/x", googlebot, 0}, 200},
		{request{"http://ab.example/news/x.pdf", googlebot, 0}, 403}})
}

// TestNginxErrorPages checks that nginx does not refuse the page of an error, which is a GET, to a
// request that passed by its method or its path.
func TestNginxErrorPages(t *testing.T) {
	config := write(t, "nginx", robots.Parse([]byte("User-agent: *\nDisallow: /\n")),
		export.Options{PassPaths: []string{"/hook"}})
	const site = "error_page 404 /refused.html;\nlocation / { return 404; }\nlocation /refused.html { }"
	s := startWith(t, "nginx", site, config)
	for r, want := range map[sent]int{
		{"POST", "/x", googlebot, "", ""}: 404, {"GET", "/hook/x", googlebot, "", ""}: 404,
		{"GET", "/x", googlebot, "", ""}: 403, {"GET", "/x", chrome, "", ""}: 404,
	} {
		if got, _ := s.answerTo(t, r); got != want {
			t.Errorf("%v: got %d, want %d", r, got, want)
		}
	}
}
