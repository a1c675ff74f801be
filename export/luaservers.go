package export

import (
	"path"
	"strings"
)

// luaServer returns the writer for a server that runs the Lua file. The lines to include are written for the name of the
// file and the name of the site.
func luaServer(usual string, includes ...luaInclude) func(*plan) (*Config, error) {
	return func(p *plan) (*Config, error) {
		f, err := writeLuaFile(p)
		if err != nil {
			return nil, err
		}
		c := &Config{Files: []File{f}}
		for _, i := range includes {
			lines := strings.NewReplacer("FILE", path.Join(p.folder(usual), f.Name), "SITE", p.site).Replace(i.lines)
			c.Includes = append(c.Includes, Include{i.place, strings.Split(lines, "\n")})
		}
		return c, nil
	}
}

// A luaInclude is lines to include, with FILE for the name of the file and SITE for that of the site.
type luaInclude struct{ place, lines string }

var (
	writeNginxLua = luaServer("/etc/nginx",
		luaInclude{"to the http block, which can have only one init_by_lua_block for all sites", `init_by_lua_block { robots_SITE = dofile("FILE") }`},
		luaInclude{"to the server block of the site, before everything else", "server_rewrite_by_lua_block { robots_SITE.nginx(ngx) }"})

	writeHAProxyLua = luaServer("/etc/haproxy",
		luaInclude{"to the global section", "lua-load-per-thread FILE"},
		luaInclude{"to the frontend of the site, before its other http-request rules",
			"http-request deny deny_status 403 if { req.fhdr(user-agent,1),lua.robots_SITE -m found } { lua.robots_SITE -m bool }"})

	writeApacheLua = luaServer("/etc/apache2",
		luaInclude{"to the VirtualHost of the site", "LuaScope server\nLuaHookTranslateName FILE robots_SITE early"})

	writeLighttpd = luaServer("/etc/lighttpd",
		luaInclude{"to the list server.modules, before everything else", `"mod_magnet",`},
		luaInclude{"to the site, before everything else", `magnet.attract-raw-url-to = ( "FILE" )`})
)
