package robotsguard

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	_ "github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"

	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// loopback is the host of all sites. It belongs to these tests alone, so that nobody else takes a
// port before Caddy does.
var loopback string

// TestMain finds loopback, which other Caddys get from the environment, and keeps Caddy out of the
// folders of the user.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "robotsguard")
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"} {
		os.Setenv(name, home)
	}
	const variable = "ROBOTSGUARD_TEST_HOST"
	if loopback = os.Getenv(variable); loopback == "" {
		address, err := ports.Find()
		if err != nil {
			panic(err)
		}
		loopback, _, _ = net.SplitHostPort(address)
		os.Setenv(variable, loopback)
	}
	child.Main(child.Tasks{"serve": func(sites string) {
		serveSites(sites)
		os.RemoveAll(home)
	}})
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// adapt returns the JSON of a Caddyfile.
func adapt(sites string) ([]byte, error) {
	text := "{\n\tadmin off\n\tdefault_bind " + loopback +
		"\n\tauto_https off\n\tpersist_config off\n\tlog {\n\t\tlevel ERROR\n\t}\n\tservers {\n\t\ttrusted_proxies static 127.0.0.0/8\n\t}\n}\n" + sites
	config, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(text), map[string]any{"filename": "Caddyfile"})
	return config, err
}

func TestCaddyfile(t *testing.T) {
	for _, test := range []struct{ directive, want string }{
		{"robots_guard {\nrobots a.txt\n}", `{"handler":"robots_guard","robots":"a.txt"}`},
		{"robots_guard {\nupstream http://127.0.0.1:8080\nobserve\nstatus 410\nno_pace\nliteral\nfail_closed\npreferences\nverify\nranges r\nlog l\n}",
			`{"fail_closed":true,"handler":"robots_guard","literal":true,"log":"l","no_pace":true,"observe":true,"preferences":true,"ranges":"r","status":410,"upstream":"http://127.0.0.1:8080","verify":true}`},
		{"robots_guard {\nrobots a\npreferences\nrobots_tag noarchive\npaid_license https://x.example/a https://x.example/b\npaid_license https://x.example/c\nverify\nverify_first\n" +
			"dns 192.0.2.1:53\nsigner GPTBot=https://bot.example\nhost a.example b.example\nnats nats://127.0.0.1:4222\nsite a.example\n}",
			`{"dns":"192.0.2.1:53","handler":"robots_guard","host":["a.example","b.example"],"nats":"nats://127.0.0.1:4222","paid_license":["https://x.example/a","https://x.example/b","https://x.example/c"],` +
				`"preferences":true,"robots":"a","robots_tag":"noarchive","signer":["GPTBot=https://bot.example"],"site":"a.example","verify":true,"verify_first":true}`},
		{"robots_guard {\nrobots a\nmethods GET POST\npass_path /webhook /x\npass_address 192.0.2.1 2001:db8::/32\n" +
			"pass_header \"X-Token: a b\"\n}", `"methods":["GET","POST"],` +
			`"pass_address":["192.0.2.1","2001:db8::/32"],"pass_header":["X-Token: a b"],"pass_path":["/webhook","/x"],`},
		{"robots_guard {\nrobots a\nmethods POST\n}", "robots_guard: methods: GET is missing"},
		{"robots_guard {\nrobots a\npass_path /*\n}", `robots_guard: pass_path: "/*" has a wildcard`},
		{"robots_guard {\nrobots a\npass_address host\n}", `pass_address: "host" is not an address`},
		{"robots_guard {\nrobots a\npass_header X-Token\n}", "pass_header: write the name and the value"},
		{"robots_guard {\nrobots a\nrobots_tag noindex\n}", "robots_tag goes with preferences"},
		{"robots_guard {\nrobots a\npreferences\nrobots_tag noidnex\n}", `robots_tag "noidnex": `},
		{"robots_guard {\nrobots a\npaid_license license.xml\n}", `paid_license "license.xml": not an absolute URI`},
		{"robots_guard {\nrobots a\nhost a.example\n}", "verify_first, dns, signer and host go with verify"},
		{"robots_guard {\nrobots a\nverify_first\n}", "verify_first, dns, signer and host go with verify"},
		{"robots_guard {\nrobots a\nverify\nsigner GPTBot=http://bot.example\n}",
			`signer "GPTBot=http://bot.example": name a robot`},
		{"robots_guard {\nrobots a\nverify\nhost https://a.example\n}",
			`host "https://a.example": name a host as in a URL`},
		{"robots_guard {\nrobots a\nsite a.example\n}", "nats and site go together"},
		{"robots_guard {\nrobots a\nhost\n}", "wrong argument count"},
		{"robots_guard", "name the file with the rules"},
		{"robots_guard a", "wrong argument count"},
		{"robots_guard {\nrobots a\nupstream http://x\n}", "exclude each other"},
		{"robots_guard {\nrobots a\nstatus 200\n}", "the status is 200: name one from 400 to 499"},
		{"robots_guard {\nrobots a\nstatus x\n}", `the status "x" is not a number from 400 to 499`},
		{"robots_guard {\nrobots a\nobserve yes\n}", "wrong argument count"},
		{"robots_guard {\nrobots a\nlog\n}", "wrong argument count"},
		{"robots_guard {\nrobots a\nchallenge\n}", `robots_guard has no option "challenge"`},
		{"robots_guard {\nupstream http://x/y\n}", "is not an origin: name one such as"},
	} {
		config, err := adapt("http:// {\n" + test.directive + "\n}")
		if text := fmt.Sprint(string(config), err); !strings.Contains(text, test.want) {
			t.Errorf("%s: got %s, want %s", test.directive, text, test.want)
		}
	}
	for file, want := range map[string]string{
		filepath.Join(t.TempDir(), "missing"): "no such file",
		write(t, "empty.txt", ""):             "the text is empty; to allow everything, write a comment",
		write(t, "page.html",
			"<html>\n<title>"): `the text is not a robots.txt: no line names robots, and line 1 is "<html>"`,
		write(t, "page.html", "\n<p>\x1b[2J</p>"): `line 2 is "<p>\x1b[2J</p>"`,
	} {
		config, err := adapt("http:// {\nrobots_guard {\nrobots " + file + "\n}\n}")
		fatal.If(t, err)
		if err := caddy.Load(config, true); err == nil ||
			!strings.Contains(err.Error(), "robots_guard: cannot enforce "+file) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", file, err, want)
		}
		caddy.Stop()
	}
}
