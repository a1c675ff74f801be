package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestShells completes command lines in real shells, where they are installed.
func TestShells(t *testing.T) {
	if path, err := exec.LookPath("robots"); err != nil {
		t.Fatalf("the command is not in PATH: %q, %v", path, err)
	}
	const library = "/usr/share/bash-completion/bash_completion"
	for _, shell := range []struct{ name, needs, script, want string }{
		{"bash", library, `source ` + library + `
source <(robots completion bash)
compopt() { :; } # it is an error outside of a completion
COMP_LINE="robots match --agent Googlebot-Im" COMP_POINT=33 COMP_CWORD=3 COMP_TYPE=9
COMP_WORDS=(robots match --agent Googlebot-Im)
__start_robots
echo "${COMPREPLY[@]}"`, "Googlebot-Image"},
		{"fish", "", `robots completion fish | source; complete -C "robots match --agent Googlebot-Im"`,
			"Googlebot-Image\tGoogle"},
		{"zsh", "", `autoload -Uz compinit; compinit -D; source <(robots completion zsh); print $_comps[robots]`,
			"_robots"},
	} {
		t.Run(shell.name, func(t *testing.T) {
			if _, err := exec.LookPath(shell.name); err != nil {
				t.Skip("the shell is not installed")
			}
			if _, err := os.Stat(shell.needs); shell.needs != "" && err != nil {
				t.Skip("the package bash-completion is not installed")
			}
			cmd := exec.CommandContext(t.Context(), shell.name, "-c", shell.script)
			cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.HasPrefix(string(out), shell.want) {
				t.Errorf("%v, got %q, want %q", err, out, shell.want)
			}
		})
	}
}
