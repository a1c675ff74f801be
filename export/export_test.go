package export_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestRefusal checks that the error names the rule that a server cannot enforce.
func TestRefusal(t *testing.T) {
	for _, test := range []struct {
		text string
		line int
		want string
	}{
		{"user-agent: *\ndisallow: /x\ndisallow: /" + strings.Repeat("a", 3700), 3,
			"which also matches escaped letters, has"},
		{"user-agent: *\ndisallow: /" + strings.Repeat("x*", 6000), 2, "bytes, and this server takes"},
		{"user-agent: *\ndisallow: /100%*x", 2, "must start an escape"},
	} {
		for _, server := range export.Servers() {
			_, err := export.Write(server, robots.Parse([]byte(test.text)), export.Options{})
			if server == "lighttpd" || strings.HasSuffix(server, "lua") {
				if err != nil {
					t.Errorf("%s can say all rules in Lua: %.300v", server, err)
				}
				continue
			}
			refusal, ok := errors.AsType[*export.Refusal](err)
			if !ok || refusal.Rule.Line != test.line || !strings.Contains(err.Error(), test.want) ||
				!strings.Contains(err.Error(), fmt.Sprint(server, " cannot enforce line ", test.line)) {
				t.Errorf("%s: %.40q: %.300v", server, test.text, err)
			}
		}
	}
}

// TestDigitAlone checks that Caddy refuses a hex digit between two wildcards by name, and that the
// others take the rule.
func TestDigitAlone(t *testing.T) {
	p := robots.Parse([]byte("user-agent: *\ndisallow: /x\ndisallow: /*b*x\n"))
	for _, server := range export.Servers() {
		_, err := export.Write(server, p, export.Options{})
		if server != "caddy" && err != nil {
			t.Errorf("%s: %v", server, err)
		}
		if want := `caddy cannot enforce line 3, Disallow: /*b*x: a single hex digit between two "*" (here "b")`; server == "caddy" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}

// TestTooLarge checks that a policy is refused whose files would be too large.
func TestTooLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes 32 MiB")
	}
	text := []byte("user-agent: *\n")
	for i := range 9000 {
		text = fmt.Appendf(text, "disallow: /%04d%s\n", i, strings.Repeat("a", 400))
	}
	config, err := export.Write("nginx", robots.Parse(text), export.Options{})
	if refusal, ok := errors.AsType[*export.Refusal](err); !ok || config != nil || refusal.Rule.Line != 0 ||
		!strings.Contains(err.Error(), "nginx cannot enforce this robots.txt: its configuration would have") {
		t.Errorf("a policy of %d bytes: %v", len(text), err)
	}
}

func TestArguments(t *testing.T) {
	p := robots.Parse(nil)
	for want, write := range map[string]func() (*export.Config, error){
		"unknown server": func() (*export.Config, error) { return export.Write("iis", p, export.Options{}) },
		"the name of the": func() (*export.Config, error) {
			return export.Write("nginx", p,
				export.Options{Site: "a;b"})
		},
		`the name of the folder is "my conf": it may have letters, digits and "/_.,@+-", and not " "`: func() (*export.Config, error) {
			return export.Write("nginx", p, export.Options{Folder: "my conf"})
		},
		"policies of dialect": func() (*export.Config, error) {
			return export.Write("nginx", p.In(robots.Google),
				export.Options{})
		},
	} {
		if _, err := write(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
	for _, a := range []export.Agents{export.All, export.Known, export.Named} {
		if got, err := export.ParseAgents(a.String()); got != a || err != nil {
			t.Errorf("%v: %v, %v", a, got, err)
		}
	}
	if _, err := export.ParseAgents("some"); err == nil {
		t.Error("there are agents named some")
	}
}

// TestQuoting checks that the configuration of a hostile file has no byte, and no escape, beyond
// those that the same server has for a file without text of strangers.
func TestQuoting(t *testing.T) {
	var text strings.Builder
	for c := range 256 {
		if c == '%' {
			continue // not before "*"
		}
		fmt.Fprintf(&text, "user-agent: a%[1]cb\ndisallow: /x%[1]c*%[1]cy$\n", c)
	}
	config, err := export.Write("nginx", robots.Parse([]byte("user-agent: *\n"+text.String())), export.Options{})
	fatal.If(t, err)
	unsafe := regexp.MustCompile(`[^\n -~]|\\[^xz.()\]\[]|"[^~0-9 .;"$\n}][^"]*"`)
	for _, f := range config.Files {
		for line := range strings.Lines(string(f.Data)) {
			if at := unsafe.FindStringIndex(line); at != nil && !strings.HasPrefix(line, "#") &&
				!strings.HasPrefix(line, "if ") {
				t.Errorf("%s: %.80q", f.Name, line[at[0]:])
			}
			if n := strings.Count(line, `"`); n%2 != 0 {
				t.Errorf("%s: %d quotes in %.80q", f.Name, n, line)
			}
		}
	}
}

// TestOpen checks that a policy that closes no path costs no expression.
func TestOpen(t *testing.T) {
	for _, server := range []string{"haproxy", "apache"} {
		for _, f := range write(t, server, robots.Parse([]byte(policies["open"])),
			export.Options{}).Files {
			if strings.Contains(string(f.Data), "%(?:") || strings.Contains(string(f.Data), "-m reg") {
				t.Errorf("%s: the file %s has an expression:\n%s", server, f.Name, f.Data)
			}
		}
	}
}
