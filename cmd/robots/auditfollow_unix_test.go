//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A followed is a robots audit --follow of a log.
type followed struct {
	t      *testing.T
	log    string
	cmd    *exec.Cmd
	out    *bufio.Reader
	stderr *bufio.Reader
}

func followLog(t *testing.T, log string, args ...string) *followed {
	t.Helper()
	f := &followed{t: t, log: log, cmd: robotsProcess(t, append([]string{"audit", "--follow", "--settle", "0", log},
		args...)...)}
	out, err := f.cmd.StdoutPipe()
	f.must(err)
	stderr, err := f.cmd.StderrPipe()
	f.must(err)
	f.out, f.stderr = bufio.NewReader(out), bufio.NewReader(stderr)
	f.must(f.cmd.Start())
	t.Cleanup(func() { f.cmd.Process.Kill() })
	return f
}

func (f *followed) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// write appends requests of a robot for paths to a file.
func (f *followed) write(name string, paths ...string) { f.writeAt(time.Now(), name, paths...) }

func (f *followed) writeAt(at time.Time, name string, paths ...string) {
	f.append(at, "192.0.2.1", "onebot/1.0", name, paths...)
}

// writeAs appends requests of another client.
func (f *followed) writeAs(client, header, name string, paths ...string) {
	f.append(time.Now(), client, header, name, paths...)
}

func (f *followed) append(at time.Time, client, header, name string, paths ...string) {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	f.must(err)
	defer file.Close()
	for _, path := range paths {
		fmt.Fprintf(file, "%s - - [%s] \"GET %s HTTP/1.1\" 200 5 \"-\" %q\n", client,
			at.Format("02/Jan/2006:15:04:05 -0700"), path, header)
	}
}

// want reads the lines of violations for paths.
func (f *followed) want(paths ...string) {
	f.t.Helper()
	for _, path := range paths {
		line, err := f.out.ReadString('\n')
		if err != nil || !strings.Contains(line, `"class":"certain"`) || !strings.Contains(line, "GET "+path+" ") {
			f.t.Fatalf("got %q, %v, want a violation for %s", line, err, path)
		}
	}
}

// says reads a line of standard error.
func (f *followed) says(want string) {
	f.t.Helper()
	if line, err := f.stderr.ReadString('\n'); err != nil || !strings.Contains(line, want) {
		f.t.Fatalf("standard error: got %q, %v, want %q", line, err, want)
	}
}

// A live audit goes on through rotations and truncation, and when it is killed, the next one begins
// with what is new.
func TestAuditFollow(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	robots, log := filepath.Join(folder, "robots.txt"), filepath.Join(folder, "access.log")
	fatal.If(t, os.WriteFile(robots, []byte("User-agent: *\nDisallow: /private/\n"), 0o600))
	f := followLog(t, log, "--robots", robots, "--metrics", "127.0.0.1:0")
	line, err := f.stderr.ReadString('\n')
	f.must(err)
	_, url, _ := strings.Cut(strings.TrimSpace(line), "figures at ")
	f.says("does not exist")
	f.write(log, "/", "/private/1", "/private/2")
	f.want("/private/1", "/private/2")
	f.must(os.Rename(log, log+".1"))
	f.write(log+".1", "/private/3")
	f.want("/private/3")
	f.write(log, "/private/4")
	f.want("/private/4")
	f.must(os.Truncate(log, 0))
	f.says("was truncated after")
	f.write(log, "/private/5")
	f.want("/private/5")
	answer, err := http.Get(url)
	f.must(err)
	body, err := io.ReadAll(answer.Body)
	f.must(err)
	stranger, err := http.NewRequest("GET", url, nil)
	f.must(err)
	stranger.Host = "rebind.evil.example"
	if answer, err := http.DefaultClient.Do(stranger); err != nil || answer.StatusCode != 421 {
		t.Errorf("a host of a stranger got %v, %v", answer, err)
	}
	if want := `robots_audit_violations_total{class="certain",robot="other"} 5`; !strings.Contains(string(body), want) {
		t.Errorf("the metrics have no line %s", want)
	}
	f.must(f.cmd.Process.Kill())
	f.cmd.Wait()

	f.write(log, "/private/6") // while nothing follows
	f = followLog(t, log, "--robots", robots, "--past", log+".1", "--metrics", "127.0.0.1:0")
	f.says("figures at")
	f.must(f.cmd.Process.Signal(syscall.SIGTERM))
	rest, err := io.ReadAll(f.out)
	f.must(err)
	f.says("requests followed: 0;")
	f.cmd.Wait()
	if len(rest) > 0 || f.cmd.ProcessState.ExitCode() != cli.StatusYes {
		t.Errorf("old lines: exit status %d, output %q", f.cmd.ProcessState.ExitCode(), rest)
	}
}

// Standard input is audited to its end.
func TestAuditFollowStdin(t *testing.T) {
	folder := t.TempDir()
	robots, log := filepath.Join(folder, "robots.txt"), filepath.Join(folder, "access.log")
	fatal.If(t, os.WriteFile(robots, []byte("User-agent: *\nDisallow: /private/\n"), 0o600))
	f := &followed{t: t}
	f.write(log, "/", "/private/1")
	in, err := os.Open(log)
	f.must(err)
	defer in.Close()
	cmd := robotsProcess(t, "audit", "--follow", "--robots", robots, "-")
	cmd.Stdin = in
	out, err := cmd.Output()
	if cmd.ProcessState.ExitCode() != cli.StatusNo || strings.Count(string(out), "\n") != 1 ||
		!strings.Contains(string(out), "/private/1") {
		t.Errorf("got %q, %v", out, err)
	}
}
