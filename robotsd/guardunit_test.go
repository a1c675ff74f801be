//go:build unix

package main

import (
	"debug/elf"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// TestGuardUnit checks the unit of systemd in examples: its command starts, reads robots.txt again
// and ends as systemd asks, and systemd finds no mistake in the unit.
func TestGuardUnit(t *testing.T) {
	t.Parallel()
	const name = "robots-guard.service"
	data := readFile(t, "../examples/guard/"+name)
	_, line, _ := strings.Cut(string(data), "ExecStart=/usr/local/bin/robotsd ")
	line, _, found := strings.Cut(line, "\n")
	if !found || !strings.Contains(string(data), "ExecReload=/bin/kill -HUP $MAINPID\n") {
		t.Fatal("the unit has another ExecStart or ExecReload")
	}
	dir, address := t.TempDir(), ports.Address(t)
	line = strings.NewReplacer(":80 ", address+" ", "/var/log/robots-guard", dir).Replace(line)
	guard := robotsProcess(t, strings.Fields(line)...)
	startServer(t, guard, address, "robots: ")
	for _, signal := range []os.Signal{syscall.SIGHUP, syscall.SIGTERM} {
		if err := guard.Process.Signal(signal); err != nil {
			t.Error(err)
		}
	}
	if err := guard.Wait(); err != nil {
		t.Errorf("the guard ends with %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "guard.jsonl")); err != nil {
		t.Error(err)
	}

	systemd, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	unit := filepath.Join(dir, name)
	put(t, unit, strings.ReplaceAll(string(data), "/usr/local/bin/robotsd", "/bin/true"))
	if out, err := exec.Command(systemd, "verify", unit).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
}

// TestGuardDocker runs what the files of examples/docker say, without Docker: the command of the
// compose file before a site, and, with ROBOTS_CORPUS_ALL, the build of the Dockerfile, whose file
// has to need no other.
func TestGuardDocker(t *testing.T) {
	t.Parallel()
	find := func(name, expression string) string {
		data := readFile(t, "../examples/docker/"+name)
		found := regexp.MustCompile("(?m)" + expression).FindSubmatch(data)
		if found == nil {
			t.Fatalf("%s has no %s:\n%s", name, expression, data)
		}
		return string(found[1])
	}
	var args []string
	fatal.If(t, json.Unmarshal([]byte(find("compose.yaml", `^    command: (\[.*\])$`)), &args))
	site := httptest.NewServer(http.FileServer(http.Dir("../examples/docker/" +
		find("compose.yaml", `^    volumes: \["(.*):/usr/share/nginx/html:ro"\]$`))))
	defer site.Close()
	address := ports.Address(t)
	for i, arg := range args {
		args[i] = strings.NewReplacer("http://site:80", site.URL, ":8080", address).Replace(arg)
	}
	cmd := robotsProcess(t, args...)
	if os.Getenv("ROBOTS_CORPUS_ALL") != "" && runtime.GOOS == "linux" {
		program := filepath.Join(t.TempDir(), "robotsd")
		build := exec.Command("sh", "-c", strings.Replace(find("Dockerfile", `^RUN (.*)$`), " /robotsd ", " "+program+
			" ", 1))
		build.Dir = ".."
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		f, err := elf.Open(program)
		fatal.If(t, err)
		if libraries, err := f.ImportedLibraries(); err != nil || len(libraries) > 0 {
			t.Errorf("the program needs %q, %v", libraries, err)
		}
		f.Close()
		cmd = exec.Command(program, args...)
	}
	startServer(t, cmd, address, "robots: ")
	p := guardProcess{address: address}
	for header, want := range map[string]int{"GPTBot/1.0": 403,
		"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0": 200} {
		if got := p.status(t, "/private/", header); got != want {
			t.Errorf("%s: got %d, want %d", header, got, want)
		}
	}
}
