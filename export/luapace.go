package export

import (
	"fmt"

	"github.com/robotsexclusion/robots/export/internal/headerregex"
)

// pacesOfNames returns the numbers of the paces of the robots of the table, by their names in
// headers, from 1 on.
func (w *luaWriter) pacesOfNames() map[string]int {
	paces := make(map[string]int)
	if w.pace == nil {
		return paces
	}
	for _, n := range w.plan.pace.names {
		switch {
		case n.Level <= headerregex.Tool || n.Level == headerregex.Device:
		case n.Class >= 0:
			paces[n.Text] = 1 + int(n.Class)
		case n.Class == headerregex.Everyone && w.options.Agents != Named:
			paces[n.Text] = 1 + w.pace.everyone
		}
	}
	return paces
}

// paces writes the paces, and the number of that of robots in no table.
func (w *luaWriter) paces() {
	everyone := 0
	if w.pace != nil && w.options.Agents == All {
		everyone = 1 + w.pace.everyone
	}
	fmt.Fprintf(w, "data.everyonePace = %d\ndata.paces = \"\\\n", everyone)
	if w.pace != nil {
		for _, l := range w.pace.limits {
			fmt.Fprintf(w, "%g %g", l.pause.Seconds(), l.early.Seconds())
			pause, early := l.rate()
			fmt.Fprintf(w, " %g %g\\\n", pause.Seconds(), early.Seconds())
		}
	}
	w.WriteString("\"\n")
}

// writeNginxLua adds the memory that all processes of nginx share.
func writeNginxLua(p *plan) (*Config, error) {
	c, err := nginxLua.write(p)
	if err == nil && p.pace != nil {
		line := "lua_shared_dict robots_" + p.site + " 1m;"
		c.Includes = append(c.Includes, Include{"to the http block", []string{line}})
	}
	return c, err
}

// writeHAProxyLua adds the rules by which HAProxy counts, since each of its threads has a Lua of
// its own.
func writeHAProxyLua(p *plan) (*Config, error) {
	c, err := haproxyLua.write(p)
	if err != nil || p.pace == nil {
		return c, err
	}
	w := &haproxyWriter{plan: p}
	pace, key := w.variable("pace"), w.variable("key")
	w.rule("set-var(%s) lua.robots_%s_pace if !{ req.fhdr(user-agent,1) -m reg '%s' }", pace, p.site,
		headerregex.CommonBrowsers)
	w.rule("set-var(%s) lua.robots_%s_key if { var(%s) -m found }", key, p.site, pace)
	section := w.slow(p.pace)
	c.Includes[1].Lines = append(c.Includes[1].Lines, w.lines...)
	c.Includes = append(c.Includes, Include{"to the configuration, as a section of its own", section})
	return c, nil
}
