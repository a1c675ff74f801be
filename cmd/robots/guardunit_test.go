//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestGuardUnit checks the unit of systemd in examples: its command starts, reads robots.txt again and ends as systemd asks, and
// systemd finds no mistake in the unit.
func TestGuardUnit(t *testing.T) {
	t.Parallel()
	const name = "robots-guard.service"
	data, err := os.ReadFile("../../examples/guard/" + name)
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(data), "ExecStart=/usr/local/bin/robots ")
	line, _, found := strings.Cut(line, "\n")
	if !found || !strings.Contains(string(data), "ExecReload=/bin/kill -HUP $MAINPID\n") {
		t.Fatal("the unit has another ExecStart or ExecReload")
	}
	dir, address := t.TempDir(), unusedAddress(t)
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
	if err := os.WriteFile(unit, []byte(strings.ReplaceAll(string(data), "/usr/local/bin/robots", "/bin/true")), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(systemd, "verify", unit).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
}
