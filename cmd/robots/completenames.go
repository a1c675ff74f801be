package main

import (
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/spf13/cobra"
)

// completeAgents completes product tokens, with the operators of the robots.
func completeAgents(_ *cobra.Command, _ []string, start string) (tokens []string, _ cobra.ShellCompDirective) {
	for a := range agent.All() {
		if len(a.Token) < len(start) || !strings.EqualFold(a.Token[:len(start)], start) {
			continue
		}
		token := a.Token
		if a.Operator != "" {
			token += "\t" + a.Operator
		}
		tokens = append(tokens, token)
	}
	return tokens, cobra.ShellCompDirectiveNoFileComp
}

// completePurposes completes purposes and product tokens.
func completePurposes(cmd *cobra.Command, args []string, start string) (names []string, _ cobra.ShellCompDirective) {
	for _, name := range purposeNames() {
		if strings.HasPrefix(name, start) {
			names = append(names, name+"\tall robots with this purpose")
		}
	}
	tokens, directive := completeAgents(cmd, args, start)
	return append(names, tokens...), directive
}

// completeNames registers a function as the completion of a flag's value.
func completeNames(cmd *cobra.Command, flag string, names cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, names); err != nil {
		panic(err) // the flag does not exist, or has a function: a mistake in this program
	}
}
