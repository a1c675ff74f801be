package main

import (
	"bufio"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/nearest"
	"github.com/robotsexclusion/robots/internal/robotname"
	"github.com/spf13/cobra"
)

// newAgents returns the verb that looks up robots.
func newAgents() *cobra.Command {
	var l agentLister
	cmd := &cobra.Command{
		Use:   "agents [flags] [NAME|HEADER]…",
		Short: "show known robots, their operators, and the rules that they obey",
		Long: fmt.Sprintf(`Agents lists the robots of the web that this program knows (%s): their
product tokens, for robots.txt, their operators and their purposes.

For a product token, such as Googlebot-Image, or the text of a User-Agent header
agents prints all that is known: which groups of robots.txt the robot obeys,
what it takes Crawl-delay for, how its addresses can be verified, where its
operator says so, and where its source code is published. A common name, such as
claude, an operator or a purpose stands for the same robots as for 'robots block'.
Agents looks for any other word in tokens, names and operators.

The exit status is 0 if agents found all, 1 if not, and 2 after an error. For
the header of an unknown robot, agents prints what the words in the header say.

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
	flags.StringArrayVar(&l.purposes, "purpose", nil, "only those that read pages for `purpose`: "+
		strings.Join(purposeNames(), ", ")+"; repeat it for more")
	flags.BoolVar(&l.json, "json", false, "print a JSON object")
	cli.Complete(cmd, "purpose", purposeNames())
	l.lang.Add(cmd)
	cmd.AddCommand(newVerify(), newAgentsRanges(), newAgentsKey(), newAgentsDescribe())
	explainFlags(cmd, same(textAgentsFile, "robots file"))
	return cmd
}

// An agentLister has the flags of agents, and runs the verb.
type agentLister struct {
	purposes []string
	json     bool
	lang     cli.LanguageFlag
	table    tableFlag
}

func (l *agentLister) run(cmd *cobra.Command, args []string) error {
	var purposes agent.Purpose
	for _, name := range l.purposes {
		p, ok := agent.ParsePurpose(name)
		if !ok {
			return cli.Unknown("purpose", name, purposeNames())
		}
		purposes |= p
	}
	known, err := l.table.read(cmd)
	if err != nil {
		return err
	}
	found, nobody, others, full, err := findAgents(known, args)
	if err != nil {
		return err
	}
	missing := len(nobody) > 0 || slices.ContainsFunc(found, func(a agent.Agent) bool { return !a.Known() })
	if purposes != 0 {
		found = slices.DeleteFunc(found, func(a agent.Agent) bool { return !a.Purposes.Has(purposes) })
		missing = missing || len(args) > 0 && len(found) == 0
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	printer := printerFor(cmd, &l.lang, out, cmd.OutOrStdout())
	switch {
	case l.json:
		out.Write(known.AppendJSON(nil, found))
	case full:
		for i, a := range found {
			if i > 0 {
				out.WriteByte('\n')
			}
			printer.Agent(a)
		}
	default:
		printer.Agents(found)
	}
	if err := out.Flush(); err != nil {
		return cli.Unwritten("the robots", err)
	}
	errs, language := cmd.ErrOrStderr(), l.lang.Language()
	if len(others) > 0 {
		fmt.Fprintf(errs, "robots: %s\n", textOthersNamed.In(language, shown(strings.Join(args, ", ")),
			shown(strings.Join(others, ", "))))
	}
	switch {
	case len(nobody) > 0:
		if i := slices.IndexFunc(nobody, isAddress); i >= 0 {
			return cli.Misusef("%[1]s is an address: 'robots agents verify %[1]s' shows whose it is", nobody[i])
		}
		fmt.Fprintf(errs, "robots: %s\n", textListed.In(language, strings.Join(nobody, textOr.In(language))))
		all := robotname.WithPurposes(known, language)
		for _, arg := range args {
			if question := all.Question(arg); question != "" {
				fmt.Fprintf(errs, "robots: %s: %s\n", shown(arg), question)
			} else if question := verbQuestion(cmd, language, arg); question != "" {
				fmt.Fprintf(errs, "robots: %s: %s\n", shown(arg), question)
			}
		}
	case missing && len(found) == 0:
		fmt.Fprintf(errs, "robots: %s\n", textOtherPurpose.In(language, shown(strings.Join(args, ", ")),
			purposes.String()))
	}
	if missing {
		return cli.ErrNo
	}
	return nil
}

// findAgents returns the agents that arguments name, or all agents without arguments, and the
// arguments that name none. others are the robots that are not meant by an argument, although it is
// a part of their names. full is set if an argument names exactly one.
func findAgents(known *agent.Table, args []string) (found []agent.Agent, nobody, others []string, full bool,
	err error) {
	if len(args) == 0 {
		return slices.Collect(known.All()), nil, nil, false, nil
	}
	for _, arg := range args {
		if strings.TrimSpace(arg) == "" {
			err = cli.Misusef("a name is empty: give one, such as Googlebot, or none to list all")
			return nil, nil, nil, false, err
		}
		matches, exact := known.Search(arg)
		if named, more := namedAgents(known, arg, matches); len(named) > 0 && len(named)+len(more) > 1 {
			matches = named
			others = append(others, more...)
		}
		full = full || exact
		if len(matches) == 0 {
			nobody = append(nobody, shown(arg))
		}
		found = append(found, matches...)
	}
	return found, nobody, others, full, nil
}

// namedAgents returns the robots that a name means to all verbs, if it means known ones, and the
// others that a search for the name found.
func namedAgents(known *agent.Table, name string, found []agent.Agent) (named []agent.Agent, others []string) {
	subjects, err := known.Resolve(name)
	if err != nil {
		return nil, nil
	}
	has := make(map[string]bool)
	for _, s := range subjects {
		a := known.Named(s.Tokens[0])
		if !a.Known() {
			return nil, nil
		}
		named = append(named, a)
		has[a.Token] = true
	}
	for _, a := range found {
		if !has[a.Token] {
			others = append(others, a.Token)
		}
	}
	return named, others
}

func purposeNames() (names []string) {
	for p := range agent.Purposes() {
		names = append(names, p.String())
	}
	return names
}

// verbQuestion asks whether a verb below agents was meant by a name, or returns "".
func verbQuestion(cmd *cobra.Command, l language.Language, name string) string {
	verb, ok := nearVerb(cmd, name)
	if !ok {
		return ""
	}
	return textVerbMeant.In(l, verb.CommandPath())
}

// nearVerb returns the verb below cmd that was probably meant by an argument.
func nearVerb(cmd *cobra.Command, arg string) (*cobra.Command, bool) {
	verbs := cmd.Commands()
	var names []string
	for _, verb := range verbs {
		names = append(names, verb.Name())
	}
	near, ok := nearest.Of(arg, names)
	if !ok {
		return nil, false
	}
	return verbs[slices.Index(names, near)], true
}

// mistypedVerb returns the error for a first argument that looks like a verb below cmd, or nil.
func mistypedVerb(cmd *cobra.Command, arg string) error {
	if verb, ok := nearVerb(cmd, arg); ok {
		return cli.Misusef("unknown verb %q: did you mean '%s'?", arg, verb.CommandPath())
	}
	return nil
}

// isAddress reports whether a text is an IP address.
func isAddress(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil
}
