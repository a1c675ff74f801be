package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
)

// An anubis runs the programs anubis and robots2policy of a folder: for each robots.txt an Anubis
// with its policy, before a site that marks its answers.
type anubis struct {
	programs, dir string
	site          *httptest.Server
	policy        *robots.Policy // of the running program
	cmd           *exec.Cmd
	client        client
}

func startAnubis(programs, dir string) *anubis {
	programs, err := filepath.Abs(programs)
	check(err)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Passed",
			"yes")
	}))
	return &anubis{programs: programs, dir: dir, site: site}
}

// refuses reports whether Anubis answers itself, with a refusal or a challenge. The answer is not
// judged if Anubis takes the request for malformed.
func (a *anubis) refuses(p *robots.Policy, header, target string) (refuses, judged bool) {
	if p != a.policy {
		a.start(p)
	}
	for range 4 {
		answer, err := a.client.get(target, header)
		if err != nil {
			answer, err = a.client.get(target, header)
		}
		check(err)
		if answer.StatusCode == 400 {
			return false, false
		}
		to, err := url.Parse(answer.Header.Get("Location"))
		if answer.StatusCode/100 != 3 || err != nil || to.Path == "" {
			return answer.Header.Get("Passed") == "", true
		}
		target = to.RequestURI() // Anubis redirects "//x" to "/x"
	}
	return false, false
}

// start starts Anubis with the policy of a robots.txt, after the rules that Anubis recommends for
// /robots.txt and /.well-known/.
func (a *anubis) start(p *robots.Policy) {
	a.stop()
	a.policy = p
	var text strings.Builder
	for _, line := range p.Lines() {
		text.WriteString(line.Text)
	}
	file := func(name string) string { return filepath.Join(a.dir, name) }
	check(os.WriteFile(file("robots.txt"), []byte(text.String()), 0o600))
	out, err := exec.Command(filepath.Join(a.programs, "robots2policy"), "-input", file("robots.txt"), "-output",
		file("rules.yaml")).CombinedOutput()
	config := "bots:\n- import: (data)/common/keep-internet-working.yaml\n"
	switch {
	case err == nil:
		config += "- import: " + file("rules.yaml") + "\n"
	case !strings.Contains(string(out), "no valid rules generated"): // the file disallows nothing
		check(fmt.Errorf("robots2policy: %w: %s", err, out))
	}
	check(os.WriteFile(file("anubis.yaml"), []byte(config), 0o600))
	addresses := [2]string{}
	for i := range addresses {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		check(err)
		addresses[i] = l.Addr().String()
		l.Close()
	}
	a.cmd = exec.Command(filepath.Join(a.programs, "anubis"), "-bind", addresses[0], "-metrics-bind", addresses[1],
		"-target", a.site.URL,
		"-policy-fname", file("anubis.yaml"), "-use-remote-address", "-slog-level", "ERROR")
	a.cmd.Stderr = os.Stderr
	check(a.cmd.Start())
	a.client = client{dial: func() (conn net.Conn, err error) {
		for range 1000 {
			if conn, err = net.Dial("tcp", addresses[0]); err == nil {
				return conn, nil
			}
			time.Sleep(10 * time.Millisecond)
		}
		return nil, fmt.Errorf("no connection to Anubis: %w", err)
	}}
}

// stop ends the running program.
func (a *anubis) stop() {
	if a.cmd != nil {
		a.cmd.Process.Kill()
		a.cmd.Wait()
	}
}
