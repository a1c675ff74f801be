package export_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/export"
)

// startHAProxy runs HAProxy with a frontend for each configuration.
func startHAProxy(t testing.TB, configs ...*export.Config) webServer {
	t.Helper()
	program := installed(t, "haproxy")
	dir := folder(t)
	text := "global\n  tune.maxrewrite 1024\n  tune.pattern.cache-size 0\ndefaults\n  mode http\n  timeout client 30s\n"
	for i, c := range configs {
		text += fmt.Sprintf("frontend site%d\n  bind unix@%s/s%[1]d\n", i, dir)
		for _, line := range c.Includes[0].Lines {
			text += "  " + strings.ReplaceAll(line, "/etc/haproxy", dir) + "\n"
		}
		text += "  http-request return status 200\n"
	}
	save(t, dir, "haproxy.cfg", text, configs...)
	return start(t, dir, webServer{network: "unix", address: dir + "/s", each: true}, program, "-f", "haproxy.cfg", "-db")
}
