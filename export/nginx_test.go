package export_test

import (
	"fmt"
	"math/rand/v2"
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

// startNginx runs nginx with sites, each of which has the text in its server block.
func startNginx(t *testing.T, server string, configs ...*export.Config) webServer {
	t.Helper()
	program := installed(t, "nginx")
	dir := folder(t)
	text := nginxMain
	for i, c := range configs {
		text += fmt.Sprintf("  include %s;\n", c.Files[0].Name)
		name := "example.com"
		if i > 0 {
			name = fmt.Sprintf("site%d.example", i)
		}
		text += fmt.Sprintf("  server {\n    listen unix:%s/s;\n    server_name %s;\n    include %s;\n%s\n  }\n", dir, name, c.Files[1].Name, server)
	}
	save(t, dir, "nginx.conf", text+"}\n", configs...)
	return start(t, dir, webServer{"unix", dir + "/s"}, program, "-p", dir, "-c", "nginx.conf")
}

func write(t *testing.T, server string, p *robots.Policy, o export.Options) *export.Config {
	t.Helper()
	config, err := export.Write(server, p, o)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// policies are small files, each with what may go wrong.
var policies = map[string]string{
	"usual": `User-agent: *
Disallow: /core/
Allow: /core/*.css$
Allow: /core/*.css?
Disallow: /admin/
Disallow: /comment/reply/
Disallow: /*/delete
Disallow: /*?s=

User-agent: Googlebot
User-agent: Googlebot-News
Disallow: /news/*.pdf$
Disallow: /*2F

User-agent: GPTBot
User-agent: ExampleBot
Disallow: /

User-agent: bingbot
Disallow:
`,
	"closed": "User-agent: *\nDisallow: /\nAllow: /$\nAllow: /public\nDisallow: /public/*%c3%a9\nAllow: /.well-known/\n",
	"named":  "User-agent: libwww-perl\nUser-agent: curl\nDisallow: /\n\nUser-agent: Mozilla\nUser-agent: AdsBot-Google\nUser-agent: startmebot\nDisallow: /x\n",
	"open":   "User-agent: *\nAllow: /\n",
	"percent": "User-agent: *\nDisallow: /a%\nDisallow: /b%2\nDisallow: /c%40\nDisallow: /%40\nDisallow: /é/ü\nDisallow: /d%24\nDisallow: /*feed\nDisallow: /*3%A\n" +
		"Allow: /a%20b\nAllow: /*F/\n",
	"hostile": "User-agent: *\nDisallow: /\";}server{return 200;}\nDisallow: /'$uri{}\nDisallow: /a\\\"b\\\nDisallow: /(?:[x\nDisallow: /\\x61)|.*\n" +
		"Disallow: /$request_uri\nDisallow: /\"+%{REQUEST_URI}\nDisallow: /\x00\x01\x7f\nDisallow: /<%= `id` %>\nDisallow: /]]--[[\nDisallow: /{http.request.uri}`\n" +
		"Disallow: /\xff\xfe\n\nUser-agent: \";}x{\nUser-agent: (?i).*\nUser-agent: Evil\"Bot\nUser-agent: x%{HTTP_HOST}bot\nDisallow: /\n",
}

func TestNginx(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, text := range policies {
		t.Run(name, func(t *testing.T) {
			p := robots.Parse([]byte(text))
			s := startNginx(t, "location / { return 200; }", write(t, "nginx", p, export.Options{}))
			targets := append(targetsOf(p, random, 40), "/a%2Fb", "/a%2fb", "/a%20b", "/a%20c", "/b%2F", "/b%2", "/c@", "/c%40", "/c%%34%30", "/%2feed", "/%2Ffeed", "/xfeed", "/%feed")
			requests := requestsOf(targets, headers)
			malformed := s.compare(t, p, requests)
			if malformed > len(requests)/2 {
				t.Errorf("nginx refuses %d of %d requests as malformed", malformed, len(requests))
			}
		})
	}
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
	robot, browser := headers[10], chrome // bingbot may fetch all
	robot = "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)"
	for _, test := range []struct {
		request
		status int
	}{
		{request{"/admin/x", browser}, 301}, {request{"/admin/x", robot}, 403},
		{request{"/comment/reply/1", browser}, 301}, {request{"/comment/reply/1", robot}, 403},
		{request{"/news/a.pdf", browser}, 200}, {request{"/news/a.pdf", googlebot}, 403}, {request{"/news/a.pdf", robot}, 200},
		{request{"/x", robot}, 200}, {request{"/refused.html", robot}, 404},
	} {
		if got := s.ask(t, []request{test.request})[0]; got != test.status {
			t.Errorf("%q: %d, want %d", test.request, got, test.status)
		}
	}
	if page := s.body(t, request{"/admin/x", robot}); !strings.Contains(page, "our own page") {
		t.Errorf("the answer has not the page of the site: %q", page)
	}
}
