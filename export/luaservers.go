package export

import (
	"path"
	"strings"

	"github.com/robotsexclusion/robots/export/internal/headerregex"
)

// A luaServer is a server that runs the Lua file.
type luaServer struct {
	title, folder string
	includes      []luaInclude
	text          string // of a second file, or ""
}

// A luaInclude is lines to include, with FILE for the Lua file, CONF for the second file, SITE for
// the name of the site, and COMMON for the expression of common browsers.
type luaInclude struct{ place, lines string }

var (
	// To start a script takes lighttpd longer than to compare a header, so common browsers start
	// none.
	lighttpd = luaServer{title: "lighttpd", folder: "/etc/lighttpd", includes: []luaInclude{
		{"to the list server.modules, before everything else", `"mod_magnet",`},
		{"to the site, before everything else", `include "CONF"`},
	}, text: `# Refuses what a robots.txt disallows, written by "robots export". Include this file in the site. Common browsers pass
# without the script.
$REQUEST_HEADER["User-Agent"] !~ "COMMON" {
  magnet.attract-raw-url-to = ( "FILE" )
}
`}
	nginxLua = luaServer{title: "nginx", folder: "/etc/nginx", includes: []luaInclude{
		{"to the http block, which can have only one init_by_lua_block for all sites",
			`init_by_lua_block { robots_SITE = dofile("FILE") }`},
		{"to the server block of the site, before everything else",
			"server_rewrite_by_lua_block { robots_SITE.nginx(ngx) }"},
	}}
	haproxyLua = luaServer{title: "HAProxy", folder: "/etc/haproxy", includes: []luaInclude{
		{"to the global section", "lua-load-per-thread FILE"},
		{"to the frontend of the site, before its other http-request rules",
			haproxyMalformed + "\nhttp-request deny deny_status 403 if !{ req.fhdr(user-agent,1) -m reg 'COMMON' } " +
				"{ req.fhdr(user-agent,1),lua.robots_SITE -m found } { lua.robots_SITE -m bool }"},
	}}
	apacheLua = luaServer{title: "Apache httpd", folder: "/etc/apache2", includes: []luaInclude{
		{"to the VirtualHost of the site", "LuaScope server\nLuaHookTranslateName FILE robots_SITE early"},
	}}
)

func writeLighttpd(p *plan) (*Config, error)  { return lighttpd.write(p) }
func writeApacheLua(p *plan) (*Config, error) { return apacheLua.write(p) }

func (s *luaServer) write(p *plan) (*Config, error) {
	f, err := writeLuaFile(p)
	if err != nil {
		return nil, err
	}
	c := &Config{Files: []File{f}}
	s.add(c, p, s.folder, "")
	return c, nil
}

// add adds the second file of a server, and the lines for the operator to include, with a text
// before each place.
func (s *luaServer) add(c *Config, p *plan, usual, before string) {
	folder, conf := p.folder(usual), "robots-"+p.site+".lighttpd.conf"
	replacer := strings.NewReplacer("FILE", path.Join(folder, c.Files[0].Name), "CONF", path.Join(folder, conf), "SITE",
		p.site, "COMMON", headerregex.CommonBrowsers)
	if s.text != "" {
		c.Files = append(c.Files, File{conf, []byte(replacer.Replace(s.text))})
	}
	for _, i := range s.includes {
		c.Includes = append(c.Includes, Include{before + i.place, strings.Split(replacer.Replace(i.lines), "\n")})
	}
}

// writeLua writes the Lua file for any server, with the lines of each one.
func writeLua(p *plan) (*Config, error) {
	f, err := writeLuaFile(p)
	if err != nil {
		return nil, err
	}
	c := &Config{Files: []File{f}}
	for _, s := range []luaServer{nginxLua, haproxyLua, apacheLua, lighttpd} {
		s.add(c, p, "/etc/robots", "for "+s.title+", ")
	}
	return c, nil
}
