package export_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/http/webserver"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
	"github.com/robotsexclusion/robots/internal/test/probe"
)

// secret is the only file of the servers of FuzzReadings, and readingPolicy disallows it.
const secret = "/private/secret.html"

const readingPolicy = "User-agent: *\nDisallow: /private/secret\nDisallow: /closed/$\nDisallow: /open/page.html$\n"

// secretPath matches the targets of seeds that do not end with the closed folder.
var secretPath = regexp.MustCompile(`(?i)(?:t|%74)(?:\.|%2e)(?:h|%68)`)

// readingSeeds are targets that some server serves as the secret, or as the closed folder.
var readingSeeds = []string{
	secret, "//private/secret.html", "/./private/secret.html", "/x/../private/secret.html", "/private%2fsecret.html",
	"/%2e/private/secret.html", "/x%2f..%2fprivate/secret.html", "/x%2fy/../private/secret.html",
	"/x%2fy/../a%2f../private/secret.html", "/.well-known%2fx/../private/secret.html",
	"/.well-known/../private/secret.html", "/robots.txt/../private/secret.html", "/private//x//../../secret.html",
	"/x//../private/secret.html", "/x//../../private/secret.html", "/a#/../private/secret.html",
	"/x/../private/secret.html#y", "/private/secret.html?x", "/?/../private/secret.html",
	"http://s0.example/private/secret.html", "https://s0.example/private/secret.html",
	"ftp://s0.example:80/private/secret.html",
	"HTTPS://s0.example//private/secret.html", "https://s0.example/x%2fy/../private/secret.html",
	"https://u@s0.example/x/../private/secret.html",
	"foo:/private/secret.html", "http:/private/secret.html", "HTTP:/x/../private/secret.html",
	"foo:////private/secret.html", "http:///private/secret.html", "x:private/secret.html", "http://?x",
	"//s0.example/private/secret.html", "private/secret.html", "x/../private//secret.html", "%70rivate/secret.html",
	"*00/../private/secret.html", "*/../private/secret.html",
	"/private/x/../secret.html", "/private/x/y/..//../secret.html", "/a/../private/./x/%2e%2e/secret.html",
	secret + "/.", secret + "/x/..", secret + "%2f.", "/open/page.html/.", "/open/x/../page.html/%2e",
	"//open/page.html/./.",
	"/open/page.html%2F", "/open/page.html//%2f#x", "/open/page.html/.%2F%2f", "/open/page.html%2f?x",
	"/open/page.html/x/..", "/open/page.html/#x", "/open//page.html",
	"/closed/", "//closed/", "/closed/.", "/closed/x/..", "/closed%2f", "/x/../closed/#y", "//closed/./",
	"/closed/x/../", "/closed/x/%2e%2e", "/public/../closed/index.html/..",
	"/" + strings.Repeat("x/../", 9) + "private/secret.html",
}

// readers are servers that serve files, with options that change how they read targets.
var readers = map[string][]string{
	"nginx": {"location / { index index.html; }", "merge_slashes off; location / { index index.html; }"},
	"apache": {"DirectoryIndex index.html", "DirectoryIndex index.html\nMergeSlashes Off",
		"AllowEncodedSlashes NoDecode"},
	"caddy":    {"file_server"},
	"lighttpd": {"index-file.names = ( \"index.html\" )\nstatic-file.disable-pathinfo = \"enable\""},
}

// fronts are servers that have an export before their pages, with such options. Each is asked
// without options too.
var fronts = map[string][]string{
	"nginx":     {"merge_slashes off; location / { return 200; }"},
	"nginx-lua": {"merge_slashes off; location / { return 200; }"},
	"apache":    {"MergeSlashes Off\nRewriteRule ^ /ok [L]"},
}

// A reader asks for a target in the name of a robot, and reports whether the answer is a page.
type reader struct {
	name string
	asks func(t testing.TB, target string) (page bool)
}

// startReaders starts servers with files, and those with an export, which answer 200 to what
// passes.
func startReaders(t testing.TB) (files, passing []reader) {
	policy := robots.Parse([]byte(readingPolicy))
	protect := &guard.Guard{Policy: guard.Fixed(policy)}
	passing = append(passing, reader{"the guard", func(t testing.TB, target string) bool {
		r := httptest.NewRequest("GET", "/", nil)
		r.RequestURI = target
		r.Header.Set("User-Agent", googlebot)
		return protect.Decide(r).Action == guard.Pass
	}})
	pages := map[string][]byte{"pages" + secret: []byte("SECRET"), "pages/closed/index.html": []byte("SECRET"),
		"pages/open/page.html": []byte("SECRET")}
	for _, server := range export.Servers() {
		if server == "lua" || webserver.Installed(t.Context(), server) != nil {
			continue
		}
		config := write(t, server, policy, export.Options{})
		for _, text := range append(fronts[server], "") {
			site, pass := siteOf(config), http.StatusOK
			if site.Text = text; server == "caddy" { // it answers 200 for a host that no site has
				site.Text, pass = "respond 202", http.StatusAccepted
			}
			s := startSites(t, server, site)
			passing = append(passing, reader{fmt.Sprintf("%s with the export and %q", server, text),
				func(t testing.TB, target string) bool {
					return s.ask(t, []request{{target, googlebot, 0}})[0] == pass
				}})
		}
		for _, text := range readers[server] {
			s := startSites(t, server, webserver.Site{Includes: make([][]string, len(config.Includes)), Files: pages,
				Text: text})
			files = append(files, reader{fmt.Sprintf("%s with %q", server, text),
				func(t testing.TB, target string) bool {
					return strings.Contains(s.body(t, request{target, googlebot, 0}), "SECRET")
				}})
		}
	}
	return append(files, pythonFiles(t, pages)...), passing
}

// pythonFiles starts the file server of Python, if Python is installed.
func pythonFiles(t testing.TB, pages map[string][]byte) []reader {
	python, err := exec.LookPath("python3")
	if err != nil {
		return nil
	}
	dir := t.TempDir()
	for name, data := range pages {
		name = filepath.Join(dir, name)
		fatal.If(t, os.MkdirAll(filepath.Dir(name), 0o755))
		fatal.If(t, os.WriteFile(name, data, 0o644))
	}
	address := ports.Address(t)
	host, port, _ := net.SplitHostPort(address)
	cmd := exec.Command(python, "-m", "http.server", port, "--bind", host, "--directory", filepath.Join(dir, "pages"))
	fatal.If(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	asks := func(t testing.TB, target string) bool {
		var c net.Conn
		var err error
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			if c, err = net.Dial("tcp", address); err == nil {
				break
			}
		}
		fatal.If(t, err)
		defer c.Close()
		fmt.Fprintf(c, "GET %s HTTP/1.0\r\n\r\n", target)
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			return false
		}
		body, _ := io.ReadAll(answer.Body)
		return string(body) == "SECRET"
	}
	return []reader{{"Python", asks}}
}

// FuzzReadings asks real servers with files for targets. If one serves a file that robots.txt
// disallows, the guard and all exports must refuse the target: each may stand before that server.
func FuzzReadings(f *testing.F) {
	random := rand.New(rand.NewPCG(11, 12))
	for _, target := range readingSeeds {
		f.Add(target)
	}
	for range corpus.Cases(120, 5000) {
		f.Add(probe.Spelled(random, []string{secret, secret, "/closed/"}[random.IntN(3)]))
	}
	files, passing := startReaders(f)
	f.Fuzz(func(t *testing.T, target string) {
		if target == "" || len(target) > 4000 ||
			strings.ContainsFunc(target, func(c rune) bool { return c <= ' ' || c >= 0x7F }) {
			t.Skip()
		}
		for _, r := range files {
			if !r.asks(t, target) {
				continue
			}
			if strings.Contains(target, "?") && !secretPath.MatchString(target) {
				return // "/closed/$" is without a query
			}
			for _, front := range passing {
				if front.asks(t, target) {
					t.Errorf("%q passes %s, and %s serves it as a closed file", target, front.name, r.name)
				}
			}
			return
		}
	})
}
