package export_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
)

// startApache runs Apache httpd with a VirtualHost for each configuration, with the text in it.
func startApache(t testing.TB, text string, configs ...*export.Config) webServer {
	t.Helper()
	program := installed(t, "apache2")
	dir := folder(t)
	modules := "/usr/lib/apache2/modules"
	main := ""
	for _, m := range []string{"mpm_event", "authz_core", "rewrite", "alias", "dir"} {
		file := filepath.Join(modules, "mod_"+m+".so")
		if _, err := os.Stat(file); err != nil {
			t.Skipf("Apache httpd has no %s", file)
		}
		main += fmt.Sprintf("LoadModule %s_module %s\n", m, file)
	}
	address := freeAddress(t)
	main += fmt.Sprintf("ServerRoot %[1]s\nPidFile %[1]s/pid\nServerName x\nListen %[2]s\nErrorLog /dev/stderr\nLogLevel crit\n"+
		"StartServers 1\nMaxKeepAliveRequests 0\nKeepAliveTimeout 30\nLimitRequestLine 16000\nAllowEncodedSlashes On\n"+
		"DocumentRoot %[1]s/pages\n<Directory />\nRequire all granted\n</Directory>\n", dir, address)
	if os.Getuid() == 0 {
		main += "User www-data\nGroup www-data\n"
	}
	for i, c := range configs {
		main += fmt.Sprintf("<VirtualHost *:*>\nServerName %s\nAllowEncodedSlashes On\nInclude %s/%s\n%s\n</VirtualHost>\n", host(i), dir, c.Files[0].Name, text)
	}
	if err := os.Mkdir(filepath.Join(dir, "pages"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"ok": "ok", "refused.html": "our own page"} {
		if err := os.WriteFile(filepath.Join(dir, "pages", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	save(t, dir, "apache.conf", main, configs...)
	return start(t, dir, webServer{network: "tcp", address: address}, program, "-d", dir, "-f", dir+"/apache.conf", "-D", "FOREGROUND")
}

// freeAddress returns an address of the loopback on which nobody listens.
func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// startPlainApache answers 200 to every request that is not refused.
func startPlainApache(t testing.TB, configs ...*export.Config) webServer {
	t.Helper()
	return startApache(t, "RewriteRule ^ /ok [L]", configs...)
}

// TestApacheSites checks that the rules and pages of a site around the included file work.
func TestApacheSites(t *testing.T) {
	p := robots.Parse([]byte(policies["usual"] + "\nUser-agent: YandexBot\nDisallow: /\n"))
	s := startApache(t, "ErrorDocument 403 /refused.html\nRedirect /admin/ /moved\nRewriteRule ^/comment/ /ok [L]\nRewriteRule ^/x /ok [L]", write(t, "apache", p, export.Options{}))
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
