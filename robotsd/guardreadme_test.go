package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// TestGuardReadme runs the commands of the README's "shell-session" block, with other ports, and
// compares their output. Numbers of seconds may differ.
func TestGuardReadme(t *testing.T) {
	t.Parallel()
	bash := ""
	for _, name := range []string{"python3", "curl", "bash"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("%s is not installed, which the README uses", name)
		}
		bash = path
	}
	const name, open, shut = "../README.md", "```shell-session\n", "```\n"
	data := readFile(t, name)
	before, rest, found := strings.Cut(string(data), open)
	block, after, _ := strings.Cut(rest, shut)
	if !found || strings.Contains(after, open) {
		t.Fatal("the README has not one block of a shell session")
	}
	bin := t.TempDir()
	exe, err := os.Executable()
	fatal.If(t, err)
	if err := os.Symlink(exe, filepath.Join(bin, "robots")); err != nil {
		t.Skip(err)
	}
	site, guard := ports.Address(t), ports.Address(t)
	host, port, _ := net.SplitHostPort(site)
	here := strings.NewReplacer("go run ./robotsd", "exec robots", "python3", "exec python3", "127.0.0.1:8000",
		guard, "127.0.0.1:8080", site,
		"8080 --bind 127.0.0.1", port+" --bind "+host)
	shell := func(command string) *exec.Cmd {
		cmd := exec.Command(bash, "-c", here.Replace(command))
		cmd.Dir = ".."
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "LC_ALL=C",
			"no_proxy=*")
		return cmd
	}
	var is strings.Builder // the block with the current output
	servers := []string{site, guard}
	for _, part := range strings.Split("\n"+block, "\n$ ")[1:] {
		command, output, _ := strings.Cut(part, "\n")
		is.WriteString("$ " + command + "\n")
		if server, ok := strings.CutSuffix(command, " &"); ok {
			is.WriteString(strings.TrimSuffix(output, "\n"))
			if output != "" {
				is.WriteString("\n")
			}
			startServer(t, shell(server), servers[0], here.Replace(output))
			servers = servers[1:]
			continue
		}
		out, err := shell(command).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v", command, err)
		}
		is.Write(out)
	}
	seconds := regexp.MustCompile(`in \d+ seconds`)
	got, want := is.String(), block
	if seconds.ReplaceAllString(got, "") == seconds.ReplaceAllString(want, "") {
		return
	}
	if !*update {
		t.Fatalf("the README says\n%s\nand the commands print\n%s\n(run the test with -update)", want, got)
	}
	put(t, name, before+open+got+shut+after)
}

// startServer runs a server until the test ends, and waits until it listens at an address. Its
// standard error has to begin with a text.
func startServer(t *testing.T, cmd *exec.Cmd, address, text string) {
	t.Helper()
	stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	fatal.If(t, err)
	defer stderr.Close()
	cmd.Stderr = stderr
	fatal.If(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		said, _ := os.ReadFile(stderr.Name())
		if c, err := net.Dial("tcp", address); err == nil && len(said) >= len(text) {
			c.Close()
			if !strings.HasPrefix(string(said), text) {
				t.Errorf("%s: says %q, want %q", cmd, said, text)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not listen at %s: %s", cmd, address, said)
		}
	}
}
