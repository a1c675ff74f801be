package export_test

import (
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
)

// luaServers are the servers that run the Lua file.
var luaServers = []string{"lighttpd", "nginx-lua", "haproxy-lua", "apache-lua"}

// TestLuaSites checks that the redirects, rewrites and error pages of a site around the Lua file
// leave no hole, and that two sites in one server do not share rules.
func TestLuaSites(t *testing.T) {
	yandex := "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)"
	p := robots.Parse([]byte(policies["usual"]))
	closed := robots.Parse([]byte(policies["closed"]))
	for server, site := range map[string]string{
		"lighttpd": `server.errorfile-prefix = "/etc/lighttpd/pages/"
			url.redirect = ( "^/admin/" => "/moved" )
			url.rewrite-once = ( "^/(?!admin|refused)" => "/ok" )`,
		"nginx-lua": `error_page 403 /refused.html;
			location = /refused.html { internal; return 403 "our own page"; }
			location /admin/ { rewrite ^ /moved redirect; }
			location /comment/ { return 200; }
			location /core/ { try_files /nothing @named; }
			location @named { return 200; }
			location / { return 200; }`,
		"haproxy-lua": "http-error status 403 content-type text/plain string \"our own page\"\nhttp-request redirect location /moved if { path_beg /admin/ }\nhttp-request return status 200",
		"apache-lua": "ErrorDocument 403 /refused.html\nRedirect /admin/ /moved\nRewriteEngine On\nRewriteCond %{REQUEST_URI} !^/(?:admin|refused)\n" +
			"RewriteRule ^ /ok [L]",
	} {
		t.Run(server, func(t *testing.T) {
			s := startWith(t, server, site, write(t, server, p, export.Options{}),
				write(t, server, closed, export.Options{Site: "closed"}))
			for _, test := range []struct {
				request
				status int
			}{
				{request{"/admin/x", chrome, 0}, 302}, {request{"/admin/x", yandex, 0}, 403},
				{request{"/comment/reply/1", chrome, 0}, 200},
				{request{"/comment/reply/1", yandex, 0}, 403}, {request{"/core/x", yandex, 0}, 403},
				{request{"/core/x.css", yandex, 0}, 200},
				{request{"/x", yandex, 0}, 200}, {request{"/x", yandex, 1}, 403}, {request{"/public", yandex, 1}, 200},
				{request{"/x", chrome, 1}, 200},
			} {
				if got := s.ask(t, []request{test.request})[0]; got != test.status &&
					(test.status != 302 || got != 301) {
					t.Errorf("%+v: %d, want %d", test.request, got, test.status)
				}
			}
			s.checkPage(t, request{"/comment/reply/1", yandex, 0})
		})
	}
}

// TestLuaEquivalents checks spellings of which Lua knows more than expressions do.
func TestLuaEquivalents(t *testing.T) {
	p := robots.Parse([]byte("User-agent: *\nDisallow: /private/\nDisallow: /dir/$\nDisallow: /100%25\n"))
	for _, server := range luaServers {
		t.Run(server, func(t *testing.T) {
			s := start(t, server, write(t, server, p, export.Options{}))
			for target, want := range map[string]int{
				"/dir/y/..": 403, "/dir/.": 403, "//100%25": 403, "/dir": 200, "/x?/../private/x": 200,
				"/x/..%3F/private/x": 200, "//robots.txt": 200,
			} {
				if got := s.ask(t, []request{{target, googlebot, 0}})[0]; got != want && got != 400 && got != 404 {
					t.Errorf("%s: %d, want %d", target, got, want)
				}
			}
		})
	}
}

// TestCommonBrowsers checks that common browsers start no script in lighttpd, and all other clients
// do: with a script that refuses all.
func TestCommonBrowsers(t *testing.T) {
	config := write(t, "lighttpd", robots.Parse([]byte("User-agent: *\nDisallow: /x\n")), export.Options{})
	config.Files[0].Data = []byte("return 403\n")
	start(t, "lighttpd", config).checkAnswers(t, []answer{
		{request{"/x", chrome, 0}, 200}, {request{"/x", chrome + " ", 0}, 200}, {request{"/x", googlebot, 0}, 403},
		{request{"/x", "", 0}, 403},
		{request{"/x", chrome + " SomeBot/1.0", 0}, 403}, {request{"/x", chrome + "\r\nUser-Agent: " + googlebot, 0},
			403},
		{request{"/x", chrome + "\r\nUser-Agent: " + chrome, 0}, 403},
	})
}
