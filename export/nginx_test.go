package export_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
)

// nginxMain is the configuration around the exported files.
const nginxMain = `pid nginx.pid;
error_log stderr error;
daemon off;
master_process off;
events {}
http {
  access_log off;
  client_body_temp_path tmp; proxy_temp_path tmp; fastcgi_temp_path tmp; uwsgi_temp_path tmp; scgi_temp_path tmp;
  keepalive_requests 100000;
  large_client_header_buffers 4 32k;
`

// startNginx runs nginx with a site for each configuration, with the text in its server block.
func startNginx(t testing.TB, server string, configs ...*export.Config) webServer {
	t.Helper()
	program := installed(t, "nginx")
	dir := folder(t)
	text := nginxMain
	for i, c := range configs {
		text += fmt.Sprintf("  include %s;\n  server {\n    listen unix:%s/s;\n    server_name %s;\n    include %s;\n%s\n  }\n",
			c.Files[0].Name, dir, host(i), c.Files[1].Name, server)
	}
	save(t, dir, "nginx.conf", text+"}\n", configs...)
	return start(t, dir, webServer{network: "unix", address: dir + "/s"}, program, "-p", dir, "-c", "nginx.conf")
}

func startPlainNginx(t testing.TB, configs ...*export.Config) webServer {
	t.Helper()
	return startNginx(t, "location / { return 200; }", configs...)
}

// TestNginxSites checks that two sites in one nginx do not share rules, and that error pages and the
// directives of locations leave no hole.
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
	s := startNginx(t, site, write(t, "nginx", p, export.Options{}), write(t, "nginx", closed, export.Options{Site: "closed"}))
	browser, robot := chrome, "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)"
	for _, test := range []struct {
		request
		status int
	}{
		{request{"/admin/x", browser, 0}, 301}, {request{"/admin/x", robot, 0}, 403},
		{request{"/comment/reply/1", browser, 0}, 301}, {request{"/comment/reply/1", robot, 0}, 403},
		{request{"/news/a.pdf", browser, 0}, 200}, {request{"/news/a.pdf", googlebot, 0}, 403}, {request{"/news/a.pdf", robot, 0}, 200},
		{request{"/x", robot, 0}, 200}, {request{"/x", robot, 1}, 403}, {request{"/public", robot, 1}, 200}, {request{"/refused.html", robot, 0}, 404},
	} {
		if got := s.ask(t, []request{test.request})[0]; got != test.status {
			t.Errorf("%+v: %d, want %d", test.request, got, test.status)
		}
	}
	if page := s.body(t, request{"/admin/x", robot, 0}); !strings.Contains(page, "our own page") {
		t.Errorf("the answer has not the page of the site: %q", page)
	}
}

// TestNginxEquivalents checks that other spellings of a disallowed path are refused if that is asked for, and only then.
func TestNginxEquivalents(t *testing.T) {
	p := robots.Parse([]byte("User-agent: *\nDisallow: /private/\nDisallow: /a b/?x=\nAllow: /private/open\n"))
	s := startPlainNginx(t, write(t, "nginx", p, export.Options{}), write(t, "nginx", p, export.Options{Site: "strict", Equivalents: true}))
	for target, spelling := range map[string]bool{
		"//private/x": true, "/a/../private/x": true, "/./private/x": true, "/private%2Fx": true, "/private//x": false, "/a%20b//?x=1": true,
		"/private/open": false, "//private/open": false, "/public": false, "//public": false, "/privateer": false,
	} {
		plain := refused(p, request{target, googlebot, 0})
		for site, want := range []bool{plain, plain || spelling} {
			if got := s.ask(t, []request{{target, googlebot, site}})[0] == 403; got != want {
				t.Errorf("site %d: refusing %s is %t, want %t", site, target, got, want)
			}
			if got := s.ask(t, []request{{target, chrome, site}})[0]; got != 200 {
				t.Errorf("site %d: %s to a browser: %d", site, target, got)
			}
		}
	}
}
