package export_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
)

// startVarnish runs Varnish with the subroutine of each configuration for the host of its site.
func startVarnish(t testing.TB, configs ...*export.Config) webServer {
	t.Helper()
	program := installed(t, "varnishd")
	dir := folder(t)
	includes, calls := "", ""
	for i, c := range configs {
		includes += strings.ReplaceAll(c.Includes[0].Lines[0], "/etc/varnish", dir) + "\n"
		calls += fmt.Sprintf("  if (req.http.host == %q) { %s }\n", host(i), c.Includes[1].Lines[0])
	}
	save(t, dir, "main.vcl", "vcl 4.1;\nbackend default none;\n"+includes+"sub vcl_recv {\n"+calls+"  return (synth(200));\n}\n", configs...)
	return start(t, dir, webServer{network: "unix", address: dir + "/s"}, program,
		"-F", "-n", dir+"/work", "-j", "none", "-a", dir+"/s", "-f", dir+"/main.vcl", "-s", "default,1m",
		"-p", strings.Fields(configs[0].Includes[2].Lines[0])[1], "-p", "vsl_space=1M", "-p", "http_req_size=32k", "-p", "http_req_hdr_len=16k", "-p", "timeout_idle=30", "-p", "thread_pools=1")
}

// TestVarnishLongTargets checks that no expression fails at a request, for which Varnish answers 503.
func TestVarnishLongTargets(t *testing.T) {
	p := robots.Parse([]byte("user-agent: *\ndisallow: /*a*b*c*d*e$\ndisallow: /*x/y\ndisallow: /" + strings.Repeat("q", 420) + "\nallow: /*" + strings.Repeat("r", 400)))
	s := startVarnish(t, write(t, "varnish", p, export.Options{}))
	var targets []string
	for _, unit := range []string{"a", "abcd", "x/", "%61", "%C3%A9", "q", "%71", "r%72"} {
		targets = append(targets, "/"+strings.Repeat(unit, 8000/len(unit)), "/"+strings.Repeat(unit, 400), "/"+strings.Repeat(unit, 8000/len(unit))+"e")
	}
	s.compare(t, []*robots.Policy{p}, requestsOf(0, targets, []string{googlebot, chrome}))
}
