package command

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
and the names of dialects. The examples show what to put into the file that each
shell reads when it starts.`,
		Example: `  source <(robots completion bash)                          # ~/.bashrc
  source <(robots completion zsh)                           # ~/.zshrc
  robots completion fish | source                           # ~/.config/fish/config.fish
  robots completion powershell | Out-String | Invoke-Expression   # $PROFILE`,
		ValidArgsFunction: cobra.FixedCompletions(shells, cobra.ShellCompDirectiveNoFileComp),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(shells, args[0]) {
				return Misusef("no known shell is given: name %s", strings.Join(shells, ", "))
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
			return generate[args[0]](cmd.OutOrStdout())
		},
	}
}
