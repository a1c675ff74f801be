package main

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/robotnames"
	"github.com/spf13/cobra"
)

// newAgents returns the verb that looks up robots.
func newAgents() *cobra.Command {
	var l agentLister
	cmd := &cobra.Command{
		Use:   "agents [flags] [NAME|HEADER]…",
		Short: "tell who robots are, and what they obey",
		Long: fmt.Sprintf(`Agents lists the robots of the web that this program knows (%s): their
product tokens, for robots.txt, who runs them, and what for.

For a product token, such as Googlebot-Image, or the text of a User-Agent header
agents prints all that is known: which groups of robots.txt the robot obeys, what
it takes Crawl-delay for, how its addresses can be verified, where its operator
says so, and where its source code is published. Any other word is looked for in
tokens, names and operators.

The exit status is 0 if all were found, and 1 if one was not: a header of a robot
that is not known is described by the words in it.

--robots-table adds robots of your own, as other verbs do that know robots, from a
file such as

  {
    "robots": [
      {"token": "ExampleBot", "operator": "Example Inc.", "purposes": ["search"]},
      {"token": "ExampleBot-Image", "match": ["ExampleBot-Image", "Example Images"],
       "fallback": ["ExampleBot"], "robots_txt": "yes"}
    ]
  }

An entry with the token of a known robot takes its place, and "replace": true,
beside "robots", leaves out all others.`, agent.Version),
		Example: `  robots agents --purpose ai-train
  robots agents GPTBot
  robots agents 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'
  robots agents google
  robots agents verify 192.0.2.7 --agent Googlebot`,
		ValidArgsFunction: completeAgents,
		RunE: func(cmd *cobra.Command, args []string) error {
			return l.run(cmd, args)
		},
	}
	flags := cmd.Flags()
	l.table.add(cmd)
	flags.StringArrayVar(&l.purposes, "purpose", nil, "only those that read pages for `purpose`: "+strings.Join(purposeNames(), ", ")+"; repeat it for more")
	flags.BoolVar(&l.json, "json", false, "print a JSON object")
	complete(cmd, "purpose", purposeNames())
	l.lang.add(cmd)
	cmd.AddCommand(newVerify(), newAgentsKey())
	return cmd
}

// An agentLister has the flags of agents, and runs the verb.
type agentLister struct {
	purposes []string
	json     bool
	lang     languageFlag
	table    tableFlag
}

func (l *agentLister) run(cmd *cobra.Command, args []string) error {
	var purposes agent.Purpose
	for _, name := range l.purposes {
		p, ok := agent.ParsePurpose(name)
		if !ok {
			return misusef("unknown purpose %q: the purposes are %s", name, strings.Join(purposeNames(), ", "))
		}
		purposes |= p
	}
	known, err := l.table.read(cmd)
	if err != nil {
		return err
	}
	var found []agent.Agent
	var nobody []string
	full, missing := false, false
	if len(args) == 0 {
		found = slices.Collect(known.All())
	}
	for _, arg := range args {
		if strings.TrimSpace(arg) == "" {
			return misusef("a name is empty: give one, such as Googlebot, or none to list all")
		}
		if a, ok := who(known, arg); ok {
			full = true
			missing = missing || !a.Known()
			found = append(found, a)
			continue
		}
		matches := searchAgents(known, arg)
		if len(matches) == 0 {
			nobody = append(nobody, shown(arg))
		}
		found = append(found, matches...)
	}
	if purposes != 0 {
		found = slices.DeleteFunc(found, func(a agent.Agent) bool { return !a.Purposes.Has(purposes) })
		missing = missing || len(args) > 0 && len(found) == 0
	}
	missing = missing || len(nobody) > 0
	out := bufio.NewWriter(cmd.OutOrStdout())
	switch {
	case l.json:
		writeAgentsJSON(out, known.Version(), found)
	case full:
		for i, a := range found {
			if i > 0 {
				out.WriteByte('\n')
			}
			l.lang.printer(out, cmd.OutOrStdout()).Agent(a)
		}
	default:
		l.lang.printer(out, cmd.OutOrStdout()).Agents(found)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("cannot write the robots: %w", cause(err))
	}
	switch {
	case len(nobody) > 0:
		language := l.lang.language()
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", textListed.In(language, strings.Join(nobody, textOr.In(language))))
		names := robotnames.WithPurposes(known, language)
		for _, arg := range args {
			if question := names.Question(arg); question != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s: %s\n", shown(arg), question)
			}
		}
	case missing && len(found) == 0:
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", textOtherPurpose.In(l.lang.language(), shown(strings.Join(args, ", ")), purposes.String()))
	}
	if missing {
		return errNo
	}
	return nil
}

// who returns the agent with the token or User-Agent header in an argument. Its second result
// is false for any other word, which is a word to search for.
func who(table *agent.Table, arg string) (a agent.Agent, ok bool) {
	if a = table.Named(arg); a.Known() && !agent.IsHeader(arg) {
		return a, true
	}
	if agent.IsHeader(arg) || strings.ContainsRune(arg, '/') {
		return table.Lookup(arg), true
	}
	return a, false
}

// searchAgents returns the agents that contain a text in their token, name or operator.
func searchAgents(table *agent.Table, text string) (found []agent.Agent) {
	text = strings.ToLower(text)
	for a := range table.All() {
		if strings.Contains(strings.ToLower(a.Token+"\n"+a.Name+"\n"+a.Operator), text) {
			found = append(found, a)
		}
	}
	return found
}

func writeAgentsJSON(w *bufio.Writer, version string, found []agent.Agent) {
	w.Write(printable.AppendJSON([]byte(`{"version": `), version))
	w.WriteString(`, "agents": [`)
	for i, a := range found {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString("\n  ")
		w.Write(printable.JSON(printable.AppendJSON(nil, a)))
	}
	if len(found) > 0 {
		w.WriteByte('\n')
	}
	w.WriteString("]}\n")
}

func purposeNames() (names []string) {
	for p := range agent.Purposes() {
		names = append(names, p.String())
	}
	return names
}

// completeAgents completes product tokens.
func completeAgents(_ *cobra.Command, _ []string, _ string) (tokens []string, _ cobra.ShellCompDirective) {
	for a := range agent.All() {
		tokens = append(tokens, a.Token)
	}
	return tokens, cobra.ShellCompDirectiveNoFileComp
}
