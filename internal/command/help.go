package command

import "github.com/spf13/cobra"

// newHelp returns the verb that prints the help of other verbs. Unlike cobra's own verb, it
// fails for a verb that does not exist.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [VERB]",
		Short:   "explain a verb and its flags",
		Example: `  robots help match`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			if len(args) == 0 {
				for _, verb := range cmd.Root().Commands() {
					if verb.IsAvailableCommand() {
						names = append(names, verb.Name()+"\t"+verb.Short)
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			verb, rest, err := cmd.Root().Find(args)
			if err == nil && verb.DisableFlagParsing { // a verb of another program, which has the help
				return verb.RunE(verb, append(rest, "--help"))
			}
			if err != nil || len(rest) > 0 {
				return unknownVerb(cmd.Root(), args[0])
			}
			verb.InitDefaultHelpFlag()
			return verb.Help()
		},
	}
}

// usageTemplate is the part of a help text below the description. It replaces cobra's.
const usageTemplate = `Usage:
  {{if .HasParent}}{{.UseLine}}{{else}}{{.Name}} VERB [flags] [argument…]{{end}}
{{if .HasExample}}
Examples:
{{.Example}}
{{end}}{{if .HasAvailableSubCommands}}
Verbs:{{range .Commands}}{{if or .IsAvailableCommand (eq .Name "help")}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{end}}{{if .HasAvailableLocalFlags}}
Flags:
{{.LocalFlags.FlagUsagesWrapped 80 | trimTrailingWhitespaces}}
{{end}}{{if not .HasParent}}
"{{.Name}} help VERB" explains a verb and its flags.
{{end}}`
