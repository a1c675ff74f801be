package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// newCompletion returns the verb that prints scripts for shells.
func newCompletion() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion (bash|zsh|fish|powershell)",
		Short: "print a script that completes this command in a shell",
		Long: `Completion prints a script for a shell, which then completes verbs, flags, files
and names: of robots, purposes, checks, profiles and dialects. The examples show
what to put into the file that each shell reads when it starts.

Bash needs the package bash-completion, loaded before the script. Zsh needs
"autoload -Uz compinit; compinit" before it. Fish and PowerShell need nothing.

The exit status is 0, or 2 if the script could not be written.`,
		Example: `  source <(robots completion bash)                          # ~/.bashrc
  source <(robots completion zsh)                           # ~/.zshrc
  robots completion fish | source                           # ~/.config/fish/config.fish
  robots completion powershell | Out-String | Invoke-Expression   # $PROFILE`,
		ValidArgsFunction: cobra.FixedCompletions(shells, cobra.ShellCompDirectiveNoFileComp),
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return Misusef("no shell is given: name %s", strings.Join(shells, ", "))
			case len(args) > 1:
				return Misusef("unexpected argument %q: one shell is given", args[1])
			case !slices.Contains(shells, args[0]):
				return Unknown("shell", args[0], shells)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			generate := map[string]func(io.Writer) error{
				"bash":       func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
				"zsh":        root.GenZshCompletion,
				"fish":       func(w io.Writer) error { return root.GenFishCompletion(w, true) },
				"powershell": root.GenPowerShellCompletionWithDesc,
			}
			return Unwritten("the script", generate[args[0]](cmd.OutOrStdout()))
		},
	}
}
