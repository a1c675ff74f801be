package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// builtPrograms are the programs of the repository, each compiled once.
var builtPrograms sync.Map

// program returns the file of a program of the repository.
func program(t *testing.T, name string) string {
	t.Helper()
	build, _ := builtPrograms.LoadOrStore(name, sync.OnceValues(func() (string, error) {
		dir, err := os.MkdirTemp("", "page-test-")
		if err != nil {
			return "", err
		}
		file := filepath.Join(dir, name)
		packages := map[string]string{
			"robots": "./cmd/robots", "robots-crawl": "./crawler/cmd/robots-crawl", "robotsd": "./robotsd",
			"nats-server": "github.com/nats-io/nats-server/v2",
		}
		cmd := exec.Command("go", "build", "-o", file, packages[name])
		cmd.Dir = "../../.."
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w\n%s", err, out)
		}
		return file, nil
	}))
	file, err := build.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// removePrograms removes the compiled programs.
func removePrograms() {
	builtPrograms.Range(func(_, build any) bool {
		if file, err := build.(func() (string, error))(); err == nil {
			os.RemoveAll(filepath.Dir(file))
		}
		return true
	})
}

// A service is a program that serves the page.
type service struct {
	url  string
	kill func()
	out  *output // of the program
}

// An output collects what a program prints.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// serve starts a program that serves the page.
func serve(t *testing.T, name string, args ...string) *service {
	t.Helper()
	cmd := exec.Command(program(t, name), args...)
	s := &service{out: new(output)}
	cmd.Stdout = s.out
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.kill = sync.OnceFunc(func() { cmd.Process.Kill(); cmd.Wait() })
	t.Cleanup(s.kill)
	var said strings.Builder
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		_, url, ok := strings.Cut(lines.Text(), "the page is at ")
		if !ok {
			_, url, ok = strings.Cut(lines.Text(), "listening at ") // the service
		}
		if ok {
			s.url = url
			go io.Copy(io.Discard, stderr)
			return s
		}
		said.WriteString(lines.Text() + "\n")
	}
	t.Fatalf("%s serves no page: %s", name, said.String())
	return nil
}

// fetched reads JSON of a service.
func (s *service) fetched(t *testing.T, path string, to any) {
	t.Helper()
	resp, err := http.Get(s.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(to); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", path, resp.Status, err)
	}
}

// refusals forgets that the browser reported requests to a server that was killed, and requires all
// requests to be for the page's own server.
func (p *tab) refusals() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, request := range p.requests {
		if !strings.HasPrefix(request, p.url) {
			p.t.Errorf("a request to %s", request)
		}
	}
	p.problems = slices.DeleteFunc(p.problems,
		func(said string) bool { return strings.Contains(said, "ERR_CONNECTION_REFUSED") })
}

// looks opens a view in several widths, languages and colours. It checks each with axe-core, and
// writes pictures into the folder ROBOTS_SCREENS.
func looks(t *testing.T, url, view, until string) {
	t.Helper()
	axe, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("axe-core is not installed: run npm ci here")
	}
	folder := os.Getenv("ROBOTS_SCREENS")
	if folder != "" {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		width    int64
		dark     bool
		language string
	}{{1280, false, "en"}, {1280, true, "en"}, {768, false, "es"}, {360, false, "en"}, {360, true, "ru"},
		{1280, false, "ko"}} {
		p := openEarly(t, url, c.width, c.dark, c.language) // these views need no engine
		p.wait(fmt.Sprintf(`document.querySelector(%s)`, quoted(until)))
		if over := p.excess(); over > 0 {
			t.Errorf("%d px, %s: the page is %d px too wide", c.width, c.language, over)
		}
		if folder != "" {
			mode := "light"
			if c.dark {
				mode = "dark"
			}
			var picture []byte
			height := get[int64](p, "Math.min(document.documentElement.scrollHeight, 2600)")
			p.run(emulation.SetDeviceMetricsOverride(c.width, height, 1, c.width < 600),
				chromedp.CaptureScreenshot(&picture))
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d-%s-%s-%s.png", c.width, mode, c.language,
				view)), picture, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		p.check()
		p.run(cdpage.SetBypassCSP(true), chromedp.Reload())
		p.wait(fmt.Sprintf(`document.querySelector(%s)`, quoted(until)))
		get[any](p, "void (() => {"+string(axe)+"\n})()")
		for _, v := range get[[]string](p,
			`axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target.join(" ") + ": " + n.failureSummary)))`) {
			t.Errorf("%d px, dark %v, %s: %s", c.width, c.dark, c.language, v)
		}
	}
}
