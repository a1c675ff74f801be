package export_test

import (
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
)

// TestProxySites checks that the rules and pages of a site around the exported lines leave no hole
// in HAProxy and Varnish, and that two sites do not share rules.
func TestProxySites(t *testing.T) {
	sites := map[string]string{
		"haproxy": `http-error status 403 content-type text/plain string "our own page"
http-request redirect location /moved if { path_beg /admin/ }
http-request set-path /ok if { path_beg /comment/ }
http-request return status 200 if { path_beg /core/ }
http-request return status 200`,
		"varnish": `if (req.url ~ "^/admin/") { return (synth(302)); }
if (req.url ~ "^/comment/") { set req.url = "/ok"; }
if (req.url ~ "^/core/" && req.restarts == 0) { return (restart); }
return (synth(200));`,
	}
	robot := "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)"
	for server, text := range sites {
		t.Run(server, func(t *testing.T) {
			config := write(t, server, robots.Parse([]byte(policies["usual"])), export.Options{})
			if server == "varnish" {
				config.Includes[0].Lines = append(config.Includes[0].Lines,
					`sub vcl_synth { set resp.body = "our own page"; return (deliver); }`)
			}
			s := startWith(t, server, text, config, write(t, server, robots.Parse([]byte(policies["closed"])),
				export.Options{Site: "closed"}))
			s.checkAnswers(t, []answer{
				{request{"/admin/x", chrome, 0}, 302}, {request{"/admin/x", robot, 0}, 403},
				{request{"/core/x", chrome, 0}, 200}, {request{"/core/x", robot, 0}, 403},
				{request{"/comment/reply/1", chrome, 0}, 200}, {request{"/comment/reply/1", robot, 0}, 403},
				{request{"/core/x.css", robot, 0}, 200},
				{request{"/x", robot, 0}, 200}, {request{"/x", robot, 1}, 403}, {request{"/public", robot, 1}, 200},
				{request{"/x", chrome, 1}, 200},
			})
			s.checkPage(t, request{"/admin/x", robot, 0})
		})
	}
}
