package export

import (
	"path"
	"strings"
)

// A luaServer is a server that runs the Lua file.
type luaServer struct {
	title, folder string
	includes      []luaInclude
}

// A luaInclude is lines to include, with FILE for the name of the file and SITE for that of the site.
type luaInclude struct{ place, lines string }

var (
	lighttpd = luaServer{"lighttpd", "/etc/lighttpd", []luaInclude{
		{"to the list server.modules, before everything else", `"mod_magnet",`},
		{"to the site, before everything else", `magnet.attract-raw-url-to = ( "FILE" )`},
	}}
	nginxLua = luaServer{"nginx", "/etc/nginx", []luaInclude{
		{"to the http block, which can have only one init_by_lua_block for all sites", `init_by_lua_block { robots_SITE = dofile("FILE") }`},
		{"to the server block of the site, before everything else", "server_rewrite_by_lua_block { robots_SITE.nginx(ngx) }"},
	}}
	haproxyLua = luaServer{"HAProxy", "/etc/haproxy", []luaInclude{
		{"to the global section", "lua-load-per-thread FILE"},
		{"to the frontend of the site, before its other http-request rules",
			"http-request deny deny_status 403 if { req.fhdr(user-agent,1),lua.robots_SITE -m found } { lua.robots_SITE -m bool }"},
	}}
	apacheLua = luaServer{"Apache httpd", "/etc/apache2", []luaInclude{
		{"to the VirtualHost of the site", "LuaScope server\nLuaHookTranslateName FILE robots_SITE early"},
	}}
)

func writeLighttpd(p *plan) (*Config, error)   { return lighttpd.write(p) }
func writeNginxLua(p *plan) (*Config, error)   { return nginxLua.write(p) }
func writeHAProxyLua(p *plan) (*Config, error) { return haproxyLua.write(p) }
func writeApacheLua(p *plan) (*Config, error)  { return apacheLua.write(p) }

func (s *luaServer) write(p *plan) (*Config, error) {
	f, err := writeLuaFile(p)
	if err != nil {
		return nil, err
	}
	return &Config{Files: []File{f}, Includes: s.lines(p, f, s.folder, "")}, nil
}

// lines returns what the operator includes, each place with a text before it.
func (s *luaServer) lines(p *plan, f File, usual, before string) (list []Include) {
	replacer := strings.NewReplacer("FILE", path.Join(p.folder(usual), f.Name), "SITE", p.site)
	for _, i := range s.includes {
		list = append(list, Include{before + i.place, strings.Split(replacer.Replace(i.lines), "\n")})
	}
	return list
}

// writeLua writes the Lua file for any server, with the lines of each one.
func writeLua(p *plan) (*Config, error) {
	f, err := writeLuaFile(p)
	if err != nil {
		return nil, err
	}
	c := &Config{Files: []File{f}}
	for _, s := range []luaServer{nginxLua, haproxyLua, apacheLua, lighttpd} {
		c.Includes = append(c.Includes, s.lines(p, f, "/etc/robots", "for "+s.title+", ")...)
	}
	return c, nil
}
