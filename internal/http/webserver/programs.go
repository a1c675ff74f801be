package webserver

import (
	"fmt"
	"os"
	"strings"
)

// A program is how to run a server: its command, and the configuration around the exported lines.
type program struct {
	command string
	// the folder that the exported lines name unless they name another
	usual  string
	answer string                                         // the directives of a site that answers 200 to all requests
	main   func(dir, address string, sites []Site) string // of the file "main"
	args   func(dir, address string) []string
	module string // a file that the server must have besides
	built  string // what the server must say of itself with -vv, or ""
	tcp    bool   // the server cannot listen on a socket of a file
	each   bool   // each site has an address of its own
}

// programs has the servers by their names in package export.
var programs = map[string]program{
	"nginx": {
		command: "nginx",
		usual:   "/etc/nginx",
		answer:  "location / { return 200; }",
		main:    nginxMain,
		args:    nginxArgs,
	},
	"haproxy": {
		command: "haproxy",
		usual:   "/etc/haproxy",
		answer:  "http-request return status 200",
		main:    haproxyMain,
		args:    haproxyArgs,
		each:    true,
	},
	"varnish": {
		command: "varnishd",
		usual:   "/etc/varnish",
		answer:  "return (synth(200));",
		main:    varnishMain,
		args: func(dir, address string) []string {
			return []string{"-F", "-n", dir + "/work", "-j", "none", "-a", strings.TrimPrefix(address, "unix:"), "-f",
				dir + "/main", "-s", "default,1m",
				"-p", "cc_command=exec gcc -w -O0 -fpic -shared -o %o %s", // fast to compile
				// to load large files on a busy machine
				"-p", "vsl_space=1M", "-p", "timeout_idle=30", "-p", "cli_timeout=600",
				"-p", "thread_pools=1"}
		},
	},
	"apache": {
		command: "apache2",
		usual:   "/etc/apache2",
		answer:  "RewriteEngine On\nRewriteRule ^ /ok [L]",
		tcp:     true,
		main:    apacheMain,
		args:    apacheArgs,
	},
	"caddy": {
		command: "caddy",
		usual:   "/etc/caddy",
		answer:  "respond 200",
		main:    caddyMain,
		args:    func(string, string) []string { return []string{"run", "--config", "main", "--adapter", "caddyfile"} },
	},
	"lighttpd": {
		command: "lighttpd",
		module:  "/usr/lib/lighttpd/mod_magnet.so",
		usual:   "/etc/lighttpd",
		answer:  `url.rewrite-once = ( "^" => "/ok" )`,
		main:    lighttpdMain,
		args:    func(string, string) []string { return []string{"-D", "-f", "main"} },
	},
	"nginx-lua": {
		command: "nginx",
		module:  nginxModules + "ngx_http_lua_module.so",
		usual:   "/etc/nginx",
		answer:  "location / { return 200; }",
		main:    nginxLuaMain,
		args:    nginxArgs,
	},
	"haproxy-lua": {
		command: "haproxy",
		built:   "Built with Lua",
		usual:   "/etc/haproxy",
		answer:  "http-request return status 200",
		main:    haproxyLuaMain,
		args:    haproxyArgs,
		each:    true,
	},
	"apache-lua": {
		command: "apache2",
		module:  apacheModules + "mod_lua.so",
		usual:   "/etc/apache2",
		answer:  "RewriteEngine On\nRewriteRule ^ /ok [L]",
		tcp:     true,
		main:    apacheLuaMain,
		args:    apacheArgs,
	},
}

// The folders of modules, as Debian has them.
const (
	nginxModules  = "/usr/lib/nginx/modules/"
	apacheModules = "/usr/lib/apache2/modules/"
)

func nginxArgs(dir, _ string) []string { return []string{"-p", dir, "-c", "main"} }

func haproxyArgs(string, string) []string { return []string{"-f", "main", "-db"} }

func apacheArgs(dir, _ string) []string {
	return []string{"-d", dir, "-f", dir + "/main", "-D", "FOREGROUND"}
}

func nginxMain(_, address string, sites []Site) string {
	text := sites[0].Main + "\npid nginx.pid; error_log stderr error; daemon off; master_process off; events {}\n" +
		"http { access_log off; client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t; scgi_temp_path t;\n" +
		"keepalive_requests 100000; large_client_header_buffers 4 32k; root pages;\n"
	for i, s := range sites {
		if len(s.Includes) > 2 {
			text += s.include(2) + "\n"
		}
		text += fmt.Sprintf("%s\nserver { listen %s; server_name %s;\n%s\n%s\n}\n", s.include(0), address,
			Host(i), s.include(1), s.Text)
	}
	return text + "}\n"
}

// haproxyGlobal is the global section and the defaults. The cache of matches would hide what they
// cost.
const haproxyGlobal = "global\ntune.maxrewrite 1024\ntune.pattern.cache-size 0\n"

func haproxyMain(_, address string, sites []Site) string {
	return haproxyGlobal + haproxyFrontends(address, sites, 0)
}

func haproxyLuaMain(_, address string, sites []Site) string {
	text := haproxyGlobal
	for _, s := range sites {
		text += s.include(0) + "\n"
	}
	return text + haproxyFrontends(address, sites, 1)
}

// haproxyFrontends returns the frontends of sites with the lines of a place.
func haproxyFrontends(address string, sites []Site, place int) string {
	text := "defaults\nmode http\ntimeout client 30s\n"
	for i, s := range sites {
		bind := address
		if socket, ok := strings.CutPrefix(address, "unix:"); ok {
			bind = fmt.Sprint("unix@", socket, i)
		}
		text += fmt.Sprintf("frontend site%d\nbind %s\n%s\n%s\n", i, bind, s.include(place), s.Text)
		if len(s.Includes) > place+1 {
			text += s.include(place+1) + "\n"
		}
	}
	return text
}

func varnishMain(_, _ string, sites []Site) string {
	text, calls := "vcl 4.1;\nbackend default none;\n", ""
	for i, s := range sites {
		text += s.include(0) + "\n"
		calls += fmt.Sprintf("if (req.http.host == %q) {\n%s\n%s\n}\n", Host(i), s.include(1), s.Text)
	}
	return text + "sub vcl_recv {\n" + calls + "return (synth(404));\n}\n"
}

func apacheMain(dir, address string, sites []Site) string {
	text := ""
	for _, m := range []string{"mpm_event", "authz_core", "rewrite", "alias", "dir"} {
		text += fmt.Sprintf("LoadModule %s_module %smod_%[1]s.so\n", m, apacheModules)
	}
	if os.Getuid() == 0 {
		text += "User www-data\nGroup www-data\n"
	}
	text += fmt.Sprintf("ServerRoot %[1]s\nPidFile %[1]s/pid\nServerName x\nListen %[2]s\nErrorLog /dev/stderr\nLogLevel crit\nStartServers 1\n"+
		"MaxKeepAliveRequests 0\nKeepAliveTimeout 30\nLimitRequestLine 16000\nDocumentRoot %[1]s/pages\n<Directory />\nRequire all granted\n</Directory>\n", dir, address)
	for i, s := range sites {
		text += fmt.Sprintf("<VirtualHost *:*>\nServerName %s\nAllowEncodedSlashes On\n%s\n%s\n</VirtualHost>\n",
			Host(i), s.include(0), s.Text)
	}
	return text
}

func caddyMain(_, address string, sites []Site) string {
	text := "{\nadmin off\nauto_https off\nlog {\nlevel ERROR\n}\n" + sites[0].include(0) + "\n}\n"
	bind, port := strings.Replace(address, "unix:", "unix/", 1), ""
	if host, number, ok := strings.Cut(address, ":"); ok && host != "unix" {
		bind, port = host, ":"+number
	}
	for i, s := range sites {
		text += fmt.Sprintf("http://%s%s {\nbind %s\nroot * pages\n%s\n%s\n}\n", Host(i), port, bind,
			s.include(1), s.Text)
	}
	return text
}

func apacheLuaMain(dir, address string, sites []Site) string {
	return "LoadModule lua_module " + apacheModules + "mod_lua.so\n" + apacheMain(dir, address, sites)
}

func lighttpdMain(dir, address string, sites []Site) string {
	port := ""
	if host, number, ok := strings.Cut(address, ":"); ok && host != "unix" {
		address, port = host, "server.port = "+number+"\n"
	}
	text := port + fmt.Sprintf("server.modules = (\n%s\n\"mod_rewrite\", \"mod_redirect\" )\nserver.bind = \"%s\"\nserver.document-root = \"%s/pages\"\nserver.errorlog = \"/dev/stderr\"\n"+
		"server.max-keep-alive-requests = 65535\nserver.max-request-field-size = 32768\n", sites[0].include(0),
		strings.TrimPrefix(address, "unix:"), dir)
	for i, s := range sites {
		text += fmt.Sprintf("$HTTP[\"host\"] == %q {\n%s\n%s\n}\n", Host(i), s.include(1), s.Text)
	}
	return text
}

// nginxLuaMain joins the init_by_lua_blocks of the sites, because nginx takes only one.
func nginxLuaMain(dir, address string, sites []Site) string {
	text := nginxMain(dir, address, sites)
	all := ""
	for _, s := range sites {
		line := s.include(0)
		text = strings.Replace(text, line, "", 1)
		all += strings.TrimSuffix(strings.TrimPrefix(line, "init_by_lua_block {"), "}") + "\n"
	}
	text = strings.Replace(text, "http {", "http {\ninit_by_lua_block {\n"+all+"}\n", 1)
	return fmt.Sprintf("load_module %[1]sndk_http_module.so;\nload_module %[1]sngx_http_lua_module.so;\n%s",
		nginxModules, text)
}
