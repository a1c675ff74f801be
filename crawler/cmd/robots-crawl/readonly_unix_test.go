//go:build unix

package main

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/scripttest"
)

// TestReadOnlyCrawl asks a crawl in a read-only folder for its status, and searches it: after
// a stop in order, and after a kill. Root ignores file modes, so for root the folder is a
// read-only mount in the command's own namespace; for other users it is a folder without write
// permission.
func TestReadOnlyCrawl(t *testing.T) {
	t.Parallel()
	var killing atomic.Bool
	reached := make(chan bool, 1)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			w.Write([]byte("<title>Polite robots</title><a href=/last>last</a>"))
		}
		if r.URL.Path == "/last" && killing.Load() {
			reached <- true
			<-r.Context().Done() // the robot is killed before it has the answer
		}
	}))
	defer site.Close()
	for _, killed := range []bool{false, true} {
		base := t.TempDir()
		dir := filepath.Join(base, "crawl")
		cmd := scripttest.Process(t, "robots", "crawl", "--dir", dir, "--allow-private", "--delay", "300ms",
			"--user-agent", "ExampleBot/1.0 (+https://example.com/bot)", site.URL+"/")
		killing.Store(killed)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		fatal.If(t, cmd.Start())
		if killed {
			<-reached
			cmd.Process.Kill()
		}
		if err := cmd.Wait(); (err != nil) != killed {
			t.Fatalf("%v, %s", err, &out)
		}
		readOnly(t, dir)
		for _, test := range []struct {
			args []string
			want string
		}{
			{[]string{"crawl", "status", "--dir", dir}, " URLs known on "},
			{[]string{"crawl", "status", "--dir", dir, "127.0.0.1"}, site.URL},
			{[]string{"search", "--dir", dir, "polite"}, "Polite robots"},
		} {
			if killed && (test.args[0] == "search" || len(test.args) > 4) {
				continue // in its first second the store may be empty
			}
			out, err := inReadOnly(t, dir, scripttest.Process(t, "robots", test.args...)).CombinedOutput()
			if strings.HasPrefix(string(out), "unshare: ") || strings.HasPrefix(string(out), "mount: ") {
				t.Skipf("no namespace of its own: %s", out)
			}
			if err != nil || !strings.Contains(string(out), test.want) {
				t.Errorf("killed=%v %q: %v, %s", killed, test.args, err, out)
			}
		}
	}
}

// readOnly removes write permission from a folder until the test ends.
func readOnly(t *testing.T, dir string) {
	change := func(clear, set os.FileMode) error {
		return filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
			if err != nil || e.Type()&os.ModeSymlink != 0 {
				return err
			}
			info, err := e.Info()
			return errors.Join(err, os.Chmod(name, info.Mode().Perm()&^clear|set))
		})
	}
	fatal.If(t, change(0o222, 0))
	t.Cleanup(func() { change(0, 0o200) })
}

// inReadOnly returns a command that sees a folder as read-only even if the command runs as
// root.
func inReadOnly(t *testing.T, dir string, cmd *exec.Cmd) *exec.Cmd {
	if os.Getuid() != 0 {
		return cmd
	}
	for _, name := range []string{"unshare", "bash", "mount"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	// Under any name but robots, the program would run the tests again.
	script := `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec -a robots "$@"`
	inside := exec.CommandContext(t.Context(), "unshare", append([]string{"-m", "bash", "-c", script, dir, cmd.Path},
		cmd.Args[1:]...)...)
	inside.Env, inside.Dir = cmd.Env, cmd.Dir
	return inside
}
